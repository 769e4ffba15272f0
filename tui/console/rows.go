package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/sandbox/identity/identitypool"
)

// rowKind is what a row of the form is about.
type rowKind uint8

const (
	modeRow rowKind = iota
	environmentRow
	apiRow
	pathRow
	methodRow
	valueRow
	belowRow
	queryRow
	headerRow
	bodyRow
	whoRow
)

// row is a line of the form that the cursor can be on; i counts those of a kind.
type row struct {
	kind rowKind
	i    int
}

// isText reports whether the row is a line of text.
func (r row) isText() bool {
	return r.kind == valueRow || r.kind == belowRow || r.kind == queryRow || r.kind == headerRow
}

// rowsOf are the rows of a form. An empty header stands below those that there are.
func rowsOf(f Form) []row {
	rows := []row{{kind: modeRow}, {kind: environmentRow}, {kind: apiRow}, {kind: pathRow}, {kind: methodRow}}
	for i := range f.Values {
		rows = append(rows, row{valueRow, i})
	}
	rows = append(rows, row{kind: belowRow}, row{kind: queryRow})
	for i := range len(f.Headers) + 1 {
		rows = append(rows, row{headerRow, i})
	}
	return append(rows, row{kind: bodyRow}, row{kind: whoRow})
}

// refresh makes the rows anew; the cursor stays on its row.
func (p *Page) refresh() {
	var had row
	if p.at < len(p.rows) {
		had = p.rows[p.at]
	}
	p.form.Headers = filled(p.form.Headers)
	p.rows = rowsOf(p.form)
	p.at = max(0, min(p.at, len(p.rows)-1))
	for i, r := range p.rows {
		if r == had {
			p.at = i
		}
	}
}

// text is the line of text of a row.
func (f Form) text(r row) string {
	switch {
	case r.kind == valueRow && r.i < len(f.Values):
		return f.Values[r.i]
	case r.kind == belowRow:
		return f.Below
	case r.kind == queryRow:
		return f.Query
	case r.kind == headerRow && r.i < len(f.Headers):
		return f.Headers[r.i]
	}
	return ""
}

// set puts a line of text into a row.
func (f *Form) set(r row, text string) {
	switch {
	case r.kind == valueRow && r.i < len(f.Values):
		f.Values[r.i] = text
	case r.kind == belowRow:
		f.Below = text
	case r.kind == queryRow:
		f.Query = text
	case r.kind == headerRow && r.i < len(f.Headers):
		f.Headers[r.i] = text
	case r.kind == headerRow && text != "":
		f.Headers = append(f.Headers, text)
	}
}

// label is what stands before a row.
func (f Form) label(r row) string {
	switch r.kind {
	case modeRow:
		return "Mode"
	case environmentRow:
		return "Environment"
	case apiRow:
		return "API"
	case pathRow:
		return "Path"
	case methodRow:
		return "Method"
	case valueRow:
		if names := variables(f.Path); r.i < len(names) {
			return "{" + prose.Fit(names[r.i]) + "}"
		}
		return "Variable"
	case belowRow:
		return "Below it"
	case queryRow:
		return "Query"
	case headerRow:
		return "Header"
	case bodyRow:
		return "Body"
	}
	return "Who calls"
}

// placeholder stands in an empty row of text. It says that the row is empty: where
// nothing has a colour, an example alone would look like what is sent.
func (r row) placeholder() string {
	switch r.kind {
	case valueRow:
		return "needs a value"
	case belowRow:
		return "nothing; such as /1/cover"
	case queryRow:
		return "none; such as limit=10&sort=title"
	case headerRow:
		return "none; such as X-Trace: 1"
	}
	return ""
}

// shown is what a row has, fit for the screen.
func (f Form) shown(r row) string {
	switch r.kind {
	case modeRow:
		if f.Test {
			return "TEST: the test of the gateway's console; refuses nobody"
		}
		return "CALL: what a client sends"
	case environmentRow:
		return prose.Fit(f.Environment)
	case apiRow:
		return prose.Fit(f.API)
	case pathRow:
		return prose.Fit(f.Path)
	case methodRow:
		return prose.Fit(f.Method)
	case bodyRow:
		return bodyWords(f.Body)
	case whoRow:
		return f.who()
	}
	return prose.Fit(f.text(r))
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
