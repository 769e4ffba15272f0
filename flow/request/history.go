package request

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/internal/clock"
	"gatewright/internal/file"
	"gatewright/internal/file/lock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
	"gatewright/sandbox/live"
)

// Sent is an entry of the history: a request that was sent, and how it was answered, if it was.
type Sent struct {
	At time.Time `json:"at"`
	// Signed is who signed it, as in the flag --as of the command call; "" for nobody.
	Signed string `json:"signed,omitempty"`
	// Status is 0 if no answer came.
	Status int `json:"status"`
	// Latency is in microseconds.
	Latency int64 `json:"latency"`
	// NoBody says that the request had a body that is not kept, because it was long or no text.
	NoBody bool `json:"noBody,omitempty"`
	// Left are the names of headers and parameters that are not kept, because they hold secrets.
	Left []string `json:"left,omitempty"`
	Form
}

// lacks says what of the request was not kept, and has to be filled in before it is sent again.
func (s Sent) lacks() []string {
	var all []string
	for _, name := range s.Left {
		all = append(all, phrase.Quote(name))
	}
	if s.NoBody {
		all = append(all, "its body")
	}
	if strings.Contains(strings.Join(slices.Concat(s.Values, s.Headers, []string{s.Below, s.Query, s.Body}), "\n"),
		saved.Hidden) {
		all = append(all, "what "+saved.Hidden+" stands for")
	}
	return all
}

// historyFile holds the history of requests, relative to the project. Only the user can
// read it, and its folder is not committed.
const historyFile = project.StateFolder + "/console.json"

// historyVersion is the version of the file format. A file of another version is ignored.
const historyVersion = 2

// historyFormat is the content of the file.
type historyFormat struct {
	Version int    `json:"version"`
	Sent    []Sent `json:"sent"`
}

// patience is how long a request waits to be written into the history while others are, each of
// them for as long as the disk takes.
const patience = 15 * time.Second

// The limits of the history: entries, bytes of one body, and of all bodies and headers.
const (
	mostSent    = 1000
	longestBody = 64 << 10
	mostKept    = 1 << 20
)

// History returns the requests that were sent to the project's APIs from this machine, by
// consoles and by the command call, the latest first. It is a convenience, so a file that
// cannot be read counts as empty.
func History(root string) []Sent {
	var history historyFormat
	text, err := readFile(root, historyFile)
	if err != nil || json.Unmarshal(text, &history) != nil || history.Version != historyVersion {
		return nil
	}
	for i := range history.Sent {
		history.Sent[i].As = call.ReadSigner(history.Sent[i].Signed)
	}
	return history.Sent
}

// Record adds an exchange to the history, without what may be a secret.
func (s *Snapshot) Record(x Exchange) error { return Record(s.root, x) }

// Record adds an exchange to the history of a project, without what may be a secret.
func Record(root string, x Exchange) error {
	if _, err := live.MakeState(root); err != nil {
		return err
	}
	form, left := withoutSecrets(x.Form)
	now := Sent{
		At: x.At.UTC().Truncate(time.Millisecond), Signed: call.Signer(x.Form.As), Status: x.Answer.Status,
		Latency: x.Answer.Latency.Microseconds(),
		NoBody:  !keepsBody(x.Form.Body), Left: left, Form: form,
	}
	f := filepath.Join(root, filepath.FromSlash(historyFile))
	// Other consoles and commands write the history too.
	err := journal.WhenFreeWithin(context.Background(), patience, func() error {
		taken, err := lock.TakePath(strings.TrimSuffix(f, ".json") + ".lock")
		if err != nil {
			return err
		}
		all := bounded(append([]Sent{now}, History(root)...))
		return errors.Join(file.ReplaceJSON(f, historyFormat{historyVersion, all}), taken.Release())
	})
	if err != nil {
		return fmt.Errorf("writing the request to the history: %w", err)
	}
	return nil
}

// bounded keeps the latest entries, and of the older ones no body once all have too many
// bytes.
func bounded(all []Sent) []Sent {
	all = all[:min(len(all), mostSent)]
	room := mostKept
	for i := range all {
		f := &all[i].Form
		if room -= len(f.Body) + len(strings.Join(f.Headers, "")); room < 0 && f.Body != "" {
			f.Body, all[i].NoBody = "", true
		}
	}
	return all
}

// withoutSecrets returns the form without headers and query parameters whose names say that
// they hold a secret, which it names, with the others, the path and the body masked, and
// without a body that the history does not keep.
func withoutSecrets(f Form) (form Form, left []string) {
	f = f.Copy()
	f.Headers = slices.DeleteFunc(f.Headers, func(text string) bool {
		name, _, _ := strings.Cut(text, ":")
		if saved.IsSecret(name) {
			left = append(left, strings.TrimSpace(name))
		}
		return saved.IsSecret(name)
	})
	for i, line := range f.Headers {
		f.Headers[i] = saved.Hide(line)
	}
	query := ""
	for part, divider := range model.QueryParts(f.Query) {
		if name, is := saved.IsSecretPart(part); is {
			left = append(left, name)
			if divider == "" {
				query = query[:max(0, len(query)-1)]
			}
			continue
		}
		query += part + divider
	}
	f.Query = saved.HideQuery(query)
	names := variables(f.Path)
	for i, value := range f.Values {
		if f.Values[i] = saved.Hide(value); i < len(names) && saved.IsSecret(names[i]) {
			f.Values[i] = saved.Hidden
		}
	}
	f.Below = saved.Hide(f.Below)
	if !keepsBody(f.Body) {
		f.Body = ""
	}
	f.Body = saved.Hide(f.Body)
	return f, left
}

// keepsBody reports whether the history keeps a body: it is not too long, and text.
func keepsBody(body string) bool { return len(body) <= longestBody && utf8.ValidString(body) }

// FormOf returns the form of a request to an API, for the history. A request that no path
// serves has all of its URL's path below an empty one.
func FormOf(router *access.Router, environment, api string, r call.Request) Form {
	f := Form{
		Environment: environment, API: api, Method: r.Method, Below: r.Path, Query: r.Query,
		Headers: call.HeaderLines(r.Headers), Body: string(r.Body), Test: r.Test,
	}
	if r.As != nil {
		f.As = *r.As
	}
	if router == nil {
		return f
	}
	if route, ok := router.Match(r.Method, r.Path); ok {
		f.served(route, r.Path)
	}
	return f
}

// served sets the path of the form, the values of its variables, and what is below it, as it
// is written in the URL's path raw.
func (f *Form) served(route access.Route, raw string) {
	f.Path, f.Values = route.Path.Name, nil
	for _, p := range route.Params {
		if p.Name != "proxy" {
			f.Values = append(f.Values, p.Value)
		}
	}
	f.Below = raw
	for range segments(f.Path) {
		next := strings.IndexByte(strings.TrimPrefix(f.Below, "/"), '/')
		if next < 0 {
			f.Below = ""
			return
		}
		f.Below = strings.TrimPrefix(f.Below, "/")[next:]
	}
}

// Earlier returns an option for each request of the history, the latest first. fill returns
// the form for an option, which is a form of the path that the request went to, and says what of
// the request was not kept. A request to another environment is filled in for that of f, and as
// its caller, so that nothing is sent to another environment by accident.
func (s *Snapshot) Earlier(
	f Form,
) (options []prose.Option, fill func(id string) (filled Form, lacks []string, err error)) {
	history, today := History(s.root), clock.Day(time.Now())
	for i, sent := range history {
		options = append(options, prose.Option{
			Key: strconv.Itoa(i), Title: sent.Form.request(), Detail: sent.words(sent.Environment != f.Environment, today),
			Disabled: s.gone(f, sent),
		})
	}
	return options, func(id string) (Form, []string, error) {
		i, err := strconv.Atoi(id)
		if err != nil || i < 0 || i >= len(history) {
			return f, nil, fmt.Errorf("there is no earlier request %s", phrase.Quote(id))
		}
		filled := history[i].Form
		if filled.Environment != f.Environment {
			filled.Environment, filled.As, filled.Groups, filled.Missing = f.Environment, f.As, f.Groups, f.Missing
		}
		s.Complete(&filled)
		return filled, history[i].lacks(), nil
	}
}

// gone says why an earlier request cannot be filled in; "" if it can.
func (s *Snapshot) gone(f Form, sent Sent) string {
	to := Form{Environment: f.Environment, API: sent.API, Path: sent.Path}
	if s.Complete(&to); sent.Path == "" || to.API != sent.API || to.Path != sent.Path {
		return "the environment has no such path now"
	}
	return ""
}

// words say how and when a request was answered, with the day unless it is today.
func (s Sent) words(elsewhere bool, today string) string {
	at := clock.Second(s.At)
	if clock.Day(s.At) != today {
		at = clock.Minute(s.At)
	}
	status := "no answer"
	if s.Status != 0 {
		status = strconv.Itoa(s.Status)
	}
	words := []string{status, clock.Took(time.Duration(s.Latency) * time.Microsecond), at + " " + clock.Zone(s.At)}
	if s.Test {
		words = append(words, "test")
	} else if s.signer() != nil {
		words = append(words, "by "+whoWords(s.As))
	}
	if elsewhere {
		words = append(words, "to "+s.Environment)
	}
	if s.Body != "" {
		words = append(words, bodyWords(s.Body))
	}
	if s.NoBody {
		words = append(words, "its body was not kept")
	}
	return strings.Join(words, ", ")
}

// request is the method and the URL's path with the query.
func (f Form) request() string {
	target, _ := f.target()
	if query := strings.TrimPrefix(f.Query, "?"); query != "" {
		target += "?" + query
	}
	return f.Method + " " + target
}
