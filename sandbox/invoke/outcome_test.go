package invoke

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/function"
)

func TestTheEndOfACallIsItsPayloadItsErrorOrARefusal(t *testing.T) {
	t.Parallel()
	q := &request{id: "the-id", called: Function{Region: region, Account: account, Deployed: "orders"}}
	const failed = "The operation cannot be performed at this time. The function is currently in the following state: Failed: "
	for _, row := range []struct {
		name    string
		answer  function.Answer
		err     error
		payload string
		failed  bool
		refused *fault
	}{
		{"an answer", function.Answer{Payload: []byte("1")}, nil, "1", false, nil},
		{"the error of the handler", function.Answer{Payload: []byte(`{"errorMessage":"no"}`), Failed: true}, nil, `{"errorMessage":"no"}`, true, nil},
		{"what the runtime reported", function.Answer{}, &function.Error{Reported: []byte(`{"errorType":"E"}`), CloudText: "x"}, `{"errorType":"E"}`, true, nil},
		{
			"a time-out",
			function.Answer{},
			&function.Error{Kind: function.TimedOut, CloudType: "Sandbox.Timedout", CloudText: "RequestId: the-id Error: Task timed out after 3.00 seconds"},
			`{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: the-id Error: Task timed out after 3.00 seconds"}`, true, nil,
		},
		{
			"an exit",
			function.Answer{},
			&function.Error{Kind: function.Crashed, CloudType: "Runtime.ExitError", CloudText: "Runtime exited with error: exit status 3"},
			`{"errorType":"Runtime.ExitError","errorMessage":"RequestId: the-id Error: Runtime exited with error: exit status 3"}`, true, nil,
		},
		{
			"no function",
			function.Answer{},
			&function.Error{Kind: function.NoFunction, Function: "orders"}, "", false,
			&fault{status: 404, code: notFound, text: "Function not found: arn:aws:lambda:" + region + ":" + account + ":function:orders:$LATEST"},
		},
		{
			"too many calls",
			function.Answer{},
			&function.Error{Kind: function.Throttled, Function: "orders", Text: "has no worker free"}, "", false,
			&fault{status: 429, code: tooMany, text: "Rate Exceeded.", reason: "ReservedFunctionConcurrentInvocationLimitExceeded", note: "function orders: has no worker free"},
		},
		{
			"the end of the sandbox",
			function.Answer{},
			&function.Error{Kind: function.Closed, Function: "orders", Text: "the sandbox ends"}, "", false,
			&fault{status: 500, code: serviceFailed, text: "function orders: the sandbox ends"},
		},
		{
			"a function that cannot run",
			function.Answer{},
			&function.Error{Function: "orders", Text: "has no handler", Fix: "write one"}, "", false,
			&fault{status: 409, code: notReady, text: failed + "function orders: has no handler; write one", note: "function orders: has no handler; write one"},
		},
		{"another error", function.Answer{}, errors.New("the disk is full"), "", false, &fault{status: 500, code: serviceFailed, text: "the disk is full"}},
	} {
		payload, failed, refused := outcome(q, row.answer, row.err)
		if diff := cmp.Diff(row.refused, refused, cmp.AllowUnexported(fault{})); string(payload) != row.payload || failed != row.failed || diff != "" {
			t.Errorf("%s: %s, failed %t, want %s, %t; refused (-want +got):\n%s", row.name, payload, failed, row.payload, row.failed, diff)
		}
	}
}

func TestManyFunctionsAreNamedInPart(t *testing.T) {
	t.Parallel()
	var all []Function
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		all = append(all, Function{Environment: "dev", Deployed: name})
	}
	all = append(all, Function{Environment: "qa", Deployed: "l"})
	for environment, want := range map[string]string{"none": "none", "qa": "l", "dev": "a, b, c, d, e, f and 5 more", "": "a, b, c, d, e, f and 6 more"} {
		if got := names(all, environment); got != want {
			t.Errorf("named are %s, want %s", got, want)
		}
	}
}
