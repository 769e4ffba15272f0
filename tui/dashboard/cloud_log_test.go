package dashboard

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/tui/dashboard/board"
)

// logged makes a fake of AWS answer with one line, of five minutes ago.
func logged(fake *awstest.Server, text string) *atomic.Int64 {
	calls := new(atomic.Int64)
	fake.Serve("logs", func(r awstest.Request) (any, error) {
		calls.Add(1)
		at := time.Now().Add(-5 * time.Minute).UnixMilli()
		return map[string]any{"events": []map[string]any{{"eventId": "1", "logStreamName": "s", "timestamp": at, "ingestionTime": at, "message": text}}}, nil
	})
	return calls
}

func TestTheLogOfAFunctionInAWSIsReadOnlyWhenItIsAskedFor(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	calls := logged(fake, "2026-11-26T10:00:00.123Z\t4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11\tWARN\tthe shelf \x1b[31mis empty\n")
	d.to("functions")
	if n := calls.Load(); n != 0 {
		t.Errorf("the log was read %d times before anybody asked", n)
	}
	d.press("L")
	d.shows("in AWS", "account "+testAccount+", as tester, since ", "WARN", "the shelf", "is empty")
	if view := d.model.View().Content; strings.Contains(view, "\x1b[31mis empty") {
		t.Error("the terminal is commanded by a log")
	}
	d.press("esc")
	d.until("the log is closed", func() bool { return !strings.Contains(d.shown(), "the shelf") })
}

func TestALogInAWSThatCannotBeReadSaysWhy(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	d.to("functions")
	d.press("L")
	d.shows("error: environment dev ", "push it with: gatewright push --env dev")
	d.press("esc")
	d.to("activity")
	pushedOnce(d)
	logged(fake, "x")
	fake.Fail("FilterLogEvents", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: logs:FilterLogEvents on resource: arn:aws:logs:x", 1)
	d.to("functions")
	d.press("L")
	d.shows("ann may not do logs:FilterLogEvents")
}

func TestADashboardThatOnlyReadsReadsNoLogInAWSUnlessItIsLive(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	pushedOnce(inCloud(t, dir))
	calls := logged(fake, "a line of AWS")
	d := openLive(t, dir, false)
	d.to("functions")
	d.press("L")
	d.shows(board.AsksNothing)
	if n := calls.Load(); n != 0 {
		t.Errorf("the log was read %d times", n)
	}
	d.page.AskCloud()
	d.press("L")
	d.shows("a line of AWS")
}

func TestBesideARunningSandboxALogIsChosen(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	calls := logged(fake, "a line of AWS")
	deploytest.Serve(t, dir)
	d.until("the sandbox is seen", func() bool { return d.page.board.Sandbox.Runs() })
	d.to("functions")
	d.press("L")
	d.shows("Which log of ", "what environment dev logs there", "what ran on this machine")
	d.press("down", "enter")
	d.shows("nothing is in this log yet")
	if n := calls.Load(); n != 0 || strings.Contains(d.shown(), "in AWS ─") {
		t.Errorf("for the log of the sandbox, AWS is asked %d times", n)
	}
	d.press("esc")
	d.until("the log is closed", func() bool { return !strings.Contains(d.shown(), "nothing is in this log yet") })
	d.press("L")
	d.shows("Which log of ")
	d.press("enter")
	d.shows("a line of AWS")
}
