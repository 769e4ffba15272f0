package gateway

import (
	"encoding/base64"
	"slices"
	"strings"

	"gatewright/internal/secret"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/traffic"
)

// cleaning makes of a record what may be seen of it.
type cleaning struct {
	*record
	left []string
	// credentials are texts of the request that must not be seen, wherever they come again.
	credentials []string
}

// CleanCall takes the secrets out of the texts of a call.
func (r *record) CleanCall(c *traffic.Call) {
	if c.Target = (&cleaning{record: r}).target(); r.query != "" {
		c.Target = r.clean(c.Target)
	}
	if c.Why != "" {
		c.Why, c.Fix = r.clean(c.Why), r.clean(c.Fix)
	}
}

// Clean makes the detail of a call.
func (r *record) Clean(d *traffic.Detail) {
	k := &cleaning{record: r}
	target := k.target()
	headers, query := k.headersOfRequest(), k.parameters()
	// What is a secret in one place is known only now.
	d.Target = k.clean(target)
	for _, h := range headers {
		for i, v := range h.values {
			h.values[i] = k.clean(v)
			d.Headers = append(d.Headers, traffic.Header{Name: h.name, Value: h.values[i]})
		}
	}
	for _, p := range query {
		for i, v := range p.values {
			p.values[i] = k.clean(v)
		}
	}
	var names []string
	d.Body, d.Base64, names = r.body.KeptBody(d, "body", k.clean)
	k.leave("the value of the field ", names, "")
	if r.event != nil {
		without := *r.event
		without.headers, without.query, without.body, without.isText = headers, query, []byte(d.Body), !d.Base64
		if d.Base64 {
			without.body, _ = base64.StdEncoding.DecodeString(d.Body)
		}
		d.Event, _ = traffic.HeldOf(without.json()).Kept(d, "event", k.clean)
	}
	d.Result, names = traffic.Joined(r.result, r.apart, r.place).Kept(d, "result", k.clean)
	k.leave("the value of the field ", names, "")
	d.AnswerHeaders = make([]traffic.Header, 0, len(r.answerHeaders))
	for _, h := range r.answerHeaders {
		for _, v := range k.values(h, false) {
			d.AnswerHeaders = append(d.AnswerHeaders, traffic.Header{Name: h.name, Value: k.clean(v)})
		}
	}
	d.AnswerBody, d.AnswerBase64, names = r.answer.KeptBody(d, "answer", k.clean)
	k.leave("the value of the field ", names, "")
	d.Why, d.Fix = k.clean(r.call.Why), k.clean(r.call.Fix)
	d.Left = append(k.left, d.Left...)
}

// target is the target without tokens, such as those of a link in a mail, and other secrets.
func (k *cleaning) target() string {
	for part := range strings.SplitSeq(k.path, "/") {
		if withoutTokens(part) != part {
			k.credentials = append(k.credentials, part)
			k.left = append(k.left, "a token in the path")
		}
	}
	target := withoutTokens(k.path)
	if k.query == "" {
		return target
	}
	masked, names := traffic.Cleaned("?"+k.query, k.gateway.hide)
	k.leave("the value of the parameter ", names, "")
	return target + masked
}

func withoutTokens(path string) string { return secret.HideShapes(path, model.Redacted) }

// leave notes values that are not seen, by their names and the words before and after those.
func (k *cleaning) leave(before string, names []string, after string) {
	for _, name := range names {
		value := before + phrase.Quote(name)
		if name == traffic.Shaped {
			value = name
		}
		if value += after; !slices.Contains(k.left, value) {
			k.left = append(k.left, value)
		}
	}
}

// headersOfRequest are those without secrets.
func (k *cleaning) headersOfRequest() []namedValues {
	headers := slices.Clone(k.headers)
	for i, h := range headers {
		headers[i].values = k.values(h, true)
	}
	return headers
}

// parameters are those of the query without secrets.
func (k *cleaning) parameters() []parameter {
	if k.event == nil {
		return nil
	}
	query := slices.Clone(k.event.query)
	for i, p := range query {
		if secret.Named(p.name) {
			k.redact(p.values)
			query[i].values = []string{model.Redacted}
			continue
		}
		query[i].values = k.masked("the parameter ", p.name, p.values)
	}
	return query
}

// values are the values of a header without secrets. Those of a request are credentials.
func (k *cleaning) values(h namedValues, ofRequest bool) []string {
	if !secret.Named(h.name) {
		return k.masked("the header ", h.name, h.values)
	}
	k.leave("the value of the header ", []string{h.name}, "")
	if ofRequest {
		k.redact(h.values)
	}
	return []string{model.Redacted}
}

// redact takes values out wherever they come again.
func (k *cleaning) redact(values []string) {
	for _, v := range values {
		k.credentials = append(k.credentials, traffic.Credentials(v)...)
	}
}

// masked are the values of a header or a parameter without the secrets inside of them, such as
// those in the query of a Referer, which are noted.
func (k *cleaning) masked(of, name string, values []string) []string {
	without := slices.Clone(values)
	for i, value := range values {
		masked, names := traffic.Cleaned(value, k.gateway.hide)
		if masked != value {
			without[i] = masked
			k.leave("", names, " in "+of+phrase.Quote(name))
		}
	}
	return without
}

// clean takes out what the request or the functions hold as secrets.
func (k *cleaning) clean(s string) string { return k.gateway.hide(traffic.Without(s, k.credentials)) }

// clean is a text about the request for the log, which is on disk: what is not seen of the request is
// not in it either.
func (r *record) clean(s string) string {
	k := &cleaning{record: r}
	k.target()
	k.headersOfRequest()
	k.parameters()
	return k.clean(s)
}
