package app_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/project"
	"gatewright/test/depth"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

// TestNoKeyOfAReadOnlyDashboardWrites presses every key on the first rows of every tab,
// one after the other.
func TestNoKeyOfAReadOnlyDashboardWrites(t *testing.T) {
	depth.WithoutRace(t)
	dir := apptest.ChangedShop(t)
	// Texts that go to an editor stay there, because no editor is run.
	t.Setenv("TMPDIR", t.TempDir())
	unchanged := apptest.Unchanged(t, filepath.Dir(dir))
	term := apptest.OpenReadOnly(t, dir, "none", 120, 40, route.Dashboard{})
	term.Unseen = true
	for _, tab := range apptest.Tabs {
		for row := range 2 {
			for i, key := range frametest.Names() {
				if i%everyPlace != 0 {
					continue
				}
				term.Keys("esc", "esc")
				term.Tab(tab).Keys("g")
				for range row {
					term.Keys("down")
				}
				term.Keys(key, "enter", "tab", "enter", "ctrl+s", "esc")
				term.Quit = false
			}
		}
	}
	unchanged()
}

func TestRandomKeysOnAReadOnlyDashboardWriteNothing(t *testing.T) {
	dir := apptest.ChangedShop(t)
	term := apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{})
	unchanged := apptest.Unchanged(t, dir)
	pressAtRandom(t, term, 11, 8)
	unchanged()
}

// TestRandomKeysOnADashboardLeaveAProject presses them on a dashboard that may write: the
// project can still be read afterwards.
func TestRandomKeysOnADashboardLeaveAProject(t *testing.T) {
	dir := apptest.ChangedShop(t)
	pressAtRandom(t, apptest.Open(t, dir, "none", 80, 24, nil), 12, 8)
	if _, err := project.Open(dir); err != nil {
		t.Errorf("the project cannot be read: %v", err)
	}
}

func TestRandomKeysOnTheWelcomePageBreakNothing(t *testing.T) {
	pressAtRandom(t, apptest.Open(t, big(t, 30), "none", 80, 24, route.Welcome{}), 7, 2)
}

// pressAtRandom presses twenty thousand random keys, with some clicks, resizes and
// pastes: nothing panics, and all text fits the window. One command in runOneIn is run;
// the key s is left out, because it starts a sandbox.
func pressAtRandom(t *testing.T, term *apptest.Terminal, seed uint64, runOneIn int) {
	t.Helper()
	// Texts that go to an editor stay there, because no editor is run.
	t.Setenv("TMPDIR", t.TempDir())
	random := rand.New(rand.NewPCG(seed, seed))
	var names []string
	for _, name := range frametest.Names() {
		if name != "s" {
			names = append(names, name)
		}
	}
	press := func(msg tea.Msg) {
		var cmd tea.Cmd
		term.Model, cmd = term.Model.Update(msg)
		if cmd != nil && random.IntN(runOneIn) == 0 {
			term.Run(cmd)
		}
		term.Quit = false
	}
	key := func(name string) tea.KeyPressMsg {
		if key, ok := frametest.Key(name); ok {
			return key
		}
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
	usual := []string{"enter", "esc", "esc", "tab", "up", "down", "left", "right", "pgdown", "space", "backspace"}
	for i := range depth.Rounds(2222, 6666, 20000) {
		x, y := random.IntN(max(1, term.W)), random.IntN(max(1, term.H))
		switch random.IntN(16) {
		case 0:
			term.W, term.H = 50+random.IntN(170), 12+random.IntN(58)
			if random.IntN(4) == 0 {
				term.W, term.H = random.IntN(60), random.IntN(15)
			}
			press(tea.WindowSizeMsg{Width: term.W, Height: term.H})
		case 1:
			press(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		case 2:
			press(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		case 3:
			press(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
		case 4, 5, 6, 7, 8, 9:
			press(key(usual[random.IntN(len(usual))]))
		default:
			press(key(names[random.IntN(len(names))]))
		}
		if i%5 == 0 {
			term.Fits(fmt.Sprint("key ", i, " of seed ", seed))
		}
	}
}
