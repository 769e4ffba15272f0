package gateway

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"gatewright/internal/secret"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/traffic"
)

// record is what is remembered of a request until it is answered. It refers to no part of the
// head, which has the credentials.
type record struct {
	detail traffic.Detail
	// credentials are texts of the request that must not be kept, wherever they come again.
	credentials []string
	began       time.Time
}

// beginRecord remembers the beginning of a request.
func (g *Gateway) beginRecord(kind traffic.Kind, at time.Time, method, path, query string) *record {
	if g.options.Traffic == nil {
		return nil
	}
	r := &record{began: time.Now()}
	r.detail.Time, r.detail.Kind = at.Round(0).UTC(), kind
	r.detail.Method, r.detail.Target = strings.Clone(method), r.maskedPath(path)
	if query != "" {
		masked, names := traffic.Cleaned("?"+query, g.hide)
		r.leave("the value of the parameter ", names, "")
		r.detail.Target += masked
	}
	r.detail.Who = traffic.Who{Kind: traffic.Nobody}
	return r
}

// maskedPath is a path without tokens, such as that of a link in a mail. They are not kept
// elsewhere either.
func (r *record) maskedPath(path string) string {
	if !traffic.MaybeSecret(path) {
		return strings.Clone(path)
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if masked := secret.HideShapes(part, model.Redacted); masked != part {
			r.credentials = append(r.credentials, strings.Clone(part))
			r.detail.Left = append(r.detail.Left, "a token in the path")
			parts[i] = masked
		}
	}
	return strings.Join(parts, "/")
}

// leave notes values that are not kept, by their names and the words before and after those.
func (r *record) leave(before string, names []string, after string) {
	for _, name := range names {
		value := before + phrase.Quote(name)
		if name == traffic.Shaped {
			value = name
		}
		if value += after; !slices.Contains(r.detail.Left, value) {
			r.detail.Left = append(r.detail.Left, value)
		}
	}
}

// keepEvent remembers the input of the function, without secrets.
func (r *record) keepEvent(e *event, payload []byte, hide func(string) string) {
	if r == nil {
		return
	}
	without := *e
	changed := false
	for i, h := range e.headers {
		values := []string{model.Redacted}
		if !r.isCredential(h.name, h.values) {
			if values = r.masked("the header ", h.name, h.values, hide); values == nil {
				continue
			}
		}
		if !changed {
			without.headers, changed = slices.Clone(e.headers), true
		}
		without.headers[i].values = values
	}
	copied := false
	for i, p := range e.query {
		values := []string{model.Redacted}
		if isSecret(p.name) {
			for _, v := range p.values {
				r.credentials = append(r.credentials, traffic.Credentials(v)...)
			}
		} else if values = r.masked("the parameter ", p.name, p.values, hide); values == nil {
			continue
		}
		if !copied {
			without.query, copied, changed = slices.Clone(e.query), true, true
		}
		without.query[i].values = values
	}
	body, names := r.detail.Kept("body", e.body, r.cleaner(hide))
	r.leave("the value of the field ", names, "")
	if body != string(e.body) {
		without.body, changed = []byte(body), true
	}
	if changed {
		payload = without.json()
	}
	r.detail.Event = r.clean(string(payload), hide)
}

// isSecret reports whether a header or parameter of this name holds a secret. The quick look
// spares most names the other one.
func isSecret(name string) bool { return traffic.MaybeSecret(name) && secret.Named(name) }

// isCredential reports whether a header is not kept, and notes its values.
func (r *record) isCredential(name string, values []string) bool {
	if !isSecret(name) {
		return false
	}
	r.leave("the value of the header ", []string{strings.Clone(name)}, "")
	for _, v := range values {
		r.credentials = append(r.credentials, traffic.Credentials(v)...)
	}
	return true
}

// masked are the values of a header or a parameter without the secrets inside of them, such as
// those in the query of a Referer, which are noted; nil if there are none.
func (r *record) masked(of, name string, values []string, hide func(string) string) []string {
	var without []string
	for i, value := range values {
		masked, names := traffic.Cleaned(value, hide)
		if masked == value {
			continue
		}
		if without == nil {
			without = slices.Clone(values)
		}
		without[i] = masked
		r.leave("", names, " in "+of+phrase.Quote(name))
	}
	return without
}

// keepHead remembers the headers and the body of a request that calls no function.
func (r *record) keepHead(fields []http1.Field, body []byte, hide func(string) string) {
	if r == nil || r.detail.Event != "" || r.detail.Headers != nil {
		return
	}
	headers := make([]traffic.Header, 0, len(fields))
	for _, f := range fields {
		value := model.Redacted
		if !r.isCredential(f.Name, []string{f.Value}) {
			value = strings.Clone(text(f.Value))
			if masked := r.masked("the header ", f.Name, []string{value}, hide); masked != nil {
				value = masked[0]
			}
		}
		headers = append(headers, traffic.Header{Name: strings.Clone(f.Name), Value: value})
	}
	r.detail.Headers = headers
	r.detail.Body, r.detail.Base64 = r.body("body", string(body), hide)
}

// body is a body as it is kept, and whether it is in base64.
func (r *record) body(what, body string, hide func(string) string) (kept string, inBase64 bool) {
	kept, inBase64, names := r.detail.KeptBody(what, body, r.cleaner(hide))
	r.leave("the value of the field ", names, "")
	return kept, inBase64
}

// clean takes out what the request or the functions hold as secrets.
func (r *record) clean(s string, hide func(string) string) string {
	if r == nil {
		return hide(s)
	}
	return hide(traffic.Without(s, r.credentials))
}

// cleaner is clean as a function of a text.
func (r *record) cleaner(hide func(string) string) func(string) string {
	return func(s string) string { return r.clean(s, hide) }
}

// keepRun remembers how a function ran.
func (r *record) keepRun(a function.Answer) {
	if r != nil {
		r.detail.Started, r.detail.Ran = a.Init, a.Duration
	}
}

// keepResult remembers what a function returned.
func (r *record) keepResult(payload []byte, hide func(string) string) {
	if r == nil || len(payload) == 0 {
		return
	}
	kept, names := r.detail.Kept("result", payload, r.cleaner(hide))
	r.leave("the value of the field ", names, "")
	r.detail.Result = kept
}

// keepRefusal remembers why a request was refused, or why it failed.
func (r *record) keepRefusal(why, fix string) {
	if r != nil {
		r.detail.Why, r.detail.Fix = why, fix
	}
}

// end remembers the answer, and passes the record on.
func (r *record) end(g *Gateway, status int, header []namedValues, body string) {
	if r == nil {
		return
	}
	d := &r.detail
	d.Took = time.Since(r.began)
	d.Status, d.Failed = status, status >= http.StatusInternalServerError
	if d.Function != "" && d.Ran == 0 {
		d.Ran = d.Took
	}
	d.AnswerHeaders = make([]traffic.Header, 0, len(header))
	for _, h := range header {
		for _, v := range h.values {
			if isSecret(h.name) {
				r.leave("the value of the header ", []string{h.name}, "")
				v = model.Redacted
			} else if masked := r.masked("the header ", h.name, []string{v}, g.hide); masked != nil {
				v = masked[0]
			}
			d.AnswerHeaders = append(d.AnswerHeaders, traffic.Header{Name: h.name, Value: r.clean(v, g.hide)})
		}
	}
	d.AnswerBody, d.AnswerBase64 = r.body("answer", body, g.hide)
	d.Why, d.Fix = r.clean(d.Why, g.hide), r.clean(d.Fix, g.hide)
	g.options.Traffic.Add(*d)
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
	r.detail.Who = w
}

// keepRule remembers a rule for which the caller does not matter.
func (r *record) keepRule(kind traffic.WhoKind, rule string, allowed bool) {
	if r != nil {
		r.detail.Who = traffic.Who{Kind: kind, Rule: rule, Allowed: allowed}
	}
}

// keepRoute remembers what serves the request.
func (r *record) keepRoute(environment, api string, route access.Route) {
	if r == nil {
		return
	}
	r.detail.Environment, r.detail.API = environment, api
	if route.Path != nil {
		r.detail.Path = route.Path.Name
	}
}

// keepFunction remembers which function is called.
func (r *record) keepFunction(name, request string) {
	if r != nil {
		r.detail.Function, r.detail.Request = name, request
	}
}

// mostBreaches is how many breaches of its contract are remembered of a request.
const mostBreaches = 20

// keepBreach remembers a way in which the request or its answer breaks the contract.
func (r *record) keepBreach(text string) {
	if r != nil && len(r.detail.Breaches) < mostBreaches {
		r.detail.Breaches = append(r.detail.Breaches, text)
	}
}

// keepMock remembers that an example of the contract is the answer.
func (r *record) keepMock() {
	if r != nil {
		r.detail.Mocked = true
	}
}
