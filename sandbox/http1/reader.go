package http1

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Reader reads the requests of one connection, one after another: Await, Head,
// then the body by Read to its end.
type Reader struct {
	source  io.Reader
	longest int
	// What was read and not yet used is buf[at:end].
	buf     []byte
	at, end int
	// left is what is left of the body, or of the chunk that is read; trailing is
	// how many bytes of trailers there were.
	left     int64
	trailing int
	body     bodyState
}

type bodyState uint8

const (
	noBody bodyState = iota
	plainBody
	chunkSize
	chunkData
	chunkEnd
	trailers
)

// usualBuffer holds the head of most requests.
const usualBuffer = 4 << 10

// NewReader reads from source heads of at most longest bytes.
func NewReader(source io.Reader, longest int) *Reader {
	return &Reader{source: source, longest: longest, buf: make([]byte, usualBuffer)}
}

// Await returns when the first byte of the next head is there, or with the error
// of the source. The body before it must have been read to its end.
func (r *Reader) Await() error {
	for {
		// An empty line before a request is forgiven (RFC 9112, 2.2).
		for r.at < r.end && (r.buf[r.at] == '\r' || r.buf[r.at] == '\n') {
			r.at++
		}
		if r.at < r.end {
			return nil
		}
		r.at, r.end = 0, 0
		if len(r.buf) > 4*usualBuffer {
			r.buf = make([]byte, usualBuffer)
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// Head reads the head that Await has seen. The error is an *Error where the
// request is at fault, which ends what can be read.
func (r *Reader) Head(h *Head) error {
	// What is said to an https address has no line that an end could be waited for.
	if !tokens[r.buf[r.at]] {
		return malformed("it begins with no method")
	}
	for looked := 0; ; {
		fields, end := headEnd(r.buf[r.at:r.end], looked)
		if end > r.longest {
			return r.tooLong()
		}
		if end > 0 {
			if err := h.parse(r.buf[r.at : r.at+fields]); err != nil {
				return err
			}
			r.at += end
			r.begin(h)
			return nil
		}
		if looked = r.end - r.at; looked > r.longest {
			return r.tooLong()
		}
		if err := r.fill(); err != nil {
			return unexpected(err)
		}
	}
}

func (r *Reader) tooLong() *Error {
	return &Error{http.StatusRequestHeaderFieldsTooLarge, "the head is over " + strconv.Itoa(r.longest) + " bytes"}
}

func (r *Reader) begin(h *Head) {
	r.trailing = 0
	switch {
	case h.Length < 0:
		r.body = chunkSize
	case h.Length > 0:
		r.body, r.left = plainBody, h.Length
	default:
		r.body = noBody
	}
}

// Unread reports whether the body has not come to its end.
func (r *Reader) Unread() bool { return r.body != noBody }

// Read reads from the body; io.EOF is its end. An *Error is a body that is not
// encoded as it should be, io.ErrUnexpectedEOF one that breaks off.
func (r *Reader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		switch r.body {
		case noBody:
			return 0, io.EOF
		case plainBody, chunkData:
			n, err := r.some(p[:min(int64(len(p)), r.left)])
			if r.left -= int64(n); r.left == 0 {
				if r.body == chunkData {
					r.body = chunkEnd
				} else {
					r.body = noBody
				}
			}
			if n > 0 {
				err = nil
			}
			return n, unexpected(err)
		default:
			if err := r.framing(); err != nil {
				return 0, unexpected(err)
			}
		}
	}
	return 0, nil
}

// framing reads one of the lines between the chunks.
func (r *Reader) framing() error {
	line, err := r.line()
	if err != nil {
		return err
	}
	switch r.body {
	case chunkSize:
		size, ok := parseChunkSize(line)
		if !ok {
			return malformed("the size of a chunk is malformed")
		}
		r.body, r.left = chunkData, size
		if size == 0 {
			r.body = trailers
		}
	case chunkEnd:
		if line != "" {
			return malformed("a chunk is longer than its size")
		}
		r.body = chunkSize
	case trailers:
		if r.trailing += len(line); r.trailing > r.longest {
			return malformed("the trailers are too long")
		}
		if line == "" {
			r.body = noBody
		} else if name, _, ok := strings.Cut(line, ":"); !ok || !IsToken(name) {
			return malformed("a trailer is malformed")
		}
	}
	return nil
}

// parseChunkSize reads the size of a chunk; extensions do not count.
func parseChunkSize(line string) (int64, bool) {
	var size int64
	digits := 0
	for ; digits < len(line); digits++ {
		var digit byte
		switch c := line[digits]; {
		case '0' <= c && c <= '9':
			digit = c - '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			digit = c | 0x20 - 'a' + 10
		default:
			// Space may end it, and nothing else may stand behind that.
			return size, digits > 0 && (c == ';' || strings.Trim(line[digits:], " \t") == "")
		}
		if digits >= 15 {
			return 0, false
		}
		size = size<<4 | int64(digit)
	}
	return size, digits > 0
}

// line reads a line of the framing.
func (r *Reader) line() (string, error) {
	for looked := 0; ; {
		for i := r.at + looked; i < r.end; i++ {
			if r.buf[i] == '\n' {
				if i-r.at > usualBuffer {
					return "", malformed("a line between chunks is too long")
				}
				line, ok := strings.CutSuffix(string(r.buf[r.at:i]), "\r")
				r.at = i + 1
				if !ok || !isValue(line) {
					return "", malformed("a line between chunks is malformed")
				}
				return line, nil
			}
		}
		if looked = r.end - r.at; looked > usualBuffer {
			return "", malformed("a line between chunks is too long")
		}
		if err := r.fill(); err != nil {
			return "", err
		}
	}
}

// some gives what was read already, or reads.
func (r *Reader) some(p []byte) (int, error) {
	if r.at < r.end {
		n := copy(p, r.buf[r.at:r.end])
		r.at += n
		return n, nil
	}
	return r.source.Read(p)
}

// fill reads more behind what is there.
func (r *Reader) fill() error {
	if r.at > 0 {
		r.end = copy(r.buf, r.buf[r.at:r.end])
		r.at = 0
	}
	if r.end == len(r.buf) {
		larger := make([]byte, 2*len(r.buf))
		copy(larger, r.buf)
		r.buf = larger
	}
	n, err := r.source.Read(r.buf[r.end:])
	r.end += n
	if n > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
