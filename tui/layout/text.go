package layout

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ellipsis replaces what was cut off.
const ellipsis = "…"

// unbroken stands for a hyphen while text is wrapped: a private character of one cell, since
// ansi.Wrap breaks after every hyphen, also in the options of a command and in names.
const unbroken = "\ue0f1"

// Width is the number of cells of a line; escape sequences have none.
func Width(line string) int {
	w := 0
	for i := 0; i < len(line); {
		switch n := narrow(line[i:]); {
		case n > 0 && (i+n == len(line) || line[i+n] < utf8.RuneSelf || narrow(line[i+n:]) > 0):
			// The next character does not combine with this one.
			w++
			i += n
		case line[i] == '\x1b':
			n := styling(line[i:])
			if n == 0 {
				return w + ansi.StringWidth(line[i:])
			}
			i += n
		default:
			return w + ansi.StringWidth(line[i:])
		}
	}
	return w
}

// narrow is the number of bytes of the first character if it is one of the common ones
// that take one cell; 0 for others. It makes Width fast, which is called very often.
func narrow(line string) int {
	if c := line[0]; c < utf8.RuneSelf {
		if c >= ' ' && c <= '~' {
			return 1
		}
		return 0
	}
	switch r, n := utf8.DecodeRuneInString(line); {
	case r >= '─' && r <= '╿', r >= '←' && r <= '↓', r == '…', r == '›', r == '‹', r == '≠', r == '·':
		return n
	}
	return 0
}

// styling is the number of bytes of a leading escape sequence for a style; 0 if the line
// begins with anything else.
func styling(line string) int {
	if len(line) < len("\x1b[m") || line[1] != '[' {
		return 0
	}
	for i := 2; i < len(line); i++ {
		switch c := line[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// Cut shortens one line to w cells and ends it with an ellipsis. The escape sequences of
// the part that is cut off stay, so that styles are ended.
func Cut(line string, w int) string {
	if w <= 0 {
		return ""
	}
	if fits(line, w) {
		return line
	}
	return ansi.Truncate(line, w, ellipsis)
}

// CutMiddle shortens one line of plain text to w cells, with an ellipsis instead of its
// middle: of a path or a URL both ends matter.
func CutMiddle(line string, w int) string {
	const fewest = 8
	if w < fewest || fits(line, w) {
		return Cut(line, w)
	}
	begin := ansi.Truncate(line, w/2, "")
	end := After(line, Width(line)-(w-Width(begin)-1))
	return begin + ellipsis + strings.TrimLeft(end, " ")
}

// fits reports whether a line takes no more than w cells.
func fits(line string, w int) bool { return len(line) <= w || Width(line) <= w }

// Pad fills one line with spaces up to w cells.
func Pad(line string, w int) string {
	if missing := w - Width(line); missing > 0 {
		return line + strings.Repeat(" ", missing)
	}
	return line
}

// Clip cuts and pads text to exactly h lines, none wider than w cells. A style that a
// line leaves open is ended there.
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
		if !fits(line, w) {
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
	lines, others := strings.Split(left, "\n"), strings.Split(right, "\n")
	for i, other := range others[:min(len(lines), len(others))] {
		lines[i] += other
	}
	return strings.Join(lines, "\n")
}

// Over draws a box over text, with its top left corner at the cell x, y. Lines of the
// box that lie outside the text are left out.
func Over(text, box string, x, y int) string {
	lines := strings.Split(text, "\n")
	for i, over := range strings.Split(box, "\n") {
		at := y + i
		if at < 0 || at >= len(lines) {
			continue
		}
		left := Pad(ansi.Truncate(lines[at], x, ""), x)
		right := After(lines[at], x+Width(over))
		lines[at] = left + ansi.ResetStyle + over + ansi.ResetStyle + right
	}
	return strings.Join(lines, "\n")
}

// After is the rest of a line after its first x cells. A wide character across that
// border is replaced by a space.
func After(line string, x int) string {
	w := max(Width(line)-x, 0)
	right := ansi.TruncateLeft(line, x, "")
	if Width(right) > w {
		right = ansi.TruncateLeft(line, x+1, "")
	}
	return strings.Repeat(" ", max(w-Width(right), 0)) + right
}

// Wrap wraps text into lines of at most w cells, at spaces if possible, never after a hyphen
// of a word that fits into a line. A wide character that does not fit is cut off.
func Wrap(text string, w int) []string { return wrap(text, w, "") }

// WrapPath is Wrap that also breaks a path that is too long after one of its slashes.
func WrapPath(text string, w int) []string { return wrap(text, w, "/") }

func wrap(text string, w int, breakAfter string) []string {
	if w <= 0 {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(text, "-", unbroken), w, breakAfter), unbroken,
		"-"), "\n")
	const narrow = 4 // below it ansi.Wrap leaves some lines too wide
	if w < narrow {
		for i, line := range lines {
			lines[i] = Cut(line, w)
		}
	}
	return lines
}
