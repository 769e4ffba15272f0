package gateway

import (
	"errors"
	"io"
	"os"
	"time"
)

// What is made ready for a body at first: for one of no known length, and at most
// for one whose length was announced.
const initialBuffer, maxInitialBuffer = 8 << 10, 256 << 10

// mostDiscarded is how much of a body that nobody wants is read so that the
// connection can go on.
const maxDiscarded = 256 << 10

const continueAnswer = "HTTP/1.1 100 Continue\r\n\r\n"

// readBody reads a request's body once. It must come to its end, fast enough,
// and within the limit in bytes. The buffer grows with what has come and not with
// what was announced.
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
		// One that reads no answers may have no room for this.
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
			// The gateway ends; this request is served yet.
		case err != nil:
			c.closeAfter()
			return nil, bodyNotRead(errors.Is(err, os.ErrDeadlineExceeded))
		}
	}
}

// room is the next size of a buffer that is full: four times as much, but no
// more than was announced and the byte that finds the end.
func room(have, announced int64) int64 {
	next := 4 * have
	if announced >= have && announced+1 < next {
		return announced + 1
	}
	return next
}

// leaveBody says of a body that nobody wants whether it is read to its end all the
// same, so that the next request can be: not one that is long or may be, nor one
// that the client will not send without a go-ahead.
func (c *conn) skipBody() {
	if c.in.Unread() && (c.head.Continue || c.head.Length < 0 || c.head.Length > maxDiscarded) {
		c.closeAfter()
	}
}

// discard reads such a body and reports whether it came to its end soon enough.
func (c *conn) discard() bool {
	c.socket.SetReadDeadline(time.Now().Add(c.gateway.limits.grace))
	_, err := io.CopyN(io.Discard, c.in, maxDiscarded+1)
	return err == io.EOF
}
