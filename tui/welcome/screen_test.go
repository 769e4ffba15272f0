package welcome_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/course"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/welcome"
)

func TestMain(m *testing.M) { frametest.Main(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folder is an empty folder with the same name in every run.
func folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bookshop")
	must(t, os.Mkdir(dir, 0o755))
	return dir
}

func in(t testing.TB, dir string) *session.Session {
	t.Helper()
	s, err := session.Open(dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return filepath.Join(filepath.Dir(dir), "state")
		}
		return ""
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	return s
}

// shop is a project with the API of the sample.
func shop(t testing.TB) string {
	t.Helper()
	dir := folder(t)
	s := in(t, dir)
	wizard := flow.New(s.Project.Backend, flow.Task{}, s.NewName())
	wizard.Restore(flow.Sample())
	_, plan, err := session.Plan(s.Project, wizard)
	must(t, err)
	must(t, plan.Commit())
	return dir
}

// open starts the welcome page in a folder.
func open(t testing.TB, dir string, w, h int) *frametest.Terminal {
	t.Helper()
	s, context := in(t, dir), new(frame.Context)
	return frametest.Open(t, frame.New(frame.Options{
		Start: route.Welcome{}, Context: context, Theme: "none", Env: []string{"TERM=xterm-256color"},
		Make: func(to frame.Route) (frame.Page, error) {
			if (to == route.Welcome{}) {
				return welcome.New(context, s), nil
			}
			return elsewhere{to}, nil
		},
	}), w, h)
}

// elsewhere is a page of another package.
type elsewhere struct{ route frame.Route }

func (elsewhere) Init() tea.Cmd            { return nil }
func (elsewhere) Update(tea.Msg) tea.Cmd   { return nil }
func (e elsewhere) View() string           { return fmt.Sprintf("this is %+v", e.route) }
func (elsewhere) SetSize(layout.Layout)    {}
func (elsewhere) Bindings() []keys.Binding { return nil }
func (elsewhere) Dirty() bool              { return false }
func (elsewhere) Typing() bool             { return false }

func TestTheWelcomePageMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
		open(t, folder(t), size[0], size[1]).Golden(fmt.Sprintf("empty_%dx%d", size[0], size[1]))
		open(t, shop(t), size[0], size[1]).Keys("G").Golden(fmt.Sprintf("shop_%dx%d", size[0], size[1]))
	}
}

func TestEveryRowOpensAPage(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), 80, 24)
	term.Keys("enter").Shows("this is {Task:{API: Path:} Start:0}").Keys("esc")
	term.Keys("down", "enter").Shows("this is {Task:{API: Path:} Start:2}").Keys("esc")
	term.Keys("d").Shows("not available: put the cursor on an API or a path")

	term = open(t, shop(t), 80, 24)
	term.Shows("▌ Design another API").Keys("down").Shows("▌ Look at the project")
	term.Keys("enter").Shows("this is {Environment:}").Keys("esc")
	term.Keys("down").Shows("enter add a path").Keys("enter").Shows("this is {Task:{API:bookshop Path:} Start:0}").Keys("esc")
	term.Keys("down").Shows("enter change", "a add a path", "A new API", "d remove")
	term.Keys("a").Shows("this is {Task:{API:bookshop Path:} Start:0}").Keys("esc")
	term.Keys("A").Shows("this is {Task:{API: Path:} Start:0}").Keys("esc")
	term.Keys("enter").Shows("this is {Task:{API:bookshop Path:/books} Start:0}").Keys("esc")
	term.Keys("/", "anoth").Shows("▌ Design another API").Hides("Look at the project").Keys("esc").Shows("Look at the project")
}

func TestAPathIsRemovedAfterConfirmation(t *testing.T) {
	t.Parallel()
	dir := shop(t)
	term := open(t, dir, 80, 24).Keys("G", "d")
	term.Shows("Remove path /health of the API bookshop?", "The function health stays, but will serve no path.", "update backend/api/bookshop/cli-inputs.json")
	term.Keys("esc").Shows("/health ").Keys("d", "tab", "enter").Shows("done: removed path /health of the API bookshop").Hides("open to everybody")
	term.Keys("up", "d").Shows("Remove path /books of the API bookshop?").Keys("tab", "enter").Shows("done: removed path /books")
	term.Keys("G", "d").Shows("Remove path /orders of the API bookshop?", "It is the only path of its API", "delete backend/api/bookshop/cli-inputs.json")
	term.Keys("tab", "enter").Shows("done: removed path /orders", "Design the first API")
	p, err := project.Open(dir)
	must(t, err)
	defer func() { _ = p.Close() }()
	if len(p.Backend.APIs) > 0 {
		t.Errorf("the APIs are %v", p.Backend.APIs)
	}
}

func TestADraftIsOfferedAndNotLost(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := in(t, dir)
	wizard := flow.New(s.Project.Backend, flow.Task{}, s.NewName())
	wizard.Restore(flow.Answers{Label: "mine"})
	must(t, s.Drafts.Save(session.Draft(s.Project, wizard)))
	term := open(t, dir, 80, 24)
	term.Shows("▌ Continue the draft", "API mine").Keys("enter").Shows("this is {Task:{API: Path:} Start:1}").Keys("esc")
	term.Keys("down", "enter").Shows("There is an unfinished draft", "replaces the draft of").Keys("tab", "enter").Shows("this is {Task:{API: Path:} Start:0}").Keys("esc")
	must(t, s.Drafts.Discard())
	term.Keys("ctrl+r").Hides("Continue the draft")
}

func TestLessonsThatAreDoneAreMarked(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	progress, err := course.ReadProgress(filepath.Join(filepath.Dir(dir), "state"))
	must(t, err)
	lessons := course.Lessons()
	must(t, progress.Finish(lessons[1].ID))
	term := open(t, dir, 120, 40)
	term.Keys("G").Shows(fmt.Sprintf("1 of %d lessons done", len(lessons)), "· "+lessons[0].Title, "✓ "+lessons[1].Title, "· "+lessons[2].Title)
}

// TestAPathIsChangedInItsAPI has a path of one name in two APIs.
func TestAPathIsChangedInItsAPI(t *testing.T) {
	t.Parallel()
	dir := shop(t)
	p, err := project.Open(dir)
	must(t, err)
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		other := *b.API("bookshop").Path("/books")
		return edit.AddAPI(b, &access.API{Label: "other", Paths: []*access.Path{&other, {Name: "/more", Function: other.Function, Access: other.Access}}})
	})
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	term := open(t, dir, 100, 40)
	term.Keys("G", "up").Shows("▌   /books").Keys("enter").Shows("this is {Task:{API:other Path:/books} Start:0}").Keys("esc")
	term.Keys("a").Shows("this is {Task:{API:other Path:} Start:0}").Keys("esc")
	term.Keys("d").Shows("Remove path /books of the API other?").Keys("tab", "enter").Shows("done: removed path /books of the API other")
	p, err = project.Open(dir)
	must(t, err)
	if p.Backend.API("bookshop").Path("/books") == nil || p.Backend.API("other").Path("/books") != nil || p.Backend.API("other").Path("/more") == nil {
		t.Error("another path is removed")
	}
	must(t, p.Close())
}
