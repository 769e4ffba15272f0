package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// Test calls a path as the test of the API Gateway console does: without checking access, with that test's
// event and execution log. A path that is answered with examples of its contract has them here too, and no
// function is called. If the function fails, the Test has the status of API Gateway. The error is a
// *model.Problem for a request that cannot be tested, or the error of ctx.
func (g *Gateway) Test(ctx context.Context, r Request) (Test, error) {
	s, route, problem := g.serving.Load().test(r)
	if problem != nil {
		return Test{}, problem
	}
	at := g.options.Now()
	id := newIdentifiers("", at)
	event := consoleEvent(s, r, route, id, at)
	log := &executionLog{now: g.options.Now, hide: g.hide}
	log.begin(event, r)
	kept := g.beginRecord(traffic.Test, at, id.request, r.Method, event.path, r.rawQuery())
	kept.keepRoute(s.Environment, s.Label, route)
	kept.keepRule(traffic.Nobody, "the console's test checks no access", true)
	if cors := &s.Definition.CORS; r.Method == http.MethodOptions && !cors.Handler {
		fields := preflightFields(id, cors, http.Header(r.Headers).Get("Origin"))
		kept.end(http.StatusOK, fields, "")
		return log.mock(id, fields), nil
	}
	if s.Mocks(event.path) {
		return g.testMocked(event, r, log, kept), nil
	}
	t := Test{RequestID: id.request, Event: event.json()}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	clock := time.AfterFunc(g.limits.integration, cancel)
	defer clock.Stop()
	preparing := func(is bool) {
		if is {
			clock.Stop()
			return
		}
		clock.Reset(g.limits.integration)
	}
	log.sending(event, route.Path.Function, t.Event)
	judged := s.judge(event)
	begun := time.Now()
	result, refused := g.test(limited, log, kept, event, route.Path.Function, t.Event, preparing)
	t.Latency = time.Since(begun)
	if refused != nil && ctx.Err() != nil {
		return Test{}, ctx.Err()
	}
	if refused != nil {
		t.Status, t.Body, t.Headers = refused.status, refused.body,
			map[string][]string{"x-amzn-ErrorType": {refused.errorType}}
		log.add("%s", refused.executionLine)
		kept.keepRefusal(refused.why, refused.fix)
		g.tellBreachesOfTest(judged, kept, event)
		kept.end(refused.status, refused.fields(id, &s.Definition.CORS), refused.body)
		g.note(s.Environment, id.request, logs.Error, fmt.Sprintf("test of %s %s %d: %s; %s",
			r.Method, phrase.Quote(event.path), refused.status, refused.why, refused.fix))
	} else {
		t.Status, t.Body, t.Headers = result.status, result.body, shownHeaders(result.fields(id))
		judged.answered(result.status, result.fields(id), result.body)
		g.tellBreachesOfTest(judged, kept, event)
		kept.end(result.status, result.fields(id), result.body)
		log.answered(t)
	}
	return log.end(t), nil
}

// tellBreachesOfTest is tellBreaches for a request of the console's test.
func (g *Gateway) tellBreachesOfTest(j *judged, r *record, e *event) {
	g.tellBreaches(j, r, e.id.request, func(text string) string {
		return "test of " + e.method + " " + phrase.Quote(e.path) + ": " + text
	})
}

func (g *Gateway) test(
	ctx context.Context, log *executionLog, kept *record, e *event, name string, payload []byte, preparing func(bool),
) (result, *refusal) {
	if int64(len(payload)) > g.limits.payload {
		return result{}, tooLongEvent(g.limits.payload)
	}
	kept.keepEvent(e, name)
	begun := time.Now()
	answer, err := g.options.Invoker.Invoke(ctx, function.Call{
		Environment: e.api.Environment, Function: name, RequestID: e.id.request, Payload: payload, Preparing: preparing,
		Flight: &kept.flight,
	})
	kept.keepRun(answer)
	if err != nil && ctx.Err() != nil {
		return result{}, timedOut(name, g.limits.integration)
	}
	if err != nil {
		return result{}, notAnswered(name, err)
	}
	log.received(e.id, answer, time.Since(begun))
	return resultOf(name, answer, g.limits.result)
}

// shownHeaders are the headers of an answer that the console shows.
func shownHeaders(fields []namedValues) map[string][]string {
	shown := map[string][]string{}
	for _, h := range fields {
		switch h.name {
		case "Content-Length", "x-amzn-RequestId", "x-amz-apigw-id":
		default:
			shown[h.name] = h.values
		}
	}
	return shown
}

// executionLog collects the lines of the console's test, in the words of the recordings
// (test_apigateway_basic.snapshot.json, test_apigw_test_invoke_method_api).
type executionLog struct {
	lines []string
	now   func() time.Time
	// hide replaces secrets in a text: the error of a function may have one.
	hide func(string) string
}

func (l *executionLog) add(format string, args ...any) {
	at := l.now().UTC().Format("Mon Jan 02 15:04:05 MST 2006")
	l.lines = append(l.lines, at+" : "+onOneLine(l.hide(fmt.Sprintf(format, args...))))
}

func (l *executionLog) begin(e *event, r Request) {
	path, query := map[string][]string{}, map[string][]string{}
	for _, p := range e.params {
		path[p.Name] = []string{p.Value}
	}
	for _, p := range e.query {
		query[p.name] = p.values[len(p.values)-1:]
	}
	l.lines = append(l.lines, "Execution log for request "+e.id.request)
	l.add("Starting execution for request: %s", e.id.request)
	l.add("HTTP Method: %s, Resource Path: %s", e.method, e.path)
	l.add("Method request path: %s", javaMap(path))
	l.add("Method request query string: %s", javaMap(query))
	l.add("Method request headers: %s", javaMap(r.Headers))
	l.add("Method request body before transformations: %s", shorten(string(r.Body)))
}

func (l *executionLog) sending(e *event, name string, payload []byte) {
	api := e.api
	uri := "https://lambda." + api.Region + ".amazonaws.com/2015-03-31/functions/" +
		model.ARN("lambda", api.Region, api.AccountID, "function:"+name) + "/invocations"
	l.add("Endpoint request URI: %s", uri)
	// The sandbox sends no such headers; the line is from API Gateway's log.
	l.add("Endpoint request headers: {x-amzn-lambda-integration-tag=%s, Authorization=****, X-Amz-Date=%s, "+
		"x-amzn-apigateway-api-id=%s, Accept=application/json, User-Agent=AmazonAPIGateway_%s, "+
		"X-Amz-Security-Token=**** [TRUNCATED]",
		e.id.request, e.at.UTC().Format("20060102T150405Z"), api.ID, api.ID)
	l.add("Endpoint request body after transformations: %s", shorten(string(payload)))
	l.add("Sending request to %s", uri)
}

func (l *executionLog) received(id identifiers, answer function.Answer, latency time.Duration) {
	l.add("Received response. Status: 200, Integration latency: %d ms", latency.Milliseconds())
	l.add("Endpoint response headers: {Date=%s, Content-Type=application/json, Content-Length=%d, Connection=keep-alive, "+
		"x-amzn-RequestId=%s, x-amzn-Remapped-Content-Length=0, X-Amz-Executed-Version=$LATEST, X-Amzn-Trace-Id=%s}",
		l.now().UTC().Format(http.TimeFormat), len(answer.Payload), answer.RequestID, id.trace.answer())
	l.add("Endpoint response body before transformations: %s", shorten(string(answer.Payload)))
}

// answered are the lines of an answer.
func (l *executionLog) answered(t Test) {
	l.add("Method response body after transformations: %s", shorten(t.Body))
	l.add("Method response headers: %s", javaMap(t.Headers))
	l.add("Successfully completed execution")
}

// end returns a test with its log.
func (l *executionLog) end(t Test) Test {
	l.add("Method completed with status: %d", t.Status)
	t.Log = l.lines
	return t
}

// mock is the test of OPTIONS, which API Gateway answers without a function.
func (l *executionLog) mock(id identifiers, fields []namedValues) Test {
	shown := shownHeaders(fields)
	delete(shown, "X-Amzn-Trace-Id")
	t := Test{Status: http.StatusOK, Headers: shown, RequestID: id.request}
	l.answered(t)
	return l.end(t)
}

// javaMap writes a map as API Gateway's log does: {name=value, name=value}, with the
// trace id first.
func javaMap(m map[string][]string) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		const first = "X-Amzn-Trace-Id"
		if (a == first) != (b == first) {
			if a == first {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + "=" + strings.Join(m[name], ","))
	}
	return shorten("{" + b.String() + "}")
}

// shorten cuts a text as API Gateway's log does.
func shorten(s string) string {
	const most = 1024
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " [TRUNCATED]"
}

// onOneLine escapes the control characters in a text, for a log and for terminals.
func onOneLine(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) && r != '\t' {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
