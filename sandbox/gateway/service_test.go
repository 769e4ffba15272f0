package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"gatewright/test/await"
)

const servicePath = "/_service/"

// serving is a gateway with a service at servicePath and an API that echoes.
func serving(t *testing.T, service http.HandlerFunc, adjust func(*Gateway)) *running {
	t.Helper()
	r := start(t, shop(), handler(echo), adjust)
	r.gateway.Handle(servicePath, service)
	return r
}

// response reads an answer and its whole body.
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

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	await.Until(t, what, holds)
}

// connections is the number of open connections.
func (r *running) connections() int {
	r.gateway.server.mu.Lock()
	defer r.gateway.server.mu.Unlock()
	return len(r.gateway.server.conns)
}

func TestWhatAServiceFlushesArrivesAtOnce(t *testing.T) {
	t.Parallel()
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

func TestAnswersOfServicesAreDelimitedCorrectly(t *testing.T) {
	t.Parallel()
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
			io.WriteString(w, strings.Repeat("x", 3*maxPending))
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
		{"GET", "much=1", "1.1", nil, 200, strings.Repeat("x", 3*maxPending), -1, false},
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
				t.Errorf("%s: %q follows it, %v", name, rest, err)
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
	t.Parallel()
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

func TestAServiceGetsTheClientsRequest(t *testing.T) {
	t.Parallel()
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

func TestAServiceIsFoundOnlyByItsPrefix(t *testing.T) {
	t.Parallel()
	named := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) { io.WriteString(w, name+" "+q.Method+" "+q.URL.Path) }
	}
	r := start(t, shop(), handler(echo), nil)
	r.gateway.Handle("/_pool", named("pool"))
	r.gateway.Handle("/.well-known/", named("known"))
	r.gateway.Handle("Target.", named("target"))
	r.gateway.Handle("/2015-03-31/", named("dated"))
	for _, c := range []struct{ method, target, line, body string }{
		{"GET", "/eu-west-1_A/.well-known/jwks.json?x", "X: y", "known GET /eu-west-1_A/.well-known/jwks.json"},
		{"OPTIONS", "/eu-west-1_A/.well-known/jwks.json", "Origin: http://x", "known OPTIONS /eu-west-1_A/.well-known/jwks.json"},
		{"OPTIONS", "/_pool", "Origin: http://x", "pool OPTIONS /_pool"},
		{"POST", "/2015-03-31/functions/x/invocations", "X: y", "dated POST /2015-03-31/functions/x/invocations"},
		{"POST", "/_pool", "X-Amz-Target: Target.Op", "pool POST /_pool"},
		{"POST", "/", "X-Amz-Target: Target.Op", "target POST /"},
		{"OPTIONS", "/", "X-Amz-Target: Target.Op", "target OPTIONS /"},
	} {
		if answer := r.raw(c.method, request(c.method, c.target, "", c.line)); answer.body != c.body {
			t.Errorf("%s %s: %q", c.method, c.target, answer.body)
		}
	}
	for _, c := range [][2]string{
		{"/.well-known/jwks.json", "X: y"},
		{"/a/b/.well-known/jwks.json", "X: y"},
		{"//.well-known/jwks.json", "X: y"},
		{"/a/.other/x", "X: y"},
		{"/a.b/well-known/", "X: y"},
		{"/2015-03-31", "X: y"},
		{"/2015-03-3/1/functions", "X: y"},
		{"/2016-03-31/functions", "X: y"},
		{"/dev/2015-03-31/functions/x", "X: y"},
		{"/", "X-Amz-Target: /_pool"},
		{"/", "X-Amz-Target: /.well-known/"},
		{"/x", "X-Amz-Target: Target.Op"},
	} {
		if answer := r.raw("GET", request("GET", c[0], "", c[1])); answer.status != 404 && answer.status != 403 {
			t.Errorf("%s: %+v", c, answer)
		}
	}
	answer := r.raw("GET", "GET /dev/items/.well-known/x HTTP/1.1\r\nHost: "+testID+".localhost\r\n\r\n")
	if answer.status != 200 || !strings.Contains(answer.body, `"proxy":".well-known/x"`) {
		t.Errorf("under an API's own host: %+v", answer)
	}
}
