package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/document"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
)

// readMockEvent reads the event in a file of the function's folder, and makes a
// short one whole. What is wrong with it is wrong use.
func readMockEvent(p *project.Project, env *model.Environment, spec function.Spec, name string) ([]byte, error) {
	text, err := readBelow(spec.Folder, name)
	if err != nil {
		return nil, err
	}
	shown := project.QuotePath(name)
	doc, err := document.Parse(text)
	if err != nil {
		var syntax *document.SyntaxError
		if errors.As(err, &syntax) {
			return nil, command.Misuse("%s:%d:%d: %s; %s", shown, syntax.Line, syntax.Column, syntax.Text, syntax.Fix)
		}
		return nil, command.Misuse("%s: %s", shown, err)
	}
	event := mockEvent{name: shown, doc: doc, members: make(map[string]json.RawMessage)}
	if doc.Root().Kind() != document.Object {
		return text, nil
	}
	for key, member := range doc.Root().Members() {
		event.members[key] = member.Raw()
	}
	if err := event.check(); err != nil {
		return nil, err
	}
	if !event.isShort() {
		return text, nil
	}
	return event.whole(p.Backend, env, spec)
}

// readBelow reads a file that a folder has, and none that a name or a link leads
// to elsewhere.
func readBelow(folder, name string) ([]byte, error) {
	shown := project.QuotePath(name)
	relative := "FILE is relative to the function's folder, such as src/event.json"
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, command.Misuse("the event file %s is outside the function's folder; %s", shown, relative)
	}
	below, err := disk.Open(folder)
	if err != nil {
		return nil, project.CannotRead(folder, err)
	}
	defer func() { _ = below.Close() }()
	f, err := below.Open(filepath.ToSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, command.Misuse("there is no event file %s in the function's folder; %s", shown, relative)
	case errors.Is(err, disk.ErrOutside):
		return nil, command.Misuse("the event file %s is a link that leads out of the function's folder; %s", shown, relative)
	case err != nil:
		return nil, command.Misuse("the event file %s cannot be read: %s; %s", shown, project.Reason(err), relative)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, function.MaxPayload+1))
	switch {
	case err != nil:
		return nil, command.Misuse("the event file %s cannot be read: %s; %s", shown, project.Reason(err), relative)
	case len(text) > function.MaxPayload:
		return nil, command.Misuse("the event file %s has more than 6 MB, which is the most that an event may have", shown)
	}
	return text, nil
}

// mockEvent is an event as its file has it.
type mockEvent struct {
	name    string
	doc     *document.Document
	members map[string]json.RawMessage
}

// isShort reports whether the event is of a gateway and lacks what a gateway
// adds.
func (e mockEvent) isShort() bool {
	_, whole := e.members["requestContext"]
	return e.members["httpMethod"] != nil && !whole
}

// check checks what an event of a gateway has; other events may hold anything.
func (e mockEvent) check() error {
	if e.members["httpMethod"] == nil {
		return nil
	}
	for _, key := range []string{"httpMethod", "path"} {
		if value, ok := e.member(key); !ok || value.Kind() != document.String || value.Text() == "" {
			return e.wrong("/"+key, "must be a text, such as "+map[string]string{"httpMethod": `"GET"`, "path": `"/items"`}[key])
		}
	}
	if path, _ := e.member("path"); !strings.HasPrefix(path.Text(), "/") {
		return e.wrong("/path", "must begin with /")
	}
	for _, key := range []string{"queryStringParameters", "headers"} {
		value, ok := e.member(key)
		if !ok || value.Kind() == document.Null {
			continue
		}
		if value.Kind() != document.Object {
			return e.wrong("/"+key, "must be an object of texts, or null")
		}
		for name, member := range value.Members() {
			if member.Kind() != document.String {
				return e.wrong("/"+key+"/"+model.PointerSegment(name), fmt.Sprintf("must be a text in quotes, not %s: that is what a function gets", member.Kind()))
			}
		}
	}
	if body, ok := e.member("body"); ok && body.Kind() != document.String && body.Kind() != document.Null {
		return e.wrong("/body", "must be a text or null: JSON stands in it as a text, with \\\" for each quote")
	}
	return nil
}

func (e mockEvent) member(key string) (document.Node, bool) { return e.doc.Root().Get(key) }

func (e mockEvent) wrong(pointer, text string) error {
	line, column, _ := e.doc.Position(pointer)
	return command.Misuse("%s:%d:%d: %s %s", e.name, line, column, project.QuotePath(pointer), text)
}

// text is a member that is a text; "" where it is none.
func (e mockEvent) text(key string) string {
	value, ok := e.member(key)
	if !ok || value.Kind() != document.String {
		return ""
	}
	return value.Text()
}

// texts are the members of a member that is an object of texts.
func (e mockEvent) texts(key string) map[string]string {
	texts := make(map[string]string)
	if value, ok := e.member(key); ok && value.Kind() == document.Object {
		for name, member := range value.Members() {
			texts[name] = member.Text()
		}
	}
	return texts
}

// whole is the event of the gateway's console for what the file says, with what
// it says in the place of what follows from that.
func (e mockEvent) whole(b *model.Backend, env *model.Environment, spec function.Spec) ([]byte, error) {
	request := gateway.Request{
		Environment: env.Name, Method: strings.ToUpper(e.text("httpMethod")), Path: e.text("path"), Headers: http.Header{}, Body: []byte(e.text("body")),
	}
	query := make([]string, 0, len(e.members))
	parameters := e.texts("queryStringParameters")
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		query = append(query, url.QueryEscape(name)+"="+url.QueryEscape(parameters[name]))
	}
	request.Query = strings.Join(query, "&")
	for name, value := range e.texts("headers") {
		request.Headers[name] = []string{value}
	}
	api := mockAPI(b, spec, request.Method, request.Path)
	request.Label = api.Label
	made, err := gateway.ConsoleEvent(api, request, time.Now())
	if err != nil {
		return nil, command.Misuse("%s: %s", e.name, err)
	}
	var event map[string]json.RawMessage
	if err := json.Unmarshal(made, &event); err != nil {
		return nil, fmt.Errorf("making the event: %w", err)
	}
	maps.Copy(event, e.members)
	return json.Marshal(event)
}

// mockAPI is the API whose request the event is: one that the function serves at
// this path, else one made up for it.
func mockAPI(b *model.Backend, spec function.Spec, method, path string) gateway.API {
	made := gateway.API{ID: "mock", Environment: spec.Environment, Region: spec.Region, AccountID: spec.AccountID, Groups: b.Groups}
	for _, api := range b.APIs {
		if route, found := b.Router(api.Label).Match(method, path); found && route.Path.Function == spec.Name {
			made.Label, made.Definition = api.Label, api
			return made
		}
	}
	made.Label = spec.Name
	made.Definition = &model.API{Label: spec.Name, Paths: []*model.Path{{Name: "/", Function: spec.Name, Access: model.Access{Setting: model.Open}}}}
	return made
}
