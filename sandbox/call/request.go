// Package call sends a request to an API that a sandbox serves, as a client would
// or as the test of the gateway's console does, and gathers all that is known of
// the answer.
package call

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
)

// Request is one request to an API.
type Request struct {
	Method string
	// Path is raw, as Target makes it, without the stage; Query has no question mark.
	Path, Query string
	// Headers keep the case that their keys have.
	Headers http.Header
	Body    []byte
	// As is who signs; nil where nobody does.
	As *identitypool.Signer
	// Test says that it is the test of the gateway's console, which refuses nobody.
	Test bool
	// Function is the one whose log lines of this very request are wanted; "" for
	// none. The answer takes a moment longer then.
	Function string
}

// Target is the path and the query of a text such as /books/1?limit=10, both as
// they stand in a URL: what is encoded already stays as it is.
func Target(text string) (path, query string, err error) {
	path, query, _ = strings.Cut(text, "?")
	if !strings.HasPrefix(path, "/") {
		return "", "", fmt.Errorf("the path %s does not begin with /; give one such as /books", model.Quote(path))
	}
	if _, err := url.ParseRequestURI(path); err != nil {
		return "", "", fmt.Errorf("%s is no path: a %% stands before two hexadecimal digits, and no character may steer a terminal", model.Quote(path))
	}
	// Not EscapedPath: where it has to encode one character it writes all others
	// anew, and %2F is a slash then.
	return encoded(path, "\"<>#\\^`{|}"), Query(query), nil
}

// Query is a query string in which nothing is left that cannot stand in one.
func Query(query string) string { return encoded(query, `"<>#`) }

// Segment is a text as one segment of a path: a slash in it does not divide it.
// What is encoded already stays as it is.
func Segment(text string) string { return encoded(text, "/?\"<>#\\^`{|}") }

// encoded is a text with what is no visible ASCII, and these characters, encoded;
// what is encoded already stays as it is.
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

// Header reads a header such as "X-Trace: 1"; false where it is none.
func Header(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, ":")
	if !ok || !http1.IsToken(name) || strings.ContainsAny(value, "\r\n\x00") {
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}

// HeaderLines are headers as Header reads them, by their names.
func HeaderLines(headers http.Header) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			lines = append(lines, name+": "+value)
		}
	}
	return lines
}

// own are the headers that a signature makes.
var own = []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"}

// SignedBy reports whether a header is one that signing makes, and its name as
// signing writes it.
func SignedBy(name string) (string, bool) {
	i := slices.IndexFunc(own, func(o string) bool { return strings.EqualFold(strings.TrimSpace(name), o) })
	if i < 0 {
		return "", false
	}
	return own[i], true
}

// HasHeader reports whether there is a header of that name, whatever its case.
func HasHeader(headers http.Header, name string) bool {
	for have := range headers {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

// target is the path with the query.
func (r Request) target() string {
	if r.Query == "" {
		return r.Path
	}
	return r.Path + "?" + r.Query
}
