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
)

const servicePath = "/_service/"

// serving is a gateway with a service at servicePath, beside an API that echoes.
func serving(t *testing.T, service http.HandlerFunc, adjust func(*Gateway)) *running {
	t.Helper()
	r := start(t, shop(), handler(echo), adjust)
	r.gateway.Handle(servicePath, service)
	return r
}

// response reads an answer as a client in Go does, its body up to its end.
func response(t *testing.T, from *bufio.Reader, method string) (*http.Response, string) {
	t.Helper()
	a, err := http.ReadResponse(from, &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatalf("after %q: %v", body, err)
	}
	return a, string(body)
}

// eventually waits for something that happens by itself.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 20 seconds", what)
		}
	}
}

// connections is how many the gateway has.
func (r *running) connections() int {
	r.gateway.server.mu.Lock()
	defer r.gateway.server.mu.Unlock()
	return len(r.gateway.server.conns)
}

func TestWhatAServiceFlushesIsThereBeforeItsEnd(t *testing.T) {
	more := make(chan bool)
	r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "3")
		w.WriteHeader(http.StatusAccepted)
		for _, part := range []string{"one", "", "two"} {
			io.WriteString(w, part)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			<-more
		}
		io.WriteString(w, "three")
	}, nil)
	c := r.dial()
	from := bufio.NewReader(c)
	for range 2 {
		io.WriteString(c, request("GET", servicePath, ""))
		a, err := http.ReadResponse(from, nil)
		if err != nil || a.StatusCode != http.StatusAccepted || a.ContentLength != -1 {
			t.Fatalf("%+v, %v", a, err)
		}
		for _, part := range []string{"one", "", "two", "three"} {
			got := make([]byte, len(part))
			if _, err := io.ReadFull(a.Body, got); err != nil || string(got) != part {
				t.Errorf("%q, %v, want %q", got, err, part)
			}
			if part != "three" {
				more <- true
			}
		}
		if rest, err := io.ReadAll(a.Body); err != nil || len(rest) > 0 {
			t.Errorf("%q is left, %v", rest, err)
		}
	}
}

func TestAnswersOfServicesEndWhereTheySay(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		form := q.URL.Query()
		for name, values := range form {
			if name[0] >= 'A' && name[0] <= 'Z' {
				w.Header()[name] = values
			}
		}
		if status := form.Get("status"); status != "" {
			var n int
			fmt.Sscan(status, &n)
			w.WriteHeader(n)
		}
		io.WriteString(w, form.Get("body"))
		if form.Has("much") {
			io.WriteString(w, strings.Repeat("x", 3*mostPending))
		}
		if form.Has("flush") {
			w.(http.Flusher).Flush()
		}
	}, nil)
	for _, row := range []struct {
		method, query, version string
		lines                  []string
		status                 int
		body                   string
		length                 int64
		ends                   bool
	}{
		{"GET", "body=abc", "1.1", nil, 200, "abc", 3, false},
		{"GET", "", "1.1", nil, 200, "", 0, false},
		{"GET", "body=abc&flush=1", "1.1", nil, 200, "abc", -1, false},
		{"GET", "much=1", "1.1", nil, 200, strings.Repeat("x", 3*mostPending), -1, false},
		{"GET", "body=abc&Content-Length=99", "1.1", nil, 200, "abc", 3, false},
		{"GET", "body=abc&Transfer-Encoding=chunked", "1.1", nil, 200, "abc", 3, false},
		{"GET", "body=abc&Transfer-Encoding=gzip&flush=1", "1.1", nil, 200, "abc", -1, false},
		{"GET", "body=abc&Connection=close", "1.1", nil, 200, "abc", 3, true},
		{"GET", "body=abc", "1.1", []string{"Connection: close"}, 200, "abc", 3, true},
		{"GET", "body=abc&flush=1", "1.1", []string{"Connection: close"}, 200, "abc", -1, true},
		{"HEAD", "body=abc", "1.1", nil, 200, "", 3, false},
		{"HEAD", "body=abc&flush=1", "1.1", nil, 200, "", 3, false},
		{"HEAD", "Content-Length=7", "1.1", nil, 200, "", 7, false},
		{"GET", "status=204&body=abc&Content-Length=3", "1.1", nil, 204, "", 0, false},
		{"GET", "status=304&body=abc", "1.1", nil, 304, "", 0, false},
		{"GET", "body=abc", "1.0", nil, 200, "abc", 3, true},
		{"GET", "body=abc", "1.0", []string{"Connection: keep-alive"}, 200, "abc", 3, false},
		{"GET", "body=abc&flush=1&Transfer-Encoding=chunked", "1.0", []string{"Connection: keep-alive"}, 200, "abc", -1, true},
	} {
		name := fmt.Sprintf("%s %s HTTP/%s %s", row.method, row.query, row.version, row.lines)
		c := r.dial()
		from := bufio.NewReader(c)
		q := request(row.method, servicePath+"?"+row.query, "", row.lines...)
		io.WriteString(c, strings.Replace(q, "HTTP/1.1", "HTTP/"+row.version, 1))
		a, body := response(t, from, row.method)
		if a.StatusCode != row.status || body != row.body || a.ContentLength != row.length || a.Close != row.ends {
			t.Errorf("%s: %d, %.80q, length %d, close %t", name, a.StatusCode, body, a.ContentLength, a.Close)
		}
		if row.ends {
			if rest, err := io.ReadAll(from); err != nil || len(rest) > 0 {
				t.Errorf("%s: %q comes behind it, %v", name, rest, err)
			}
			continue
		}
		io.WriteString(c, request("GET", servicePath+"?body=next", ""))
		if _, body := response(t, from, "GET"); body != "next" {
			t.Errorf("%s: the next answer is %q", name, body)
		}
	}
}

func TestAServiceCannotSplitItsAnswer(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Value", "a\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK")
		w.Header()["X-Name: 1\r\nX-Injected"] = []string{"1"}
	}, nil)
	c := r.dial()
	io.WriteString(c, request("GET", servicePath, "", "Connection: close"))
	all := closed(t, c)
	if strings.Contains(all, "\nX-Injected") || strings.Count(all, "\r\n\r\n") != 1 {
		t.Errorf("%q", all)
	}
}

func TestARequestOfAServiceIsWhatTheClientSent(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		fmt.Fprintf(w, "%s %s %s|%s|%s|%s|%d|%v", q.Method, q.URL.Path, q.URL.RawQuery, q.Host, q.Header.Get("x-Client"), body, q.ContentLength, err)
	}, nil)
	c := r.dial()
	from := bufio.NewReader(c)
	io.WriteString(c, "PUT "+servicePath+"a%20b?x=%20y HTTP/1.1\r\nhost: localhost:1\r\nX-CLIENT: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
	if _, body := response(t, from, "PUT"); body != "PUT /_service/a b x=%20y|localhost:1|1|abc|3|<nil>" {
		t.Errorf("%s", body)
	}
	io.WriteString(c, "GET "+servicePath+"%zz HTTP/1.1\r\nHost: a\r\n\r\n")
	if a, _ := response(t, from, "GET"); a.StatusCode != http.StatusBadRequest || !a.Close {
		t.Errorf("%+v", a)
	}
}

func TestPipelinedRequestsAreAnsweredInTheirOrder(t *testing.T) {
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
		{"after longer than a connection may rest", 150 * time.Millisecond, func(c net.Conn) { c.Close() }},
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
			io.WriteString(c, request("GET", servicePath, ""))
			<-begun
			time.Sleep(row.after)
			row.leave(c)
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Error("it has not ended")
				// Or the gateway could not be ended either.
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

func TestABodyThatIsTooLongForAServiceIsRefused(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, q *http.Request) {
		n, _ := io.Copy(io.Discard, q.Body)
		fmt.Fprint(w, n)
	}, nil)
	c := r.dial()
	from := bufio.NewReader(c)
	large := strings.Repeat("x", mostService)
	go io.WriteString(c, request("POST", servicePath, large))
	if a, body := response(t, from, "POST"); a.StatusCode != http.StatusOK || body != itoa(mostService) {
		t.Errorf("%d %s", a.StatusCode, body)
	}
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", servicePath, mostService+1)
	if a, _ := response(t, from, "POST"); a.StatusCode != http.StatusRequestEntityTooLarge || !a.Close {
		t.Errorf("%+v", a)
	}
	closed(t, c)
}

func TestAServiceThatBreaksEndsItsConnectionAlone(t *testing.T) {
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
	r.logged("a service of the sandbox broke: ", `broken`, "report it")
	if strings.Contains(r.said(".gateway"), "\x1b") {
		t.Error("the log obeys the text")
	}
	if answer := r.call("GET", "/items", ""); answer.status != 200 {
		t.Errorf("%+v", answer)
	}
	eventually(t, "the end of the connections", func() bool { return r.connections() <= 1 })
}

func TestClientsThatLeaveWhileTheirCallRunsDisturbNobody(t *testing.T) {
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
			// Another one waits behind it.
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

func TestAConnectionOfHTTP10IsKeptWhereTheClientAsks(t *testing.T) {
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

func TestAnAnswerIsReadWholeThoughTheRequestWasNot(t *testing.T) {
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
	told := make(chan bool, 1)
	// The system takes less than this at once.
	large := strings.Repeat("x", 32<<20)
	r := start(t, shop(), telling(func(c function.Call, done func(function.Answer, error)) {
		if strings.Contains(string(c.Payload), `/items/large`) {
			done(function.Answer{Payload: []byte(`{"body":"` + large + `"}`)}, nil)
			told <- true
			return
		}
		done(function.Answer{Payload: []byte(`{}`)}, nil)
	}), func(g *Gateway) { g.limits.payload = 1 << 30 })
	c := r.dial()
	io.WriteString(c, request("GET", "/"+testID+"/dev/items/large", "")+request("GET", "/"+testID+"/dev/items", ""))
	select {
	case <-told:
	case <-time.After(10 * time.Second):
		t.Fatal("the worker waits")
	}
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

// telling is an Invoker that tells the answer itself.
type telling func(function.Call, func(function.Answer, error))

func (f telling) Begin(c function.Call, done func(function.Answer, error)) func() {
	go f(c, done)
	return func() {}
}

func (f telling) Invoke(context.Context, function.Call) (function.Answer, error) {
	return function.Answer{}, errors.New("no test asks for this")
}

func TestARequestWhoseBodyComesWhileTheGatewayEndsIsAnswered(t *testing.T) {
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
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		ended <- r.gateway.Shutdown(ctx)
	}()
	eventually(t, "the end has begun", func() bool { return r.gateway.server.closing.Load() })
	// The gateway has this long to break off.
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

func TestAServiceThatRunsForeverIsCutOffAtTheEnd(t *testing.T) {
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

func TestWhoIsTurnedAwayReadsWhy(t *testing.T) {
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
