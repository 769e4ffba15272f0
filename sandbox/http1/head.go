package http1

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// Field is one header line, without the space around its value.
type Field struct{ Name, Value string }

// Head is the head of a request.
type Head struct {
	Method string
	// Target is the raw request target.
	Target string
	// Old is set for a request of HTTP/1.0.
	Old    bool
	Fields []Field
	// Host is the Host header, or "" in HTTP/1.0.
	Host string
	// Size is the size of all header lines in bytes, with their line breaks.
	Size int
	// BareLineFeeds is set if a line of the head ends in a line feed alone. RFC 9112, section
	// 2.2, lets a recipient take that for a line break.
	BareLineFeeds bool
	// Length is the length of the body in bytes, or -1 for a chunked body.
	Length int64
	// Close is set if the connection has to be closed after the answer.
	Close bool
	// Continue is set if the client waits for 100 Continue before it sends the body.
	Continue bool
}

// Get is the first value of a header, whatever the case of its name, or "".
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

// Error is the error of an invalid request, with the status of the answer.
type Error struct {
	Status int
	Text   string
}

func (e *Error) Error() string { return e.Text }

func malformed(text string) *Error { return &Error{http.StatusBadRequest, text} }

// maxFields is how many headers a request may have: looking one up takes a pass over all.
const maxFields = 1000

// parse reads a head from its bytes, which end with the line break of its last line. It
// keeps none of the bytes.
func (h *Head) parse(raw []byte) error {
	*h = Head{Fields: h.Fields[:0]}
	// All parts share this one string.
	text := string(raw)
	line, rest, bare := cutLine(text)
	if err := h.requestLine(line); err != nil {
		return err
	}
	h.Size = len(rest)
	h.BareLineFeeds = bare
	hosts, lengths, encodings := 0, 0, 0
	keep := false
	for rest != "" {
		line, rest, bare = cutLine(rest)
		h.BareLineFeeds = h.BareLineFeeds || bare
		name, value, ok := strings.Cut(line, ":")
		if !ok || !IsToken(name) {
			return malformed("a header is malformed")
		}
		value = strings.Trim(value, " \t")
		if !isValue(value) {
			return malformed("the header " + name + " has control characters")
		}
		if h.Fields = append(h.Fields, Field{name, value}); len(h.Fields) > maxFields {
			return &Error{http.StatusRequestHeaderFieldsTooLarge, "the head has over " + strconv.Itoa(maxFields) + " headers"}
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
					return &Error{http.StatusExpectationFailed, "the Expect header is not 100-continue"}
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
					return malformed("the Content-Length header is malformed")
				}
				lengths++
				h.Length = int64(length)
			}
		case len("transfer-encoding"):
			if strings.EqualFold(name, "transfer-encoding") {
				if encodings++; encodings > 1 || !strings.EqualFold(value, "chunked") {
					return &Error{http.StatusNotImplemented, "the Transfer-Encoding is not chunked"}
				}
			}
		}
	}
	h.Close = h.Close || h.Old && !keep
	switch {
	case hosts > 1 || hosts == 0 && !h.Old:
		return malformed("the request does not have one Host header")
	case !isHost(h.Host):
		return malformed("the Host header is malformed")
	case encodings > 0 && (lengths > 0 || h.Old):
		return malformed("the body's length is given in two ways")
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
		return &Error{http.StatusHTTPVersionNotSupported, "the version is not HTTP/1.1"}
	}
	return nil
}

// headEnd finds the end of a head: fields is after its last line, end after the empty line; both are 0 if the
// head is incomplete. The bytes before searched have been searched already.
func headEnd(b []byte, searched int) (fields, end int) {
	for at := max(0, searched-3); ; {
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

// cutLine returns the first line without its line break, and the rest. bare says that the
// line ends in a line feed alone.
func cutLine(text string) (line, rest string, bare bool) {
	line, rest, _ = strings.Cut(text, "\n")
	line, whole := strings.CutSuffix(line, "\r")
	return line, rest, !whole
}

// tokenBytes are the bytes of a token (RFC 9110, section 5.6.2).
var tokenBytes = func() (set [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		set[c] = true
	}
	return set
}()

// IsToken reports whether a text is a token of HTTP (RFC 9110, section 5.6.2), as names of
// headers and methods are.
func IsToken(text string) bool {
	for i := range len(text) {
		if !tokenBytes[text[i]] {
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
		case tokenBytes[c] && c != '^' && c != '`' && c != '|' && c != '#':
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
