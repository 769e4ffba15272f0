package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/test/await"
)

// handler is an Invoker that calls a function of the test.
type handler func(ctx context.Context, c function.Call) (function.Answer, error)

func (h handler) Invoke(ctx context.Context, c function.Call) (function.Answer, error) {
	return h(ctx, c)
}

func (h handler) Begin(c function.Call, done func(function.Answer, error)) func() {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		answer, err := h(ctx, c)
		done(answer, err)
	}()
	return cancel
}

// returns is an Invoker with the same result for every call.
func returns(payload string) handler {
	return func(_ context.Context, c function.Call) (function.Answer, error) {
		return function.Answer{RequestID: c.RequestID, Payload: []byte(payload)}, nil
	}
}

// echo answers with the event as its body.
func echo(_ context.Context, c function.Call) (function.Answer, error) {
	body, err := json.Marshal(string(c.Body.Into(c.Payload)))
	return function.Answer{RequestID: c.RequestID, Payload: []byte(`{"statusCode":200,"body":` + string(body) + `}`)}, err
}

// running is a gateway on a real listener.
type running struct {
	t       *testing.T
	gateway *Gateway
	logs    *logs.Store
	address string
	// now is the time of the gateway's clock.
	now time.Time
}

const (
	testID      = "a1b2c3d4e5"
	testAccount = "123456789012"
)

// testTime is the initial time of a gateway's clock.
var testTime = time.Date(2026, 11, 21, 10, 11, 12, 123e6, time.UTC)

// shop is an API with paths of every kind.
func shop() API {
	open := access.Access{Setting: access.Open}
	path := func(name, function string, rules access.Access) *access.Path {
		return &access.Path{Name: name, Function: function, Access: rules}
	}
	signedIn := access.Access{Setting: access.Private, Grants: []access.Grant{{To: access.Principal{Kind: access.Authenticated}, Actions: access.ActionSet(access.Read)}}}
	guests := access.Access{Setting: access.Protected, Grants: []access.Grant{{To: access.Principal{Kind: access.Guest}, Actions: access.EveryAction}}}
	readers := access.Access{Setting: access.Protected}.With(access.Principal{Kind: access.Authenticated}, access.ActionSet(access.Read)).
		With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read))
	return API{
		ID: testID, Environment: "dev", Label: "shop", Region: "eu-west-1", AccountID: testAccount,
		Definition: &access.API{Label: "shop", Paths: []*access.Path{
			path("/items", "items", open),
			path("/items/special", "special", open),
			path("/book/{isbn}", "book", open),
			path("/secret", "secret", signedIn),
			path("/lobby", "lobby", guests),
			path("/porch", "porch", readers),
		}},
	}
}

// proxyAPI is an API whose root has a proxy resource, as in the recordings.
func proxyAPI() API {
	api := shop()
	api.Definition = &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/", Function: "all", Access: access.Access{Setting: access.Open}},
		{Name: "/hardcoded", Function: "fixed", Access: access.Access{Setting: access.Open}},
	}}
	return api
}

// start serves an API; adjust, which may be nil, changes the gateway first.
func start(t *testing.T, api API, invoker Invoker, adjust func(*Gateway)) *running {
	t.Helper()
	store, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, logs: store, address: listener.Addr().String(), now: testTime}
	r.gateway = New(Options{Invoker: invoker, Logs: store, Address: r.address, Now: func() time.Time { return r.now }})
	if adjust != nil {
		adjust(r.gateway)
	}
	r.gateway.Apply([]API{api})
	ended := make(chan error, 1)
	go func() { ended <- r.gateway.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), await.Limit(t))
		defer cancel()
		if err := r.gateway.Shutdown(ctx); err != nil {
			t.Errorf("the gateway did not end: %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// dial opens a raw connection.
func (r *running) dial() net.Conn {
	r.t.Helper()
	c, err := net.Dial("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(await.Limit(r.t)))
	return c
}

// reply is an answer with the names of its headers in their original case.
type reply struct {
	status int
	names  []string
	header map[string][]string
	body   string
}

// get joins the values of a header with exactly this spelling.
func (r reply) get(name string) string { return strings.Join(r.header[name], " | ") }

// raw sends bytes and reads one answer to a request with a method.
func (r *running) raw(method, request string) reply {
	r.t.Helper()
	c := r.dial()
	if _, err := io.WriteString(c, request); err != nil {
		r.t.Fatal(err)
	}
	answer, err := readReply(bufio.NewReader(c), method)
	if err != nil {
		r.t.Fatalf("%.80q: %v", request, err)
	}
	return answer
}

// call sends a request below the API's stage, with header lines and a body.
func (r *running) call(method, path, body string, lines ...string) reply {
	r.t.Helper()
	return r.raw(method, request(method, "/"+testID+"/dev"+path, body, lines...))
}

func request(method, target, body string, lines ...string) string {
	var b strings.Builder
	b.WriteString(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n")
	for _, line := range lines {
		b.WriteString(line + "\r\n")
	}
	if body != "" {
		b.WriteString("Content-Length: " + itoa(len(body)) + "\r\n")
	}
	return b.String() + "\r\n" + body
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// readReply reads one answer; net/http would change the case of names.
func readReply(from *bufio.Reader, method string) (reply, error) {
	var r reply
	r.header = map[string][]string{}
	status, err := from.ReadString('\n')
	if err != nil {
		return r, err
	}
	fields := strings.Fields(status)
	if len(fields) < 2 || json.Unmarshal([]byte(fields[1]), &r.status) != nil {
		return r, errors.New("no status line: " + status)
	}
	length := 0
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return r, err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ": ")
		r.names = append(r.names, name)
		r.header[name] = append(r.header[name], value)
		if name == "Content-Length" {
			if err := json.Unmarshal([]byte(value), &length); err != nil {
				return r, err
			}
		}
	}
	if r.status == http.StatusContinue {
		return readReply(from, method)
	}
	if method == http.MethodHead {
		return r, nil
	}
	body := make([]byte, length)
	_, err = io.ReadFull(from, body)
	r.body = string(body)
	return r, err
}

// logText is the text of a log, a line each.
func (r *running) logText(function string) string {
	var all []string
	for _, l := range r.logs.Read(logs.Query{Function: function}) {
		all = append(all, l.Text)
	}
	return strings.Join(all, "\n")
}

// logged fails unless one line of the gateway's log has all parts.
func (r *running) logged(parts ...string) {
	r.t.Helper()
	text := r.logText(logs.Gateway)
	for line := range strings.SplitSeq(text, "\n") {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(line, part)
		}
		if all {
			return
		}
	}
	r.t.Errorf("no line of the log has %q:\n%s", parts, text)
}
