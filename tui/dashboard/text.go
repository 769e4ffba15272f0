package dashboard

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
)

// margin is what every line is indented by.
const margin = " "

// longest is how many bytes of one line are kept: more are never seen.
const longest = 4 << 10

// fit makes text from outside one line that is fit for the screen, and short
// enough to be drawn again and again.
func fit(text string) string {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return prose.Fit(text)
}

// cell is text in exactly w cells.
func cell(text string, w int) string { return layout.Pad(layout.Cut(text, w), w) }

// wrapped draws text in lines of at most w cells.
func wrapped(style lipgloss.Style, text string, w int) []string {
	lines := layout.Wrap(text, max(1, w))
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// gap is between two columns.
const gap = "  "

// narrowed shrinks columns to a sum of at most w cells, the widest first, none
// below its least.
func narrowed(widths, least []int, w int) []int {
	sum := 0
	for _, width := range widths {
		sum += width
	}
	for ; sum > w; sum-- {
		widest := none
		for i, width := range widths {
			if width > least[i] && (widest == none || width > widths[widest]) {
				widest = i
			}
		}
		if widest == none {
			break
		}
		widths[widest]--
	}
	return widths
}
