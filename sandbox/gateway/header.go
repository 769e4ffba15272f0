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

// find is where a header is by its name in any case; -1 where it is not.
func find(headers []namedValues, name string) int {
	for i := range headers {
		if len(headers[i].name) == len(name) && strings.EqualFold(headers[i].name, name) {
			return i
		}
	}
	return -1
}

// cloudHeaders is how many bytes all headers of a message may have in the cloud,
// names, values and what is between them (its quotas for REST APIs; what it answers
// to more is not recorded).
const cloudHeaders = 10240

// sizeOf is how many bytes headers have on the wire.
func sizeOf(headers []namedValues) int {
	size := 0
	for _, h := range headers {
		for _, v := range h.values {
			size += len(h.name) + len(v) + len(": \r\n")
		}
	}
	return size
}

// last is the last value of a header, "" where there is none.
func last(headers []namedValues, name string) string {
	at := find(headers, name)
	if at < 0 {
		return ""
	}
	values := headers[at].values
	return values[len(values)-1]
}

// longestKnown is the length of the longest name that something is known about.
const longestKnownName = 24

// lower writes a name in lower case; "" stands for one too long to be known.
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

// What becomes of a client's headers on the way to a function (research/sandbox.md
// 2.1): those of false are dropped, or the gateway gives them itself. The cloud
// writes the names of the others its own way.
var (
	passedOn = map[string]bool{
		"connection": false, "content-length": false, "content-md5": false, "expect": false, "max-forwards": false,
		"proxy-authenticate": false, "server": false, "te": false, "transfer-encoding": false, "trailer": false,
		"upgrade": false, "www-authenticate": false,
		"host": false, "x-amzn-trace-id": false, "x-forwarded-for": false, "x-forwarded-port": false, "x-forwarded-proto": false,
		"authorization": true, "user-agent": true,
	}
	canonical = map[string]string{"authorization": "Authorization", "user-agent": "User-Agent"}
)

// requestHeaders are a request's headers for the event, by name: those of the
// client in its own case, less what is dropped, and those that the gateway adds.
// Of a name that is written in several ways the first counts. Of a request that
// was let in for its signature a function sees no Authorization header, though the
// other headers of the signature (events of such requests that public projects keep
// have x-amz-date and x-amz-security-token, and no Authorization).
func requestHeaders(head *http1.Head, source, port string, t trace, signed bool) []namedValues {
	headers := make([]namedValues, 0, len(head.Fields)+5)
	// One array holds all values: most headers have one.
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

// givenHeaders are the headers of a console test, by name; nil where there are
// none.
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

// text is a value as text: bytes that are not UTF-8 are read as Latin-1, so that
// none is lost.
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
