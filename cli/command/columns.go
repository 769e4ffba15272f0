package command

import (
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"gatewright/tui/layout"
)

// WidestCell is how many cells wide a column may become for the sake of one
// entry. A longer one is shown whole, and what follows it on the next line.
const WidestCell = 40

// MostLines is how many lines of one kind a report shows.
const MostLines = 20

// gap is between two columns.
const gap = "  "

// WriteTable prints rows below their heading in columns, or where a terminal of width
// cells has no room for them one below the other: the first cells of rows that
// are alike but for those, and under them the others, each with its heading.
func WriteTable(b *strings.Builder, indent string, width int, rows [][]string) {
	if width == 0 || narrowestTable(rows)+len(indent) <= width {
		WriteColumns(b, indent, width, rows)
		return
	}
	heading, rows := rows[0], rows[1:]
	for i, row := range rows {
		b.WriteString(indent + row[0] + "\n")
		if i+1 < len(rows) && slices.Equal(row[1:], rows[i+1][1:]) {
			continue
		}
		var cells [][]string
		for at, cell := range row[1:] {
			cells = append(cells, []string{heading[at+1], cell})
		}
		WriteColumns(b, indent+"    ", width, cells)
	}
}

// narrowestTable is how many cells wide rows are at the least in columns: none but
// the last one is wrapped.
func narrowestTable(rows [][]string) int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], layout.Width(cell))
		}
	}
	last := len(widths) - 1
	widths[last] = min(widths[last], narrowestText)
	n := len(gap) * last
	for _, w := range widths {
		n += w
	}
	return n
}

// narrowestText is how many cells wide text that is wrapped is at the least.
const narrowestText = 24

// WriteColumns prints rows so that their columns line up, however long single entries
// are. The first row may be a heading like any other. The last column is wrapped
// where a line would be wider than width cells; 0 is as wide as it gets.
func WriteColumns(b *strings.Builder, indent string, width int, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if w := layout.Width(cell); w <= WidestCell {
				widths[i] = max(widths[i], w)
			}
		}
	}
	for _, row := range rows {
		line := indent
		for i, cell := range row {
			last := i == len(row)-1
			switch {
			case last && width > 0:
				line = hanging(line, cell, width)
			case last:
				line += cell
			case layout.Width(cell) > widths[i]:
				b.WriteString(line + cell + "\n")
				line = indent + blank(widths[:i+1])
			default:
				line += layout.Pad(cell, widths[i]) + gap
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// hanging is a line with text behind it, which goes on below its beginning, or
// where there is little room on lines of its own.
func hanging(line, text string, width int) string {
	const aside = 6
	behind := layout.Width(line)
	if behind+layout.Width(text) <= width {
		return line + text
	}
	if width-behind < narrowestText {
		behind = aside
		line = strings.TrimRight(line, " ") + "\n" + strings.Repeat(" ", aside)
	}
	lines := wordWrapped(text, max(width-behind, narrowestText))
	return line + strings.Join(lines, "\n"+strings.Repeat(" ", behind))
}

// Folded is a line of text that goes on below itself, two cells further in, where a
// terminal of width cells has no room for all of it; width 0 is none.
func Folded(indent, text string, width int) string {
	if width == 0 || len(indent)+layout.Width(text) <= width {
		return indent + text + "\n"
	}
	next := indent + "  "
	lines := wordWrapped(text, max(width-len(next), narrowestText))
	return indent + strings.Join(lines, "\n"+next) + "\n"
}

// wordWrapped wraps a sentence between words alone: names and flags have hyphens,
// and are looked for whole.
func wordWrapped(text string, width int) []string {
	const hyphen, unbroken = "-", "\ue000"
	lines := layout.Wrap(strings.ReplaceAll(text, hyphen, unbroken), width)
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, unbroken, hyphen)
	}
	return lines
}

// blank is as wide as columns with the gaps behind them.
func blank(widths []int) string {
	n := 0
	for _, w := range widths {
		n += w + len(gap)
	}
	return strings.Repeat(" ", n)
}

// WriteSideBySide prints rows of a name and values that are as wide as a terminal
// allows: values are wrapped, and long ones cut.
func WriteSideBySide(b *strings.Builder, width int, rows [][]string) {
	if width == 0 {
		WriteColumns(b, "", 0, rows)
		return
	}
	const (
		widestName, narrowestValue = 30, 8
		mostLines                  = 6
	)
	name := 0
	for _, row := range rows {
		name = max(name, min(layout.Width(row[0]), widestName))
	}
	values := len(rows[0]) - 1
	name = min(name, max(narrowestValue, width/3))
	value, widest := max(narrowestValue, (width-name)/values-len(gap)), 0
	for _, row := range rows {
		for _, cell := range row[1:] {
			widest = max(widest, layout.Width(cell))
		}
	}
	value = min(value, widest)
	for _, row := range rows {
		cells := [][]string{wrapped(row[0], name, mostLines)}
		height := len(cells[0])
		for _, cell := range row[1:] {
			lines := wrapped(cell, value, mostLines)
			cells, height = append(cells, lines), max(height, len(lines))
		}
		for at := range height {
			line := ""
			for i, lines := range cells {
				cell, w := "", value
				if at < len(lines) {
					cell = lines[at]
				}
				if i == 0 {
					w = name
				}
				line += layout.Pad(cell, w) + gap
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

// wrapped breaks text into at most so many lines of width cells.
func wrapped(text string, width, most int) []string {
	lines := layout.Wrap(text, width)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = layout.Cut(lines[most-1]+"…", width)
	}
	return lines
}

// WidthOf is how many cells wide the terminal is that shows what is printed; 0
// where none does.
func WidthOf(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}
