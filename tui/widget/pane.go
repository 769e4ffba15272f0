package widget

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Pane is a part of the window with a frame: its title is in the frame at the left, and what else one should
// know, such as a count, at the right. The pane that has the keys has the heavy frame.
type Pane struct {
	Title, Right string
	Focused      bool
}

// PaneW and PaneH are the cells that the frame of a pane takes, with one blank column at
// either side.
const (
	PaneW = 4
	PaneH = 2
)

// frame is the characters of a frame: its corners from the top left clockwise, and its
// lines.
type frame struct{ corners, lines [4]string }

var (
	lightFrame = frame{[4]string{"╭", "╮", "╯", "╰"}, [4]string{"─", "│"}}
	heavyFrame = frame{[4]string{"┏", "┓", "┛", "┗"}, [4]string{"━", "┃"}}
)

// Draw draws lines in a pane of exactly w by h cells; what does not fit is cut off.
func (p Pane) Draw(t *theme.Theme, lines []string, w, h int) string {
	if w <= PaneW || h <= PaneH {
		return layout.Block(strings.Join(lines, "\n"), w, h)
	}
	f, border, title := lightFrame, t.Border, t.PaneTitle
	if p.Focused {
		f, border, title = heavyFrame, t.BorderFocused, t.Title
	}
	var b strings.Builder
	b.WriteString(p.top(f, border, title, w))
	left, right := border.Render(f.lines[1])+" ", " "+border.Render(f.lines[1])
	for i := range h - PaneH {
		line := ""
		if i < len(lines) {
			line = layout.Cut(lines[i], w-PaneW)
		}
		b.WriteString("\n" + left + layout.Pad(line, w-PaneW) + right)
	}
	b.WriteString("\n" + border.Render(f.corners[3]+strings.Repeat(f.lines[0], w-2)+f.corners[2]))
	return b.String()
}

// top draws the upper line of the frame. The title is cut before the right end is left out.
func (p Pane) top(f frame, border, title lipgloss.Style, w int) string {
	const ends = 4 // a corner and a line at either side
	right := p.Right
	if layout.Width(right)+layout.Width(p.Title) > w-ends-5 && layout.Width(right) > w/2 {
		right = ""
	}
	room := w - ends
	if right != "" {
		room -= layout.Width(right) + 3
	}
	text := layout.Cut(p.Title, max(0, room-2))
	line := border.Render(f.corners[0] + f.lines[0])
	used := 2
	if text != "" {
		line += " " + title.Render(text) + " "
		used += layout.Width(text) + 2
	}
	end := f.lines[0] + f.corners[1]
	if right != "" {
		line += border.Render(strings.Repeat(f.lines[0], max(0, w-used-2-layout.Width(right)-2))) + " " + right + " " +
			border.Render(end)
		return layout.Pad(line, w)
	}
	return line + border.Render(strings.Repeat(f.lines[0], max(0, w-used-2))+end)
}
