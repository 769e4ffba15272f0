package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/prose"
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

// Row is a line of a form that is filled in by itself; N counts those of a kind.
type Row struct {
	Kind RowKind
	N    int
}

// IsText reports whether the row is a line of text.
func (r Row) IsText() bool {
	return r.Kind == ValueRow || r.Kind == BelowRow || r.Kind == QueryRow || r.Kind == HeaderRow
}

// Rows are the rows of a form. An empty header stands below those that there are.
func (f Form) Rows() []Row {
	rows := []Row{{Kind: ModeRow}, {Kind: EnvironmentRow}, {Kind: APIRow}, {Kind: PathRow}, {Kind: MethodRow}}
	for i := range f.Values {
		rows = append(rows, Row{ValueRow, i})
	}
	rows = append(rows, Row{Kind: BelowRow}, Row{Kind: QueryRow})
	for i := range len(f.Headers) + 1 {
		rows = append(rows, Row{HeaderRow, i})
	}
	return append(rows, Row{Kind: BodyRow}, Row{Kind: CallerRow})
}

// Text is the line of text of a row.
func (f Form) Text(r Row) string {
	switch {
	case r.Kind == ValueRow && r.N < len(f.Values):
		return f.Values[r.N]
	case r.Kind == BelowRow:
		return f.Below
	case r.Kind == QueryRow:
		return f.Query
	case r.Kind == HeaderRow && r.N < len(f.Headers):
		return f.Headers[r.N]
	}
	return ""
}

// Set puts a line of text into a row.
func (f *Form) Set(r Row, text string) {
	switch {
	case r.Kind == ValueRow && r.N < len(f.Values):
		f.Values[r.N] = text
	case r.Kind == BelowRow:
		f.Below = text
	case r.Kind == QueryRow:
		f.Query = text
	case r.Kind == HeaderRow && r.N < len(f.Headers):
		f.Headers[r.N] = text
	case r.Kind == HeaderRow && text != "":
		f.Headers = append(f.Headers, text)
	}
}

// Label is what stands before a row.
func (f Form) Label(r Row) string {
	switch r.Kind {
	case ModeRow:
		return "Mode"
	case EnvironmentRow:
		return "Environment"
	case APIRow:
		return "API"
	case PathRow:
		return "Path"
	case MethodRow:
		return "Method"
	case ValueRow:
		if names := variables(f.Path); r.N < len(names) {
			return "{" + prose.Fit(names[r.N]) + "}"
		}
		return "Variable"
	case BelowRow:
		return "Below it"
	case QueryRow:
		return "Query"
	case HeaderRow:
		return "Header"
	case BodyRow:
		return "Body"
	}
	return "Who calls"
}

// Placeholder stands in an empty row of text. It says that the row is empty: where
// nothing has a colour, an example alone would look like what is sent.
func (r Row) Placeholder() string {
	switch r.Kind {
	case ValueRow:
		return "needs a value"
	case BelowRow:
		return "nothing; such as /1/cover"
	case QueryRow:
		return "none; such as limit=10&sort=title"
	case HeaderRow:
		return "none; such as X-Trace: 1"
	}
	return ""
}

// Shown is what a row has, fit for the screen.
func (f Form) Shown(r Row) string {
	switch r.Kind {
	case ModeRow:
		if f.Test {
			return "TEST: the test of the gateway's console; refuses nobody"
		}
		return "CALL: what a client sends"
	case EnvironmentRow:
		return prose.Fit(f.Environment)
	case APIRow:
		return prose.Fit(f.API)
	case PathRow:
		return prose.Fit(f.Path)
	case MethodRow:
		return prose.Fit(f.Method)
	case BodyRow:
		return bodyWords(f.Body)
	case CallerRow:
		return f.who()
	}
	return prose.Fit(f.Text(r))
}

// who says who calls.
func (f Form) who() string {
	switch {
	case f.Test:
		return "the console (a test)"
	case f.As == identitypool.Who{}:
		return "nobody: no credentials, a guest"
	case f.As.Guest:
		return "a guest, signed"
	}
	return prose.Fit(whoWords(f.As)) + ", signed"
}

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
		line, column := placeIn(body, int(syntax.Offset))
		kind = fmt.Sprintf("no good JSON at %d:%d", line, column)
	}
	words := kind + ", " + model.Count(len(body), "byte")
	if n := strings.Count(strings.TrimSuffix(body, "\n"), "\n") + 1; n > 1 {
		words += ", " + model.Count(n, "line")
	}
	const enough = 200
	one := strings.Join(strings.Fields(body[:min(len(body), enough)]), " ")
	return words + ": " + prose.Fit(strings.ToValidUTF8(one, ""))
}

// placeIn is where a byte of a text is, line and column counted from 1.
func placeIn(text string, offset int) (line, column int) {
	before := text[:max(0, min(offset-1, len(text)))]
	return strings.Count(before, "\n") + 1, len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
}

// isBracket reports whether a text begins as a JSON object or array does.
func isBracket(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
