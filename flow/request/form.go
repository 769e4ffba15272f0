package request

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// Form is a request as a person fills it in. The zero value is empty.
type Form struct {
	Environment string `json:"environment"`
	API         string `json:"api"`
	Path        string `json:"path"`
	Method      string `json:"method"`
	// Values are the values of the path's variables, in the path's order.
	Values []string `json:"values,omitempty"`
	// Below is the rest of the URL's path after Path, such as /1/cover.
	Below string `json:"below,omitempty"`
	Query string `json:"query,omitempty"`
	// Headers are written as "Name: value"; empty ones are ignored.
	Headers []string `json:"headers,omitempty"`
	Body    string   `json:"body,omitempty"`
	// As is who signs the request; the zero value means that nobody does.
	As identitypool.Signer `json:"-"`
	// ByHand says that a person chose who signs, or filled it in with the request.
	ByHand bool `json:"-"`
	// Groups are the groups of the user who signs, if they are known.
	Groups []string `json:"-"`
	// Missing says that the pool has no such user.
	Missing bool `json:"-"`
	// Cloud says that the environment is in AWS.
	Cloud bool `json:"-"`
	// Test asks for the test of the API Gateway console.
	Test bool `json:"test,omitempty"`
	// Variables says that ${NAME} stands for a variable of this process, as in saved requests.
	Variables bool `json:"variables,omitempty"`
}

// Same reports whether two forms send the same request.
func (f Form) Same(other Form) bool {
	for _, form := range []*Form{&f, &other} {
		form.Groups, form.Missing, form.Cloud, form.ByHand = nil, false, false, false
		form.Values = append([]string{}, form.Values...)
		form.Headers = slices.DeleteFunc(append([]string{}, form.Headers...),
			func(header string) bool { return header == "" })
	}
	return reflect.DeepEqual(f, other)
}

// Begin returns f completed: where f leaves something open, it gets GET and the first
// choice of each kind.
func (s *Snapshot) Begin(f Form) Form {
	f.Method = strings.ToUpper(f.Method)
	if !slices.Contains(access.Methods, f.Method) {
		f.Method = http.MethodGet
	}
	s.Complete(&f)
	return f
}

// Complete replaces what does not exist (any more) in the snapshot by the first choice
// of its kind.
func (s *Snapshot) Complete(f *Form) {
	e := s.Environment(f.Environment)
	if e == nil {
		f.Environment = ""
		return
	}
	if f.Environment != e.Name {
		f.Environment, f.Groups = e.Name, nil
	}
	f.Cloud = e.Cloud != nil
	if labels := e.backend.Names(model.KindAPI); len(labels) > 0 && !slices.Contains(labels, f.API) {
		f.API = labels[0]
	}
	switch api := e.backend.API(f.API); {
	case api == nil || len(api.Paths) == 0:
		f.Path = ""
	case api.Path(f.Path) == nil:
		f.Path = api.Paths[0].Name
	}
	n := len(variables(f.Path))
	f.Values = append(slices.Clone(f.Values), make([]string, n)...)[:n]
}

// EnvironmentOf returns the environment that a form names; nil if it does not exist.
func (s *Snapshot) EnvironmentOf(f Form) *Environment {
	if e := s.Environment(f.Environment); e != nil && e.Name == f.Environment {
		return e
	}
	return nil
}

// segments returns the segments of a path. The path that serves a whole API has none.
func segments(path string) []access.Segment {
	if path == access.ProxyPath {
		return nil
	}
	return access.ReadSegments(path)
}

// variables returns the names of a path's variables, in the path's order.
func variables(path string) []string {
	var names []string
	for _, s := range segments(path) {
		if s.Variable {
			names = append(names, s.Text)
		}
	}
	return names
}

// problem returns the error about a field of a form.
func problem(field, text, fix string) error {
	return &model.Problem{Field: field, Text: text, Fix: fix}
}

func badHeader(text string) error {
	return problem("header", phrase.Quote(text)+" is not a header", "write it like X-Trace: 1")
}

// target returns the path of the URL, percent-encoded. A variable without a value is
// left in it as {name}, and is the error.
func (f Form) target() (target string, err error) {
	variable := 0
	for _, s := range segments(f.Path) {
		part := s.Text
		if s.Variable {
			part = "{" + s.Text + "}"
			if variable < len(f.Values) && f.Values[variable] != "" {
				part = call.Segment(f.Values[variable])
			} else if err == nil {
				err = problem(part, "has no value", "give the value that replaces it in the path")
			}
			variable++
		}
		target += "/" + part
	}
	if below := strings.TrimPrefix(f.Below, "/"); below != "" {
		target += "/" + below
	}
	return cmp.Or(target, "/"), err
}

// Request returns the request that the form describes. The error is a *model.Problem
// that names the field.
func (f Form) Request() (call.Request, error) {
	none := call.Request{}
	if f.Path == "" {
		return none, problem("path", "there is no path", "add an API first")
	}
	target, err := f.target()
	if err != nil {
		return none, err
	}
	if strings.Contains(f.Below, "?") {
		return none, problem("below", "has a ?", "move what follows the ? to the query")
	}
	r := call.Request{
		Method: f.Method, Query: call.Query(strings.TrimPrefix(f.Query, "?")), Headers: http.Header{}, Body: []byte(f.Body),
		As: f.signer(), Test: f.Test,
	}
	if r.Path, _, err = call.Target(target); err != nil {
		return none, problem("path", phrase.Quote(target)+" is not a URL path", "write a % as %25")
	}
	for _, text := range filledLines(f.Headers) {
		name, value, ok := call.Header(text)
		if !ok {
			return none, badHeader(text)
		}
		if header, signed := call.SignatureHeader(name); signed && r.As != nil {
			return none, problem("header", header+" is set by the signature", "remove it, or let nobody sign")
		}
		r.Headers[name] = append(r.Headers[name], value)
	}
	if f.Body != "" && !call.HasHeader(r.Headers, "Content-Type") {
		r.Headers["Content-Type"] = []string{"application/json"}
	}
	return r, nil
}

// Changes reports whether the method may change data: it is none of the safe methods
// of HTTP (https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1).
func (f Form) Changes() bool {
	return !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, f.Method)
}

// Equal reports whether two forms describe the same request.
func (f Form) Equal(other Form) bool {
	return f.Environment == other.Environment && f.API == other.API && f.Path == other.Path && f.Method == other.Method &&
		slices.Equal(f.Values, other.Values) && f.Below == other.Below && f.Query == other.Query &&
		slices.Equal(filledLines(f.Headers), filledLines(other.Headers)) && f.Body == other.Body && f.As == other.As &&
		f.Test == other.Test && f.Variables == other.Variables
}

// filledLines returns the lines that are not empty.
func filledLines(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// Copy returns a deep copy without empty headers.
func (f Form) Copy() Form {
	f.Values, f.Headers = slices.Clone(f.Values), filledLines(f.Headers)
	return f
}
