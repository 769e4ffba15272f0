package app

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/tui/dashboard"
	"gatewright/tui/frame"
	"gatewright/tui/welcome"
)

// boardSizes are those of sizes and a very large window.
var boardSizes = append(slices.Clone(sizes), [2]int{200, 60})

// boardTabs are the tabs in their order, as goldens are named for them.
var boardTabs = []string{"apis", "functions", "access", "environments", "tables", "outputs", "definitions", "activity"}

func TestEveryTabLooksAsItsGolden(t *testing.T) {
	dir := changedShop(t)
	for _, size := range boardSizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := look(t, dir, "none", size[0], size[1], dashboard.Route{})
			at := func(name string) { term.golden(fmt.Sprintf("dashboard_%s_%dx%d", name, size[0], size[1])) }
			for i, name := range boardTabs {
				term.keys(fmt.Sprint(i + 1))
				at(name)
				term.keys("down", "down", "down")
				at(name + "_below")
			}
			term.keys("1", "/", "isbn")
			at("apis_filtered")
			term.keys("zz", "enter")
			at("apis_nothing_matches")
			term.keys("esc", "g", "down", "enter")
			at("apis_whole_row")
			term.keys("esc", "o")
			at("apis_ordered")
			term.keys("g", "down", "down", "v")
			at("apis_difference")
			term.keys("esc", "4", "right", "right")
			at("environments_qa")
			term.keys("left", "left", "8", "g", "down", "down", "enter")
			at("activity_unfolded")
			term.keys("6", "g", "right", "right", "enter")
			at("outputs_planned")
			term.keys("left", "left", "e")
			at("choose_environment")
			term.keys("down", "enter", "1")
			at("apis_prod")
			term.keys("ctrl+p")
			at("palette")
			term.keys("filt")
			at("palette_filtered")
			term.keys("esc", "?")
			at("help")
		})
	}
}

// TestStylesAreThoseOfTheTheme compares a tab with its escape sequences.
func TestStylesAreThoseOfTheTheme(t *testing.T) {
	dir := changedShop(t)
	for _, theme := range []string{"dark", "light", "high-contrast", "none"} {
		term := look(t, dir, theme, 60, 15, dashboard.Route{})
		for i, name := range boardTabs {
			term.keys(fmt.Sprint(i+1), "down", "down")
			term.styled(fmt.Sprintf("dashboard_styles_%s_%s", theme, name))
		}
	}
}

var colourCode = regexp.MustCompile("\x1b\\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")

func TestWithoutColourNothingIsToldByColour(t *testing.T) {
	o := Options{Dir: changedShop(t), Start: dashboard.Route{}, Environ: []string{"TERM=xterm-256color", "NO_COLOR=1"}}
	term := begin(t, o, nil, 80, 24)
	for _, want := range [][]string{
		{"[1 APIs]", "> admin", "+ new", "~ changed", "= no change", "~ function", "- gone"},
		{"[2 Functions", "> "},
		{"[3 Access", "> "},
		{"[4 Environments]", "> ≠ provider", "[dev]"},
		{"[5 Tables", "no table"},
		{"[6 Outputs]", "> "},
		{"[7 Definitions", "> "},
		{"[8 Activity", "~ Update     api shop", "+ Create     function news"},
	} {
		term.shows(want...)
		if code := colourCode.FindString(term.model.View().Content); code != "" {
			t.Errorf("there is the colour %q in %s", code, want[0])
		}
		term.keys("tab")
	}
}

func TestWhatIsMissingIsSaidInItsPlace(t *testing.T) {
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "bare", ApplicationID: "app2", Dialect: model.Neutral}))
	bare := folder(t)
	written(t, bare, b)
	term := look(t, bare, "none", 80, 24, dashboard.Route{})
	term.shows("no environment", "no API yet; design one with: gatewright add api")
	term.keys("4").shows("the project has no environment; make one with: gatewright add env NAME")
	term.keys("8").shows("what a push would do is not told", "! the project has no environment")
	term.keys("e").shows("not available: there is no other environment")

	fresh := folder(t)
	written(t, fresh, shop(t))
	must(t, os.Remove(filepath.Join(fresh, "client_config.json")))
	term = look(t, fresh, "none", 80, 24, dashboard.Route{Environment: "qa"})
	term.golden("dashboard_never_pushed_80x24")
	term.keys("6")
	term.golden("dashboard_no_client_file_80x24")
	term.keys("8").shows("6 to create, and nothing was pushed yet")
}

func TestABrokenFileIsNamedAndTheRestIsThere(t *testing.T) {
	dir := changedShop(t)
	put(t, dir, "backend/function/books/function.json", `{"name": "books",`)
	put(t, dir, "client_config.json", "{\n  \"version\": \"1\",\n  \"auht\": {}\n}\n")
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	term.golden("dashboard_broken_80x24")
	term.keys("8").shows("! backend/function/books/function.json:1:", "Activity", "not told")
	term.keys("6")
	term.golden("dashboard_broken_client_80x24")
	term.keys("4").shows("[dev]", "prod")
}

func TestAnEnvironmentIsSwitchedOnThisPageAlone(t *testing.T) {
	dir := changedShop(t)
	before := everyFile(t, dir)
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	term.shows("environment dev  pushed 2026-03-01 12:00")
	term.keys("right").shows("environment prod (guarded)  never pushed", "· not here")
	term.keys("right").shows("environment qa  never pushed", "branch release")
	term.keys("right").shows("environment dev")
	term.keys("e", "down", "down", "enter").shows("environment qa")
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
	look(t, dir, "none", 80, 24, dashboard.Route{Environment: "qa"}).shows("environment qa")
	look(t, dir, "none", 80, 24, dashboard.Route{Environment: "gone"}).shows("environment dev", "warning: there is no environment gone")
}

func TestTheDashboardIsOpenedFromTheWelcome(t *testing.T) {
	empty := open(t, folder(t), "none", 80, 24, nil)
	empty.keys("d").shows("not available: there is no project yet")
	term := open(t, changedShop(t), "none", 80, 24, welcome.Route{})
	term.shows("d dashboard")
	term.keys("d").shows("welcome › dashboard", "[1 APIs]", "~ changed")
	term.keys("/", "q", "esc", "esc").shows("Design another API")
}

func TestAProjectBeginsWithTheDashboardAndAnEmptyFolderWithTheWelcome(t *testing.T) {
	open(t, folder(t), "none", 80, 24, nil).shows("gatewright › welcome")
	term := open(t, changedShop(t), "none", 80, 24, nil)
	term.shows("gatewright › dashboard", "[1 APIs]", "a add path")
	term.keys("ctrl+p", "the welcome", "enter").shows("dashboard › welcome", "Design another API")
	term.keys("esc").shows("[1 APIs]")
}

func TestAWalkFromTheDashboardComesBackToIt(t *testing.T) {
	dir := changedShop(t)
	term := open(t, dir, "none", 80, 24, nil)
	term.keys("G", "a")
	term.shows("dashboard › add a path", "Which path?")
	term.keys("/extra", "enter", "esc", "esc", "esc", "esc")
	term.shows("[1 APIs]", "a draft of ", "w goes on with it")
	term.keys("n").shows("There is a draft", "Go on with the draft", "Begin anew")
	term.keys("esc", "w").shows("/extra")
}

// TestABreakdownInAWalkFromTheDashboardKeepsTheAnswers asks what is asked when the
// program breaks.
func TestABreakdownInAWalkFromTheDashboardKeepsTheAnswers(t *testing.T) {
	dir := changedShop(t)
	state := filepath.Join(filepath.Dir(dir), "state")
	s, err := session.Open(dir, func(name string) string { return map[string]string{"GATEWRIGHT_STATE": state}[name] })
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	all := newScreens(Options{Dir: dir, Theme: "none"}, s)
	t.Cleanup(all.close)
	term := &terminal{t: t, dir: dir, model: frame.New(all.options())}
	term.resize(80, 24)
	term.run(term.model.Init())
	if where := all.keep(); where != "" {
		t.Errorf("without a walk a draft is kept in %s", where)
	}
	term.keys("G", "a", "/extra", "enter")
	where := all.keep()
	if text, err := os.ReadFile(where); err != nil || !strings.Contains(string(text), "/extra") {
		t.Errorf("the draft in %q is %s %v", where, text, err)
	}
}

func TestTheDashboardOpensNoSession(t *testing.T) {
	dir := changedShop(t)
	must(t, os.RemoveAll(filepath.Join(filepath.Dir(dir), "state")))
	before := everyFile(t, filepath.Dir(dir))
	look(t, filepath.Join(dir, "backend", "api"), "none", 80, 24, dashboard.Route{}).shows("environment dev")
	if diff := cmp.Diff(before, everyFile(t, filepath.Dir(dir))); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
	err := Run(Options{Dir: t.TempDir(), ReadOnly: true})
	if err == nil || !strings.Contains(err.Error(), "no project here") {
		t.Errorf("without a project the error is %v", err)
	}
}

func TestAnInterruptedWriteIsSaidAndLeft(t *testing.T) {
	dir := changedShop(t)
	put(t, dir, ".gatewright/journal/journal.json", "{")
	before := everyFile(t, dir)
	look(t, dir, "none", 80, 24, dashboard.Route{}).shows("! a write is under way or was interrupted", "[1 APIs]")
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

func TestTextOfFilesIsNotObeyedByTheTerminal(t *testing.T) {
	b := shop(t)
	dir := folder(t)
	written(t, dir, b)
	put(t, dir, "backend/environments/qa.json", `{"version": 1, "provider": "local", "branch": "x\u001b[2Jx", "parameters": {"pool": "\u001b]0;title\u0007"}}`)
	put(t, dir, "client_config.json", "{\"version\": \"1\", \"\x1b[2J\": 1}")
	term := look(t, dir, "none", 120, 40, dashboard.Route{Environment: "qa"})
	for range boardTabs {
		if content := term.model.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\x1b]") {
			t.Errorf("a terminal would obey:\n%q", content)
		}
		term.keys("tab")
	}
	term.keys("4").shows("x␛[2Jx")
}

func TestAnAmplifyProjectIsShownAsFarAsItIsKnown(t *testing.T) {
	dir := folder(t)
	must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	term.golden("dashboard_amplify_80x24")
	term.keys("8").shows("is deployed by the Ampli", "run: amplify status")
	term.keys("6").shows("amplify_outputs.json is not there")
}
