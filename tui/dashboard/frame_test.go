package dashboard

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox"
	"gatewright/tui/dashboard/board"
)

// TestKeysAreUniqueInEveryTab: of several bindings of one key at most one is enabled.
func TestKeysAreUniqueInEveryTab(t *testing.T) {
	t.Parallel()
	w := writable(t, paths(t, 2), 80, 24)
	for _, tab := range w.page.tabs {
		w.to(tab.Name())
		for _, keys := range [][]string{{}, {"down"}, {"tab"}, {"tab", "/", "f", "enter"}} {
			w.press(keys...)
			seen := make(map[string]string)
			for _, b := range w.page.Bindings() {
				if b.Label() == "" || b.About == "" || b.Group == "" {
					t.Errorf("in %s the keys %q have no words: %+v", tab.Name(), b.Keys(), b)
				}
				for _, key := range b.Keys() {
					if have, twice := seen[key]; twice && b.Disabled == "" {
						t.Errorf("in %s after %q the key %q is %s and %s", tab.Name(), keys, key, have, b.Label())
					}
					if b.Disabled == "" {
						seen[key] = b.Label()
					}
				}
			}
		}
		w.press("esc")
	}
}

func TestThePaletteDoesWhatIsPicked(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	w := writable(t, dir, 80, 24)
	pick := func(words string) { w.press("ctrl+p", words, "enter") }
	pick("show functions")
	w.Shows("[3 Func")
	w.press("2", "down", "3")
	pick("apis remove")
	w.Shows("[2 APIs]", "Remove path /area0/thing0/{id} of the API shop?")
	w.press("esc", "3", "ctrl+p", "apis remove")
	put(t, apiFile(dir), `{"version": 1, "paths": {"/other": {"name": "/other", "lambdaFunction": "f", "permissions": {"setting": "open"}}}}`)
	w.press("enter").Shows("error: ").Hides("Remove path")
	w.press("ctrl+p", "zzzz", "enter").Shows("not available: nothing matches")
}

// TestThePaletteListsEveryActionOfEveryTab compares it with the bindings of the tabs.
func TestThePaletteListsEveryActionOfEveryTab(t *testing.T) {
	t.Parallel()
	w := writable(t, paths(t, 2), 200, 400)
	listed := strings.Join(strings.Fields(w.press("ctrl+p").Screen()), " ")
	for at, tab := range w.page.tabs {
		for _, b := range tab.Bindings() {
			group := strings.ToLower(tab.Name())
			if at == w.page.current {
				group = "row"
			}
			label := b.Label()
			if b.Disabled != "" {
				label = "(" + label + ")"
			}
			want := " " + group + " " + label
			if b.Group != "" && at == w.page.current {
				want = " " + b.Group + " " + label
			}
			if !strings.Contains(listed, want) {
				t.Errorf("%q of %s is not listed:\n%s", want, tab.Name(), w.Screen())
			}
		}
		if want := "show " + tab.Title(); !strings.Contains(listed, want) {
			t.Errorf("%q is not listed:\n%s", want, listed)
		}
	}
}

func TestTheMouseMovesTheCursorWhenItIsOn(t *testing.T) {
	t.Parallel()
	w := opened(t, paths(t, 40), 80, 24).press("m")
	if w.Model.View().MouseMode == tea.MouseModeNone {
		t.Fatal("m does not take the mouse")
	}
	lines := strings.Split(w.Screen(), "\n")
	find := func(text string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	wheel := func(button tea.MouseButton) { w.Send(tea.MouseWheelMsg{X: 5, Y: find("▌ shop"), Button: button}) }
	wheel(tea.MouseWheelDown)
	if row := w.cursor(); !strings.HasPrefix(row, "/area10/thing10/") {
		t.Errorf("after a turn the cursor is on %s", row)
	}
	wheel(tea.MouseWheelUp)
	click := func(x, y int) { w.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	click(5, find("/area11/thing11"))
	if row := w.cursor(); !strings.HasPrefix(row, "/area11/thing11/") {
		t.Errorf("after a click the cursor is on %q", row)
	}
	y := find("[2 APIs]")
	click(strings.Index(lines[y], " 3 ")+1, y)
	w.Shows("[3 Func")
	click(1, 1000)
	click(1000, 0)
	if w.press("m").Model.View().MouseMode != tea.MouseModeNone {
		t.Error("m does not give the mouse back")
	}
}

func TestAClickOnTheSelectedRowShowsAllOfIt(t *testing.T) {
	t.Parallel()
	w := opened(t, paths(t, 2), 60, 15).press("m", "down").Shows("▌   /area0/thing0/{id}")
	y := slices.IndexFunc(strings.Split(w.Screen(), "\n"), func(line string) bool { return strings.Contains(line, "▌") })
	w.Send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
	w.Shows("f: nodejs, handler", "esc close")
}

func TestEnterShowsAllDetailsOnlyIfTheScreenDoesNot(t *testing.T) {
	t.Parallel()
	opened(t, paths(t, 2), 60, 15).press("down").Shows("enter show all").Keys("enter").Shows("esc close", "f: nodejs, handler")
	opened(t, paths(t, 2), 80, 24).press("down").Shows("f: nodejs, handler").Hides("show all").Keys("enter").Shows("all details are in view")
}

func TestRowsAreSortedAndTheHeadingSaysHow(t *testing.T) {
	t.Parallel()
	dir := paths(t, 3)
	deployed(t, dir)
	w := writable(t, dir, 80, 24)
	w.tell(addPath(w.page, "/zoo"))
	order := func() (names []string) {
		for line := range strings.Lines(w.Screen()) {
			for _, word := range strings.Fields(line) {
				if strings.HasPrefix(word, "/area") || word == "/zoo" {
					names = append(names, word)
				}
			}
		}
		return names
	}
	last := func() string {
		got := order()
		return got[len(got)-1]
	}
	if last() != "/zoo" {
		t.Fatalf("the order is %q", order())
	}
	w.press("o").Shows("by what a push does")
	if order()[0] != "/zoo" {
		t.Errorf("the order is %q:\n%s", order(), w.Screen())
	}
	if w.read(); order()[0] != "/zoo" {
		t.Errorf("read again the order is %q", order())
	}
	w.press("o", "o", "o").Hides(" by what", " by function", " by access")
	if last() != "/zoo" {
		t.Errorf("after all orders it is %q", order())
	}
}

func TestTheHeadSaysWhetherTheSandboxRuns(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	for width, want := range map[int]string{60: "sandbox 127.0.0.1:4280", 120: "sandbox running at 127.0.0.1:4280"} {
		w := opened(t, dir, width, 24)
		w.Shows("no sandbox")
		w.tell(func() tea.Cmd {
			w.page.board.Sandbox = &board.Observed{Running: true, Status: sandbox.Status{Address: "127.0.0.1:4280"}}
			return nil
		})
		w.Shows(want)
	}
}
