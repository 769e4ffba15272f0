package learn

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/flow/course"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// TestTextIsWholeInEveryWidth draws every text of the course: no line is too wide, and from
// 60 cells on, where even the lines of code fit, nothing is lost.
func TestTextIsWholeInEveryWidth(t *testing.T) {
	t.Parallel()
	dark := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		l := course.Lessons()[rapid.IntRange(0, 5).Draw(t, "lesson")]
		w := rapid.IntRange(8, 120).Draw(t, "width")
		for _, text := range append([]string{l.Page, l.Task, l.Recap}, l.Hints...) {
			var drawn strings.Builder
			for _, line := range drawText(dark, text, w) {
				if got := layout.Width(line); got > w {
					t.Fatalf("%s at %d: a line of %d cells: %q", l.ID, w, got, ansi.Strip(line))
				}
				drawn.WriteString(ansi.Strip(line))
			}
			const roomy = 60
			if w < roomy {
				continue
			}
			want := squeezed(strings.Join(course.PlainLines(text), ""))
			if got := squeezed(drawn.String()); got != want {
				t.Fatalf("%s at %d is drawn as\n%s\nwant\n%s", l.ID, w, got, want)
			}
		}
	})
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

func TestMarksOfTextBecomeStyles(t *testing.T) {
	t.Parallel()
	dark := theme.New(theme.Dark)
	lines := drawText(dark, "A **bold word**, `a b`; and `c`.\n\n- one\n- two", 80)
	want := []string{
		dark.Base.Render("A") + " " + dark.Title.Render("bold") + " " + dark.Title.Render("word") + dark.Base.Render(",") + " " +
			dark.Accent.Render("a") + " " + dark.Accent.Render("b") + dark.Base.Render(";") + " " + dark.Base.Render("and") + " " + dark.Accent.Render("c") + dark.Base.Render("."),
		"", dark.Muted.Render("-") + " " + dark.Base.Render("one"), dark.Muted.Render("-") + " " + dark.Base.Render("two"),
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("drawn is\n%q\nwant\n%q", lines, want)
	}
}
