package dialog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/dialog"
	"gatewright/tui/theme"
)

func themed() *theme.Theme { return theme.New(theme.Dark) }

// logged appends entries that say their numbers, from and to included.
func logged(d *dialog.Log, from, to int) {
	var lines []logs.Line
	for i := from; i <= to; i++ {
		lines = append(lines, logs.Line{Time: time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC), Level: logs.Info, Text: fmt.Sprintf("entry %d.", i)})
	}
	d.Append(entry.Read(lines), "a note", "it is empty")
}

func TestALogFollowsItsEndUntilAPersonMovesAway(t *testing.T) {
	t.Parallel()
	d := dialog.NewLog("Log of f", nil)
	if view := plainView(d, 80, 12); !strings.Contains(view, "reading ...") {
		t.Errorf("before it is read the view is\n%s", view)
	}
	logged(d, 1, 0)
	if view := plainView(d, 80, 12); !strings.Contains(view, "it is empty") {
		t.Errorf("without lines the view is\n%s", view)
	}
	in := func(when string, texts ...string) {
		t.Helper()
		view := plainView(d, 80, 12)
		for _, text := range texts {
			if !strings.Contains(view, text) {
				t.Errorf("%s there is no %s in\n%s", when, text, view)
			}
		}
	}
	logged(d, 1, 30)
	in("followed", "entry 30.", "entry 23.", "line 30 of 30", "following", "a note")
	logged(d, 31, 40)
	in("followed on", "entry 40.", "following")
	answer(d, "up", "up")
	in("moved away", "▌ ", "entry 38.", "entry 40.", "f follows")
	logged(d, 41, 60)
	in("moved away, with more lines", "entry 38.", "entry 33.", "line 38 of 60", "f follows")
	answer(d, "f")
	in("followed again", "entry 60.", "following")
	answer(d, "home")
	in("at the beginning", "entry 1.", "f follows")
	answer(d, "end")
	in("at the end", "entry 60.", "following")
	answer(d, "up", "down")
	in("back at the end", "entry 60.", "following")
}

func TestControlCharactersInALogAreNotSentToTheTerminal(t *testing.T) {
	t.Parallel()
	d := dialog.NewLog("Log of f", nil)
	d.Append(entry.Read([]logs.Line{{Text: "a\x1b]52;c;x\x07b"}, {Request: "\x1b[2J", Level: logs.Platform, Text: "START \x1b[2J"}}), "note\x1b[31m", "")
	for range 2 {
		if view := d.View(themed(), 80, 12); strings.Contains(view, "\x1b]52") || strings.Contains(view, "note\x1b[31m") || strings.Contains(view, "\x1b[2J") {
			t.Errorf("the view is %q", view)
		}
		answer(d, "*")
	}
}

func TestALogWrapsItsLinesAtAnySize(t *testing.T) {
	t.Parallel()
	d := dialog.NewLog("Log of f", nil)
	d.Append(entry.Read([]logs.Line{{Text: strings.Repeat("word ", 400) + "end."}, {Text: strings.Repeat("名", 300)}}), "", "")
	for _, keys := range [][]string{{"home"}, {"*"}, {"end"}} {
		answer(d, keys...)
		for _, w := range []int{30, 60, 100, 20, 5, 2} {
			view := d.View(themed(), w, 20)
			if got, h := measured(view); got > w || h > 20 {
				t.Errorf("at %d the dialog is %d by %d", w, got, h)
			}
		}
	}
}

func TestClosingALogRunsTheActionOfItsOpener(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "q"} {
		if got := answer(dialog.NewLog("Log", says(pressed("closed"))), key); got != pressed("closed") {
			t.Errorf("%s ends the dialog with %v", key, got)
		}
		if got := answer(dialog.NewLog("Log", nil), key); got != (nothing{}) {
			t.Errorf("%s ends the dialog with %v", key, got)
		}
	}
}
