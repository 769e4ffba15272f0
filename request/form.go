package request

import (
	"net/http"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// Form is a request as somebody fills it in. The zero value is empty.
type Form struct {
	Environment string `json:"environment"`
	API         string `json:"api"`
	Path        string `json:"path"`
	Method      string `json:"method"`
	// Values are those of the path's variables, in its order.
	Values []string `json:"values,omitempty"`
	// Below is what follows the path, such as /1/cover.
	Below string `json:"below,omitempty"`
	Query string `json:"query,omitempty"`
	// Headers are written as "Name: value".
	Headers []string `json:"headers,omitempty"`
	Body    string   `json:"body,omitempty"`
	// As is who signs; the zero value is nobody.
	As   identitypool.Who `json:"-"`
	Test bool             `json:"test,omitempty"`
}

// Start is what a form begins with. What is "" is the first there is, and GET.
type Start struct {
	API, Path, Method, Environment string
	// Test begins with the test of the gateway's console.
	Test bool
}

// Begin is a form for what it starts with, and the first of everything that this
// leaves open.
func (w *World) Begin(s Start) Form {
	f := Form{Method: strings.ToUpper(s.Method), Test: s.Test}
	if !slices.Contains(model.Methods, f.Method) {
		f.Method = http.MethodGet
	}
	w.toEnvironment(&f, s.Environment)
	w.toAPI(&f, s.API)
	w.toPath(&f, s.Path)
	return f
}

// Fit has a form keep what is still there; the rest becomes the first there is.
func (w *World) Fit(f *Form) { w.toEnvironment(f, f.Environment) }

// toEnvironment, toAPI and toPath choose, and what depends on it follows where it
// is not there any more. What is not there at all becomes the first there is.
func (w *World) toEnvironment(f *Form, name string) {
	f.Environment = ""
	if e := w.Environment(name); e != nil {
		f.Environment = e.Name
	}
	w.toAPI(f, f.API)
}

func (w *World) toAPI(f *Form, label string) {
	e := w.Of(*f)
	if e == nil {
		return
	}
	f.API = first(label, e.backend.Names(model.KindAPI))
	w.toPath(f, f.Path)
}

func (w *World) toPath(f *Form, name string) {
	e := w.Of(*f)
	if e == nil {
		return
	}
	was := f.Path
	f.Path = ""
	if api := e.backend.API(f.API); api != nil && len(api.Paths) > 0 {
		f.Path = api.Paths[0].Name
		if api.Path(name) != nil {
			f.Path = name
		}
	}
	n := len(variables(f.Path))
	if f.Path != was || len(f.Values) != n {
		f.Values = append(slices.Clone(f.Values), make([]string, n)...)[:n]
	}
}

// Of is the environment that a form is for; nil where there is none.
func (w *World) Of(f Form) *Environment {
	for _, e := range w.environments {
		if e.Name == f.Environment {
			return e
		}
	}
	return nil
}

// first is a name that is among some, else the first of them.
func first(name string, names []string) string {
	if slices.Contains(names, name) || len(names) == 0 {
		return name
	}
	return names[0]
}

// variables are the names of a path's variables, in its order.
func variables(path string) []string {
	if path == model.ProxyPath {
		return nil
	}
	var names []string
	for part := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			names = append(names, part[1:len(part)-1])
		}
	}
	return names
}

// bad is what is wrong with a form.
func bad(field, text, fix string) error {
	return &model.Problem{Field: field, Text: text, Fix: fix}
}

func badHeader(text string) error {
	return bad("header", model.Quote(text)+" is none", "write one such as X-Trace: 1")
}

// target is the path as it is called, raw. A variable without a value stands in it
// by its name, and is told.
func (f Form) target() (string, error) {
	var (
		parts []string
		err   error
		value int
	)
	path := f.Path
	if path == model.ProxyPath {
		path = "/"
	}
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			text := ""
			if value < len(f.Values) {
				text = f.Values[value]
			}
			value++
			if text != "" {
				part = call.Segment(text)
			} else if err == nil {
				err = bad(part, "has no value", "give one; it stands in the path in its place")
			}
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	target := "/" + strings.Join(parts, "/")
	if below := strings.TrimPrefix(f.Below, "/"); below != "" {
		target = strings.TrimSuffix(target, "/") + "/" + below
	}
	return target, err
}

// Request is the request that a form stands for. The error is a *model.Problem
// with the field that is not good.
func (f Form) Request() (call.Request, error) {
	none := call.Request{}
	if f.Path == "" {
		return none, bad("path", "there is none", "add an API first")
	}
	target, err := f.target()
	if err != nil {
		return none, err
	}
	if strings.Contains(f.Below, "?") {
		return none, bad("below", "has a ?", "what follows it belongs to the query")
	}
	r := call.Request{Method: f.Method, Query: call.Query(strings.TrimPrefix(f.Query, "?")), Headers: http.Header{}, Body: []byte(f.Body), Test: f.Test}
	if r.Path, _, err = call.Target(target); err != nil {
		return none, bad("path", model.Quote(target)+" is none", "write a % as %25")
	}
	for _, text := range f.Headers {
		if strings.TrimSpace(text) == "" {
			continue
		}
		name, value, ok := call.Header(text)
		if !ok {
			return none, badHeader(text)
		}
		if made, signs := call.SignedBy(name); signs && f.As != (identitypool.Who{}) && !f.Test {
			return none, bad("header", "the signature makes "+made, "leave it out, or let nobody sign")
		}
		r.Headers[name] = append(r.Headers[name], value)
	}
	if f.Body != "" && !call.HasHeader(r.Headers, "Content-Type") {
		r.Headers["Content-Type"] = []string{"application/json"}
	}
	if who := f.As; who != (identitypool.Who{}) && !f.Test {
		r.As = &who
	}
	return r, nil
}

// Changes reports whether the method may change something: the others do not by
// the rules of HTTP (RFC 9110, 9.2.1).
func (f Form) Changes() bool {
	return !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, f.Method)
}

// Equal reports whether two forms stand for the same request.
func (f Form) Equal(other Form) bool {
	return f.Environment == other.Environment && f.API == other.API && f.Path == other.Path && f.Method == other.Method &&
		slices.Equal(f.Values, other.Values) && f.Below == other.Below && f.Query == other.Query &&
		slices.Equal(filled(f.Headers), filled(other.Headers)) && f.Body == other.Body && f.As == other.As && f.Test == other.Test
}

// filled are the lines that are not empty.
func filled(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// Copy is a form that shares nothing with this one, and has no empty header.
func (f Form) Copy() Form {
	f.Values, f.Headers = slices.Clone(f.Values), filled(f.Headers)
	return f
}
