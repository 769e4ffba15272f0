package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
)

func TestEnterAloneDoesNotAgree(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]tea.Msg{
		"enter": nothing{}, "esc": nothing{}, "c": nothing{}, "tab tab enter": nothing{},
		"tab enter": pressed("Push"), "right space": pressed("Push"), "p": pressed("Push"),
		"down up x": nil,
	} {
		if got := answer(dialog.Agree("Push", "one", "Push", "", says(pressed("Push"))), strings.Fields(keys)...); got != want {
			t.Errorf("%s ends the dialog with %v", keys, got)
		}
	}
}

func TestOnlyTheExactWordAgrees(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]tea.Msg{
		"enter": nil, "tab enter": nil, "p r enter": nil, "P r o d enter": nil,
		"p r o d enter": pressed("Push"), "p r o x backspace d enter": pressed("Push"), "p r o d esc": nothing{},
	} {
		d := dialog.Agree("Push", "one", "Push", "prod", says(pressed("Push")))
		if got := answer(d, strings.Fields(keys)...); got != want {
			t.Errorf("%s ends the dialog with %v", keys, got)
		}
	}
	d := dialog.Agree("Push", "one", "Push", "prod", says(pressed("Push")))
	answer(d, "x", "enter")
	if view := plainView(d, 60, 20); !strings.Contains(view, "Type prod to push") || !strings.Contains(view, "the name is not the same") {
		t.Errorf("the view is\n%s", view)
	}
	answer(d, "y")
	if view := plainView(d, 60, 20); strings.Contains(view, "the name is not the same") {
		t.Errorf("typed on, the view is\n%s", view)
	}
}

func TestTheTextScrollsAndTheAnswerStaysInView(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"", "prod"} {
		d := dialog.Agree("Push", lines(40), "Push", word, says(pressed("Push")))
		question := "Push ]"
		if word != "" {
			question = "Type prod to push"
		}
		for _, size := range []struct{ w, h int }{{60, 11}, {80, 20}, {20, 8}, {3, 1}} {
			view := d.View(themed(), size.w, size.h)
			if w, h := measured(view); w > size.w || h > size.h {
				t.Errorf("at %v the dialog is %d by %d", size, w, h)
			}
		}
		view := plainView(d, 60, 12)
		if !strings.Contains(view, "line 1 ") || strings.Contains(view, "line 40") || !strings.Contains(view, question) {
			t.Errorf("the view is\n%s", view)
		}
		for range 20 {
			answer(d, "pgdown")
		}
		if view := plainView(d, 60, 12); !strings.Contains(view, "line 40 ") || !strings.Contains(view, question) {
			t.Errorf("at the end the view is\n%s", view)
		}
	}
}

// measured is the width and height of a drawing.
func measured(view string) (w, h int) {
	for line := range strings.Lines(view) {
		w, h = max(w, layout.Width(strings.TrimSuffix(line, "\n"))), h+1
	}
	return w, h
}

func TestEveryWordIsTypedInItsOrder(t *testing.T) {
	t.Parallel()
	words := []dialog.Word{{Text: "ab", To: "delete the pool"}, {Text: "cd", To: "delete the table"}, {Text: "e", To: "push"}}
	open := func() dialog.Dialog {
		return dialog.AgreeWords("Push", nil, "Push", words, says(pressed("Push")), says(pressed("Cancel")))
	}
	for keys, want := range map[string]tea.Msg{
		"a b enter c d enter e enter":           pressed("Push"),
		"a x enter backspace b enter c d enter": nil,
		"c d enter a b enter e enter":           nil,
		"a b enter a b enter e enter":           nil,
		"a b enter e enter":                     nil,
		"a b enter c d enter esc":               pressed("Cancel"),
		"a b enter esc":                         pressed("Cancel"),
		"esc":                                   pressed("Cancel"),
	} {
		if got := answer(open(), strings.Fields(keys)...); got != want {
			t.Errorf("%s ends the dialog with %v", keys, got)
		}
	}
	d := open()
	for _, step := range [][2]string{
		{"x", "Type ab to delete the pool (1 of 3):"},
		{"enter", "the name is not the same"},
		{"backspace", "(1 of 3):"},
		{"a", "ab to"},
		{"b", "ab to"},
		{"enter", "Type cd to delete the table (2 of 3):"},
		{"c", "cd to"},
		{"d", "cd to"},
		{"enter", "Type e to push (3 of 3):"},
	} {
		answer(d, step[0])
		if view := plainView(d, 60, 20); !strings.Contains(view, step[1]) || strings.Contains(view, "not the same") != (step[0] == "enter" && step[1] == "the name is not the same") {
			t.Errorf("after %s the view is\n%s", step[0], view)
		}
	}
}
