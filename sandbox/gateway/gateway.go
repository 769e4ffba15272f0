// Package gateway is the REST gateway of the sandbox. It serves the APIs of the local environments as Amazon
// API Gateway serves REST APIs with Lambda proxy integration: the same routing, events, rules for results,
// and errors.
//
// Where AWS documents none of this, the code follows answers of API Gateway itself, as LocalStack recorded
// them for its tests: https://github.com/localstack/localstack/tree/master/tests/aws/services/apigateway
// (test_apigateway_lambda.snapshot.json and its neighbours). Comments call these "the recordings".
//
// A new behaviour begins as a row in a table of the tests, with its public source. Requests whose caller does
// not matter are answered first (no route, preflight, open path); then the caller is identified, and
// model.Router decides.
package gateway

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// API is one REST API of one environment. Its only stage has the environment's name.
type API struct {
	// ID is the first segment of the API's address; it never begins with _.
	ID          string
	Environment string
	Label       string
	Region      string
	AccountID   string
	Definition  *access.API
	// Fault is why the API is not served: all its requests get 502. "" if it is.
	Fault string
	// Groups are the groups of the user pool, in order of precedence.
	Groups []string
	// Terms are what the rules of its paths mean.
	Terms access.Terms
	// Administration marks the API for the administration of users that the Amplify CLI
	// makes (AdminQueries). It takes access tokens, as by its Cognito authorizer, and signed
	// requests with the claims that the handler reads.
	Administration bool
	// Contract is the document of OpenAPI that is kept next to the API; nil if there is none.
	Contract *Contract
	// CheckContract tells of requests and answers that break the contract.
	CheckContract bool
	// Mock are the paths of which, and below which, requests are answered with the example of
	// the contract, and no function is called. A segment such as {id} stands for any.
	Mock []string
}

// Invoker runs handler functions, as worker.Runner does. When ctx ends, nobody waits
// for the answer any more.
type Invoker interface {
	Invoke(ctx context.Context, c function.Call) (function.Answer, error)
	// Begin starts a call and returns at once. It calls done exactly once, from any
	// goroutine; done does not block. The caller calls forget when it no longer wants
	// the answer.
	Begin(c function.Call, done func(function.Answer, error)) (forget func())
}

// Options configure a Gateway.
type Options struct {
	Invoker Invoker
	// Logs gets a line for each refusal and each 5xx; it may be nil.
	Logs *logs.Store
	// Traffic gets each request with its answer; it may be nil.
	Traffic *traffic.Store
	// Identities finds out who calls. If it is nil, no credentials are valid, and a
	// request without credentials is a guest's.
	Identities Identities
	// Breach is called for each way in which requests and answers break a contract, once for
	// each operation; it may be nil.
	Breach func(Breach)
	// Address is the host:port that clients use.
	Address string
	// RequireSignatures refuses unsigned requests to restricted paths, as API Gateway
	// does. Without it, a request without credentials is a guest's, and an id token is
	// accepted instead of a signature.
	RequireSignatures bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// limits are the bounds of requests, answers and connections.
type limits struct {
	body, payload     int64
	result            int64
	integration       time.Duration
	head, idle, grace time.Duration
	pace              int64
	connections       int64
}

// cloudLimits are the limits of API Gateway (10 MB for a request, 29 s for the integration)
// and of Lambda (6 MB for an event, 100 bytes more for a result), and our own for connections: a head
// must be there after 10 s; a body may take 10 s, and a second more for each 16 KB.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
func cloudLimits() limits {
	return limits{
		body: 10 << 20, payload: function.MaxPayload, result: function.MaxResult, integration: 29 * time.Second,
		head: 10 * time.Second, idle: 60 * time.Second, grace: 10 * time.Second, pace: 16 << 10,
		connections: 2000,
	}
}

// maxHead is the largest head of a request in bytes.
const maxHead = 64 << 10

// Gateway serves REST APIs. Its methods may be called by several goroutines.
type Gateway struct {
	options  Options
	limits   limits
	serving  atomic.Pointer[directory]
	services atomic.Pointer[[]service]
	server   server
	adding   sync.Mutex
	// noted has what noteOnce has logged.
	noted sync.Map
}

// service is a part of the sandbox that is not an API, such as the user pools.
type service struct {
	prefix  string
	handler http.Handler
}

// New returns a gateway that serves no API yet.
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

// Apply replaces the APIs that are served. Requests that are running end with the API
// that they began with.
func (g *Gateway) Apply(apis []API) { g.serving.Store(newDirectory(apis)) }

// Handle serves a part of the sandbox that is not an API. A prefix that begins with /_ or with the
// date of an API of AWS, such as /2015-03-31/, is matched with the path, one that begins with /.
// with the path after its first segment, and any other with the X-Amz-Target header of requests to
// /, which names the operation in AWS's JSON protocols.
func (g *Gateway) Handle(prefix string, h http.Handler) {
	g.adding.Lock()
	defer g.adding.Unlock()
	all := append([]service{{prefix, h}}, *g.services.Load()...)
	g.services.Store(&all)
}

// service finds the service that a request is for, or nil.
func (g *Gateway) service(path string, head *http1.Head) http.Handler {
	target := path
	switch {
	case path == "/":
		if target = head.Get("X-Amz-Target"); strings.HasPrefix(target, "/") {
			return nil
		}
	case strings.HasPrefix(path, "/_"), isDated(path):
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

// isDated reports whether the first segment of a path is a date, as in the APIs of AWS that
// have their version there. The id of an API has no hyphens.
func isDated(path string) bool {
	return len(path) > len("/2015-03-31/") && path[5] == '-' && path[8] == '-' && path[11] == '/'
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

// hide replaces the secrets in a text, as the logs do.
func (g *Gateway) hide(text string) string {
	if g.options.Logs == nil {
		return text
	}
	return g.options.Logs.Hide(text)
}
