package frame

import (
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// header is the first line: the way to this page, and whether anything is not saved.
func (m *Model) header(t *theme.Theme, w int) string {
	const between = " › "
	way := " " + product
	for _, k := range m.history.way {
		way += between + k.title
	}
	mark := ""
	if len(m.history.dirty()) > 0 {
		mark = "not saved "
	}
	room := w - layout.Width(mark) - 1
	if k := m.history.front(); k != nil && layout.Width(way) > room {
		way = layout.Cut(" …"+between+k.title, room)
	}
	return t.Header.Render(layout.Pad(way, room+1) + mark)
}

// footer is the last line: the keys that ask for a place in it, as many as fit,
// then the help.
func (m *Model) footer(t *theme.Theme, w int) string {
	if o := m.top(); o != nil {
		return widget.Footer(t, w, o.dialog.Bindings(), widget.Binding{})
	}
	help := 0
	if m.typing() {
		help = 1 // f1 is no character
	}
	return widget.Footer(t, w, m.bindings(), widget.Help.Nth(help, "keys", "", nil))
}
