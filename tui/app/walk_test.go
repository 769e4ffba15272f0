package app

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/tui/frame"
	"gatewright/tui/welcome"
	"gatewright/tui/wizard"
)

var sizes = [][2]int{{60, 15}, {80, 24}, {120, 40}}

func TestEveryStepLooksAsItsGolden(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := open(t, folder(t), "none", size[0], size[1], wizard.Route{})
			at := func(name string) { term.golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
			at("service")
			term.keys("enter")
			at("project")
			term.keys("enter", "eu-west-1", "enter", "shop")
			at("label")
			term.keys("enter", "items", "enter")
			at("path_refused")
			term.keys("ctrl+u", "/book/{isbn}", "enter", "down")
			at("source")
			term.keys("up", "enter", "tab", "tab", "tab", "down", "space")
			at("function")
			term.keys("tab", "down", "enter")
			at("table")
			term.keys("enter", "tab", "tab", "tab")
			at("table_new")
			term.keys("tab", "enter")
			at("advanced")
			term.keys("pgdown", "tab", "tab", "tab", "tab", "tab", "tab", "enter")
			at("restrict")
			term.keys("enter", "down", "down", "down", "down", "enter", "tab", "Sellers")
			at("groups")
			term.keys("enter", "space", "down", "space", "enter")
			at("actions")
			term.keys("down", "space", "enter", "space", "enter")
			at("another")
			term.keys("enter")
			at("review")
			term.keys("e", "who")
			at("go_to_step")
			term.keys("enter")
			at("who")
			term.keys("?")
			at("help")
			term.keys("esc", "ctrl+r", "w")
			at("done")
			term.keys("enter")
			term.shows("gatewright › dashboard", "[1 APIs]", "/book/{isbn}")
			term.keys("n", "enter", "more", "enter", "/more", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "down", "enter", "enter")
			at("environments")
		})
	}
}

func TestABreakdownKeepsTheAnswersAndSaysWhere(t *testing.T) {
	dir := folder(t)
	s, err := session.Open(dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return filepath.Join(filepath.Dir(dir), "state")
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	o := newScreens(Options{Dir: dir, Theme: "none", Start: wizard.Route{}}, s).options()
	term := &terminal{t: t, dir: dir, model: frame.New(o)}
	term.resize(80, 24)
	term.run(term.model.Init())
	if where := o.OnPanic(); where != "" {
		t.Errorf("without an answer a draft is kept in %s", where)
	}
	term.keys("enter", "mine")
	where := o.OnPanic()
	if text, err := os.ReadFile(where); err != nil || !strings.Contains(string(text), `"name": "mine"`) {
		t.Errorf("the draft in %q is %s %v", where, text, err)
	}
}

func TestAnAPIIsMadeByKeyboardAndThenChangedAndRemoved(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, "none", 80, 24, nil)
	term.golden("welcome_empty_80x24")
	term.keys("enter", "enter", "enter", "enter", "shop", "enter", "/books", "enter", "enter", "enter", "enter", "enter", "enter", "enter")
	term.shows("Restrict access to /books?")
	term.keys("enter", "down", "enter")
	term.shows("What may signed-in users do?")
	term.keys("enter")
	term.shows("! actions: no action is chosen; choose at least one")
	term.keys("space", "down", "space", "enter", "down", "space", "enter")
	term.shows("Add another path?")
	term.keys("enter")
	term.shows("Review", "create backend/api/shop/cli-inputs.json", "path /books of api shop", "user pool (new)")
	term.keys("pgdown")
	term.shows("+++ b/.gitignore")
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Fatalf("before the yes there is %v", entries)
	}
	term.keys("w")
	term.shows("Written", "Edit the function now?")
	if problems := reload(t, dir).Validate(); len(problems) > 0 {
		t.Errorf("the project has problems: %v", problems)
	}
	term.keys("enter")
	term.shows("[1 APIs]", "/books", "signed-in users: create, read; guests: read")

	term.keys("G", "E")
	term.shows("Which path?", "/books")
	term.keys("ctrl+u", "/volumes", "ctrl+r")
	term.shows("3 files will be written", "update backend/function/books/src/app.js")
	term.keys("pgdown")
	term.shows("-    \"/books\": {", "+    \"/volumes\": {")
	term.keys("w", "enter")
	term.shows("/volumes")
	term.keys("G", "x")
	term.shows("Remove path /volumes of api shop?", "It is the only path of its API")
	term.keys("tab", "enter")
	term.shows("done: removed path /volumes of api shop", "no API yet")
	if b := reload(t, dir).Backend; len(b.APIs) != 0 || b.Function("books") == nil {
		t.Errorf("the APIs are %v", b.APIs)
	}
	term.keys("u")
	term.shows("done: taken back: removed path /volumes of api shop", "/volumes")
	if b := reload(t, dir).Backend; len(b.APIs) != 1 || b.API("shop").Path("/volumes") == nil {
		t.Errorf("taken back the APIs are %v", b.APIs)
	}
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

func TestBackAndForthLosesNothing(t *testing.T) {
	term := open(t, folder(t), "none", 80, 24, wizard.Route{})
	term.keys("enter", "enter", "enter", "shop", "enter", "/a", "enter", "enter", "fn", "ctrl+r")
	term.shows("! actions: no action is chosen")
	term.keys("esc", "esc", "esc", "esc", "esc")
	term.shows("> /a")
	term.keys("enter", "enter")
	term.shows("> fn")
	term.keys("ctrl+z", "ctrl+z")
	term.keys("ctrl+y", "ctrl+y")
	term.shows("fn")
}

func TestADraftIsOfferedAgainAfterTheProgramWasKilled(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, "none", 80, 24, wizard.Route{})
	term.keys("enter", "enter", "enter", "shop", "enter", "/books", "enter")
	again := open(t, dir, "none", 80, 24, nil)
	again.shows("> Go on with the draft", "api shop")
	again.keys("enter")
	again.shows("What may signed-in users do?")
	again.keys("esc", "esc", "esc", "esc", "esc")
	again.shows("> /books")
}

func TestQuittingWithAnswersAsksAndSavesThem(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, "none", 80, 24, wizard.Route{})
	term.keys("enter", "shop", "ctrl+c")
	term.shows("Quit with unsaved work?", "Save draft", "Discard", "Cancel")
	term.keys("esc")
	if term.quit {
		t.Fatal("cancel quits")
	}
	term.keys("ctrl+c", "ctrl+c")
	if !term.quit {
		t.Fatal("a second ctrl+c does not quit")
	}
}

func TestWhatCannotBeWrittenIsSaidAndTheAnswersStay(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, "none", 80, 24, wizard.Route{Start: wizard.FromSample})
	term.shows("Review")
	if err := os.WriteFile(filepath.Join(dir, ".gatewright"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	term.keys("w")
	term.shows("nothing was written", ".gatewright must be a folder")
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("there is %v", entries)
	}
	if err := os.Remove(filepath.Join(dir, ".gatewright")); err != nil {
		t.Fatal(err)
	}
	term.keys("w")
	term.shows("Written")
}

func TestAnAmplifyProjectIsWalkedWithWhatItsToolAllows(t *testing.T) {
	dir := folder(t)
	if err := os.CopyFS(dir, os.DirFS("../../testdata/amplify")); err != nil {
		t.Fatal(err)
	}
	term := open(t, dir, "none", 80, 24, welcome.Route{})
	term.keys("j", "j", "j", "enter")
	term.shows("warning: old is an older format, read and not edited; run: gatewright migrate")
	term.keys("j", "j", "j", "enter", "/more", "enter", "up")
	term.shows("amplify add function")
	term.keys("down", "enter", "j", "enter", "j", "enter", "enter")
	term.shows("Review", "update amplify/backend/api/shop/cli-inputs.json")
	term.keys("w", "enter")
	term.shows("[1 APIs]", "/more", "open to everybody")
}

func TestTheSampleCanBeWrittenAsItIs(t *testing.T) {
	dir := folder(t)
	term := open(t, dir, "none", 120, 40, nil)
	term.keys("down", "enter")
	term.shows("Review", "table books (new)")
	term.keys("w")
	term.shows("Written")
	if problems := reload(t, dir).Validate(); len(problems) > 0 {
		t.Errorf("the sample has problems: %v", problems)
	}
}

// bigProject is a project with one API of n paths.
func bigProject(t testing.TB, n int) string {
	t.Helper()
	dir := folder(t)
	api := &model.API{Label: "big"}
	for i := range n {
		api.Paths = append(api.Paths, &model.Path{Name: fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), Function: "f", Access: model.Access{Setting: model.Open}})
	}
	for name, data := range map[string][]byte{
		"backend/project.json":            render.Project(model.Project{Name: "big", ApplicationID: "a", Dialect: model.Neutral}, render.Whole),
		"backend/api/big/cli-inputs.json": render.API(api, render.Whole),
		"backend/function/f/function.json": render.Function(&model.Function{
			Name: "f", Runtime: model.NodeJS, Template: model.Express, Handler: "index.handler",
		}, render.Whole),
		"backend/environments/dev.json": render.Environment(&model.Environment{Name: "dev", Provider: model.Local}, render.Whole),
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRandomKeysNeitherPanicNorOverflowTheWindow presses ten thousand keys, with
// a resize now and then; a wrong seed is printed.
func TestRandomKeysNeitherPanicNorOverflowTheWindow(t *testing.T) {
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	term := open(t, bigProject(t, 30), "none", 80, 24, welcome.Route{})
	var names []string
	for name := range named {
		if name != "ctrl+c" && name != "ctrl+r" && name != "ctrl+s" {
			names = append(names, name)
		}
	}
	press := func(msg tea.Msg) {
		var cmd tea.Cmd
		term.model, cmd = term.model.Update(msg)
		if cmd != nil && random.IntN(3) > 0 {
			term.run(cmd)
		}
	}
	for i := range 10_000 {
		switch random.IntN(12) {
		case 0:
			term.w, term.h = random.IntN(160), random.IntN(50)
			press(tea.WindowSizeMsg{Width: term.w, Height: term.h})
		case 1, 2, 3:
			r := rune("ajkx/{}1 qweGgrp?"[random.IntN(17)])
			press(tea.KeyPressMsg{Code: r, Text: string(r)})
		default:
			press(named[names[random.IntN(len(names))]])
		}
		if i%7 != 0 {
			continue
		}
		lines := strings.Split(term.model.View().Content, "\n")
		if len(lines) > max(1, term.h) {
			t.Fatalf("key %d: %d lines in a window of %dx%d", i, len(lines), term.w, term.h)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > term.w {
				t.Fatalf("key %d: a line of %d cells in a window of %dx%d: %q", i, ansi.StringWidth(line), term.w, term.h, line)
			}
		}
	}
}

// BenchmarkTyping types one character into the path of an API with many paths,
// beside a bare program that shows a text of the same size.
func BenchmarkTyping(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		term := open(b, bigProject(b, n), "dark", 120, 40, wizard.Route{Task: flow.Task{API: "big"}})
		on := true
		b.Run(fmt.Sprintf("update/%d", n), func(b *testing.B) {
			for b.Loop() {
				msg := tea.KeyPressMsg{Code: 'x', Text: "x"}
				if on = !on; on {
					msg = named["backspace"]
				}
				term.model, _ = term.model.Update(msg)
			}
		})
		b.Run(fmt.Sprintf("update+view/%d", n), func(b *testing.B) {
			for b.Loop() {
				msg := tea.KeyPressMsg{Code: 'x', Text: "x"}
				if on = !on; on {
					msg = named["backspace"]
				}
				term.model, _ = term.model.Update(msg)
				_ = term.model.View()
			}
		})
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
