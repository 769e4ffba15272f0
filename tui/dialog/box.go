package dialog

import (
	"strings"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// frameW and frameH are the cells that the border and the space within it take.
const (
	frameW = 4
	frameH = 2
)

// box draws lines in a border with a title in it. The lines are cut to what fits
// in maxW by maxH cells. It has no more than the text needs.
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

// How many cells a line of a dialog has at most.
const (
	// comfortable is what is good to read.
	comfortable = 64
	// sentences is for a list with one in each line: what is cut says less than its key.
	sentences = 104
	// code is for a text that is edited.
	code = 100
)

// within is a width that leaves a border room in maxW cells.
func within(most, maxW int) int { return max(min(most, maxW-frameW), 1) }

// detailH is how many lines are kept for what the line under the cursor has no room
// for.
const detailH = 2
