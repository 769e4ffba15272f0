package gateway

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/example"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
)

// MockHeader is the header of an answer that is an example of the contract.
const MockHeader = "x-gatewright-mock"

// Mocks reports whether requests for a path, and for those below it, are answered with examples
// of the contract.
func (a *API) Mocks(path string) bool {
	return a.Contract != nil && slices.ContainsFunc(a.Mock, func(each string) bool { return Covers(each, path) })
}

// Covers reports whether a path is another one or below it. A segment in braces of either
// stands for any segment.
func Covers(above, path string) bool {
	parts, have := segments(above), segments(path)
	if len(have) < len(parts) {
		return false
	}
	for i, part := range parts {
		if part != have[i] && !isVariable(part) && !isVariable(have[i]) {
			return false
		}
	}
	return true
}

// segments are the segments of a path without a slash at its end.
func segments(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

func isVariable(segment string) bool {
	return strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}")
}

// mock answers a request with the example of its contract.
func (e *exchange) mock(body []byte) {
	e.record.mocked()
	e.record.keepHead(e.conn.head.Fields, body)
	a, missing := e.api.Contract.mocked(e.method, e.target.path, http1.Values(e.conn.head.Fields, "Prefer"))
	if missing != nil {
		e.record.keepRefusal(missing.Text, missing.Fix)
		e.note(http.StatusNotImplemented, logs.Warn, missing.Error())
		a = noExample(missing)
	}
	fields := mockFields(e.id, a, e.api.Definition.CORS.Answer(e.conn.head.Get("Origin")))
	if missing == nil {
		e.judged.answered(a.Status, fields, string(a.Body))
	}
	e.send(a.Status, fields, string(a.Body))
}

// testMocked is the console's test of a path that is answered with the examples of the contract.
func (g *Gateway) testMocked(e *event, r Request, log *executionLog, kept *record) Test {
	var fields []http1.Field
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		for _, value := range r.Headers[name] {
			fields = append(fields, http1.Field{Name: name, Value: value})
		}
	}
	kept.mocked()
	kept.keepHead(fields, r.Body)
	judged := e.api.judge(e)
	a, missing := e.api.Contract.mocked(r.Method, e.path, http1.Values(fields, "Prefer"))
	if missing != nil {
		kept.keepRefusal(missing.Text, missing.Fix)
		a = noExample(missing)
	}
	answered := mockFields(e.id, a, e.api.Definition.CORS.Answer(http.Header(r.Headers).Get("Origin")))
	if missing == nil {
		judged.answered(a.Status, answered, string(a.Body))
	}
	g.tellBreachesOfTest(judged, kept, e)
	body := string(a.Body)
	if !hasBody(r.Method, a.Status) {
		body = ""
	}
	kept.end(a.Status, answered, body)
	t := Test{Status: a.Status, Body: body, Headers: shownHeaders(answered), RequestID: e.id.request}
	log.add("No function is called: sandbox --mock answers with the examples of %s",
		phrase.Quote(e.api.Contract.document.Name))
	if missing != nil {
		log.add("%s", missing)
	} else {
		log.answered(t)
	}
	return log.end(t)
}

// mocked is the example that a request gets, which may prefer one by the values of its header
// Prefer. missing says why there is none.
func (c *Contract) mocked(method, path string, prefer []string) (a example.Answer, missing *model.Problem) {
	o, ok := c.judge.Operation(method, path)
	if !ok {
		return a, &model.Problem{
			Text: "the contract " + c.judge.Lacks(method, path),
			Fix:  "add it to the contract, or serve the path with its function",
		}
	}
	p, err := preferenceOf(prefer)
	if err == nil {
		a, err = c.example(o, p)
	}
	if err == nil {
		return a, nil
	}
	if !errors.As(err, &missing) {
		missing = &model.Problem{Text: err.Error()}
	}
	if missing.Field != "" {
		missing = &model.Problem{Text: missing.Field + ": " + missing.Text, Fix: missing.Fix}
	}
	return a, missing
}

// example is the example of the answer of an operation that is preferred.
func (c *Contract) example(o *openapi.Operation, p example.Preference) (example.Answer, error) {
	// The document is for one goroutine.
	c.reading.Lock()
	defer c.reading.Unlock()
	if p != (example.Preference{}) {
		return example.Preferred(c.document, o, p)
	}
	if a, made := c.examples[o]; made {
		return a, nil
	}
	a, err := example.Of(c.document, o)
	if err == nil {
		c.examples[o] = a
	}
	return a, err
}

// noExample is the answer to a request for which the contract has no example.
func noExample(missing *model.Problem) example.Answer {
	return example.Answer{
		Status: http.StatusNotImplemented, ContentType: "application/json",
		Body: []byte(message(missing.Error())),
	}
}

// mockFields are the headers of an answer that is an example. A function would let web pages
// read its answers, so this does too.
func mockFields(id identifiers, a example.Answer, cors []access.Header) []namedValues {
	var fields []namedValues
	if a.ContentType != "" {
		fields = append(fields, field("Content-Type", a.ContentType))
	}
	if hasBody(http.MethodGet, a.Status) {
		fields = append(fields, field("Content-Length", strconv.Itoa(len(a.Body))))
	}
	expose := cors[len(cors)-1]
	fields = id.fields(appendHeaders(append(fields, field(MockHeader, "true")), cors[:len(cors)-1]))
	exposed := expose.Value + "," + MockHeader
	for _, h := range a.Headers {
		if find(fields, h.Name) < 0 && !strings.EqualFold(h.Name, expose.Name) {
			fields = append(fields, field(h.Name, h.Value))
			exposed += "," + h.Name
		}
	}
	return append(fields, field(expose.Name, exposed))
}
