package gateway

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/check"
	"gatewright/internal/openapi/example"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// Contract is the document of OpenAPI that is kept next to an API.
type Contract struct {
	document *openapi.Document
	judge    *check.Contract
	// reading is held while the document is read, which is for one goroutine, and examples are
	// looked up: the answers that were made for requests that ask for no status.
	reading  sync.Mutex
	examples map[*openapi.Operation]example.Answer
	// told has the breaches that the person who runs the sandbox was told of.
	told struct {
		sync.Mutex
		texts map[string]bool
	}
}

// NewContract makes a contract of a document, whose name is that of its file in the project.
func NewContract(d *openapi.Document) *Contract {
	return &Contract{document: d, judge: check.New(d), examples: make(map[*openapi.Operation]example.Answer)}
}

// Unjudged are the parts of the contract that no request or answer is checked against, such as a
// pattern that Go cannot read, as texts.
func (c *Contract) Unjudged() []string {
	var texts []string
	for _, f := range c.judge.Unjudged() {
		texts = append(texts, c.text(f))
	}
	return texts
}

// text is a finding with its place.
func (c *Contract) text(f check.Finding) string {
	text := f.Where + " " + f.Text
	if f.Line == 0 {
		return text
	}
	return fmt.Sprintf("%s (%s:%d:%d)", text, c.document.Name, f.Line, f.Column)
}

// Breach is one way in which a request, or its answer, breaks the contract of its API.
type Breach struct {
	Environment, API string
	// Text is one line: the operation, and what breaks the contract.
	Text string
}

// judged is a request that is checked against a contract; nil is one that is not.
type judged struct {
	api      *servedAPI
	request  check.Request
	findings []check.Finding
}

// judge holds a request against the contract of its API, if that is asked for.
func (s *servedAPI) judge(e *event) *judged {
	if s.Contract == nil || !s.CheckContract {
		return nil
	}
	j := &judged{api: s, request: check.Request{
		Method: e.method, Path: e.path, Query: make(url.Values, len(e.query)), Header: headerOf(e.headers), Body: e.body,
	}}
	for _, p := range e.query {
		j.request.Query[p.name] = p.values
	}
	j.findings = s.Contract.judge.Request(j.request)
	return j
}

// answered holds the answer of the function against the contract too.
func (j *judged) answered(status int, header []namedValues, body string) {
	if j != nil {
		j.findings = append(j.findings,
			j.api.Contract.judge.Answer(j.request,
				check.Answer{Status: status, Header: headerOf(header), Body: []byte(body)})...)
	}
}

// headerOf copies headers, whose names get their usual spelling.
func headerOf(headers []namedValues) http.Header {
	h := make(http.Header, len(headers))
	for _, each := range headers {
		for _, value := range each.values {
			h.Add(each.name, value)
		}
	}
	return h
}

// tellBreaches tells the log, the record of the request, and once of each the person who runs the sandbox,
// how a request and its answer break the contract. sentence completes a text for the log.
func (g *Gateway) tellBreaches(j *judged, r *record, request string, sentence func(string) string) {
	if j == nil {
		return
	}
	for _, f := range j.findings {
		text := r.clean(j.api.Contract.text(f))
		if f.Unchecked {
			g.tellOnce(j, f, ": "+text)
			continue
		}
		g.note(j.api.Environment, request, logs.Warn, sentence(traffic.BreaksContract+text))
		r.keepBreach(text)
		g.tellOnce(j, f, " "+traffic.BreaksContract+text)
	}
}

// mostTold is how many breaches of one API the person who runs the sandbox sees. The
// log and the requests have all.
const mostTold = 100

// tellOnce tells of a finding if no other request of the operation had it.
func (g *Gateway) tellOnce(j *judged, f check.Finding, text string) {
	if g.options.Breach == nil {
		return
	}
	operation := phrase.Quote(j.request.Method)
	if o, ok := j.api.Contract.judge.Operation(j.request.Method, j.request.Path); ok {
		operation += " " + phrase.Quote(o.Item.Name)
	}
	told := &j.api.Contract.told
	told.Lock()
	defer told.Unlock()
	key := strings.Join([]string{j.api.Environment, operation, f.Where, f.Text}, "\x00")
	if told.texts[key] || len(told.texts) >= mostTold {
		return
	}
	if told.texts == nil {
		told.texts = make(map[string]bool)
	}
	told.texts[key] = true
	if len(told.texts) == mostTold {
		text += "; further ones are in the log only"
	}
	g.options.Breach(Breach{Environment: j.api.Environment, API: j.api.Label, Text: operation + text})
}
