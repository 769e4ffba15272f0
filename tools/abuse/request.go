//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

// request is what a caller sends, and what it must get.
type request struct {
	// id is the caller's own; no other request has it.
	id       string
	function *function // nil where none is reached
	wish     *wish
	method   string
	// path is below the address; body is "" for none.
	path, body string
	chunked    bool
}

// wish is what a request asks for besides an answer. Those with a status are
// refused with it; reason is in the line of the log then.
type wish struct {
	name string
	// share is how many of 10,000 requests wish it.
	share        int
	status       int
	kind, answer string
	reason       string
}

// What the gateway answers where a handler fails.
const (
	internalError = `{"message": "Internal server error"}`
	internalKind  = "InternalServerErrorException"
)

// callerMark stands for the caller in a reason.
const callerMark = "CALLER"

func failing(name string, share int, reason string) *wish {
	return &wish{name: name, share: share, status: http.StatusBadGateway, kind: internalKind, answer: internalError, reason: reason}
}

// wishes are those that are common enough for a share. The rest of the requests
// have the wish ordinary.
var (
	ordinary = &wish{name: "ordinary"}
	much     = &wish{name: "much", share: 60}
	late     = &wish{name: "late", share: 40}
	leave    = &wish{name: "leave", share: 50}
	spawn    = &wish{name: "spawn", share: 5}
	throw    = failing("throw", 100, "\"thrown for "+callerMark+"\"")
	nonsense = failing("nonsense", 100, "the result of function ")
	// thrownInExpress is throw where an app catches it.
	thrownInExpress = &wish{
		name: "throw", status: http.StatusInternalServerError, answer: `{"error":"internal error"}`, reason: "itself returned this status",
	}
	preflight = &wish{name: "preflight", share: 60}
	private   = &wish{name: "private", share: 30, status: http.StatusForbidden, kind: "AccessDeniedException", reason: "path " + restricted + " is private"}
	nowhere   = &wish{
		name: "nowhere", share: 60, status: http.StatusForbidden, kind: "MissingAuthenticationTokenException",
		answer: `{"message":"Missing Authentication Token"}`, reason: "no path of API abuse serves",
	}
	stage = &wish{
		name: "stage", share: 30, status: http.StatusForbidden, kind: "ForbiddenException",
		answer: `{"message":"Forbidden"}`, reason: "has no stage",
	}
	wishes = []*wish{
		much, late, leave, throw, nonsense, preflight, private, nowhere, stage,
		failing("exit", 40, "its process ended during the call (exit status "),
		failing("kill", 20, "its process ended during the call (signal: killed)"),
		failing("uncaught", 20, "\"uncaught for "+callerMark+"\""),
		failing("reject", 20, "rejected for "+callerMark),
		failing("hang", 8, "no answer within "+timeout),
		failing("spin", 2, "no answer within "+timeout),
		spawn,
	}
)

// plan is which requests are made. A request depends on the plan and its number.
type plan struct {
	// tag is in the ids, so that no two plans have the same.
	tag       string
	seed      uint64
	functions []*function
	// calm makes ordinary requests only, bodiless only such without a body;
	// without is a wish that nobody has.
	calm, bodiless bool
	without        *wish
}

// mostPipelined is how many requests are sent at most before an answer is read.
const mostPipelined = 4

// bursts gives the requests of some numbers, those together that are sent in one
// write. It ends early when the context does.
func (p plan) bursts(ctx context.Context, from, to int) <-chan []*request {
	bursts := make(chan []*request)
	go func() {
		defer close(bursts)
		for from < to {
			size := 1
			if chance := rand.New(rand.NewPCG(p.seed, ^uint64(from))); chance.IntN(20) == 0 {
				size = 2 + chance.IntN(mostPipelined-1)
			}
			var burst []*request
			for ; len(burst) < size && from < to; from++ {
				burst = append(burst, p.request(from))
			}
			select {
			case bursts <- burst:
			case <-ctx.Done():
				return
			}
		}
	}()
	return bursts
}

// request is the one of a number.
func (p plan) request(number int) *request {
	chance := rand.New(rand.NewPCG(p.seed, uint64(number)))
	r := &request{
		id:       fmt.Sprintf("%d-%s-%08x", number, p.tag, chance.Uint32()),
		function: p.functions[chance.IntN(len(p.functions))],
		wish:     ordinary, method: http.MethodGet,
	}
	if w := aWish(chance); !p.calm && w != p.without {
		r.wish = w
	}
	if p.bodiless {
		r.path = "/dev/" + r.function.name + "/" + r.id
		return r
	}
	return r.complete(chance)
}

// numbered gives one request after the other; several goroutines may ask.
func (p plan) numbered() func() *request {
	var number atomic.Int64
	return func() *request { return p.request(int(number.Add(1))) }
}

func aWish(chance *rand.Rand) *wish {
	at := chance.IntN(10_000)
	for _, w := range wishes {
		if at -= w.share; at < 0 {
			return w
		}
	}
	return ordinary
}

// complete says how the request is made.
func (r *request) complete(chance *rand.Rand) *request {
	if r.function.express && r.wish == nonsense {
		// Whatever an app answers is a result.
		r.wish = ordinary
	}
	path, query := "/dev/"+r.function.name, ""
	switch r.wish {
	case nowhere:
		path = "/dev/nowhere"
	case stage:
		path = "/prod/" + r.function.name
	case private:
		path = "/dev" + restricted
	case preflight:
		r.method = http.MethodOptions
	case ordinary, leave:
		if chance.IntN(3) == 0 {
			r.method = http.MethodPost
			text := strings.Repeat("é", chance.IntN(300))
			body, _ := json.Marshal(map[string]string{"from": r.id, "text": text})
			r.body, r.chunked = string(body), chance.IntN(2) == 0
		}
	default:
		query = "?do=" + r.wish.name
	}
	if r.wish == nowhere || r.wish == stage || r.wish == private || r.wish == preflight {
		r.function = nil
	}
	r.path = path + "/" + r.id + query
	return r
}

// refusal is how the request is refused: by its wish, or by the app of the Express
// template, which answers for what a route throws.
func (r *request) refusal() *wish {
	if r.wish == throw && r.function.express {
		return thrownInExpress
	}
	return r.wish
}

// reason is what the log must say of the refusal.
func (r *request) reason() string { return strings.ReplaceAll(r.refusal().reason, callerMark, r.id) }

// append adds the request as it is sent to an API at a host.
func (r *request) append(to []byte, host, api string) []byte {
	to = fmt.Appendf(to, "%s /%s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: abuse\r\n", r.method, api, r.path, host)
	switch {
	case r.body == "":
		return append(to, "\r\n"...)
	case r.chunked:
		half := len(r.body) / 2
		return fmt.Appendf(to, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", half, r.body[:half], len(r.body)-half, r.body[half:])
	}
	return fmt.Appendf(to, "Content-Length: %d\r\n\r\n%s", len(r.body), r.body)
}

// wanted is the body that the handler answers with.
func (r *request) wanted() string {
	switch {
	case r.wish == preflight:
		return ""
	case r.wish == much:
		const size = 1 << 20
		return strings.Repeat(r.id+" ", (size+len(r.id))/(len(r.id)+1))
	case r.function.express && r.body == "":
		return fmt.Sprintf(`{"success":"get call succeed!","url":%q}`, strings.TrimPrefix(r.path, "/dev"))
	case r.function.express:
		return fmt.Sprintf(`{"success":"post call succeed!","url":%q,"body":%s}`, strings.TrimPrefix(r.path, "/dev"), r.body)
	}
	body := []byte("null")
	if r.body != "" {
		body, _ = json.Marshal(r.body)
	}
	return fmt.Sprintf(`{"method":%q,"caller":%q,"body":%s}`, r.method, r.id, body)
}
