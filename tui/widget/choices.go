package widget

import (
	"fmt"
	"slices"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Window cuts lines to a height around a line, and says at its ends that there are more.
func Window(t *theme.Theme, lines []string, at, h int) []string {
	if len(lines) <= h {
		return lines
	}
	from := max(0, min(at-h/2, len(lines)-h))
	part := slices.Clone(lines[from : from+h])
	if from > 0 && at != from {
		part[0] = t.Muted.Render(fmt.Sprintf("  ↑ %d more", from+1))
	}
	if rest := len(lines) - from - h; rest > 0 && at != from+h-1 {
		part[h-1] = t.Muted.Render(fmt.Sprintf("  ↓ %d more", rest+1))
	}
	return part
}

// Choices draws options next to each other, the chosen one between bars, in as many lines of w cells as they
// need. off are those that cannot be chosen. focused says that the keys change the choice.
func Choices(t *theme.Theme, titles []string, off []bool, chosen int, focused bool, w int) []string {
	var lines []string
	line := ""
	for i, title := range titles {
		part := " " + title + " "
		switch {
		case i == chosen && focused:
			part = t.Selected.Render("▐" + title + "▌")
		case i == chosen:
			part = t.Accent.Render("▐" + title + "▌")
		case i < len(off) && off[i]:
			part = " " + t.Disabled.Strikethrough(true).Render(title) + " "
		default:
			part = t.Muted.Render(part)
		}
		if line != "" && layout.Width(line)+layout.Width(part)+1 > w {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += part
	}
	lines = append(lines, line)
	for i, line := range lines {
		lines[i] = layout.Cut(line, w)
	}
	return lines
}
