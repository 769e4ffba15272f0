package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/test/await"
)

func TestAnAnswerArrivesThoughTheBodyIsNotRead(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	for _, lines := range [][]string{nil, {"Connection: close"}} {
		c := r.dial()
		all := request("POST", "/"+testID+"/dev/nowhere", strings.Repeat("x", 2<<20), lines...)
		go io.WriteString(c, all)
		a, body := response(t, bufio.NewReader(c), "POST")
		if a.StatusCode != http.StatusForbidden || body != bodyNoToken || !a.Close {
			t.Errorf("%+v %q", a, body)
		}
	}
}

func TestAWorkerDoesNotWaitForASlowReader(t *testing.T) {
	t.Parallel()
	sent := make(chan bool, 1)
	// The socket takes less than this at once.
	large := strings.Repeat("x", 32<<20)
	r := start(t, shop(), callbackInvoker(func(c function.Call, done func(function.Answer, error)) {
		if strings.Contains(string(c.Payload), `/items/large`) {
			done(function.Answer{Payload: []byte(`{"body":"` + large + `"}`)}, nil)
			sent <- true
			return
		}
		done(function.Answer{Payload: []byte(`{}`)}, nil)
	}), func(g *Gateway) { g.limits.result = 1 << 30 })
	c := r.dial()
	io.WriteString(c, request("GET", "/"+testID+"/dev/items/large", "")+request("GET", "/"+testID+"/dev/items", ""))
	await.Next(t, "the worker, which waits for the reader", sent)
	if answer := r.call("GET", "/items", ""); answer.status != 200 {
		t.Errorf("%+v", answer)
	}
	from := bufio.NewReader(c)
	if _, body := response(t, from, "GET"); body != large {
		t.Errorf("%d bytes", len(body))
	}
	if a, body := response(t, from, "GET"); a.StatusCode != 200 || body != "" {
		t.Errorf("the next answer is %d %q", a.StatusCode, body)
	}
}

// callbackInvoker is an Invoker that calls done itself.
type callbackInvoker func(function.Call, func(function.Answer, error))

func (f callbackInvoker) Begin(c function.Call, done func(function.Answer, error)) func() {
	go f(c, done)
	return func() {}
}

func (f callbackInvoker) Invoke(context.Context, function.Call) (function.Answer, error) {
	return function.Answer{}, errors.New("no test calls Invoke")
}

func TestARequestWhoseBodyComesWhileTheGatewayEndsIsAnswered(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	c := r.dial()
	io.WriteString(c, "POST /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
	from := bufio.NewReader(c)
	for range 2 {
		if _, err := from.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	io.WriteString(c, "bo")
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), await.Limit(t))
		defer cancel()
		ended <- r.gateway.Shutdown(ctx)
	}()
	eventually(t, "the end has begun", func() bool { return r.gateway.server.closing.Load() })
	// Gives the gateway time to abort the request, which would be wrong.
	time.Sleep(50 * time.Millisecond)
	io.WriteString(c, "dy")
	a, body := response(t, from, "POST")
	if a.StatusCode != 200 || !strings.Contains(body, `"body":"body"`) {
		t.Errorf("%d %s", a.StatusCode, body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestShutdownEndsServicesThatRunForever(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan bool), make(chan bool)
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		w.(http.Flusher).Flush()
		close(begun)
		<-q.Context().Done()
		close(ended)
	}, nil)
	c := r.dial()
	io.WriteString(c, request("GET", servicePath, ""))
	<-begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.gateway.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-ended
	eventually(t, "the end of the connection", func() bool { return r.connections() == 0 })
}

func TestRefusedConnectionsGetAnAnswer(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{}`), func(g *Gateway) { g.limits.connections = 1 })
	first := r.dial()
	r.exchangeOn(first, request("GET", "/"+testID+"/dev/items", ""), "GET")
	for range 20 {
		c := r.dial()
		io.WriteString(c, request("POST", "/"+testID+"/dev/items", strings.Repeat("x", 10<<10)))
		if a, body := response(t, bufio.NewReader(c), "POST"); a.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "Service Unavailable") {
			t.Errorf("%d %q", a.StatusCode, body)
		}
		c.Close()
	}
}

// TestTheTimeOfPreparingIsNotThatOfACall has a function whose packages take longer than the
// gateway waits for an answer.
func TestTheTimeOfPreparingIsNotThatOfACall(t *testing.T) {
	t.Parallel()
	const limit = 100 * time.Millisecond
	r := start(t, shop(), callbackInvoker(func(c function.Call, done func(function.Answer, error)) {
		c.Preparing(true)
		time.Sleep(3 * limit)
		c.Preparing(false)
		if strings.Contains(string(c.Payload), `/items/slow`) {
			time.Sleep(3 * limit)
		}
		done(function.Answer{Payload: []byte(`{"statusCode":201}`)}, nil)
	}), func(g *Gateway) { g.limits.integration = limit })
	if answer := r.call("GET", "/items", ""); answer.status != 201 {
		t.Errorf("the answer is %d %s", answer.status, answer.body)
	}
	if answer := r.call("GET", "/items/slow", ""); answer.status != 504 {
		t.Errorf("a call that is slow after it is answered %d", answer.status)
	}
}
