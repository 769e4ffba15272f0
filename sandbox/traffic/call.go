// Package traffic is what the sandbox remembers of the calls that it answered: the last ones
// with what was sent and answered, and counts of all, for each function and path. It is in
// memory only, as it came: credentials are taken out when somebody looks, and before anything is written.
package traffic

import (
	"net/http"
	"time"

	"gatewright/sandbox/function"
)

// Kind says where a call came from.
type Kind string

// The kinds of calls: a request to an API, the test of the API Gateway console, a call by a
// function's schedule, one through the API of Lambda, by another function or a program, and one
// by a user pool or a table that has the function as a trigger.
const (
	Request  Kind = "request"
	Test     Kind = "test"
	Schedule Kind = "schedule"
	Invoke   Kind = "invoke"
	Trigger  Kind = "trigger"
)

// Kinds are all kinds of calls.
var Kinds = []Kind{Request, Test, Schedule, Invoke, Trigger}

// Call is one call that was answered.
type Call struct {
	// Number counts the calls since the sandbox began, from 1.
	Number uint64 `json:"number"`
	// Time is when it came.
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	// Environment and API are "" for a request to an address that no API has.
	Environment string `json:"environment"`
	API         string `json:"api"`
	Method      string `json:"method"`
	// Target is the raw path below the stage with the query, without secrets; the name of the
	// function for a call through the API of Lambda.
	Target string `json:"target"`
	// Path is the path of the definition that serves it; "" if none does.
	Path string `json:"path"`
	// Function is the function that was called; "" if none was.
	Function string `json:"function"`
	// Status is the status of the answer; 0 for a call without one, by a schedule, a trigger or
	// through the API of Lambda, unless that refused it.
	Status int `json:"status"`
	// Took is the time from the request to its answer, in nanoseconds.
	Took time.Duration `json:"took"`
	// Failed says that the answer is 5xx, or that the function failed, took too long or died.
	Failed bool `json:"failed"`
	Who    Who  `json:"who"`
	// Why says why the call was refused or failed, and Fix what to do; both are "" otherwise.
	Why string `json:"why"`
	Fix string `json:"fix"`
	// Breaches are the ways in which the request or its answer breaks the contract of the API, if
	// that is checked, a line each.
	Breaches []string `json:"breaches"`
	// Mocked says that the answer is an example of the contract, and no function was called.
	Mocked bool `json:"mocked"`
	// Request is the id of the call, as in the logs.
	Request string `json:"request"`
	// Started is how long the worker took to start, 0 for a warm one. Ran is the time of the
	// handler without that. Both are in nanoseconds.
	Started time.Duration `json:"started"`
	Ran     time.Duration `json:"ran"`
	// Parts are the parts of the time in their order, without gaps: their sum is Took. Only what
	// happened is there: a refused request has Gate alone.
	Parts []Part `json:"parts"`
	// Uses are what the function used while the call ran, the first function.MostUses of them, and
	// UsesLeft counts the rest.
	Uses     []Use `json:"uses"`
	UsesLeft int   `json:"usesLeft"`
}

// Ended is what a Store makes of the end of a call: its Parts as they were stamped, and the uses that
// UsesLeft counts. It is zero for a call of which nothing was stamped.
type Ended struct {
	times function.Times
	left  map[function.Used]function.UseCount
}

// End says that a call is answered now: it took the time until now.
func (c *Call) End(f *function.Flight) (e Ended) {
	e.times, c.Uses, e.left = f.End(time.Now())
	c.Took = e.times.Took()
	for _, n := range e.left {
		c.UsesLeft += n.Calls
	}
	return e
}

// Refused reports whether the call was answered without its function: by the rules of access,
// because nothing serves it, or for a preflight as a browser reads its answer.
func (c *Call) Refused() bool {
	preflight := c.Method == http.MethodOptions && c.Why != ""
	return (c.Status >= 400 || preflight) && c.Status < 500 && c.Function == "" && !c.Mocked
}

// IsRequest reports whether the call was a request to an API, or a test of one.
func (c *Call) IsRequest() bool { return c.Kind == Request || c.Kind == Test }

// WhoKind is what is known of a caller.
type WhoKind string

// The kinds of callers: Nobody was not asked who they are, since the path is open or nothing
// was served; Guest has not signed in; User has; Member is a member of groups without a user;
// Unknown has credentials that are not valid; Function is a function of the project.
const (
	Nobody   WhoKind = "nobody"
	Guest    WhoKind = "guest"
	User     WhoKind = "user"
	Member   WhoKind = "member"
	Unknown  WhoKind = "unknown"
	Function WhoKind = "function"
)

// Who is the caller, and the rule that let the call in or not.
type Who struct {
	Kind WhoKind `json:"kind"`
	// Name is the name of a user or of a function.
	Name   string   `json:"name"`
	Groups []string `json:"groups"`
	// As is whom the caller acts as: "guests", "signed-in users", "members of Editors"; ""
	// if that does not matter.
	As string `json:"as"`
	// Rule is the rule in words, such as "guests may read under /books".
	Rule string `json:"rule"`
	// Allowed says that the rule let the call in.
	Allowed bool `json:"allowed"`
	// By is how the caller proved who they are: "signature", "token", or "" for neither.
	By string `json:"by"`
}

// Header is a header, or a query parameter, with one value.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Detail is a call with what was sent and answered, without secrets.
type Detail struct {
	Call
	// Headers are those of the request, as the function got them.
	Headers []Header `json:"headers"`
	// Body is the body of the request, and Base64 says that it is in base64, since it is not
	// UTF-8.
	Body   string `json:"body"`
	Base64 bool   `json:"base64"`
	// Event is the input of the function, JSON; "" if none was called.
	Event string `json:"event"`
	// Result is what the function returned; "" if it did not.
	Result string `json:"result"`
	// AnswerHeaders and AnswerBody are the answer, and AnswerBase64 says that its body is in
	// base64, since it is not UTF-8.
	AnswerHeaders []Header `json:"answerHeaders"`
	AnswerBody    string   `json:"answerBody"`
	AnswerBase64  bool     `json:"answerBase64"`
	// Left says what is not shown and why, such as "the value of the header authorization" or
	// "the end of the answer: 64 KB of 1.2 MB are kept".
	Left []string `json:"left"`
	// Gone says that only the Call is left, since later calls needed the memory.
	Gone bool `json:"gone"`
}
