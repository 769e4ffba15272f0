package dialog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func control(letter rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: letter, Mod: tea.ModCtrl} }

// edited is what a text becomes by keys and pastes.
func edited(text string, msgs ...tea.Msg) dialog.Action {
	d := dialog.Edit(dialog.Editing{Text: text})
	for _, msg := range msgs {
		d.Update(msg)
	}
	action, _ := d.Update(control('s'))
	return action
}

func TestATextOfSeveralLinesIsEdited(t *testing.T) {
	for _, row := range []struct {
		name, text string
		msgs       []tea.Msg
		want       string
	}{
		{"nothing", "a\nb", nil, "a\nb"},
		{"typed", "b", []tea.Msg{press("a")}, "ab"},
		{"a new line keeps the indentation", "  a", []tea.Msg{press("end"), press("enter"), press("b")}, "  a\n  b"},
		{"backspace joins", "a\nb", []tea.Msg{press("down"), press("backspace")}, "ab"},
		{"backspace at the beginning", "a", []tea.Msg{press("backspace")}, "a"},
		{"delete joins", "a\nb", []tea.Msg{press("end"), press("delete")}, "ab"},
		{"left goes to the line above", "a\nb", []tea.Msg{press("down"), press("left"), press("x")}, "ax\nb"},
		{"right goes to the line below", "a\nb", []tea.Msg{press("right"), press("right"), press("x")}, "a\nxb"},
		{"up and down keep to the line", "abc\nd\nefg", []tea.Msg{press("end"), press("down"), press("down"), press("x")}, "abc\nd\nexfg"},
		{"a word", "a b", []tea.Msg{press("end"), press("ctrl+w")}, "a "},
		{"to the end", "ab\nc", []tea.Msg{press("right"), press("ctrl+k"), press("ctrl+k")}, "ac"},
		{"to the beginning", "ab", []tea.Msg{press("end"), press("ctrl+u")}, ""},
		{"tab", "a", []tea.Msg{press("tab")}, "  a"},
		{"paste", "[]", []tea.Msg{press("right"), tea.PasteMsg{Content: "1,\r\n\t2\x1b[2J"}}, "[1,\n  2[2J]"},
		{"what was given is kept", "a\u202eb\tc", nil, "a\u202eb\tc"},
	} {
		if got := edited(row.text, row.msgs...); got != dialog.Entered(row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestWhatIsWrongWithATextIsShownWhileItIsTypedAndKeepsItOpen(t *testing.T) {
	d := dialog.Edit(dialog.Editing{Title: "Item", Text: "one\ntwo", Check: func(text string) (int, error) {
		if strings.Contains(text, "x") {
			return 2, errors.New("there is an x")
		}
		return 0, nil
	}})
	if view := plainView(d, 80, 24); !strings.Contains(view, "line 1 of 2") {
		t.Fatalf("it shows\n%s", view)
	}
	d.Update(press("down"))
	d.Update(press("x"))
	if view := plainView(d, 80, 24); !strings.Contains(view, "not yet: there is an x") || !strings.Contains(view, "! xtwo") || !strings.Contains(view, "  one") {
		t.Errorf("it shows\n%s", view)
	}
	if action, _ := d.Update(control('s')); action != nil {
		t.Errorf("a refused text ends it with %v", action)
	}
	if d.Keys()[0].Disabled != "there is an x" {
		t.Errorf("its keys are %+v", d.Keys())
	}
	d.Update(press("backspace"))
	if action, _ := d.Update(control('s')); action != dialog.Entered("one\ntwo") {
		t.Errorf("it ends with %v", action)
	}
}

func TestATextThatWasChangedIsNotLeftByOneKey(t *testing.T) {
	d := dialog.Edit(dialog.Editing{Text: "a"})
	if got := answer(d, "esc"); got != (dialog.Cancelled{}) {
		t.Fatalf("unchanged it ends with %v", got)
	}
	d = dialog.Edit(dialog.Editing{Text: "a"})
	if got := answer(d, "b", "esc"); got != nil {
		t.Fatalf("changed it ends with %v", got)
	}
	if view := plainView(d, 80, 24); !strings.Contains(view, "esc again leaves it") {
		t.Errorf("it shows\n%s", view)
	}
	if got := answer(d, "c", "esc"); got != nil {
		t.Fatalf("after another key it ends with %v", got)
	}
	if got := answer(d, "esc"); got != (dialog.Cancelled{}) {
		t.Errorf("it ends with %v", got)
	}
	if got := answer(dialog.EditAgain(dialog.Editing{Text: "a"}), "esc"); got != nil {
		t.Errorf("a text that was changed elsewhere ends with %v", got)
	}
}

func TestATextGoesToAnEditorWhereThereIsOne(t *testing.T) {
	d := dialog.Edit(dialog.Editing{Text: "a"})
	if action, _ := d.Update(control('o')); action != nil {
		t.Errorf("without an editor it ends with %v", action)
	}
	d = dialog.Edit(dialog.Editing{Text: "a", Editor: "vi"})
	d.Update(press("b"))
	if action, _ := d.Update(control('o')); action != dialog.Elsewhere("ba") {
		t.Errorf("it ends with %v", action)
	}
}

// TestAnyTextIsDrawnInItsPlace presses random keys on random texts: the view stays
// in its rectangle, and nothing of the text reaches the terminal as a control
// character.
func TestAnyTextIsDrawnInItsPlace(t *testing.T) {
	th := theme.New(theme.None)
	keys := []string{"enter", "tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "a", "語"}
	rapid.Check(t, func(t *rapid.T) {
		d := dialog.Edit(dialog.Editing{Text: rapid.String().Draw(t, "text"), Check: func(text string) (int, error) {
			return len(text) % 7, fmt.Errorf("%d", len(text))
		}})
		w, h := rapid.IntRange(5, 130).Draw(t, "w"), rapid.IntRange(5, 40).Draw(t, "h")
		for _, key := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(t, "keys") {
			d.Update(press(key))
			lines := strings.Split(d.View(th, w, h), "\n")
			if len(lines) > h {
				t.Fatalf("%d lines in %d", len(lines), h)
			}
			for _, line := range lines {
				if layout.Width(line) > w {
					t.Fatalf("%d cells in %d: %q", layout.Width(line), w, line)
				}
			}
		}
	})
}

func BenchmarkAKeyInAnItemOfTheLargestSize(b *testing.B) {
	text := "[\n" + strings.Repeat("  {\"name\": \"a value of some length\"},\n", 10_000) + "1]"
	d := dialog.Edit(dialog.Editing{Text: text})
	th := theme.New(theme.Dark)
	for b.Loop() {
		d.Update(press("x"))
		_ = d.View(th, 120, 40)
	}
}
