package traffic_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/traffic"
)

func TestACallerIsNamedByWhatIsKnown(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		who        traffic.Who
		want, with string
	}{
		{traffic.Who{}, "nobody", ""},
		{traffic.Who{Kind: traffic.Nobody}, "nobody", ""},
		{traffic.Who{Kind: traffic.Guest}, "guest", "no credentials"},
		{traffic.Who{Kind: traffic.Guest, By: "signature", As: "guests"}, "guest", "by signature"},
		{traffic.Who{Kind: traffic.User, Name: "emma", As: "signed-in users", By: "token"}, "emma", "by token"},
		{traffic.Who{Kind: traffic.User, Name: "emma", Groups: []string{"A", "B"}, As: "members of B"}, "emma (B)", ""},
		{traffic.Who{Kind: traffic.User}, "signed-in user", ""},
		{traffic.Who{Kind: traffic.Member}, "signed-in user", ""},
		{traffic.Who{Kind: traffic.Member, Groups: []string{"A", "B"}}, "member of A, B", ""},
		{traffic.Who{Kind: traffic.Member, Groups: []string{"A", "B"}, As: "members of B"}, "member of B", ""},
		{traffic.Who{Kind: traffic.Unknown, Name: "x"}, "unknown", "credentials that are not valid"},
		{traffic.Who{Kind: traffic.Function, Name: "orders"}, "function orders", ""},
	} {
		if got, with := row.who.String(), row.who.Credentials(); got != row.want || with != row.with {
			t.Errorf("%+v is %q, %q; want %q, %q", row.who, got, with, row.want, row.with)
		}
	}
}

func TestACallIsNamedMarkedAndNoted(t *testing.T) {
	t.Parallel()
	nobody, guest := traffic.Who{Kind: traffic.Nobody}, traffic.Who{Kind: traffic.Guest, Rule: "guests may not"}
	for _, row := range []struct {
		call traffic.Call
		want string
	}{
		{traffic.Call{Kind: traffic.Request, Method: "GET", Target: "/a?b", Status: 200, Function: "f"}, "GET /a?b||200|200 OK|"},
		{traffic.Call{Kind: traffic.Request, Method: "GET", Target: "/a", Status: 404, Function: "f", Who: nobody}, "GET /a||404|404 Not Found|"},
		{traffic.Call{Kind: traffic.Request, Method: "PUT", Target: "/a", Status: 403, Who: guest, Why: "long"}, "PUT /a|x|x 403|403 Forbidden|guests may not"},
		{traffic.Call{Kind: traffic.Request, Method: "PUT", Target: "/a", Status: 403, Who: nobody, Why: "long"}, "PUT /a|x|x 403|403 Forbidden|long"},
		{traffic.Call{Kind: traffic.Request, Method: "PUT", Target: "/a", Status: 400, Mocked: true}, "PUT /a||400|400 Bad Request|example"},
		{traffic.Call{Kind: traffic.Test, Method: "GET", Target: "/", Status: 502, Failed: true, Function: "f", Why: "function f died: at once", Started: time.Second}, "GET /|!|! 502|502 Bad Gateway|test, cold 1.0 s, died: at once"},
		{traffic.Call{Kind: traffic.Request, Method: "GET", Target: "/", Status: 502, Failed: true, Function: "f", Breaches: []string{"a"}, Why: "function f of environment dev: it died"}, "GET /|~|~ 502|502 Bad Gateway|breaks its contract, it died"},
		{traffic.Call{Kind: traffic.Schedule, Function: "tick"}, "schedule of tick||ok|ok|"},
		{traffic.Call{Kind: traffic.Trigger, Function: "tick", Failed: true, Why: "function other died"}, "trigger of tick|!|failed|failed|function other died"},
		{traffic.Call{Kind: traffic.Invoke, Target: "stock", Function: "stock"}, "invoke stock||ok|ok|"},
		{traffic.Call{Kind: traffic.Request, Status: 999}, "||999|999|"},
	} {
		c := row.call
		if got := strings.Join([]string{c.Name(), c.Mark(), c.MarkedOutcome(), c.OutcomeInWords(), c.Note()}, "|"); got != row.want {
			t.Errorf("%+v\n got %s\nwant %s", c, got, row.want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0", 1: "<1", time.Millisecond - 1: "<1", time.Millisecond: "1", 1500 * time.Microsecond: "2", 61 * time.Second: "61000"} {
		if got := traffic.Milliseconds(d); got != want {
			t.Errorf("%v is %s ms, want %s", d, got, want)
		}
	}
	if traffic.IsSlow(time.Second-1) || !traffic.IsSlow(time.Second) {
		t.Error("a call is slow from a second on")
	}
}

// A report is sorted by environment and name.
func TestAReportHasEverySubjectOnceAndInOrder(t *testing.T) {
	t.Parallel()
	const functions = 203
	s := traffic.New(begun)
	add := func(environment, function string, status int, at time.Time) {
		d := call(function, at, 0, status)
		d.Environment = environment
		s.Add(d)
	}
	for i := range functions {
		add("dev", fmt.Sprintf("f%03d", functions-1-i), 200, begun.Add(time.Minute))
		add("a", fmt.Sprintf("f%03d", i), 200, begun.Add(time.Minute))
	}
	r := s.Report(traffic.All, begun.Add(time.Minute))
	if len(r.Functions) != 2*functions || len(r.Whole) != 2 || r.Whole[0].Environment != "a" || r.Whole[0].Calls != functions {
		t.Fatalf("%d functions and %+v are counted", len(r.Functions), r.Whole)
	}
	for i, c := range r.Functions {
		if want := fmt.Sprintf("f%03d", i%functions); c.Function != want || c.Calls != 1 || (c.Environment == "a") != (i < functions) {
			t.Fatalf("function %d is %+v, want %s", i, c, want)
		}
	}
	if r.Kept != 2*functions || r.Bytes <= 0 || !r.From.Equal(begun) || r.Most < r.Kept {
		t.Errorf("the report is kept %d, %d bytes, from %v, most %d", r.Kept, r.Bytes, r.From, r.Most)
	}
	// A call that ended before all steps that are kept counts with the oldest one.
	late := traffic.New(begun)
	s = late
	for step := range traffic.Steps + 1 {
		add("dev", "f", 200, begun.Add(time.Hour+time.Duration(step)*10*time.Second))
	}
	add("dev", "f", 502, begun)
	now := begun.Add(time.Hour + traffic.Steps*10*time.Second)
	c := s.Report(traffic.FiveMinutes, now).Functions[0]
	if steps := c.Spread(); c.Calls != traffic.Steps+1 || steps[0].Calls != 2 || steps[0].Failed != 1 || steps[1].Calls != 1 || !c.LastFailed.Equal(begun) {
		t.Errorf("a late call is counted as %+v", c)
	}
	for window, valid := range map[traffic.Window]bool{traffic.FiveMinutes: true, traffic.Hour: true, traffic.All: true, "": false, "2h": false} {
		if window.Valid() != valid {
			t.Errorf("the window %q is valid: %t", window, !valid)
		}
	}
}
