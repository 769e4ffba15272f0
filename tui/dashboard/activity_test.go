package dashboard

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// changedBackend edits a project as somebody else would.
func changedBackend(t *testing.T, dir string, edit func(*model.Backend) error) {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	next, err := p.Backend.Edit(edit)
	must(t, err)
	plan, err := p.Plan(next)
	must(t, err)
	must(t, errors.Join(plan.Commit(), p.Close()))
}

func TestAPushSaysFirstWhatItWouldDo(t *testing.T) {
	dir := paths(t, 2)
	d := sit(t, dir, true)
	d.to("activity")
	d.shows("to create, and nothing was pushed yet", "dev  never pushed")
	d.press("p")
	d.shows("Push environment dev", "+ create api shop", "API resource /area1/thing1/{id}/{proxy+}: ANY, OPTIONS")
	d.press("enter")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Fatalf("cancelled it leaves %v", err)
	}
	d.press("p")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.shows("pushed dev as stack", "no change since the last push", "push        create api shop")
	record, err := project.ReadRecord(dir, "dev")
	must(t, err)
	d.shows("stack " + record.Stack)
	folder, err := project.UserState(os.Getenv)
	must(t, err)
	if _, err := deploy.OpenIndex(folder).Find(record.Stack); err != nil {
		t.Errorf("the stack is not found: %v", err)
	}
	d.press("p")
	d.shows("nothing to push: environment dev is as it was pushed")
}

func TestAGuardedEnvironmentWantsItsNameTyped(t *testing.T) {
	dir := paths(t, 1)
	changedBackend(t, dir, func(b *model.Backend) error {
		e := *b.Environment("dev")
		e.Guarded = true
		return b.UpdateEnvironment(&e)
	})
	d := sit(t, dir, true)
	d.to("activity")
	d.press("p")
	d.shows("Type dev to push")
	d.press("enter")
	d.shows("that is not its name")
	d.press("prod", "enter")
	d.shows("that is not its name")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Fatalf("without its name it leaves %v", err)
	}
	d.press("esc", "p")
	d.shows("Type dev to push")
	d.press("dev", "enter")
	d.shows("pushed dev as stack")
}

func TestADashboardThatOnlyReadsNeitherPushesNorStarts(t *testing.T) {
	d := sit(t, paths(t, 1), false)
	d.to("activity")
	for _, key := range []string{"p", "s"} {
		d.press(key)
		d.shows("not available: this dashboard only reads")
	}
}

// withPool gives a project a user pool whose users sign in with their address.
func withPool(t *testing.T, dir string) {
	t.Helper()
	changedBackend(t, dir, func(b *model.Backend) error { return b.SetAuth(&model.Auth{UsernameAttributes: []string{"email"}}) })
}

// signUp signs ann up, as a client library does.
func signUp(t *testing.T, pool sandbox.ServedPool) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, pool.UserPoolEndpoint, strings.NewReader(fmt.Sprintf(
		`{"ClientId": %q, "Username": "ann@example.com", "Password": "Correct-horse-9", "UserAttributes": [{"Name": "email", "Value": "ann@example.com"}]}`, pool.ClientID)))
	must(t, err)
	request.Header.Set("X-Amz-Target", "AWSCognitoIdentityProviderService.SignUp")
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	var body bytes.Buffer
	_, _ = body.ReadFrom(answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("signing up is answered with %d %s", answer.StatusCode, &body)
	}
}

func TestACodeIsSaidOnAnyTab(t *testing.T) {
	dir := paths(t, 1)
	withPool(t, dir)
	serving(t, dir)
	d := sit(t, dir, false)
	d.to("environments")
	signUp(t, d.page.sandbox.status.Pools[0])
	d.shows("note: dev: the code for the", "[4 Environments]")
	d.to("activity")
	d.press("end")
	d.shows("ann@example.com", "code in environment dev")
}

func TestACodeOfTheSandboxOfThisProgramIsSaidAndStandsThereOnce(t *testing.T) {
	dir := paths(t, 1)
	withPool(t, dir)
	onFreePort(t, dir)
	d := sit(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at")
	signUp(t, observe(dir, nil).status.Pools[0])
	d.shows("note: dev: the code for the")
	d.until("the log tells of it too", func() bool { return len(d.page.sandbox.feed) > 0 })
	if n := strings.Count(d.shown(), "code        the code for the"); n != 1 {
		t.Errorf("it stands there %d times in\n%s", n, d.shown())
	}
}

func TestACodeFromBeforeIsNotSaid(t *testing.T) {
	a := newActivityTab(opened(t, paths(t, 1), 80, 24))
	now := time.Now()
	old := happening{at: now.Add(-time.Minute), what: codeWord, text: "old"}
	if cmd := a.observe(&observed{running: true, at: now, feed: []happening{old}}); cmd != nil {
		t.Errorf("a code from before is said: %v", cmd())
	}
	fresh := happening{at: now.Add(time.Second), what: codeWord, text: "fresh"}
	cmd := a.observe(&observed{running: true, at: now.Add(time.Second), feed: []happening{old, fresh}})
	if cmd == nil || !strings.Contains(fmt.Sprint(cmd()), "fresh") {
		t.Fatal("a code is not said")
	}
	if cmd := a.observe(&observed{running: true, at: now.Add(2 * time.Second), feed: []happening{old, fresh}}); cmd != nil {
		t.Errorf("a code is said twice: %v", cmd())
	}
}

func TestTheLastRowIsFollowedUntilSomebodyMoves(t *testing.T) {
	p := opened(t, paths(t, 1), 80, 24)
	at := p.place("activity")
	p.toTab(at)
	see := func(n int) {
		o := &observed{running: true, at: time.Unix(1700000100, 0)}
		for i := range n {
			o.lines = append(o.lines, lineOf(i, logs.Gateway, "a", logs.Warn, fmt.Sprintf("GET /%d 403: no", i)))
		}
		o.feed = feedOf(o.lines)
		p.takeObserved(o)
	}
	cursor := func() string { return p.lists[at].entries[p.lists[at].row()].text }
	see(3)
	press(p, "f")
	see(5)
	if got := cursor(); !strings.Contains(got, "get /4") {
		t.Errorf("followed, the cursor is on %q", got)
	}
	press(p, "up")
	see(7)
	if got := cursor(); !strings.Contains(got, "get /3") {
		t.Errorf("moved, the cursor is on %q", got)
	}
	press(p, "f")
	see(8)
	if got := cursor(); !strings.Contains(got, "get /7") {
		t.Errorf("followed again, the cursor is on %q", got)
	}
}

func TestAllOfAPushIsTold(t *testing.T) {
	dir := paths(t, 1)
	deployed(t, dir)
	p := opened(t, dir, 120, 40)
	a := p.tabs[p.place("activity")].(*activityTab)
	at := slices.IndexFunc(a.lines, func(l activityLine) bool { return l.part == pushPart })
	text := ""
	for _, s := range a.told(at) {
		text += s.text + "\n"
	}
	if !strings.Contains(text, "stack s") || !strings.Contains(text, "api shop http://127.0.0.1:4280/1/dev") {
		t.Errorf("it says\n%s", text)
	}
}

func TestAPushThatIsRefusedSaysWhy(t *testing.T) {
	dir := paths(t, 1)
	d := sit(t, dir, true)
	d.to("activity")
	must(t, os.WriteFile(filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json"), []byte(`{`), 0o644))
	d.press("p")
	d.shows("error: ", "cli-inputs.json")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("it leaves %v", err)
	}
}
