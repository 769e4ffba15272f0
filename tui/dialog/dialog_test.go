package dialog_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// press is a key by its name; a name of one character is that character.
func press(name string) tea.KeyPressMsg {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
		"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
		"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "delete": {Code: tea.KeyDelete},
		"backspace": {Code: tea.KeyBackspace}, "space": {Code: tea.KeySpace, Text: " "}, "f1": {Code: tea.KeyF1},
		"ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+k": {Code: 'k', Mod: tea.ModCtrl},
		"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
	}
	if key, ok := codes[name]; ok {
		return key
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// answer presses keys until the dialog ends.
func answer(d dialog.Dialog, keys ...string) dialog.Action {
	for _, key := range keys {
		if action, _ := d.Update(press(key)); action != nil {
			return action
		}
	}
	return nil
}

func plainView(d dialog.Dialog, w, h int) string {
	return ansi.Strip(d.View(theme.New(theme.Dark), w, h))
}

func question() dialog.Dialog {
	return dialog.Confirm("q", "Unsaved", "What now?",
		dialog.Button{ID: "save", Label: "Save draft"},
		dialog.Button{ID: "send", Label: "Send"},
		dialog.Button{ID: "stay", Label: "Cancel", Cancel: true})
}

func TestConfirmEndsWithTheButton(t *testing.T) {
	tests := []struct {
		keys string
		want dialog.Action
	}{
		{"enter", dialog.Pressed("save")},
		{"space", dialog.Pressed("save")},
		{"tab enter", dialog.Pressed("send")},
		{"right right enter", dialog.Pressed("stay")},
		{"right right right enter", dialog.Pressed("save")},
		{"left enter", dialog.Pressed("stay")},
		{"shift+tab shift+tab enter", dialog.Pressed("send")},
		{"s", dialog.Pressed("save")},
		{"S", dialog.Pressed("save")},
		{"e", dialog.Pressed("send")}, // s is taken
		{"c", dialog.Pressed("stay")},
		{"esc", dialog.Pressed("stay")},
		{"x", nil},
	}
	for _, test := range tests {
		if got := answer(question(), strings.Fields(test.keys)...); got != test.want {
			t.Errorf("%s: %v, want %v", test.keys, got, test.want)
		}
	}
}

func TestConfirmWithoutACancelButtonIsCancelledByEsc(t *testing.T) {
	d := dialog.Confirm("q", "t", "x", dialog.Button{ID: "go", Label: "Go"})
	if got := answer(d, "esc"); got != (dialog.Cancelled{}) {
		t.Errorf("got %v", got)
	}
}

func TestConfirmWithoutButtonsCanBeLeft(t *testing.T) {
	if got := answer(dialog.Confirm("q", "t", "x"), "enter"); got != dialog.Pressed("ok") {
		t.Errorf("got %v", got)
	}
}

func TestTheButtonsStayInViewBelowALongText(t *testing.T) {
	d := dialog.Confirm("q", "Long", strings.Repeat("many words ", 200), dialog.Button{ID: "a", Label: "Accept"})
	if view := plainView(d, 40, 10); !strings.Contains(view, "Accept") {
		t.Errorf("no button in\n%s", view)
	}
}

func TestInputKeepsWhatIsRefusedAndSaysWhy(t *testing.T) {
	d := dialog.Input("name", "Name", "items", func(text string) error {
		if strings.Contains(text, " ") {
			return errors.New("a name has no space")
		}
		return nil
	})
	if view := plainView(d, 60, 10); !strings.Contains(view, "items") {
		t.Errorf("no placeholder in\n%s", view)
	}
	if got := answer(d, "a", "space", "b", "enter"); got != nil {
		t.Fatalf("a refused text ended the dialog with %v", got)
	}
	if view := plainView(d, 60, 10); !strings.Contains(view, "error: a name has no space") || !strings.Contains(view, "a b") {
		t.Errorf("neither reason nor text in\n%s", view)
	}
	if got := answer(d, "backspace", "backspace", "c", "enter"); got != dialog.Entered("ac") {
		t.Errorf("got %v", got)
	}
	if got := answer(d, "esc"); got != (dialog.Cancelled{}) {
		t.Errorf("esc ended with %v", got)
	}
}

func items() []dialog.Item {
	return []dialog.Item{
		{ID: "i", Label: "items", Note: "nodejs"},
		{ID: "b", Label: "books", Note: "python", Disabled: "it is being written"},
		{ID: "u", Label: "users", Note: "nodejs"},
	}
}

func TestChooseEndsWithTheItem(t *testing.T) {
	tests := []struct {
		keys string
		want dialog.Action
	}{
		{"enter", dialog.Picked("i")},
		{"down down enter", dialog.Picked("u")},
		{"down down down down enter", dialog.Picked("u")},
		{"up enter", dialog.Picked("i")},
		{"u s e enter", dialog.Picked("u")},
		{"n o d e down enter", dialog.Picked("u")},
		{"z z enter", nil},
		{"z z backspace backspace enter", dialog.Picked("i")},
		{"down enter", nil},
		{"esc", dialog.Cancelled{}},
	}
	for _, test := range tests {
		if got := answer(dialog.Choose("c", "Function", items()), strings.Fields(test.keys)...); got != test.want {
			t.Errorf("%s: %v, want %v", test.keys, got, test.want)
		}
	}
}

func TestChooseBeginsAtTheCurrentItem(t *testing.T) {
	current := items()
	current[2].Current = true
	if got := answer(dialog.Choose("c", "Function", current), "enter"); got != dialog.Picked("u") {
		t.Errorf("enter: %v", got)
	}
	if got := answer(dialog.Choose("c", "Function", current), "up", "up", "enter"); got != dialog.Picked("i") {
		t.Errorf("up up enter: %v", got)
	}
}

func TestChooseSaysWhyAnItemIsNotAvailable(t *testing.T) {
	d := dialog.Choose("c", "Function", items())
	if view := plainView(d, 80, 20); !strings.Contains(view, "not available: it is being written") {
		t.Errorf("no reason in the list\n%s", view)
	}
	answer(d, "down")
	if view := plainView(d, 80, 20); strings.Count(view, "not available: it is being written") != 2 {
		t.Errorf("no reason below the list\n%s", view)
	}
}

func TestTheCursorOfALongListStaysInView(t *testing.T) {
	many := make([]dialog.Item, 500)
	for i := range many {
		many[i] = dialog.Item{ID: "x", Label: strings.Repeat("i", i%30+1)}
	}
	d := dialog.Choose("c", "Many", many)
	for _, key := range []string{"pgdown", "pgdown", "down", "pgup", "down", "pgdown", "up"} {
		d.View(theme.New(theme.None), 60, 12)
		answer(d, key)
		if view := plainView(d, 60, 12); !strings.Contains(view, "› ") {
			t.Fatalf("after %s the cursor is out of view\n%s", key, view)
		}
	}
}

func TestHelpIsFilteredAndTellsTheReason(t *testing.T) {
	d := dialog.Help([]dialog.Binding{
		{Keys: []string{"enter"}, Label: "next", Help: "take the answer", Group: "walk"},
		{Keys: []string{"ctrl+z"}, Label: "undo", Help: "take back", Disabled: "nothing was done", Group: "answer"},
		{Keys: []string{"up", "down"}, Label: "move", Group: "walk"},
	})
	view := plainView(d, 100, 20)
	for _, want := range []string{"take the answer", "(ctrl+z)  answer  take back (not now: nothing was done)", "↑, ↓", "move"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if strings.Index(view, "move") > strings.Index(view, "take back") {
		t.Errorf("a group is torn apart\n%s", view)
	}
	answer(d, "u", "n", "d")
	if view := plainView(d, 100, 20); strings.Contains(view, "take the answer") || !strings.Contains(view, "take back") {
		t.Errorf("not filtered\n%s", view)
	}
	if got := answer(d, "esc"); got != (dialog.Cancelled{}) {
		t.Errorf("esc ended with %v", got)
	}
}

func TestNoDialogIsLargerThanItsRoom(t *testing.T) {
	hostile := "\x1b[2J名前\ttab\nline " + strings.Repeat("long", 60)
	dialogs := []dialog.Dialog{
		dialog.Confirm("a", hostile, hostile, dialog.Button{ID: "x", Label: hostile}, dialog.Button{ID: "y", Label: "Yes"}),
		dialog.Input("b", hostile, hostile, func(string) error { return errors.New(hostile) }),
		dialog.Choose("c", hostile, []dialog.Item{{ID: "x", Label: hostile, Note: hostile}, {ID: "y", Label: "b", Disabled: hostile}}),
		dialog.Choose("d", "empty", nil),
		dialog.Help([]dialog.Binding{{Keys: []string{hostile}, Help: hostile, Group: hostile, Disabled: hostile}, {}}),
		dialog.Help(nil),
	}
	for _, d := range dialogs {
		answer(d, "down", "enter", "x")
		for w := 1; w <= 90; w += 8 {
			for h := 1; h <= 24; h += 2 {
				view := d.View(theme.New(theme.Light), w, h)
				lines := strings.Split(view, "\n")
				if len(lines) > h {
					t.Fatalf("%s at %dx%d has %d lines", d.ID(), w, h, len(lines))
				}
				for _, line := range lines {
					if layout.Width(line) > w {
						t.Fatalf("%s at %dx%d: %q is %d wide", d.ID(), w, h, line, layout.Width(line))
					}
				}
				if strings.Contains(view, "\x1b[2J") {
					t.Fatalf("%s lets a control sequence through", d.ID())
				}
			}
		}
	}
}
