package http1

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// Field is one line of a head, without the space around its value.
type Field struct{ Name, Value string }

// Head is the head of a request.
type Head struct {
	Method string
	// Target is what stands between the method and the version.
	Target string
	// Old says that the request is of HTTP/1.0.
	Old    bool
	Fields []Field
	// Host is the Host header; a request of HTTP/1.0 may have none.
	Host string
	// Length is that of the body in bytes, -1 for one in chunks.
	Length int64
	// Close says that the client wants the connection closed after the answer.
	Close bool
	// Continue says that the client waits for 100 Continue before it sends the body.
	Continue bool
}

// Get is the first value of a header in any case, "" where there is none.
func (h *Head) Get(name string) string {
	for _, f := range h.Fields {
		if len(f.Name) == len(name) && strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Values are the values of a header among fields, whatever the case of its name.
func Values(fields []Field, name string) (values []string) {
	for _, f := range fields {
		if len(f.Name) == len(name) && strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// Error is a request that cannot be served, with the status that says so.
type Error struct {
	Status int
	Text   string
}

func (e *Error) Error() string { return e.Text }

func malformed(text string) *Error { return &Error{http.StatusBadRequest, text} }

// mostFields is how many headers a request may have: whoever looks for one in a
// list looks at all.
const mostFields = 1000

// parse reads a head from its bytes, which end with its last line's break. They
// may be used again afterwards.
func (h *Head) parse(raw []byte) error {
	*h = Head{Fields: h.Fields[:0]}
	// One text for all: the parts are parts of it.
	text := string(raw)
	line, rest := cutLine(text)
	if err := h.requestLine(line); err != nil {
		return err
	}
	hosts, lengths, encodings := 0, 0, 0
	keep := false
	for rest != "" {
		line, rest = cutLine(rest)
		name, value, ok := strings.Cut(line, ":")
		if !ok || !IsToken(name) {
			return malformed("a header is malformed")
		}
		value = strings.Trim(value, " \t")
		if !isValue(value) {
			return malformed("the header " + name + " has control characters")
		}
		if h.Fields = append(h.Fields, Field{name, value}); len(h.Fields) > mostFields {
			return &Error{http.StatusRequestHeaderFieldsTooLarge, "the head has over " + strconv.Itoa(mostFields) + " headers"}
		}
		switch len(name) {
		case len("host"):
			if strings.EqualFold(name, "host") {
				hosts++
				h.Host = value
			}
		case len("expect"):
			if strings.EqualFold(name, "expect") {
				if !strings.EqualFold(value, "100-continue") {
					return &Error{http.StatusExpectationFailed, "the request expects what is not known"}
				}
				h.Continue = !h.Old
			}
		case len("connection"):
			if strings.EqualFold(name, "connection") {
				h.Close = h.Close || hasToken(value, "close")
				keep = keep || hasToken(value, "keep-alive")
			}
		case len("content-length"):
			if strings.EqualFold(name, "content-length") {
				length, err := strconv.ParseUint(value, 10, 62)
				if err != nil || lengths > 0 && int64(length) != h.Length {
					return malformed("the body's length is malformed")
				}
				lengths++
				h.Length = int64(length)
			}
		case len("transfer-encoding"):
			if strings.EqualFold(name, "transfer-encoding") {
				if encodings++; encodings > 1 || !strings.EqualFold(value, "chunked") {
					return &Error{http.StatusNotImplemented, "the body is encoded in a way that is not known"}
				}
			}
		}
	}
	h.Close = h.Close || h.Old && !keep
	switch {
	case hosts > 1 || hosts == 0 && !h.Old:
		return malformed("a request has one Host header")
	case !isHost(h.Host):
		return malformed("the Host header is malformed")
	case encodings > 0 && (lengths > 0 || h.Old):
		return malformed("the body's length is told in two ways")
	case encodings > 0:
		h.Length = -1
	}
	return nil
}

func (h *Head) requestLine(line string) error {
	var version string
	var ok1, ok2 bool
	h.Method, line, ok1 = strings.Cut(line, " ")
	h.Target, version, ok2 = strings.Cut(line, " ")
	if !ok1 || !ok2 || !IsToken(h.Method) || !isTarget(h.Target) {
		return malformed("the request line is malformed")
	}
	switch version {
	case "HTTP/1.1":
	case "HTTP/1.0":
		h.Old = true
	default:
		if !strings.HasPrefix(version, "HTTP/") || strings.Contains(version, " ") {
			return malformed("the request line is malformed")
		}
		return &Error{http.StatusHTTPVersionNotSupported, "only HTTP/1.1 is spoken here"}
	}
	return nil
}

// headEnd is where a head ends: behind the line break of its last line, and behind
// the empty line. 0 is nowhere yet. from is up to where it was looked for before.
func headEnd(b []byte, from int) (fields, end int) {
	for at := max(0, from-3); ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return 0, 0
		}
		at += i + 1
		switch {
		case at < len(b) && b[at] == '\n':
			return at, at + 1
		case at+1 < len(b) && b[at] == '\r' && b[at+1] == '\n':
			return at, at + 2
		}
	}
}

// cutLine gives the first line without its break, and what is behind it.
func cutLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), rest
}

// tokens are the bytes that a name may have (RFC 9110, 5.6.2).
var tokens = func() (set [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		set[c] = true
	}
	return set
}()

// IsToken reports whether a text may be the name of a header or a method (RFC 9110,
// 5.6.2).
func IsToken(text string) bool {
	for i := range len(text) {
		if !tokens[text[i]] {
			return false
		}
	}
	return text != ""
}

func isValue(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

func isTarget(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c == 0x7f {
			return false
		}
	}
	return text != ""
}

// isHost reports whether a text has only bytes that a host and its port may have.
func isHost(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case tokens[c] && c != '^' && c != '`' && c != '|' && c != '#':
		case strings.IndexByte(":[]()@,;=", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func hasToken(list, token string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.Trim(item, " \t"), token) {
			return true
		}
	}
	return false
}
