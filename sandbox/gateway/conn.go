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

	"gatewright/model"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
)

// conn is one connection. Its goroutine reads a request, lets it be answered, and
// waits for the next one, while whoever has the answer writes it: a function's
// worker itself, so that nobody is woken in between.
type conn struct {
	gateway *Gateway
	socket  net.Conn
	raw     syscall.RawConn
	source  string
	in      *http1.Reader
	head    http1.Head
	// ctx ends when the client has said all that it will say. A function's call
	// goes on then.
	ctx context.Context
	cut context.CancelFunc

	mu sync.Mutex
	// busy is set while a request has no answer yet; the goroutine that waits for
	// it is then told.
	busy, waiting bool
	answered      chan struct{}
	// rested is when the last answer was out.
	lastAnswer time.Time
	// last says that no request may follow.
	last bool
	out  []byte
	// services are requests for the goroutine that lets services answer; nil where
	// there was none yet.
	services chan func()
}

func newConn(g *Gateway, socket net.Conn) *conn {
	c := &conn{gateway: g, socket: socket, in: http1.NewReader(socket, maxHead), answered: make(chan struct{}, 1), lastAnswer: time.Now()}
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
			c.gateway.note("", "", logs.Error, "a connection was closed since the gateway broke: "+model.Quote(fmt.Sprint(broke))+"; this is a fault of the sandbox: report it")
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

// await waits for the first byte of a request, and for the answer to the one
// before.
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
			// It waits for us, or has not had its time since it was answered.
			until = c.idleDeadline()
		case errors.Is(err, io.EOF):
			// It has said all, and may wait for an answer yet.
			c.cut()
			return false
		default:
			c.cut()
			return false
		}
	}
}

// patience is until when the next request may be waited for, while there is no
// other.
func (c *conn) idleDeadline() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := c.lastAnswer
	if c.busy {
		since = time.Now()
	}
	return since.Add(c.gateway.limits.idle)
}

// isOver reports whether nothing more is to be done on the connection.
func (c *conn) isFinished() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last && !c.busy
}

// settle waits until no request is without an answer, and reports whether another
// may follow.
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

// request reads one request and lets it be answered.
func (c *conn) readRequest() bool {
	c.socket.SetReadDeadline(time.Now().Add(c.gateway.limits.head))
	if err := c.in.Head(&c.head); err != nil {
		c.culprit(err)
		return false
	}
	c.mu.Lock()
	c.busy, c.last = true, c.head.Close
	c.mu.Unlock()
	c.gateway.serve(c)
	if !c.in.Unread() {
		return true
	}
	// A request was refused before its body was read.
	if c.awaitAnswers() && c.discard() {
		return true
	}
	c.linger()
	return false
}

// closeAfter makes the answer to come the last one.
func (c *conn) closeAfter() {
	c.mu.Lock()
	c.last = true
	c.mu.Unlock()
}

// fault answers what is no request.
func (c *conn) culprit(err error) {
	var refused *http1.Error
	if !errors.As(err, &refused) {
		if c.gateway.server.closing.Load() {
			return
		}
		c.gateway.note("", "", logs.Warn, "a connection was closed in the middle of a request's head: it came too slowly, or the client left")
		return
	}
	status := strconv.Itoa(refused.Status) + " " + http.StatusText(refused.Status)
	c.gateway.note("", "", logs.Error, fmt.Sprintf("a request that is no HTTP, or that stopped halfway, was answered %s: %s; look at what the client sends", status, refused.Text))
	c.socket.SetWriteDeadline(time.Now().Add(time.Second))
	io.WriteString(c.socket, "HTTP/1.1 "+status+"\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"+status)
	c.linger()
}

// linger lets the client read an answer before the connection ends: an end with
// unread bytes is a reset, which may overtake the answer.
func (c *conn) linger() {
	if half, ok := c.socket.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		c.socket.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
		io.Copy(io.Discard, io.LimitReader(c.socket, maxDiscarded))
	}
}

// end ends the turn of a request whose answer is out.
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
		// Who waits for a next request need not.
		c.socket.SetReadDeadline(past)
	}
}

// abort ends the connection and whatever runs for it.
func (c *conn) abort() {
	c.cut()
	c.socket.Close()
}
