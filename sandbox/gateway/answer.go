package gateway

import (
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"gatewright/model"
)

// join makes one header of both maps of a result: where both have a name, the
// values of the multi map come first and its spelling counts
// (research/sandbox.md 2.2).
func join(single, multi []namedValues) http.Header {
	h := make(http.Header, len(single)+len(multi)+6)
	var spelled map[string]string
	if len(multi) > 0 {
		spelled = make(map[string]string, len(multi))
	}
	for _, m := range multi {
		h[m.name] = m.values
		spelled[strings.ToLower(m.name)] = m.name
	}
	for _, s := range single {
		if name, both := spelled[strings.ToLower(s.name)]; both {
			h[name] = append(h[name], s.values...)
			continue
		}
		h[s.name] = s.values
	}
	return h
}

// check refuses headers that no answer can carry.
func (r *result) check() *resultError {
	for name, values := range r.header {
		if !isToken(name) {
			return badResult("use letters, digits and hyphens", "has the header name %s", model.Quote(name))
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return badResult("leave them out", "has control characters in the header %s", model.Quote(name))
			}
		}
	}
	return nil
}

func isToken(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return name != ""
}

// What becomes of headers that are not a function's to give (research/sandbox.md
// 2.2): some get another name, some go.
const (
	kept = iota
	remapped
	gone
	ours
)

func fateOf(name string) int {
	switch strings.ToLower(name) {
	case "connection", "content-length", "date", "server":
		return remapped
	// Trailer and Upgrade would change what net/http does with the answer.
	case "transfer-encoding", "trailer", "upgrade", "keep-alive":
		return gone
	case "x-amzn-requestid", "x-amz-apigw-id", "x-amzn-trace-id":
		return ours
	}
	return kept
}

// send gives a result's headers to h, each with the name that the function gave
// it, and those of the gateway.
func (r *result) send(h http.Header, id identifiers) {
	typed := false
	for name, values := range r.header {
		switch fateOf(name) {
		case remapped:
			h["x-amzn-Remapped-"+textproto.CanonicalMIMEHeaderKey(name)] = values
		case kept:
			h[name] = values
			typed = typed || strings.EqualFold(name, "Content-Type")
		}
	}
	if !typed {
		h["Content-Type"] = []string{"application/json"}
	} else if _, own := h["Content-Type"]; !own {
		// net/http would add one of its own beside another spelling.
		h["Content-Type"] = nil
	}
	// net/http leaves it out again where a status has no body.
	h["Content-Length"] = []string{strconv.Itoa(len(r.body))}
	id.send(h)
}

// send gives the headers that every answer has.
func (id identifiers) send(h http.Header) {
	h["x-amzn-RequestId"] = []string{id.request}
	h["x-amz-apigw-id"] = []string{id.extended}
	h["X-Amzn-Trace-Id"] = []string{id.trace.answer()}
}

// send gives a refusal's headers, with those of CORS that let a page read it.
func (r *refusal) send(h http.Header, id identifiers) {
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(r.body))}
	h["x-amzn-ErrorType"] = []string{r.kind}
	h["Access-Control-Allow-Origin"] = []string{"*"}
	h["Access-Control-Allow-Headers"] = []string{corsHeaders}
	h["Access-Control-Allow-Methods"] = []string{corsMethods}
	h["Access-Control-Expose-Headers"] = []string{corsExposed}
	id.send(h)
}

// preflight gives the headers of the answer to OPTIONS.
func preflight(h http.Header, id identifiers) {
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{"0"}
	h["Access-Control-Allow-Origin"] = []string{"*"}
	h["Access-Control-Allow-Headers"] = []string{corsPreflight}
	h["Access-Control-Allow-Methods"] = []string{corsMethods}
	id.send(h)
}
