package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// server is the connections of a gateway.
type server struct {
	mu        sync.Mutex
	listeners map[net.Listener]bool
	conns     map[*conn]bool
	// ended is sent to when a connection has ended.
	connEnded  chan struct{}
	closing    atomic.Bool
	overloaded bool
	// turned counts the clients that are just told that there are too many.
	rejected atomic.Int32
}

// Serve answers what comes in at a listener until Shutdown, and returns nil then.
// Only loopback is served: a listener of another address is refused.
func (g *Gateway) Serve(l net.Listener) error {
	if at, ok := l.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		return fmt.Errorf("gateway: %s is not an address of this machine alone; listen on 127.0.0.1", model.Quote(at.String()))
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
		case isTemporary(err):
			// The system has no more files just now.
			time.Sleep(50 * time.Millisecond)
		case err != nil:
			return fmt.Errorf("gateway: %w", err)
		default:
			g.accept(socket)
		}
	}
}

// isPassing reports whether the next connection may be had though this one was not.
func isTemporary(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ECONNABORTED)
}

const tooManyAnswer = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n" +
	"Content-Length: 33\r\n\r\n{\"message\":\"Service Unavailable\"}"

// enter serves a connection, or turns it away when there are too many.
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
		g.note("", "", logs.Error, "connections are refused with 503: as many are open as there may be; close some, or let clients reuse theirs")
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

// mostTurned is how many clients may be told at once that there are too many.
const maxRejecting = 100

// turnAway reports whether one more of them may be told.
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

// Shutdown ends Serve, lets running requests end, and cuts them off when ctx does.
func (g *Gateway) Shutdown(ctx context.Context) error {
	s := &g.server
	s.closing.Store(true)
	s.mu.Lock()
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		// Who waits for a request looks up and sees the end.
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

// past is a deadline that has passed.
var past = time.Unix(1, 0)
