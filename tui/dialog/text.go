package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// text is a text to read.
type text struct {
	id, title, text string
	// top is the first line in view; rows and lines are how many are in view and
	// how many there are, as last drawn.
	top, rows, lines int
}

// Text shows a text of any length, which scrolls. Esc and enter end it with
// Cancelled.
func Text(id, title, body string) Dialog {
	return &text{id: id, title: title, text: body, rows: 1}
}

func (d *text) ID() string { return d.id }

func (d *text) Update(msg tea.Msg) (Action, tea.Cmd) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	switch name := key.String(); name {
	case "esc", "enter", "space", "q":
		return Cancelled{}, nil
	default:
		d.scroll(name)
	}
	return nil, nil
}

// scroll moves in the text by a key; others do nothing.
func (d *text) scroll(name string) {
	switch name {
	case "up", "k":
		d.top--
	case "down", "j":
		d.top++
	case "pgup":
		d.top -= d.rows
	case "pgdown":
		d.top += d.rows
	case "home", "g":
		d.top = 0
	case "end", "G":
		d.top = d.lines
	}
	d.top = max(min(d.top, d.lines-d.rows), 0)
}

func (d *text) View(t *theme.Theme, maxW, maxH int) string {
	return box(t, d.title, d.window(t, inner(maxW), max(maxH-frameH, 1)), maxW, maxH)
}

// window is what is in view of the text in at most room lines of w cells. Where
// that is not all the last line says how much it is.
func (d *text) window(t *theme.Theme, w, room int) []string {
	lines := paragraph(t, d.text, w)
	d.rows, d.lines = min(len(lines), room), len(lines)
	if len(lines) <= room {
		d.top = 0
		return lines
	}
	d.rows = max(room-1, 1)
	d.top = max(min(d.top, len(lines)-d.rows), 0)
	end := d.top + d.rows
	return append(lines[d.top:end:end], t.Muted.Render(layout.Cut(spanOf(d.top+1, end, len(lines))+" lines", w)))
}

func (d *text) Keys() []Binding {
	return []Binding{
		{Keys: []string{"esc"}, Label: "close", Help: "close the text", Footer: true},
		{Keys: []string{"down", "up"}, Label: "scroll", Help: "move in the text", Footer: d.lines > d.rows},
		{Keys: []string{"pgdown", "pgup"}, Label: "page", Help: "move in the text by what is in view", Footer: d.lines > d.rows},
	}
}
