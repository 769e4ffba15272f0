package gateway

import (
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"
)

// maxKeptBuffer is the largest buffer that a connection keeps for its next answer, and leastAlone the
// shortest body that costs more to copy into it than to write from where it is.
const maxKeptBuffer, leastAlone = 64 << 10, 48 << 10

// reply writes an answer and marks the request as answered. It does not wait for the
// client: another goroutine writes what the socket does not take at once.
func (c *conn) reply(status int, header []namedValues, body string) {
	if !hasBody(c.head.Method, status) {
		body = ""
	}
	c.write(c.answerHead(status, header), body)
}

// answerHead writes the head of an answer into the connection's buffer.
func (c *conn) answerHead(status int, header []namedValues) []byte {
	out := appendStatus(c.out[:0], status)
	for _, h := range header {
		for _, v := range h.values {
			out = appendField(out, h.name, v)
		}
	}
	if value := c.connectionHeader(); value != "" {
		out = appendField(out, "Connection", value)
	}
	return append(out, "\r\n"...)
}

// connectionHeader is the Connection header of an answer, or "".
func (c *conn) connectionHeader() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.last:
		return "close"
	case c.head.Old:
		return "keep-alive"
	}
	return ""
}

func (c *conn) write(out []byte, body string) {
	if len(body) < leastAlone {
		out, body = append(out, body...), ""
	}
	c.out = nil
	if cap(out) <= maxKeptBuffer {
		c.out = out
	}
	rest := unsafe.Slice(unsafe.StringData(body), len(body))
	if n := c.writeNow(out, rest); n < len(out)+len(rest) {
		written := min(n, len(out))
		go func() {
			_ = c.writeRest(out[written:], rest[n-written:])
			c.endTurn()
		}()
		return
	}
	c.endTurn()
}

// writeRest writes the rest of an answer if the client reads fast enough.
func (c *conn) writeRest(first, second []byte) error {
	l := c.gateway.limits
	rest := int64(len(first) + len(second))
	c.socket.SetWriteDeadline(time.Now().Add(l.grace + time.Duration(rest/l.pace)*time.Second))
	defer c.socket.SetWriteDeadline(time.Time{})
	_, err := (&net.Buffers{first, second}).WriteTo(c.socket)
	if err != nil {
		c.closeAfter()
	}
	return err
}

// hasBody reports whether an answer may have a body (RFC 9110, section 6.4.1).
func hasBody(method string, status int) bool {
	return method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified
}

func appendStatus(out []byte, status int) []byte {
	out = append(out, "HTTP/1.1 "...)
	out = strconv.AppendInt(out, int64(status), 10)
	out = append(out, ' ')
	out = append(out, http.StatusText(status)...)
	return append(append(append(out, "\r\nDate: "...), date()...), "\r\n"...)
}

func appendField(out []byte, name, value string) []byte {
	out = append(out, name...)
	out = append(out, ": "...)
	out = append(out, value...)
	return append(out, "\r\n"...)
}

// dateText is the Date header for one second.
type dateText struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[dateText]

func date() string {
	now := time.Now()
	if last := lastDate.Load(); last != nil && last.second == now.Unix() {
		return last.text
	}
	next := &dateText{now.Unix(), now.UTC().Format(http.TimeFormat)}
	lastDate.Store(next)
	return next.text
}
