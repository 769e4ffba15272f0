//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/tools/measure"
)

// server is one that is measured.
type server struct {
	address, prefix string
	// pids are the roots of the processes whose processor time counts.
	pids  []int
	calls atomic.Int64
}

func (s *server) used() (all time.Duration) {
	for _, pid := range s.pids {
		all += measure.UsedByTree(pid)
	}
	return all
}

// call is a request with what its answer must have.
type call struct {
	method, path, headers, body string
	// size is the least size of the answer, has a text in it.
	size int
	has  string
	// next makes each request different, if it is set.
	next func() string
}

// bytes is the request on the wire.
func (c call) bytes(s *server) []byte {
	body := c.body
	if c.next != nil {
		body = c.next()
	}
	head := fmt.Sprintf("%s %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: speed\r\nAccept: */*\r\n%s", c.method, s.prefix, c.path,
		s.address, c.headers)
	if body != "" {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return []byte(head + "\r\n" + body)
}

// of makes calls on some connections at once for a while. It returns the medians of their time and
// their processor time in microseconds, and how many there were in a second. Its client is minimal, so
// that the servers are compared.
func (c call) of(s *server, connections int, span time.Duration) subject {
	if s == nil {
		return nil
	}
	warm := false
	return func(ctx context.Context) ([]float64, error) {
		if !warm {
			if _, err := c.measure(ctx, s, connections, span/2); err != nil {
				return nil, err
			}
			warm = true
		}
		return c.measure(ctx, s, connections, span)
	}
}

func (c call) measure(ctx context.Context, s *server, connections int, span time.Duration) ([]float64, error) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		took  []float64
		fails error
	)
	ctx, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	before, begin := s.used(), time.Now()
	for range connections {
		group.Go(func() {
			own, err := c.repeat(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			took, fails = append(took, own...), errors.Join(fails, err)
		})
	}
	group.Wait()
	whole := time.Since(begin).Seconds()
	if fails != nil || len(took) == 0 {
		return nil, fmt.Errorf("after %d calls: %w", len(took), fails)
	}
	s.calls.Add(int64(len(took)))
	used := (s.used() - before).Seconds()
	n := float64(len(took))
	slices.Sort(took)
	return []float64{took[len(took)/2], 1e6 * used / n, n / whole}, nil
}

// repeat makes calls on one connection until ctx ends.
func (c call) repeat(ctx context.Context, s *server) ([]float64, error) {
	connection, err := net.Dial("tcp", s.address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	const patience = time.Minute
	_ = connection.SetDeadline(time.Now().Add(patience))
	in, request := bufio.NewReaderSize(connection, 1<<16), c.bytes(s)
	var took []float64
	var text bytes.Buffer
	for ctx.Err() == nil {
		if c.next != nil {
			request = c.bytes(s)
		}
		at := time.Now()
		if _, err := connection.Write(request); err != nil {
			return took, err
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return took, err
		}
		text.Reset()
		if _, err := io.Copy(&text, answer.Body); err != nil {
			return took, err
		}
		took = append(took, float64(time.Since(at).Microseconds()))
		if answer.StatusCode != http.StatusOK || text.Len() < c.size || !strings.Contains(text.String(), c.has) {
			return took, fmt.Errorf("%s %s is answered %d with %d bytes %.200q", c.method, c.path, answer.StatusCode,
				text.Len(), text.String())
		}
	}
	return took, nil
}
