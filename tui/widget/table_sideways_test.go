package widget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// wideTable is a table of one row with a name and n columns of six cells.
func wideTable(n int) *Table[string] {
	t := &Table[string]{Pinned: 1, ID: func(r string) string { return r }}
	columns := []Column[string]{{Title: "path", Least: 4, Text: func(r string) string { return r }}}
	for i := range n {
		columns = append(columns, Column[string]{Title: fmt.Sprintf("col%02d", i), Least: 6, Most: 6, Text: func(string) string { return fmt.Sprint(i) }})
	}
	t.SetColumns(columns)
	t.SetRows([]string{"/a/long/path/of/some/api"})
	return t
}

func titles(t *Table[string], w int) string {
	return strings.TrimRight(ansi.Strip(t.Draw(theme.New(theme.None), w, 20, true)[0]), " ")
}

func TestColumnsThatDoNotFitScrollSideways(t *testing.T) {
	t.Parallel()
	table := wideTable(10)
	for _, step := range []struct {
		by, w       int
		want        string
		left, right int
	}{
		{0, 120, "  path                      col00   col01   col02   col03   col04   col05   col06   col07   col08   col09", 0, 0},
		{0, 40, "  path → 8             col00   col01", 0, 8},
		{1, 40, "  path ← 1 → 7         col01   col02", 1, 7},
		{99, 40, "  path ← 8             col08   col09", 8, 0},
		{0, 120, "  path                      col00   col01   col02   col03   col04   col05   col06   col07   col08   col09", 0, 0},
		{-99, 40, "  path → 8             col00   col01", 0, 8},
	} {
		table.Sideways(step.by)
		got := titles(table, step.w)
		left, right := table.HiddenColumns()
		if got != step.want || left != step.left || right != step.right {
			t.Errorf("moved by %d in %d cells: %q, %d and %d hidden; want %q, %d and %d", step.by, step.w, got, left, right, step.want, step.left, step.right)
		}
	}
}

func TestAColumnOfToColumnStaysInView(t *testing.T) {
	t.Parallel()
	table := wideTable(10)
	for at := range 10 {
		table.ToColumn(at)
		for w := 1; w < 120; w++ {
			lines := table.Draw(theme.New(theme.None), w, 20, true)
			if w > 20 && !strings.Contains(ansi.Strip(lines[0]), fmt.Sprintf("col%02d", at)) {
				t.Fatalf("in %d cells column %d is not in %q", w, at, lines[0])
			}
			for _, line := range lines {
				if layout.Width(line) > w && w > pointerW {
					t.Fatalf("in %d cells a line is %q", w, line)
				}
			}
		}
	}
}

func TestColumnsWithASignComeIntoViewFirst(t *testing.T) {
	t.Parallel()
	table := wideTable(10)
	table.Columns[8].Sign, table.Columns[10].Sign = "▲", "▲"
	for w, want := range map[int]string{
		40: "  path → 8▲            col00   col07",
		56: "  path → 7                  col00   col07   col09",
		64: "  path → 6                  col00   col01   col07   col09",
	} {
		if got := titles(table, w); got != want {
			t.Errorf("in %d cells: %q, want %q", w, got, want)
		}
	}
	before := 0
	for w := 20; w < 120; w++ {
		now := strings.Count(titles(table, w), "col")
		if now < before {
			t.Fatalf("in %d cells %d columns are in view, and %d in one less", w, now, before)
		}
		before = now
	}
	table.Sideways(9)
	if got := titles(table, 40); got != "  path ← 8▲            col08   col09" {
		t.Errorf("scrolled to the end: %q", got)
	}
}
