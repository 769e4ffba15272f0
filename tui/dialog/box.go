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
	title = layout.Cut(prose.Fit(title), maxW-frameW)
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

// inner is the width that the text of a dialog has: comfortable to read, and no
// wider than maxW cells with its border.
func inner(maxW int) int {
	const comfortable = 64
	return max(min(comfortable, maxW-frameW), 1)
}

// listed is the width that a list with a sentence in each line has: one that is cut
// says less than its key.
func listed(maxW int) int {
	const wide = 104
	return max(min(wide, maxW-frameW), 1)
}

// detailH is how many lines are kept for what the line under the cursor has no room
// for.
const detailH = 2
