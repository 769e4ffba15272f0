package dashboard

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/test/depth"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
)

// everyKey are the names of many keys.
func everyKey() []string {
	keys := []string{
		"enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "space", "backspace", "delete", "insert",
		"shift+up", "shift+down", "ctrl+up", "ctrl+down", "ctrl+left", "ctrl+right", "alt+up", "alt+enter", "ctrl+enter", "shift+enter",
	}
	for n := range 12 {
		keys = append(keys, fmt.Sprint("f", n+1))
	}
	for r := '!'; r <= '~'; r++ {
		keys = append(keys, string(r))
	}
	for r := 'a'; r <= 'z'; r++ {
		keys = append(keys, "ctrl+"+string(r), "alt+"+string(r))
	}
	return keys
}

// keyNamed is the key press for a name of everyKey.
func keyNamed(t testing.TB, name string) tea.KeyPressMsg {
	t.Helper()
	if len(name) == 1 {
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
	key, ok := frametest.Key(name)
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if rest, found := strings.CutPrefix(name, prefix); found && !ok {
			key = keyNamed(t, rest)
			key.Mod, key.Text, ok = mod, "", true
		}
	}
	var n rune
	if _, err := fmt.Sscanf(name, "f%d", &n); err == nil && !ok {
		key, ok = tea.KeyPressMsg{Code: tea.KeyF1 + n - 1}, true
	}
	if name == "insert" {
		key, ok = tea.KeyPressMsg{Code: tea.KeyInsert}, true
	}
	if !ok || key.String() != name {
		t.Fatalf("the key %s is %q", name, key.String())
	}
	return key
}

// keysInHelp are the keys that the help names, each with whether it can be pressed now.
func (w *window) keysInHelp() map[string]bool {
	w.Helper()
	w.Send(keyNamed(w, "?"))
	keys := make(map[string]bool)
	names := map[string]string{"↑": "up", "↓": "down", "←": "left", "→": "right", "pgdn": "pgdown"}
	above, list, found := strings.Cut(w.Screen(), "Keys ─")
	if !found {
		w.Fatalf("there is no help:\n%s", w.Screen())
	}
	// The panes behind the dialog have frames too.
	left := len([]rune(above[strings.LastIndex(above, "\n")+1:])) - len("x ")
	for line := range strings.Lines(list) {
		runes := []rune(line)
		_, line, found := strings.Cut(string(runes[min(left-1, len(runes)):]), "│ ")
		if line = strings.TrimPrefix(strings.TrimPrefix(line, "▌ "), "  "); !found || strings.HasPrefix(line, "/ type to filter") || strings.HasPrefix(line, " ") {
			continue
		}
		column, _, _ := strings.Cut(line, "  ")
		inner, not := strings.CutPrefix(column, "(")
		if strings.HasSuffix(column, "…") {
			w.Fatalf("not all keys are named: %s", line)
		}
		if not {
			inner = strings.TrimSuffix(inner, ")")
		}
		for name := range strings.SplitSeq(inner, ", ") {
			if as, other := names[name]; other {
				name = as
			}
			if !keys[name] {
				keys[name] = !not
			}
		}
	}
	w.press("esc")
	return keys
}

// filesIn are the files of a folder, each with its size and time.
func filesIn(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			all[name] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return all
}

// fullProject is a project with something on every tab.
func fullProject(t testing.TB) string {
	t.Helper()
	b := boardtest.Full(t)
	must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	must(t, edit.AddNamedOutput(b, "limits", model.Outputs{"custom": map[string]any{"limits": map[string]any{"pages": 20}}}))
	dir := folderOf(t, b)
	deployed(t, dir)
	return dir
}

// TestTheHelpNamesEveryKeyThatDoesSomething presses every key on every tab: a key that
// changes the window or a file is in the help, and a key that the help offers is not
// refused.
func TestTheHelpNamesEveryKeyThatDoesSomething(t *testing.T) {
	depth.WithoutRace(t)
	for how, open := range map[string]func(testing.TB, string, int, int) *window{"reading": opened, "writing": writable} {
		t.Run(how, func(t *testing.T) {
			dir := fullProject(t)
			w := open(t, dir, 130, 80)
			place := 0
			for i := range w.page.tabs {
				for _, pane := range []string{"rows", "details"} {
					if pane == "details" && how == "writing" {
						continue
					}
					if place++; place%depth.Rounds(13, 3, 1) != 0 {
						continue
					}
					w.pressEach(dir, func() {
						w.press("esc", "esc", "esc", fmt.Sprint(i+1), "g", "down")
						if pane == "details" {
							w.press("tab")
						}
					})
				}
			}
		})
	}
}

// pressEach presses every key. ready sets up the page, at first and after each key that changed
// something.
func (w *window) pressEach(dir string, ready func()) {
	w.Helper()
	ready()
	tab := w.page.tab().Name()
	help := w.keysInHelp()
	before, files, mouse := w.Screen(), filesIn(w, dir), w.Model.View().MouseMode
	for _, name := range everyKey() {
		if help[name] && (name == "s" || name == "L") {
			// A sandbox and a log run in the background: other tests are about them.
			continue
		}
		if strings.Contains(before, "Keys ─") {
			w.Fatalf("on %s a dialog stays open before %s:\n%s", tab, name, before)
		}
		w.Send(keyNamed(w, name))
		after := w.Screen()
		can, named := help[name]
		refused := strings.Contains(after, "warning: not available: ")
		if _, means := keys.Named(name); means && !named && strings.Contains(after, "does nothing here") {
			w.Keys("f3") // the next key clears the status line
			after = w.Screen()
		}
		changed := after != before || w.Quit || w.Model.View().MouseMode != mouse || !maps.Equal(files, filesIn(w, dir))
		switch {
		case changed && !named:
			w.Errorf("on %s the key %s is not in the help, which has %q; it makes of\n%s\n\n%s", tab, name, slices.Sorted(maps.Keys(help)), before, after)
		case named && can == refused:
			w.Errorf("on %s the help says that %s can be pressed: %v, and the window shows\n%s", tab, name, can, after)
		}
		w.Quit = false
		if changed {
			ready()
			help = w.keysInHelp()
			before, files, mouse = w.Screen(), filesIn(w, dir), w.Model.View().MouseMode
		}
	}
}
