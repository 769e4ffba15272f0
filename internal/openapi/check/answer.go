package check

import (
	"net/http"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// answer is an answer of an operation.
type answer struct {
	place
	// status is such as 200, 4XX or default.
	status   string
	headers  []parameter
	contents []content
}

func (m maker) answers(made *operation, o *openapi.Operation) {
	for _, a := range m.document.Answers(o) {
		ready := answer{place: placeOfNode(a.Node), status: strings.ToUpper(a.Status), contents: m.contents(a.Contents)}
		headers := a.Node.Get("headers")
		if headers != nil && headers.Kind == cfn.Map {
			for _, h := range headers.Members {
				node, err := m.document.Resolve(h.Value)
				if err != nil || strings.EqualFold(h.Name, "Content-Type") {
					continue
				}
				schema := node.Get("schema")
				if m.document.Swagger() {
					schema = node
				}
				ready.headers = append(ready.headers,
					m.parameter(h.Name, "header", openapi.IsTrue(node.Get("required")), node, schema))
			}
		}
		made.answers = append(made.answers, ready)
		made.statuses = append(made.statuses, a.Status)
	}
}

// answerFor returns the answer of a status: its own, that of its class such as 4XX, or the
// default one.
func (o *operation) answerFor(status int) *answer {
	code := strconv.Itoa(status)
	for _, wanted := range []string{code, code[:1] + "XX", "DEFAULT"} {
		for i := range o.answers {
			if o.answers[i].status == wanted {
				return &o.answers[i]
			}
		}
	}
	return nil
}

// answer judges an answer to a method of an operation.
func (j *judgement) answer(o *operation, method string, a Answer) {
	is := o.answerFor(a.Status)
	if is == nil {
		j.add("", "has the status "+strconv.Itoa(a.Status)+", and the contract has "+joined(o.statuses), o.place)
		return
	}
	for _, h := range is.headers {
		j.parameter(h, "header "+h.name, headerValues(a.Header, h.name))
	}
	switch {
	case method == http.MethodHead, a.Status < 200, a.Status == http.StatusNoContent, a.Status == http.StatusNotModified,
		len(is.contents) == 0:
	case len(a.Body) == 0:
		j.add("body", "is missing", is.place)
	default:
		j.body(is.contents, a.Header, a.Body, is.place, true)
	}
}
