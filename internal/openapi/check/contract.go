package check

import (
	"net/http"
	"net/url"
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/text/phrase"
)

// Contract is a document that was made ready to judge requests and answers. Any number of
// goroutines may use it.
type Contract struct {
	// routes are those of the paths by the number of their segments; greedy are those that
	// end in any number of segments.
	routes     map[int][]*route
	greedy     []*route
	operations map[*openapi.Operation]*operation
	unjudged   []Finding
}

// Request is a request as it came.
type Request struct {
	Method string
	// Path is as it was sent, with its percent signs, below the root of the API: "/books/1".
	Path   string
	Query  url.Values
	Header http.Header
	Body   []byte
}

// Answer is the answer to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// MaxBody is the largest body that is checked, in bytes.
const MaxBody = 1 << 20

// operation is an operation that was made ready.
type operation struct {
	place
	parameters []parameter
	// queries are the names that a query may have; nil for any.
	queries map[string]bool
	body    *openapi.Body
	// contents are those of the body, and form the fields of a form of Swagger 2.0.
	contents []content
	form     []parameter
	answers  []answer
	statuses []string
}

// New makes a document ready. The document is not used by other goroutines meanwhile.
func New(d *openapi.Document) *Contract {
	c := &Contract{routes: make(map[int][]*route), operations: make(map[*openapi.Operation]*operation)}
	m := maker{d, judge.New(d)}
	for _, item := range d.Items {
		at := newRoute(item)
		if n := len(at.segments); n > 0 && at.segments[n-1].rank == greedyRank {
			c.greedy = append(c.greedy, at)
		} else {
			c.routes[n] = append(c.routes[n], at)
		}
		if item.Unread != nil {
			c.unjudged = append(c.unjudged, Finding{
				Where: short("contract "+item.Pointer, longestWhere),
				Text:  short("is not judged: "+item.Unread.Error(), longestText),
				Line:  item.Line, Column: item.Column,
			})
		}
		for _, o := range item.Operations {
			c.operations[o] = m.operation(o)
		}
	}
	for _, f := range m.rules.Unjudged() {
		c.unjudged = append(c.unjudged, Finding{
			Where: short("contract "+f.Pointer, longestWhere), Text: short("is not judged: "+f.Text, longestText), Line: f.Line,
			Column: f.Column,
		})
	}
	return c
}

// Unjudged lists what of the contract is not judged: patterns that RE2 does not have, and
// references to other documents.
func (c *Contract) Unjudged() []Finding { return c.unjudged }

// Operation finds the operation that a request reaches. A path without parameters is found before one with
// them, as OpenAPI says (https://spec.openapis.org/oas/v3.1.0.html#patterned-fields); a slash at the end does
// not count, as for API Gateway. HEAD reaches GET if there is no other operation for it. It is not ok if the
// contract has no such path, or not that method; Lacks says which.
func (c *Contract) Operation(method, path string) (op *openapi.Operation, ok bool) {
	f := c.find(method, path)
	return f.operation, f.operation != nil
}

// Lacks says what the contract does not have of a request that reaches no operation: "has no
// path /x", "has no PUT of the path /books, only GET and POST".
func (c *Contract) Lacks(method, path string) string {
	f := c.find(method, path)
	if len(f.items) == 0 {
		return "has no path " + phrase.Quote(path)
	}
	var has []string
	for _, item := range f.items {
		for _, o := range item.Operations {
			has = append(has, o.Method)
		}
	}
	text := "has no " + phrase.Quote(method) + " of the path " + phrase.Quote(f.items[0].Name)
	if len(has) == 0 {
		return text
	}
	return text + ", only " + joined(has)
}

// joined joins a few names with commas and "and".
func joined(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// Request returns how a request breaks its contract; nothing if it holds. A preflight request
// (OPTIONS) holds if the contract has none, and so does what reaches a path whose operations
// are in another document. A name of the query that is not in the contract is a finding only
// if the operation has other names: many contracts leave them all out.
func (c *Contract) Request(r Request) []Finding {
	j := newJudgement(judge.Request)
	f := c.find(r.Method, r.Path)
	if f.operation == nil {
		if r.Method != http.MethodOptions && !f.unread {
			at := place{}
			if len(f.items) > 0 {
				at = place{f.items[0].Line, f.items[0].Column}
			}
			j.add("path", "is not in the contract, which "+c.Lacks(r.Method, r.Path), at)
		}
		return j.findings
	}
	o := c.operations[f.operation]
	j.parameters(o, r, f.variables)
	j.requestBody(o, r)
	return j.end(o.place)
}

// Answer returns how an answer breaks the contract of its request; nothing if it holds, or if
// the contract does not have the operation, which Request says.
func (c *Contract) Answer(r Request, a Answer) []Finding {
	f := c.find(r.Method, r.Path)
	if f.operation == nil {
		return nil
	}
	o := c.operations[f.operation]
	if len(o.answers) == 0 {
		return nil
	}
	j := newJudgement(judge.Answer)
	j.answer(o, r.Method, a)
	return j.end(o.place)
}
