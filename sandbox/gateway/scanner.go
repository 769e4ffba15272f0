package gateway

import (
	"bytes"
	"strconv"
	"strings"
)

// head is what is kept of the head of a request: its first line and the header
// names that net/http will write otherwise. Where there are none, neither is
// kept.
type head struct {
	line string
	odd  []string
}

// scanner follows the bytes of one connection and finds the heads of the
// requests on it. It needs to know no more of HTTP/1.1 than where a body ends.
// net/http reads the same bytes and decides; a scanner that lost its way costs
// the case of header names and nothing else.
type scanner struct {
	state scanState
	// partial is the beginning of a line whose end has not come.
	partial []byte
	// left is what is left of a body, or of a chunk.
	left int64
	head head
	// What the head says about its body.
	length  int64
	chunked bool
	old     bool
	names   int
}

type scanState uint8

const (
	inStart scanState = iota
	inHead
	inBody
	inChunkSize
	inChunk
	inChunkEnd
	inTrailer
	// lost is the end of following: the stream is not what net/http will serve.
	lost
)

// feed takes the next bytes and appends the heads that end in them.
func (s *scanner) feed(p []byte, heads []head) []head {
	for len(p) > 0 && s.state != lost {
		if s.state == inBody || s.state == inChunk {
			n := min(int64(len(p)), s.left)
			p, s.left = p[n:], s.left-n
			if s.left == 0 {
				s.bodyEnded()
			}
			continue
		}
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			if s.partial = append(s.partial, p...); len(s.partial) > 2*maxHead {
				s.state, s.partial = lost, nil
			}
			return heads
		}
		line := p[:end]
		p = p[end+1:]
		if len(s.partial) > 0 {
			line = append(s.partial, line...)
			s.partial = s.partial[:0]
		}
		if s.line(bytes.TrimSuffix(line, []byte("\r"))) {
			heads = append(heads, s.head)
			s.head = head{}
		}
	}
	return heads
}

func (s *scanner) bodyEnded() {
	if s.state == inChunk {
		s.state = inChunkEnd
		return
	}
	s.state = inStart
}

// line takes a whole line and reports whether it ended a head.
func (s *scanner) line(line []byte) bool {
	switch s.state {
	case inStart:
		if len(line) > 0 {
			s.begin(line)
		}
	case inHead:
		if len(line) == 0 {
			s.headEnded()
			return true
		}
		s.field(line)
	case inChunkSize:
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 62)
		switch {
		case err != nil:
			s.state = lost
		case n == 0:
			s.state = inTrailer
		default:
			s.state, s.left = inChunk, int64(n)
		}
	case inChunkEnd:
		s.state = inChunkSize
		if len(line) > 0 {
			s.state = lost
		}
	case inTrailer:
		if len(line) == 0 {
			s.state = inStart
		}
	}
	return false
}

func (s *scanner) begin(line []byte) {
	s.state, s.length, s.chunked, s.names = inHead, 0, false, 0
	s.old = bytes.HasSuffix(line, []byte(" HTTP/1.0"))
	s.head = head{line: string(line)}
}

// field takes one header line. One that begins with a space goes on with the
// value before it, which is of no interest here.
func (s *scanner) field(line []byte) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || line[0] == ' ' || line[0] == '\t' {
		return
	}
	name := line[:colon]
	if !isCanonical(name) {
		if s.names += len(name); s.names > maxHead {
			s.state = lost
			return
		}
		s.head.odd = append(s.head.odd, string(name))
	}
	switch {
	case len(name) == len("Content-Length") && strings.EqualFold(string(name), "Content-Length"):
		n, err := strconv.ParseUint(string(bytes.TrimSpace(line[colon+1:])), 10, 62)
		if err != nil {
			s.state = lost
			return
		}
		s.length = int64(n)
	case len(name) == len("Transfer-Encoding") && strings.EqualFold(string(name), "Transfer-Encoding"):
		s.chunked = true
	}
}

func (s *scanner) headEnded() {
	if len(s.head.odd) == 0 {
		s.head.line = ""
	}
	switch {
	// net/http does not know chunks in HTTP/1.0.
	case s.chunked && !s.old:
		s.state = inChunkSize
	case s.length > 0:
		s.state, s.left = inBody, s.length
	default:
		s.state = inStart
	}
}

// inside reports whether a head has begun and not ended.
func (s *scanner) inside() bool {
	return s.state == inHead || s.state == inStart && len(s.partial) > 0
}

// isCanonical reports whether net/http writes a name as it is: a capital first
// and after each hyphen, small letters elsewhere.
func isCanonical(name []byte) bool {
	first := true
	for _, c := range name {
		if first && 'a' <= c && c <= 'z' || !first && 'A' <= c && c <= 'Z' {
			return false
		}
		first = c == '-'
	}
	return true
}
