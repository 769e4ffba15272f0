package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/tui/dashboard"
)

func TestEveryTabLooksAsItsGolden(t *testing.T) {
	dir := changedShop(t)
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := look(t, dir, "none", size[0], size[1], dashboard.Route{})
			at := func(name string) { term.golden(fmt.Sprintf("dashboard_%s_%dx%d", name, size[0], size[1])) }
			at("apis")
			term.keys("/", "isbn")
			at("apis_filtered")
			term.keys("zz", "enter")
			at("apis_nothing_matches")
			term.keys("esc", "down", "enter")
			at("apis_whole_row")
			term.keys("esc", "tab")
			at("environments")
			term.keys("right", "right")
			at("environments_qa")
			term.keys("left", "left", "tab")
			at("status")
			term.keys("down", "down", "down", "enter")
			at("status_unfolded")
			term.keys("tab", "down", "down", "down")
			at("client_disk")
			term.keys("enter").shows("not available: a write would change nothing of it")
			term.keys("right", "right", "enter")
			at("client_planned")
			term.keys("left", "left", "e")
			at("choose_environment")
			term.keys("down", "enter", "1")
			at("apis_prod")
			term.keys("?")
			at("help")
		})
	}
}

// TestStylesAreThoseOfTheTheme compares a tab with its escape sequences.
func TestStylesAreThoseOfTheTheme(t *testing.T) {
	dir := changedShop(t)
	for _, theme := range []string{"dark", "light", "high-contrast", "none"} {
		term := look(t, dir, theme, 60, 15, dashboard.Route{})
		for _, tab := range []string{"1", "2", "3", "4"} {
			term.keys(tab, "down", "down")
			term.styled(fmt.Sprintf("dashboard_styles_%s_%s", theme, tab))
		}
	}
}

var colourCode = regexp.MustCompile("\x1b\\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")

func TestWithoutColourNothingIsToldByColour(t *testing.T) {
	o := Options{Dir: changedShop(t), Start: dashboard.Route{}, Environ: []string{"TERM=xterm-256color", "NO_COLOR=1"}}
	term := begin(t, options(o, nil), o.Dir, 80, 24)
	for _, want := range [][]string{
		{"[1 APIs]", "> admin", "+ new", "~ changed", "= no change", "~ function", "- gone"},
		{"[2 Environments]", "> ≠ provider", "[dev]"},
		{"[3 Status (4)]", "> = No change  environment dev", "~ Update     api shop", "+ Create     function news"},
		{"[4 Client file]", "> "},
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
	term.keys("2").shows("the project has no environment; make one with: gatewright add env NAME")
	term.keys("3").shows("what a push would do is not told", "! the project has no environment")
	term.keys("e").shows("not available: there is no other environment")

	fresh := folder(t)
	written(t, fresh, shop(t))
	must(t, os.Remove(filepath.Join(fresh, "client_config.json")))
	term = look(t, fresh, "none", 80, 24, dashboard.Route{Environment: "qa"})
	term.golden("dashboard_never_pushed_80x24")
	term.keys("4")
	term.golden("dashboard_no_client_file_80x24")
	term.keys("3").shows("6 to create, and nothing was pushed yet")
}

func TestABrokenFileIsNamedAndTheRestIsThere(t *testing.T) {
	dir := changedShop(t)
	put(t, dir, "backend/function/books/function.json", `{"name": "books",`)
	put(t, dir, "client_config.json", "{\n  \"version\": \"1\",\n  \"auht\": {}\n}\n")
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	term.golden("dashboard_broken_80x24")
	term.keys("3").shows("! backend/function/books/function.json:1:", "Status", "not told")
	term.keys("4")
	term.golden("dashboard_broken_client_80x24")
	term.keys("2").shows("[dev]", "prod")
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
	term := open(t, changedShop(t), "none", 80, 24, nil)
	term.shows("d dashboard")
	term.keys("d").shows("welcome › dashboard", "[1 APIs]", "~ changed")
	term.keys("/", "q", "esc", "esc").shows("Design another API")
}

func TestTheDashboardOpensNoSession(t *testing.T) {
	dir := changedShop(t)
	must(t, os.RemoveAll(filepath.Join(filepath.Dir(dir), "state")))
	before := everyFile(t, filepath.Dir(dir))
	look(t, filepath.Join(dir, "backend", "api"), "none", 80, 24, dashboard.Route{}).shows("environment dev")
	if diff := cmp.Diff(before, everyFile(t, filepath.Dir(dir))); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
	err := Run(Options{Dir: t.TempDir(), Start: dashboard.Route{}})
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
	for range 4 {
		if content := term.model.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\x1b]") {
			t.Errorf("a terminal would obey:\n%q", content)
		}
		term.keys("tab")
	}
	term.keys("2").shows("x␛[2Jx")
}

// everyFile is every file and folder below dir: what it holds, its mode, and when
// it was changed. A folder's time tells also of files that came and went.
func everyFile(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sum := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			hash := sha256.Sum256(data)
			sum = hex.EncodeToString(hash[:8])
		}
		all[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), sum)
		return nil
	}))
	return all
}

// TestRandomKeysOnTheDashboardWriteNothing presses ten thousand keys, with a
// resize and a change of a file by somebody else now and then.
func TestRandomKeysOnTheDashboardWriteNothing(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, seed))
	dir := changedShop(t)
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	before := everyFile(t, dir)
	var names []string
	for name := range named {
		if name != "ctrl+c" {
			names = append(names, name)
		}
	}
	press := func(msg tea.Msg) {
		var cmd tea.Cmd
		term.model, cmd = term.model.Update(msg)
		if cmd != nil && random.IntN(8) == 0 {
			term.run(cmd)
		}
		if term.quit {
			term.quit = false
		}
	}
	for i := range 10_000 {
		switch random.IntN(12) {
		case 0:
			term.w, term.h = random.IntN(160), random.IntN(50)
			press(tea.WindowSizeMsg{Width: term.w, Height: term.h})
		case 1, 2, 3:
			r := rune("1234/ejkyrgG?dob "[random.IntN(17)])
			press(tea.KeyPressMsg{Code: r, Text: string(r)})
		case 4:
			press(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		default:
			press(named[names[random.IntN(len(names))]])
		}
		if i%5 == 0 {
			checkWindow(t, term, i)
		}
	}
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

// checkWindow fails where the window is fuller than it is large.
func checkWindow(t *testing.T, term *terminal, key int) {
	t.Helper()
	lines := strings.Split(term.model.View().Content, "\n")
	if len(lines) > max(1, term.h) {
		t.Fatalf("key %d: %d lines in a window of %dx%d", key, len(lines), term.w, term.h)
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > term.w {
			t.Fatalf("key %d: a line of %d cells in a window of %dx%d: %q", key, ansi.StringWidth(line), term.w, term.h, line)
		}
	}
}

func TestAnAmplifyProjectIsShownAsFarAsItIsKnown(t *testing.T) {
	dir := folder(t)
	must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	term.golden("dashboard_amplify_80x24")
	term.keys("3").shows("is deployed by the Ampli", "run: amplify status")
	term.keys("4").shows("amplify_outputs.json is not there")
}
