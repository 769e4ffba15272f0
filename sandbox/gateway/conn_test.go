package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/sandbox/function"
)

// exchangeOn sends requests on one connection and reads an answer for each method.
func (r *running) exchangeOn(c net.Conn, bytes string, methods ...string) []reply {
	r.t.Helper()
	if _, err := io.WriteString(c, bytes); err != nil {
		r.t.Fatal(err)
	}
	from := bufio.NewReader(c)
	var answers []reply
	for i, method := range methods {
		answer, err := readReply(from, method)
		if err != nil {
			r.t.Fatalf("answer %d of %d: %v\n%s", i+1, len(methods), err, r.logText(".gateway"))
		}
		answers = append(answers, answer)
	}
	return answers
}

// echoed returns the headers and the body of an echoed event.
func echoed(t *testing.T, answer reply) (names map[string]string, body string) {
	t.Helper()
	var e deployedEvent
	if err := json.Unmarshal([]byte(answer.body), &e); err != nil {
		t.Fatalf("%v in %+v", err, answer)
	}
	if e.Body != nil {
		body = *e.Body
	}
	return e.Headers, body
}

func TestHeaderCaseIsKeptForAllRequestsOfAConnection(t *testing.T) {
	t.Parallel()
	target := "/" + testID + "/dev/items"
	chunked := "POST " + target + " HTTP/1.1\r\nHost: a\r\nx-two: 2\r\nTransfer-Encoding: chunked\r\nTrailer: X-t\r\n\r\n5;ext=1\r\nx-one\r\nc\r\n: 1\r\n\r\nGET /\r\n0\r\nX-t: 1\r\n\r\n"
	requests := []struct{ bytes, method, name, body string }{
		{"GET " + target + " HTTP/1.1\r\nHost: a\r\nx-one: 1\r\n\r\n", "GET", "x-one", ""},
		{chunked, "POST", "x-two", "x-one: 1\r\n\r\nGET /"},
		{"PUT " + target + " HTTP/1.1\nHost: a\nx-THREE: 3\ncontent-length: 19\n\nx-ONE: 1\r\n\r\nPUT / H", "PUT", "x-THREE", "x-ONE: 1\r\n\r\nPUT / H"},
		{"HEAD " + target + " HTTP/1.1\r\nHost: a\r\nx-head: 1\r\n\r\n", "HEAD", "", ""},
		{"\r\nGET " + target + "?q HTTP/1.1\r\nHost: a\r\nx-four: 4\r\n\r\n", "GET", "x-four", ""},
		{"DELETE " + target + " HTTP/1.1\r\nHost: a\r\nx-five: 5\r\nContent-Length: 0\r\n\r\n", "DELETE", "x-five", ""},
		{"GET " + target + " HTTP/1.1\r\nHost: a\r\nX-Plain: 6\r\n\r\n", "GET", "X-Plain", ""},
		{"POST " + target + " HTTP/1.1\r\nHost: a\r\nx-seven: 7\r\nContent-Length: 9000\r\n\r\n" + strings.Repeat("x-one: 1\r", 1000), "POST", "x-seven", strings.Repeat("x-one: 1\r", 1000)},
		{"GET " + target + " HTTP/1.1\r\nHost: a\r\nx-EIGHT: 8\r\n\r\n", "GET", "x-EIGHT", ""},
	}
	check := func(t *testing.T, answers []reply) {
		for i, want := range requests {
			if want.method == "HEAD" {
				continue
			}
			names, body := echoed(t, answers[i])
			if _, found := names[want.name]; !found || body != want.body {
				t.Errorf("request %d: no %s in %v, body %.60q", i+1, want.name, names, body)
			}
			for _, other := range requests {
				if _, found := names[other.name]; found && other.name != want.name {
					t.Errorf("request %d has the header %s of another", i+1, other.name)
				}
			}
		}
	}
	var all string
	var methods []string
	for _, q := range requests {
		all += q.bytes
		methods = append(methods, q.method)
	}
	t.Run("at once", func(t *testing.T) {
		r := start(t, shop(), handler(echo), nil)
		check(t, r.exchangeOn(r.dial(), all, methods...))
	})
	t.Run("one after another", func(t *testing.T) {
		r := start(t, shop(), handler(echo), nil)
		c := r.dial()
		var answers []reply
		for _, q := range requests {
			answers = append(answers, r.exchangeOn(c, q.bytes, q.method)...)
		}
		check(t, answers)
	})
	t.Run("byte by byte", func(t *testing.T) {
		r := start(t, shop(), handler(echo), nil)
		c := r.dial()
		go func() {
			for i := range len(all) {
				if _, err := io.WriteString(c, all[i:i+1]); err != nil {
					return
				}
			}
		}()
		check(t, r.exchangeOn(c, "", methods...))
	})
}

func TestABodyWaitsFor100Continue(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	c := r.dial()
	from := bufio.NewReader(c)
	head := "POST /" + testID + "/dev/%s HTTP/1.1\r\nHost: a\r\nx-a: 1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
	fmt.Fprintf(c, head, "items")
	if line, err := from.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if line, err := from.ReadString('\n'); err != nil || line != "\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	fmt.Fprint(c, "ok")
	answer, err := readReply(from, "POST")
	if err != nil {
		t.Fatal(err)
	}
	if names, body := echoed(t, answer); body != "ok" || names["x-a"] != "1" {
		t.Errorf("%v %q", names, body)
	}
	fmt.Fprintf(c, head, "nowhere")
	if line, err := from.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 403 ") {
		t.Errorf("a refused body was asked for: %q, %v", line, err)
	}
}

func TestAClientThatClosesItsSideGetsItsAnswer(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
		select {
		// Gives the server time to notice.
		case <-time.After(100 * time.Millisecond):
			return echo(ctx, c)
		case <-ctx.Done():
			return function.Answer{}, ctx.Err()
		}
	}), nil)
	c := r.dial()
	io.WriteString(c, request("GET", "/"+testID+"/dev/items", ""))
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if answer, err := readReply(bufio.NewReader(c), "GET"); err != nil || answer.status != 200 {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestInvalidHTTPIsRefusedAndExplained(t *testing.T) {
	t.Parallel()
	for bytes, status := range map[string]string{
		"\x16\x03\x01\x02\x00\x01\n\n":                                                       "400",
		"GET /x HTTP/1.1\r\n\r\n":                                                            "400",
		"GET /x HTTP/1.1\r\nHost: a\r\nbad header: 1\r\n\r\n":                                "400",
		"GET /x HTTP/9.9\r\nHost: a\r\n\r\n":                                                 "505",
		"GET /x HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", maxHead+8192) + "\r\n\r\n": "431",
		"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n":                     "501",
		"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n":      "400",
	} {
		r := start(t, shop(), never(t), nil)
		c := r.dial()
		io.WriteString(c, bytes)
		if rest := closed(t, c); rest != "" && !strings.HasPrefix(rest, "HTTP/1.1 "+status) {
			t.Errorf("%.60q: %.80q", bytes, rest)
		}
		r.logged("an invalid HTTP request got " + status)
	}
}

func TestInvalidHTTPIsExplainedAfterAGoodRequest(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{}`), nil)
	c := r.dial()
	r.exchangeOn(c, request("GET", "/"+testID+"/dev/items", ""), "GET")
	io.WriteString(c, "nonsense\r\n\r\n")
	closed(t, c)
	r.logged("got 400")
}

func TestABrokenBodyIsRefused(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), never(t), nil)
	answer := r.raw("POST", "POST /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n")
	if answer.status != 400 || answer.body != `{"message":"Bad Request"}` {
		t.Errorf("%+v", answer)
	}
	r.logged("POST /dev/items 400: the request's body ended early")
}

// 32 callers on their own connections each get back their own header names and bodies.
func TestNobodyGetsAnothersAnswer(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	var group sync.WaitGroup
	for caller := range 32 {
		group.Go(func() {
			c, err := net.Dial("tcp", r.address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			from := bufio.NewReader(c)
			for i := range 50 {
				mine := fmt.Sprintf("x-caller-%d-call-%d", caller, i)
				_, err := io.WriteString(c, request("POST", "/"+testID+"/dev/items/"+mine, mine, mine+": 1"))
				if err != nil {
					t.Error(err)
					return
				}
				answer, err := readReply(from, "POST")
				if err != nil {
					t.Error(err)
					return
				}
				var e deployedEvent
				if err := json.Unmarshal([]byte(answer.body), &e); err != nil || e.Body == nil || *e.Body != mine || e.Headers[mine] != "1" ||
					e.PathParameters["proxy"] != mine || e.RequestContext.RequestID != answer.get("x-amzn-RequestId") {
					t.Errorf("%s got %s, %v", mine, answer.body, err)
					return
				}
			}
		})
	}
	group.Wait()
}
