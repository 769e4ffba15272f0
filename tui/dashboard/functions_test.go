package dashboard

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/logs"
	"gatewright/tui/layout"
)

// workshop is a project of the function f, which serves everything, mail, which
// serves nothing, and crud, which has much to tell.
func workshop(t *testing.T) string {
	t.Helper()
	dir := paths(t, 3)
	changedBackend(t, dir, func(b *model.Backend) error {
		return errors.Join(
			b.AddTable(&model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}),
			b.AddFunction(&model.Function{Name: "mail", Runtime: model.Python, Template: model.Plain, Handler: "index.handler"}),
			b.AddFunction(&model.Function{
				Name: "crud", FunctionName: "shop-crud", Runtime: model.NodeJS, Template: model.CRUD, Handler: "index.handler", Table: "items", Schedule: "rate(5 minutes)", Timeout: 60,
				Environment: []model.Variable{{Name: "MODE", Value: "a value nobody asked for"}}, Access: []model.ResourceAccess{{Resource: "function/mail", Actions: model.ActionSet(model.Read)}},
			}),
		)
	})
	return dir
}

func functionNamed(t *testing.T, s *snapshot, name string) functionRow {
	t.Helper()
	for _, r := range s.functions.rows {
		if r.key == name {
			return r
		}
	}
	t.Fatalf("there is no function %s", name)
	return functionRow{}
}

func TestAFunctionIsToldOfInFull(t *testing.T) {
	s, _, err := read(workshop(t), "")
	must(t, err)
	text := ""
	for _, fact := range functionNamed(t, s, "crud").facts {
		text += fact.text + "\n"
	}
	want := strings.Join([]string{
		"runs on: nodejs, handler index.handler, 60 seconds, 128 megabytes, deployed as shop-crud",
		"made from: CRUD function for DynamoDB-style key-value table",
		"table: items", "schedule: rate(5 minutes)", "may use function mail: read", "variables: MODE", "folder: backend/function/crud", "",
	}, "\n")
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	if got := functionNamed(t, s, "f"); got.serves != "3 paths" || len(got.paths) != 3 {
		t.Errorf("f serves %s: %v", got.serves, got.paths)
	}
	if got := functionNamed(t, s, "mail"); got.serves != "no path" {
		t.Errorf("mail serves %s", got.serves)
	}
}

func TestAFunctionIsMarkedByWhatAPushDoes(t *testing.T) {
	dir := workshop(t)
	deployed(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, "backend", "function", "f", "src", "index.js"), []byte("// other\n"), 0o644))
	changedBackend(t, dir, func(b *model.Backend) error {
		return errors.Join(
			b.Remove(model.Ref{Kind: model.KindFunction, Name: "crud"}, true),
			b.AddFunction(&model.Function{Name: "late", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}),
		)
	})
	s, _, err := read(dir, "")
	must(t, err)
	got := make(map[string]mark)
	for _, r := range s.functions.rows {
		got[r.key] = r.mark
	}
	if diff := cmp.Diff(map[string]mark{"f": changed, "crud": gone, "late": added, "mail": same}, got); diff != "" {
		t.Error(diff)
	}
	if reasons := functionNamed(t, s, "f").reasons; !strings.Contains(strings.Join(reasons, "\n"), "src/index.js changed") {
		t.Errorf("f changes since %q", reasons)
	}
}

func TestFunctionsStandInTheOrderThatIsChosen(t *testing.T) {
	s, _, err := read(workshop(t), "")
	must(t, err)
	tab := &functionsTab{page: opened(t, workshop(t), 80, 24)}
	tab.take(s)
	names := func() (all []string) {
		for _, r := range tab.rows {
			all = append(all, r.key)
		}
		return all
	}
	for n, want := range [][]string{{"crud", "f", "mail"}, {"crud", "f", "mail"}, {"f", "crud", "mail"}} {
		tab.sortBy(n)
		if diff := cmp.Diff(want, names()); diff != "" {
			t.Errorf("by %s: %s", tab.sortings()[n], diff)
		}
		for i, e := range tab.entries() {
			if e.id != tab.rows[i].key {
				t.Errorf("row %d is %s in the list and %s in the tab", i, e.id, tab.rows[i].key)
			}
		}
	}
	if s.functions.rows[0].key != "crud" {
		t.Error("ordering the tab changed the snapshot")
	}
}

func TestTheLastCallsAndTheLogOfAFunctionAreShown(t *testing.T) {
	dir := paths(t, 1)
	handler(t, dir, `let n = 0
exports.handler = async () => { console.log("call number " + ++n); if (n == 2) console.error("this one failed"); return { statusCode: 200, body: "{}" } }`)
	endpoint, stop := serving(t, dir)
	for range 3 {
		if status := statusOfCall(t, endpoint+"/area0/thing0/1"); status != http.StatusOK {
			t.Fatalf("the API answers %d", status)
		}
	}
	d := sit(t, dir, false)
	d.to("functions")
	d.shows("last calls", "1 failed", "of the last 3 calls", "1 of 3 calls logged an error")
	d.press("L")
	d.shows("log of f in dev", "call number 3", "following the end")
	statusOfCall(t, endpoint+"/area0/thing0/1")
	d.shows("call number 4")
	stop()
	d.shows("the sandbox has ended")
	d.press("esc", "L")
	d.shows("no sandbox runs: this is what was kept", "call number 4")
	d.press("esc")
	if tab := d.page.tabs[d.page.place("functions")].(*functionsTab); tab.reading != nil {
		t.Error("the log is read on")
	}
}

func TestARemovedFunctionTakesWhatRefersToItAndComesBack(t *testing.T) {
	dir := workshop(t)
	d := sit(t, dir, true)
	d.to("functions")
	for !strings.HasPrefix(d.cursor(), "function f ") {
		d.press("down")
	}
	d.press("x")
	d.shows("Remove function f?", "It is used by path", "goes too, since no path is left in it")
	d.press("enter")
	folder := filepath.Join(dir, "backend", "function", "f")
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("cancelled, it is gone: %v", err)
	}
	d.press("x")
	d.shows("Remove function f?")
	d.press("tab", "enter")
	d.shows("removed function f")
	if _, err := os.Stat(filepath.Join(folder, "function.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its definition is still there: %v", err)
	}
	d.press("u")
	d.shows("taken back: removed function f")
	if _, err := os.Stat(filepath.Join(folder, "function.json")); err != nil {
		t.Errorf("taken back, it is gone: %v", err)
	}
}

func TestARemovalThatChangesAGuardedEnvironmentIsRefused(t *testing.T) {
	dir := workshop(t)
	changedBackend(t, dir, func(b *model.Backend) error {
		return b.AddEnvironment(&model.Environment{Name: "prod", Provider: model.Local, Guarded: true, Variables: []model.FunctionVariables{{Function: "mail", Values: []model.Variable{{Name: "A", Value: "1"}}}}})
	})
	d := sit(t, dir, true)
	d.to("functions")
	for !strings.HasPrefix(d.cursor(), "function mail ") {
		d.press("down")
	}
	d.press("x")
	d.shows("changes environment prod, which is guarded; run: gatewright remove function mail --cascade")
}

func TestARowOfAFunctionFitsEveryWindow(t *testing.T) {
	p := opened(t, workshop(t), 80, 24)
	tab := p.tabs[p.place("functions")].(*functionsTab)
	seen := &observed{running: true, lines: []logs.Line{
		lineOf(0, "f", "a", logs.Error, "no"), lineOf(1, "f", "a", logs.Platform, "REPORT RequestId: a\tDuration: 123456.00 ms"),
	}}
	seen.count()
	for _, o := range []*observed{nil, {}, seen} {
		tab.observe(o)
		for w := 52; w <= 200; w++ {
			for i := range tab.rows {
				if got := layout.Width(tab.row(p.context.Theme, i, false, w)); got > w {
					t.Fatalf("in %d cells row %d takes %d", w, i, got)
				}
			}
			if got := layout.Width(tab.heading(p.context.Theme, w)); got > w {
				t.Fatalf("in %d cells the heading takes %d", w, got)
			}
		}
	}
}
