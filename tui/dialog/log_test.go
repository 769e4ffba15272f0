package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/theme"
)

func themed() *theme.Theme { return theme.New(theme.Dark) }

// logged appends lines that say their numbers, from and to included.
func logged(d *dialog.Log, from, to int) {
	var lines []prose.Line
	for i := from; i <= to; i++ {
		lines = append(lines, prose.Line{Text: fmt.Sprintf("line %d.", i)})
	}
	d.Append(lines, "a note")
}

func TestALogFollowsItsEndUntilAPersonScrolls(t *testing.T) {
	d := dialog.NewLog("Log of f", nil)
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
	in("followed", "line 30.", "line 23.", "23 to 30 of 30 lines", "following the end", "a note")
	logged(d, 31, 40)
	in("followed on", "line 40.", "following the end")
	answer(d, "up", "up")
	in("scrolled", "line 38.", "not following")
	logged(d, 41, 60)
	in("scrolled, with more lines", "line 38.", "line 31.", "not following")
	answer(d, "f")
	in("followed again", "line 60.", "following the end")
	answer(d, "home")
	in("at the beginning", "line 1.", "not following")
	answer(d, "end")
	in("at the end", "line 60.", "following the end")
	answer(d, "up", "down")
	in("back at the end", "line 60.", "following the end")
}

func TestControlCharactersInALogAreNotSentToTheTerminal(t *testing.T) {
	d := dialog.NewLog("Log of f", nil)
	d.Append([]prose.Line{{Text: prose.Printable("a\x1b]52;c;x\x07b")}}, "note\x1b[31m")
	view := d.View(themed(), 60, 12)
	if strings.Contains(view, "\x1b]52") || strings.Contains(view, "note\x1b[31m") {
		t.Errorf("the view is %q", view)
	}
}

func TestALogWrapsItsLinesAndKeepsTheLast(t *testing.T) {
	d := dialog.NewLog("Log of f", nil)
	d.Append([]prose.Line{{Text: strings.Repeat("word ", 40) + "end."}}, "")
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

func TestClosingALogRunsTheActionOfItsOpener(t *testing.T) {
	for _, key := range []string{"esc", "enter", "q"} {
		if got := answer(dialog.NewLog("Log", says(pressed("closed"))), key); got != pressed("closed") {
			t.Errorf("%s ends the dialog with %v", key, got)
		}
		if got := answer(dialog.NewLog("Log", nil), key); got != (nothing{}) {
			t.Errorf("%s ends the dialog with %v", key, got)
		}
	}
}
