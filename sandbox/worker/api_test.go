package worker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// answered is the end of a call.
type answered struct {
	answer function.Answer
	err    error
}

// client is a worker without a handler: the test speaks the Runtime API itself.
type client struct {
	t       *testing.T
	f       *facility
	worker  *worker
	base    string
	results chan answered
}

// newClient starts a real process that does nothing, and acts as its runtime.
func newClient(t *testing.T) *client {
	t.Helper()
	sleeps := []string{"sleep", "60"}
	if runtime.GOOS == "windows" {
		sleeps = []string{"node", "-e", "setTimeout(() => {}, 60000)"}
	}
	sleep := preparetest.NeedsProgram(t, sleeps[0])
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	s := function.Spec{Environment: "dev", Name: "items", Runtime: model.NodeJS, Folder: t.TempDir()}
	writeSource(t, s, map[string]string{"index.js": ""})
	p := newPool(f.Runner, s)
	w := &worker{pool: p, spec: p.spec, began: time.Now(), finished: make(chan struct{})}
	command := exec.Command(sleep, sleeps[1:]...)
	process, err := startAlone(command)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		process.Kill()
		<-process.ended
	})
	api, err := newAPI(w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		api.listener.Close()
		w.release()
	})
	w.process, w.api = process, api
	w.output = newOutput(nil, f.logs, "dev", "items")
	p.workers[w] = struct{}{}
	p.prepared, p.settled = true, true
	go api.serve()
	return &client{t: t, f: f, worker: w, base: "http://" + api.address + api.secret + apiPrefix, results: make(chan answered, 10)}
}

// invoke makes a call of the worker.
func (c *client) invoke(id, event string) {
	c.t.Helper()
	i := &invocation{id: id, payload: []byte(event), done: func(a function.Answer, err error) { c.results <- answered{a, err} }}
	d, err := c.worker.pool.accept(i)
	if err != nil {
		c.t.Fatal(err)
	}
	d.send()
}

func (c *client) next() (*http.Response, string) {
	c.t.Helper()
	return c.do("GET", "invocation/next", nil, nil)
}

func (c *client) do(method, path string, body io.Reader, header http.Header) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return response, string(text)
}

// refused checks that the server refuses with a status and an error type.
func (c *client) refused(method, path string, body io.Reader, status int, kind string) {
	c.t.Helper()
	response, text := c.do(method, path, body, nil)
	var o errorObject
	if response.StatusCode != status || json.Unmarshal([]byte(text), &o) != nil || o.Type != kind {
		c.t.Errorf("%s %s: %d %s, want %d %s", method, path, response.StatusCode, text, status, kind)
	}
}

func TestTheRuntimeAPIAnswersAsLambdas(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.refused("POST", "invocation/nothing/response", strings.NewReader("1"), 400, "InvalidRequestID")
	c.refused("GET", "invocation/nowhere", nil, 404, "NotFound")
	c.invoke("a-1", `{"x":1}`)
	response, event := c.next()
	if response.StatusCode != 200 || event != `{"x":1}` {
		t.Fatalf("next: %d %s", response.StatusCode, event)
	}
	for name, want := range map[string]string{
		"Lambda-Runtime-Aws-Request-Id":       "a-1",
		"Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:000000000000:function:items",
		"Content-Type":                        "application/json",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	var deadline int64
	if fmt.Sscan(response.Header.Get("Lambda-Runtime-Deadline-Ms"), &deadline); time.Until(time.UnixMilli(deadline)) < 20*time.Second {
		t.Errorf("the deadline is %d", deadline)
	}
	if !strings.HasPrefix(response.Header.Get("Lambda-Runtime-Trace-Id"), "Root=1-") {
		t.Errorf("the trace is %q", response.Header.Get("Lambda-Runtime-Trace-Id"))
	}

	c.refused("POST", "invocation/a-2/response", strings.NewReader("1"), 400, "InvalidRequestID")
	c.refused("POST", "init/error", strings.NewReader("{}"), 403, "InvalidStateTransition")
	accepted, text := c.do("POST", "invocation/a-1/response", strings.NewReader(`"well"`), nil)
	if accepted.StatusCode != 202 || text != `{"status":"OK"}`+"\n" {
		t.Errorf("response: %d %s", accepted.StatusCode, text)
	}
	if o := <-c.results; o.err != nil || string(o.answer.Payload) != `"well"` || o.answer.Failed {
		t.Errorf("the caller gets %+v", o)
	}
	c.refused("POST", "invocation/a-1/response", strings.NewReader("1"), 403, "InvalidStateTransition")
	c.refused("POST", "invocation/a-1/error", strings.NewReader("1"), 403, "InvalidStateTransition")

	c.invoke("a-3", `{}`)
	c.next()
	accepted, _ = c.do("POST", "invocation/a-3/error", strings.NewReader(`{"errorType":"E"}`), http.Header{"Lambda-Runtime-Function-Error-Type": {"E"}})
	if accepted.StatusCode != 202 {
		t.Errorf("error: %d", accepted.StatusCode)
	}
	if o := <-c.results; o.err != nil || string(o.answer.Payload) != `{"errorType":"E"}` || !o.answer.Failed {
		t.Errorf("the caller gets %+v", o)
	}

	c.invoke("a-4", `{}`)
	c.next()
	c.refused("POST", "invocation/a-4/response", bytes.NewReader(make([]byte, function.MaxResult+1)), 413, "RequestEntityTooLarge")
	if o := <-c.results; o.err == nil || o.err.(*function.Error).Kind != function.TooLarge {
		t.Errorf("the caller gets %+v", o)
	}
}

func TestBodiesMayComeInChunksAndWithTrailers(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.invoke("a-1", `{}`)
	c.next()
	// A reader of unknown length is sent in chunks.
	c.do("POST", "invocation/a-1/response", io.MultiReader(strings.NewReader("one"), strings.NewReader("two")), nil)
	if o := <-c.results; string(o.answer.Payload) != "onetwo" {
		t.Errorf("the caller gets %+v", o)
	}
	c.invoke("a-2", `{}`)
	c.next()
	r, _ := http.NewRequest("POST", c.base+"invocation/a-2/response", io.MultiReader(strings.NewReader("half")))
	r.Header.Set("Lambda-Runtime-Function-Response-Mode", "streaming")
	r.Header.Set("Expect", "100-continue")
	r.Trailer = http.Header{
		"Lambda-Runtime-Function-Error-Type": {"E"},
		"Lambda-Runtime-Function-Error-Body": {"eyJlcnJvclR5cGUiOiJFIn0="},
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil || response.StatusCode != 202 {
		t.Fatalf("the stream: %v", err)
	}
	response.Body.Close()
	if o := <-c.results; string(o.answer.Payload) != `{"errorType":"E"}` || !o.answer.Failed {
		t.Errorf("the caller gets %+v", o)
	}
}

func TestAPipelinedAnswerAndPollAreServedInOrder(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	socket, err := net.Dial("tcp", c.worker.api.address)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	r := bufio.NewReader(socket)
	base := c.worker.api.secret + apiPrefix
	poll := "GET " + base + "invocation/next HTTP/1.1\r\n\r\n"
	io.WriteString(socket, poll)
	for n := range 20 {
		id := fmt.Sprint("id-", n)
		c.invoke(id, fmt.Sprint(n))
		if n > 0 {
			if response, err := http.ReadResponse(r, nil); err != nil || response.StatusCode != 202 {
				t.Fatalf("the answer to the post: %v", err)
			} else {
				io.Copy(io.Discard, response.Body)
			}
		}
		response, err := http.ReadResponse(r, nil)
		if err != nil || response.StatusCode != 200 || response.Header.Get("Lambda-Runtime-Aws-Request-Id") != id {
			t.Fatalf("the event %d: %v %v", n, err, response)
		}
		event, _ := io.ReadAll(response.Body)
		fmt.Fprintf(socket, "POST %sinvocation/%s/response HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s%s", base, id, len(event), event, poll)
		if o := <-c.results; string(o.answer.Payload) != fmt.Sprint(n) {
			t.Fatalf("the caller gets %+v", o)
		}
	}
}

func TestABrowserGetsNothing(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for name, value := range map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"} {
		if response, _ := c.do("GET", "invocation/next", nil, http.Header{name: {value}}); response.StatusCode != 403 {
			t.Errorf("with %s: %d", name, response.StatusCode)
		}
	}
	r, _ := http.NewRequest("GET", c.base+"invocation/next", nil)
	r.Host = "rebound.example"
	response, err := http.DefaultClient.Do(r)
	if err != nil || response.StatusCode != 403 {
		t.Errorf("with another Host: %v %v", response, err)
	}
}

func TestARequestIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "body")
		chunked := rapid.Bool().Draw(t, "chunked")
		r, _ := http.NewRequest("POST", "http://h/2018-06-01/runtime/init/error", io.MultiReader(bytes.NewReader(body)))
		if !chunked {
			r.ContentLength = int64(len(body))
		}
		r.Header.Set("X-"+rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "name"), string(rapid.SliceOfN(rapid.ByteRange('!', '~'), 0, 9000).Draw(t, "value")))
		var wire bytes.Buffer
		if err := r.Write(&wire); err != nil {
			t.Fatal(err)
		}
		wire.WriteString("GET / HTTP/1.1\r\n\r\n")
		reader := bufio.NewReaderSize(&wire, 64)
		q, err := readHead(reader)
		if err != nil {
			t.Fatal(err)
		}
		limit := rapid.IntRange(0, 4000).Draw(t, "limit")
		err = q.readBody(reader, limit)
		if len(body) > limit {
			if err != errTooLong {
				t.Fatalf("%d bytes where %d are allowed: %v", len(body), limit, err)
			}
		} else if err != nil || !bytes.Equal(q.body, body) {
			t.Fatalf("the body is %q, want %q: %v", q.body, body, err)
		}
		if q, err = readHead(reader); err != nil || q.path != "/" {
			t.Fatalf("the next request is %+v, %v", q, err)
		}
	})
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n"))
	f.Add([]byte("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(wire), 64)
		if q, err := readHead(r); err == nil {
			if err := q.readBody(r, 1000); err == nil && len(q.body) > 1000 {
				t.Errorf("a body of %d bytes", len(q.body))
			}
		}
	})
}
