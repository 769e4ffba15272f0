package wizard_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/validate"
	"gatewright/test/depth"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/wizard"
)

// The go command lists this package last, so it tells what did not run.
func TestMain(m *testing.M) { frametest.Main(m, depth.Tell) }

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

func (*home) Init() tea.Cmd            { return nil }
func (*home) Update(tea.Msg) tea.Cmd   { return nil }
func (*home) View() string             { return "this is home" }
func (*home) SetSize(layout.Layout)    {}
func (*home) Bindings() []keys.Binding { return nil }
func (*home) Dirty() bool              { return false }
func (*home) Typing() bool             { return false }

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
	t.Parallel()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			dir := folder(t)
			term := open(t, dir, route.Wizard{}, size[0], size[1])
			at := func(name string) {
				term.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1]))
				if i := strings.IndexFunc(layout.ASCII(term.Screen()), func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
					t.Errorf("%s has a character that is not replaced in ASCII: %q", name, layout.ASCII(term.Screen())[i:i+4])
				}
			}
			at("project")
			term.Keys("tab", "eu w", "shift+tab")
			at("project_refused")
			term.Keys("tab", "ctrl+u", "eu", "ctrl+n", "enter", "shop")
			at("api")
			term.Keys("enter", "items", "enter")
			at("path_refused")
			term.Keys("ctrl+u", "/book/{isbn}", "enter")
			at("function")
			term.Keys("down", "down", "right", "right", "down", "down", "down", "right", "enter")
			at("table")
			term.Keys("tab", "tab", "tab", "at", "tab", "right", "enter")
			at("settings")
			term.Keys("enter")
			at("access")
			term.Keys("a", "Admins, Editors")
			at("access_groups")
			term.Keys("enter", "*", "down", "right", "right", "space", "]")
			at("access_edited")
			term.Keys("enter")
			at("another")
			term.Keys("enter")
			at("environments")
			term.Keys("tab", "qa, prod", "enter")
			at("review")
			term.Keys("n", "n", "tab")
			at("review_file")
			term.Keys("e")
			at("go_to_step")
			term.Keys("esc", "?")
			at("help")
			term.Keys("esc", "ctrl+s")
			at("done")
			term.Keys("enter").Shows("this is home")
		})
	}
}

func TestKeysGoToSteps(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "enter", "/a", "enter").Shows("4 of 8", "Which handler function")
	term.Keys("1").Shows("1 of 8").Keys("enter", "enter", "enter", "3").Shows("3 of 8", "Path  /a")
	// In a text field they are characters.
	term.Keys("u1<>").Shows("Path  /au1<>").Keys("enter").Shows("! path:", "3 of 8")
	term.Keys("ctrl+z").Shows("Path  /a ", "done: undid: path /au1<>").Keys("enter", "<").Shows("3 of 8")
	term.Keys("enter", "enter", "<").Shows("4 of 8").Keys("ctrl+p", "go to a st", "enter").Shows("Go to a step", "books", "signed-in").Keys("esc")
}

func TestOnePathTakesSixteenKeysAndTheFullJobNinetyFive(t *testing.T) {
	t.Parallel()
	count := func(keys ...string) int {
		n := 0
		for _, key := range keys {
			if _, named := frametest.Key(key); named {
				n++
			} else {
				n += len([]rune(key))
			}
		}
		return n
	}
	// The key that opens the wizard from the welcome page counts too.
	const first = 1
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	one := []string{"enter", "enter", "/items", "enter", "enter", "[", "enter", "enter", "enter", "ctrl+s"}
	open(t, dir, route.Wizard{}, 80, 24).Keys(one...).Shows("Written")
	if got := reload(t, dir).Backend.API("shop").Path("/items"); got.Access.Setting != access.Open || got.Function != "items" {
		t.Errorf("the path is %+v", got)
	}
	if n := first + count(one...); n > 16 {
		t.Errorf("one path takes %d keys", n)
	}

	dir = folder(t) // another name, so that the label is typed
	full := []string{
		"enter", "shop", "enter", "/books", "enter", "enter",
		"a", "Admins,Editors", "enter", "*", "down", "space", "right", "right", "space", "enter", "down", "enter",
		"/orders", "enter", "down", "down", "right", "right", "enter", "down", "customer", "down", "down", "order", "down", "right", "enter",
		"space", "down", "*", "enter", "enter", "down", "prod", "enter", "ctrl+s",
	}
	open(t, dir, route.Wizard{}, 80, 24).Keys(full...).Shows("Written")
	b := reload(t, dir).Backend
	got := fmt.Sprint(b.Groups, b.API("shop").Path("/books").Access, b.API("shop").Path("/orders").Access, b.Names(model.KindEnvironment), *b.Table("orders"), b.Function("books").Template)
	if want := "[Admins Editors] signed-in users: read; members of Admins: all; members of Editors: create, read, update " +
		"signed-in users: create, read; members of Admins: all [dev prod] {orders  {customer string} {order number} []  []  false false   0 0}plain"; got != want {
		t.Errorf("the job made\n%s\nwant\n%s", got, want)
	}
	if n := first + count(full...); n > 95 {
		t.Errorf("the full job takes %d keys", n)
	} else {
		t.Logf("one path takes %d keys, the full job %d", first+count(one...), n)
	}
}

func TestUndoSaysWhatItUndidAndGoesThere(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/a", "enter", "enter", "]").Shows("guests                   ·       R")
	term.Keys("enter", "u").Shows("done: undid: guests may read under /a", "Who may do what under /a?", "▐signed-in▌")
	term.Keys("ctrl+y").Shows("done: did again: guests may read under /a", "▐signed-in and guests▌")
	// enter goes on and overwrites nothing.
	term.Keys("enter").Shows("Add another path?").Keys("esc").Shows("▐signed-in and guests▌")
	term.Keys("right", "right", "space").Keys("u").Shows("done: undid: signed-in users may update under /a")
	// The cursor is on what changed.
	term.Keys("space").Shows("[U]").Keys("u", "u", "u").Shows("done: undid: path /a", "Which path of the API shop?")
}

func TestTheReviewIsReadFileByFile(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{Start: route.FromSample}, 120, 36)
	term.Keys("ctrl+s").Shows("Review", "/books", "table orders", "group Sellers", "ctrl+s write")
	term.Keys("n").Shows("─ .gitignore").Keys("n").Shows("bookshop/cli-inputs.json ─")
	term.Keys("N").Shows("1 of ").Keys("g", "j").Shows("new function books", "Sellers", "everything")
	term.Keys("G", "ctrl+p", "save dra").Shows("save draft").Keys("enter").Shows("the draft is saved")
}

func TestBackAndForthLosesNothing(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/a", "enter", "tab", "fn", "enter", "ctrl+s").Shows("Review")
	term.Keys("esc", "esc", "esc", "esc", "esc").Shows("Path  /a")
	term.Keys("enter").Shows("fn").Keys("u").Shows("undid: resource name fn").Keys("ctrl+y").Shows("fn")
}

func TestFaultsStandAtTheirFields(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	// A fault is shown when the field is left, and not before.
	term.Keys("tab", "eu west").Hides("!").Keys("tab").Shows("! region: ", "did you mean eu-west-1?")
	term.Keys("my shop", "enter").Shows("! project: ", "! region: ", "1 of 8").Shows("▌ Name")
	term.Keys("ctrl+u", "enter").Hides("! project").Shows("▌ Region")
	term.Keys("ctrl+u", "enter").Shows("Which API?").Hides("!").Keys("esc").Hides("!")
}

func TestLinesThatArePastedGoIntoTheFieldsTheyFit(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	paste := func(text string) { term.Send(tea.PasteMsg{Content: text}) }
	paste("bookshop\reu-west-1\r\n")
	term.Shows("bookshop", "eu-west-1").Keys("enter", "enter")
	paste("/a\n/b\n/c")
	term.Shows("3 lines were pasted, but from here on there is 1 field.", "Only the first line").Keys("tab", "enter").Shows("Path  /a")
	term.Keys("enter", "enter", "a")
	paste("Admins\rEditors, Buyers\n")
	term.Keys("enter").Shows("Admins", "Editors", "Buyers").Keys("ctrl+s").Shows("groups Admins, Editors, Buyers")
}

func TestASuggestionIsTaken(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("tab").Shows("ctrl+n: us-east-1  us-east-2").Keys("eu-c").Shows("ctrl+n: eu-central-1  eu-central-2")
	term.Keys("ctrl+n", "ctrl+n").Shows("Region  eu-central-2").Keys("alt+n").Shows("Region  eu-central-1")
}

func TestTheMatrixIsTheEditor(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "enter", "/a", "enter", "enter").Shows("[·]")
	term.Keys("k", "l", "l", "space").Shows("▐signed-in and guests▌", "[U]").Keys("space").Shows("▐signed-in▌", "[·]")
	term.Keys("[").Shows("▐open▌", "▲ /a is open to everybody in the world").Keys("space").Shows("! access: the path is open to everybody; restrict it first")
	term.Keys("]", "a", "b/d", "enter").Shows("! group: b/d is not a name for a group", "b/d").Keys("ctrl+u", "Admins,Editors", "enter").Shows("▌ Admins           1")
	term.Keys("h", "h", "space").Shows("Admins           1      [C]", "create and read").Keys("*", "*").Shows("! access: members of Admins have an entry without an action")
	term.Keys("enter").Shows("5 of 8").Keys("d").Shows("Remove Admins?", "Without its own entry, its members may do what signed-in users", "The group was added in this draft.")
	term.Keys("tab", "enter").Shows("read, as signed-in").Keys("J").Shows("Editors          1", "Admins           2")
	term.Keys("d", "tab", "enter").Hides("Admins").Keys("u").Shows("undid: the group Admins removed", "Admins")
}

func TestTheCursorFollowsAGroupWhoseOrderIsUndone(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "enter", "/a", "enter", "enter", "a", "Admins, Editors, Viewers", "enter", "down", "down", "K").Shows("▌ Viewers          2")
	term.Keys("u").Shows("▌ Viewers          3").Keys("up", "up", "up").Keys("ctrl+y").Shows("▌ Viewers          2")
	term.Keys("u", "u").Shows("undid: the groups Admins, Editors, Viewers added").Keys("ctrl+y").Shows("▌ Admins           1")
}

func TestUndoingGoesOnIntoATextField(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/a", "enter", "tab", "l", "enter", "[")
	term.Shows("▐open▌").Keys("u", "u").Shows("Which handler function", "▐Plain▌").Keys("u").Shows("Which path of the API", "/items or /book")
	term.Keys("u").Shows("Which API?", "u undo").Keys("u").Shows("nothing to undo").Keys("ctrl+y", "ctrl+y", "ctrl+y", "ctrl+y").Shows("▐open▌")
	term.Keys("u", "u", "u", "/", "u").Shows("Path  /u", "ctrl+z undo")
	// After the key that types nothing, the other one is a character.
	term.Keys("backspace", "backspace", "/b", "enter").Shows("Which handler function").Keys("ctrl+z", "u").Shows("Path  u ")
}

// TestAFileThatIsAskedForWhileThePlanIsMadeIsShownWhenItIsThere presses a key in the moment between.
func TestAFileThatIsAskedForWhileThePlanIsMadeIsShownWhenItIsThere(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{Start: route.FromSample}, 120, 36)
	var plan tea.Cmd
	save, _ := frametest.Key("ctrl+s")
	term.Model, plan = term.Model.Update(save)
	term.Keys("n", "n", "N").Hides("not available")
	term.Run(plan)
	term.Shows("▌     + .gitignore")
}

func TestNothingIsEditedWhileThePreviewHidesTheQuestion(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 60, 15)
	term.Keys("enter", "enter", "/a").Shows("ctrl+o preview").Keys("ctrl+o").Shows("ctrl+o question").Hides("Which path")
	term.Keys("x", "ctrl+z").Keys("esc").Shows("Path  /a ", "Which path").Keys("enter", "enter").Shows("ctrl+o preview").Keys("ctrl+o").Shows("POST /a by signed-in users: refused")
	term.Keys("space", "[", "*", "right").Keys("ctrl+o").Shows("▐signed-in▌", "[·]").Hides("nobody")
}

// TestThePreviewScrollsBesideTheMatrix has so many groups that their file is longer than the window. An
// answer shows its own lines again.
func TestThePreviewScrollsBesideTheMatrix(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	term := open(t, dir, route.Wizard{}, 120, 36)
	term.Keys("enter", "enter", "/a", "enter", "enter", "a", "Admins,Editors,Librarians,Members,Partners,Auditors,Support,Translators", "enter")
	for range 8 {
		term.Keys("*", "down")
	}
	term.Keys("up").Shows("▌ Translators      8", "Admins           1").Shows("↑ ", " more").Hides(`"lambdaFunction"`, " lines ")
	term.Keys("pgdown").Shows("31 to 60 of ", " lines ").Hides("Routes of").Keys("pgup").Shows("↑ ", " more").Hides(" lines ")
	term.Keys("pgdown", "pgdown", "pgdown").Shows("Routes of", " lines ").Hides(`"lambdaFunction"`)
	term.Keys("space").Shows("▌ Translators      8", "↑ ").Hides(" lines ", "Routes of")
	term.Send(tea.MouseWheelMsg{X: 100, Y: 10, Button: tea.MouseWheelDown})
	term.Shows("4 to 33 of ")
	term.Keys("enter").Hides(" lines ")
}

func TestADraftIsSavedAtEveryAnswerAndContinued(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	term := open(t, dir, route.Wizard{}, 80, 24)
	if term.page.Dirty() {
		t.Error("there is unsaved work before the first answer")
	}
	term.Keys("enter", "shop", "enter", "/books", "enter", "enter", "]", "u", "enter", "down", "enter", "/or")
	again := open(t, dir, route.Wizard{Start: route.FromDraft}, 80, 24)
	again.Shows("Which path of the API shop?", "Path  /or").Hides("!").Keys("esc", "esc").Shows("▐signed-in▌")
	if saved, _ := term.page.SaveDraft()().(frame.DraftSavedMsg); saved.Err != nil || !strings.HasPrefix(saved.Where, filepath.Dir(dir)) {
		t.Errorf("the draft is in %q, %v", saved.Where, saved.Err)
	}
}

func TestNamesOfGroupsAreInTheDraftWhileTheyAreTyped(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, dir, route.Wizard{}, 80, 24).Keys("enter", "shop", "enter", "/books", "enter", "enter", "a", "Admins, Ed")
	again := open(t, dir, route.Wizard{Start: route.FromDraft}, 80, 24)
	again.Shows("Who may do what under /books?", "+ groups Admins, Ed").Keys("itors", "enter").Shows("Admins           1", "Editors          2")
	open(t, dir, route.Wizard{Start: route.FromDraft}, 80, 24).Hides("+ groups").Shows("Editors          2").Keys("a", "x", "esc")
	open(t, dir, route.Wizard{Start: route.FromDraft}, 80, 24).Hides("+ groups")
}

func TestAClickOnAStepGoesThere(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 36}, {200, 60}} {
		term := open(t, folder(t), route.Wizard{}, size.w, size.h)
		term.Keys("enter", "enter", "/books", "enter", "enter").Shows("Who may do what under /books?")
		click := func(step string) {
			for y, line := range strings.Split(term.Screen(), "\n") {
				if before, _, found := strings.Cut(line, step); found {
					term.Send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("%s is not in\n%s", step, term.Screen())
		}
		if strings.Contains(term.Screen(), "Steps") {
			click("function")
		} else {
			click("✓ books ")
		}
		term.Shows("Which handler function serves /books?")
		click("environments")
		term.Shows("Which environments").Keys("esc")
	}
}

func TestALongAnswerIsWholeInTheListOfSteps(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 120, 36)
	const last = "            positions "
	term.Keys("enter", "enter", "/customers/{customer}/orders/{order}/positions", "enter").Shows("✓ path     /customers/", last)
	// Where not all fit, the step at hand does.
	term.Keys("esc").Resize(120, 15)
	term.Shows("▸ path     /customers/", last).Keys("enter").Shows("✓ path     /customers… ", "▸ function").Hides(last)
	term.Resize(120, 36)
	for y, line := range strings.Split(term.Screen(), "\n") {
		if before, _, found := strings.Cut(line, last); found {
			term.Send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			break
		}
	}
	term.Shows("Which path of the API")
}

func TestAFailedWriteIsReportedAndKeepsTheAnswers(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	term := open(t, dir, route.Wizard{Start: route.FromSample}, 80, 24)
	term.Keys("ctrl+s", "pgdown", "pgdown", "pgdown").Shows("Review")
	lock := filepath.Join(dir, ".gatewright")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	why := ".gatewright must be a folder"
	if runtime.GOOS == "windows" { // which says of a file in a folder's place that nothing is there
		why = ".gatewright is a file"
	}
	term.Keys("ctrl+s").Shows("nothing was written", why)
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	term.Keys("ctrl+s").Shows("Written", "ctrl+e opens")
	if term.page.Dirty() {
		t.Error("what is written is unsaved work")
	}
	if problems := validate.Project(reload(t, dir)); len(problems) != 1 || problems[0].Rule != access.RuleOpen {
		t.Errorf("the sample has problems: %v", problems)
	}
	term.Keys("esc").Shows("this is home")
}

func TestASampleOpensAtItsBeginningAndAsksNothingWhenUntouched(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{Start: route.FromSample}, 80, 24)
	term.Shows("1 of ", "Name    bookshop")
	if term.page.Dirty() {
		t.Error("an untouched sample is unsaved work")
	}
}

func TestAPathIsChanged(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, dir, route.Wizard{Start: route.FromSample}, 80, 24).Keys("ctrl+s", "pgdown", "pgdown", "pgdown", "ctrl+s")
	api := reload(t, dir).Backend.APIs[0]
	term := open(t, dir, route.Wizard{Task: flow.Task{API: api.Label, Path: api.Paths[0].Name}}, 80, 24)
	term.Shows("change a path", "Which path of the API bookshop?").Keys("ctrl+u", "/volumes", "enter", "enter").Keys("up", "space").Shows("▲")
	term.Keys("ctrl+s").Shows("Review", "/books becomes /volumes", "▲").Keys("ctrl+s").Shows("Written", "gatewright rename path bookshop /books /volumes")
	if reload(t, dir).Backend.API(api.Label).Path("/volumes") == nil {
		t.Error("the path is not changed")
	}
}

// TestAFormGoesRoundItsFieldsBothWays has six fields, of which others follow each other in each
// direction.
func TestAFormGoesRoundItsFieldsBothWays(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/a", "enter").Shows("▌ Function ")
	for _, step := range []struct{ key, field string }{
		{"tab", "Resource name"},
		{"tab", "Template"},
		{"tab", "Runtime"},
		{"tab", "Function name"},
		{"tab", "Advanced settings"},
		{"tab", "Function "},
		{"shift+tab", "Advanced settings"},
		{"shift+tab", "Function name"},
		{"down", "Advanced settings"},
		{"down", "Advanced settings"},
		{"up", "Function name"},
		{"up", "Runtime"},
		{"shift+tab", "Template"},
		{"up", "Resource name"},
		{"up", "Function "},
		{"up", "Function "},
	} {
		term.Keys(step.key).Shows("▌ " + step.field)
	}
	// The options of a line do not go round, but space does.
	term.Keys("tab", "tab", "left").Shows("▐Plain▌").Keys("right", "right", "right").Shows("▐CRUD on a table▌").Keys("space").Shows("▐Plain▌").Keys("space").Shows("▐Express▌")
}

// TestSuggestionsGoRoundBothWays has two and, with nothing typed, all regions.
func TestSuggestionsGoRoundBothWays(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("tab", "eu-c", "ctrl+n").Shows("Region  eu-central-1").Keys("ctrl+n").Shows("Region  eu-central-2").Keys("ctrl+n").Shows("Region  eu-central-1")
	term.Keys("alt+n").Shows("Region  eu-central-2").Keys("alt+n").Shows("Region  eu-central-1")
	term.Keys("ctrl+u", "zz", "ctrl+n").Shows("nothing known begins with zz", "Region  zz")
}

// TestAnAnswerAfterAnUndoStandsAlone: what was undone cannot be done again, and one undo takes back
// only the new answer.
func TestAnAnswerAfterAnUndoStandsAlone(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/first", "ctrl+z").Shows("/items or /book").Keys("u").Shows("Path  u ").Keys("backspace")
	term.Keys("/second").Shows("Path  /second")
	term.Keys("ctrl+y").Shows("nothing to redo", "Path  /second").Keys("ctrl+z").Shows("undid: path /second", "/items or /book")
	term.Keys("ctrl+y").Shows("did again: path /second", "Path  /second").Keys("x").Shows("Path  /secondx")
	term.Keys("ctrl+z").Shows("undid: path /secondx", "Path  /second ").Keys("ctrl+z").Shows("undid: path /second").Hides("Path  /second")
	term.Keys("ctrl+y", "ctrl+y").Shows("Path  /secondx").Keys("ctrl+y").Shows("nothing to redo")

	term = open(t, folder(t), route.Wizard{}, 80, 24)
	term.Keys("enter", "shop", "enter", "/a", "enter", "enter", "a", "Admins, Editors", "enter", "]", "u").Shows("undid: guests may read under /a")
	term.Keys("down", "down", "down", "*").Shows("[C]").Keys("ctrl+y").Shows("nothing to redo", "[C]")
	term.Keys("u").Shows("undid: members of Admins may", "▐signed-in▌").Keys("u").Shows("undid: the groups Admins, Editors added").Keys("ctrl+y", "ctrl+y").Shows("did again: members of Admins may")
}

// TestADraftWithUnprintableTextIsDrawnHarmless: a terminal must not obey a draft or a project.
func TestADraftWithUnprintableTextIsDrawnHarmless(t *testing.T) {
	t.Parallel()
	term := open(t, folder(t), route.Wizard{}, 80, 24)
	hostile := "a\x1b[2Jb\u202e"
	answers := term.page.Flow()
	for _, step := range answers.Steps() {
		for _, field := range answers.Ask(step).Fields {
			if field.Kind == flow.Text {
				answers.Set(step, field.Key, hostile, nil)
			}
		}
	}
	for _, step := range answers.Steps() {
		term.page.Visit(step)
		for _, size := range [][2]int{{80, 24}, {120, 36}, {60, 15}} {
			term.Resize(size[0], size[1])
			if drawn := term.Model.View().Content; strings.Contains(drawn, "\x1b[2J") || strings.Contains(drawn, "\u202e") {
				t.Fatalf("the window obeys it: %q", drawn)
			}
		}
	}
	term.Keys("ctrl+z").Shows("undid: ")
	if drawn := term.Model.View().Content; strings.Contains(drawn, "\x1b[2J") || strings.Contains(drawn, "\u202e") {
		t.Fatalf("the line of what was undone obeys it: %q", drawn)
	}
}
