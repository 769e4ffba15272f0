package dialog_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// press is the press of a key by name; a name of one character is that character.
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

// The messages of the actions that follow the dialogs of these tests.
type (
	pressed string // a button
	picked  string
	entered string
	chosen  []string
	filled  []string
	// nothing is the message if no action follows.
	nothing struct{}
)

func says(msg tea.Msg) func() tea.Cmd {
	return func() tea.Cmd { return func() tea.Msg { return msg } }
}

// gives makes a message of a dialog's answer.
func gives[T any](as func(T) tea.Msg) func(T) tea.Cmd {
	return func(answer T) tea.Cmd { return says(as(answer))() }
}

func pick(id string) tea.Msg    { return picked(id) }
func enter(text string) tea.Msg { return entered(text) }

// push gives a dialog a message as the frame does.
func push(d dialog.Dialog, msg tea.Msg) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		b, found := keys.Find(d.Bindings(), key, d.Typing())
		switch {
		case found && b.Disabled != "":
			return
		case found && b.Do != nil:
			b.Do()
			return
		case !d.Typing():
			return
		}
	}
	d.Update(msg)
}

// answer presses keys until the dialog ends, and returns the message of the action that
// follows; nil if the dialog does not end.
func answer(d dialog.Dialog, keys ...string) tea.Msg {
	for _, key := range keys {
		if msg := answerTo(d, press(key)); msg != nil {
			return msg
		}
	}
	return nil
}

func answerTo(d dialog.Dialog, msg tea.Msg) tea.Msg {
	push(d, msg)
	then, ended := d.Ended()
	switch {
	case !ended:
		return nil
	case then == nil:
		return nothing{}
	}
	return then()()
}

func plainView(d dialog.Dialog, w, h int) string {
	return ansi.Strip(d.View(theme.New(theme.Dark), w, h))
}

func question() dialog.Dialog {
	return dialog.Confirm("Unsaved", "What now?",
		dialog.Button{Label: "Save draft", Do: says(pressed("save"))},
		dialog.Button{Label: "Send", Do: says(pressed("send"))},
		dialog.Button{Label: "Cancel", Cancel: true, Do: says(pressed("stay"))})
}

func TestConfirmEndsWithTheButton(t *testing.T) {
	t.Parallel()
	tests := []struct {
		keys string
		want tea.Msg
	}{
		{"enter", pressed("save")},
		{"space", pressed("save")},
		{"tab enter", pressed("send")},
		{"right right enter", pressed("stay")},
		{"right right right enter", pressed("save")},
		{"left enter", pressed("stay")},
		{"shift+tab shift+tab enter", pressed("send")},
		{"s", pressed("save")},
		{"S", pressed("save")},
		{"e", pressed("send")}, // s is taken
		{"c", pressed("stay")},
		{"esc", pressed("stay")},
		{"x", nil},
	}
	for _, test := range tests {
		if got := answer(question(), strings.Fields(test.keys)...); got != test.want {
			t.Errorf("%s: %v, want %v", test.keys, got, test.want)
		}
	}
}

func TestConfirmWithoutACancelButtonIsCancelledByEsc(t *testing.T) {
	t.Parallel()
	d := dialog.Confirm("t", "x", dialog.Button{Label: "Go", Do: says(pressed("go"))})
	if got := answer(d, "esc"); got != (nothing{}) {
		t.Errorf("got %v", got)
	}
}

func TestConfirmWithoutButtonsCanBeLeft(t *testing.T) {
	t.Parallel()
	if got := answer(dialog.Confirm("t", "x"), "enter"); got != (nothing{}) {
		t.Errorf("got %v", got)
	}
}

func TestTheButtonsStayInViewBelowALongText(t *testing.T) {
	t.Parallel()
	d := dialog.Confirm("Long", strings.Repeat("many words ", 200), dialog.Button{Label: "Accept"})
	if view := plainView(d, 40, 10); !strings.Contains(view, "Accept") {
		t.Errorf("no button in\n%s", view)
	}
}

func TestInputKeepsARefusedTextAndSaysWhy(t *testing.T) {
	t.Parallel()
	d := dialog.Input("Name", "items", func(text string) error {
		if strings.Contains(text, " ") {
			return errors.New("a name has no space")
		}
		return nil
	}, gives(enter))
	if view := plainView(d, 60, 10); !strings.Contains(view, "items") {
		t.Errorf("no placeholder in\n%s", view)
	}
	if got := answer(d, "a", "space", "b", "enter"); got != nil {
		t.Fatalf("a refused text ended the dialog with %v", got)
	}
	if view := plainView(d, 60, 10); !strings.Contains(view, "error: a name has no space") || !strings.Contains(view, "a b") {
		t.Errorf("the reason or the text is missing in\n%s", view)
	}
	if got := answer(d, "backspace", "backspace", "c", "enter"); got != entered("ac") {
		t.Errorf("got %v", got)
	}
	if got := answer(d, "esc"); got != (nothing{}) {
		t.Errorf("esc ended with %v", got)
	}
}

func items() []prose.Option {
	return []prose.Option{
		{Key: "i", Title: "items", Detail: "nodejs"},
		{Key: "b", Title: "books", Detail: "python", Disabled: "it is being written"},
		{Key: "u", Title: "users", Detail: "nodejs"},
	}
}

func TestChooseGivesTheOption(t *testing.T) {
	t.Parallel()
	tests := []struct {
		keys string
		want tea.Msg
	}{
		{"enter", picked("i")},
		{"down down enter", picked("u")},
		{"down down down down enter", picked("u")},
		{"up enter", picked("i")},
		{"u s e enter", picked("u")},
		{"n o d e down enter", picked("u")},
		{"z z enter", nil},
		{"z z backspace backspace enter", picked("i")},
		{"down enter", nil},
		{"esc", nothing{}},
	}
	for _, test := range tests {
		if got := answer(dialog.Choose("Function", items(), "", gives(pick)), strings.Fields(test.keys)...); got != test.want {
			t.Errorf("%s: %v, want %v", test.keys, got, test.want)
		}
	}
}

func TestChooseStartsAtTheCurrentOption(t *testing.T) {
	t.Parallel()
	if got := answer(dialog.Choose("Function", items(), "u", gives(pick)), "enter"); got != picked("u") {
		t.Errorf("enter: %v", got)
	}
	if got := answer(dialog.Choose("Function", items(), "u", gives(pick)), "up", "up", "enter"); got != picked("i") {
		t.Errorf("up up enter: %v", got)
	}
}

func TestChooseSaysWhyAnOptionIsDisabled(t *testing.T) {
	t.Parallel()
	d := dialog.Choose("Function", items(), "", gives(pick))
	if view := plainView(d, 80, 20); !strings.Contains(view, "not available: it is being written") {
		t.Errorf("no reason in the list\n%s", view)
	}
	answer(d, "down")
	if view := plainView(d, 80, 20); strings.Count(view, "not available: it is being written") != 2 {
		t.Errorf("no reason below the list\n%s", view)
	}
}

func TestTheCursorOfALongListStaysInView(t *testing.T) {
	t.Parallel()
	many := make([]prose.Option, 500)
	for i := range many {
		many[i] = prose.Option{Key: "x", Title: strings.Repeat("i", i%30+1)}
	}
	d := dialog.Choose("Many", many, "", gives(pick))
	for _, key := range []string{"pgdown", "pgdown", "down", "pgup", "down", "pgdown", "up"} {
		d.View(theme.New(theme.None), 60, 12)
		answer(d, key)
		if view := plainView(d, 60, 12); !strings.Contains(view, "▌ ") {
			t.Fatalf("after %s the cursor is out of view\n%s", key, view)
		}
	}
}

// bound is a binding whose action picks its label.
func bound(key, label, about, why, group string) keys.Binding {
	b := keys.Action(label, about, says(picked(label))).Unless(why).In(group)
	b.SetKeys(key)
	b.SetHelp(keys.Name(key), label)
	return b
}

func TestHelpIsFilteredAndShowsReasons(t *testing.T) {
	t.Parallel()
	up := bound("up", "move", "", "", "wizard")
	up.SetKeys("up", "down")
	d := dialog.Help([]keys.Binding{
		bound("enter", "next", "take the answer", "", "wizard"),
		bound("ctrl+z", "undo", "take back", "nothing was done", "answer"),
		up,
	})
	view := plainView(d, 100, 20)
	for _, want := range []string{"take the answer", "(ctrl+z)  answer  take back (not now: nothing was done)", "↑, ↓", "move"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if strings.Index(view, "move") > strings.Index(view, "take back") {
		t.Errorf("a group is not contiguous\n%s", view)
	}
	answer(d, "u", "n", "d")
	if view := plainView(d, 100, 20); strings.Contains(view, "take the answer") || !strings.Contains(view, "take back") {
		t.Errorf("not filtered\n%s", view)
	}
	for _, key := range []string{"esc", "enter", "f1"} {
		if got := answer(dialog.Help(nil), key); got != (nothing{}) {
			t.Errorf("%s ended with %v", key, got)
		}
	}
}

func TestNoDialogIsLargerThanItsRectangle(t *testing.T) {
	t.Parallel()
	hostile := "\x1b[2J名前\ttab\nline " + strings.Repeat("long", 60)
	refuse := func(string) error { return errors.New(hostile) }
	log := dialog.NewLog(hostile, nil)
	log.Append(entry.Read([]logs.Line{{Level: logs.Error, Text: hostile}, {Text: hostile}}), hostile, hostile)
	dialogs := []dialog.Dialog{
		dialog.Confirm(hostile, hostile, dialog.Button{Label: hostile}, dialog.Button{Label: "Yes"}),
		dialog.Confirm("none", hostile),
		dialog.Input(hostile, hostile, refuse, nil),
		dialog.Choose(hostile, []prose.Option{{Key: "x", Title: hostile, Detail: hostile}, {Key: "y", Title: "b", Disabled: hostile}}, "", nil),
		dialog.Choose("empty", nil, "", nil),
		dialog.Several(hostile, []prose.Option{{Key: "x", Title: hostile, Detail: hostile}}, nil, func([]string) error { return errors.New(hostile) }, nil),
		dialog.Form(hostile, []dialog.Question{{Name: hostile, Hint: hostile, Value: hostile}, {Name: "b", Options: []string{hostile}}, {Name: "c", Options: []string{}}}, nil, nil),
		dialog.Agree(hostile, hostile, hostile, "", nil),
		dialog.Agree(hostile, hostile, hostile, hostile, nil),
		dialog.Edit(dialog.Editing{Title: hostile, Text: hostile, Check: func(string) (int, error) { return 2, errors.New(hostile) }}),
		dialog.Text(hostile, hostile),
		dialog.Help([]keys.Binding{bound(hostile, hostile, hostile, hostile, hostile), {}}),
		dialog.Palette(hostile, []keys.Binding{bound(hostile, hostile, hostile, hostile, hostile), {}}, nil, nil),
		dialog.Help(nil),
		log,
	}
	for i, d := range dialogs {
		answer(d, "down", "enter", "x")
		for w := 1; w <= 90; w += 8 {
			for h := 1; h <= 24; h += 2 {
				view := d.View(theme.New(theme.Light), w, h)
				lines := strings.Split(view, "\n")
				if len(lines) > h {
					t.Fatalf("%d at %dx%d has %d lines", i, w, h, len(lines))
				}
				for _, line := range lines {
					if layout.Width(line) > w {
						t.Fatalf("%d at %dx%d: %q is %d wide", i, w, h, line, layout.Width(line))
					}
				}
				if strings.Contains(view, "\x1b[2J") {
					t.Fatalf("dialog %d sends a control sequence to the terminal", i)
				}
			}
		}
	}
}
