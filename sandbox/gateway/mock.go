package gateway

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/openapi"
	"gatewright/openapi/example"
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
	c := e.api.Contract
	e.record.keepMock()
	e.record.keepHead(e.conn, body, e.gateway.hide)
	o, ok := c.judge.Operation(e.method, e.target.path)
	if !ok {
		e.noExample("the contract " + c.judge.Lacks(e.method, e.target.path))
		return
	}
	a, err := c.example(o, preferredStatus(&e.conn.head))
	if err != nil {
		e.noExample(err.Error())
		return
	}
	fields := e.mockFields(a.Status, a.ContentType, len(a.Body))
	e.judged.answered(a.Status, fields, string(a.Body))
	e.send(a.Status, fields, string(a.Body))
}

// example is the example of the answer of an operation with a status, or, if that is 0, of the
// answer that all went well.
func (c *Contract) example(o *openapi.Operation, status int) (example.Answer, error) {
	// The document is for one goroutine.
	c.reading.Lock()
	defer c.reading.Unlock()
	if status != 0 {
		return example.OfStatus(c.document, o, status)
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

// preferredStatus is the status that a request asks for, as in Prefer: code=404
// (https://www.rfc-editor.org/rfc/rfc7240, with a preference that other mock servers of OpenAPI
// have too); 0 for none.
func preferredStatus(head *http1.Head) int {
	for _, f := range head.Fields {
		if !strings.EqualFold(f.Name, "Prefer") {
			continue
		}
		for part := range strings.FieldsFuncSeq(f.Value, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
			name, value, _ := strings.Cut(part, "=")
			if status, err := strconv.Atoi(strings.Trim(value, `"`)); strings.EqualFold(name, "code") && err == nil && status >= 200 && status <= 599 {
				return status
			}
		}
	}
	return 0
}

// noExample answers a request for which the contract has no example.
func (e *exchange) noExample(why string) {
	const fix = "add it to the contract, or serve the path with its function"
	e.record.keepRefusal(why, fix)
	e.note(http.StatusNotImplemented, logs.Warn, why+"; "+fix)
	text := message(why + "; " + fix)
	e.send(http.StatusNotImplemented, e.mockFields(http.StatusNotImplemented, "application/json", len(text)), text)
}

// mockFields are the headers of an answer that is an example. A function would let web pages
// read its answers, so this does too.
func (e *exchange) mockFields(status int, mediaType string, length int) []namedValues {
	var fields []namedValues
	if mediaType != "" {
		fields = append(fields, field("Content-Type", mediaType))
	}
	if hasBody(http.MethodGet, status) {
		fields = append(fields, field("Content-Length", strconv.Itoa(length)))
	}
	return e.id.fields(append(fields,
		field(MockHeader, "true"),
		field("Access-Control-Allow-Origin", "*"),
		field("Access-Control-Allow-Headers", model.CORSHeaders),
		field("Access-Control-Allow-Methods", model.CORSMethods),
		field("Access-Control-Expose-Headers", model.CORSExposed+","+MockHeader),
	))
}
