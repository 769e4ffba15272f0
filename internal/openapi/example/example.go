package example

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Answer is an answer as an example.
type Answer struct {
	Status int
	// ContentType is the media type of the body; "" if there is none.
	ContentType string
	// Body is JSON with two spaces for each level, or a text as it is.
	Body []byte
	// Headers are those of the contract that it has an example of or requires, without what is
	// about the body or the connection. They can be sent as they are.
	Headers []Header
	// Generated says that the contract has no example, and that the body was made from its
	// schema.
	Generated bool
}

// Largest is the largest body that is made from a schema, in bytes.
const Largest = 64 << 10

// Of returns the answer that the contract gives as an example of an operation: the first that says that all
// went well, else the default one, else the first. Of the media types, JSON comes first. A body is the
// example of the media type, else one that its schema has, else one made from the schema, without what is
// writeOnly. What is made holds against its schema, unless nothing is found that does, as with keywords that
// contradict each other. An answer without content has no body, and the status 204 if the contract has no
// other. The error is one line: the body cannot be made. It is for one goroutine, as the document is.
func Of(d *openapi.Document, o *openapi.Operation) (Answer, error) {
	chosen, status := choose(d.Answers(o))
	return of(d, o, chosen, status)
}

func of(d *openapi.Document, o *openapi.Operation, chosen openapi.Answer, status int) (Answer, error) {
	if len(chosen.Contents) == 0 {
		return Answer{Status: status, Headers: headersOf(d, chosen)}, nil
	}
	return ofContent(d, o, chosen, preferred(chosen.Contents), status)
}

func ofContent(
	d *openapi.Document, o *openapi.Operation, chosen openapi.Answer, content openapi.Content, status int,
) (Answer, error) {
	a := Answer{Status: status, ContentType: content.MediaType, Headers: headersOf(d, chosen)}
	if strings.ContainsFunc(a.ContentType, func(r rune) bool { return r < ' ' || r > '~' }) {
		return Answer{}, &model.Problem{
			Field: nameOf(o), Text: "the media type " + phrase.Quote(a.ContentType) + " is none",
			Fix: fmt.Sprintf("write one such as application/json, at line %d of the contract", chosen.Node.Line),
		}
	}
	if strings.Contains(a.ContentType, "*") {
		a.ContentType = "application/json"
	}
	body, generated, err := bodyOf(d, content, isJSON(a.ContentType))
	if err != nil {
		return Answer{}, &model.Problem{
			Field: nameOf(o), Text: fmt.Sprintf("the response %d has no example: %s", status, err),
			Fix: fmt.Sprintf("give the response an example, at line %d of the contract", chosen.Node.Line), Cause: err,
		}
	}
	a.Body, a.Generated = body, generated
	return a, nil
}

// nameOf is an operation for an error: GET /books.
func nameOf(o *openapi.Operation) string {
	return phrase.Quote(o.Method) + " " + phrase.Quote(o.Item.Name)
}

// choose returns the answer that is the example, with its status.
func choose(answers []openapi.Answer) (openapi.Answer, int) {
	const fine = 200
	best, status := -1, 0
	for i, a := range answers {
		if n := statusOf(a.Status); n/100 == 2 && (best < 0 || n < status) {
			best, status = i, n
		}
	}
	for i, a := range answers {
		if best < 0 && a.Status == "default" {
			best, status = i, fine
			if len(a.Contents) == 0 {
				status = 204
			}
		}
	}
	for i, a := range answers {
		if n := statusOf(a.Status); best < 0 && n > 0 {
			best, status = i, n
		}
	}
	if best < 0 {
		return openapi.Answer{}, 204
	}
	return answers[best], status
}

// statusOf returns the number of a status, the first of a class such as 4XX, and 0 for none.
func statusOf(text string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.ToUpper(text), "X", "0"))
	if err != nil || n < 100 || n > 599 {
		return 0
	}
	return n
}

// preferred returns the content with JSON, else the first.
func preferred(contents []openapi.Content) openapi.Content {
	for _, c := range contents {
		if isJSON(c.MediaType) {
			return c
		}
	}
	return contents[0]
}

func isJSON(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// bodyOf returns the body of a content.
func bodyOf(d *openapi.Document, c openapi.Content, json bool) (body []byte, generated bool, err error) {
	rules := judge.New(d)
	v := c.Example
	if v == nil {
		v = own(d, rules, c.Schema)
	}
	if v != nil {
		body, err = written(v, rules.Schema(c.Schema), json)
		return body, false, err
	}
	if !json && !strings.HasPrefix(c.MediaType, "text/") {
		return nil, false, fmt.Errorf("only JSON and texts are made from a schema, and this is %s", phrase.Quote(c.MediaType))
	}
	for _, least := range []bool{false, true} {
		g := newGenerator(d, rules, least)
		if v, _ = g.value(schemasOf(c.Schema), nil, 0, 0); v == nil {
			return nil, false, fmt.Errorf("no value can be made from its schema")
		}
		if body, err = written(v, rules.Schema(c.Schema), json); err != nil || len(body) <= Largest {
			return body, true, err
		}
	}
	return nil, false, fmt.Errorf("what is made from its schema has more than %d bytes", Largest)
}

func schemasOf(schema *cfn.Node) []*cfn.Node {
	if schema == nil {
		return nil
	}
	return []*cfn.Node{schema}
}

// own returns the example that a schema has as a whole, itself or by reference; nil for none.
func own(d *openapi.Document, rules *judge.Rules, schema *cfn.Node) *cfn.Node {
	if schema == nil {
		return nil
	}
	n, err := d.Resolve(schema)
	if err != nil {
		return nil
	}
	for _, at := range []*cfn.Node{schema, n} {
		if v := given(at); len(v.examples) > 0 {
			return v.examples[0]
		}
	}
	for _, v := range given(n).values {
		if len(judge.NewRun(judge.Answer).Judge(rules.Schema(schema), v)) == 0 {
			return v
		}
	}
	return nil
}

// gifts are the values that a schema has: its examples, and those that hold by themselves.
type gifts struct{ examples, values []*cfn.Node }

func given(schema *cfn.Node) gifts {
	var g gifts
	if v := schema.Get("example"); v != nil {
		g.examples = append(g.examples, v)
	}
	if v := schema.Get("examples"); v != nil {
		g.examples = append(g.examples, v.Items...)
	}
	for _, key := range []string{"default", "const"} {
		if v := schema.Get(key); v != nil {
			g.values = append(g.values, v)
		}
	}
	if v := schema.Get("enum"); v != nil {
		g.values = append(g.values, v.Items...)
	}
	return g
}

// written writes a value as the body of an answer. A text that is an example of something
// else may be that as JSON (https://spec.openapis.org/oas/v3.0.3.html#fixed-fields-10).
func written(v *cfn.Node, schema *judge.Schema, json bool) ([]byte, error) {
	switch {
	case v.Kind == cfn.String && !json:
		return []byte(v.Text), nil
	case !json && (v.Kind == cfn.List || v.Kind == cfn.Map):
		return nil, fmt.Errorf("its example is %s, and its media type is not JSON", v.Kind)
	case v.Kind == cfn.String && schema != nil && schema.Kinds()&judge.String == 0:
		if parsed, err := cfn.ParseJSON("example", []byte(v.Text)); err == nil {
			v = parsed
		}
	}
	text := jsontext.Value(v.Minified())
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, fmt.Errorf("its example is not JSON: %w", err)
	}
	return append(text, '\n'), nil
}
