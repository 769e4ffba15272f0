package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/model"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// titled is a tab that is nothing but a title.
type titled struct {
	tab
	name string
}

func (t titled) title() string { return t.name }

// manyTabs is a page of eight tabs with nothing in them.
func manyTabs() *Page {
	p := &Page{}
	for _, name := range []string{"APIs", "Functions (12)", "Access", "Environments", "Tables", "Outputs !", "Definitions", "Activity (4)"} {
		p.tabs = append(p.tabs, titled{name: name})
	}
	return p
}

func TestTheTabLineFitsAndNamesTheOneInFrontAndThoseBesideIt(t *testing.T) {
	p := manyTabs()
	for at := range p.tabs {
		p.at = at
		for _, w := range []int{60, 80, 120} {
			line := p.tabLine(theme.New(theme.None), w)
			if got := layout.Width(line); got > w {
				t.Fatalf("with tab %d in front the line has %d cells, of %d: %q", at+1, got, w, line)
			}
			if !strings.Contains(line, fmt.Sprintf("[%d %s]", at+1, p.tabs[at].title())) {
				t.Errorf("in %d cells the tab in front is not told: %q", w, line)
			}
			for i := max(0, at-1); i <= min(at+1, len(p.tabs)-1); i++ {
				if !strings.Contains(line, p.tabs[i].title()) {
					t.Errorf("in %d cells %s is not named beside tab %d: %q", w, p.tabs[i].title(), at+1, line)
				}
			}
			for i := range p.tabs {
				if !strings.Contains(line, fmt.Sprint(i+1)) {
					t.Errorf("in %d cells there is no number %d: %q", w, i+1, line)
				}
			}
		}
	}
}

func TestKeysAreUniqueInEveryTab(t *testing.T) {
	p := writable(t, paths(t, 2), 80, 24)
	for at := range p.tabs {
		p.toTab(at)
		seen := make(map[string]string)
		for _, b := range p.Keys() {
			for _, key := range b.Keys {
				if have, twice := seen[key]; twice {
					t.Errorf("in %s the key %q is %s and %s", p.tabs[at].title(), key, have, b.Label)
				}
				seen[key] = b.Label
				if b.Label == "" || b.Help == "" {
					t.Errorf("in %s the key %q has no words", p.tabs[at].title(), key)
				}
			}
		}
	}
}

func TestThePaletteDoesWhatIsPicked(t *testing.T) {
	dir := paths(t, 2)
	p := writable(t, dir, 80, 24)
	pick := func(id string) []tea.Msg {
		t.Helper()
		return follow(t, p, p.Update(dialog.Result{ID: paletteDialog, Action: dialog.Picked(id)}))
	}
	pick("tab/1")
	if p.at != 1 {
		t.Errorf("tab %d is in front", p.at+1)
	}
	p.lists[0].move(1)
	pick("apis/x")
	if p.at != 0 || p.proposed == nil || !strings.Contains(p.proposed.title, "/area0/thing0/{id}") {
		t.Errorf("tab %d is in front, asked is %+v", p.at+1, p.proposed)
	}
	p.proposed = nil
	p.lists[0].set(nil)
	pick("apis/x")
	if p.proposed != nil {
		t.Error("what cannot be done any more is done")
	}
	pick("gone/x")
}

// TestThePaletteListsEveryActionOfEveryTab compares it with what the tabs say.
func TestThePaletteListsEveryActionOfEveryTab(t *testing.T) {
	p := writable(t, paths(t, 2), 80, 24)
	listed := dialogText(p.palette())
	for at := range p.tabs {
		for _, a := range p.actions(at) {
			if !strings.Contains(listed, a.binding.Keys[0]+"  "+nameOfTab(p.tabs[at])) || !strings.Contains(listed, a.binding.Label) {
				t.Errorf("%q is not listed:\n%s", a.binding.Label, listed)
			}
		}
		if want := "show " + p.tabs[at].title(); !strings.Contains(listed, want) {
			t.Errorf("%q is not listed:\n%s", want, listed)
		}
	}
}

// dialogText is a dialog in a window that shows all of it.
func dialogText(d dialog.Dialog) string { return ansi.Strip(d.View(theme.New(theme.None), 200, 400)) }

func TestTheMouseIsTakenOnDemandAndMovesTheCursor(t *testing.T) {
	p := opened(t, paths(t, 40), 80, 24)
	if cmd := press(p, "m"); cmd == nil || !p.mouse {
		t.Fatal("m does not take the mouse")
	}
	_ = p.View()
	wheel := func(button tea.MouseButton) { p.Update(tea.MouseWheelMsg{Button: button}) }
	wheel(tea.MouseWheelDown)
	if p.list().at != 3 {
		t.Errorf("after a turn the cursor is on %d", p.list().at)
	}
	wheel(tea.MouseWheelUp)
	lines := strings.Split(shown(p), "\n")
	find := func(text string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	click := func(x, y int) { follow(t, p, p.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})) }
	click(5, find("/area11/thing11"))
	if p.list().cursor() != "shop\x00/area11/thing11/{id}" {
		t.Errorf("after a click the cursor is on %q", p.list().cursor())
	}
	y := find("[1 APIs]")
	click(strings.Index(lines[y], " 2 ")+1, y)
	if p.at != 1 {
		t.Errorf("after a click on the second tab tab %d is in front", p.at+1)
	}
	click(1, 1000)
	click(1000, 0)
	press(p, "m")
	if p.mouse {
		t.Error("m does not give the mouse back")
	}
}

func TestRowsStandInAnotherOrderAndTheHeadingSaysWhich(t *testing.T) {
	dir := paths(t, 3)
	deployed(t, dir)
	p := writable(t, dir, 80, 24)
	follow(t, p, p.change("added", func(b *model.Backend) error { return b.AddPath("shop", path("/zoo", "f")) }))
	order := func() (names []string) {
		for _, r := range p.tabs[0].(*apisTab).rows {
			names = append(names, r.path)
		}
		return names
	}
	if got := order(); got[len(got)-1] != "/zoo" {
		t.Fatalf("the order is %q", got)
	}
	follow(t, p, press(p, "o"))
	if got := order(); got[0] != "" || got[1] != "/zoo" || !strings.Contains(shown(p), "by what a push does") {
		t.Errorf("the order is %q:\n%s", got, shown(p))
	}
	answered(t, p, p.load())
	if got := order(); got[1] != "/zoo" {
		t.Errorf("read again the order is %q", got)
	}
	for range len(apiOrders) - 1 {
		press(p, "o")
	}
	if got := order(); got[len(got)-1] != "/zoo" {
		t.Errorf("after all orders it is %q", got)
	}
}

func TestTheHeadSaysWhetherTheSandboxRuns(t *testing.T) {
	for w, want := range map[int]string{60: "sandbox 127.0.0.1:4280", 120: "sandbox running at 127.0.0.1:4280"} {
		p := opened(t, paths(t, 1), w, 24)
		p.Update(observation{p, &observed{}})
		if text := shown(p); !strings.Contains(text, "no sandbox") {
			t.Errorf("without a sandbox the page shows\n%s", text)
		}
		seen := &observed{running: true}
		seen.status.Address = "127.0.0.1:4280"
		p.Update(observation{p, seen})
		if text := shown(p); !strings.Contains(text, want) {
			t.Errorf("with one it does not show %q\n%s", want, text)
		}
	}
}
