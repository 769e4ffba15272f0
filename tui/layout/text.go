package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// ellipsis stands for what was cut off.
const ellipsis = "…"

// Width counts the cells that one line takes; escape sequences take none.
func Width(line string) int { return ansi.StringWidth(line) }

// Cut shortens one line to w cells, with an ellipsis for what is missing. Styles
// that the line opened are closed as they were.
func Cut(line string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(line) <= w {
		return line
	}
	return ansi.Truncate(line, w, ellipsis)
}

// Pad fills one line with spaces up to w cells.
func Pad(line string, w int) string {
	if missing := w - Width(line); missing > 0 {
		return line + strings.Repeat(" ", missing)
	}
	return line
}

// Clip fits text into a rectangle: exactly h lines, none wider than w cells. A
// style that a line leaves open ends with it.
func Clip(text string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(len(text) + h)
	for i := range h {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if i > 0 {
			b.WriteByte('\n')
		}
		if len(line) > w {
			line = ansi.Truncate(line, w, "")
		}
		b.WriteString(line)
		if strings.Contains(line, "\x1b") && !strings.HasSuffix(line, ansi.ResetStyle) {
			b.WriteString(ansi.ResetStyle)
		}
	}
	return b.String()
}

// Block is Clip with every line filled to exactly w cells, so that blocks can be
// set side by side.
func Block(text string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	lines := strings.Split(Clip(text, w, h), "\n")
	for i, line := range lines {
		lines[i] = Pad(line, w)
	}
	return strings.Join(lines, "\n")
}

// Beside sets two blocks of the same height side by side. The left one must be
// filled, as Block does it.
func Beside(left, right string) string {
	if left == "" || right == "" {
		return left + right
	}
	var b strings.Builder
	b.Grow(len(left) + len(right))
	for {
		l, restLeft, moreLeft := strings.Cut(left, "\n")
		r, restRight, moreRight := strings.Cut(right, "\n")
		b.WriteString(l)
		b.WriteString(r)
		if !moreLeft && !moreRight {
			return b.String()
		}
		b.WriteByte('\n')
		left, right = restLeft, restRight
	}
}

// Over lays a box on text: its top left corner comes to the cell x, y. Lines of
// the box that lie outside of the text are left out.
func Over(text, box string, x, y int) string {
	lines := strings.Split(text, "\n")
	for i, over := range strings.Split(box, "\n") {
		at := y + i
		if at < 0 || at >= len(lines) {
			continue
		}
		left := Pad(ansi.Truncate(lines[at], x, ""), x)
		right := after(lines[at], x+Width(over))
		lines[at] = left + ansi.ResetStyle + over + ansi.ResetStyle + right
	}
	return strings.Join(lines, "\n")
}

// after is what of a line follows its first x cells. A wide character that begins
// within them leaves a space for its other cell.
func after(line string, x int) string {
	w := max(Width(line)-x, 0)
	right := ansi.TruncateLeft(line, x, "")
	if Width(right) > w {
		right = ansi.TruncateLeft(line, x+1, "")
	}
	return strings.Repeat(" ", max(w-Width(right), 0)) + right
}

// Wrap breaks text into lines of at most w cells, at spaces where there are any.
func Wrap(text string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(text, w, ""), "\n")
}
