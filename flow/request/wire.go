package request

import (
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
)

// Wire is a request as it is sent: with the URL's path and not the parts of a form.
type Wire struct {
	Method string
	// Target is the URL's path without the stage, with its query.
	Target string
	// Headers are lines such as "X-Trace: 1". Those that hold credentials are filled in only with Credentials.
	Headers []string
	Body    string
	// As is who signs, as call.Signer writes it.
	As   string
	Test bool
	// Credentials says that headers with credentials are filled in too, because the person gave them.
	Credentials bool
}

// FillIn returns the form with a request to its API. It finds the path that serves the
// request, and keeps the environment and the API of f. An error leaves f as it was.
func (s *Snapshot) FillIn(f Form, w Wire) (Form, error) {
	router := s.router(f)
	if router == nil {
		return f, errNoEnvironment
	}
	method := strings.ToUpper(w.Method)
	raw, query, err := call.Target(w.Target)
	if err != nil {
		return f, err
	}
	route, ok := router.Match(method, raw)
	if !ok {
		return f, problem("path", "no path of the API "+phrase.Quote(f.API)+" serves "+phrase.Quote(method+" "+raw),
			"choose another API, or correct the request")
	}
	filled := Form{
		Environment: f.Environment, API: f.API, Method: method, Query: query, Body: w.Body,
		As: call.ReadSigner(w.As), Test: w.Test,
	}
	filled.served(route, raw)
	for _, line := range filledLines(w.Headers) {
		if name, _, _ := strings.Cut(line, ":"); w.Credentials || !saved.IsSecret(name) {
			filled.Headers = append(filled.Headers, line)
		}
	}
	if filled.As == f.As {
		filled.Groups, filled.Missing = f.Groups, f.Missing
	}
	s.Complete(&filled)
	return filled, nil
}
