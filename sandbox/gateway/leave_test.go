package gateway

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/test/await"
)

func TestPipelinedRequestsAreAnsweredInTheirOrder(t *testing.T) {
	t.Parallel()
	var running atomic.Int32
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		if running.Add(1) > 1 {
			t.Error("two requests of a connection run at once")
		}
		time.Sleep(time.Millisecond)
		io.WriteString(w, q.URL.RawQuery)
		if strings.HasSuffix(q.URL.RawQuery, "3") {
			w.(http.Flusher).Flush()
		}
		running.Add(-1)
	}, nil)
	c := r.dial()
	var all strings.Builder
	const many = 60
	for n := range many {
		switch n % 3 {
		case 0:
			all.WriteString(request("POST", servicePath+"?n="+itoa(n), "ignored"))
		case 1:
			all.WriteString(request("POST", "/"+testID+"/dev/items", "n="+itoa(n)))
		default:
			all.WriteString(request("POST", "/"+testID+"/dev/nowhere", "refused"))
		}
	}
	go io.WriteString(c, all.String())
	from := bufio.NewReader(c)
	for n := range many {
		a, body := response(t, from, "POST")
		switch n % 3 {
		case 2:
			if a.StatusCode != http.StatusForbidden {
				t.Fatalf("answer %d: %d %s", n, a.StatusCode, body)
			}
		default:
			if a.StatusCode != http.StatusOK || !strings.Contains(body, "n="+itoa(n)) {
				t.Fatalf("answer %d: %d %s", n, a.StatusCode, body)
			}
		}
	}
}

func TestTheContextOfAServiceEndsWhenTheClientLeaves(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		after time.Duration
		leave func(net.Conn)
	}{
		{"by its end", 0, func(c net.Conn) { c.Close() }},
		{"by a reset", 0, func(c net.Conn) {
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}},
		{"after longer than a connection may be idle", 150 * time.Millisecond, func(c net.Conn) { c.Close() }},
	} {
		t.Run(row.name, func(t *testing.T) {
			begun, ended := make(chan bool), make(chan bool)
			r := serving(t, func(w http.ResponseWriter, q *http.Request) {
				w.(http.Flusher).Flush()
				close(begun)
				<-q.Context().Done()
				close(ended)
			}, func(g *Gateway) { g.limits.idle = 30 * time.Millisecond })
			c := r.dial()
			// On a busy machine a connection is closed as idle before its request is written.
			for io.WriteString(c, request("GET", servicePath, "")); ; io.WriteString(c, request("GET", servicePath, "")) {
				if _, err := c.Read(make([]byte, 1)); err == nil {
					break
				}
				c = r.dial()
			}
			<-begun
			time.Sleep(row.after)
			row.leave(c)
			select {
			case <-ended:
			case <-time.After(await.Limit(t)):
				t.Error("it has not ended")
				// Otherwise the gateway could not shut down either.
				r.gateway.server.mu.Lock()
				for c := range r.gateway.server.conns {
					c.cut()
				}
				r.gateway.server.mu.Unlock()
			}
			eventually(t, "the end of the connection", func() bool { return r.connections() == 0 })
		})
	}
}

func TestBodiesTooLongForAServiceAreRefused(t *testing.T) {
	t.Parallel()
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		n, _ := io.Copy(io.Discard, q.Body)
		fmt.Fprint(w, n)
	}, nil)
	c := r.dial()
	from := bufio.NewReader(c)
	large := strings.Repeat("x", maxServiceBody)
	go io.WriteString(c, request("POST", servicePath, large))
	if a, body := response(t, from, "POST"); a.StatusCode != http.StatusOK || body != itoa(maxServiceBody) {
		t.Errorf("%d %s", a.StatusCode, body)
	}
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", servicePath, maxServiceBody+1)
	if a, _ := response(t, from, "POST"); a.StatusCode != http.StatusRequestEntityTooLarge || !a.Close {
		t.Errorf("%+v", a)
	}
	closed(t, c)
}

func TestAServiceThatPanicsEndsOnlyItsConnection(t *testing.T) {
	t.Parallel()
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		io.WriteString(w, "part")
		if q.URL.RawQuery == "flush" {
			w.(http.Flusher).Flush()
		}
		panic("broken \x1b")
	}, nil)
	for _, query := range []string{"", "flush"} {
		c := r.dial()
		io.WriteString(c, request("GET", servicePath+"?"+query, ""))
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err == nil {
			_, err = io.ReadAll(a.Body)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			t.Errorf("%q: the answer ends with %v", query, err)
		}
	}
	r.logged("a service of the sandbox failed: ", `broken`, "report it")
	if strings.Contains(r.logText(".gateway"), "\x1b") {
		t.Error("the log has an escape sequence")
	}
	if answer := r.call("GET", "/items", ""); answer.status != 200 {
		t.Errorf("%+v", answer)
	}
	eventually(t, "the end of the connections", func() bool { return r.connections() <= 1 })
}

func TestClientsThatLeaveDuringTheirCallDisturbNobody(t *testing.T) {
	t.Parallel()
	gate := make(chan bool)
	r := start(t, shop(), handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
		if strings.Contains(string(c.Payload), `"wait"`) {
			<-gate
		}
		return echo(ctx, c)
	}), nil)
	for n := range 40 {
		c := r.dial()
		all := request("POST", "/"+testID+"/dev/items", "wait", "wait: 1")
		if n%4 == 3 {
			// Another request waits behind the first.
			all += all
		}
		io.WriteString(c, all)
		if n%2 == 0 {
			c.(*net.TCPConn).SetLinger(0)
		}
		c.Close()
	}
	const others = 5
	for range others {
		if answer := r.call("GET", "/items", ""); answer.status != 200 {
			t.Errorf("%+v", answer)
		}
	}
	close(gate)
	eventually(t, "the end of the connections", func() bool { return r.connections() == others })
}

func TestHTTP10ConnectionsAreKeptOnRequest(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"body":"x"}`), nil)
	c := r.dial()
	from := bufio.NewReader(c)
	for range 20 {
		fmt.Fprintf(c, "GET /%s/dev/items HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: a\r\n\r\n", testID)
		if a, body := response(t, from, "GET"); a.StatusCode != 200 || body != "x" || a.Header.Get("Connection") != "keep-alive" {
			t.Fatalf("%+v %q", a, body)
		}
	}
	fmt.Fprintf(c, "GET /%s/dev/items HTTP/1.0\r\n\r\n", testID)
	if a, body := response(t, from, "GET"); body != "x" || !a.Close {
		t.Errorf("%+v %q", a, body)
	}
	closed(t, c)
}

func TestAnswersWithoutABodyLeaveTheConnectionInOrder(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		status := "200"
		for _, known := range []string{"204", "304", "205"} {
			if strings.Contains(string(c.Payload), `/items/`+known) {
				status = known
			}
		}
		return function.Answer{Payload: []byte(`{"statusCode":` + status + `,"body":"text","headers":{"content-length":"99","Transfer-Encoding":"chunked"}}`)}, nil
	}), nil)
	c := r.dial()
	from := bufio.NewReader(c)
	for _, row := range []struct{ method, path, body string }{
		{"GET", "/items/204", ""},
		{"HEAD", "/items", ""},
		{"GET", "/items/304", ""},
		{"DELETE", "/items/204", ""},
		{"HEAD", "/items/204", ""},
		{"OPTIONS", "/items", ""},
		{"GET", "/items", "text"},
	} {
		io.WriteString(c, request(row.method, "/"+testID+"/dev"+row.path, ""))
		if a, body := response(t, from, row.method); body != row.body || a.Close || len(a.TransferEncoding) > 0 {
			t.Errorf("%s %s: %+v %q", row.method, row.path, a, body)
		}
	}
}
