package frame

import (
	"strings"

	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// header is the first line: the titles on the trail, and what one should know on every page.
func (m *Model) header(t *theme.Theme, w int) string {
	const between = " › "
	titles := " " + product
	for _, p := range m.history.trail {
		titles += between + p.title
	}
	const gap = 2
	remarks := m.remarks(t, w-layout.Width(titles)-gap)
	room := w - layout.Width(remarks) - 1
	if p := m.history.front(); p != nil && layout.Width(titles) > room {
		titles = layout.Cut(" …"+between+p.title, room)
	}
	name := " " + product + " "
	rest, named := strings.CutPrefix(titles, name)
	if !named {
		return t.Header.Render(layout.Pad(titles, room+1)) + remarks
	}
	return t.Product.Render(name) + t.Header.Render(layout.Pad(rest, room+1-len(name))) + remarks
}

// kept says whether the work on the pages is saved; "" if there is none. Of several pages
// the one in front speaks, and one whose work is not saved speaks for all others.
func (m *Model) kept() string {
	pages := m.history.dirty()
	if p := m.history.front(); p != nil {
		pages = append([]*pageState{p}, pages...)
	}
	said := ""
	for i, p := range pages {
		kept, ok := p.page.(Keeper)
		switch {
		case ok && i == 0 && kept.Kept() != "":
			return kept.Kept()
		case ok && said == "":
			said = kept.Kept()
		case !ok && p.page.Dirty():
			return "not saved"
		}
	}
	return said
}

// footer is the last line: as many of the keys that ask for a place in it as fit, and
// the key of the help.
func (m *Model) footer(t *theme.Theme, w int) string {
	if o := m.top(); o != nil {
		return keys.Footer(t, w, m.asking(m.dialogBindings(o.dialog)), keys.Binding{})
	}
	help := 0
	if m.typing() {
		help = 1 // f1, which is not a character
	}
	return keys.Footer(t, w, m.bindings(), keys.Help.Nth(help, "keys", "", nil))
}
