//go:build unix

package standin

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Call is a call of a service that a program made.
type Call struct {
	// Service is the one that the call was signed for, KeyID the access key.
	Service, KeyID string
	// Action is the name of the operation; of s3, the method with the path.
	Action string
	// Form are the parameters, of services that have them in a form.
	Form url.Values
	Body []byte
	// Status is the status of the answer.
	Status int
}

// Recorder passes calls on to a server, and notes them.
type Recorder struct {
	// URL is its address.
	URL string

	mu    sync.Mutex
	calls []Call
}

// Record starts a recorder before a server.
func Record(t testing.TB, server Server) *Recorder {
	t.Helper()
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recorder{}
	pass := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		// The host is a part of the signature.
		host := p.In.Host
		p.SetURL(to)
		p.Out.Host = host
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		pass.ServeHTTP(status, request)
		r.add(callOf(request, body, status.status))
	}))
	t.Cleanup(front.Close)
	r.URL = front.URL
	return r
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// callOf reads who called what.
func callOf(request *http.Request, body []byte, status int) Call {
	c := Call{Body: body, Status: status, Action: request.Method + " " + request.URL.Path}
	_, scope, _ := strings.Cut(request.Header.Get("Authorization"), "Credential=")
	scope, _, _ = strings.Cut(scope, ",")
	if parts := strings.Split(scope, "/"); len(parts) == 5 {
		c.KeyID, c.Service = parts[0], parts[3]
	}
	if c.Service != "s3" {
		if form, err := url.ParseQuery(string(body)); err == nil && form.Get("Action") != "" {
			c.Form, c.Action = form, form.Get("Action")
		}
	}
	return c
}

func (r *Recorder) add(c Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
}

// Take returns the calls since the last Take.
func (r *Recorder) Take() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = nil
	return calls
}

// Actions are the names of calls that a service got, in order.
func Actions(calls []Call, service string) []string {
	var names []string
	for _, c := range calls {
		if c.Service == service {
			names = append(names, c.Action)
		}
	}
	return names
}

// Services are the services that got calls, sorted.
func Services(calls []Call) []string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Service)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Trap is a proxy that refuses all connections, and counts them. A program that has to use it
// for all hosts but this machine shows by it whether it calls another one.
type Trap struct {
	// URL is its address.
	URL   string
	count atomic.Int64
}

// SetTrap starts a trap.
func SetTrap(t testing.TB) *Trap {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	trap := &Trap{URL: "http://" + listener.Addr().String()}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			trap.count.Add(1)
			_ = c.Close()
		}
	}()
	return trap
}

// Count is how many connections were refused.
func (t *Trap) Count() int64 { return t.count.Load() }

// Environment are the variables that lead a program into the trap.
func (t *Trap) Environment() []string {
	return []string{
		"HTTP_PROXY=" + t.URL, "HTTPS_PROXY=" + t.URL, "http_proxy=" + t.URL, "https_proxy=" + t.URL,
		"NO_PROXY=127.0.0.1,localhost",
	}
}
