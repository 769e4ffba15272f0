package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatewright/project"
	"gatewright/tui/dashboard"
)

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

// TestNoKeyOfADashboardThatOnlyReadsWrites presses every key that a tab declares,
// and every letter, on the first rows of every tab.
func TestNoKeyOfADashboardThatOnlyReadsWrites(t *testing.T) {
	dir := changedShop(t)
	above := filepath.Dir(dir)
	term := look(t, dir, "none", 120, 40, dashboard.Route{})
	before := everyFile(t, above)
	for tab := range boardTabs {
		for row := range 3 {
			for key := '!'; key <= '~'; key++ {
				term.keys("esc", "esc", fmt.Sprint(tab+1), "g")
				for range row {
					term.keys("down")
				}
				term.keys(string(key), "enter", "tab", "enter", "ctrl+s", "esc")
				term.quit = false
			}
		}
	}
	if diff := cmp.Diff(before, everyFile(t, above)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

// TestRandomKeysOnTheDashboardWriteNothing presses ten thousand keys, with a
// resize now and then.
func TestRandomKeysOnTheDashboardWriteNothing(t *testing.T) {
	dir := changedShop(t)
	term := look(t, dir, "none", 80, 24, dashboard.Route{})
	before := everyFile(t, dir)
	pressAtRandom(t, term, 11)
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

// TestRandomKeysOnADashboardThatWritesLeaveAProject presses as many where they may
// write; what is left can be read.
func TestRandomKeysOnADashboardThatWritesLeaveAProject(t *testing.T) {
	dir := changedShop(t)
	pressAtRandom(t, open(t, dir, "none", 80, 24, nil), 12)
	if _, err := project.Open(dir); err != nil {
		t.Errorf("what is left cannot be read: %v", err)
	}
}

// pressAtRandom presses ten thousand keys, and clicks, resizes and pastes now and
// then: nothing breaks, and no window is fuller than it is large. s is left out,
// which starts a sandbox.
func pressAtRandom(t *testing.T, term *terminal, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, seed))
	const letters = "12345678/aeEjkyrgGoumcvwxpnidftbABDFJKLOQSUV?<>+-"
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(named)), func(name string) bool { return name == "ctrl+c" })
	press := func(msg tea.Msg) {
		var cmd tea.Cmd
		term.model, cmd = term.model.Update(msg)
		if cmd != nil && random.IntN(8) == 0 {
			term.run(cmd)
		}
		term.quit = false
	}
	for i := range 10_000 {
		switch random.IntN(12) {
		case 0:
			term.w, term.h = random.IntN(220), random.IntN(70)
			press(tea.WindowSizeMsg{Width: term.w, Height: term.h})
		case 1, 2, 3, 4:
			r := rune(letters[random.IntN(len(letters))])
			press(tea.KeyPressMsg{Code: r, Text: string(r)})
		case 5:
			press(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		case 6:
			x, y := random.IntN(max(1, term.w)), random.IntN(max(1, term.h))
			press([]tea.Msg{tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown}}[random.IntN(2)])
		default:
			press(named[names[random.IntN(len(names))]])
		}
		if i%5 == 0 {
			checkWindow(t, term, i)
		}
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
