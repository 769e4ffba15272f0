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
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/document"
	"gatewright/project/read"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
)

// readMockEvent reads the event in a file of the function's folder, and completes a short
// one. An invalid event is wrong use (exit code 2).
func readMockEvent(p *project.Project, env *model.Environment, spec function.Spec, name string) ([]byte, error) {
	text, err := readBelow(spec.Folder, name)
	if err != nil {
		return nil, err
	}
	shown := phrase.QuotePath(name)
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
	return event.complete(p.Backend, env, spec)
}

// readBelow reads a file in a folder. It refuses names and links that lead out of it.
func readBelow(folder, name string) ([]byte, error) {
	shown := phrase.QuotePath(name)
	relative := "FILE is relative to the function's folder, such as src/event.json"
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, command.Misuse("the event file %s is outside the function's folder; %s", shown, relative)
	}
	below, err := disk.Open(folder)
	if err != nil {
		return nil, read.CannotRead(folder, err)
	}
	defer func() { _ = below.Close() }()
	f, err := below.Open(filepath.ToSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, command.Misuse("there is no event file %s in the function's folder; %s", shown, relative)
	case errors.Is(err, disk.ErrOutside):
		return nil, command.Misuse("the event file %s is a link that leads out of the function's folder; %s", shown, relative)
	case err != nil:
		return nil, command.Misuse("the event file %s cannot be read: %s; %s", shown, file.Cause(err), relative)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, function.MaxPayload+1))
	switch {
	case err != nil:
		return nil, command.Misuse("the event file %s cannot be read: %s; %s", shown, file.Cause(err), relative)
	case len(text) > function.MaxPayload:
		return nil, command.Misuse("the event file %s has more than 6 MB, Lambda's limit for an event", shown)
	}
	return text, nil
}

// mockEvent is the event in a file.
type mockEvent struct {
	name    string
	doc     *document.Document
	members map[string]json.RawMessage
}

// isShort reports whether the event is a request without the members that API Gateway adds.
func (e mockEvent) isShort() bool {
	return e.members["httpMethod"] != nil && e.members["requestContext"] == nil
}

// check checks the members of a request. Other events may hold anything.
func (e mockEvent) check() error {
	if e.members["httpMethod"] == nil {
		return nil
	}
	for _, key := range []string{"httpMethod", "path"} {
		if value, ok := e.member(key); !ok || value.Kind() != document.String || value.Text() == "" {
			return e.wrong("/"+key,
				"must be a string, such as "+map[string]string{"httpMethod": `"GET"`, "path": `"/items"`}[key])
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
			return e.wrong("/"+key, "must be an object of strings, or null")
		}
		for name, member := range value.Members() {
			if member.Kind() != document.String {
				return e.wrong("/"+key+"/"+model.PointerSegment(name),
					fmt.Sprintf("must be a string in quotes, not %s: a function gets strings", member.Kind()))
			}
		}
	}
	if body, ok := e.member("body"); ok && body.Kind() != document.String && body.Kind() != document.Null {
		return e.wrong("/body", "must be a string or null; write JSON as a string, with \\\" for each quote")
	}
	return nil
}

func (e mockEvent) member(key string) (document.Node, bool) { return e.doc.Root().Get(key) }

func (e mockEvent) wrong(pointer, text string) error {
	line, column, _ := e.doc.Position(pointer)
	return command.Misuse("%s:%d:%d: %s %s", e.name, line, column, phrase.QuotePath(pointer), text)
}

// text returns a member that is a string; "" if it is missing or something else.
func (e mockEvent) text(key string) string {
	value, ok := e.member(key)
	if !ok || value.Kind() != document.String {
		return ""
	}
	return value.Text()
}

// texts returns a member that is an object of strings.
func (e mockEvent) texts(key string) map[string]string {
	texts := make(map[string]string)
	if value, ok := e.member(key); ok && value.Kind() == document.Object {
		for name, member := range value.Members() {
			texts[name] = member.Text()
		}
	}
	return texts
}

// complete returns the event that the API Gateway console makes of the request in the file.
// Members of the file replace members of that event.
func (e mockEvent) complete(b *model.Backend, env *model.Environment, spec function.Spec) ([]byte, error) {
	request := gateway.Request{
		Environment: env.Name, Method: strings.ToUpper(e.text("httpMethod")), Path: e.text("path"), Headers: http.Header{},
		Body: []byte(e.text("body")),
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

// mockAPI returns the API of the event: one in which the function serves the path, else one
// that is made for the call.
func mockAPI(b *model.Backend, spec function.Spec, method, path string) gateway.API {
	made := gateway.API{
		ID: "mock", Environment: spec.Environment, Region: spec.Region, AccountID: spec.AccountID,
		Groups: b.Groups,
	}
	for _, api := range b.APIs {
		if route, found := b.Router(api.Label).Match(method, path); found && route.Path.Function == spec.Name {
			made.Label, made.Definition = api.Label, api
			return made
		}
	}
	made.Label = spec.Name
	made.Definition = &access.API{
		Label: spec.Name,
		Paths: []*access.Path{{Name: "/", Function: spec.Name, Access: access.Access{Setting: access.Open}}},
	}
	return made
}
