package gateway

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/internal/network"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/logs"
)

// server has the listeners and connections of a gateway.
type server struct {
	mu        sync.Mutex
	listeners map[net.Listener]bool
	conns     map[*conn]bool
	// connEnded receives a value when a connection has ended.
	connEnded  chan struct{}
	closing    atomic.Bool
	overloaded bool
	// rejected counts the connections that are being answered 503.
	rejected atomic.Int32
}

// Serve answers requests at a listener until Shutdown, and then returns nil. The
// listener's address must be a loopback address.
func (g *Gateway) Serve(l net.Listener) error {
	if at, ok := l.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		return fmt.Errorf("gateway: %s is not a loopback address; listen on 127.0.0.1", phrase.Quote(at.String()))
	}
	s := &g.server
	defer l.Close()
	s.mu.Lock()
	s.listeners[l] = true
	closing := s.closing.Load()
	s.mu.Unlock()
	if closing {
		return nil
	}
	for {
		socket, err := l.Accept()
		switch {
		case s.closing.Load():
			if err == nil {
				socket.Close()
			}
			return nil
		case network.Reset(err): // of a client that left before it was accepted
		case network.Exhausted(err):
			time.Sleep(50 * time.Millisecond)
		case err != nil:
			return fmt.Errorf("gateway: %w", err)
		default:
			g.accept(socket)
		}
	}
}

const tooManyAnswer = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n" +
	"Content-Length: 33\r\n\r\n{\"message\":\"Service Unavailable\"}"

// accept serves a connection, or answers 503 when too many are open.
func (g *Gateway) accept(socket net.Conn) {
	s := &g.server
	c := newConn(g, socket)
	s.mu.Lock()
	rejected := int64(len(s.conns)) >= g.limits.connections
	logIt := rejected && !s.overloaded
	s.overloaded = rejected
	if !rejected {
		s.conns[c] = true
	}
	s.mu.Unlock()
	if !rejected {
		go c.serve()
		return
	}
	if logIt {
		g.note("", "", logs.Error,
			fmt.Sprintf("connections are refused with 503: %d are open, which is the limit; close some, or let "+
				"clients reuse theirs", g.limits.connections))
	}
	if !s.mayReject() {
		socket.Close()
		return
	}
	go func() {
		defer s.rejected.Add(-1)
		defer socket.Close()
		socket.SetWriteDeadline(time.Now().Add(time.Second))
		socket.Write([]byte(tooManyAnswer))
		c.linger()
	}()
}

// maxRejecting is how many connections may be answered 503 at once; more are closed
// without an answer.
const maxRejecting = 100

// mayReject reports whether one more connection may be answered 503, and counts it.
func (s *server) mayReject() bool {
	if s.rejected.Add(1) <= maxRejecting {
		return true
	}
	s.rejected.Add(-1)
	return false
}

func (s *server) remove(c *conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	select {
	case s.connEnded <- struct{}{}:
	default:
	}
}

// Shutdown ends Serve and waits for running requests; when ctx ends, it closes their
// connections.
func (g *Gateway) Shutdown(ctx context.Context) error {
	s := &g.server
	s.closing.Store(true)
	s.mu.Lock()
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		// Connections that wait for a request wake up and see that the gateway is closing.
		c.socket.SetReadDeadline(past)
	}
	s.mu.Unlock()
	for {
		s.mu.Lock()
		left := len(s.conns)
		if left > 0 && ctx.Err() != nil {
			for c := range s.conns {
				c.abort()
			}
		}
		s.mu.Unlock()
		switch {
		case left == 0:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("gateway: requests were cut off: %w", ctx.Err())
		}
		select {
		case <-s.connEnded:
		case <-ctx.Done():
		}
	}
}

// past is a deadline that makes a read return at once.
var past = time.Unix(1, 0)
