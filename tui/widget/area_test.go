package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// press is the press of a key by name; a name of one character is that character.
func press(name string) tea.KeyPressMsg {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
		"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"delete": {Code: tea.KeyDelete}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: tea.KeySpace, Text: " "}, "f1": {Code: tea.KeyF1},
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		key := press(rest)
		key.Mod, key.Text = tea.ModCtrl, ""
		return key
	}
	if key, ok := codes[name]; ok {
		return key
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func TestATextOfSeveralLinesIsEdited(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, text string
		msgs       []tea.Msg
		want       string
	}{
		{"nothing", "a\nb", nil, "a\nb"},
		{"typed", "b", []tea.Msg{press("a")}, "ab"},
		{"a new line keeps the indentation", "  a", []tea.Msg{press("end"), press("enter"), press("b")}, "  a\n  b"},
		{"a new line within the indentation", "  a", []tea.Msg{press("right"), press("enter"), press("b")}, " \n b a"},
		{"backspace joins", "a\nb", []tea.Msg{press("down"), press("backspace")}, "ab"},
		{"backspace at the beginning", "a", []tea.Msg{press("backspace")}, "a"},
		{"delete joins", "a\nb", []tea.Msg{press("end"), press("delete")}, "ab"},
		{"delete at the end", "a", []tea.Msg{press("end"), press("delete")}, "a"},
		{"left goes to the line above", "a\nb", []tea.Msg{press("down"), press("left"), press("x")}, "ax\nb"},
		{"right goes to the line below", "a\nb", []tea.Msg{press("right"), press("right"), press("x")}, "a\nxb"},
		{"down through a shorter line", "abc\nd\nefg", []tea.Msg{press("end"), press("down"), press("down"), press("x")}, "abc\nd\nexfg"},
		{"a word", "a b", []tea.Msg{press("end"), press("ctrl+w")}, "a "},
		{"to the end", "ab\nc", []tea.Msg{press("right"), press("ctrl+k"), press("ctrl+k")}, "ac"},
		{"to the beginning", "ab", []tea.Msg{press("end"), press("ctrl+u")}, ""},
		{"from the first to the last", "a\nb\nc", []tea.Msg{press("ctrl+end"), press("x"), press("ctrl+home"), press("y")}, "ya\nb\ncx"},
		{"the last character as a word", "ab\nc", []tea.Msg{press("right"), tea.KeyPressMsg{Code: 'd', Mod: tea.ModAlt}}, "a\nc"},
		{"tab", "a", []tea.Msg{press("tab")}, "  a"},
		{"paste", "[]", []tea.Msg{press("right"), tea.PasteMsg{Content: "1,\r\n\t2\x1b[2J"}}, "[1,\n  2[2J]"},
		{"no key of its own", "a", []tea.Msg{press("f1"), press("esc"), tea.KeyPressMsg{Code: 'x', Text: "x", Mod: tea.ModAlt}}, "a"},
		{"what was given is kept", "a\u202eb\tc", nil, "a\u202eb\tc"},
		{"controls are kept beside what is typed", "\x00\t\x1b[2J\x7f\u0085\ufffd\n\r", []tea.Msg{press("end"), press("x")}, "\x00\t\x1b[2J\x7f\u0085\ufffdx\n\r"},
	} {
		var a widget.Area
		a.SetValue(row.text)
		changed := false
		for _, msg := range row.msgs {
			changed = a.Update(msg) || changed
		}
		if a.Value() != row.want {
			t.Errorf("%s: %q, want %q", row.name, a.Value(), row.want)
		}
		if changed != (row.text != row.want) {
			t.Errorf("%s: Update reports a change: %t, want %t", row.name, changed, !changed)
		}
	}
}

// TestMovingTheCursorKeepsTheText moves everywhere in random texts.
func TestMovingTheCursorKeepsTheText(t *testing.T) {
	t.Parallel()
	keys := []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "ctrl+home", "ctrl+end", "ctrl+left", "ctrl+right"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(rapid.String().Draw(t, "text"), "\ufffd")
		// A text that has the private characters for control characters itself is not kept.
		text = strings.Map(func(r rune) rune {
			if r >= '\U00100000' && r < '\U00100200' {
				return -1
			}
			return r
		}, text)
		var a widget.Area
		a.SetValue(text)
		for _, key := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(t, "keys") {
			if a.Update(press(key)) {
				t.Fatalf("%s reports a changed text", key)
			}
		}
		if want := strings.ReplaceAll(text, "\r\n", "\n"); a.Value() != want {
			t.Fatalf("%q became %q", want, a.Value())
		}
	})
}

func TestALongTextLosesNothing(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for range 20_000 {
		b.WriteString("  {\"name\": \"a value\"},\n")
	}
	var a widget.Area
	a.SetValue(b.String())
	a.ToLine(15_000)
	a.Update(press("x"))
	a.Update(press("enter"))
	if a.Line() != 15_001 || a.Lines() != 20_002 {
		t.Errorf("the cursor is in line %d of %d", a.Line(), a.Lines())
	}
	a.Update(press("ctrl+end"))
	a.Update(tea.PasteMsg{Content: b.String()})
	if a.Lines() != 40_002 || a.Line() != 40_001 {
		t.Errorf("after a paste the cursor is in line %d of %d", a.Line(), a.Lines())
	}
	if got := len(a.Value()); got != 2*b.Len()+4 {
		t.Errorf("there are %d bytes, want %d", got, 2*b.Len()+4)
	}
	if a.Update(tea.PasteMsg{Content: strings.Repeat("x", 1<<20)}) {
		t.Error("the area takes a text that is too long")
	}
}

func TestATextIsDrawnInExactlyItsRectangle(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Dark)
	colour := func(t *theme.Theme, line string) string { return widget.JSON(t, line) }
	keys := []string{"enter", "tab", "up", "down", "left", "right", "end", "pgdown", "backspace", "a", "語"}
	rapid.Check(t, func(t *rapid.T) {
		var a widget.Area
		a.SetValue(rapid.String().Draw(t, "text"))
		for _, key := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(t, "keys") {
			a.Update(press(key))
		}
		w, h := rapid.IntRange(-2, 60).Draw(t, "w"), rapid.IntRange(-2, 12).Draw(t, "h")
		lines := a.Draw(th, w, h, rapid.IntRange(-1, 3).Draw(t, "wrong"), colour)
		if want := max(h, 0); len(lines) != want && w > 0 {
			t.Fatalf("%d lines, want %d", len(lines), want)
		}
		for _, line := range lines {
			if layout.Width(line) > max(w, 0) {
				t.Fatalf("%d cells in %d: %q", layout.Width(line), w, line)
			}
			if strings.Contains(ansi.Strip(line), "\x1b") {
				t.Fatalf("a control sequence reaches the terminal: %q", line)
			}
		}
	})
}

func TestTheCursorOfATextIsAReversedCell(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.None)
	var a widget.Area
	a.SetValue("ab\ncd")
	a.ToLine(1)
	a.Update(press("left"))
	lines := a.Draw(th, 10, 2, 0, nil)
	if want := "! ab"; ansi.Strip(lines[0]) != want {
		t.Errorf("the line that is wrong is %q, want %q", lines[0], want)
	}
	if want := "c" + th.Cursor.Render("d"); !strings.Contains(lines[1], want) {
		t.Errorf("the line of the cursor is %q, want %q in it", lines[1], want)
	}
	a.SetValue(`{"a": 1}` + "\n" + `{"b": 2}`)
	dark := theme.New(theme.Dark)
	if line := a.Draw(dark, 20, 2, -1, widget.JSON)[1]; !strings.Contains(line, dark.Accent.Render(`"b"`)) {
		t.Errorf("a line without the cursor has no colours: %q", line)
	}
	if prose.Printable("\t") != "    " {
		t.Error("a tab is not drawn as four spaces")
	}
}

func BenchmarkAKeyInATextOfTheLargestSize(b *testing.B) {
	var a widget.Area
	a.SetValue("[\n" + strings.Repeat("  {\"name\": \"a value of some length\"},\n", 10_000) + "1]")
	a.ToLine(5000)
	th := theme.New(theme.Dark)
	for b.Loop() {
		a.Update(press("x"))
		_ = a.Draw(th, 120, 40, -1, widget.JSON)
	}
}
