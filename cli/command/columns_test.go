package command

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/tui/layout"
)

// rowsOf generates rows of cells. Some cells are wider than WidestCell, and some have
// several words.
func rowsOf(cells int) *rapid.Generator[[][]string] {
	row := rapid.SliceOfN(rapid.StringMatching(`[a-zé漢]{1,60}( [a-z]{1,9}){0,8}`), cells, cells)
	return rapid.SliceOfN(row, 1, 12)
}

func TestColumnsAreAlignedHoweverLongCellsAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsOf(3).Draw(t, "rows")
		var b strings.Builder
		WriteColumns(&b, "  ", 0, rows)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		at := -1
		for _, row := range rows {
			line := lines[0]
			for i, cell := range row[:2] {
				if !strings.Contains(line, cell) {
					t.Fatalf("cell %d, %q, is not in %q", i, cell, line)
				}
				if layout.Width(cell) > WidestCell {
					lines = lines[1:]
					line = lines[0]
				}
			}
			before, found := strings.CutSuffix(line, row[2])
			if !found {
				t.Fatalf("%q does not end in %q", line, row[2])
			}
			if at == -1 {
				at = layout.Width(before)
			}
			if layout.Width(before) != at {
				t.Fatalf("the last column begins at %d, and above at %d:\n%s", layout.Width(before), at, b.String())
			}
			lines = lines[1:]
		}
		if len(lines) > 0 {
			t.Fatalf("lines are left: %q", lines)
		}
	})
}

func TestTheLastColumnIsWrappedInTheTerminal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(70, 200).Draw(t, "width")
		last := rapid.StringMatching(`[a-z]{1,20}( [a-z]{1,20}){0,30}`)
		name := rapid.StringMatching(`[a-z]{1,60}`)
		rows := [][]string{{name.Draw(t, "name"), last.Draw(t, "last")}, {name.Draw(t, "name"), last.Draw(t, "last")}}
		var b strings.Builder
		WriteColumns(&b, "  ", width, rows)
		for line := range strings.Lines(b.String()) {
			if layout.Width(strings.TrimSuffix(line, "\n")) > width {
				t.Fatalf("wider than %d cells: %q", width, line)
			}
		}
		if got, want := strings.Fields(b.String()), strings.Fields(strings.Join(slices.Concat(rows...), " ")); !slices.Equal(got, want) {
			t.Fatalf("words are %q, want %q", got, want)
		}
	})
}

func TestSideBySideIsNoWiderThanTheTerminal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows, width := rowsOf(3).Draw(t, "rows"), rapid.IntRange(30, 200).Draw(t, "width")
		var b strings.Builder
		WriteSideBySide(&b, width, rows)
		for line := range strings.Lines(b.String()) {
			if layout.Width(strings.TrimSuffix(line, "\n")) > width {
				t.Fatalf("wider than %d cells: %q", width, line)
			}
		}
	})
}

func TestATableThatIsTooWideIsPrintedAsRecords(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"Resource", "Methods", "Access"}, {"/a-rather-long-path", "ANY", "everybody"}, {"/a-rather-long-path/{proxy+}", "ANY", "everybody"}, {"/b", "ANY", "members of a group that has a long name"}}
	for width, want := range map[int]string{
		0: `  Resource                      Methods  Access
  /a-rather-long-path           ANY      everybody
  /a-rather-long-path/{proxy+}  ANY      everybody
  /b                            ANY      members of a group that has a long name
`,
		70: `  Resource                      Methods  Access
  /a-rather-long-path           ANY      everybody
  /a-rather-long-path/{proxy+}  ANY      everybody
  /b                            ANY      members of a group that has a
                                         long name
`,
		40: `  /a-rather-long-path
  /a-rather-long-path/{proxy+}
      Methods  ANY
      Access   everybody
  /b
      Methods  ANY
      Access   members of a group that
               has a long name
`,
	} {
		var b strings.Builder
		WriteTable(&b, "  ", width, rows)
		if b.String() != want {
			t.Errorf("in %d cells the table is\n%s", width, b.String())
		}
	}
}

func TestAHelpIsWrappedBetweenWords(t *testing.T) {
	t.Parallel()
	text := "Do one thing with\nmany words, and a --long-flag.\n\n  a line that stays as it is\n\nAnother."
	if got := wrapProse(text, 0); got != text {
		t.Errorf("without a terminal it is %q", got)
	}
	want := "Do one thing\nwith many words,\nand a\n--long-flag.\n\n  a line that stays as it is\n\nAnother."
	if got := wrapProse(text, 16); got != want {
		t.Errorf("in 16 cells it is %q, want %q", got, want)
	}
}
