package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/test/await"
)

// closed reads until the other side closes the connection, and fails if it does not.
func closed(t *testing.T, c net.Conn) string {
	t.Helper()
	rest, err := io.ReadAll(c)
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		t.Fatalf("the connection is still open, after %q", rest)
	}
	return string(rest)
}

// drip sends a byte every 5 ms until that fails, and then closes the channel.
func drip(c net.Conn) <-chan bool {
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for {
			if _, err := io.WriteString(c, "x"); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return ended
}

func TestSlowClientsAreDisconnected(t *testing.T) {
	t.Parallel()
	quick := func(g *Gateway) {
		g.limits.head, g.limits.idle, g.limits.grace = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	}
	t.Run("a head that never ends", func(t *testing.T) {
		r := start(t, shop(), never(t), quick)
		c := r.dial()
		io.WriteString(c, "GET /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nX-Slow: ")
		ended := drip(c)
		closed(t, c)
		c.Close()
		<-ended
		r.logged("in the middle of a request's head: it came too slowly")
	})
	t.Run("a body that drips", func(t *testing.T) {
		r := start(t, shop(), never(t), quick)
		c := r.dial()
		io.WriteString(c, "POST /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
		ended := drip(c)
		if rest := closed(t, c); rest != "" && !strings.HasPrefix(rest, "HTTP/1.1 408 ") {
			t.Errorf("%q", rest)
		}
		c.Close()
		<-ended
		r.logged("POST /dev/items 408: the request's body came too slowly")
	})
	t.Run("a refused body that drips", func(t *testing.T) {
		r := start(t, shop(), never(t), quick)
		c := r.dial()
		io.WriteString(c, "POST /"+testID+"/dev/nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
		closed(t, c)
	})
	t.Run("an idle connection", func(t *testing.T) {
		r := start(t, shop(), returns(`{}`), quick)
		c := r.dial()
		r.exchangeOn(c, request("GET", "/"+testID+"/dev/items", ""), "GET")
		closed(t, c)
	})
	t.Run("an answer that nobody reads", func(t *testing.T) {
		begun := make(chan bool, 1)
		large := returns(`{"body":"` + strings.Repeat("x", 32<<20) + `"}`)
		r := start(t, shop(), handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
			begun <- true
			return large(ctx, c)
		}), func(g *Gateway) {
			quick(g)
			g.limits.payload, g.limits.result, g.limits.pace = 1<<30, 1<<30, 1<<30
		})
		c := r.dial()
		io.WriteString(c, request("GET", "/"+testID+"/dev/items", ""))
		<-begun
		ctx, cancel := context.WithTimeout(t.Context(), await.Limit(t))
		defer cancel()
		// Shutdown waits for every connection that is not idle.
		if err := r.gateway.Shutdown(ctx); err != nil {
			t.Errorf("it holds a connection: %v", err)
		}
	})
}

func TestALongCallIsNotASlowClient(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
		time.Sleep(120 * time.Millisecond)
		return echo(ctx, c)
	}), func(g *Gateway) {
		g.limits.head, g.limits.idle, g.limits.grace = 40*time.Millisecond, 40*time.Millisecond, 40*time.Millisecond
	})
	c := r.dial()
	for range 2 {
		if answer := r.exchangeOn(c, request("POST", "/"+testID+"/dev/items", "body"), "POST")[0]; answer.status != 200 {
			t.Errorf("%+v", answer)
		}
	}
}

func TestIdleConnectionsDoNotSlowOthers(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	for i := range 1000 {
		c := r.dial()
		if i%2 == 0 {
			io.WriteString(c, "GET /"+testID+"/dev/it")
		}
	}
	for range 20 {
		if answer := r.call("GET", "/items", ""); answer.status != 200 {
			t.Fatalf("%+v", answer)
		}
	}
}

func TestConnectionsBeyondTheLimitAreRefusedUntilOthersEnd(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{}`), func(g *Gateway) { g.limits.connections = 2 })
	first, second := r.dial(), r.dial()
	one := request("GET", "/"+testID+"/dev/items", "")
	r.exchangeOn(first, one, "GET")
	r.exchangeOn(second, one, "GET")
	for range 3 {
		if rest := closed(t, r.dial()); !strings.HasPrefix(rest, "HTTP/1.1 503 ") || !strings.HasSuffix(rest, `{"message":"Service Unavailable"}`) {
			t.Errorf("%q", rest)
		}
	}
	if n := strings.Count(r.logText(".gateway"), "connections are refused with 503"); n != 1 {
		t.Errorf("it was logged %d times", n)
	}
	first.Close()
	for {
		// The server notices the closed connection after a moment.
		c := r.dial()
		io.WriteString(c, one)
		if answer, err := readReply(bufio.NewReader(c), "GET"); err == nil && answer.status == 200 {
			break
		}
	}
}
