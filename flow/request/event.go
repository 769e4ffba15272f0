package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
)

// savedEvent is the content of an event.json: the part of a Lambda proxy event that a person edits. The multi-value
// members are written only if a name has several values; if a file has both, the multi-value member counts.
type savedEvent struct {
	HTTPMethod string              `json:"httpMethod"`
	Path       string              `json:"path"`
	Query      map[string]string   `json:"queryStringParameters"`
	Queries    map[string][]string `json:"multiValueQueryStringParameters,omitempty"`
	Headers    map[string]string   `json:"headers"`
	AllHeaders map[string][]string `json:"multiValueHeaders,omitempty"`
	Body       *string             `json:"body"`
}

// readEvent returns the form filled in from a function's event.json. The error is a *model.Problem or names the file.
func (s *Snapshot) readEvent(f Form, function string) (Form, error) {
	name := s.layout.EventFile(function)
	text, err := readFile(s.root, name)
	if err != nil {
		return f, err
	}
	if text == nil {
		return f, fmt.Errorf("there is no %s", phrase.QuotePath(name))
	}
	var e savedEvent
	if err := json.Unmarshal(text, &e); err != nil {
		return f, fmt.Errorf("%s cannot be read as an event: %w", phrase.QuotePath(name), err)
	}
	if e.HTTPMethod == "" || !strings.HasPrefix(e.Path, "/") {
		return f, fmt.Errorf("%s is not an API Gateway event: it needs httpMethod and path", phrase.QuotePath(name))
	}
	return s.fill(f, e)
}

// fill returns the form filled in from an event.
func (s *Snapshot) fill(f Form, e savedEvent) (Form, error) {
	w := Wire{
		Method: e.HTTPMethod, Target: e.Path, Headers: call.HeaderLines(merged(e.Headers, e.AllHeaders)),
		As: call.Signer(f.As), Test: f.Test,
	}
	if e.Body != nil {
		w.Body = *e.Body
	}
	filled, err := s.FillIn(f, w)
	if err != nil {
		return f, err
	}
	filled.Query = cmp.Or(filled.Query, url.Values(merged(e.Query, e.Queries)).Encode())
	return filled, nil
}

// merged returns the values of each name. For a name in both maps, the values in several count.
func merged(one map[string]string, several map[string][]string) map[string][]string {
	all := make(map[string][]string)
	for name, value := range one {
		all[name] = []string{value}
	}
	for name, values := range several {
		if len(values) == 0 {
			values = []string{one[name]}
		}
		all[name] = values
	}
	return all
}

// eventText returns the event.json of a request; the error is a *model.Problem.
func eventText(r call.Request) ([]byte, error) {
	e := savedEvent{HTTPMethod: r.Method, Path: r.Path, Query: map[string]string{}, Headers: map[string]string{}}
	values := make(url.Values)
	for part := range model.QueryParts(r.Query) {
		one, err := url.ParseQuery(part)
		if err != nil {
			return nil, problem("query", phrase.Quote(r.Query)+" cannot be read", "write NAME=VALUE, with & between them")
		}
		for name, list := range one {
			values[name] = append(values[name], list...)
		}
	}
	e.Queries = several(values, e.Query)
	headers := maps.Clone(r.Headers)
	maps.DeleteFunc(headers, func(name string, _ []string) bool { return saved.IsSecret(name) })
	e.AllHeaders = several(headers, e.Headers)
	if len(r.Body) > 0 {
		e.Body = new(string(r.Body))
	}
	var text bytes.Buffer
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	writer.SetIndent("", "  ")
	if err := writer.Encode(e); err != nil {
		return nil, fmt.Errorf("writing the event: %w", err)
	}
	return text.Bytes(), nil
}

// several stores the last value of each name in one. It returns all values if a name has more than one, else nil.
func several(values map[string][]string, one map[string]string) map[string][]string {
	more := false
	for name, list := range values {
		one[name] = list[len(list)-1]
		more = more || len(list) > 1
	}
	if !more {
		return nil
	}
	return values
}

// PlanEvent plans to save a request as the event.json of its function, without headers that hold credentials.
func (s *Snapshot) PlanEvent(f Form) (FilePlan, error) {
	function := s.function(f)
	if function == "" {
		return FilePlan{}, errors.New("no function serves this request")
	}
	r, err := f.Request()
	if err != nil {
		return FilePlan{}, err
	}
	text, err := eventText(r)
	if err != nil {
		return FilePlan{}, err
	}
	name := s.layout.EventFile(function)
	return s.planFile(name, func([]byte) ([]byte, error) { return text, nil })
}

// Write writes the file. It is an error if the file changed after it was planned.
func (p FilePlan) Write() error {
	fsys, err := disk.Open(p.root)
	if err != nil {
		return fmt.Errorf("opening the project: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	return journal.Commit(fsys, []journal.Change{p.change})
}

// readFile reads a file of the project; the text is nil if there is no such file.
func readFile(root, name string) (text []byte, err error) {
	fsys, err := disk.Open(root)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	info, err := fsys.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && info.Size() > read.MaxFile:
		err = errors.New("it is too large")
	}
	if err == nil {
		text, err = afero.ReadFile(fsys, name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", phrase.QuotePath(name), err)
	}
	return text, nil
}
