package gateway

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/sandbox/http1"
)

// namedValues is one header with all its values.
type namedValues struct {
	name   string
	values []string
}

// find is the index of a header, whatever the case of its name, or -1.
func find(headers []namedValues, name string) int {
	for i := range headers {
		if len(headers[i].name) == len(name) && strings.EqualFold(headers[i].name, name) {
			return i
		}
	}
	return -1
}

// cloudHeaders is API Gateway's limit of all headers of a message together, in bytes with
// names, values, white space and line breaks, but without the request line. What happens to
// the answer of a function that has more is not documented.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
const cloudHeaders = 10240

// sizeOf is the size of headers in HTTP/1.1, in bytes.
func sizeOf(headers []namedValues) int {
	size := 0
	for _, h := range headers {
		for _, v := range h.values {
			size += len(h.name) + len(v) + len(": \r\n")
		}
	}
	return size
}

// last is the last value of a header, or "".
func last(headers []namedValues, name string) string {
	at := find(headers, name)
	if at < 0 {
		return ""
	}
	values := headers[at].values
	return values[len(values)-1]
}

// longestKnownName is the length of the longest name in passedOn and treatments.
const longestKnownName = 24

// lower writes a name in lower case into a buffer; nil if it is longer than all known
// names.
func lower(name string, to *[longestKnownName]byte) []byte {
	if len(name) > longestKnownName {
		return nil
	}
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		to[i] = c
	}
	return to[:len(name)]
}

// passedOn has the request headers that API Gateway treats specially, as in the recordings: it passes those
// with true on under their names in canonical, and drops or replaces those with false.
var (
	passedOn = map[string]bool{
		"connection": false, "content-length": false, "content-md5": false, "expect": false, "max-forwards": false,
		"proxy-authenticate": false, "server": false, "te": false, "transfer-encoding": false, "trailer": false,
		"upgrade": false, "www-authenticate": false,
		"host": false, "x-amzn-trace-id": false, "x-forwarded-for": false, "x-forwarded-port": false,
		"x-forwarded-proto": false,
		"authorization":     true, "user-agent": true,
	}
	canonical = map[string]string{"authorization": "Authorization", "user-agent": "User-Agent"}
)

// requestHeaders are the headers of the event, sorted by name: the client's, in its own case, and the
// gateway's. A name in several spellings gets the first one. If the caller signed, the Authorization header
// is left out, but the other headers of the signature are not. (Public projects keep such events: they have
// x-amz-date and x-amz-security-token, and no Authorization.)
func requestHeaders(head *http1.Head, source, port string, t trace, signed bool) []namedValues {
	headers := make([]namedValues, 0, len(head.Fields)+5)
	// One array holds the values of all headers: most have one.
	values := make([]string, 0, len(head.Fields)+5)
	one := func(value string) []string {
		values = append(values, value)
		return values[len(values)-1 : len(values) : len(values)]
	}
	var forwarded []string
	for _, f := range head.Fields {
		name, value := f.Name, text(f.Value)
		var buffer [longestKnownName]byte
		key := lower(name, &buffer)
		if pass, listed := passedOn[string(key)]; listed && !pass {
			if string(key) == "x-forwarded-for" {
				forwarded = append(forwarded, value)
			}
			continue
		} else if listed {
			if name = canonical[string(key)]; signed && name == "Authorization" {
				continue
			}
		}
		if at := find(headers, name); at >= 0 {
			headers[at].values = append(headers[at].values, value)
			continue
		}
		headers = append(headers, namedValues{name, one(value)})
	}
	headers = append(
		headers,
		namedValues{"Host", one(head.Host)},
		namedValues{"X-Amzn-Trace-Id", one(t.event())},
		namedValues{"X-Forwarded-For", one(strings.Join(append(forwarded, source), ", "))},
		namedValues{"X-Forwarded-Port", one(port)},
		namedValues{"X-Forwarded-Proto", one("http")},
	)
	slices.SortFunc(headers, func(a, b namedValues) int { return strings.Compare(a.name, b.name) })
	return headers
}

// givenHeaders are the headers of a console test, sorted by name; nil if it has none.
func givenHeaders(h http.Header) []namedValues {
	var headers []namedValues
	for name, values := range h {
		if len(values) == 0 {
			continue
		}
		values = slices.Clone(values)
		for i := range values {
			values[i] = text(values[i])
		}
		headers = append(headers, namedValues{name, values})
	}
	slices.SortFunc(headers, func(a, b namedValues) int { return strings.Compare(a.name, b.name) })
	return headers
}

// text is a header value as UTF-8. A value that is not UTF-8 is read as Latin-1, which
// loses no byte.
func text(value string) string {
	if utf8.ValidString(value) {
		return value
	}
	runes := make([]rune, len(value))
	for i := range len(value) {
		runes[i] = rune(value[i])
	}
	return string(runes)
}
