package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tui/dialog"
	"gatewright/tui/theme"
)

func themed() *theme.Theme { return theme.New(theme.Dark) }

// logged gives a log the lines from one number to another.
func logged(d dialog.Dialog, from, to int) {
	msg := dialog.LogLines{ID: "l", Note: "a note"}
	for i := from; i <= to; i++ {
		msg.Lines = append(msg.Lines, fmt.Sprintf("line %d.", i))
	}
	d.Update(msg)
}

func TestALogFollowsItsEndUntilSomebodyScrolls(t *testing.T) {
	d := dialog.Log("l", "Log of f")
	if view := plainView(d, 60, 12); !strings.Contains(view, "reading ...") {
		t.Errorf("before it is read the view is\n%s", view)
	}
	in := func(when string, texts ...string) {
		t.Helper()
		view := plainView(d, 60, 12)
		for _, text := range texts {
			if !strings.Contains(view, text) {
				t.Errorf("%s there is no %s in\n%s", when, text, view)
			}
		}
	}
	logged(d, 1, 30)
	in("followed", "line 30.", "line 22.", "following the end", "a note")
	logged(d, 31, 40)
	in("followed on", "line 40.", "following the end")
	answer(d, "up", "up")
	in("scrolled", "line 38.", "stopped here")
	logged(d, 41, 60)
	in("scrolled, with more lines", "line 38.", "line 30.", "stopped here")
	answer(d, "f")
	in("followed again", "line 60.", "following the end")
	answer(d, "home", "end")
	in("at the end", "line 60.", "following the end")
}

func TestALogTakesOnlyItsOwnLinesAndObeysNone(t *testing.T) {
	d := dialog.Log("l", "Log of f")
	d.Update(dialog.LogLines{ID: "other", Lines: []string{"not for this one"}})
	d.Update(dialog.LogLines{ID: "l", Lines: []string{"a\x1b]52;c;x\x07b"}, Note: "note\x1b[31m"})
	view := d.View(themed(), 60, 12)
	if strings.Contains(view, "not for this one") || strings.Contains(view, "\x1b]52") || strings.Contains(view, "note\x1b[31m") {
		t.Errorf("the view is %q", view)
	}
}

func TestALogIsBrokenToItsWidthAndKeepsTheLastLines(t *testing.T) {
	d := dialog.Log("l", "Log of f")
	d.Update(dialog.LogLines{ID: "l", Lines: []string{strings.Repeat("word ", 40) + "end."}})
	for _, w := range []int{30, 60, 20, 5, 2} {
		view := d.View(themed(), w, 20)
		if got, h := measured(view); got > w || h > 20 {
			t.Errorf("at %d the dialog is %d by %d", w, got, h)
		}
	}
	for i := range 12 {
		logged(d, i*1000, i*1000+999)
	}
	if view := plainView(d, 60, 12); !strings.Contains(view, "line 11999.") {
		t.Errorf("the view is\n%s", view)
	}
	answer(d, "home")
	if view := plainView(d, 60, 12); !strings.Contains(view, "line 7000.") || strings.Contains(view, "line 6999.") {
		t.Errorf("from the beginning the view is\n%s", view)
	}
}

func TestALogEndsWithoutAnAnswer(t *testing.T) {
	for _, key := range []string{"esc", "enter", "q"} {
		if got := answer(dialog.Log("l", "Log"), key); got != (dialog.Cancelled{}) {
			t.Errorf("%s ends it with %v", key, got)
		}
	}
}
