package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// RowKind says what a row of a form is about.
type RowKind uint8

// The kinds of rows, in the order of the form. The form has one row of each kind before ValueRow.
const (
	ModeRow RowKind = iota
	EnvironmentRow
	APIRow
	PathRow
	MethodRow
	// ValueRow is a variable of the path, BelowRow is Form.Below.
	ValueRow
	BelowRow
	QueryRow
	HeaderRow
	BodyRow
	CallerRow
)

// Row is one field of a form as a screen shows it.
type Row struct {
	Kind RowKind
	// N numbers the rows of a kind from 0.
	N     int
	Label string
	// Value is the text, or the key of the chosen option. Shown is how the row shows it, safe for the terminal.
	Value, Shown string
	// Placeholder is shown in an empty row of text; only rows of text have one. It begins by saying that the row is
	// empty, because without colours an example alone would look like a value.
	Placeholder string
	// Set stores a text, or the key of an option, in the form. Snapshot.Complete then corrects what depends on it.
	Set func(value string)
}

// IsText reports whether the row is a line of text.
func (r Row) IsText() bool { return r.Placeholder != "" }

// Check returns what is wrong with a text for the row; nil if nothing is.
func (r Row) Check(text string) error {
	if r.Kind != HeaderRow || text == "" {
		return nil
	}
	if _, _, ok := call.Header(text); !ok {
		return badHeader(text)
	}
	return nil
}

// Rows returns the rows of the form, after it appends an empty header to type in.
func (f *Form) Rows() []Row {
	mode := f.mode()
	rows := []Row{{
		Kind: ModeRow, Label: "Mode", Value: mode.Key, Shown: mode.Title + ": " + mode.Detail,
		Set: func(id string) { f.Test = id == modes[1].Key },
	}}
	add := func(kind RowKind, n int, label, placeholder string, place *string) {
		rows = append(rows, Row{
			Kind: kind, N: n, Label: label, Value: *place, Shown: prose.Printable(*place), Placeholder: placeholder,
			Set: func(value string) { *place = value },
		})
	}
	add(EnvironmentRow, 0, "Environment", "", &f.Environment)
	add(APIRow, 0, "API", "", &f.API)
	add(PathRow, 0, "Path", "", &f.Path)
	add(MethodRow, 0, "Method", "", &f.Method)
	names := variables(f.Path)
	for n := range min(len(names), len(f.Values)) {
		add(ValueRow, n, "{"+prose.Printable(names[n])+"}", "needs a value", &f.Values[n])
	}
	add(BelowRow, 0, "Below it", "nothing; such as /1/cover", &f.Below)
	add(QueryRow, 0, "Query", "none; such as limit=10&sort=title", &f.Query)
	if n := len(f.Headers); n == 0 || f.Headers[n-1] != "" {
		f.Headers = append(f.Headers, "")
	}
	for n := range f.Headers {
		add(HeaderRow, n, "Header", "none; such as X-Trace: 1", &f.Headers[n])
	}
	return append(rows, Row{
		Kind: BodyRow, Label: "Body", Value: f.Body, Shown: bodyWords(f.Body),
		Set: func(text string) { f.Body = text },
	}, Row{
		Kind: CallerRow, Label: "Who calls", Value: cmp.Or(call.Signer(f.As), nobody), Shown: f.who(),
		Set: func(id string) { f.As, f.Groups = call.ReadSigner(id), nil },
	})
}

// Options returns the choices for a row; none for a text, nor for CallerRow, whose
// choices People asks the sandbox for.
func (s *Snapshot) Options(f Form, kind RowKind) []prose.Option {
	b := new(model.Backend)
	if e := s.EnvironmentOf(f); e != nil {
		b = e.backend
	}
	switch kind {
	case ModeRow:
		return modes
	case EnvironmentRow:
		// An environment that gets no requests can be chosen too, to look at its APIs.
		return optionsOf(s.environments, func(e *Environment) (name, note string) {
			note = "as last pushed"
			switch {
			case e.Cloud != nil:
				note = "in AWS"
			case e.Tree:
				note = "from the working tree"
			}
			if e.Guarded {
				note += ", guarded"
			}
			return e.Name, cmp.Or(e.Closed, note)
		})
	case APIRow:
		return optionsOf(b.APIs, func(api *access.API) (name, note string) {
			return api.Label, phrase.Count(len(api.Paths), "path")
		})
	case PathRow:
		if api := b.API(f.API); api != nil {
			return optionsOf(api.Paths, func(path *access.Path) (name, note string) {
				return path.Name, path.Function + ", " + string(path.Access.Setting)
			})
		}
	case MethodRow:
		// The values of the variables do not matter for who may use a method.
		f.Values = slices.Clone(f.Values)
		for i := range f.Values {
			f.Values[i] = cmp.Or(f.Values[i], "1")
		}
		return optionsOf(methods, func(method string) (name, note string) {
			note = "the CORS preflight"
			if action, ok := (access.Terms{}).ActionOf(method); ok {
				note = action.String()
			}
			f.Method = method
			if text, allowed := s.Verdict(f); text != "" && !allowed {
				note += "; will be refused"
			}
			return method, note
		})
	}
	return nil
}

// optionsOf returns an option for each thing; describe gives its name and detail.
func optionsOf[T any](things []T, describe func(T) (name, note string)) []prose.Option {
	var options []prose.Option
	for _, thing := range things {
		name, note := describe(thing)
		options = append(options, prose.Option{Key: name, Title: name, Detail: note})
	}
	return options
}

// methods are all methods, those that change nothing first and the one that deletes last.
var methods = []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}

// modes are the options of ModeRow.
var modes = []prose.Option{
	{Key: "call", Title: "CALL", Detail: "what a client sends"},
	{Key: "test", Title: "TEST", Detail: "the test of the API Gateway console; checks no access"},
}

func (f Form) mode() prose.Option {
	if f.Test {
		return modes[1]
	}
	return modes[0]
}

// signer returns who signs the request; nil for nobody, and for a test, which the console itself signs.
func (f Form) signer() *identitypool.Signer {
	if f.Test || f.As == (identitypool.Signer{}) {
		return nil
	}
	return &f.As
}

// who describes the caller.
func (f Form) who() string {
	switch {
	case f.Test:
		return "the console (a test)"
	case f.signer() == nil && f.Cloud:
		return "nobody: no credentials"
	case f.signer() == nil:
		return "nobody: no credentials, counts as a guest"
	}
	who := whoWords(f.As) + ", signed"
	if len(f.Groups) > 0 {
		who += ", in " + strings.Join(f.Groups, ", ")
	}
	return prose.Printable(who)
}

// nobody is the key of the option to send a request unsigned.
const nobody = "nobody"

// whoWords describes who signs.
func whoWords(who identitypool.Signer) string {
	switch {
	case who.Guest:
		return "a guest"
	case who.Own:
		return "you, with your AWS credentials"
	case who.AnyUser:
		return "a signed-in user in no group"
	case who.Group != "":
		return "a member of " + phrase.Quote(who.Group)
	}
	return "user " + phrase.Quote(who.User)
}

// bodyWords returns a body in one line: its kind, length, and beginning.
func bodyWords(body string) string {
	if body == "" {
		return ""
	}
	kind := "text"
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(body), new(any)); err == nil {
		kind = "JSON"
	} else if errors.As(err, &syntax) && isBracket(body) {
		// Line and column are counted from 1.
		before := body[:max(0, min(int(syntax.Offset)-1, len(body)))]
		line := strings.LastIndexByte(before, '\n') + 1
		kind = fmt.Sprintf("invalid JSON at %d:%d", strings.Count(before, "\n")+1, len([]rune(before[line:]))+1)
	}
	words := kind + ", " + phrase.Count(len(body), "byte")
	if n := strings.Count(strings.TrimSuffix(body, "\n"), "\n") + 1; n > 1 {
		words += ", " + phrase.Count(n, "line")
	}
	const enough = 200
	one := strings.Join(strings.Fields(body[:min(len(body), enough)]), " ")
	return words + ": " + prose.Printable(strings.ToValidUTF8(one, ""))
}

// isBracket reports whether a text begins as a JSON object or array does.
func isBracket(text string) bool {
	return strings.IndexAny(strings.TrimSpace(text), "{[") == 0
}
