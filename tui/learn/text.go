package learn

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/course"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// margin is what every line is indented by.
const margin = " "

// drawnText draws a text of the course in lines of at most so many cells.
func drawnText(t *theme.Theme, text string) func(w int) []string {
	return func(w int) []string {
		w = max(1, w)
		var lines []string
		before := course.Paragraph
		for i, b := range course.Blocks(text) {
			if i > 0 && (b.Kind != course.Item || before != course.Item) {
				lines = append(lines, "")
			}
			before = b.Kind
			lines = append(lines, blockLines(t, b, w)...)
		}
		return lines
	}
}

func blockLines(t *theme.Theme, b course.Block, w int) []string {
	switch b.Kind {
	case course.Heading:
		return styled(t.Title, layout.Wrap(prose.Fit(b.Text()), w))
	case course.Code:
		lines := make([]string, len(b.Lines))
		for i, line := range b.Lines {
			lines[i] = "  " + t.Accent.Render(layout.Cut(prose.Fit(line), max(1, w-2)))
		}
		return lines
	case course.Item:
		hang := len(b.Mark) + 1
		lines := indented(spanLines(t, b.Spans, max(1, w-hang)), strings.Repeat(" ", hang))
		if len(lines) > 0 {
			lines[0] = t.Muted.Render(b.Mark) + " " + strings.TrimPrefix(lines[0], strings.Repeat(" ", hang))
		}
		return lines
	}
	return spanLines(t, b.Spans, w)
}

// piece is a part of a word in one style; word is pieces without a space between.
type (
	piece struct {
		kind course.SpanKind
		text string
	}
	word []piece
)

// spanLines breaks spans into lines between words. Styles are set word by word, so
// that none reaches into the next line.
func spanLines(t *theme.Theme, spans []course.Span, w int) []string {
	var (
		lines []string
		line  strings.Builder
		used  int
	)
	for _, word := range wordsOf(spans) {
		width := 0
		for _, p := range word {
			width += layout.Width(p.text)
		}
		if used > 0 && used+1+width > w {
			lines = append(lines, line.String())
			line.Reset()
			used = 0
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		for _, p := range word {
			parts := layout.Wrap(p.text, w)
			for i, part := range parts {
				if i > 0 || used > 0 && used+layout.Width(part) > w {
					lines = append(lines, line.String())
					line.Reset()
					used = 0
				}
				line.WriteString(spanStyle(t, p.kind).Render(part))
				used += layout.Width(part)
			}
		}
	}
	if used > 0 {
		lines = append(lines, line.String())
	}
	return lines
}

func spanStyle(t *theme.Theme, kind course.SpanKind) lipgloss.Style {
	switch kind {
	case course.Bold:
		return t.Title
	case course.Literal:
		return t.Accent
	}
	return t.Base
}

// wordsOf splits spans at their spaces.
func wordsOf(spans []course.Span) []word {
	var words []word
	open := false // the last word goes on
	for _, s := range spans {
		for i, part := range strings.Split(prose.Fit(s.Text), " ") {
			if i > 0 {
				open = false
			}
			if part != "" {
				words, open = join(words, open, piece{s.Kind, part}), true
			}
		}
	}
	return words
}

func join(words []word, open bool, p piece) []word {
	if !open || len(words) == 0 {
		return append(words, word{p})
	}
	words[len(words)-1] = append(words[len(words)-1], p)
	return words
}

func styled(style lipgloss.Style, lines []string) []string {
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

func indented(lines []string, by string) []string {
	for i, line := range lines {
		lines[i] = by + line
	}
	return lines
}

// beside draws lines as a side pane, with a bar before them.
func beside(t *theme.Theme, lines []string, w, h int) string {
	bar := t.Border.Render("│") + " "
	drawn := make([]string, h)
	for i := range drawn {
		drawn[i] = bar
		if i < len(lines) {
			drawn[i] += layout.Cut(lines[i], w-3)
		}
	}
	return layout.Block(strings.Join(drawn, "\n"), w, h)
}
