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
	// buf[at:end] is read but not used.
	buf     []byte
	at, end int
	// left counts the unread bytes of the body or of its chunk, trailing the bytes of
	// trailers.
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

// usualBuffer is the initial size of the buffer, enough for the head of most requests.
const usualBuffer = 4 << 10

// NewReader returns a Reader of source that refuses heads of more than longest bytes.
func NewReader(source io.Reader, longest int) *Reader {
	return &Reader{source: source, longest: longest, buf: make([]byte, usualBuffer)}
}

// Await returns when the first byte of the next head has been read, or with the error of
// the source. The previous body must have been read to its end.
func (r *Reader) Await() error {
	for {
		// Empty lines before a request are skipped (RFC 9112, section 2.2).
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

// Head reads a head after Await. The error is an *Error for an invalid request; nothing
// can be read after it.
func (r *Reader) Head(h *Head) error {
	// TLS, which clients of https addresses send, would never end in an empty line.
	if !tokenBytes[r.buf[r.at]] {
		return malformed("it does not begin with a method")
	}
	for searched := 0; ; {
		fields, end := headEnd(r.buf[r.at:r.end], searched)
		if end > r.longest {
			return r.tooLong()
		}
		if end > 0 {
			if err := h.parse(r.buf[r.at : r.at+fields]); err != nil {
				return err
			}
			h.BareLineFeeds = h.BareLineFeeds || end == fields+1
			r.at += end
			r.begin(h)
			return nil
		}
		if searched = r.end - r.at; searched > r.longest {
			return r.tooLong()
		}
		if err := r.fill(); err != nil {
			return unexpected(err)
		}
	}
}

func (r *Reader) tooLong() *Error {
	return &Error{http.StatusRequestHeaderFieldsTooLarge, "the head is larger than " + strconv.Itoa(r.longest) + " bytes"}
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

// Unread reports whether the body has not been read to its end.
func (r *Reader) Unread() bool { return r.body != noBody }

// Read reads from the body up to io.EOF. The error is an *Error for an invalid encoding
// and io.ErrUnexpectedEOF for an incomplete body.
func (r *Reader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		switch r.body {
		case noBody:
			return 0, io.EOF
		case plainBody, chunkData:
			n, err := r.readSome(p[:min(int64(len(p)), r.left)])
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

// framing reads one line of the chunked encoding.
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

// parseChunkSize reads the size of a chunk and ignores extensions.
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
			// Space may follow the size, but nothing else after the space.
			return size, digits > 0 && (c == ';' || strings.Trim(line[digits:], " \t") == "")
		}
		if digits >= 15 {
			return 0, false
		}
		size = size<<4 | int64(digit)
	}
	return size, digits > 0
}

// line reads a line of the chunked encoding without its line break.
func (r *Reader) line() (string, error) {
	for searched := 0; ; {
		for i := r.at + searched; i < r.end; i++ {
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
		if searched = r.end - r.at; searched > usualBuffer {
			return "", malformed("a line between chunks is too long")
		}
		if err := r.fill(); err != nil {
			return "", err
		}
	}
}

// readSome reads from the buffer or, if that is empty, from the source.
func (r *Reader) readSome(p []byte) (int, error) {
	if r.at < r.end {
		n := copy(p, r.buf[r.at:r.end])
		r.at += n
		return n, nil
	}
	return r.source.Read(p)
}

// fill reads more bytes into the buffer.
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
