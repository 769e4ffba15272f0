package request

import (
	"cmp"
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
	// Headers are written as "Name: value"; empty ones count for nothing.
	Headers []string `json:"headers,omitempty"`
	Body    string   `json:"body,omitempty"`
	// As is who signs; the zero value is nobody.
	As identitypool.Who `json:"-"`
	// Groups are those of the user who signs, as far as they are known.
	Groups []string `json:"-"`
	Test   bool     `json:"test,omitempty"`
}

// Begin is a form with what it starts with, and the first there is of everything that
// this leaves open; of methods that is GET.
func (w *Snapshot) Begin(f Form) Form {
	f.Method = strings.ToUpper(f.Method)
	if !slices.Contains(model.Methods, f.Method) {
		f.Method = http.MethodGet
	}
	w.Fit(&f)
	return f
}

// Fit has a form keep what is still there; the rest becomes the first there is.
func (w *Snapshot) Fit(f *Form) {
	e := w.Environment(f.Environment)
	if e == nil {
		f.Environment = ""
		return
	}
	if f.Environment != e.Name {
		f.Environment, f.Groups = e.Name, nil
	}
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

// Of is the environment that a form is for; nil where there is none.
func (w *Snapshot) Of(f Form) *Environment {
	if e := w.Environment(f.Environment); e != nil && e.Name == f.Environment {
		return e
	}
	return nil
}

// segments are those of a path; the reserved one, which covers a whole API, is called
// without any.
func segments(path string) []model.Segment {
	if path == model.ProxyPath {
		return nil
	}
	return model.ReadSegments(path)
}

// variables are the names of a path's variables, in its order.
func variables(path string) []string {
	var names []string
	for _, s := range segments(path) {
		if s.Variable {
			names = append(names, s.Text)
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
func (f Form) target() (target string, err error) {
	variable := 0
	for _, s := range segments(f.Path) {
		part := s.Text
		if s.Variable {
			part = "{" + s.Text + "}"
			if variable < len(f.Values) && f.Values[variable] != "" {
				part = call.Segment(f.Values[variable])
			} else if err == nil {
				err = bad(part, "has no value", "give one; it stands in the path in its place")
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
	r := call.Request{
		Method: f.Method, Query: call.Query(strings.TrimPrefix(f.Query, "?")), Headers: http.Header{}, Body: []byte(f.Body),
		As: f.signer(), Test: f.Test,
	}
	if r.Path, _, err = call.Target(target); err != nil {
		return none, bad("path", model.Quote(target)+" is none", "write a % as %25")
	}
	for _, text := range filled(f.Headers) {
		name, value, ok := call.Header(text)
		if !ok {
			return none, badHeader(text)
		}
		if made, signs := call.SignedBy(name); signs && r.As != nil {
			return none, bad("header", "the signature makes "+made, "leave it out, or let nobody sign")
		}
		r.Headers[name] = append(r.Headers[name], value)
	}
	if f.Body != "" && !call.HasHeader(r.Headers, "Content-Type") {
		r.Headers["Content-Type"] = []string{"application/json"}
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
