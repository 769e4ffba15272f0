package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
)

// conn is one connection. Its goroutine reads a request, starts the call, and waits for
// the next request. The goroutine that has the answer, usually the one that reads from
// the function's worker, writes it: waking another goroutine would cost more.
type conn struct {
	gateway *Gateway
	socket  net.Conn
	raw     syscall.RawConn
	source  string
	in      *http1.Reader
	head    http1.Head
	// ctx ends when the client closes the connection, which ends services; a
	// function's call goes on.
	ctx context.Context
	cut context.CancelFunc

	mu sync.Mutex
	// busy is set while a request is not answered, waiting while awaitAnswers waits on
	// answered for that.
	busy, waiting bool
	answered      chan struct{}
	// lastAnswer is when the last answer was written.
	lastAnswer time.Time
	// last is set when no request may follow.
	last bool
	out  []byte
	// services feeds the goroutine that runs services; nil before the first request to
	// a service.
	services chan func()
}

func newConn(g *Gateway, socket net.Conn) *conn {
	c := &conn{
		gateway: g, socket: socket, in: http1.NewReader(socket, maxHead), answered: make(chan struct{}, 1),
		lastAnswer: time.Now(),
	}
	c.ctx, c.cut = context.WithCancel(context.Background())
	if c.source, _, _ = net.SplitHostPort(socket.RemoteAddr().String()); c.source == "" {
		c.source = "127.0.0.1"
	}
	if s, ok := socket.(syscall.Conn); ok {
		c.raw, _ = s.SyscallConn()
	}
	return c
}

// serve answers requests until the connection ends.
func (c *conn) serve() {
	defer func() {
		if broke := recover(); broke != nil {
			c.gateway.note("", "", logs.Error, "a connection was closed because the gateway failed: "+
				phrase.Quote(fmt.Sprint(broke))+"; this is a bug of the sandbox: report it")
		}
		c.cut()
		c.socket.Close()
		if c.services != nil {
			close(c.services)
		}
		c.gateway.server.remove(c)
	}()
	for c.awaitRequest() && c.readRequest() {
	}
	c.awaitAnswers()
}

// awaitRequest waits for the first byte of a request and for the answer to the request
// before it, and reports whether the request may be read.
func (c *conn) awaitRequest() bool {
	for until := c.idleDeadline(); ; {
		c.socket.SetReadDeadline(until)
		if c.gateway.server.closing.Load() || c.isFinished() {
			return false
		}
		err := c.in.Await()
		switch {
		case err == nil:
			return c.awaitAnswers()
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(c.idleDeadline()):
			// The client waits for an answer, or has got one since.
			until = c.idleDeadline()
		case errors.Is(err, io.EOF):
			// The client sends nothing more, but may still read an answer.
			c.cut()
			return false
		default:
			c.cut()
			return false
		}
	}
}

// idleDeadline is when an idle connection is closed.
func (c *conn) idleDeadline() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := c.lastAnswer
	if c.busy {
		since = time.Now()
	}
	return since.Add(c.gateway.limits.idle)
}

// isFinished reports whether the last answer is written.
func (c *conn) isFinished() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last && !c.busy
}

// awaitAnswers waits until the request is answered, and reports whether another may
// follow.
func (c *conn) awaitAnswers() bool {
	c.mu.Lock()
	if c.busy {
		c.waiting = true
		c.mu.Unlock()
		<-c.answered
		c.mu.Lock()
	}
	defer c.mu.Unlock()
	return !c.last
}

// readRequest reads the head of a request and serves it. It reports whether another
// request may follow.
func (c *conn) readRequest() bool {
	c.socket.SetReadDeadline(time.Now().Add(c.gateway.limits.head))
	if err := c.in.Head(&c.head); err != nil {
		c.answerInvalid(err)
		return false
	}
	c.mu.Lock()
	c.busy, c.last = true, c.head.Close
	c.mu.Unlock()
	c.gateway.serve(c)
	if !c.in.Unread() {
		return true
	}
	// The request was refused before its body was read.
	if c.awaitAnswers() && c.discard() {
		return true
	}
	c.linger()
	return false
}

// closeAfter closes the connection after the next answer.
func (c *conn) closeAfter() {
	c.mu.Lock()
	c.last = true
	c.mu.Unlock()
}

// answerInvalid answers bytes that are not an HTTP request.
func (c *conn) answerInvalid(err error) {
	var refused *http1.Error
	if !errors.As(err, &refused) {
		if c.gateway.server.closing.Load() {
			return
		}
		c.gateway.note("", "", logs.Warn,
			"a connection was closed in the middle of a request's head: it came too slowly, or the client left")
		return
	}
	status := strconv.Itoa(refused.Status) + " " + http.StatusText(refused.Status)
	c.gateway.note("", "", logs.Error,
		fmt.Sprintf("an invalid HTTP request got %s: %s; check what the client sends", status, refused.Text))
	c.socket.SetWriteDeadline(time.Now().Add(time.Second))
	io.WriteString(c.socket,
		"HTTP/1.1 "+status+"\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"+status)
	c.linger()
}

// linger lets the client read the answer before the connection is closed: closing a
// socket with unread bytes resets it, and the reset may overtake the answer.
func (c *conn) linger() {
	if half, ok := c.socket.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		c.socket.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
		io.Copy(io.Discard, io.LimitReader(c.socket, maxDiscarded))
	}
}

// endTurn marks the request as answered.
func (c *conn) endTurn() {
	c.mu.Lock()
	c.busy, c.lastAnswer = false, time.Now()
	wake := c.waiting
	c.waiting = false
	stop := c.last
	c.mu.Unlock()
	switch {
	case wake:
		c.answered <- struct{}{}
	case stop || c.gateway.server.closing.Load():
		// Wakes awaitRequest: no request may follow.
		c.socket.SetReadDeadline(past)
	}
}

// abort closes the connection and ends the services that run for it.
func (c *conn) abort() {
	c.cut()
	c.socket.Close()
}
