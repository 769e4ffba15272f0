package gateway

import (
	"bytes"
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// conn is a connection that remembers how its client writes header names, which
// net/http does not (research/sandbox.md 2.4).
type conn struct {
	net.Conn
	gateway *Gateway
	leave   func()

	mu      sync.Mutex
	scanner scanner
	heads   []head
	// busy is set while a handler answers: what is written is its own.
	busy    bool
	refused bool
	once    sync.Once
}

type connKey struct{}

// Read reads, and notes the heads that come by.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		c.heads = c.scanner.feed(p[:n], c.heads)
		c.mu.Unlock()
	}
	return n, err
}

// Write writes. What net/http answers by itself, to a request that no handler
// sees, is told in the log.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	own := !c.busy && bytes.HasPrefix(p, []byte("HTTP/1.1 "))
	if own {
		c.refused = true
	}
	c.mu.Unlock()
	if own {
		status, _, _ := strings.Cut(string(p[len("HTTP/1.1 "):]), "\r\n")
		c.gateway.note("", "", logs.Error, "a request that is no HTTP, or that stopped halfway, was answered "+status+"; look at what the client sends")
	}
	return c.Conn.Write(p)
}

// Close closes, once.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.mu.Lock()
		halfway := c.scanner.inside() && !c.refused
		c.mu.Unlock()
		if halfway {
			c.gateway.note("", "", logs.Warn, "a connection was closed in the middle of a request's head: it came too slowly, or the client left")
		}
		c.leave()
	})
	return c.Conn.Close()
}

// take gives the odd header names of the request that a handler begins with.
func (c *conn) take(method, uri string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = true
	if len(c.heads) == 0 {
		return nil
	}
	first := c.heads[0]
	c.heads = c.heads[1:]
	if len(c.heads) == 0 {
		c.heads = nil
	}
	rest, ok := strings.CutPrefix(first.line, method+" ")
	if !ok || !strings.HasPrefix(rest, uri+" ") {
		return nil
	}
	return first.odd
}

// answered says that the answer is out.
func (c *conn) answered() {
	c.mu.Lock()
	c.busy = false
	c.mu.Unlock()
}

// connOf is the connection of a request; nil where it came otherwise.
func connOf(ctx context.Context) *conn {
	c, _ := ctx.Value(connKey{}).(*conn)
	return c
}

// entrance lets in only so many connections.
type entrance struct {
	net.Listener
	gateway *Gateway
	inside  atomic.Int64
	full    atomic.Bool
}

const tooMany = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n" +
	"Content-Length: 33\r\n\r\n{\"message\":\"Service Unavailable\"}"

// Accept waits for the next connection. One too many is told so and closed.
func (e *entrance) Accept() (net.Conn, error) {
	for {
		c, err := e.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if e.inside.Add(1) <= e.gateway.limits.connections {
			return &conn{Conn: c, gateway: e.gateway, leave: e.leave}, nil
		}
		if !e.full.Swap(true) {
			e.gateway.note("", "", logs.Error, "connections are refused with 503: as many are open as there may be; close some, or let clients reuse theirs")
		}
		c.SetWriteDeadline(time.Now().Add(time.Second))
		c.Write([]byte(tooMany))
		c.Close()
		e.inside.Add(-1)
	}
}

func (e *entrance) leave() {
	if e.inside.Add(-1) < e.gateway.limits.connections {
		e.full.Store(false)
	}
}

// note writes a line to the gateway's log.
func (g *Gateway) note(environment, request string, level logs.Level, text string) {
	g.write(logs.Line{Environment: environment, Function: logs.Gateway, Request: request, Level: level, Text: text})
}

func (g *Gateway) write(l logs.Line) {
	if g.options.Logs == nil {
		return
	}
	l.Time = g.options.Now()
	g.options.Logs.Append(l)
}

// hide is a text as the logs keep it, without the values of secrets.
func (g *Gateway) hide(text string) string {
	if g.options.Logs == nil {
		return text
	}
	return g.options.Logs.Hide(text)
}

// serverLog takes what net/http says.
type serverLog struct{ gateway *Gateway }

// Write notes one line of net/http's.
func (l serverLog) Write(p []byte) (int, error) {
	text, _, _ := strings.Cut(string(p), "\n")
	l.gateway.note("", "", logs.Warn, model.Quote(text))
	return len(p), nil
}
