package frame

import (
	"strings"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// header is the first line: the way to this page, and whether anything is not saved.
func (m *Model) header(t *theme.Theme, w int) string {
	const between = " › "
	var from strings.Builder
	from.WriteString(" " + product)
	for _, k := range m.history.way {
		from.WriteString(between + k.title)
	}
	mark := ""
	if len(m.history.dirty()) > 0 {
		mark = "not saved "
	}
	return m.drawn.header.keep(t, w, from.String()+"\x00"+mark, func() string {
		way, room := from.String(), w-layout.Width(mark)-1
		if k := m.history.front(); k != nil && layout.Width(way) > room {
			way = layout.Cut(" …"+between+k.title, room)
		}
		return t.Header.Render(layout.Pad(way, w-layout.Width(mark)) + mark)
	})
}

// footer is the last line: the keys that ask for a place in it, as many as fit,
// then the help.
func (m *Model) footer(t *theme.Theme, w int) string {
	var bindings []widget.Binding
	var last widget.Binding
	if o := m.top(); o != nil {
		bindings = o.dialog.Bindings()
	} else {
		bindings, last = m.bindings(), widget.Help.Nth(0, "keys", "", nil)
		if m.typing() {
			last = widget.Help.Nth(1, "keys", "", nil)
		}
	}
	return m.drawn.footer.keep(t, w, footerOf(bindings, last), func() string {
		return widget.Footer(t, w, bindings, last)
	})
}

// footerOf is what a footer is drawn from, as text to compare.
func footerOf(bindings []widget.Binding, last widget.Binding) string {
	var b strings.Builder
	add := func(binding widget.Binding) {
		help := binding.Help()
		b.WriteString(help.Key + "\x00" + help.Desc + "\x00")
	}
	for _, binding := range bindings {
		if binding.InFooter() {
			add(binding)
		}
	}
	add(last)
	return b.String()
}
