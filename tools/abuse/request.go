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

// request is a request, and what its answer must be.
type request struct {
	// id is the unique id of the caller.
	id        string
	function  *function // nil if no function is called
	behaviour *behaviour
	method    string
	// path is the path below the API's id; body is "" for none.
	path, body string
	chunked    bool
}

// behaviour is what a request makes its handler or its caller do.
type behaviour struct {
	name string
	// share is how many of 10,000 requests have the behaviour.
	share int
	// status, kind (x-amzn-ErrorType) and answer are what the refusal must have, if status
	// is set; reason is a part of its log line.
	status       int
	kind, answer string
	reason       string
}

// The gateway's answer when a handler fails.
const (
	internalError = `{"message": "Internal server error"}`
	internalKind  = "InternalServerErrorException"
)

// callerMark stands for the caller's id in a reason.
const callerMark = "CALLER"

func failing(name string, share int, reason string) *behaviour {
	return &behaviour{
		name: name, share: share, status: http.StatusBadGateway, kind: internalKind, answer: internalError, reason: reason,
	}
}

// behaviours have a share of the requests; all other requests are ordinary.
var (
	ordinary      = &behaviour{name: "ordinary"}
	large         = &behaviour{name: "much", share: 60}
	late          = &behaviour{name: "late", share: 40}
	leave         = &behaviour{name: "leave", share: 50}
	spawn         = &behaviour{name: "spawn", share: 5}
	throw         = failing("throw", 100, "\"thrown for "+callerMark+"\"")
	invalidResult = failing("nonsense", 100, "the result of function ")
	// thrownInExpress is throw in a function with Express, which catches the error.
	thrownInExpress = &behaviour{
		name: "throw", status: http.StatusInternalServerError, answer: `{"error":"internal error"}`,
		reason: "itself returned this status",
	}
	preflight = &behaviour{name: "preflight", share: 60}
	denied    = &behaviour{
		name: "private", share: 30, status: http.StatusForbidden, kind: "AccessDeniedException",
		reason: "path " + restricted + " is private",
	}
	unknownPath = &behaviour{
		name: "nowhere", share: 60, status: http.StatusForbidden, kind: "MissingAuthenticationTokenException",
		answer: `{"message":"Missing Authentication Token"}`, reason: "no path of the API abuse serves",
	}
	unknownStage = &behaviour{
		name: "stage", share: 30, status: http.StatusForbidden, kind: "ForbiddenException",
		answer: `{"message":"Forbidden"}`, reason: "has no stage",
	}
	behaviours = []*behaviour{
		large, late, leave, throw, invalidResult, preflight, denied, unknownPath, unknownStage,
		failing("exit", 40, "its process ended during the call (exit status "),
		failing("kill", 20, "its process ended during the call (signal: killed)"),
		failing("uncaught", 20, "\"uncaught for "+callerMark+"\""),
		failing("reject", 20, "rejected for "+callerMark),
		failing("hang", 8, "no response within "+timeout),
		failing("spin", 2, "no response within "+timeout),
		spawn,
	}
)

// plan determines requests: each depends on the plan and its number only.
type plan struct {
	// tag is part of the ids, so that two plans have different ids.
	tag       string
	seed      uint64
	functions []*function
	// onlyOrdinary makes all requests ordinary, bodiless makes them GET without a body.
	onlyOrdinary, bodiless bool
}

// mostPipelined is the largest number of requests in one burst.
const mostPipelined = 4

// bursts sends the requests with numbers in a range, grouped into those that are sent in one
// write, until the context ends.
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

// request is the request with a number.
func (p plan) request(number int) *request {
	chance := rand.New(rand.NewPCG(p.seed, uint64(number)))
	r := &request{
		id:        fmt.Sprintf("%d-%s-%08x", number, p.tag, chance.Uint32()),
		function:  p.functions[chance.IntN(len(p.functions))],
		behaviour: ordinary, method: http.MethodGet,
	}
	if w := chooseBehaviour(chance); !p.onlyOrdinary {
		r.behaviour = w
	}
	if p.bodiless {
		r.path = "/dev/" + r.function.name + "/" + r.id
		return r
	}
	return r.complete(chance)
}

// numbered returns a function that returns one request after the other; several goroutines
// may call it.
func (p plan) numbered() func() *request {
	var number atomic.Int64
	return func() *request { return p.request(int(number.Add(1))) }
}

func chooseBehaviour(chance *rand.Rand) *behaviour {
	at := chance.IntN(10_000)
	for _, w := range behaviours {
		if at -= w.share; at < 0 {
			return w
		}
	}
	return ordinary
}

// complete sets method, path and body according to the behaviour.
func (r *request) complete(chance *rand.Rand) *request {
	if r.function.express && r.behaviour == invalidResult {
		// Express makes every answer a valid result.
		r.behaviour = ordinary
	}
	path, query := "/dev/"+r.function.name, ""
	switch r.behaviour {
	case unknownPath:
		path = "/dev/nowhere"
	case unknownStage:
		path = "/prod/" + r.function.name
	case denied:
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
		query = "?do=" + r.behaviour.name
	}
	if r.behaviour == unknownPath || r.behaviour == unknownStage || r.behaviour == denied || r.behaviour == preflight {
		r.function = nil
	}
	r.path = path + "/" + r.id + query
	return r
}

// refusal is the expected refusal: the request's behaviour, except that Express answers
// errors that its routes throw itself.
func (r *request) refusal() *behaviour {
	if r.behaviour == throw && r.function.express {
		return thrownInExpress
	}
	return r.behaviour
}

// reason is the text that the log must have about the refusal.
func (r *request) reason() string { return strings.ReplaceAll(r.refusal().reason, callerMark, r.id) }

// append appends the request in HTTP/1.1 for an API at a host.
func (r *request) append(to []byte, host, api string) []byte {
	to = fmt.Appendf(to, "%s /%s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: abuse\r\n", r.method, api, r.path, host)
	switch {
	case r.body == "":
		return append(to, "\r\n"...)
	case r.chunked:
		half := len(r.body) / 2
		return fmt.Appendf(to, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", half, r.body[:half],
			len(r.body)-half, r.body[half:])
	}
	return fmt.Appendf(to, "Content-Length: %d\r\n\r\n%s", len(r.body), r.body)
}

// wanted is the body of the handler's answer.
func (r *request) wanted() string {
	switch {
	case r.behaviour == preflight:
		return ""
	case r.behaviour == large:
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
