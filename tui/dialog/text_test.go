package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
)

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		_, _ = fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestATextScrollsToItsEnd(t *testing.T) {
	t.Parallel()
	d := dialog.Text("Reasons", lines(30))
	if view := plainView(d, 60, 12); !strings.Contains(view, "line 1 ") || !strings.Contains(view, "1 to 9 of 30 lines") || strings.Contains(view, "line 10 ") {
		t.Errorf("the view is\n%s", view)
	}
	for _, keys := range []string{"end", "pgdown pgdown pgdown pgdown", strings.Repeat("down ", 40)} {
		answer(d, append([]string{"home"}, strings.Fields(keys)...)...)
		if view := plainView(d, 60, 12); !strings.Contains(view, "line 30 ") || !strings.Contains(view, "22 to 30 of 30 lines") {
			t.Errorf("after %s the view is\n%s", keys, view)
		}
	}
	answer(d, "up", "pgup")
	if view := plainView(d, 60, 12); !strings.Contains(view, "12 to 20 of 30") {
		t.Errorf("the view is\n%s", view)
	}
	if view := plainView(d, 60, 40); !strings.Contains(view, "line 1 ") || !strings.Contains(view, "line 30 ") || strings.Contains(view, "of 30") {
		t.Errorf("in a larger rectangle the view is\n%s", view)
	}
}

func TestATextIsClosedWithoutAnAction(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "enter", "q"} {
		if got := answer(dialog.Text("Reasons", "one"), key); got != (nothing{}) {
			t.Errorf("%s ends the dialog with %v", key, got)
		}
	}
	if got := answer(dialog.Text("Reasons", "one"), "up", "down", "x"); got != nil {
		t.Errorf("other keys end it with %v", got)
	}
}

func TestATextFitsEveryWindow(t *testing.T) {
	t.Parallel()
	d := dialog.Text(strings.Repeat("title ", 20), "\x1b[2J"+strings.Repeat("名前 ", 200))
	for w := 1; w < 90; w += 3 {
		for h := 1; h < 30; h++ {
			view := plainView(d, w, h)
			if n := strings.Count(view, "\n") + 1; n > h {
				t.Fatalf("in %dx%d it has %d lines", w, h, n)
			}
			for line := range strings.Lines(view) {
				if layout.Width(strings.TrimSuffix(line, "\n")) > w {
					t.Fatalf("in %dx%d a line is %q", w, h, line)
				}
			}
			answer(d, "down")
		}
	}
	if view := plainView(d, 60, 10); strings.Contains(view, "\x1b") {
		t.Errorf("a control sequence reaches the terminal in %q", view)
	}
}
