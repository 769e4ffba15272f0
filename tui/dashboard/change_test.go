package dashboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/wizard"
)

// writable is the page of a project with a session, read and with a size.
func writable(t testing.TB, dir string, w, h int) *Page {
	t.Helper()
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": filepath.Join(t.TempDir(), "state"), "EDITOR": "true"}[name]
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	p := New(&frame.Context{Theme: theme.New(theme.Dark)}, dir, s, Route{})
	p.SetSize(layout.For(w, h))
	answered(t, p, p.load())
	return p
}

// follow runs a command and gives the page all that comes of it, except for what
// is the frame's; it returns that.
func follow(t testing.TB, p *Page, cmd tea.Cmd) (frames []tea.Msg) {
	t.Helper()
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			frames = append(frames, follow(t, p, c)...)
		}
	case wasRead, writing, proposal, toBegin, toEdit, worked, wizard.Written, apiDifference:
		frames = append(frames, follow(t, p, p.Update(msg))...)
	case nil:
	default:
		frames = append(frames, msg)
	}
	return frames
}

// apiFile is the file of the API of paths.
func apiFile(dir string) string {
	return filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json")
}

func get(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return string(data)
}

// yes answers the dialog that asks about a change.
func yes(t testing.TB, p *Page) []tea.Msg {
	t.Helper()
	return follow(t, p, p.Update(dialog.Result{ID: proposalDialog, Action: dialog.Pressed("yes")}))
}

func TestARemovalIsAskedAboutWrittenAndTakenBack(t *testing.T) {
	dir := paths(t, 2)
	was := get(t, apiFile(dir))
	p := writable(t, dir, 80, 24)
	follow(t, p, press(p, "down", "x"))
	if p.proposed == nil || len(p.proposed.plan.Changes) == 0 {
		t.Fatal("nothing is asked")
	}
	if get(t, apiFile(dir)) != was {
		t.Fatal("it is written before the yes")
	}
	yes(t, p)
	if text := shown(p); strings.Contains(text, "/area0/thing0") || !strings.Contains(text, "/area1/thing1") {
		t.Errorf("after the yes the page shows\n%s", text)
	}
	follow(t, p, press(p, "u"))
	if got := get(t, apiFile(dir)); got != was {
		t.Errorf("taken back the file is\n%s\nand was\n%s", got, was)
	}
	if text := shown(p); !strings.Contains(text, "/area0/thing0") {
		t.Errorf("taken back the page shows\n%s", text)
	}
	if why := p.undoing().Disabled; why != "nothing was changed here yet" {
		t.Errorf("there is still something to take back: %q", why)
	}
}

func TestCancelWritesNothing(t *testing.T) {
	dir := paths(t, 2)
	was := get(t, apiFile(dir))
	p := writable(t, dir, 80, 24)
	follow(t, p, press(p, "down", "x"))
	follow(t, p, p.Update(dialog.Result{ID: proposalDialog, Action: dialog.Pressed("cancel")}))
	yes(t, p)
	if get(t, apiFile(dir)) != was || len(p.written) > 0 {
		t.Error("something was written")
	}
}

func TestTheOnlyPathTakesItsAPIWithItAndSaysSo(t *testing.T) {
	dir := paths(t, 1)
	p := writable(t, dir, 80, 24)
	follow(t, p, press(p, "down", "x"))
	want := `It is the only path of its API, so the API goes too. The function f stays, and serves no path then.`
	if p.proposed == nil || p.proposed.warning != want {
		t.Fatalf("what is asked is %+v", p.proposed)
	}
	yes(t, p)
	if text := shown(p); !strings.Contains(text, "no API yet: n designs one") {
		t.Errorf("the page shows\n%s", text)
	}
}

func TestAChangeByAnotherBetweenQuestionAndYesIsNotWrittenOver(t *testing.T) {
	dir := paths(t, 2)
	p := writable(t, dir, 80, 24)
	follow(t, p, press(p, "down", "x"))
	theirs := get(t, apiFile(dir)) + "\n"
	must(t, os.WriteFile(apiFile(dir), []byte(theirs), 0o644))
	said := yes(t, p)
	if get(t, apiFile(dir)) != theirs || len(p.written) > 0 {
		t.Error("the change of another is written over")
	}
	if len(said) == 0 {
		t.Error("nothing is said")
	}
}

func TestUndoIsRefusedWhereAFileHasChangedSince(t *testing.T) {
	dir := paths(t, 2)
	p := writable(t, dir, 80, 24)
	follow(t, p, p.change("added /more", func(b *model.Backend) error { return b.AddPath("shop", path("/more", "f")) }))
	theirs := get(t, apiFile(dir)) + "\n"
	if !strings.Contains(theirs, "/more") {
		t.Fatalf("the file is\n%s", theirs)
	}
	must(t, os.WriteFile(apiFile(dir), []byte(theirs), 0o644))
	follow(t, p, press(p, "u"))
	if get(t, apiFile(dir)) != theirs {
		t.Error("the change of another is written over")
	}
}

func TestOneChangeIsWrittenAtATime(t *testing.T) {
	dir := paths(t, 1)
	p := writable(t, dir, 80, 24)
	for _, name := range []string{"/a", "/b"} {
		follow(t, p, p.change("added "+name, func(b *model.Backend) error { return b.AddPath("shop", path(name, "f")) }))
	}
	first := press(p, "u")
	if text := shown(p); !strings.Contains(text, "writing ...") {
		t.Errorf("the page shows\n%s", text)
	}
	follow(t, p, press(p, "u"))
	follow(t, p, first)
	if got := get(t, apiFile(dir)); !strings.Contains(got, `"/a"`) || strings.Contains(got, `"/b"`) || len(p.written) != 1 {
		t.Errorf("pressed twice at once, %d changes can be taken back, and the file is\n%s", len(p.written), got)
	}
	if text := shown(p); strings.Contains(text, "writing ...") {
		t.Errorf("after it the page shows\n%s", text)
	}
}

func TestAnEditThatIsRefusedWritesNothing(t *testing.T) {
	dir := paths(t, 1)
	p := writable(t, dir, 80, 24)
	was := get(t, apiFile(dir))
	follow(t, p, p.change("added", func(b *model.Backend) error { return b.AddPath("shop", path("/area0/thing0/{id}", "f")) }))
	if get(t, apiFile(dir)) != was || len(p.written) > 0 {
		t.Error("something was written")
	}
}

func TestADashboardThatOnlyReadsWritesNothingWhateverIsCalled(t *testing.T) {
	dir := paths(t, 1)
	was := get(t, apiFile(dir))
	p := opened(t, dir, 80, 24)
	for _, cmd := range []tea.Cmd{
		p.change("x", func(b *model.Backend) error { return b.AddPath("shop", path("/more", "f")) }),
		p.propose("x", "x", "x", nil), p.toWizard(wizard.Route{}), p.editFile("backend/project.json"),
		p.editFunction(&model.Function{Name: "f"}),
	} {
		follow(t, p, cmd)
	}
	if get(t, apiFile(dir)) != was {
		t.Error("something was written")
	}
	for _, b := range p.Keys() {
		for _, key := range []string{"a", "E", "x", "F", "n", "w", "u"} {
			if b.Has(key) && b.Disabled != OnlyReads {
				t.Errorf("%s is disabled by %q", key, b.Disabled)
			}
		}
	}
}

func TestWhatTakesLongIsShownAndStoppedByEsc(t *testing.T) {
	dir := paths(t, 1)
	p := writable(t, dir, 80, 24)
	cmd := p.work("pushing dev", func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	})
	batch := cmd().(tea.BatchMsg)
	if text := shown(p); !strings.Contains(text, "pushing dev ... 0 s, esc stops it") {
		t.Errorf("the page shows\n%s", text)
	}
	p.Update(ticked{p.working, 3e9})
	if text := shown(p); !strings.Contains(text, "pushing dev ... 3 s") {
		t.Errorf("the page shows\n%s", text)
	}
	if again := p.work("pushing qa", nil); again == nil || p.working.title != "pushing dev" {
		t.Error("two run at once")
	}
	if got := p.Keys()[0]; !got.Has("esc") || got.Label != "stop" {
		t.Errorf("the first key is %+v", got)
	}
	if asked := follow(t, p, press(p, "q")); len(asked) != 1 || fmt.Sprint(asked[0]) == fmt.Sprint(frame.Quit()()) {
		t.Errorf("q does not ask: %v", asked)
	}
	p.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	msg := batch[0]().(worked)
	if !errors.Is(msg.err, context.Canceled) {
		t.Fatalf("it ended with %v", msg.err)
	}
	follow(t, p, p.Update(msg))
	if text := shown(p); p.working != nil || strings.Contains(text, "pushing") {
		t.Errorf("it still runs:\n%s", text)
	}
}

func TestTheSourceOfAFunctionIsTheFileThatItBeginsIn(t *testing.T) {
	for _, test := range []struct {
		name  string
		f     model.Function
		files []string
		want  string
	}{
		{"an Express app", model.Function{Template: model.Express, Handler: "index.handler"}, []string{"app.js", "index.js", "package.json"}, "app.js"},
		{"the module of the handler", model.Function{Handler: "index.handler"}, []string{"app.js", "index.json", "index.mjs"}, "index.mjs"},
		{"a module in a folder's name", model.Function{Handler: "src/main.run"}, []string{"a.py", "main.py"}, "main.py"},
		{"a Go program", model.Function{Handler: "bootstrap"}, []string{"go.mod", "handler.go", "main.go"}, "main.go"},
		{"the first that there is", model.Function{Handler: "x.y"}, []string{"b.js", "c.js"}, "b.js"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			test.f.Name = "f"
			folder := filepath.Join(root, "backend", "function", "f", "src")
			must(t, os.MkdirAll(folder, 0o755))
			for _, name := range test.files {
				must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
			}
			got, err := sourceOf(root, 0, &test.f)
			if err != nil || got != "backend/function/f/src/"+test.want {
				t.Errorf("it is %q, %v", got, err)
			}
		})
	}
	if _, err := sourceOf(t.TempDir(), 0, &model.Function{Name: "f"}); err == nil || !strings.Contains(err.Error(), "function f has no folder backend/function/f/src") {
		t.Errorf("without sources the error is %v", err)
	}
}
