package worker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/function"
	"gatewright/test/await"
)

func TestTheHeadOfARequestIsRead(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]request{
		"GET /a HTTP/1.1\r\n\r\n":                                              {method: "GET", path: "/a"},
		"\r\nPOST /a?b HTTP/1.1\nHost:  h:1 \n\n":                              {method: "POST", path: "/a?b", host: "h:1"},
		"PUT /a HTTP/1.0\r\n\r\n":                                              {method: "PUT", path: "/a", close: true},
		"GET / HTTP/1.1\r\nCONNECTION: Close\r\n\r\n":                          {method: "GET", path: "/", close: true},
		"GET / HTTP/1.1\r\nConnection: close\r\nConnection: x\r\n\r\n":         {method: "GET", path: "/", close: true},
		"GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n":                     {method: "GET", path: "/"},
		"GET / HTTP/1.1\r\nContent-Length: 17\r\nExpect: 100-Continue\r\n\r\n": {method: "GET", path: "/", length: 17, wantsContinue: true},
		"GET / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n":                 {method: "GET", path: "/", chunked: true},
		"GET / HTTP/1.1\r\norigin: null\r\n\r\n":                               {method: "GET", path: "/", browser: true},
		"GET / HTTP/1.1\r\nSec-Fetch-Site:none\r\n\r\n":                        {method: "GET", path: "/", browser: true},
		"POST / HTTP/1.1\r\nLambda-Runtime-Function-Response-Mode: streaming\r\nLambda-Runtime-Function-Error-Type: A.B\r\n\r\n": {
			method: "POST", path: "/", streaming: true, errorType: "A.B",
		},
		"POST / HTTP/1.1\r\nLambda-Runtime-Function-Response-Mode: buffered\r\nX: y\r\n\r\n": {method: "POST", path: "/"},
	} {
		got, err := readHead(bufio.NewReaderSize(strings.NewReader(wire), 16))
		if err != nil {
			t.Errorf("%q: %v", wire, err)
			continue
		}
		if diff := cmp.Diff(&want, got, cmp.AllowUnexported(request{})); diff != "" {
			t.Errorf("%q: %s", wire, diff)
		}
	}
	line := "A: " + strings.Repeat("x", 1<<20) + "\r\n"
	for wire, want := range map[string]error{
		"GET\r\n\r\n": errMalformed, "GET /\r\n\r\n": errMalformed, "GET / HTTP/2\r\n\r\n": errMalformed, "GET / HTTP/1.1\r\nHost\r\n\r\n": errMalformed,
		"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n": errMalformed, "GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n": errMalformed,
		"GET / HTTP/1.1\r\nA: b": io.EOF, "": io.EOF,
		"GET / HTTP/1.1\r\n" + line + "\r\n":                                               nil,
		"GET / HTTP/1.1\r\n" + line + line + "\r\n":                                        errTooLong,
		"GET / HTTP/1.1\r\nA: " + strings.Repeat("x", longestLine+8<<10) + "\r\n\r\n":      errTooLong,
		"GET /" + strings.Repeat("x", longestLine+8<<10) + " HTTP/1.1\r\nA: b\r\n\r\n\r\n": errTooLong,
	} {
		if _, err := readHead(bufio.NewReaderSize(strings.NewReader(wire), 4<<10)); !errors.Is(err, want) {
			t.Errorf("%.60q: %v, not %v", wire, err, want)
		}
	}
}

func TestABodyIsReadUpToItsLimit(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		head, wire, body string
		want             error
	}{
		{"Content-Length: 4\r\n", "four", "four", nil},
		{"Content-Length: 5\r\n", "fives", "", errTooLong},
		{"Content-Length: 4\r\n", "one", "one\x00", io.ErrUnexpectedEOF},
		{"Content-Length: 0\r\n", "", "", nil},
		{"Transfer-Encoding: chunked\r\n", "2;a=b\r\nfo\r\n 2 \r\nur\r\n0\r\n\r\n", "four", nil},
		{"Transfer-Encoding: chunked\r\n", "2\r\nfi\r\n3\r\nves\r\n0\r\n\r\n", "", errTooLong},
		{"Transfer-Encoding: chunked\r\n", "5\r\nfives\r\n1\r\nx\r\n0\r\n\r\n", "", errTooLong},
		{"Transfer-Encoding: chunked\r\n", "x\r\n", "", errMalformed},
		{"Transfer-Encoding: chunked\r\n", "2\r\nfour\r\n0\r\n\r\n", "fo", errMalformed},
		{
			"Transfer-Encoding: chunked\r\n", "2\r\nfo\r\n0\r\nX: y\r\nlambda-runtime-function-error-type: E\r\nLambda-Runtime-Function-Error-Body: ZQ==\r\n\r\n",
			"e E", nil,
		},
		{"Transfer-Encoding: chunked\r\n", "2\r\nfo\r\n0\r\nLambda-Runtime-Function-Error-Body: ?\r\n\r\n", "fo", nil},
	} {
		r := bufio.NewReader(strings.NewReader("POST / HTTP/1.1\r\n" + row.head + "\r\n" + row.wire + "next"))
		if row.want == io.ErrUnexpectedEOF {
			r = bufio.NewReader(strings.NewReader("POST / HTTP/1.1\r\n" + row.head + "\r\n" + row.wire))
		}
		q, err := readHead(r)
		if err != nil {
			t.Fatal(err)
		}
		err = q.readBody(r, 4)
		body := string(q.body)
		if q.errorType != "" {
			body += " " + q.errorType
		}
		if body != row.body || !errors.Is(err, row.want) {
			t.Errorf("%q: %q, %v", row.wire, body, err)
		}
		// The connection can be used again.
		if rest, _ := io.ReadAll(r); (err == nil || errors.Is(err, errTooLong)) && string(rest) != "next" {
			t.Errorf("behind %q is %q", row.wire, rest)
		}
	}
}

func TestAnEventHasWhatRuntimesRead(t *testing.T) {
	t.Parallel()
	began := time.Unix(0x5e0f1a2b, 0)
	f := frame{began, began.Add(1500 * time.Millisecond)}
	spec := &function.Spec{Name: "items", DeployedName: "items-dev", Region: "eu-west-1", AccountID: "123456789012"}
	for _, row := range []struct {
		i    invocation
		spec *function.Spec
		want string
	}{
		{
			invocation{id: "6f1b2c3d-0a1b-4c2d-8e3f-a0b1c2d3e4f5", payload: []byte(`{"a":1}`)},
			spec,
			"Lambda-Runtime-Aws-Request-Id: 6f1b2c3d-0a1b-4c2d-8e3f-a0b1c2d3e4f5\n" +
				"Lambda-Runtime-Deadline-Ms: 1578048044500\n" +
				"Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-1:123456789012:function:items-dev\n" +
				"Lambda-Runtime-Trace-Id: Root=1-5e0f1a2b-5f4e3d2c1b0af3e8d2c4b1a0;Parent=0000000000000000;Sampled=0\n" +
				"Content-Length: 7\n",
		},
		{
			invocation{id: "1-a-Z", clientContext: `{"c":2}`, qualifier: "prod", lineage: "1:2:3"},
			spec,
			"Lambda-Runtime-Aws-Request-Id: 1-a-Z\n" +
				"Lambda-Runtime-Deadline-Ms: 1578048044500\n" +
				"Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-1:123456789012:function:items-dev:prod\n" +
				`Lambda-Runtime-Client-Context: {"c":2}` + "\n" +
				"Lambda-Runtime-Trace-Id: Root=1-5e0f1a2b-a10000000000000000000000;Parent=0000000000000000;Sampled=0;Lineage=1:2:3\n" +
				"Content-Length: 0\n",
		},
		{
			invocation{id: "a", qualifier: "a\r\nb"},
			&function.Spec{Name: "it ems"},
			"Lambda-Runtime-Aws-Request-Id: a\n" +
				"Lambda-Runtime-Deadline-Ms: 1578048044500\n" +
				"Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:us-east-1:000000000000:function:it_ems:a__b\n" +
				"Lambda-Runtime-Trace-Id: Root=1-5e0f1a2b-a00000000000000000000000;Parent=0000000000000000;Sampled=0\n" +
				"Content-Length: 0\n",
		},
	} {
		want := "HTTP/1.1 200 OK\nContent-Type: application/json\n" + row.want + "\n"
		if diff := cmp.Diff(want, strings.ReplaceAll(string(appendEvent(nil, &row.i, len(row.i.payload), f, row.spec)), "\r\n", "\n")); diff != "" {
			t.Error(diff)
		}
	}
}

// TestEachRequestHasTheAnswerOfTheRuntimeAPI compares whole answers, as they are on the wire.
func TestEachRequestHasTheAnswerOfTheRuntimeAPI(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.invoke("a-1", "{}")
	c.next()
	const invocation = "POST SECRET/2018-06-01/runtime/invocation/"
	refusal := func(status, kind, message string) string {
		body := fmt.Sprintf(`{"errorMessage":%q,"errorType":%q}`+"\n", message, kind)
		return fmt.Sprintf("HTTP/1.1 %s\nContent-Type: application/json\nContent-Length: %d\n\n%s", status, len(body), body)
	}
	var (
		foreign  = refusal("403 Forbidden", "Forbidden", "Only the function's own process may ask")
		nowhere  = refusal("404 Not Found", "NotFound", "There is no such path in the Runtime API")
		badID    = refusal("400 Bad Request", "InvalidRequestID", "Invalid request ID")
		badState = refusal("403 Forbidden", "InvalidStateTransition", "The worker is not in a state in which it may ask this")
		well     = "HTTP/1.1 202 Accepted\nContent-Type: application/json\nContent-Length: 16\n\n" + `{"status":"OK"}` + "\n"
	)
	_, port, _ := strings.Cut(c.worker.api.address, ":")
	for _, row := range [][2]string{
		{"no HTTP\n\n", refusal("400 Bad Request", "InvalidRequest", "The request is not HTTP/1.1")},
		{"GET /2018-06-01/runtime/invocation/next HTTP/1.1\n\n", foreign},
		{"GET /SECRET/2018-06-01/runtime/invocation/next HTTP/1.1\n\n", foreign},
		{"POST /" + strings.Repeat("A", 26) + "/2018-06-01/runtime/invocation/a-1/response HTTP/1.1\nContent-Length: 1\n\n1", foreign},
		{"GET SECRET/2018-06-01/runtime/invocation/next HTTP/1.1\nOrigin: x\n\n", foreign},
		{"GET SECRET/2018-06-01/runtime/invocation/next HTTP/1.1\nHost: localhost:1\n\n", foreign},
		{"GET SECRET/2018-06-01/runtime/x HTTP/1.1\nConnection: close\nHost: localhost:" + port + "\n\n", nowhere},
		{"GET SECRET/2018-06-01/runtime/x HTTP/1.1\nConnection: close\nHost: 127.0.0.1:" + port + "\n\n", nowhere},
		{"GET SECRET/2015-03-31/runtime/invocation/next HTTP/1.1\nConnection: close\n\n", nowhere},
		{"POST SECRET/2018-06-01/runtime/invocation/next HTTP/1.0\n\n", nowhere},
		{"GET SECRET/2018-06-01/runtime/invocation/a-1/response HTTP/1.0\n\n", nowhere},
		{"GET SECRET/2018-06-01/runtime/init/error HTTP/1.0\n\n", nowhere},
		{"POST SECRET/2018-06-01/runtime/init/error HTTP/1.0\n\n", badState},
		{invocation + "a-2/error HTTP/1.0\nExpect: 100-continue\n\n", "HTTP/1.1 100 Continue\n\n" + badID},
		{invocation + "a-1/response HTTP/1.0\nContent-Length: 1\n\n1", well},
		{invocation + "a-1/response HTTP/1.0\nContent-Length: 1\n\n1", badState},
	} {
		socket, err := net.Dial("tcp", c.worker.api.address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(socket, strings.NewReplacer("\n", "\r\n", " SECRET/", " "+c.worker.api.secret+"/").Replace(row[0]))
		got, readErr := io.ReadAll(socket)
		if err = errors.Join(err, readErr, socket.Close()); err != nil {
			t.Fatalf("%q: %v", row[0], err)
		}
		if diff := cmp.Diff(row[1], strings.ReplaceAll(string(got), "\r\n", "\n")); diff != "" {
			t.Errorf("%q: %s", row[0], diff)
		}
	}
	if o := <-c.results; o.err != nil || string(o.answer.Payload) != "1" {
		t.Errorf("the caller gets %+v", o)
	}
	// A result may be as long as the limit, and the words of one that is longer are the cloud's.
	for size, want := range map[int]string{function.MaxResult: "", function.MaxResult + 1: "Response payload size exceeded maximum allowed payload size (6291556 bytes)."} {
		c.invoke("b", "{}")
		c.next()
		_, text := c.do("POST", "invocation/b/response", strings.NewReader(strings.Repeat("1", size)), nil)
		o := <-c.results
		var e *function.Error
		errors.As(o.err, &e)
		if want == "" {
			if len(o.answer.Payload) != size || o.err != nil {
				t.Errorf("a result of %d bytes is %d, %v", size, len(o.answer.Payload), o.err)
			}
		} else if e == nil || e.CloudText != want || e.CloudType != "Function.ResponseSizeTooLarge" || !strings.Contains(text, "Exceeded maximum allowed payload size (6291556 bytes).") {
			t.Errorf("a result of %d bytes is %+v, %s", size, e, text)
		}
	}
}

func TestARuntimeThatCannotStartSaysSoOnceAndIsEnded(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	const why = `{"errorType":"Runtime.ImportModuleError","errorMessage":"no module","trace":["at /x"]}`
	response, text := c.do("POST", "init/error", strings.NewReader(why), nil)
	if response.StatusCode != 202 || text != `{"status":"OK"}`+"\n" {
		t.Errorf("it is answered %d %s", response.StatusCode, text)
	}
	c.refused("POST", "init/error", strings.NewReader(`{"errorType":"Other"}`), 403, "InvalidStateTransition")
	c.worker.pool.mu.Lock()
	reported := c.worker.reported
	c.worker.pool.mu.Unlock()
	if reported == nil || reported.Type != "Runtime.ImportModuleError" || reported.Message != "no module" || string(reported.body) != why {
		t.Errorf("reported is %+v", reported)
	}
	// The process of this test does not end by itself.
	await.Next(t, "the end of the process", c.worker.process.ended)
}
