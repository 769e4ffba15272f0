package widget

import (
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Wrapped wraps text of one tone into drawn lines of at most w cells; a w below 1 counts
// as 1. An empty text has no line.
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

// Prose wraps and draws lines, each to at most w cells. An empty line stays empty.
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

// Detail draws text in exactly h lines, so that nothing below it moves; the last line is
// cut if the text is longer.
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

// Indent puts a prefix before each line.
func Indent(lines []string, prefix string) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		indented[i] = prefix + line
	}
	return indented
}
