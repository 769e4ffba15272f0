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

// processes are all of its processes.
func (s *server) processes() (all []measure.Process) {
	for _, pid := range s.pids {
		all = append(all, measure.Tree(pid)...)
	}
	return all
}

// used is the processor time of its processes, with those that have ended.
func (s *server) used() (all time.Duration) {
	for _, p := range s.processes() {
		all += p.Used
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
	head := fmt.Sprintf("%s %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: speed\r\n%s", c.method, s.prefix, c.path,
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
	return func() []float64 {
		if !warm {
			c.measure(s, connections, span/2)
			warm = true
		}
		return c.measure(s, connections, span)
	}
}

func (c call) measure(s *server, connections int, span time.Duration) []float64 {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		took  []float64
		fails error
	)
	before := s.used()
	ctx, cancel := context.WithTimeout(context.Background(), span)
	defer cancel()
	begin := time.Now()
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
	if fails != nil {
		check(fmt.Errorf("after %d calls: %w", len(took), fails))
	}
	used := (s.used() - before).Seconds()
	n := float64(len(took))
	slices.Sort(took)
	return []float64{took[len(took)/2], 1e6 * used / n, n / whole}
}

// repeat makes calls on one connection until ctx ends, and at least one.
func (c call) repeat(ctx context.Context, s *server) ([]float64, error) {
	l, err := s.connect()
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	request := c.bytes(s)
	var took []float64
	for len(took) == 0 || ctx.Err() == nil {
		if c.next != nil {
			request = c.bytes(s)
		}
		at := time.Now()
		if err := l.ask(c, s, request); err != nil {
			return took, err
		}
		took = append(took, 1e3*milliseconds(time.Since(at)))
	}
	return took, nil
}

// once makes one call on a new connection, and returns its answer.
func (c call) once(s *server) string {
	l := must(s.connect())
	defer func() { _ = l.Close() }()
	check(l.ask(c, s, c.bytes(s)))
	return l.text.String()
}

// line is a kept connection.
type line struct {
	net.Conn
	in   *bufio.Reader
	text bytes.Buffer
}

func (s *server) connect() (*line, error) {
	connection, err := net.Dial("tcp", s.address)
	if err != nil {
		return nil, err
	}
	return &line{Conn: connection, in: bufio.NewReaderSize(connection, 1<<16)}, nil
}

// ask makes a call and checks its answer.
func (l *line) ask(c call, s *server, request []byte) error {
	const patience = time.Minute
	_ = l.SetDeadline(time.Now().Add(patience))
	if _, err := l.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return err
	}
	l.text.Reset()
	if _, err := io.Copy(&l.text, answer.Body); err != nil {
		return err
	}
	s.calls.Add(1)
	if answer.StatusCode != http.StatusOK || l.text.Len() < c.size || !bytes.Contains(l.text.Bytes(), []byte(c.has)) {
		return fmt.Errorf("%s %s is answered %d with %d bytes %.40q", c.method, c.path, answer.StatusCode, l.text.Len(),
			l.text.String())
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }
