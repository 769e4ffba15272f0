package example

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

// Header is a header of an answer.
type Header struct{ Name, Value string }

const (
	// mostHeaders is how many headers an answer has at most, and longestHeader how long their
	// values are.
	mostHeaders   = 50
	longestHeader = 1000
)

// connectionHeaders are about the connection, or about how the body is sent, which is known
// only to who sends it (https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1).
var connectionHeaders = []string{
	"connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "proxy-connection", "te",
	"trailer", "transfer-encoding", "upgrade",
}

// headersOf returns the headers of an answer: those of which the contract has an example, and
// those that it requires. One that cannot be sent as it is is left out.
func headersOf(d *openapi.Document, a openapi.Answer) []Header {
	var headers []Header
	var rules *judge.Rules
	for _, m := range openapi.MembersOf(a.Node.Get("headers")) {
		node, err := d.Resolve(m.Value)
		if err != nil || !isToken(m.Name) || slices.Contains(connectionHeaders, strings.ToLower(m.Name)) ||
			len(headers) == mostHeaders {
			continue
		}
		schema := node.Get("schema")
		if d.Swagger() {
			schema = node
		}
		if rules == nil {
			rules = judge.New(d)
		}
		v := headerExample(d, rules, node, schema)
		if v == nil && openapi.IsTrue(node.Get("required")) {
			g := newGenerator(d, rules, true)
			v, _ = g.value(schemasOf(schema), nil, 0, 0)
		}
		if value, ok := headerText(v); ok {
			headers = append(headers, Header{m.Name, value})
		}
	}
	return headers
}

// headerExample returns the example of a header, else one of its schema; nil for none.
func headerExample(d *openapi.Document, rules *judge.Rules, node, schema *cfn.Node) *cfn.Node {
	if v := node.Get("example"); v != nil && !d.Swagger() {
		return v
	}
	for _, e := range openapi.MembersOf(node.Get("examples")) {
		if named, err := d.Resolve(e.Value); err == nil && named.Get("value") != nil {
			return named.Get("value")
		}
	}
	return own(d, rules, schema)
}

// headerText writes a value or a list of values as a header; not ok if it cannot be one.
func headerText(v *cfn.Node) (text string, ok bool) {
	if v == nil {
		return "", false
	}
	values := []*cfn.Node{v}
	if v.Kind == cfn.List {
		values = v.Items
	}
	texts := make([]string, len(values))
	for i, each := range values {
		if each.Kind != cfn.String && each.Kind != cfn.Number && each.Kind != cfn.Bool {
			return "", false
		}
		texts[i] = each.Text
	}
	text = strings.Join(texts, ",")
	other := func(r rune) bool { return r < ' ' || r > '~' }
	return text, len(text) <= longestHeader && !strings.ContainsFunc(text, other) && strings.TrimSpace(text) == text
}

// isToken reports whether a text can be the name of a header
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
func isToken(name string) bool {
	const more = "!#$%&'*+-.^_`|~"
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(more, r)
	})
}
