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
	"strings"
	"sync"
	"syscall"
	"time"
)

// slowKind is a way to keep a connection busy slowly.
type slowKind struct {
	what    string
	clients int
	// begin is sent at first, eachSecond every second after that.
	begin      func(s *sandbox, r *request) string
	eachSecond string
	// reads is set if the client reads answers.
	reads bool
	// patience is how long a connection may last.
	patience time.Duration
	// behaviour says how its requests are refused; nil if they get no answer.
	behaviour *behaviour
}

// The gateway allows 10 s for a head, about 20 s for a body of a byte a second and its rest,
// and a little over a minute for an answer of 1 MB.
var (
	slowHead = &slowKind{
		what: "heads of a byte a second", clients: 50, eachSecond: "x", reads: true, patience: 15 * time.Second,
		begin: func(s *sandbox, r *request) string {
			return strings.TrimSuffix(string(r.append(nil, s.address, s.api)), "\r\n") + "X-Slow: "
		},
	}
	slowBody = &slowKind{
		what: "bodies of a byte a second", clients: 50, eachSecond: "x", reads: true, patience: 25 * time.Second,
		behaviour: &behaviour{
			name: "slow", status: http.StatusRequestTimeout, kind: "RequestTimeoutException",
			answer: `{"message":"Request Timeout"}`, reason: "the request's body came too slowly",
		},
		begin: func(s *sandbox, r *request) string {
			r.method = http.MethodPost
			return strings.TrimSuffix(string(r.append(nil, s.address, s.api)), "\r\n") + "Content-Length: 100000\r\n\r\n"
		},
	}
	unread = &slowKind{
		// An empty line between requests is valid.
		what: "clients that read none of 8 answers of 1 MB", clients: 10, eachSecond: "\r\n", patience: 90 * time.Second,
		begin: func(s *sandbox, r *request) string {
			r.path += "?do=" + large.name
			return strings.Repeat(string(r.append(nil, s.address, s.api)), 8)
		},
	}
)

// beSlow holds connections of every kind until the gateway has closed them all.
func (l *ledger) beSlow(ctx context.Context, s *sandbox) {
	next := plan{tag: "slow", functions: l.project.functions, onlyOrdinary: true, bodiless: true}.numbered()
	var all sync.WaitGroup
	for _, kind := range []*slowKind{slowHead, slowBody, unread} {
		var (
			clients sync.WaitGroup
			mu      sync.Mutex
			closed  int
			stays   time.Duration
		)
		for range kind.clients {
			r := next()
			clients.Go(func() {
				stayed, read, err := kind.hold(ctx, s, r)
				if err == nil && kind.behaviour != nil {
					err = l.checkSlow(kind, r, read)
				}
				if err != nil {
					l.report.wrong(kind.what, "%v", err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				closed, stays = closed+1, max(stays, stayed)
			})
		}
		all.Go(func() {
			clients.Wait()
			l.report.judge(kind.what,
				fmt.Sprintf("%d of %d are closed, the last after %v", closed, kind.clients, stays.Round(time.Second/10)),
				"all within "+kind.patience.String(), closed == kind.clients)
		})
	}
	all.Wait()
	l.slowHeads = slowHead.clients
}

// hold holds a connection as long as possible, and returns how long that was and what it
// read.
func (k *slowKind) hold(ctx context.Context, s *sandbox, r *request) (stayed time.Duration, read []byte, err error) {
	dialer := net.Dialer{Timeout: longest}
	if !k.reads {
		dialer.Control = smallRoom
	}
	began := time.Now()
	connection, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return 0, nil, err
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, k.begin(s, r)); err != nil {
		return 0, nil, err
	}
	received := make(chan []byte, 1)
	if k.reads {
		go func() {
			// An error ends the connection as well.
			all, _ := io.ReadAll(connection)
			received <- all
		}()
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	late := time.After(k.patience)
	for {
		select {
		case read := <-received:
			return time.Since(began), read, nil
		case <-ticker.C:
			if _, err := io.WriteString(connection, k.eachSecond); err != nil && !k.reads {
				return time.Since(began), nil, nil
			}
		case <-late:
			return 0, nil, fmt.Errorf("still open after %v", k.patience)
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		}
	}
}

// smallRoom makes the receive buffer of a client that does not read small.
func smallRoom(_, _ string, connection syscall.RawConn) error {
	const room = 4 << 10
	var failed error
	err := connection.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, room)
	})
	if err == nil {
		err = failed
	}
	return err
}

// checkSlow checks the refusal of a slow client.
func (l *ledger) checkSlow(k *slowKind, r *request, read []byte) error {
	if len(read) == 0 {
		return errors.New("it is closed without an answer")
	}
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(read)), &http.Request{Method: r.method})
	if err != nil {
		return fmt.Errorf("it reads %s: %w", shortened(string(read)), err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("it reads %s: %w", shortened(string(read)), err)
	}
	r.behaviour = k.behaviour
	l.check(r, answer{status: response.StatusCode, header: response.Header, body: string(body)})
	return response.Body.Close()
}
