package gateway

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// exchange is one request and what becomes of it.
type exchange struct {
	gateway *Gateway
	w       http.ResponseWriter
	r       *http.Request
	odd     []string
	target  target
	api     *served
	id      identifiers
	at      time.Time
	// written is set when an answer has begun.
	written bool
}

// serve answers one request: a service of the sandbox, or an API.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	var odd []string
	if c := connOf(r.Context()); c != nil {
		odd = c.take(r.Method, r.RequestURI)
	}
	path, query := rawPath(r.RequestURI)
	if h := g.service(path); h != nil && hostID(r.Host) == "" {
		h.ServeHTTP(w, r)
		return
	}
	now := g.options.Now()
	e := &exchange{
		gateway: g, w: w, r: r, odd: odd, at: now, target: parseTarget(path, query, r.Host),
		id: newIdentifiers(r.Header.Get("X-Amzn-Trace-Id"), now),
	}
	defer e.survive()
	e.api = g.serving.Load().find(e.target)
	if no := e.answer(); no != nil {
		e.refuse(no)
	}
}

// survive answers 502 where the gateway itself broke.
func (e *exchange) survive() {
	broke := recover()
	if broke == nil {
		return
	}
	if e.written {
		e.tell(http.StatusBadGateway, logs.Error, fmt.Sprintf("the gateway broke while it answered: %s", model.Quote(fmt.Sprint(broke))))
		panic(http.ErrAbortHandler)
	}
	e.refuse(internal("", "the gateway broke: "+model.Quote(fmt.Sprint(broke)), "this is a fault of the sandbox: report it", ""))
}

// answer answers the request, or says why not.
func (e *exchange) answer() *refusal {
	t := e.target
	if e.api == nil {
		return noAPI(t.id)
	}
	if t.stage != e.api.Environment {
		return otherStage(e.api, t.stage)
	}
	decision := e.api.router.Decide(model.Caller{}, e.r.Method, t.path)
	switch {
	case decision.Rule == model.NoRoute:
		return noRoute(e.api, e.r.Method, t.path)
	case decision.Rule == model.Preflight:
		e.preflight()
		return nil
	case decision.Rule != model.OpenToAll:
		return restricted(e.api, decision, e.r.Method, t.path, e.gateway.options.RequireSignatures && !e.signed())
	}
	body, no := e.gateway.readBody(e.w, e.r)
	if no != nil {
		return no
	}
	return e.call(decision.Route, body)
}

// signed reports whether a request has a signature or a token, good or bad.
func (e *exchange) signed() bool {
	return e.r.Header.Get("Authorization") != "" || strings.Contains(e.target.query, "X-Amz-Signature=")
}

// call invokes the function of a route and sends what it returns.
func (e *exchange) call(route model.Route, body []byte) *refusal {
	name := route.Path.Function
	event := e.event(route, body)
	if len(body) > 0 && event.binary() {
		e.once("binary "+route.Path.Name, "the body of a request to path "+model.Quote(route.Path.Name)+
			" is not UTF-8: the function gets it as base64 with isBase64Encoded; the cloud would take it for text and break it")
	}
	payload := event.json()
	limits := e.gateway.limits
	if int64(len(payload)) > limits.payload {
		return tooLongEvent(limits.payload)
	}
	// The request's own context ends when the client has said all it has to say,
	// which is not yet its leaving.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.r.Context()), limits.integration)
	defer cancel()
	answer, err := e.gateway.options.Invoker.Invoke(ctx, function.Call{
		Environment: e.api.Environment, Function: name, RequestID: e.id.request, Payload: payload,
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return timedOut(name, limits.integration)
	case err != nil:
		return failed(name, err)
	}
	result, no := resultOf(name, answer, limits.payload)
	if no != nil {
		return no
	}
	if result.encoded {
		e.once("encoded "+route.Path.Name, "function "+model.Quote(name)+
			" returned isBase64Encoded: its body is sent as it is, since the API declares no binary media types; return text")
	}
	result.send(e.w.Header(), e.id)
	e.send(result.status, result.body)
	if result.status >= http.StatusInternalServerError {
		e.tell(result.status, logs.Error, "function "+model.Quote(name)+" answered this itself; its log has the rest")
	}
	return nil
}

// resultOf is the result in a function's answer.
func resultOf(name string, answer function.Answer, limit int64) (result, *refusal) {
	if answer.Failed {
		return result{}, threw(name, answer)
	}
	if int64(len(answer.Payload)) > limit {
		return result{}, malformed(name, badResult("return less", "is over %s", megabytes(limit)))
	}
	r, bad := parseResult(answer.Payload)
	if bad != nil {
		return r, malformed(name, bad)
	}
	return r, nil
}

// event is the event of a deployed call.
func (e *exchange) event(route model.Route, body []byte) *event {
	source, _, err := net.SplitHostPort(e.r.RemoteAddr)
	if err != nil {
		source = "127.0.0.1"
	}
	domain := e.r.Host
	_, port, _ := net.SplitHostPort(e.gateway.options.Address)
	if !e.target.hosted {
		domain = e.api.ID + ".localhost"
		if port != "" {
			domain += ":" + port
		}
	}
	if port == "" {
		port = "80"
	}
	agent := ""
	if sent := e.r.Header["User-Agent"]; len(sent) > 0 {
		agent = texts(sent)[len(sent)-1]
	}
	return &event{
		api: e.api, method: e.r.Method, resource: route.Resource, path: e.target.path, full: e.target.full,
		params: route.Params, query: parseQuery(e.target.query), body: body, id: e.id, at: e.at,
		headers:    requestHeaders(e.r, e.odd, source, port, e.id.trace),
		domainName: domain, domainPrefix: e.api.ID, stage: e.api.Environment, sourceIP: source, userAgent: agent,
	}
}

func (e *exchange) preflight() {
	e.gateway.abandon(e.w, e.r)
	preflight(e.w.Header(), e.id)
	e.send(http.StatusOK, "")
}

// refuse sends a refusal and explains it in the logs.
func (e *exchange) refuse(no *refusal) {
	e.gateway.abandon(e.w, e.r)
	level := logs.Warn
	if no.status >= http.StatusInternalServerError {
		level = logs.Error
	}
	why := no.why
	if no.fix != "" {
		why += "; " + no.fix
	}
	e.tell(no.status, level, why)
	if no.fault != "" {
		e.gateway.write(logs.Line{
			Environment: e.api.Environment, Function: no.fault, Request: e.id.request, Level: logs.Error,
			Text: e.sentence(no.status, why),
		})
	}
	no.send(e.w.Header(), e.id)
	e.send(no.status, no.body)
}

// send writes status and body. A client that does not read them is let go.
func (e *exchange) send(status int, body string) {
	e.written = true
	l := e.gateway.limits
	patience := l.grace + time.Duration(int64(len(body))/l.pace)*time.Second
	_ = http.NewResponseController(e.w).SetWriteDeadline(time.Now().Add(patience))
	e.w.WriteHeader(status)
	if body != "" {
		_, _ = io.WriteString(e.w, body)
	}
}

// tell writes a line about the request to the gateway's log.
func (e *exchange) tell(status int, level logs.Level, why string) {
	e.gateway.note(e.environment(), e.id.request, level, e.sentence(status, why))
}

func (e *exchange) sentence(status int, why string) string {
	s := model.Quote(e.r.Method) + " " + model.Quote(e.target.full)
	if status != 0 {
		s += fmt.Sprintf(" %d", status)
	}
	return s + ": " + why
}

func (e *exchange) environment() string {
	if e.api == nil {
		return ""
	}
	return e.api.Environment
}

// once writes a line that is said once for a thing of an API.
func (e *exchange) once(thing, text string) {
	if _, said := e.gateway.said.LoadOrStore(e.api.ID+" "+thing, true); !said {
		e.gateway.note(e.api.Environment, e.id.request, logs.Warn, e.sentence(0, text))
	}
}
