package dashboard

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/flow/request/requesttest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/live"
	"gatewright/sandbox/table/attribute"
)

// pushedShop opens the dashboard of a project that was pushed to a fake of AWS, with a guarded
// environment. The table and the pool there are those of a sandbox: its users are open until the
// test ends.
func pushedShop(t *testing.T) (*liveWindow, *awstest.Server, sandbox.Items, *sandbox.HeldUsers) {
	t.Helper()
	dir, fake := cloudProject(t, testAccount)
	deploytest.Change(t, dir, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
	d := inCloud(t, dir)
	pushedOnce(d)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		dev := *b.Environment("dev")
		dev.Guarded = true
		return edit.UpdateEnvironment(b, &dev)
	})
	d.tell(d.page.board.Read)

	table := sandbox.Table{Name: "items-dev", Definition: &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}}
	tables, err := sandbox.OpenTables(t.Context(), t.TempDir(), "")
	must(t, err)
	must(t, tables.Make(t.Context(), []sandbox.Table{table}))
	fake.Serve("dynamodb", func(q awstest.Request) (any, error) {
		answer, err := tables.Do(context.Background(), q.Action, q.Body)
		if refused := (*attribute.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return answer, err
	})
	record, err := project.ReadRecord(dir, "dev")
	must(t, err)
	p := openedProject(t, dir)
	pool, err := outputs.PoolOf(p.Backend, &model.Environment{Name: "dev", Provider: model.Local})
	must(t, err)
	pool.UserPoolID = record.Outputs["auth"].(map[string]any)["user_pool_id"].(string)
	pool.Definition.UserPoolID = pool.UserPoolID
	users, err := sandbox.OpenUsers(t.Context(), t.TempDir(), *pool, "http://127.0.0.1:4280", nil)
	must(t, err)
	fake.Serve("cognito-idp", func(q awstest.Request) (any, error) {
		answer, err := users.Do(context.Background(), q.Action, q.Body)
		if refused := (*wire.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return answer, err
	})
	t.Cleanup(func() { must(t, errors.Join(users.Close(), tables.Close())) })
	return d, fake, sandbox.Items{Tables: tables, Table: table}, users
}

func openedProject(t *testing.T, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

// asked are the calls of the services of tables and users.
func asked(fake *awstest.Server) int {
	n := 0
	for _, c := range fake.Calls() {
		if c.Service == "dynamodb" || c.Service == "cognito-idp" {
			n++
		}
	}
	return n
}

func TestItemsInAWSAreShownAndChangedWhenAPersonAsks(t *testing.T) {
	d, fake, x, _ := pushedShop(t)
	var lines strings.Builder
	for i := range 250 {
		fmt.Fprintf(&lines, `{"id":"%03d"}`+"\n", i)
	}
	_, err := x.Import(t.Context(), "f", strings.NewReader(lines.String()), nil)
	must(t, err)
	pushed := asked(fake)
	d.to("tables")
	d.shows("C shows the items in AWS")
	d.tell(d.page.board.Read)
	d.until("the files are read", func() bool { return !d.page.board.IsReading() })
	if n := asked(fake) - pushed; n != 0 {
		t.Fatalf("AWS was asked %d times behind one's back", n)
	}
	d.press("C")
	d.shows("1 table in AWS", "items of items-dev in AWS, account")
	d.press("enter")
	d.shows("about 250", `{"id":"`)
	calls := asked(fake)
	d.tell(d.page.board.Read)
	d.until("the files are read", func() bool { return !d.page.board.IsReading() })
	d.press("/", "249", "enter", "esc")
	if n := asked(fake); n != calls {
		t.Errorf("a file that changed, or a filter, asked AWS %d times", n-calls)
	}

	// A change needs the name of the environment, and nothing is changed before.
	d.press("g", "down", "d")
	d.shows("Change items in AWS?", "This would delete the item", "of table items-dev of", "environment dev, account "+testAccount)
	d.press("x", "enter")
	d.shows("the name is not the same")
	d.press("esc")
	if n := fake.Count("DeleteItem"); n != 0 {
		t.Errorf("%d items were deleted without consent", n)
	}
	d.press("d")
	d.shows("Change items in AWS?")
	d.press("dev", "enter")
	d.shows("1 item of items is deleted")
	if n, err := x.Count(t.Context()); n != 249 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
	put(t, filepath.Join(d.page.board.Dir, "more.jsonl"), `{"id":"a"}`+"\n"+`{"id":"b"}`)
	d.press("i")
	d.shows("Import into items: which file?")
	d.press("more.jsonl", "enter")
	d.shows("This would write 2 items into table items-dev of")
	d.press("dev", "enter")
	d.shows("items imported into items: 2")
	if n, err := x.Count(t.Context()); n != 251 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}

	// The sandbox has tables of its own.
	d.press("C")
	d.shows("no sandbox is running: enter reads the")
}

func TestUsersInAWSAreShownAndChangedWhenAPersonAsks(t *testing.T) {
	d, fake, _, users := pushedShop(t)
	create := func(name string) {
		must(t, sandbox.Ask(t.Context(), users, "AdminCreateUser", map[string]any{"Username": name, "MessageAction": "SUPPRESS"}, nil))
	}
	for i := range 70 {
		create(fmt.Sprintf("user-%02d", i))
	}
	pushed := asked(fake)
	d.to("people")
	d.shows("the users of dev live in AWS: C asks there and shows them")
	d.tell(d.page.board.Read)
	d.until("the files are read", func() bool { return !d.page.board.IsReading() })
	if n := asked(fake) - pushed; n != 0 {
		t.Fatalf("AWS was asked %d times behind one's back", n)
	}
	d.press("C")
	d.shows("the users of dev in AWS, account " + testAccount + ", eu-central-1")
	d.press("/", "so far", "enter")
	d.shows("60 users so far: enter reads the next ones")
	d.press("enter")
	d.shows("nothing matches")
	d.press("esc")

	d.press("/", "user-07", "enter")
	d.shows("user-07")
	d.press("space")
	d.shows("Change users in AWS?", "This is about changing user-07 in AWS, account "+testAccount, "Environment dev is guarded.")
	if n := fake.Count("AdminDisableUser"); n != 0 {
		t.Errorf("%d users were disabled without consent", n)
	}
	d.press("dev", "enter")
	d.shows("disabled user-07")
	if u, err := users.User(t.Context(), "user-07"); err != nil || u.Enabled {
		t.Errorf("the user is %+v, %v", u, err)
	}
	d.press("y")
	d.shows("AWS gives tokens only to users who sign in")
	d.press("d")
	d.shows("Remove user user-07?")
	d.press("user-07", "enter")
	d.shows("This is about removing user-07 in AWS")
	d.press("dev", "enter")
	d.shows("removed user user-07")
	if _, err := users.User(t.Context(), "user-07"); err == nil {
		t.Error("the user is still there")
	}
	// ctrl+r asks again, files do not.
	create("zoe")
	d.press("esc", "ctrl+r")
	d.press("/", "zoe", "enter")
	d.until("the new user is shown", func() bool { return strings.Contains(d.shown(), "  zoe  ") })
}

// behind has AWS shown behind the dialog that a key opens.
func (d *liveWindow) behind(fake *awstest.Server, key, dialog, shown string) {
	d.t.Helper()
	answers := make(chan struct{})
	fake.KillAt(len(fake.Calls())+1, awstest.BeforeHandling, func() { <-answers })
	d.press("C", key)
	d.shows(dialog)
	close(answers)
	d.shows(shown, dialog)
}

func TestAnItemOfTheSandboxIsDeletedThereAlsoIfAWSIsShownMeanwhile(t *testing.T) {
	d, fake, x, _ := pushedShop(t)
	one := attribute.Item{"id": {Kind: attribute.S, Text: "one"}}
	_, err := x.Put(t.Context(), one)
	must(t, err)
	p := openedProject(t, d.page.board.Dir)
	state, err := live.MakeState(p.Root)
	must(t, err)
	// here opens what the sandbox keeps.
	here := func(use func(sandbox.Items)) {
		t.Helper()
		held, err := sandbox.OpenTables(t.Context(), state, "")
		must(t, err)
		must(t, held.Make(t.Context(), []sandbox.Table{x.Table}))
		use(sandbox.Items{Tables: held, Table: x.Table})
		must(t, held.Close())
	}
	here(func(x sandbox.Items) {
		_, err := x.Put(t.Context(), one)
		must(t, err)
	})

	d.to("tables")
	d.press("enter")
	d.shows(`{"id":"one"}`)
	d.press("down")
	d.behind(fake, "d", "Delete the item of items", "1 table in AWS")
	d.press("d")
	d.shows("1 item of items is deleted")
	if n, err := x.Count(t.Context()); n != 1 || err != nil || fake.Count("DeleteItem") != 0 {
		t.Errorf("AWS has %d items, %v, after %d deletions", n, err, fake.Count("DeleteItem"))
	}
	here(func(x sandbox.Items) {
		if n, err := x.Count(t.Context()); n != 0 || err != nil {
			t.Errorf("the sandbox has %d items, %v", n, err)
		}
	})
}

func TestAUserOfTheSandboxIsRemovedThereAlsoIfAWSIsShownMeanwhile(t *testing.T) {
	d, fake, _, users := pushedShop(t)
	must(t, sandbox.Ask(t.Context(), users, "AdminCreateUser", map[string]any{"Username": "emma", "MessageAction": "SUPPRESS"}, nil))
	dir := d.page.board.Dir
	deploytest.Serve(t, dir)
	requesttest.AddUser(t, dir, "emma")
	d.until("the sandbox is seen", func() bool { return d.page.board.Sandbox.Runs() })
	d.to("people")
	d.shows("  emma  ")
	d.press("/", "emma", "enter")
	d.behind(fake, "d", "Remove user emma?", "the users of dev in AWS")
	d.press("emma", "enter")
	d.shows("removed user emma")
	if _, err := users.User(t.Context(), "emma"); err != nil || fake.Count("AdminDeleteUser") != 0 {
		t.Errorf("the user in AWS: %v, after %d removals", err, fake.Count("AdminDeleteUser"))
	}
	held := requesttest.OpenUsers(t, dir)
	if _, err := held.User(t.Context(), "emma"); err == nil {
		t.Error("the user of the sandbox is still there")
	}
	must(t, held.Close())
}

func TestBothTabsShowWhatIsInAWSAgainAfterARefreshAndAfterAPush(t *testing.T) {
	d, fake, x, users := pushedShop(t)
	d.to("tables")
	d.press("C")
	d.shows("1 table in AWS")
	d.press("enter")
	d.to("people")
	d.press("C")
	d.shows("1 group in AWS")
	change := func(name string) {
		_, err := x.Put(t.Context(), attribute.Item{"id": {Kind: attribute.S, Text: name}})
		must(t, err)
		must(t, sandbox.Ask(t.Context(), users, "AdminCreateUser", map[string]any{"Username": name, "MessageAction": "SUPPRESS"}, nil))
	}
	changed := func(name string) {
		t.Helper()
		d.to("people")
		d.shows("  " + name + "  ")
		d.to("tables")
		d.shows(`{"id":"` + name + `"}`)
	}
	change("zoe")
	d.press("ctrl+r")
	changed("zoe")
	change("zac")
	d.tell(func() tea.Cmd {
		d.page.board.ForgetLook("dev")
		return d.page.board.Read()
	})
	changed("zac")

	// What could not be asked is not asked again behind one's back, and stays in view.
	d.tell(func() tea.Cmd {
		d.page.board.ForgetLook("dev")
		return nil
	})
	fake.Fail("GetCallerIdentity", "AccessDenied", "no", 1)
	d.tell(d.page.board.Read)
	d.shows("error: asking AWS about dev")
	calls := len(fake.Calls())
	d.tell(d.page.board.Read)
	d.until("the files are read", func() bool { return !d.page.board.IsReading() })
	d.shows(`{"id":"zac"}`)
	if n := len(fake.Calls()); n != calls {
		t.Errorf("AWS was asked %d times", n-calls)
	}

	// An environment that leaves AWS has what is on this machine.
	deploytest.Change(t, d.page.board.Dir, func(b *model.Backend) error {
		dev := *b.Environment("dev")
		dev.Provider = model.Local
		return edit.UpdateEnvironment(b, &dev)
	})
	d.tell(d.page.board.Read)
	d.until("the sandbox is shown", func() bool { return !strings.Contains(d.shown(), "in AWS") && strings.Contains(d.shown(), "1 table") })
}

func TestADashboardThatOnlyReadsShowsWhatAWSHasOnlyIfItIsLive(t *testing.T) {
	d, fake, x, _ := pushedShop(t)
	_, err := x.Put(t.Context(), attribute.Item{"id": {Kind: attribute.S, Text: "only"}})
	must(t, err)
	reads := openLive(t, d.page.board.Dir, false)
	reads.to("tables")
	calls := len(fake.Calls())
	reads.press("C")
	reads.shows("AWS is not asked: run gatewright dashboard --live")
	if n := len(fake.Calls()); n != calls {
		t.Errorf("AWS was asked %d times", n-calls)
	}
	live := openLive(t, d.page.board.Dir, false)
	live.page.AskCloud()
	live.to("tables")
	live.press("C")
	live.shows("1 table in AWS")
	live.press("enter")
	live.shows(`{"id":"only"}`)
	live.press("down", "d")
	live.shows("not available: this dashboard is read-only")
}
