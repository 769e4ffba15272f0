package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"gatewright/tui/layout"
)

// widestCell is how many cells wide a column may become for the sake of one
// entry. A longer one is shown whole, and what follows it on the next line.
const widestCell = 40

// gap is between two columns.
const gap = "  "

// columns prints rows so that their columns line up, however long single entries
// are. The first row may be a heading like any other. The last column is wrapped
// where a line would be wider than width cells; 0 is as wide as it gets.
func columns(b *strings.Builder, indent string, width int, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if w := layout.Width(cell); w <= widestCell {
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
	const narrowest, aside = 24, 6
	behind := layout.Width(line)
	if behind+layout.Width(text) <= width {
		return line + text
	}
	if width-behind < narrowest {
		behind = aside
		line = strings.TrimRight(line, " ") + "\n" + strings.Repeat(" ", aside)
	}
	lines := layout.Wrap(text, max(width-behind, narrowest))
	return line + strings.Join(lines, "\n"+strings.Repeat(" ", behind))
}

// blank is as wide as columns with the gaps behind them.
func blank(widths []int) string {
	n := 0
	for _, w := range widths {
		n += w + len(gap)
	}
	return strings.Repeat(" ", n)
}

// sideBySide prints rows of a name and values that are as wide as the terminal
// allows: values are wrapped, and long ones cut.
func sideBySide(b *strings.Builder, width int, rows [][]string) {
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

// usualWidth is how many cells wide a terminal is taken for where there is none.
const usualWidth = 80

// widthOf is how many cells wide the terminal is that shows what is printed; 0
// where none does.
func widthOf(out io.Writer) int {
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
