// Package gateway is the REST gateway of the sandbox. It serves the APIs of the
// local environments as the cloud's gateway serves them: the same routing, the
// same event for the handler function, the same rules for its result, the same
// errors. The facts were recorded from the cloud; the comments name the section
// of research/sandbox.md that has each.
package gateway

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
)

// API is one REST API of one environment. The environment's name is its only
// stage (specification, "Versioning" 3).
type API struct {
	// ID is the API's id, the first part of its address; it never begins with _.
	ID          string
	Environment string
	Label       string
	Region      string
	AccountID   string
	Definition  *model.API
	// Groups are the user pool's, in order of precedence.
	Groups []string
	// NoGuests says that guests get no identity.
	NoGuests bool
}

// Invoker runs handler functions; function.Runner is one. An ended context means
// that nobody waits for the answer any more.
type Invoker interface {
	Invoke(ctx context.Context, c function.Call) (function.Answer, error)
	// Begin does not wait: done is told the answer once, by whatever goroutine has
	// it, and waits for nothing. forget says that nobody wants it any more.
	Begin(c function.Call, done func(function.Answer, error)) (forget func())
}

// Options are what a Gateway works with.
type Options struct {
	Invoker Invoker
	// Logs gets a line for each refusal and each 5xx; nil keeps none.
	Logs *logs.Store
	// Identities says who calls. Where it is nil no credential is good, and whoever
	// sends none is a guest.
	Identities Identities
	// Address is the host:port that people use; events and messages name it.
	Address string
	// RequireSignatures refuses a request to a restricted path that is not signed as
	// the cloud does; otherwise whoever sends no credential is a guest, and an id
	// token is taken.
	RequireSignatures bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// limits are the bounds of requests, answers and connections.
type limits struct {
	body, payload     int64
	integration       time.Duration
	head, idle, grace time.Duration
	pace              int64
	connections       int64
}

// The cloud's bounds: 10 MB for a request, 6 MB for an event and for a result,
// 29 s for the integration (research/sandbox.md 2.3). The others are ours: a head
// has 10 s; a body has 10 s and then must keep up 16 KB a second.
func cloudLimits() limits {
	return limits{
		body: 10 << 20, payload: 6 << 20, integration: 29 * time.Second,
		head: 10 * time.Second, idle: 60 * time.Second, grace: 10 * time.Second, pace: 16 << 10,
		connections: 2000,
	}
}

// maxHead is how long the head of a request may be, in bytes.
const maxHead = 64 << 10

// Gateway serves REST APIs. Its methods may be called by several goroutines.
type Gateway struct {
	options  Options
	limits   limits
	serving  atomic.Pointer[directory]
	services atomic.Pointer[[]service]
	server   server
	adding   sync.Mutex
	// said holds what is said once only.
	noted sync.Map
}

// service is a handler of the sandbox's own.
type service struct {
	prefix  string
	handler http.Handler
}

// New makes a gateway that serves no API yet.
func New(o Options) *Gateway {
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Gateway{options: o, limits: cloudLimits()}
	g.serving.Store(&directory{})
	g.services.Store(&[]service{})
	g.server = server{listeners: map[net.Listener]bool{}, conns: map[*conn]bool{}, connEnded: make(chan struct{}, 1)}
	return g
}

// Apply says which APIs there are from now on. Requests that run end with what
// they began with.
func (g *Gateway) Apply(apis []API) { g.serving.Store(newDirectory(apis)) }

// Handle serves a service of the sandbox itself. A prefix that begins with /_ is
// that of its paths, so that they are no API's. One that begins with /. is what its
// paths have behind their first segment. Any other is that of the X-Amz-Target
// header in requests to the root, by which the cloud's services know theirs.
func (g *Gateway) Handle(prefix string, h http.Handler) {
	g.adding.Lock()
	defer g.adding.Unlock()
	all := append([]service{{prefix, h}}, *g.services.Load()...)
	g.services.Store(&all)
}

// service finds the service that a request is for; nil is none.
func (g *Gateway) service(path string, head *http1.Head) http.Handler {
	target := path
	switch {
	case path == "/":
		if target = head.Get("X-Amz-Target"); strings.HasPrefix(target, "/") {
			return nil
		}
	case strings.HasPrefix(path, "/_"):
	default:
		at := strings.Index(path, "/.")
		if at < 2 || strings.IndexByte(path[1:at], '/') >= 0 {
			return nil
		}
		target = path[at:]
	}
	for _, s := range *g.services.Load() {
		if strings.HasPrefix(target, s.prefix) {
			return s.handler
		}
	}
	return nil
}

// note writes a line to the gateway's log.
func (g *Gateway) note(environment, request string, level logs.Level, text string) {
	g.write(logs.Line{Environment: environment, Function: logs.Gateway, Request: request, Level: level, Text: text})
}

func (g *Gateway) write(l logs.Line) {
	if g.options.Logs == nil {
		return
	}
	l.Time = g.options.Now()
	g.options.Logs.Append(l)
}

// hide is a text as the logs keep it, without the values of secrets.
func (g *Gateway) hide(text string) string {
	if g.options.Logs == nil {
		return text
	}
	return g.options.Logs.Hide(text)
}
