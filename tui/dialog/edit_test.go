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

func TestTheErrorOfATextIsShownAndKeepsTheDialogOpen(t *testing.T) {
	t.Parallel()
	d := dialog.Edit(dialog.Editing{Title: "Item", Text: "one\ntwo", Take: gives(enter), Check: func(text string) (int, error) {
		if strings.Contains(text, "x") {
			return 2, errors.New("there is an x")
		}
		return 0, nil
	}})
	if view := plainView(d, 80, 24); !strings.Contains(view, "line 1 of 2") {
		t.Fatalf("the dialog shows\n%s", view)
	}
	push(d, press("down"))
	push(d, press("x"))
	if view := plainView(d, 80, 24); !strings.Contains(view, "not yet: there is an x") || !strings.Contains(view, "! xtwo") || !strings.Contains(view, "  one") {
		t.Errorf("the dialog shows\n%s", view)
	}
	if got := answerTo(d, control('s')); got != nil {
		t.Errorf("a refused text ends the dialog with %v", got)
	}
	if d.Bindings()[0].Footer {
		t.Error("the footer offers to take a refused text")
	}
	push(d, press("home"))
	push(d, press("delete"))
	if got := answerTo(d, control('s')); got != entered("one\ntwo") {
		t.Errorf("the dialog ends with %v", got)
	}
}

func TestAChangedTextIsDiscardedOnlyByTwoKeys(t *testing.T) {
	t.Parallel()
	d := dialog.Edit(dialog.Editing{Text: "a"})
	if got := answer(d, "esc"); got != (nothing{}) {
		t.Fatalf("unchanged it ends with %v", got)
	}
	d = dialog.Edit(dialog.Editing{Text: "a"})
	if got := answer(d, "b", "esc"); got != nil {
		t.Fatalf("changed it ends with %v", got)
	}
	if view := plainView(d, 80, 24); !strings.Contains(view, "esc again discards them") {
		t.Errorf("the dialog shows\n%s", view)
	}
	if got := answer(d, "c", "esc"); got != nil {
		t.Fatalf("after another key it ends with %v", got)
	}
	if got := answer(d, "esc"); got != (nothing{}) {
		t.Errorf("the dialog ends with %v", got)
	}
	if got := answer(dialog.Edit(dialog.Editing{Text: "a", Changed: true}), "esc"); got != nil {
		t.Errorf("a text that was changed before ends with %v", got)
	}
}

func TestATextIsOpenedInAnEditorIfThereIsOne(t *testing.T) {
	t.Parallel()
	d := dialog.Edit(dialog.Editing{Text: "a"})
	if got := answerTo(d, control('e')); got != nil {
		t.Errorf("without an editor it ends with %v", got)
	}
	d = dialog.Edit(dialog.Editing{Text: "a", OpenEditor: gives(enter)})
	push(d, press("b"))
	if got := answerTo(d, control('e')); got != entered("ba") {
		t.Errorf("the dialog ends with %v", got)
	}
}

func TestTheCursorStartsAtTheGivenLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[int]string{0: "xone\ntwo", 1: "onex\ntwo", 2: "one\ntwox", 9: "one\ntwox"} {
		d := dialog.Edit(dialog.Editing{Text: "one\ntwo", Line: line, Take: gives(enter)})
		push(d, press("x"))
		if got := answerTo(d, control('s')); got != entered(want) {
			t.Errorf("from line %d: %q, want %q", line, got, want)
		}
	}
}

// TestAnyTextIsDrawnInItsRectangle presses random keys on random texts.
func TestAnyTextIsDrawnInItsRectangle(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.None)
	keys := []string{"enter", "tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "a", "語"}
	rapid.Check(t, func(t *rapid.T) {
		d := dialog.Edit(dialog.Editing{Text: rapid.String().Draw(t, "text"), Check: func(text string) (int, error) {
			return len(text) % 7, fmt.Errorf("%d", len(text))
		}})
		w, h := rapid.IntRange(5, 130).Draw(t, "w"), rapid.IntRange(5, 40).Draw(t, "h")
		for _, key := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(t, "keys") {
			push(d, press(key))
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
		push(d, press("x"))
		_ = d.View(th, 120, 40)
	}
}
