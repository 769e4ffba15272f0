package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
)

// SavedRequests reads the saved requests of the project, in the order of their names. What
// cannot be read is among the errors.
func (s *Snapshot) SavedRequests() (requests []saved.File, problems []error) {
	err := s.withProject(func(p *project.Project) error {
		found, broken := p.SavedRequests()
		requests = found
		for _, problem := range broken {
			problems = append(problems, problem)
		}
		return nil
	})
	if err != nil {
		problems = append(problems, err)
	}
	return requests, problems
}

// SavedRequest reads a saved request by its name.
func (s *Snapshot) SavedRequest(name string) (f saved.File, err error) {
	err = s.withProject(func(p *project.Project) error {
		f, err = p.SavedRequest(name)
		return err
	})
	return f, err
}

// withProject reads the project again: requests may have been saved since the snapshot.
func (s *Snapshot) withProject(do func(*project.Project) error) error {
	p, _, err := project.LoadReadOnly(s.root, s.layout)
	if err != nil {
		return err
	}
	return errors.Join(do(p), p.Close())
}

// FromSaved returns the form of a saved request to an environment.
func (s *Snapshot) FromSaved(environment string, r saved.Request) (Form, error) {
	if !slices.Contains(access.Methods, r.Method) {
		return Form{},
			problem("method", phrase.Quote(r.Method)+" is not a method of an API", "write one of "+phrase.List(access.Methods))
	}
	f := Form{
		Environment: environment, API: r.API, Path: r.Path, Method: r.Method, Below: r.Below, Query: r.Query,
		Headers: slices.Clone(r.Headers), Body: r.Body, As: call.ReadSigner(r.As), Test: r.Test, Variables: true,
	}
	for _, name := range variables(r.Path) {
		f.Values = append(f.Values, r.Parameters[name])
	}
	if len(r.JSON) > 0 {
		var text bytes.Buffer
		if err := json.Indent(&text, r.JSON, "", "  "); err != nil {
			return f, fmt.Errorf("reading the body: %w", err)
		}
		f.Body = text.String()
	}
	completed := f
	if s.Complete(&completed); completed.API != f.API || completed.Path != f.Path {
		return f, problem("path", "the environment "+phrase.Quote(environment)+" has no path "+phrase.Quote(r.Path)+
			" of an API "+phrase.Quote(r.API), "correct the saved request, or choose another environment")
	}
	return completed, nil
}

// toSaved returns the saved request of a form. The error names a secret that a file must not
// have, with the way around it.
func toSaved(f Form) (saved.Request, error) {
	escape := saved.Escape
	if f.Variables {
		escape = func(text string) string { return text }
	}
	r := saved.Request{
		Version: saved.Version, API: f.API, Path: f.Path, Method: f.Method, Below: escape(f.Below),
		Query: escape(strings.TrimPrefix(f.Query, "?")),
		As:    call.Signer(f.As), Test: f.Test,
	}
	for i, name := range variables(f.Path) {
		if r.Parameters == nil {
			r.Parameters = make(map[string]string)
		}
		if i < len(f.Values) {
			r.Parameters[name] = escape(f.Values[i])
		}
	}
	for _, line := range filledLines(f.Headers) {
		r.Headers = append(r.Headers, escape(line))
	}
	if body := escape(f.Body); isDocument(body) {
		r.JSON = json.RawMessage(body)
	} else {
		r.Body = body
	}
	if !utf8.ValidString(f.Body) {
		return r, errors.New("the body is not text, so a JSON file cannot hold it")
	}
	if secrets := r.Secrets(); len(secrets) > 0 {
		return r, fmt.Errorf("not saved, because the file is committed: %s; %s", secrets[0].Text, secrets[0].Fix)
	}
	return r, nil
}

// isDocument reports whether a text is a JSON object or array that a file can have: without a name that occurs twice.
func isDocument(text string) bool {
	if !isBracket(text) {
		return false
	}
	_, err := document.Parse([]byte(text))
	return err == nil
}

// Keep returns what is kept of an answer: the status, the type, and the body without secrets.
// ignore are JSON paths to what differs from answer to answer.
func Keep(a call.Answer, ignore []string) *saved.Answer {
	kept := &saved.Answer{Status: a.Status, Ignore: slices.Clone(ignore)}
	for name, values := range a.Headers {
		if http.CanonicalHeaderKey(name) == "Content-Type" && len(values) > 0 {
			kept.Headers = append(kept.Headers, "Content-Type: "+values[0])
		}
	}
	switch {
	case len(a.Body) == 0 || !utf8.Valid(a.Body):
	case isDocument(string(a.Body)):
		clean, hidden := saved.HideValue(bytes.TrimSpace(a.Body))
		kept.JSON = clean
		for _, path := range hidden {
			if !slices.Contains(kept.Ignore, path) {
				kept.Ignore = append(kept.Ignore, path)
			}
		}
	default:
		text := string(a.Body)
		if clean := saved.Hide(text); clean == text {
			kept.Body = &text
		}
	}
	return kept
}

// KeepOf returns what is kept of the last exchange; nil if there is none, or if it is one of
// another request than the form.
func KeepOf(x *Exchange, f Form) *saved.Answer {
	if x == nil || !x.Form.Same(f) {
		return nil
	}
	return Keep(x.Answer, nil)
}

// FilePlan is a file of the project before it is written.
type FilePlan struct {
	// Name is the name of the file, relative to the project and quoted if necessary.
	Name string
	// Diff is the unified diff; "" if the file would not change.
	Diff string
	// Replaces says that the file exists.
	Replaces bool

	root   string
	change journal.Change
}

// PlanSaved plans to save a form under a name, with the kept answer, which may be nil. A file of that name keeps its
// description and what this program does not know; its kept answer is replaced only by another one.
func (s *Snapshot) PlanSaved(name string, f Form, keep *saved.Answer) (FilePlan, error) {
	if err := saved.CheckName(name); err != nil {
		return FilePlan{}, err
	}
	r, err := toSaved(f)
	if err != nil {
		return FilePlan{}, err
	}
	r.Expect = keep
	before, err := s.SavedRequest(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.planFile(s.layout.RequestFile(name), func([]byte) ([]byte, error) { return r.Bytes() })
	case err != nil:
		return FilePlan{}, err
	}
	r.Schema, r.Description = before.Request.Schema, before.Request.Description
	if r.Expect == nil {
		r.Expect = before.Request.Expect
	}
	return s.planChange(before, r)
}

// PlanAnswer plans to replace the kept answer of a saved request. What the person chose stays:
// the paths to ignore, whether a part is enough, the headers, and the pattern.
func (s *Snapshot) PlanAnswer(f saved.File, a call.Answer) (FilePlan, error) {
	r := f.Request
	was := r.Expect
	if was == nil {
		was = new(saved.Answer)
	}
	r.Expect = Keep(a, was.Ignore)
	r.Expect.Part, r.Expect.Pattern = was.Part, was.Pattern
	if f.Request.Expect != nil {
		r.Expect.Headers = keptHeaders(was.Headers, a.Headers)
		if was.Pattern != "" {
			r.Expect.JSON, r.Expect.Body = was.JSON, was.Body
		}
	}
	return s.planChange(f, r)
}

// keptHeaders are header lines with the values of an answer.
func keptHeaders(lines []string, headers http.Header) []string {
	var kept []string
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		if values := headerValues(headers, name); len(values) > 0 {
			kept = append(kept, name+": "+strings.Join(values, ", "))
		}
	}
	return kept
}

// headerValues are the values of a header, whatever the case of its name.
func headerValues(headers http.Header, name string) []string {
	var all []string
	for _, have := range slices.Sorted(maps.Keys(headers)) {
		if strings.EqualFold(have, strings.TrimSpace(name)) {
			all = append(all, headers[have]...)
		}
	}
	return all
}

func (s *Snapshot) planChange(before saved.File, r saved.Request) (FilePlan, error) {
	return s.planFile(before.Path, func(old []byte) ([]byte, error) {
		if !bytes.Equal(old, before.Doc.Bytes()) {
			return nil, errors.New("the file has just changed; try again")
		}
		return saved.Change(before.Doc, before.Request, r)
	})
}

// planFile plans to write a file with the text that is made of the present one.
func (s *Snapshot) planFile(name string, text func(old []byte) ([]byte, error)) (FilePlan, error) {
	old, err := readFile(s.root, name)
	if err != nil {
		return FilePlan{}, err
	}
	now, err := text(old)
	if err != nil {
		return FilePlan{}, err
	}
	change := journal.Change{Path: name, Old: old, Existed: old != nil, New: now}
	return FilePlan{phrase.QuotePath(name), project.Diff(change), change.Existed, s.root, change}, nil
}

// expanded returns the form with the values of the variables of the process in it.
func (f Form) expanded(lookup func(string) (string, bool)) (Form, error) {
	if !f.Variables {
		return f, nil
	}
	f = f.Copy()
	f.Variables = false
	escaped := func(escape func(string) string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			value, ok := lookup(name)
			return escape(value), ok
		}
	}
	inPath := escaped(url.PathEscape)
	inBody := lookup
	if isDocument(f.Body) {
		inBody = func(name string) (string, bool) {
			value, ok := lookup(name)
			quoted, err := json.Marshal(value)
			if err != nil {
				return value, ok
			}
			return string(quoted[1 : len(quoted)-1]), ok
		}
	}
	var err error
	expand := func(text *string, lookup func(string) (string, bool)) {
		if err == nil {
			*text, err = saved.Expand(*text, lookup)
		}
	}
	for i := range f.Values {
		expand(&f.Values[i], inPath)
	}
	for i := range f.Headers {
		expand(&f.Headers[i], lookup)
	}
	expand(&f.Below, inPath)
	expand(&f.Query, escaped(url.QueryEscape))
	expand(&f.Body, inBody)
	return f, err
}
