package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// RowKind is what a row of a form is about.
type RowKind uint8

// The kinds of rows, in the order of the form.
const (
	ModeRow RowKind = iota
	EnvironmentRow
	APIRow
	PathRow
	MethodRow
	// ValueRow is a variable of the path, BelowRow what follows the path.
	ValueRow
	BelowRow
	QueryRow
	HeaderRow
	BodyRow
	CallerRow
)

// kind is what there is to say of the rows of a kind.
type kind struct {
	label string
	// placeholder stands in an empty row of text, which is one that is typed in its
	// place; "" for other rows.
	placeholder string
	// example is an answer, where the placeholder does not show one.
	example string
	// text is where a form keeps what the row has; nil for a kind that is no text.
	// It gives nil for a row that is not there yet.
	text func(f *Form, n int) *string
	// options are what may be chosen; nil for a text, and for who calls: only the
	// sandbox knows them.
	options func(w *World, f Form) []Option
}

var kinds = [...]kind{
	ModeRow:        {label: "Mode", options: func(*World, Form) []Option { return modes }},
	EnvironmentRow: {label: "Environment", text: func(f *Form, _ int) *string { return &f.Environment }, options: environmentOptions},
	APIRow:         {label: "API", text: func(f *Form, _ int) *string { return &f.API }, options: apiOptions},
	PathRow:        {label: "Path", text: func(f *Form, _ int) *string { return &f.Path }, options: pathOptions},
	MethodRow:      {label: "Method", text: func(f *Form, _ int) *string { return &f.Method }, options: methodOptions},
	ValueRow:       {label: "Variable", text: func(f *Form, n int) *string { return nth(f.Values, n) }, placeholder: "needs a value"},
	BelowRow: {
		label: "Below it", text: func(f *Form, _ int) *string { return &f.Below },
		placeholder: "nothing; such as /1/cover", example: "/1/cover, which follows the path",
	},
	QueryRow:  {label: "Query", text: func(f *Form, _ int) *string { return &f.Query }, placeholder: "none; such as limit=10&sort=title"},
	HeaderRow: {label: "Header", text: func(f *Form, n int) *string { return nth(f.Headers, n) }, placeholder: "none; such as X-Trace: 1"},
	BodyRow:   {label: "Body", text: func(f *Form, _ int) *string { return &f.Body }, example: `{"title": "Emma"}`},
	CallerRow: {label: "Who calls"},
}

// nth is a place in a list; nil where the list has no such place.
func nth(list []string, n int) *string {
	if n < len(list) {
		return &list[n]
	}
	return nil
}

// Row is a line of a form that is filled in by itself; N counts those of a kind.
type Row struct {
	Kind RowKind
	N    int
}

// IsText reports whether the row is a line of text.
func (r Row) IsText() bool { return r.Placeholder() != "" }

// Placeholder stands in an empty row of text. It says that the row is empty: where
// nothing has a colour, an example alone would look like what is sent.
func (r Row) Placeholder() string { return kinds[r.Kind].placeholder }

// Rows are the rows of a form. An empty header stands below those that there are.
func (f Form) Rows() []Row {
	var rows []Row
	for k := range kinds {
		times := 1
		switch RowKind(k) {
		case ValueRow:
			times = len(f.Values)
		case HeaderRow:
			times = len(f.Headers) + 1
		}
		for n := range times {
			rows = append(rows, Row{RowKind(k), n})
		}
	}
	return rows
}

// text is where the form keeps what a row has; nil where it has no such place.
func (f *Form) text(r Row) *string {
	if text := kinds[r.Kind].text; text != nil {
		return text(f, r.N)
	}
	return nil
}

// Value is what a row has: a text, or the ID of what is chosen.
func (f Form) Value(r Row) string {
	text := f.text(r)
	switch {
	case r.Kind == ModeRow:
		return f.mode().ID
	case r.Kind == CallerRow:
		return idOf(f.As)
	case text != nil:
		return *text
	}
	return ""
}

// Set puts a text into a row, or the ID of what is chosen.
func (f *Form) Set(r Row, value string) {
	text := f.text(r)
	switch {
	case r.Kind == ModeRow:
		f.Test = value == modes[1].ID
	case r.Kind == CallerRow:
		f.As = call.ReadSigner(value)
	case text != nil:
		*text = value
	case r.Kind == HeaderRow && value != "":
		f.Headers = append(f.Headers, value)
	}
}

// Label is what stands before a row.
func (f Form) Label(r Row) string {
	if names := variables(f.Path); r.Kind == ValueRow && r.N < len(names) {
		return "{" + prose.Fit(names[r.N]) + "}"
	}
	return kinds[r.Kind].label
}

// Shown is what a row has, fit for the screen.
func (f Form) Shown(r Row) string {
	switch r.Kind {
	case ModeRow:
		return f.mode().Label + ": " + f.mode().Note
	case BodyRow:
		return bodyWords(f.Body)
	case CallerRow:
		return f.who()
	}
	return prose.Fit(f.Value(r))
}

// modes are a call and a test.
var modes = []Option{
	{ID: "call", Label: "CALL", Note: "what a client sends"},
	{ID: "test", Label: "TEST", Note: "the test of the gateway's console; refuses nobody"},
}

func (f Form) mode() Option {
	if f.Test {
		return modes[1]
	}
	return modes[0]
}

// signer is who signs; nil for nobody, and for a test, which is the console's own.
func (f Form) signer() *identitypool.Who {
	if f.Test || f.As == (identitypool.Who{}) {
		return nil
	}
	return &f.As
}

// who says who calls.
func (f Form) who() string {
	switch {
	case f.Test:
		return "the console (a test)"
	case f.signer() == nil:
		return "nobody: no credentials, a guest"
	}
	return prose.Fit(whoWords(f.As)) + ", signed"
}

// whoWords say who signs.
func whoWords(who identitypool.Who) string {
	switch {
	case who.Guest:
		return "a guest"
	case who.Group != "":
		return "a member of " + model.Quote(who.Group)
	case who.User != "":
		return "user " + model.Quote(who.User)
	}
	return "nobody"
}

// idOf is who signs as the ID of an option.
func idOf(who identitypool.Who) string { return cmp.Or(call.Signer(who), "nobody") }

// bodyWords are a body in one line.
func bodyWords(body string) string {
	if body == "" {
		return ""
	}
	kind := "text"
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(body), new(any)); err == nil {
		kind = "JSON"
	} else if errors.As(err, &syntax) && isBracket(body) {
		// The place, line and column counted from 1.
		before := body[:max(0, min(int(syntax.Offset)-1, len(body)))]
		line := strings.LastIndexByte(before, '\n') + 1
		kind = fmt.Sprintf("no good JSON at %d:%d", strings.Count(before, "\n")+1, len([]rune(before[line:]))+1)
	}
	words := kind + ", " + model.Count(len(body), "byte")
	if n := strings.Count(strings.TrimSuffix(body, "\n"), "\n") + 1; n > 1 {
		words += ", " + model.Count(n, "line")
	}
	const enough = 200
	one := strings.Join(strings.Fields(body[:min(len(body), enough)]), " ")
	return words + ": " + prose.Fit(strings.ToValidUTF8(one, ""))
}

// isBracket reports whether a text begins as a JSON object or array does.
func isBracket(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
