//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"gatewright/tools/measure"
)

// server is a server to measure. open opens a connection, or its equivalent, and returns a
// function that makes one call on it.
type server struct {
	name string
	// pid is the root of the processes whose processor time counts; 0 if each call
	// returns its own.
	pid  int
	open func() (call func() (cpu time.Duration, err error), end func(), err error)
}

// sample is one measurement.
type sample struct {
	p50, p99, cpu time.Duration
	rate          float64
}

// measure makes calls on several connections at once for a while.
func (s *server) measure(connections int, span time.Duration) (sample, error) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		took  []time.Duration
		cpu   time.Duration
		fails error
	)
	before := measure.UsedByTree(s.pid)
	begin := time.Now()
	for range connections {
		group.Go(func() {
			var durations []time.Duration
			var own time.Duration
			call, end, err := s.open()
			if err == nil {
				defer end()
				for err == nil && time.Since(begin) < span {
					at := time.Now()
					var used time.Duration
					used, err = call()
					own += used
					durations = append(durations, time.Since(at))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			took, cpu, fails = append(took, durations...), cpu+own, errors.Join(fails, err)
		})
	}
	group.Wait()
	whole := time.Since(begin)
	if fails != nil || len(took) == 0 {
		return sample{}, fmt.Errorf("after %d calls: %w", len(took), fails)
	}
	cpu += measure.UsedByTree(s.pid) - before
	slices.Sort(took)
	return sample{
		p50: took[len(took)/2], p99: took[len(took)*99/100],
		cpu: cpu / time.Duration(len(took)), rate: float64(len(took)) / whole.Seconds(),
	}, nil
}

// overHTTP makes calls over a kept connection with a minimal client, so that the servers are
// compared and not the client.
func overHTTP(address, path string) func() (func() (time.Duration, error), func(), error) {
	request := []byte("GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nUser-Agent: speed\r\nAccept: */*\r\n\r\n")
	return func() (func() (time.Duration, error), func(), error) {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			return nil, nil, err
		}
		in := bufio.NewReader(connection)
		call := func() (time.Duration, error) {
			if _, err := connection.Write(request); err != nil {
				return 0, err
			}
			answer, err := http.ReadResponse(in, nil)
			if err != nil {
				return 0, err
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err == nil && (answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "succeed")) {
				err = fmt.Errorf("answers %d %s", answer.StatusCode, body)
			}
			return 0, err
		}
		return call, func() { _ = connection.Close() }, nil
	}
}
