package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// HelpID is the ID of every Help.
const HelpID = "help"

// help is the list of all keys.
type help struct {
	bindings []Binding
	list     list
	keysW    int
}

// Help lists what keys do, by group in order of appearance, and filters as a
// person types: by key, label, sentence or group. What is disabled stands there
// with its reason, in full below the list when the cursor is on it. Esc and enter end it with Cancelled.
func Help(bindings []Binding) Dialog {
	h := &help{}
	var groups []string
	for _, b := range bindings {
		if !slices.Contains(groups, b.Group) {
			groups = append(groups, b.Group)
		}
	}
	for _, group := range groups {
		for _, b := range bindings {
			if b.Group == group {
				h.bindings = append(h.bindings, b)
			}
		}
	}
	texts := make([]string, len(h.bindings))
	for i, b := range h.bindings {
		keys := KeyNames(b.Keys)
		if b.Disabled != "" {
			keys = "(" + keys + ")"
		}
		texts[i] = strings.Join([]string{keys, strings.Join(b.Keys, " "), b.Label, b.Help, b.Group}, " ")
		h.keysW = max(h.keysW, layout.Width(keys))
	}
	const widestKeys = 20
	h.keysW = min(h.keysW, widestKeys)
	h.list = newList(texts)
	return h
}

func (h *help) ID() string { return HelpID }

func (h *help) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc", "enter", "f1":
			return Cancelled{}, nil
		}
	}
	h.list.update(msg)
	return nil, nil
}

func (h *help) View(t *theme.Theme, maxW, maxH int) string {
	w := listed(maxW)
	groupsW := 0
	for _, b := range h.bindings {
		groupsW = max(groupsW, layout.Width(prose.Fit(b.Group)))
	}
	// A narrow box has no room for the group: the sentence matters more.
	const narrow = 56
	if w < narrow {
		groupsW = 0
	}
	lines := h.list.view(t, w, max(maxH-frameH-detailH, 1), func(row int, selected bool) string {
		return h.draw(t, row, selected, groupsW)
	})
	sentence := ""
	if row, ok := h.list.selected(); ok {
		sentence = sentenceOf(h.bindings[row])
	}
	return box(t, "Keys", append(lines, detail(t.Base, sentence, w)...), maxW, maxH)
}

// sentenceOf is what a binding does, with the reason why it does not.
func sentenceOf(b Binding) string {
	text := b.Help
	if text == "" {
		text = b.Label
	}
	if b.Disabled != "" {
		text += " (not now: " + b.Disabled + ")"
	}
	return prose.Fit(text)
}

func (h *help) draw(t *theme.Theme, row int, selected bool, groupsW int) string {
	b := h.bindings[row]
	names := KeyNames(b.Keys)
	if b.Disabled != "" {
		// As in the palette: the sentence with the reason may be cut off.
		names = "(" + names + ")"
	}
	keys := layout.Pad(layout.Cut(names, h.keysW), h.keysW)
	mark, keyStyle, textStyle, groupStyle := "  ", t.Key, t.Base, t.Muted
	if b.Disabled != "" {
		keyStyle, textStyle = t.Disabled, t.Disabled
	}
	if selected {
		mark, keyStyle, textStyle, groupStyle = "› ", t.Selected, t.Selected, t.Selected
	}
	line := keyStyle.Render(mark + keys + "  ")
	if groupsW > 0 {
		line += groupStyle.Render(layout.Pad(prose.Fit(b.Group), groupsW) + "  ")
	}
	return line + textStyle.Render(sentenceOf(b))
}

func (h *help) Keys() []Binding {
	return []Binding{
		{Keys: []string{"up", "down"}, Label: "move", Help: "move in the list", Footer: true},
		{Keys: []string{"esc"}, Label: "close", Help: "close the help", Footer: true},
	}
}

// KeyNames writes keys as a person reads them: arrows as arrows, the rest as
// they are called.
func KeyNames(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = KeyName(key)
	}
	return strings.Join(names, ", ")
}

// KeyName writes one key as a person reads it.
func KeyName(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgdown":
		return "pgdn"
	default:
		return prose.Fit(key)
	}
}
