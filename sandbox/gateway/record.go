package gateway

import (
	"net/http"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/traffic"
)

// record is what is remembered of a request until it is answered, as it came. Its secrets are taken
// out when somebody looks at it, not while the client waits: see cleaning.
type record struct {
	gateway *Gateway
	call    traffic.Call
	// flight is the call until it is answered.
	flight function.Flight
	// path and query are the raw target below the stage.
	path, query string
	// event is the input of the function, without its body; nil if none is called.
	event   *event
	headers []namedValues
	body    traffic.Held[[]byte]

	// apart is the body of the result if that came apart, and place where it belongs.
	result, apart traffic.Held[[]byte]
	place         function.Apart
	answerHeaders []namedValues
	answer        traffic.Held[string]
}

// beginRecord remembers the beginning of a request with an id.
func (g *Gateway) beginRecord(kind traffic.Kind, at time.Time, id, method, path, query string) *record {
	r := &record{gateway: g, path: path, query: query}
	r.flight.Began = time.Now()
	r.call.Time, r.call.Kind, r.call.Request, r.call.Method = at.Round(0).UTC(), kind, id, method
	r.call.Who.Kind = traffic.Nobody
	return r
}

// keepEvent remembers the input of the function.
func (r *record) keepEvent(e *event, function string) {
	without := *e
	without.body = nil
	r.event, r.headers, r.body = &without, e.headers, traffic.HeldOf(e.body)
	r.call.Function = function
	f, c := &r.flight, &r.call
	f.Environment, f.API, f.Path, f.Method, f.Function = c.Environment, c.API, c.Path, c.Method, function
	f.Kind = string(c.Kind)
}

// keepHead remembers the headers and the body of a request that calls no function.
func (r *record) keepHead(fields []http1.Field, body []byte) {
	if r.headers != nil {
		return
	}
	r.headers, r.body = make([]namedValues, 0, len(fields)), traffic.HeldOf(body)
	for _, f := range fields {
		r.headers = append(r.headers, field(f.Name, text(f.Value)))
	}
}

// keepRun remembers how a function ran, and what it returned.
func (r *record) keepRun(a function.Answer) {
	r.flight.Now(function.Returned)
	r.call.Started, r.call.Ran = a.Init, a.Duration
	r.result, r.apart = traffic.HeldOf(a.Payload), traffic.HeldOf(a.Body.Text)
	r.place = function.Apart{At: a.Body.At, Base64: a.Body.Base64}
}

// mocked remembers that the answer is an example of the contract, which is looked for now.
func (r *record) mocked() {
	r.call.Mocked = true
	r.flight.Now(function.Returned)
}

// keepRefusal remembers why a request was refused, or why it failed.
func (r *record) keepRefusal(why, fix string) { r.call.Why, r.call.Fix = why, fix }

// end remembers the answer, and passes the record on.
func (r *record) end(status int, header []namedValues, body string) {
	if r.gateway.options.Traffic == nil {
		return
	}
	c := &r.call
	ended := c.End(&r.flight)
	c.Status, c.Failed = status, status >= http.StatusInternalServerError
	if c.Function != "" && c.Ran == 0 {
		c.Ran = c.Took
	}
	r.answerHeaders, r.answer = header, traffic.HeldOf(body)
	held := len(r.path) + len(r.query) + sizeOf(r.headers) + r.body.Len() + r.result.Len() + sizeOf(header) +
		max(r.answer.Len(), r.apart.Len())
	r.gateway.options.Traffic.AddRaw(*c, ended, held, r)
}

// keepCaller remembers who called, and the decision about them.
func (r *record) keepCaller(c *caller, d access.Decision) {
	w := traffic.Who{
		Kind: traffic.Guest, Groups: c.session.Groups, Rule: d.Reason(), Allowed: d.Allowed,
		By: [...]string{"", "signature", "token"}[c.credential],
	}
	if d.Rule.Acts() {
		w.As = d.As.String()
	}
	if c.session.SignedIn {
		w.Kind, w.Name = traffic.User, c.session.User.Name
		if w.Name == "" {
			w.Kind = traffic.Member
		}
	}
	r.call.Who = w
}

// keepRule remembers a rule for which the caller does not matter.
func (r *record) keepRule(kind traffic.WhoKind, rule string, allowed bool) {
	r.call.Who = traffic.Who{Kind: kind, Rule: rule, Allowed: allowed}
}

// keepRoute remembers what serves the request.
func (r *record) keepRoute(environment, api string, route access.Route) {
	r.call.Environment, r.call.API = environment, api
	if route.Path != nil {
		r.call.Path = route.Path.Name
	}
}

// mostBreaches is how many breaches of its contract are remembered of a request.
const mostBreaches = 20

// keepBreach remembers a way in which the request or its answer breaks the contract.
func (r *record) keepBreach(text string) {
	if len(r.call.Breaches) < mostBreaches {
		r.call.Breaches = append(r.call.Breaches, text)
	}
}
