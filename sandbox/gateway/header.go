package gateway

import (
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"unicode/utf8"
)

// header is one header of a request with all its values, its name as the client
// wrote it.
type header struct {
	name   string
	values []string
}

// dropped are the headers that never reach a function (research/sandbox.md 2.1),
// in the form that net/http gives them.
var dropped = map[string]bool{
	"Connection": true, "Content-Length": true, "Content-Md5": true, "Expect": true, "Max-Forwards": true,
	"Proxy-Authenticate": true, "Server": true, "Te": true, "Transfer-Encoding": true, "Trailer": true,
	"Upgrade": true, "Www-Authenticate": true,
}

// canonical are the headers whose name the cloud writes itself.
var canonical = map[string]bool{
	"Authorization": true, "User-Agent": true, "Host": true,
	"X-Forwarded-For": true, "X-Forwarded-Port": true, "X-Forwarded-Proto": true, "X-Amzn-Trace-Id": true,
}

// requestHeaders are a request's headers for the event, by name: those of the
// client in its own case, less what is dropped, and those that the gateway adds.
// odd has the client's spelling of names that net/http writes otherwise.
func requestHeaders(r *http.Request, odd []string, source, port string, t trace) []header {
	spelling := spellings(odd)
	headers := make([]header, 0, len(r.Header)+5)
	for name, values := range r.Header {
		if dropped[name] || name == "X-Forwarded-For" || name == "X-Forwarded-Port" || name == "X-Forwarded-Proto" || name == "X-Amzn-Trace-Id" {
			continue
		}
		if raw, ok := spelling[name]; ok && !canonical[name] {
			name = raw
		}
		headers = append(headers, header{name, texts(values)})
	}
	headers = append(
		headers,
		header{"Host", []string{r.Host}},
		header{"X-Amzn-Trace-Id", []string{t.event()}},
		header{"X-Forwarded-For", []string{forwardedFor(r, source)}},
		header{"X-Forwarded-Port", []string{port}},
		header{"X-Forwarded-Proto", []string{"http"}},
	)
	slices.SortFunc(headers, func(a, b header) int { return strings.Compare(a.name, b.name) })
	return headers
}

func forwardedFor(r *http.Request, source string) string {
	return strings.Join(append(texts(r.Header["X-Forwarded-For"]), source), ", ")
}

// spellings finds the client's spelling of a name by the name that net/http
// uses; the first of several counts.
func spellings(odd []string) map[string]string {
	if len(odd) == 0 {
		return nil
	}
	m := make(map[string]string, len(odd))
	for _, raw := range odd {
		name := textproto.CanonicalMIMEHeaderKey(raw)
		if _, known := m[name]; !known {
			m[name] = raw
		}
	}
	return m
}

// givenHeaders are the headers of a console test, by name; nil where there are
// none.
func givenHeaders(h http.Header) []header {
	var headers []header
	for name, values := range h {
		if len(values) > 0 {
			headers = append(headers, header{name, texts(values)})
		}
	}
	slices.SortFunc(headers, func(a, b header) int { return strings.Compare(a.name, b.name) })
	return headers
}

// texts are values as text: bytes that are not UTF-8 are read as Latin-1, so
// that none is lost.
func texts(values []string) []string {
	for i, v := range values {
		if !utf8.ValidString(v) {
			values = slices.Clone(values)
			values[i] = latin1(v)
		}
	}
	return values
}

func latin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
