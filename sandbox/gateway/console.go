package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Request is a request of the test feature of the API Gateway console
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-test-method.html).
type Request struct {
	// Environment and Label name the API.
	Environment, Label string
	Method             string
	// Path is raw, percent-encoded, without the stage; Query has no question mark.
	Path, Query string
	// Headers keep the case of their names.
	Headers http.Header
	Body    []byte
}

// Test is what the console's test shows.
type Test struct {
	Status  int
	Latency time.Duration
	Body    string
	Headers map[string][]string
	// Log is the execution log, a line each, without control characters.
	Log       []string
	RequestID string
	// Event is the function's input; nil if none is called, as for OPTIONS.
	Event json.RawMessage
}

// Values in the events of the console's test.
const (
	consoleStage  = "test-invoke-stage"
	consolePrefix = "testPrefix"
	consoleDomain = "testPrefix.testDomainName"
	consoleSource = "test-invoke-source-ip"
	consoleAgent  = "gatewright"
)

// ConsoleEvent is the event that the console's test makes of a request. If the API has no path for the
// request, the event's resource is the path of the request. The error is a *model.Problem.
func ConsoleEvent(api API, r Request, at time.Time) ([]byte, error) {
	if problem := r.check(); problem != nil {
		return nil, problem
	}
	s := newServed(api)
	path, _ := r.split()
	route, ok := s.router.Match(r.Method, path)
	if !ok {
		route = access.Route{Resource: path}
	}
	return consoleEvent(s, r, route, newIdentifiers("", at), at).json(), nil
}

func (r Request) check() *model.Problem {
	switch {
	case !slices.Contains(access.Methods, r.Method):
		return &model.Problem{
			Field: "method", Text: phrase.Quote(r.Method) + " is not a method of an API",
			Fix: "use one of " + strings.Join(access.Methods, ", "),
		}
	case !strings.HasPrefix(r.Path, "/"):
		return &model.Problem{
			Field: "path", Text: phrase.Quote(r.Path) + " does not start with /",
			Fix: "give one such as /items/1",
		}
	}
	return nil
}

// split returns the path with one slash at its beginning, and the query of the path and
// of the request in one.
func (r Request) split() (path, query string) {
	path, query, _ = strings.Cut(r.Path, "?")
	if query != "" && r.Query != "" {
		query += "&"
	}
	return "/" + strings.TrimLeft(path, "/"), query + strings.TrimPrefix(r.Query, "?")
}

// rawQuery is the query of the path and of the request in one.
func (r Request) rawQuery() string {
	_, query := r.split()
	return query
}

func consoleEvent(s *servedAPI, r Request, route access.Route, id identifiers, at time.Time) *event {
	path, query := r.split()
	return &event{
		console: true,
		api:     s, method: r.Method, resource: route.Resource, path: path, fullPath: path, params: route.Params,
		query: parseQuery(query), headers: givenHeaders(r.Headers), body: r.Body, isText: utf8.Valid(r.Body), id: id, at: at,
		domainName: consoleDomain, domainPrefix: consolePrefix, stage: consoleStage,
		sourceIP: consoleSource, userAgent: consoleAgent,
	}
}

// test finds the API and the route for a request of the console's test.
func (d *directory) test(r Request) (*servedAPI, access.Route, *model.Problem) {
	if problem := r.check(); problem != nil {
		return nil, access.Route{}, problem
	}
	s := d.byName[[2]string{r.Environment, r.Label}]
	if s == nil {
		return nil, access.Route{}, &model.Problem{
			Of:   model.Ref{Kind: model.KindAPI, Name: r.Label},
			Text: "is not served in environment " + phrase.Quote(r.Environment), Fix: "name an API of that environment",
		}
	}
	path, _ := r.split()
	route, ok := s.router.Match(r.Method, path)
	if !ok {
		return nil, access.Route{}, &model.Problem{
			Of:    model.Ref{Kind: model.KindAPI, Name: r.Label},
			Field: "path", Text: "no path serves " + phrase.Quote(path), Fix: "add one, or correct the path",
		}
	}
	return s, route, nil
}
