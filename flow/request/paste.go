package request

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gatewright/flow/request/curl"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// IsCurl reports whether a text is a command of curl.
func IsCurl(text string) bool { return curl.Is(text) }

// FillCurl returns the form with the request of a command of curl, and notes about what of it
// was left out or not understood. The URL may be one of the sandbox, of a deployed API or of
// another server: of its path, the part that an API serves is taken.
func (s *Snapshot) FillCurl(f Form, text string) (Form, []string, error) {
	command, err := curl.Parse(text)
	if err != nil {
		return f, nil, err
	}
	target, err := targetOf(command.URL)
	if err != nil {
		return f, nil, err
	}
	to, w := f, Wire{Method: command.Method, Headers: command.Headers, Body: command.Body, Credentials: true}
	if to.API, w.Target = s.leadsTo(f, command.Method, command.URL, target); w.Target == "" {
		return f, nil,
			problem("url", "no path of an API serves "+phrase.Quote(command.Method+" "+target),
				"add the path, or paste a request to an API of this project")
	}
	if command.User != "" {
		w.As = call.Signer(identitypool.Signer{User: command.User})
	}
	filled, err := s.FillIn(to, w)
	return filled, command.Notes, err
}

// targetOf is the path and the query of a URL. A URL without a scheme has HTTP.
func targetOf(text string) (string, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	_, rest, _ := strings.Cut(text, "://")
	rest, _, _ = strings.Cut(rest, "#")
	at := strings.IndexAny(rest, "/?")
	if at < 0 {
		return "/", nil
	}
	target := rest[at:]
	if target[0] == '?' {
		target = "/" + target
	}
	path, query, _ := strings.Cut(target, "?")
	if _, err := url.ParseRequestURI(strings.Map(printableInURL, path)); err != nil {
		return "", fmt.Errorf("the URL %s is not valid", phrase.Quote(text))
	}
	if query != "" {
		path += "?" + query
	}
	return path, nil
}

// printableInURL replaces what call.Target encodes.
func printableInURL(r rune) rune {
	if r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>#\\^`{|}", r) {
		return '_'
	}
	return r
}

// leadsTo finds the API that a URL leads to, and the target below its stage; "" for none. A served API's own address
// goes first; else the stage and the id before it may be in the path or not.
func (s *Snapshot) leadsTo(f Form, method, address, target string) (api, below string) {
	for _, served := range s.Status.APIs {
		if rest, own := strings.CutPrefix(address, served.Endpoint); own && served.Environment == f.Environment {
			return served.Label, rootOf(rest)
		}
	}
	env := s.EnvironmentOf(f)
	if env == nil {
		return "", ""
	}
	const mostPrefixes = 2
	labels := env.backend.Names(model.KindAPI)
	// The API of the form goes first.
	slices.SortStableFunc(labels, func(a, b string) int {
		if (a == f.API) == (b == f.API) {
			return 0
		}
		if a == f.API {
			return -1
		}
		return 1
	})
	for range mostPrefixes + 1 {
		for _, label := range labels {
			raw, _, err := call.Target(target)
			if err != nil {
				return "", ""
			}
			if _, ok := env.routers[label]().Match(method, raw); ok {
				return label, target
			}
		}
		_, rest, more := strings.Cut(target[1:], "/")
		if !more {
			return "", ""
		}
		target = "/" + rest
	}
	return "", ""
}

// rootOf is a target that begins with a slash.
func rootOf(target string) string {
	if !strings.HasPrefix(target, "/") {
		return "/" + target
	}
	return target
}
