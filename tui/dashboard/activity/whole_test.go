package activity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/deploy/stack"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame/frametest"
)

func TestEachEntryHasItsKindItsTextAndItsTone(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0)
	var got []string
	add := func(h entry) {
		got = append(got, strings.Join([]string{h.environment, h.kind, frametest.Toned(prose.Line{Tone: h.tone, Text: h.text})}, "|"))
	}
	for _, kind := range []string{
		live.Problem, sandbox.EventDamage, function.EventCrash, function.EventStopped, function.EventWarning, sandbox.EventTable, sandbox.EventSchedule, sandbox.EventTrigger,
		sandbox.EventPool, sandbox.EventCloud, sandbox.EventContract, sandbox.EventCode, live.Listening, "other",
	} {
		e := sandbox.Event{Kind: kind, Environment: "d\x1bev", Text: "it\x1b is"}
		if kind == function.EventCrash {
			e.Function = "f\x1b"
		}
		add(sandboxEntry(e, at))
	}
	for _, kind := range []contract.EventKind{contract.Created, contract.Updated, contract.Deleted, contract.Warned, contract.Noted} {
		add(pushEntry("prod", contract.Event{Kind: kind, Text: "API shop", Reasons: []string{"one", "two"}}, at))
	}
	lines := []logs.Line{
		lineOf(0, logs.Gateway, "a", logs.Error, "GET / 502: function f ended"), lineOf(1, "f", "a", logs.Error, "GET / 502: function f ended"), lineOf(2, logs.Gateway, "a", logs.Warn, "GET / 403"),
		lineOf(3, logs.Identity, "", logs.Info, "the code is 1"), lineOf(4, "f", "a", logs.Fatal, " \nno\nat x"), lineOf(5, "f", "", logs.Platform, "it is made ready"),
		lineOf(6, "f", "", logs.Platform, "REPORT x"), lineOf(7, "f", "a", logs.Platform, "START"), lineOf(8, "f", "a", logs.Warn, "slow"),
	}
	for _, h := range entriesOf(lines) {
		add(h)
	}
	want := []string{
		"d␛ev|problem|!it␛ is", "d␛ev|damage|!it␛ is", "d␛ev|crash|!function f␛: it␛ is", "d␛ev|stopped|!it␛ is", "d␛ev|warning|?it␛ is", "d␛ev|warning|?it␛ is", "d␛ev|warning|?it␛ is",
		"d␛ev|warning|?it␛ is", "d␛ev|warning|?it␛ is", "d␛ev|warning|?it␛ is", "d␛ev|warning|?it␛ is", "d␛ev|code|*it␛ is", "d␛ev|listening|+it␛ is", "d␛ev|other| it␛ is",
		"prod|push| create API shop: one; two", "prod|push| update API shop: one; two", "prod|push| delete API shop: one; two", "prod|warning|?API shop: one; two", "prod|push| API shop: one; two",
		"dev|error|!GET / 502: function f ended", "dev|refused|?GET / 403", "dev|code|*the code is 1", "dev|error|!function f: no", "dev|sandbox| function f: it is made ready",
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("the entries differ (-want +got):\n%s", difference)
	}
	many := make([]entry, mostEntries+5)
	for i := range many {
		many[i] = entry{at: at.Add(time.Duration(i) * time.Minute), text: fmt.Sprint(i)}
	}
	if all := merge(many[:10], many[10:]); len(all) != mostEntries || all[0].text != "5" || all[mostEntries-1].text != fmt.Sprint(mostEntries+4) {
		t.Errorf("%d entries are kept, from %s to %s", len(all), all[0].text, all[len(all)-1].text)
	}
}

// TestARunningPushIsShownByWhatItsResourcesBelongTo has branches that failed, that go on, and more
// that are done than are shown.
func TestARunningPushIsShownByWhatItsResourcesBelongTo(t *testing.T) {
	t.Parallel()
	c := newCloudPush("dev")
	add := func(kind model.Kind, name, id string, status stack.Status, failed bool) {
		r := contract.ResourceProgress{ID: id, Name: "the " + id, Of: model.Ref{Kind: kind, Name: name}, Status: status, Failed: failed}
		if failed {
			r.Reason = "no\x1b quota"
		}
		c.tree.Add(r)
	}
	for i := range mostDone + 2 {
		add(model.KindFunction, fmt.Sprint("done", i), fmt.Sprint("f", i), "CREATE_COMPLETE", false)
	}
	add(model.KindTable, "going", "t1", "CREATE_COMPLETE", false)
	add(model.KindTable, "going", "t2", "UPDATE_IN_PROGRESS", false)
	add(model.KindTable, "going", "t3", "DELETE_IN_PROGRESS", false)
	add(model.KindAPI, "bad", "a1", "CREATE_FAILED", true)
	add(model.KindAPI, "bad", "a2", "CREATE_FAILED", false)
	draw := func() string {
		var rows []string
		for _, r := range c.rows() {
			rows = append(rows, r.before+frametest.Toned(r.line)+" ("+strings.ReplaceAll(frametest.Toned(r.detail...), "\n", " / ")+")")
		}
		return strings.Join(rows, "\n")
	}
	c.step, c.cancel = "waiting for AWS", nil
	want := `#push of dev: 1 failed, 13 of 15 resources ( push of dev: 1 failed, 13 of 15 resources / .waiting for AWS)
  !✗ API bad  2/2 (!the a1 failed: no␛ quota / .the a2 could not be made)
      !the a1 failed: no␛ quota (!the a1 failed: no␛ quota / .now could not be made)
  i• table going  1/3  the t2 being changed (.the t1 made / ithe t2 being changed / ithe t3 being removed)`
	for i := range mostDone {
		want += fmt.Sprintf("\n  +✓ function done%d  1/1 (.the f%d made)", i, i)
	}
	want += "\n  .and 2 more are done ()"
	if difference := cmp.Diff(want, draw()); difference != "" {
		t.Errorf("the rows differ (-want +got):\n%s", difference)
	}
	c.detached = true
	if got, _, _ := strings.Cut(draw(), "\n"); got != `#push of dev continues in AWS; it was at 13 of 15 resources when it was last followed ( push of dev continues in AWS; it was at 13 of 15 resources when it was last followed / .waiting for AWS / ."follow the push" in the palette follows it again, "cancel the push" undoes it)` {
		t.Errorf("not followed any more, it is\n%s", got)
	}
	c.detached, c.failed, c.err, c.push, c.ended = false, true, "it is not allowed", new(aws.Push), c.began.Add(90*time.Second)
	if got, _, _ := strings.Cut(draw(), "\n"); !strings.HasPrefix(got, "!push of dev failed after ") || !strings.HasSuffix(got, " / !it is not allowed)") {
		t.Errorf("failed, it is\n%s", got)
	}
}

func TestARefusalHasAllReasonsUpToMany(t *testing.T) {
	t.Parallel()
	refused := &refuse.Refusal{ByValidate: true}
	for i := range 102 {
		refused.Reasons = append(refused.Reasons, errors.New(fmt.Sprint("reason\x1b ", i)))
	}
	lines := strings.Split(frametest.Toned(refusedLines(refused)...), "\n")
	if len(lines) != 105 || lines[0] != "*Nothing was pushed. 102 reasons:" || lines[2] != "!! reason␛ 0" || lines[101] != "!! reason␛ 99" || lines[102] != ".and 2 more" || lines[104] != ".The tab Problems goes to each place." {
		t.Errorf("there are %d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

func TestEachKeyOfAPushSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab, s *board.Snapshot)
	}{
		{"a resource", `enter unfold*
z unfold
p push*
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, nil},
		{"a heading", `enter show all*
p push*
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.List.Show("head\x00pushes") }},
		{"a push", `enter show all*
p push*
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.List.Show("push\x00dev") }},
		{"read only", `enter unfold*
z unfold
p push: this dashboard is read-only: run gatewright instead
s start sandbox: this dashboard is read-only: run gatewright instead
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.board.Session = nil }},
		{"no environment", `enter unfold*
z unfold
p push: the project has no environment; add one with: gatewright add env NAME
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env = nil }},
		{"one of the Amplify CLI", `enter unfold*
z unfold
p push: this environment is deployed by the Amplify CLI: run amplify push
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env.Foreign = true }},
		{"one of another provider", `enter unfold*
z unfold
p push: this version pushes only environments of the providers local and aws
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env.Environment.Provider = "other" }},
		{"one that is being pushed", `enter unfold*
z unfold
p push: it is being pushed already
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env.Pushing = true }},
		{"one in AWS", `enter unfold*
z unfold
p push*
s start sandbox*
follow the push
cancel the push: no push is running that this program started or follows
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env.Environment.Provider = model.AWS }},
		{"one in AWS that is being pushed from here", `enter unfold*
z unfold
p push: pushing dev has not ended yet
s start sandbox: pushing dev has not ended yet
follow the push: pushing dev has not ended yet
cancel the push
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(tab *Tab, s *board.Snapshot) {
			s.Env.Environment.Provider = model.AWS
			tab.cloud = newCloudPush("dev")
			tab.cloud.cancel = func(context.Context) error { return nil }
			tab.board.Job.Begin("pushing dev", nil)
		}},
		{"a sandbox", `enter unfold*
z unfold
p push*
s end sandbox*
f follow*
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) {
			tab.board.Sandbox = &board.Observed{Running: true, Client: new(sandbox.Client)}
			tab.own = make([]entry, 1)
		}},
		{"a sandbox that does not answer", `enter unfold*
z unfold
p push*
s end sandbox: it does not answer
f follow: nothing has happened in a sandbox yet
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) {
			tab.board.Sandbox = &board.Observed{Running: true, Err: "it does not answer"}
		}},
		{"no row", `enter unfold: there is no row
z unfold: there is no row
p push*
s start sandbox*
f follow: nothing has happened in a sandbox yet
y,alt+y copy: there is nothing to copy`, func(tab *Tab, _ *board.Snapshot) { tab.List.SetRows(nil) }},
	} {
		tab := shows(t)
		tab.board.Session = &session.Session{Editor: "vi"}
		if of.state != nil {
			of.state(tab, tab.board.Snap)
		}
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
