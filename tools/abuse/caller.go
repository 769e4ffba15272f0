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

// longest is how long an answer may take, also on a busy machine.
const longest = time.Minute

// caller is a minimal HTTP client with one connection, which it keeps open, so that answers
// are seen unchanged.
type caller struct {
	sandbox    *sandbox
	connection net.Conn
	in         *bufio.Reader
}

// answer is the answer to a request.
type answer struct {
	status         int
	header         http.Header
	body           string
	sent, received time.Time
}

// send sends requests in one write, and connects first if necessary.
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

// ask sends one request and checks the answer.
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

// sendAll sends bursts of requests over several connections and checks the answers. A
// broken connection is reported as a lost request; only failing to connect is an error.
func (l *ledger) sendAll(ctx context.Context, s *sandbox, connections int, bursts <-chan []*request) error {
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
				if err := c.sendBurst(l, burst); err != nil {
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

// sendBurst sends the requests of one burst and checks the answers.
func (c *caller) sendBurst(l *ledger, burst []*request) error {
	l.begin(burst)
	sent, err := c.send(burst...)
	if err != nil && c.connection == nil {
		return err
	}
	for _, r := range burst {
		if err == nil && r.behaviour == leave {
			// The other answers of the burst are not awaited either.
			c.hangUp()
			return nil
		}
		var a answer
		if err == nil {
			a, err = c.receive(r, sent)
		}
		if err != nil {
			c.hangUp()
			return l.noteLost(r, err)
		}
		l.check(r, a)
	}
	return nil
}
