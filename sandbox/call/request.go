// Package call sends a request to an API that a sandbox serves, as a client or as the test
// of the API Gateway console, and collects the answer with its log lines.
package call

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
)

// Request is one request to an API.
type Request struct {
	Method string
	// Path is raw, as Target returns it, without the stage; Query has no question mark.
	Path, Query string
	// Headers keep the case of their names.
	Headers http.Header
	Body    []byte
	// As is who signs the request; nil for an unsigned one.
	As *identitypool.Signer
	// Test is set for a test of the API Gateway console, which does not check access.
	Test bool
	// Function is the function whose log lines of this request are wanted, or "".
	// Waiting for its log takes a moment longer.
	Function string
}

// Target returns the path and the query of a text such as /books/1?limit=10. Characters
// that URLs do not allow are percent-encoded; existing escapes are kept.
func Target(text string) (path, query string, err error) {
	path, query, _ = strings.Cut(text, "?")
	if !strings.HasPrefix(path, "/") {
		return "", "", fmt.Errorf("the path %s does not begin with /; give one such as /books", phrase.Quote(path))
	}
	if _, err := url.ParseRequestURI(path); err != nil {
		return "", "",
			fmt.Errorf("the path %s is not valid; write %% only before two hexadecimal digits, and no control characters",
				phrase.Quote(path))
	}
	// EscapedPath would encode the whole path again if it has to encode one character,
	// and turn %2F into a slash.
	return encoded(path, "\"<>#\\^`{|}"), Query(query), nil
}

// Query is a query string with the characters percent-encoded that URLs do not allow.
func Query(query string) string { return encoded(query, `"<>#`) }

// Segment is a text as one segment of a path: its slashes are encoded. Existing escapes
// are kept.
func Segment(text string) string { return encoded(text, "/?\"<>#\\^`{|}") }

// encoded percent-encodes these characters of a text and all that are not visible ASCII.
func encoded(text, characters string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(characters, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Header reads a header line such as "X-Trace: 1".
func Header(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, ":")
	if !ok || !http1.IsToken(name) || strings.ContainsAny(value, "\r\n\x00") {
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}

// HeaderLines are headers as Header reads them, sorted by name.
func HeaderLines(headers http.Header) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			lines = append(lines, name+": "+value)
		}
	}
	return lines
}

// signatureHeaders are the headers that signing sets.
var signatureHeaders = []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"}

// SignatureHeader reports whether signing sets a header, and returns its usual spelling.
func SignatureHeader(name string) (string, bool) {
	i := slices.IndexFunc(signatureHeaders, func(h string) bool { return strings.EqualFold(strings.TrimSpace(name), h) })
	if i < 0 {
		return "", false
	}
	return signatureHeaders[i], true
}

// HasHeader reports whether headers have a name, whatever its case.
func HasHeader(headers http.Header, name string) bool {
	for have := range headers {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

// target is the request target: the path with the query.
func (r Request) target() string {
	if r.Query == "" {
		return r.Path
	}
	return r.Path + "?" + r.Query
}
