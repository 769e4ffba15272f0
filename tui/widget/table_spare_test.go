package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

func TestASpareColumnIsShownWithItsTitleOrNotAtAll(t *testing.T) {
	t.Parallel()
	text := func(s string) func(int) string { return func(int) string { return s } }
	table := widget.Table[int]{ID: func(int) string { return "one" }, Columns: []widget.Column[int]{
		{Title: "path", Least: 12, Text: text("/a/long/path/of/things")},
		{Title: "access", Least: 10, Text: text("signed-in users: read")},
		{Title: "failed", Least: len("failed"), Spare: true, Right: true, Text: text("7")},
	}}
	table.SetRows([]int{1})
	shownAt := 0
	for w := 20; w < 80; w++ {
		lines := table.Draw(theme.New(theme.None), w, 8, true)
		for i, line := range lines {
			lines[i] = ansi.Strip(line)
		}
		title, number := strings.Contains(strings.Join(lines, "\n"), "failed"), strings.Contains(strings.Join(lines, "\n"), "7")
		if title != number {
			t.Errorf("in %d cells the title is shown is %v, the number is %v:\n%s", w, title, number, strings.Join(lines, "\n"))
		}
		switch {
		case title && shownAt == 0:
			shownAt = w
		case !title && shownAt > 0:
			t.Errorf("it is shown in %d cells, and not in %d", shownAt, w)
		}
	}
	if shownAt == 0 || shownAt == 20 {
		t.Errorf("it is shown from %d cells on", shownAt)
	}
}

func TestATitleThatHasNoRoomIsLeftOut(t *testing.T) {
	t.Parallel()
	table := widget.Table[int]{ID: func(int) string { return "one" }, Columns: []widget.Column[int]{
		{Title: "level", Least: 1, Enough: 7, Text: func(int) string { return "warning" }, Brief: func(int) string { return "?" }},
		{Title: "problem", Least: 12, Enough: 30, Text: func(int) string { return "/news is open to everybody in the world" }},
	}}
	table.SetRows([]int{1})
	if title := ansi.Strip(table.Draw(theme.New(theme.None), 30, 8, true)[0]); strings.Contains(title, "…") || !strings.Contains(title, "problem") {
		t.Errorf("the titles are %q", title)
	}
}
