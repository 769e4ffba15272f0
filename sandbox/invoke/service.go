package invoke

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/internal/uuid"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// Prefixes are the beginnings of the paths that a Service answers.
var Prefixes = []string{"/2015-03-31/", "/2021-11-15/", "/2014-11-13/"}

// Runner runs functions, as worker.Runner does.
type Runner interface {
	Invoke(ctx context.Context, c function.Call) (function.Answer, error)
	Waiting(environment, name string) (over func())
}

// Options configure a Service.
type Options struct {
	Runner  Runner
	Logs    *logs.Store
	Traffic *traffic.Store
	// May decides whether a function may call another one, by the ARN that policies are about; it returns
	// the refusal, or "". A function that does not exist has no Name.
	May func(caller, called Function, arn string) string
	// Notify is called with news for the person who runs the sandbox.
	Notify func(function.Event)
	// Pauses are the times before the second and the third attempt of a call that nobody
	// waits for; nil is 1 and 2 seconds. Lambda waits 1 and 2 minutes.
	Pauses []time.Duration
	// Used is called for each request of a function, before it gets the answer; it may be nil.
	Used func(function.Told)
}

// Served is what can be called, and by whom.
type Served struct {
	Functions []Function
	// Callers are functions by the access key ids of their credentials. Requests with other
	// keys are from programs of the user, which may call every function.
	Callers map[string]Function
}

// Service answers the API. Its methods may be called from several goroutines.
type Service struct {
	options Options
	served  atomic.Pointer[Served]
	queue   queue
	// waited counts the calls whose callers wait, or waited.
	waited sync.WaitGroup

	mu sync.Mutex
	// running are the lineages of the calls of each function that run now.
	running map[Function][]lineage
}

// New returns a Service without functions. The caller closes it.
func New(o Options) *Service {
	if o.Pauses == nil {
		o.Pauses = []time.Duration{time.Second, 2 * time.Second}
	}
	s := &Service{options: o, running: make(map[Function][]lineage)}
	s.served.Store(&Served{})
	s.queue.ctx, s.queue.end = context.WithCancel(context.Background())
	return s
}

// Apply replaces what can be called.
func (s *Service) Apply(served Served) { s.served.Store(&served) }

// The values of the header X-Amz-Invocation-Type.
const (
	kindWait  = "RequestResponse"
	kindEvent = "Event"
	kindTry   = "DryRun"
)

// request is a call that was asked for.
type request struct {
	id string
	// caller is nil for a program of the user.
	caller *Function
	// wanted is the name in the request, and called the function that it means.
	wanted string
	called Function
	// qualifier is the version that was named, "" for none.
	qualifier string
	kind      string
	wantsLog  bool
	streams   bool
	context   string
	payload   []byte
	lineage   lineage
	// asked is when it came, trace its trace header, and flight the call, or its present attempt.
	asked  time.Time
	trace  string
	flight *function.Flight
}

// begins says that the call, or its next attempt, begins now.
func (q *request) begins() {
	q.flight = &function.Flight{Kind: string(traffic.Invoke), Began: time.Now()}
}

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &request{id: uuid.New(), trace: r.Header.Get(function.TraceHeader)}
	q.begins()
	q.asked = q.flight.Began
	w.Header().Set("X-Amzn-Requestid", q.id)
	status, refused := http.StatusNoContent, s.read(q, r)
	switch {
	case refused != nil || q.kind == kindTry:
	case q.kind == kindEvent:
		status, refused = http.StatusAccepted, s.enqueue(q)
	default:
		s.answer(w, r, q)
		return
	}
	if refused != nil {
		s.keepRefused(q, refused)
		s.used(q, refused.text)
		refused.answer(w)
		return
	}
	s.used(q, "")
	w.WriteHeader(status)
}

// used tells of a request of a function, and why it failed.
func (s *Service) used(q *request, why string) {
	if s.options.Used != nil && q.caller != nil {
		s.options.Used(function.Told{
			Environment: q.caller.Environment, Function: q.caller.Name, Trace: q.trace, Began: q.asked,
			Resources: []string{"function/" + cmp.Or(q.called.Name, q.wanted, "?")}, Operation: "Invoke", Why: why,
		})
	}
}

// read reads and checks a request up to what the function gets.
func (s *Service) read(q *request, r *http.Request) *fault {
	if http1.MayBeFromPage(r.Header.Get("Origin"), r.Host) || r.Header.Get("Sec-Fetch-Site") != "" {
		return &fault{
			status: http.StatusForbidden, code: accessDenied,
			text: "Functions are not for web pages: programs ask for them at 127.0.0.1 or localhost",
		}
	}
	served := s.served.Load()
	if f, known := cloud.CallerOf(r.Header.Get, func(key string) (Function, bool) {
		f, known := served.Callers[key]
		return f, known
	}); known {
		q.caller = &f
	}
	name, operation, refused := route(r)
	if refused != nil {
		return refused
	}
	q.streams = operation == streamOperation
	ref, refused := readReference(name, r.URL.Query().Get("Qualifier"))
	if refused != nil {
		return refused
	}
	q.wanted, q.qualifier = ref.name, ref.qualifier
	if refused := q.readHeaders(r.Header); refused != nil {
		return refused
	}
	if refused := s.resolve(q, ref, served); refused != nil {
		return refused
	}
	if q.payload, refused = readPayload(r.Body, q.kind); refused != nil {
		return refused
	}
	return s.follow(q, q.trace)
}

const (
	invokeOperation = "invocations"
	streamOperation = "response-streaming-invocations"
)

// route finds the name of the function in the path.
func route(r *http.Request) (name, operation string, refused *fault) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	is := r.Method == http.MethodPost && len(parts) == 4 && parts[1] == "functions"
	switch {
	case is && parts[0] == "2015-03-31" && parts[3] == invokeOperation, is && parts[0] == "2021-11-15" &&
		parts[3] == streamOperation:
	default:
		const most = 200
		asked := phrase.Quote(r.Method + " " + r.URL.Path[:min(len(r.URL.Path), most)])
		text := "of the API of Lambda, only Invoke and InvokeWithResponseStream are served here, not " + asked
		return "", "", &fault{status: http.StatusBadRequest, code: cloud.Code, text: text, note: "refused: " + text}
	}
	name, err := url.PathUnescape(parts[2])
	if err != nil {
		name = parts[2]
	}
	return name, parts[3], nil
}

// readHeaders reads how the function is called.
func (q *request) readHeaders(h http.Header) (refused *fault) {
	q.kind = h.Get("X-Amz-Invocation-Type")
	kinds, shown := []string{kindWait, kindEvent, kindTry}, "[Event, RequestResponse, DryRun]"
	if q.streams {
		kinds, shown = []string{kindWait, kindTry}, "[RequestResponse, DryRun]"
	}
	if q.kind == "" {
		q.kind = kindWait
	}
	if !slices.Contains(kinds, q.kind) {
		return invalidMember(q.kind, "invocationType", "Member must satisfy enum value set: "+shown)
	}
	switch kind := h.Get("X-Amz-Log-Type"); kind {
	case "", "None":
	case "Tail":
		q.wantsLog = true
	default:
		return invalidMember(kind, "logType", "Member must satisfy enum value set: [None, Tail]")
	}
	q.context, refused = readContext(h.Get("X-Amz-Client-Context"))
	return refused
}

// Close ends the Service: calls that nobody waits for run on until ctx ends, and are not
// tried again.
func (s *Service) Close(ctx context.Context) { s.queue.close(ctx) }

// Wait waits until no call runs any more. The functions must have been ended.
func (s *Service) Wait() {
	s.queue.running.Wait()
	s.waited.Wait()
}
