package wizard_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/widget"
	"gatewright/tui/wizard"
)

var _ = flag.Bool("update", false, "write the goldens")

// screen is a wizard and the folder of its project.
type screen struct {
	*frametest.Terminal
	dir  string
	page *wizard.Page
}

// open starts the wizard for a route in a folder.
func open(t testing.TB, dir string, start route.Wizard, w, h int) *screen {
	t.Helper()
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": filepath.Join(filepath.Dir(dir), "state"), "EDITOR": "true"}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Project.Close() })
	opened, context := &screen{dir: dir}, new(frame.Context)
	opened.Terminal = frametest.Open(t, frame.New(frame.Options{
		Start: start, Context: context, Theme: "none", Env: []string{"TERM=xterm-256color"},
		Make: func(to frame.Route) (frame.Page, error) {
			switch to := to.(type) {
			case route.Wizard:
				opened.page = wizard.New(context, s, to, route.Dashboard{})
				return opened.page, nil
			case route.Dashboard:
				return new(home), nil
			}
			return nil, errors.New("there is no such page")
		},
	}), w, h)
	return opened
}

// home is the page after the wizard.
type home struct{}

func (*home) Init() tea.Cmd              { return nil }
func (*home) Update(tea.Msg) tea.Cmd     { return nil }
func (*home) View() string               { return "this is home" }
func (*home) SetSize(layout.Layout)      {}
func (*home) Bindings() []widget.Binding { return nil }
func (*home) Dirty() bool                { return false }
func (*home) Typing() bool               { return false }

// folder is an empty folder with the same name in every run.
func folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func reload(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestEveryStepMatchesItsGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			dir := folder(t)
			term := open(t, dir, route.Wizard{}, size[0], size[1])
			at := func(name string) { term.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
			at("service")
			term.Keys("enter")
			at("project")
			term.Keys("enter", "eu-west-1", "enter", "shop")
			at("label")
			term.Keys("enter", "items", "enter")
			at("path_refused")
			term.Keys("ctrl+u", "/book/{isbn}", "enter", "down")
			at("source")
			term.Keys("up", "enter", "tab", "tab", "tab", "down", "space")
			at("function")
			term.Keys("tab", "down", "enter")
			at("table")
			term.Keys("enter", "tab", "tab", "tab")
			at("table_new")
			term.Keys("tab", "enter")
			at("advanced")
			term.Keys("pgdown", "tab", "tab", "tab", "tab", "tab", "tab", "enter")
			at("restrict")
			term.Keys("enter", "down", "down", "down", "down", "enter", "tab", "Sellers")
			at("groups")
			term.Keys("enter", "space", "down", "space", "enter")
			at("actions")
			term.Keys("down", "space", "enter", "space", "enter")
			at("another")
			term.Keys("enter")
			at("review")
			term.Keys("e", "who")
			at("go_to_step")
			term.Keys("enter")
			at("who")
			term.Keys("?")
			at("help")
			term.Keys("esc", "ctrl+s", "ctrl+s")
			at("done")
			term.Keys("enter").Shows("this is home")
			term = open(t, dir, route.Wizard{}, size[0], size[1])
			term.Keys("enter", "more", "enter", "/more", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "down", "enter", "enter")
			at("environments")
		})
	}
}

func TestKeysGoToSteps(t *testing.T) {
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("<").Shows("not available: this is the first step")
	term.Keys(">").Shows("step 2 of").Keys("enter", "enter", "shop", "enter", "/a", "enter").Shows("step 5 of", "Which handler function")
	term.Keys("1").Shows("step 1 of").Keys("4").Shows("step 4 of", "> /a")
	// In a text field they are characters.
	term.Keys("u1<>").Shows("> /au1<>").Keys("enter").Shows("! path:", "step 4 of")
	term.Keys("ctrl+z").Shows("> /a ").Keys("enter", "<").Shows("step 4 of")
	term.Keys("enter", "u").Hides("> /a")
	term.Keys("ctrl+y").Shows("step 5 of")
}

func TestTheReviewIsReadFileByFile(t *testing.T) {
	term := open(t, folder(t), route.Wizard{Start: route.FromSample}, 80, 24)
	term.Shows("Review", "table books (new)", "enter write").Keys("n").Shows("files will be written, all or none")
	term.Keys("n", "n", "n").Shows("--- /dev/null", "+++ b/.gitignore").Keys("n").Hides("+++ b/.gitignore")
	term.Keys("N").Shows("+++ b/.gitignore").Keys("g").Shows("What will be created")
	term.Keys("ctrl+p", "save dra").Shows("save draft").Keys("enter").Shows("the draft is saved")
}

func TestBackAndForthLosesNothing(t *testing.T) {
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "enter", "enter", "shop", "enter", "/a", "enter", "enter", "fn", "ctrl+s")
	term.Shows("! actions: no action is chosen").Keys("esc", "esc", "esc", "esc", "esc").Shows("> /a")
	term.Keys("enter", "enter").Shows("> fn").Keys("ctrl+z", "ctrl+z", "ctrl+y", "ctrl+y").Shows("fn")
}

func TestADraftIsSavedAtEveryStepAndContinued(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, route.Wizard{}, 80, 24)
	if term.page.Dirty() {
		t.Error("there is unsaved work before the first answer")
	}
	term.Keys("enter", "enter", "enter", "shop", "enter", "/books", "enter")
	if saved, _ := term.page.SaveDraft()().(frame.DraftSavedMsg); saved.Err != nil || !strings.HasPrefix(saved.Where, filepath.Dir(dir)) {
		t.Errorf("the draft is in %q, %v", saved.Where, saved.Err)
	}
	again := open(t, dir, route.Wizard{Start: route.FromDraft}, 80, 24)
	again.Shows("What may signed-in users do?").Keys("esc", "esc", "esc", "esc", "esc").Shows("> /books")
}

func TestAFailedWriteIsReportedAndKeepsTheAnswers(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, route.Wizard{Start: route.FromSample}, 80, 24)
	term.Shows("Review")
	lock := filepath.Join(dir, ".gatewright")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	term.Keys("enter").Shows("nothing was written", ".gatewright must be a folder")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	term.Keys("enter").Shows("Written", "ctrl+e opens")
	if problems := reload(t, dir).Validate(); len(problems) != 1 || problems[0].Rule != model.RuleOpen {
		t.Errorf("the sample has problems: %v", problems)
	}
	term.Keys("esc").Shows("this is home")
}

func TestAPathIsChanged(t *testing.T) {
	dir := folder(t)
	open(t, dir, route.Wizard{Start: route.FromSample}, 80, 24).Keys("enter")
	api := reload(t, dir).Backend.APIs[0]
	term := open(t, dir, route.Wizard{Task: flow.Task{API: api.Label, Path: api.Paths[0].Name}}, 80, 24)
	term.Shows("change a path", "Which path?").Keys("ctrl+u", "/volumes", "ctrl+s").Shows("Review").Keys("ctrl+s").Shows("Written")
	if reload(t, dir).Backend.API(api.Label).Path("/volumes") == nil {
		t.Error("the path is not changed")
	}
}
