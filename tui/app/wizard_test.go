package app_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/validate"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

func TestAnAPIIsMadeByKeyboardAndThenChangedAndRemoved(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	term := apptest.Open(t, dir, "none", 80, 24, nil)
	term.Keys("enter", "enter", "shop", "enter", "/books", "enter", "enter")
	term.Shows("Who may do what under /books?")
	term.Keys("right", "space", "enter").Shows("! access: nobody may do anything; grant somebody an action, or open the path")
	term.Keys("space", "left", "space", "up", "right", "space", "enter").Shows("Add another path?")
	term.Keys("enter", "enter").Shows("Review", "new function books", "user pool", "read").Keys("G").Shows("client_config.json")
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Fatalf("before the confirmation there is %v", entries)
	}
	term.Keys("ctrl+s").Shows("Written", "Edit the function now?")
	if problems := validate.Project(apptest.Project(t, dir)); len(problems) > 0 {
		t.Errorf("the project has problems: %v", problems)
	}
	term.Shows("starts the sandbox and sends GET /books")
	term.Keys("esc").Shows("[1 Map]", "/books")
	term.Tab("apis").Shows("guests: read; signed-in users: create, read")
	term.Keys("G", "e").Shows("Which path of the API shop?", "/books")
	term.Keys("ctrl+u", "/volumes", "ctrl+s").Shows("ctrl+s write 2 files", "/books becomes /volumes").Keys("n").Shows("cli-inputs.json", "1 of 2 files")
	term.Keys("tab", "j").Shows("-     \"/books\": {", "+     \"/volumes\": {")
	term.Keys("ctrl+s", "esc").Shows("/volumes")
	term.Keys("G", "d").Shows("Remove path /volumes of the API shop?", "It is the only path of its API")
	term.Keys("tab", "enter").Shows("done: removed path /volumes of the API shop", "no API yet")
	if b := apptest.Project(t, dir).Backend; len(b.APIs) != 0 || b.Function("books") == nil {
		t.Errorf("the APIs are %v", b.APIs)
	}
	term.Keys("u").Shows("done: undid: removed path /volumes of the API shop", "/volumes")
	if b := apptest.Project(t, dir).Backend; len(b.APIs) != 1 || b.API("shop").Path("/volumes") == nil {
		t.Errorf("after undo the APIs are %v", b.APIs)
	}
}

func TestAnotherAPIIsDesignedFromTheDashboard(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.ChangedShop(t), "none", 80, 24, nil)
	term.Keys("A").Shows("dashboard › new API", "Which API?")
	term.Keys("more", "enter", "/more", "enter").Shows("Which handler function serves /more?")
}

func TestAChangeThatChangesNothingHasNothingToWrite(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, apptest.Shop(t))
	unchanged := apptest.Unchanged(t, dir)
	term := apptest.Open(t, dir, "none", 100, 30, route.Wizard{Task: flow.Task{API: "shop", Path: "/books"}})
	term.Keys("enter").Shows("▐books▌").Keys("enter", "enter").Shows("there is nothing to write").Hides("next file").Hides("files")
	term.Keys("ctrl+s").Shows("not available: there is nothing to write")
	unchanged()
}

func TestADraftIsOfferedAgainAfterTheProgramWasKilled(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	term := apptest.Open(t, dir, "none", 80, 24, route.Wizard{})
	term.Keys("enter", "shop", "enter", "/books", "enter")
	again := apptest.Open(t, dir, "none", 80, 24, nil)
	again.Shows("▌ Continue the draft", "API shop")
	again.Keys("enter").Shows("Which handler function serves /books?")
	again.Keys("esc").Shows("Path  /books")
}

func TestThereIsOneWizardForTheOneDraft(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Folder(t), "none", 80, 24, nil)
	term.Keys("enter", "enter", "shop", "enter", "/books", "enter", "esc", "esc", "esc", "esc").Shows("▌ Continue the draft", "draft saved")
	term.Keys("enter").Shows("Which handler function serves /books?").Keys("ctrl+z").Shows("undid: ")
	term.Keys("esc", "esc", "esc", "esc", "down", "enter").Shows("There is an unfinished draft").Keys("tab", "enter").Shows("What is the project called?").Keys("enter", "enter").Shows("Path").Hides("✓ shop", "Path  /books")
	if term.Keys("ctrl+c").Shows("Not written yet: new API."); strings.Contains(term.Screen(), "new API,") {
		t.Errorf("two wizards are asked about:\n%s", term.Screen())
	}
}

func TestQuittingWithAnswersAsksAndSavesThem(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Folder(t), "none", 80, 24, route.Wizard{})
	term.Keys("enter", "shop", "ctrl+c").Shows("Quit now?", "Keep draft", "Discard", "Cancel")
	if term.Keys("esc"); term.Quit {
		t.Fatal("cancel quits")
	}
	if term.Keys("ctrl+c", "ctrl+c"); !term.Quit {
		t.Fatal("a second ctrl+c does not quit")
	}
}

func TestACrashSavesTheAnswersAndSaysWhere(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"wizard": {"enter", "mine"}, "dashboard": {"G", "a", "/mine", "enter"}} {
		t.Run(name, func(t *testing.T) {
			dir := apptest.ChangedShop(t)
			term := apptest.Open(t, dir, "none", 80, 24, nil)
			if name == "wizard" {
				dir = apptest.Folder(t)
				term = apptest.Open(t, dir, "none", 80, 24, route.Wizard{})
			}
			saveDraft := term.Screens.Frame().OnPanic
			if where := saveDraft(); where != "" {
				t.Errorf("without an answer a draft is saved in %s", where)
			}
			term.Keys(keys...)
			where := saveDraft()
			if text, err := os.ReadFile(where); err != nil || !strings.Contains(string(text), "mine") {
				t.Errorf("the draft in %q is %s %v", where, text, err)
			}
		})
	}
}

func TestTheWizardOffersOnlyWhatTheAmplifyCLIAllows(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	apptest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	term := apptest.Open(t, dir, "none", 80, 24, route.Welcome{})
	term.Keys("/", "api old", "enter", "enter").Shows("warning: old has an older format; to edit it, run: gatewright migrate")
	term.Keys("esc", "/", "api shop", "enter", "enter", "/more", "enter").Shows("amplify add function")
	term.Keys("tab", "enter", "[", "enter", "enter").Shows("Review", "/more").Keys("n").Shows("amplify/backend/api/shop/cli-inputs.json")
	term.Keys("ctrl+s", "esc").Shows("[1 Map]")
	term.Tab("apis").Keys("G").Shows("/more", "open to everybody")
}

func TestTheSampleCanBeWrittenAsItIs(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	term := apptest.Open(t, dir, "none", 120, 40, nil)
	term.Keys("down", "enter").Shows("What is the project called?").Keys("ctrl+s").Shows("Review", "table orders")
	term.Keys("ctrl+s").Shows("Written")
	if problems := validate.Project(apptest.Project(t, dir)); len(problems) != 1 || problems[0].Rule != access.RuleOpen {
		t.Errorf("the sample has problems: %v", problems)
	}
}

func TestTheCourseIsOpenedFromTheWelcomePage(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Folder(t), "none", 80, 24, nil)
	term.Shows("Learn step by step", "0 of 6 lessons done")
	term.Keys("down", "down").Shows("▌ Learn step by step", "Path variables and the proxy resource")
	other := apptest.Open(t, t.TempDir(), "none", 80, 24, route.Course{})
	other.Shows("there is no page for route.Course")
}

// big is a project with one API of n paths.
func big(t testing.TB, n int) string {
	t.Helper()
	b := &model.Backend{}
	apptest.Must(t, edit.SetProject(b, model.Project{Name: "big", ApplicationID: "a", Dialect: model.Neutral}))
	apptest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	apptest.Must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Express, Handler: "index.handler"}))
	api := &access.API{Label: "big"}
	for i := range n {
		api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), Function: "f", Access: access.Access{Setting: access.Open}})
	}
	apptest.Must(t, edit.AddAPI(b, api))
	return apptest.Written(t, b)
}

// BenchmarkTyping types one character into the path of an API with many paths, compared
// with a bare program that shows a text of the same size.
func BenchmarkTyping(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		model := apptest.Open(b, big(b, n), "dark", 120, 40, route.Wizard{Task: flow.Task{API: "big"}}).Model
		backspace, _ := frametest.Key("backspace")
		on := true
		for name, draw := range map[string]bool{"update": false, "update+view": true} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					msg := tea.KeyPressMsg{Code: 'x', Text: "x"}
					if on = !on; on {
						msg = backspace
					}
					model, _ = model.Update(msg)
					if draw {
						_ = model.View()
					}
				}
			})
		}
	}
	b.Run("bare", func(b *testing.B) {
		bare := bareModel{text: strings.Repeat(strings.Repeat("x", 120)+"\n", 40)}
		for b.Loop() {
			next, _ := bare.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			_ = next.View()
		}
	})
}

type bareModel struct{ text string }

func (m bareModel) Init() tea.Cmd                       { return nil }
func (m bareModel) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m bareModel) View() tea.View                      { return tea.NewView(m.text) }
