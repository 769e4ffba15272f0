package command

import (
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"gatewright/tui/layout"
)

// WidestCell is the greatest width of a column. A longer entry is shown whole, and its row
// continues on the next line.
const WidestCell = 40

// MostLines is the greatest number of lines of one kind in a report.
const MostLines = 20

// gap separates two columns.
const gap = "  "

// WriteTable prints rows below their heading in columns. If a terminal of width cells is too
// narrow, it prints the first cell of each row on a line, and below it the other cells, each
// with its heading. Rows that differ only in the first cell share the others.
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
		for i, cell := range row[1:] {
			cells = append(cells, []string{heading[i+1], cell})
		}
		WriteColumns(b, indent+"    ", width, cells)
	}
}

// narrowestTable returns the least width of rows in columns: only the last column is
// wrapped.
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

// narrowestText is the least width of wrapped text.
const narrowestText = 24

// WriteColumns prints rows in aligned columns. Lines wider than width cells are wrapped in
// the last column; width 0 means that nothing is wrapped.
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
				line = appendWrapped(line, cell, width)
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

// appendWrapped appends text to a line. Text that is too wide is wrapped below its own
// beginning, or, if there is little room, on lines of its own.
func appendWrapped(line, text string, width int) string {
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

// Folded returns a line of text. If it is wider than width cells, it is wrapped and continues
// two cells further in; width 0 means that nothing is wrapped.
func Folded(indent, text string, width int) string {
	if width == 0 || len(indent)+layout.Width(text) <= width {
		return indent + text + "\n"
	}
	next := indent + "  "
	lines := wordWrapped(text, max(width-len(next), narrowestText))
	return indent + strings.Join(lines, "\n"+next) + "\n"
}

// wordWrapped wraps a text between words only. Names and flags have hyphens, and are not
// broken there, so that people find them whole.
func wordWrapped(text string, width int) []string {
	const hyphen, unbroken = "-", "\ue000"
	lines := layout.Wrap(strings.ReplaceAll(text, hyphen, unbroken), width)
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, unbroken, hyphen)
	}
	return lines
}

// blank returns spaces as wide as columns with their gaps.
func blank(widths []int) string {
	n := 0
	for _, w := range widths {
		n += w + len(gap)
	}
	return strings.Repeat(" ", n)
}

// WriteSideBySide prints rows of a name and values, as wide as a terminal allows. Values are
// wrapped, and long ones are cut.
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
		for row := range height {
			line := ""
			for i, lines := range cells {
				cell, w := "", value
				if row < len(lines) {
					cell = lines[row]
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

// wrapped breaks text into lines of width cells, and cuts it after most lines.
func wrapped(text string, width, most int) []string {
	lines := layout.Wrap(text, width)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = layout.Cut(lines[most-1]+"…", width)
	}
	return lines
}

// WidthOf returns the width of the terminal out in cells; 0 if out is not a terminal.
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
