package dashboard

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/sandbox"
)

func TestAPushFirstShowsWhatItWouldDo(t *testing.T) {
	dir := paths(t, 2)
	d := openLive(t, dir, true)
	d.to("activity")
	d.shows("to create, and nothing was pushed yet", "dev  never pushed")
	d.press("p")
	d.shows("Push environment dev", "access: 2 more open", "▲ everybody may now do everything under", "~ update client configuration file client_config.json", "+ create API shop", "API resource /area1/thing1/{id}/{proxy+}: ANY, OPTIONS")
	d.press("enter")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Fatalf("cancelled it leaves %v", err)
	}
	d.press("p")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.shows("pushed dev as stack", "no change since the last push", "push        create API shop")
	record, err := project.ReadRecord(dir, "dev")
	must(t, err)
	d.shows("stack " + record.Stack)
	folder, err := project.UserState(os.Getenv)
	must(t, err)
	if _, err := index.Open(folder).Find(record.Stack); err != nil {
		t.Errorf("the stack is not found: %v", err)
	}
	d.press("p")
	d.shows("nothing to push: environment dev has not changed since its last push")
}

func TestAPushOfADefinitionThatChangedAfterTheQuestionIsRefused(t *testing.T) {
	dir := paths(t, 2)
	deployed(t, dir)
	before, err := project.ReadRecord(dir, "dev")
	must(t, err)
	change := func(name string) {
		deploytest.Change(t, dir, func(b *model.Backend) error {
			p := *b.APIs[0].Paths[0]
			p.Name = name
			return edit.AddPath(b, b.APIs[0].Label, &p)
		})
	}
	change("/shown")
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("p")
	d.shows("Push environment dev", "▲ everybody may now do everything under /shown")
	change("/unseen")
	d.press("tab", "enter")
	d.shows("nothing was pushed: the definition changed after the question")
	if now, err := project.ReadRecord(dir, "dev"); err != nil || now.Snapshot != before.Snapshot {
		t.Errorf("it is pushed: %v", err)
	}
	d.press("p")
	d.shows("Push environment dev", "/unseen")
	d.press("tab", "enter")
	d.shows("pushed dev as stack")
}

func TestAPushOfAGuardedEnvironmentNeedsItsName(t *testing.T) {
	dir := paths(t, 1)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		e := *b.Environment("dev")
		e.Guarded = true
		return edit.UpdateEnvironment(b, &e)
	})
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("p")
	d.shows("Type dev to push")
	d.press("enter")
	d.shows("the name is not the same")
	d.press("prod", "enter")
	d.shows("the name is not the same")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Fatalf("without its name it leaves %v", err)
	}
	d.press("esc", "p")
	d.shows("Type dev to push")
	d.press("dev", "enter")
	d.shows("pushed dev as stack")
}

func TestAReadOnlyDashboardNeitherPushesNorStartsASandbox(t *testing.T) {
	d := openLive(t, paths(t, 1), false)
	d.to("activity")
	for _, key := range []string{"p", "s"} {
		d.press(key)
		d.shows("not available: this dashboard is read-only")
	}
}

// withPool gives a project a user pool whose users sign in with their address.
func withPool(t *testing.T, dir string) {
	t.Helper()
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.SetAuth(b, &model.Auth{UsernameAttributes: []string{"email"}})
	})
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

func TestACodeIsShownOnAnyTab(t *testing.T) {
	dir := paths(t, 1)
	withPool(t, dir)
	serving(t, dir)
	d := openLive(t, dir, false)
	d.to("environments")
	signUp(t, d.page.board.Sandbox.Status.Pools[0])
	d.shows("note: dev: the code for the", " Envs]")
	d.to("activity")
	d.press("end")
	d.shows("ann@example.com", "code in environment dev")
}

func TestACodeOfTheSandboxOfThisProgramIsShownOnce(t *testing.T) {
	dir := paths(t, 1)
	withPool(t, dir)
	onFreePort(t, dir)
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at")
	status, _ := running(t, dir)
	signUp(t, status.Pools[0])
	d.shows("note: dev: the code for the")
	d.until("the log tells of it too", func() bool { return len(d.page.board.Sandbox.Lines) > 0 })
	if n := strings.Count(d.shown(), "code        the code for the"); n != 1 {
		t.Errorf("it stands there %d times in\n%s", n, d.shown())
	}
}

func TestARefusedPushSaysWhy(t *testing.T) {
	dir := paths(t, 1)
	d := openLive(t, dir, true)
	d.to("activity")
	must(t, os.WriteFile(filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json"), []byte(`{`), 0o644))
	d.press("p")
	d.shows("A push of dev is refused", "Nothing was pushed. 1 reason:", "cli-inputs.json:1:2")
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("it leaves %v", err)
	}
}
