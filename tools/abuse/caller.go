//go:build linux

package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// longest is how long an answer may take on a busy machine.
const longest = time.Minute

// caller is a client with one connection, which is kept as long as it lasts. It is
// as little of a client as can be, so that what comes is seen as it comes.
type caller struct {
	sandbox    *sandbox
	connection net.Conn
	in         *bufio.Reader
}

// answer is what came for a request.
type answer struct {
	status         int
	header         http.Header
	body           string
	sent, received time.Time
}

// send sends requests in one write, on a new connection where there is none.
func (c *caller) send(burst ...*request) (time.Time, error) {
	if c.connection == nil {
		connection, err := net.DialTimeout("tcp", c.sandbox.address, longest)
		if err != nil {
			return time.Time{}, err
		}
		c.connection, c.in = connection, bufio.NewReader(connection)
	}
	var text []byte
	for _, r := range burst {
		text = r.append(text, c.sandbox.address, c.sandbox.api)
	}
	sent := time.Now()
	if err := c.connection.SetDeadline(sent.Add(longest)); err != nil {
		return sent, err
	}
	_, err := c.connection.Write(text)
	return sent, err
}

// receive reads the answer to a request.
func (c *caller) receive(r *request, sent time.Time) (answer, error) {
	response, err := http.ReadResponse(c.in, &http.Request{Method: r.method})
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return answer{}, err
	}
	return answer{response.StatusCode, response.Header, string(body), sent, time.Now()}, nil
}

// hangUp closes the connection.
func (c *caller) hangUp() {
	if c.connection != nil {
		_ = c.connection.Close()
		c.connection = nil
	}
}

// ask makes one request and has the answer checked.
func (c *caller) ask(l *ledger, r *request) (answer, error) {
	sent, err := c.send(r)
	if err != nil {
		return answer{}, err
	}
	a, err := c.receive(r, sent)
	if err == nil {
		l.check(r, a)
	}
	return a, err
}

// carry makes requests over some connections, and has the answers checked. A
// connection that breaks is wrong; only a sandbox that cannot be reached at all is
// an error.
func (l *ledger) carry(ctx context.Context, s *sandbox, connections int, bursts <-chan []*request) error {
	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range connections {
		all.Go(func() {
			c := &caller{sandbox: s}
			defer c.hangUp()
			for burst := range bursts {
				if ctx.Err() != nil {
					continue
				}
				if err := c.carry(l, burst); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
					cancel()
				}
			}
		})
	}
	all.Wait()
	return failed
}

// carry makes the requests of one burst.
func (c *caller) carry(l *ledger, burst []*request) error {
	l.begin(burst)
	sent, err := c.send(burst...)
	if err != nil && c.connection == nil {
		return err
	}
	for _, r := range burst {
		if err == nil && r.wish == leave {
			// What follows in the burst is not waited for either.
			c.hangUp()
			return nil
		}
		var a answer
		if err == nil {
			a, err = c.receive(r, sent)
		}
		if err != nil {
			c.hangUp()
			return l.lose(r, err)
		}
		l.check(r, a)
	}
	return nil
}
