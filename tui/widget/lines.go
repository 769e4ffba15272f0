package widget

import (
	"strings"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Wrapped draws text of one tone in lines of at most w cells, or of one where there are
// none; no line where it is empty.
func Wrapped(t *theme.Theme, tone prose.Tone, text string, w int) []string {
	if text == "" {
		return nil
	}
	lines := layout.Wrap(text, max(w, 1))
	for i, line := range lines {
		lines[i] = drawLine(t, tone, line)
	}
	return lines
}

func drawLine(t *theme.Theme, tone prose.Tone, line string) string {
	if tone == prose.Code {
		return JSON(t, line)
	}
	return t.Of(tone).Render(line)
}

// Prose draws lines, each broken to w cells. What is empty stays an empty line.
func Prose(t *theme.Theme, lines []prose.Line, w int) []string {
	var drawn []string
	for _, line := range lines {
		if line.Text == "" {
			drawn = append(drawn, "")
			continue
		}
		drawn = append(drawn, Wrapped(t, line.Tone, line.Text, w)...)
	}
	return drawn
}

// Detail draws what a line of a list has no room for in exactly h lines, so that
// nothing jumps; what is too much is cut at the end.
func Detail(t *theme.Theme, tone prose.Tone, text string, w, h int) []string {
	if h <= 0 {
		return nil
	}
	lines := layout.Wrap(prose.Printable(text), max(w, 1))
	if len(lines) > h {
		lines = append(lines[:h-1:h-1], layout.Cut(strings.Join(lines[h-1:], " "), w))
	}
	for i, line := range lines {
		lines[i] = t.Of(tone).Render(line)
	}
	return append(lines, make([]string, max(0, h-len(lines)))...)
}

// Indented puts something before each line.
func Indented(lines []string, by string) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		indented[i] = by + line
	}
	return indented
}

// JSON draws a line of JSON in colours; without colour it stays as it is. It adds no
// cell.
func JSON(t *theme.Theme, line string) string {
	if t.Kind == theme.None {
		return line
	}
	var b strings.Builder
	for _, token := range prose.JSONTokens(line) {
		text := token.Text
		if token.Kind != prose.JSONSpace {
			text = t.Of(token.Kind).Render(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// Side draws lines as a pane of w by h cells beside another, with a bar before them;
// what is too much is cut off.
func Side(t *theme.Theme, lines []string, w, h int) string {
	return side(t.Border.Render("│")+" ", lines, w, h)
}

// FocusedSide is Side while the keys are the pane's.
func FocusedSide(t *theme.Theme, lines []string, w, h int) string {
	return side(t.BorderFocused.Render("┃")+" ", lines, w, h)
}

func side(bar string, lines []string, w, h int) string {
	drawn := make([]string, max(h, 0))
	for i := range drawn {
		drawn[i] = bar
		if i < len(lines) {
			drawn[i] += layout.Cut(lines[i], w-3)
		}
	}
	return layout.Block(strings.Join(drawn, "\n"), w, h)
}
