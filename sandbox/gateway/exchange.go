package gateway

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// exchange is one request to an API and its answer. Once the function is called, the
// connection's head may belong to the next request.
type exchange struct {
	gateway *Gateway
	conn    *conn
	method  string
	target  target
	api     *servedAPI
	route   access.Route
	id      identifiers
	at      time.Time
	// caller is nil for an open path.
	caller *caller
	// body is the body of the request until its function is called.
	body []byte
	// acceptsBytes says that the answer may be bytes.
	acceptsBytes bool
	// record is what is remembered of the request.
	record *record
	// judged is the request as it is held against its contract; nil if it is not.
	judged *judged

	mu sync.Mutex
	// claimed is set when the function or the clock has begun to answer.
	claimed bool
	clock   *time.Timer
	forget  func()
	// written is set when the answer is being written.
	written bool
}

// serve passes the request whose head a connection has read to a service of the sandbox
// or to an API. The answer may come later.
func (g *Gateway) serve(c *conn) {
	path, query := http1.SplitTarget(c.head.Target)
	if h := g.service(path, &c.head); h != nil && hostID(c.head.Host) == "" {
		c.serveService(h)
		return
	}
	now := g.options.Now()
	e := &exchange{
		gateway: g, conn: c, method: c.head.Method, at: now, target: parseTarget(path, query, c.head.Host),
		id: newIdentifiers(c.head.Get("X-Amzn-Trace-Id"), now),
	}
	e.record = g.beginRecord(traffic.Request, now, e.id.request, e.method, path, query)
	defer e.recoverPanic()
	if e.api = g.serving.Load().find(e.target); e.api != nil {
		e.record.path = e.target.path
	}
	if refused := e.answer(); refused != nil {
		e.refuse(refused)
	}
}

// recoverPanic answers 502 when the gateway itself panics.
func (e *exchange) recoverPanic() {
	broke := recover()
	if broke == nil {
		return
	}
	why := "the gateway failed: " + phrase.Quote(fmt.Sprint(broke))
	if e.written {
		e.note(http.StatusBadGateway, logs.Error, why)
		e.conn.abort()
		e.conn.endTurn()
		return
	}
	e.refuse(internal("", why, "this is a bug of the sandbox: report it", ""))
}

// answer answers the request, starts a call that will, or returns a refusal.
func (e *exchange) answer() *refusal {
	t := e.target
	if e.api == nil {
		return unknownAPI(t.id)
	}
	if refused := e.unacceptable(); refused != nil {
		e.record.keepRoute(e.api.Environment, e.api.Label, access.Route{})
		return refused
	}
	if t.stage != e.api.Environment {
		return unknownStage(e.api, t.stage)
	}
	if e.api.Fault != "" {
		return internal("", "the API "+phrase.Quote(e.api.Label)+" is not served: "+e.api.Fault, "", "")
	}
	// For what everybody may call, credentials are not checked.
	decision := e.api.router.Decide(access.Caller{Stranger: true}, e.method, t.path)
	e.route = decision.Route
	e.record.keepRoute(e.api.Environment, e.api.Label, e.route)
	e.record.keepRule(traffic.Nobody, decision.Reason(), decision.Allowed)
	switch decision.Rule {
	case access.NoRoute:
		return unknownRoute(e.api, e.method, t.path)
	case access.Preflight:
		if !e.api.Definition.CORS.Handler {
			e.preflight()
			return nil
		}
	}
	body, refused := e.conn.readBody(e.gateway.limits.body)
	if refused != nil {
		return refused
	}
	e.body = body
	if decision.Allowed {
		return e.call(body)
	}
	who, refused := e.identify(body)
	if refused != nil {
		e.record.keepRule(traffic.Unknown, refused.why, false)
	} else {
		refused = e.admit(who)
	}
	if refused != nil {
		return refused
	}
	return e.call(body)
}

// call starts a call of the route's function.
func (e *exchange) call(body []byte) *refusal {
	event := e.event(body)
	e.judged = e.api.judge(event)
	if e.api.Mocks(e.target.path) {
		e.mock(body)
		return nil
	}
	e.noteBytes(event)
	e.acceptsBytes = e.api.acceptsBytes(&e.conn.head)
	c := event.call()
	limits := e.gateway.limits
	if c.Body.Exceeds(c.Payload, int(limits.payload)) {
		return tooLongEvent(limits.payload)
	}
	e.record.keepEvent(event, e.route.Path.Function)
	e.body = nil
	e.clock = time.AfterFunc(limits.integration, e.expire)
	c.Environment, c.Function, c.RequestID = e.api.Environment, e.route.Path.Function, e.id.request
	c.TakesApart, c.Preparing, c.Flight = true, e.preparing, &e.record.flight
	forget := e.gateway.options.Invoker.Begin(c, e.done)
	e.mu.Lock()
	e.forget = forget
	e.mu.Unlock()
	return nil
}

// preparing stops the clock while the function is installed or built, which is done
// before a deployment in the cloud.
func (e *exchange) preparing(is bool) {
	if is {
		e.clock.Stop()
		return
	}
	e.clock.Reset(e.gateway.limits.integration)
}

// claim reports whether the caller is the first to answer.
func (e *exchange) claim() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := !e.claimed
	e.claimed = true
	return first
}

// expire answers 504 when the function takes longer than the gateway waits.
func (e *exchange) expire() {
	if !e.claim() {
		return
	}
	defer e.recoverPanic()
	e.record.flight.Now(function.Returned)
	e.mu.Lock()
	forget := e.forget
	e.mu.Unlock()
	if forget != nil {
		forget()
	}
	e.refuse(timedOut(e.route.Path.Function, e.gateway.limits.integration))
}

// done sends the function's answer, or a refusal if there is none.
func (e *exchange) done(answer function.Answer, err error) {
	if !e.claim() {
		return
	}
	defer e.recoverPanic()
	e.clock.Stop()
	name := e.route.Path.Function
	e.record.keepRun(answer)
	if err != nil {
		e.refuse(notAnswered(name, err))
		return
	}
	result, refused := resultOf(name, answer, e.gateway.limits.result)
	if refused != nil {
		e.refuse(refused)
		return
	}
	if refused := e.decode(&result); refused != nil {
		e.refuse(refused)
		return
	}
	if size := sizeOf(result.header); size > cloudHeaders {
		e.noteOnce("headers "+e.route.Path.Name,
			fmt.Sprintf("the headers that function %s returned are %d bytes: API Gateway accepts %d; return less",
				phrase.Quote(name), size, cloudHeaders))
	}
	if result.status >= http.StatusInternalServerError {
		const fix = "see its log"
		why := "function " + phrase.Quote(name) + " itself returned this status"
		e.note(result.status, logs.Error, why+"; "+fix)
		e.record.keepRefusal(why, fix)
	}
	fields := result.fields(e.id)
	e.judged.answered(result.status, fields, result.body)
	e.judgeCORS(name, result.status, fields)
	e.send(result.status, fields, result.body)
}

// resultOf reads the result in a function's answer.
func resultOf(name string, answer function.Answer, limit int64) (result, *refusal) {
	if answer.Failed {
		return result{}, functionFailed(name, answer)
	}
	if answer.Body.Exceeds(answer.Payload, int(limit)) {
		return result{}, malformedResult(name, badResult("return less", "is larger than %s", megabytes(limit)))
	}
	r, bad := parseResult(answer.Payload)
	if bad != nil {
		return r, malformedResult(name, bad)
	}
	if answer.Body.Text != nil {
		r.body, r.decoded = textOf(answer.Body.Text), answer.Body.Base64
	}
	return r, nil
}

// textOf is a string of bytes that nothing changes any more, without a copy.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// event is the event of a call to a deployed API.
func (e *exchange) event(body []byte) *event {
	head := &e.conn.head
	domain := head.Host
	_, port, _ := net.SplitHostPort(e.gateway.options.Address)
	if !e.target.byHostName {
		domain = e.api.ID + ".localhost"
		if port != "" {
			domain += ":" + port
		}
	}
	if port == "" {
		port = "80"
	}
	headers := requestHeaders(head, e.conn.source, port, e.id.trace, e.caller != nil && e.caller.credential == bySignature)
	return &event{
		api: e.api, method: e.method, resource: e.route.Resource, path: e.target.path, fullPath: e.target.fullPath,
		params: e.route.Params, query: parseQuery(e.target.query), body: body, isText: utf8.Valid(body), id: e.id, at: e.at,
		headers: headers, domainName: domain, domainPrefix: e.api.ID, stage: e.api.Environment, sourceIP: e.conn.source,
		userAgent: last(headers, "User-Agent"),
		caller:    e.caller,
	}
}

func (e *exchange) preflight() {
	e.conn.skipBody()
	fields := preflightFields(e.id, &e.api.Definition.CORS, e.conn.head.Get("Origin"))
	e.judgeCORS("", http.StatusOK, fields)
	e.send(http.StatusOK, fields, "")
}

// refuse sends a refusal and logs the reason.
func (e *exchange) refuse(refused *refusal) {
	level := logs.Warn
	if refused.status >= http.StatusInternalServerError {
		level = logs.Error
	}
	why := refused.why
	e.record.keepRefusal(why, refused.fix)
	e.record.keepHead(e.conn.head.Fields, e.body)
	if refused.fix != "" {
		why += "; " + refused.fix
	}
	e.note(refused.status, level, why)
	if refused.function != "" {
		e.gateway.write(logs.Line{
			Environment: e.api.Environment, Function: refused.function, Request: e.id.request, Level: logs.Error,
			Text: e.sentence(refused.status, why),
		})
	}
	e.conn.skipBody()
	fields := refused.fields(e.id, e.cors())
	if e.method != http.MethodOptions {
		e.judgeCORS("", refused.status, fields)
	}
	e.send(refused.status, fields, refused.body)
}

func (e *exchange) send(status int, header []namedValues, body string) {
	e.written = true
	e.record.keepHead(e.conn.head.Fields, nil)
	kept := body
	if !hasBody(e.method, status) {
		kept = ""
	}
	e.gateway.tellBreaches(e.judged, e.record, e.id.request, func(text string) string { return e.sentence(0, text) })
	// The record comes first: a client that sends one request after the other finds them in
	// that order.
	e.record.end(status, header, kept)
	e.conn.reply(status, header, body)
}

// note writes a line about the request to the gateway's log.
func (e *exchange) note(status int, level logs.Level, why string) {
	e.gateway.note(e.environment(), e.id.request, level, e.sentence(status, why))
}

func (e *exchange) sentence(status int, why string) string {
	s := phrase.Quote(e.method) + " " + phrase.Quote(withoutTokens(e.target.fullPath))
	if status != 0 {
		s += fmt.Sprintf(" %d", status)
	}
	s += ": " + why
	e.record.keepHead(e.conn.head.Fields, e.body)
	return e.record.clean(s)
}

func (e *exchange) environment() string {
	if e.api == nil {
		return ""
	}
	return e.api.Environment
}

// noteOnce writes a line to the gateway's log, once for each thing of an API.
func (e *exchange) noteOnce(thing, text string) {
	if _, known := e.gateway.noted.LoadOrStore(e.api.ID+" "+thing, true); !known {
		e.gateway.note(e.api.Environment, e.id.request, logs.Warn, e.sentence(0, text))
	}
}
