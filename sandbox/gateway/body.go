package gateway

import (
	"errors"
	"io"
	"os"
	"time"
)

// Sizes in bytes of the first buffer for a body: without Content-Length, and at most
// with one.
const initialBuffer, maxInitialBuffer = 8 << 10, 256 << 10

// maxDiscarded is the largest unused body in bytes that is read to keep its connection
// open.
const maxDiscarded = 256 << 10

const continueAnswer = "HTTP/1.1 100 Continue\r\n\r\n"

// readBody reads a request's body, which must end within the limit in bytes and come fast
// enough. Its buffer grows with the bytes received, not with Content-Length.
func (c *conn) readBody(limit int64) ([]byte, *refusal) {
	if !c.in.Unread() {
		return nil, nil
	}
	l, announced := c.gateway.limits, c.head.Length
	if announced > limit {
		return nil, tooLong(limit)
	}
	if c.head.Continue {
		c.head.Continue = false
		// The write could block for ever on a client that reads no answers.
		c.socket.SetWriteDeadline(time.Now().Add(l.grace))
		io.WriteString(c.socket, continueAnswer)
		c.socket.SetWriteDeadline(time.Time{})
	}
	begun := time.Now()
	size := int64(initialBuffer)
	if announced >= 0 {
		size = min(announced+1, maxInitialBuffer)
	}
	body := make([]byte, 0, size)
	for {
		pace := time.Duration(int64(len(body))/l.pace) * time.Second
		until := begun.Add(l.grace + pace)
		c.socket.SetReadDeadline(until)
		if len(body) == cap(body) {
			larger := make([]byte, len(body), room(int64(len(body)), announced))
			copy(larger, body)
			body = larger
		}
		n, err := c.in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, tooLong(limit)
		case err == io.EOF:
			return body, nil
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(until):
			// Shutdown woke the read; running requests are still served.
		case err != nil:
			c.closeAfter()
			return nil, bodyNotRead(errors.Is(err, os.ErrDeadlineExceeded))
		}
	}
}

// room is the next size of a full buffer: four times as large, but at most Content-Length
// and one byte, which the read that finds the end needs.
func room(have, announced int64) int64 {
	next := 4 * have
	if announced >= have && announced+1 < next {
		return announced + 1
	}
	return next
}

// skipBody makes the answer the last one of its connection if the unused body is too
// long to be discarded, of unknown length, or waits for 100 Continue.
func (c *conn) skipBody() {
	if c.in.Unread() && (c.head.Continue || c.head.Length < 0 || c.head.Length > maxDiscarded) {
		c.closeAfter()
	}
}

// discard reads an unused body and reports whether it ended in time.
func (c *conn) discard() bool {
	c.socket.SetReadDeadline(time.Now().Add(c.gateway.limits.grace))
	_, err := io.CopyN(io.Discard, c.in, maxDiscarded+1)
	return err == io.EOF
}
