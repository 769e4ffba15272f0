package gateway

import (
	"net/http"
	"slices"
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
	began   time.Time
	// path and query are the raw target below the stage.
	path, query string
	// event is the input of the function, without its body; head are the headers of a request that
	// calls none.
	event *event
	head  []http1.Field
	body  traffic.Part[[]byte]

	// apart is the body of the result if that came apart, and place where it belongs.
	result, apart traffic.Part[[]byte]
	place         function.Apart
	header        []namedValues
	answer        traffic.Part[string]
}

// beginRecord remembers the beginning of a request.
func (g *Gateway) beginRecord(kind traffic.Kind, at time.Time, method, path, query string) *record {
	if g.options.Traffic == nil {
		return nil
	}
	r := &record{gateway: g, began: time.Now(), path: path, query: query}
	r.call.Time, r.call.Kind, r.call.Method = at.Round(0).UTC(), kind, method
	r.call.Who = traffic.Who{Kind: traffic.Nobody}
	return r
}

// keepEvent remembers the input of the function.
func (r *record) keepEvent(e *event) {
	if r == nil {
		return
	}
	r.body = traffic.PartOf(e.body)
	without := *e
	without.body = nil
	r.event, r.head = &without, nil
}

// keepHead remembers the headers and the body of a request that calls no function.
func (r *record) keepHead(fields []http1.Field, body []byte) {
	if r == nil || r.event != nil || r.head != nil {
		return
	}
	// The connection reads the next head into the same fields.
	r.head, r.body = slices.Clone(fields), traffic.PartOf(body)
}

// keepRun remembers how a function ran, and what it returned.
func (r *record) keepRun(a function.Answer) {
	if r != nil {
		r.call.Started, r.call.Ran = a.Init, a.Duration
		r.result, r.apart = traffic.PartOf(a.Payload), traffic.PartOf(a.Body.Text)
		r.place = function.Apart{At: a.Body.At, Base64: a.Body.Base64}
	}
}

// keepRefusal remembers why a request was refused, or why it failed.
func (r *record) keepRefusal(why, fix string) {
	if r != nil {
		r.call.Why, r.call.Fix = why, fix
	}
}

// end remembers the answer, and passes the record on.
func (r *record) end(status int, header []namedValues, body string) {
	if r == nil {
		return
	}
	c := &r.call
	c.Took = time.Since(r.began)
	c.Status, c.Failed = status, status >= http.StatusInternalServerError
	if c.Function != "" && c.Ran == 0 {
		c.Ran = c.Took
	}
	r.header, r.answer = header, traffic.PartOf(body)
	held := len(r.path) + len(r.query) + r.body.Len() + r.result.Len() + sizeOf(header) +
		max(r.answer.Len(), r.apart.Len())
	if r.event != nil {
		held += sizeOf(r.event.headers)
	}
	for _, f := range r.head {
		held += len(f.Name) + len(f.Value)
	}
	r.gateway.options.Traffic.AddRaw(*c, held, r)
}

// keepCaller remembers who called, and the decision about them.
func (r *record) keepCaller(c *caller, d access.Decision) {
	if r == nil {
		return
	}
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
	if r != nil {
		r.call.Who = traffic.Who{Kind: kind, Rule: rule, Allowed: allowed}
	}
}

// keepRoute remembers what serves the request.
func (r *record) keepRoute(environment, api string, route access.Route) {
	if r == nil {
		return
	}
	r.call.Environment, r.call.API = environment, api
	if route.Path != nil {
		r.call.Path = route.Path.Name
	}
}

// keepFunction remembers which function is called.
func (r *record) keepFunction(name, request string) {
	if r != nil {
		r.call.Function, r.call.Request = name, request
	}
}

// mostBreaches is how many breaches of its contract are remembered of a request.
const mostBreaches = 20

// keepBreach remembers a way in which the request or its answer breaks the contract.
func (r *record) keepBreach(text string) {
	if r != nil && len(r.call.Breaches) < mostBreaches {
		r.call.Breaches = append(r.call.Breaches, text)
	}
}

// keepMock remembers that an example of the contract is the answer.
func (r *record) keepMock() {
	if r != nil {
		r.call.Mocked = true
	}
}
