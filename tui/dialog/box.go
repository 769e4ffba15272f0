package dialog

import (
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// frameW and frameH are the cells that the border and its padding take.
const (
	frameW = 4
	frameH = 2
)

// box draws lines in a border with a title. It is as small as the lines allow, and they
// are cut if it would be larger than maxW by maxH cells.
func box(t *theme.Theme, title string, lines []string, maxW, maxH int) string {
	if maxW <= frameW || maxH <= frameH {
		return layout.Clip(strings.Join(lines, "\n"), maxW, maxH)
	}
	lines = lines[:min(len(lines), maxH-frameH)]
	title = layout.Cut(prose.Printable(title), maxW-frameW)
	w := layout.Width(title)
	for _, line := range lines {
		w = max(w, layout.Width(line))
	}
	w = min(w, maxW-frameW)

	border := t.BorderFocused
	var b strings.Builder
	b.WriteString(border.Render("╭ "))
	b.WriteString(t.Title.Render(title))
	b.WriteString(border.Render(" " + strings.Repeat("─", w-layout.Width(title)) + "╮"))
	left, right := border.Render("│")+t.Base.Render(" "), t.Base.Render(" ")+border.Render("│")
	for _, line := range lines {
		line = layout.Cut(line, w)
		b.WriteString("\n" + left + line)
		if missing := w - layout.Width(line); missing > 0 {
			b.WriteString(t.Base.Render(strings.Repeat(" ", missing)))
		}
		b.WriteString(right)
	}
	b.WriteString("\n" + border.Render("╰"+strings.Repeat("─", w+2)+"╯"))
	return b.String()
}

// The widest lines of dialogs, in cells.
const (
	// textWidth is for text, which is easier to read in short lines.
	textWidth = 64
	// listWidth is for lists with a sentence in each row.
	listWidth = 104
	// roomyW is from which width of the window on such lists are wider, by up to longer cells.
	roomyW, longer = 140, 40
	// editWidth is for a text that is edited, such as JSON.
	editWidth = 100
)

// within is a width of at most widest that leaves room for the border in maxW cells.
func within(widest, maxW int) int { return max(min(widest, maxW-frameW), 1) }

// detailHeight is the height of the text below a list or a form about the cursor's line.
const detailHeight = 2
