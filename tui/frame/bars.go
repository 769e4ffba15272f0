package frame

import (
	"strings"

	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
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
	last := Binding{Keys: []string{keyHelp}, Label: "help", Footer: true}
	var bindings []Binding
	k := m.history.front()
	switch top := len(m.dialogs) - 1; {
	case top >= 0:
		bindings, last = m.dialogs[top].dialog.Keys(), Binding{}
	case k != nil:
		bindings = k.page.Keys()
		if _, taken := declaredFor(bindings, keyHelp); taken || k.page.Typing() {
			last.Keys = []string{keyHelp2}
		}
	}
	return m.drawn.footer.keep(t, w, footerOf(bindings, last), func() string {
		return drawFooter(t, w, bindings, last)
	})
}

// footerOf is what a footer is drawn from, as text to compare.
func footerOf(bindings []Binding, last Binding) string {
	var b strings.Builder
	for _, binding := range append(bindings[:len(bindings):len(bindings)], last) {
		if len(binding.Keys) == 0 || !binding.Footer {
			continue
		}
		b.WriteString(binding.Keys[0] + "\x00" + binding.Label + "\x00")
		if binding.Disabled != "" {
			b.WriteByte('-')
		}
	}
	return b.String()
}

func drawFooter(t *theme.Theme, w int, bindings []Binding, last Binding) string {
	const gap = "  "
	end := ""
	if len(last.Keys) > 0 {
		end = gap + drawKey(t, last)
	}
	line := ""
	for _, b := range bindings {
		if !b.Footer || len(b.Keys) == 0 {
			continue
		}
		next := line + gap + drawKey(t, b)
		if layout.Width(next)+layout.Width(end) > w {
			break
		}
		line = next
	}
	return layout.Cut(strings.TrimPrefix(line+end, " "), w)
}

// drawKey draws one key and its word, in parentheses where it cannot be used.
func drawKey(t *theme.Theme, b Binding) string {
	key, label := dialog.KeyName(b.Keys[0]), prose.Fit(b.Label)
	if b.Disabled != "" {
		return t.Disabled.Render("(" + key + " " + label + ")")
	}
	return t.Key.Render(key) + " " + t.KeyText.Render(label)
}
