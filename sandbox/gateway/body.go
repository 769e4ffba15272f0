package gateway

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// What is made ready for a body at first: for one of no known length, and at most
// for one whose length was announced.
const firstRead, mostBelieved = 8 << 10, 256 << 10

// readBody reads a request's body once. It must come to its end, fast enough,
// and within the limit. The buffer grows with what has come and not with what
// was announced.
func (g *Gateway) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	l := g.limits
	if r.ContentLength > l.body {
		return nil, tooLong(l.body)
	}
	control := http.NewResponseController(w)
	begun := time.Now()
	size := int64(firstRead)
	if r.ContentLength >= 0 {
		size = min(r.ContentLength+1, mostBelieved)
	}
	body := make([]byte, 0, size)
	for {
		pace := time.Duration(int64(len(body))/l.pace) * time.Second
		_ = control.SetReadDeadline(begun.Add(l.grace + pace))
		if len(body) == cap(body) {
			larger := make([]byte, len(body), room(int64(len(body)), r.ContentLength))
			copy(larger, body)
			body = larger
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > l.body:
			return nil, tooLong(l.body)
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, notRead(errors.Is(err, os.ErrDeadlineExceeded))
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

// abandon gives an unread body as long as a client may take, so that one who
// never ends it does not hold a connection.
func (g *Gateway) abandon(w http.ResponseWriter, r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(g.limits.grace))
	}
}
