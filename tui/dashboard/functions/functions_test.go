package functions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/secretfile"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// workshop is a project with the functions f, which serves all paths, mail, which serves
// none, and crud, which has many settings.
func workshop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	b := boardtest.Library(t, "Admins", "Editors")
	must(t, errors.Join(
		edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}),
		edit.AddFunction(b, &model.Function{Name: "mail", Runtime: model.Python, Template: model.Plain, Handler: "index.handler"}),
		edit.AddFunction(b, &model.Function{
			Name: "crud", FunctionName: "shop-crud", Runtime: model.NodeJS, Template: model.CRUD, Handler: "index.handler", Table: "items", Schedule: "rate(5 minutes)", Timeout: 60,
			Environment: []model.Variable{{Name: "MODE", Value: "a value nobody asked for"}}, Access: []model.ResourceAccess{{Resource: "function/mail", Actions: access.ActionSet(access.Read)}},
		}),
	))
	deploytest.Write(t, dir, b)
	return dir
}

// shows is the tab of a project, as it is read for dev.
func shows(t *testing.T, dir string) *Tab {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	tab := New(board.New(dir, nil, ""))
	s := boardtest.Snapshot(p.Backend, "dev")
	s.Root, s.Layout = dir, project.Native
	s.Status.Status, err = status.Of(p, "dev")
	must(t, errors.Join(err, p.Close()))
	tab.board.Snap = s
	tab.Read(&board.Reading{Snapshot: s})()
	return tab
}

// drawn are the lines of the table.
func (t *Tab) drawn(w int) []string {
	lines := t.List.Draw(theme.New(theme.None), w, 20, true)
	for i, line := range lines {
		lines[i] = ansi.Strip(line)
	}
	return lines
}

func (t *Tab) named(name string) *row {
	for _, r := range t.List.Rows() {
		if r.key == name {
			return r
		}
	}
	return new(row)
}

func TestTheDetailsOfAFunctionAreComplete(t *testing.T) {
	t.Parallel()
	tab := shows(t, workshop(t))
	want := []string{
		"runs on: nodejs, handler index.handler, 60 seconds, 128 megabytes, deployed as shop-crud",
		"made from: CRUD function for DynamoDB-style key-value table",
		"table: items", "schedule: rate(5 minutes)", "may use function mail: read", "variables: MODE", "folder: backend/function/crud",
	}
	if diff := cmp.Diff(want, prose.Texts(tab.named("crud").facts)); diff != "" {
		t.Error(diff)
	}
	if got := tab.named("f"); got.serves != "3 paths" || len(got.paths) != 3 {
		t.Errorf("f serves %s: %v", got.serves, got.paths)
	}
	if got := tab.named("mail"); got.serves != "no path" {
		t.Errorf("mail serves %s", got.serves)
	}
}

func TestAFunctionIsMarkedByWhatAPushDoes(t *testing.T) {
	t.Parallel()
	dir := workshop(t)
	p, err := project.Open(dir)
	must(t, err)
	must(t, errors.Join(p.Deploy(project.Record{Environment: "dev", Stack: "s", Provider: model.Local, Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}), p.Close()))
	must(t, os.WriteFile(filepath.Join(dir, "backend", "function", "f", "src", "index.js"), []byte("// other\n"), 0o644))
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return errors.Join(
			edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "crud"}, true),
			edit.AddFunction(b, &model.Function{Name: "late", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}),
		)
	})
	tab := shows(t, dir)
	got := make(map[string]board.Mark)
	for _, r := range tab.List.Rows() {
		got[r.key] = r.mark
	}
	if diff := cmp.Diff(map[string]board.Mark{"f": board.Changed, "crud": board.Gone, "late": board.Added, "mail": board.Same}, got); diff != "" {
		t.Error(diff)
	}
	if reasons := tab.named("f").reasons; !strings.Contains(strings.Join(reasons, "\n"), "src/index.js changed") {
		t.Errorf("f changes since %q", reasons)
	}
}

func TestFunctionsAreSortedByTheChosenOrder(t *testing.T) {
	t.Parallel()
	tab := shows(t, workshop(t))
	names := func() (all []string) {
		for _, line := range tab.drawn(80)[1:] {
			all = append(all, strings.Fields(strings.TrimPrefix(line, "▌"))[0])
		}
		return all
	}
	for _, want := range [][]string{{"crud", "f", "mail"}, {"crud", "f", "mail"}, {"f", "crud", "mail"}} {
		if diff := cmp.Diff(want, names()); diff != "" {
			t.Errorf("by %s: %s", tab.List.Sorted(), diff)
		}
		tab.orderNext()
	}
}

// orderNext chooses the next order.
func (t *Tab) orderNext() { keys.Order.Do(t.List.Bindings()) }

func TestARowOfAFunctionFitsEveryWindow(t *testing.T) {
	t.Parallel()
	tab := shows(t, workshop(t))
	drawn := func(w int) string { return strings.Join(tab.drawn(w), "\n") }
	seen := counted(12345, 678, 123456*time.Millisecond)
	for _, o := range []*board.Observed{nil, {}, seen} {
		if o != nil {
			tab.board.Sandbox = o
			tab.Observe(o)()
		}
		for w := 54; w <= 200; w++ {
			for _, line := range tab.drawn(w) {
				if got := layout.Width(line); got > w {
					t.Fatalf("in %d cells a row takes %d: %s", w, got, line)
				}
			}
			if got, want := strings.Contains(drawn(w), "failed"), o == seen; got != want {
				t.Fatalf("in %d cells failures are shown: %v, want %v, in\n%s", w, got, want, drawn(w))
			}
		}
	}
	if text := drawn(120); !strings.Contains(text, "template") || !strings.Contains(text, "12345     678  2 min 3 s") {
		t.Errorf("the rows are\n%s", text)
	}
}

func TestASecretIsNamedWithWhetherItHasAValue(t *testing.T) {
	t.Parallel()
	dir := workshop(t)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		f := *b.Function("f")
		f.Secrets = []string{"KEY", "TOKEN"}
		return edit.UpdateFunction(b, &f)
	})
	file := filepath.Join(dir, filepath.FromSlash(secretfile.Name("dev")))
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, []byte(`{"KEY": "the value itself"}`), 0o600))
	text := strings.Join(prose.Texts(shows(t, dir).named("f").facts), "\n")
	if !strings.Contains(text, "secrets: KEY (has a value here), TOKEN (no value here)") || strings.Contains(text, "the value itself") {
		t.Errorf("the function has\n%s", text)
	}
}

func TestALogIsReadUntilItsDialogIsClosed(t *testing.T) {
	t.Parallel()
	tab := shows(t, workshop(t))
	if tab.readLog(tab.named("f")) == nil {
		t.Fatal("no log is read")
	}
	if tab.readLog(tab.named("f")) != nil {
		t.Error("pressed twice, it is read twice")
	}
	tab.reading = false
	if tab.readLog(tab.named("f")) == nil {
		t.Error("after it was closed, it is not read again")
	}
}
