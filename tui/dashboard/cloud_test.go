package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/layout"
)

// cloudProject is a project with a table whose environment dev is in AWS, and a fake of AWS.
func cloudProject(t *testing.T, account string) (dir string, fake *awstest.Server) {
	t.Helper()
	fake = awstest.New(t, awstest.Options{})
	for _, pair := range fake.Env() {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	t.Setenv("GATEWRIGHT_STATE", filepath.Join(t.TempDir(), "state"))
	dir = paths(t, 1)
	handler(t, dir, `exports.handler = async () => ({ statusCode: 200 })`)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		dev := *b.Environment("dev")
		dev.Provider, dev.Account, dev.Region = model.AWS, account, "eu-central-1"
		return errors.Join(edit.UpdateEnvironment(b, &dev), edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Deletion: model.Delete}))
	})
	return dir, fake
}

const testAccount = "123456789012"

// soon makes the page ask AWS without pauses.
func soon(t *testing.T, p *Page) {
	cache := filepath.Join(t.TempDir(), "cache")
	real := p.board.Cloud
	fast := func(a aws.Provider) aws.Provider {
		a.Pace, a.Cache = stack.Pace{Poll: time.Millisecond}, cache
		return a
	}
	p.board.Cloud.Prepare = func(a aws.Provider, ctx context.Context, of contract.Target, o aws.PushOptions, tell func(contract.Progress)) (*aws.Push, error) {
		return real.Prepare(fast(a), ctx, of, o, tell)
	}
	p.board.Cloud.Attach = func(a aws.Provider, ctx context.Context, of *project.Project, env *model.Environment) (*aws.Watch, error) {
		return real.Attach(fast(a), ctx, of, env)
	}
}

// inCloud opens the dashboard of a project that changes it, in the tab Activity.
func inCloud(t *testing.T, dir string) *liveWindow {
	t.Helper()
	d := openLive(t, dir, true)
	soon(t, d.page)
	d.to("activity")
	return d
}

var (
	anyEnd      = regexp.MustCompile(`[│┃][\d:]+ UTC\)`)
	anyDigit    = regexp.MustCompile(`\d`)
	anyTook     = regexp.MustCompile(` in [\d.]+ m?s[^┃│]*`)
	anyTime     = regexp.MustCompile(`\d\d:\d\d:\d\d`)
	anyDate     = regexp.MustCompile(`20\d\d-\d\d-\d\d( \d[\d:]*)?`)
	pushEntries = regexp.MustCompile(`\d\d:\d\d:\d\d  dev  push`)
	anyJob      = regexp.MustCompile(`(?m)^ . (pushing dev \.\.\.)( \d+ s)?`)
)

// golden compares the window in four sizes, without what each run has anew.
func (d *liveWindow) golden(name string) {
	d.t.Helper()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		d.update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		rows := strings.Split(ansi.Strip(d.model.View().Content), "\n")
		for i, row := range rows {
			rows[i] = strings.TrimRight(row, " ")
		}
		text := anyDate.ReplaceAllStringFunc(strings.Join(rows, "\n"), func(date string) string { return "2026-03-01 12:00:00"[:len(date)] })
		text = anyTime.ReplaceAllString(text, "12:00:00")
		text = anyEnd.ReplaceAllStringFunc(text, func(end string) string { return anyDigit.ReplaceAllString(end, "0") })
		text = anyTook.ReplaceAllStringFunc(text, func(took string) string {
			return layout.Pad(layout.Cut(" in some time", layout.Width(took)), layout.Width(took))
		})
		frametest.Golden(d.t, fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), anyJob.ReplaceAllString(text, " ⠋ $1")+"\n")
	}
	d.update(tea.WindowSizeMsg{Width: 120, Height: 60})
}

func TestAPushToAWSAsksForTheAccountAndThenForAYes(t *testing.T) {
	dir, fake := cloudProject(t, "")
	d := inCloud(t, dir)
	d.shows("(AWS not asked yet)")
	d.press("p")
	d.shows("has no account yet; does it belong to the", "account "+testAccount+", eu-central-1, where you are tester?")
	d.press("enter")
	d.shows("nothing was pushed")
	d.until("the job has ended", func() bool { return d.page.board.Job.Running() == "" })
	if n := len(fake.Stacks()); n != 0 || environmentIn(t, dir, "dev").Account != "" {
		t.Fatalf("after a no there are %d stacks", n)
	}
	d.press("p")
	d.shows("has no account yet")
	d.press("tab", "enter")
	d.shows("Push environment dev", "account "+testAccount+", eu-central-1", "▲ everybody may now", "resources to create, 0 to change")
	d.press("enter")
	d.until("the first push is given up", func() bool { return d.page.board.Job.Running() == "" })
	if !gone(fake) || environmentIn(t, dir, "dev").Account != "" {
		t.Fatalf("a push that was not agreed to leaves %+v", fake.Stacks())
	}
	d.press("p")
	d.shows("has no account yet")
	d.press("tab", "enter")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.shows("pushed dev as the stack", "no change since the last push (AWS as of ", "account "+testAccount+", eu-central-1")
	if environmentIn(t, dir, "dev").Account != testAccount {
		t.Error("the account is not written down")
	}
	record, err := project.ReadRecord(dir, "dev")
	must(t, err)
	if record.Account != testAccount || len(record.APIs) != 1 {
		t.Errorf("the record is %+v", record)
	}
	d.press("p")
	d.shows("nothing to push: environment dev is up to date in AWS")
}

// gone reports whether all stacks are removed, or being removed.
func gone(fake *awstest.Server) bool {
	return !slices.ContainsFunc(fake.Stacks(), func(s awstest.Stack) bool { return !strings.HasPrefix(s.Status, "DELETE_") })
}

// pushedOnce pushes the environment dev.
func pushedOnce(d *liveWindow) {
	d.t.Helper()
	d.press("p")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.shows("pushed dev as the stack")
	d.until("the push is read", func() bool {
		return d.page.board.Job.Running() == "" && !d.page.board.IsReading() && d.page.board.Snap.Env.Record != nil
	})
}

// otherTable replaces the key of the table, which AWS does by a new table.
func otherTable(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, "backend", "table", "items", "table.json")
	put(t, file, strings.Replace(get(t, file), `"id"`, `"code"`, 1))
}

func TestAPushThatLosesDataNeedsTheNamesOfWhatIsLost(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	otherTable(t, dir)
	put(t, apiFile(dir), strings.ReplaceAll(get(t, apiFile(dir)), "/area0", "/other0"))
	d.shows("table items changed outside")
	d.press("ctrl+r")
	d.shows("this is what AWS has of dev now")
	d.until("the change is read", func() bool {
		return d.page.board.Job.Running() == "" && d.page.board.Snap.Status.Count(diff.ToUpdate) == 2 && !d.page.board.IsReading()
	})
	d.press("p")
	d.shows("LOSS: the table items is replaced by a new one", "Type items to give up its data")
	d.until("all that was told is shown", func() bool { return len(pushEntries.FindAllString(d.shown(), -1)) == 10 })
	shown := d.shown()
	if wider, loss, rest := strings.Index(shown, "▲ everybody"), strings.Index(shown, "LOSS"), strings.Index(shown, "~ update"); wider < 0 || wider > loss || loss > rest {
		t.Errorf("what is opened stands at %d, the loss at %d, the changes at %d", wider, loss, rest)
	}
	d.golden("cloud_push")
	d.press("other", "enter")
	d.shows("the name is not the same")
	name := fake.Stacks()[0].Name
	if n := fake.Executed(name); n != 1 {
		t.Fatalf("%d updates", n)
	}
	d.press("esc")
	d.until("the push is given up", func() bool { return d.page.board.Job.Running() == "" })
	if sets := fake.ChangeSets(name); len(sets) != 0 {
		t.Errorf("it leaves %q", sets)
	}
	d.press("p")
	d.shows("Type items to give up its data")
	d.press("items", "enter")
	d.until("the push has ended", func() bool { return fake.Executed(name) > 1 && d.page.board.Job.Running() == "" })
}

func TestAGuardedPushThatLosesDataNeedsBothNames(t *testing.T) {
	dir, _ := cloudProject(t, testAccount)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		e := *b.Environment("dev")
		e.Guarded = true
		return edit.UpdateEnvironment(b, &e)
	})
	d := inCloud(t, dir)
	d.press("p")
	d.shows("Type dev to push")
	d.press("dev", "enter")
	d.shows("pushed dev as the stack")
	otherTable(t, dir)
	d.press("p")
	d.shows("Type items to give up its data (1 of 2)")
	d.press("items", "enter")
	d.shows("Type dev to push (2 of 2)")
	d.press("items", "enter")
	d.shows("the name is not the same")
}

func TestARunningPushShowsWhatFailedFirstAndCanBeLeftAlone(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	put(t, filepath.Join(dir, "backend", "function", "f", "src", "index.js"), "exports.handler = async () => ({ statusCode: 201 })\n")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddTable(b, &model.Table{Name: "more", PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
	})
	fake.FailResource("AWS::Lambda::Function", "The role cannot be assumed by Lambda")
	// The following stands still at the first failure.
	real := d.page.board.Cloud.Apply
	d.page.board.Cloud.Apply = func(push *aws.Push, ctx context.Context, tell func(contract.Progress), made func(contract.Event)) (project.Record, error) {
		return real(push, ctx, func(p contract.Progress) {
			tell(p)
			if p.Resource != nil && p.Resource.Failed {
				<-ctx.Done()
			}
		}, made)
	}
	d.press("ctrl+r")
	d.shows("this is what AWS has of dev now")
	d.until("the change is read", func() bool {
		return d.page.board.Job.Running() == "" && d.page.board.Snap.Status.Count(diff.ToCreate) == 1 && !d.page.board.IsReading()
	})
	d.press("p")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.shows("✗ function f", "failed: The role cannot be assumed by Lambda", "push of dev: 1 failed", "esc leaves it running")
	d.until("all that was told is shown", func() bool { return strings.Count(d.shown(), "asking CloudFormation what would change") == 2 })
	d.golden("cloud_running")
	d.press("q")
	d.shows("Quit now?", "continues in AWS without this program")
	d.press("enter", "esc")
	d.shows("no longer followed: the push continues in AWS", "push of dev continues in AWS; it was at")
	d.press("ctrl+p", "follow the push")
	d.shows("follow the push")
	d.press("enter")
	d.shows("push of dev failed", "The role cannot be assumed by Lambda")
	if _, err := project.ReadRecord(dir, "dev"); err != nil {
		t.Errorf("the record of the first push: %v", err)
	}
}

func TestAPushThatIsCancelledGoesBack(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	name := fake.Stacks()[0].Name
	put(t, filepath.Join(dir, "backend", "function", "f", "src", "index.js"), "exports.handler = async () => ({ statusCode: 202 })\n")
	fake.Speed(0)
	d.press("p")
	d.shows("Push environment dev")
	d.press("tab", "enter")
	d.until("the update has begun", func() bool { return fake.Executed(name) > 1 })
	d.press("ctrl+p", "cancel the push")
	d.shows("cancel the push")
	d.press("enter")
	d.shows("Cancel the push of dev?")
	d.press("tab", "enter")
	d.shows("the push of dev is cancelled and is being undone")
	fake.Speed(9)
	d.shows("push of dev failed")
}

func TestAPageThatIsClosedLeavesNothingPrepared(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	d.press("p")
	d.shows("Push environment dev")
	if n := len(fake.Stacks()); n != 1 {
		t.Fatalf("a prepared first push has %d stacks", n)
	}
	d.page.Close()
	if !gone(fake) {
		t.Errorf("it leaves %+v", fake.Stacks())
	}
}

func TestTheCodeOfADeviceIsAskedForByADialog(t *testing.T) {
	dir, _ := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	d.page.board.Cloud.Prepare = func(a aws.Provider, ctx context.Context, _ contract.Target, _ aws.PushOptions, _ func(contract.Progress)) (*aws.Push, error) {
		code, err := a.MFA(ctx, "arn:aws:iam::123456789012:mfa/ann")
		if err == nil {
			err = fmt.Errorf("the code was %s", code)
		}
		return nil, err
	}
	d.press("p")
	d.shows("The code of your MFA device", "mfa/ann")
	d.press("12", "enter")
	d.shows("a code has 6 digits")
	d.press("3456", "enter")
	d.shows("the code was 123456")
	d.press("p")
	d.shows("The code of your MFA device")
	d.press("esc")
	d.shows("nothing was pushed")
}

func TestEnvironmentsInAWSAreShownAsOfTheLastLook(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	d := inCloud(t, dir)
	pushedOnce(d)
	d.to("environments")
	d.shows("AWS as of", "stack", "endpoint shop", "https://")
	name := fake.Stacks()[0].Name
	fake.Busy(name, "ann", time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	fake.Speed(0)
	d.shows("AWS as of")
	d.press("ctrl+r")
	d.shows("is being pushed since", "gatewright push --watch --env dev")
	d.press("down", "down", "up")
	d.golden("cloud_environments")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	d.press("ctrl+r")
	d.shows("asking AWS about dev: ", "there are no AWS credentials")
	d.to("apis")
	d.shows("/area0/thing0/{id}")
}

// filesOf are all files below a folder with their texts.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			fmt.Fprintf(&all, "%s\x00%s\x00", name, get(t, name))
		}
		return err
	}))
	return all.String()
}

func TestADashboardThatOnlyReadsAsksAWSOnlyIfItIsLive(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	pushedOnce(inCloud(t, dir))
	name := fake.Stacks()[0].Name
	must(t, os.RemoveAll(filepath.Join(dir, ".gatewright", "deployed")))
	before, calls := filesOf(t, dir), len(fake.Calls())

	d := openLive(t, dir, false)
	d.to("activity")
	d.shows("nothing was pushed yet (AWS not asked yet)")
	d.press("ctrl+r")
	d.shows(board.AsksNothing)
	if n := len(fake.Calls()); n != calls {
		t.Errorf("AWS was asked %d times", n-calls)
	}

	fake.Busy(name, "ann", time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	fake.Speed(0)
	live := openLive(t, dir, false)
	live.page.AskCloud()
	live.tell(live.page.board.Read)
	live.to("activity")
	live.shows("no change since the last push (AWS as of ", "is being pushed since", "dev  is being pushed")
	live.press("p")
	live.shows("not available: this dashboard is read-only")
	asked := fake.Count("GetCallerIdentity")
	live.press("ctrl+r")
	live.until("AWS is asked again", func() bool { return fake.Count("GetCallerIdentity") > asked && live.page.board.Job.Running() == "" })
	if filesOf(t, dir) != before {
		t.Error("files were written")
	}
}
