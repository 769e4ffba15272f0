package widget

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Binding is one thing that can be done, declared once: the keys for it, what the
// footer, the help and the palette say of it, and the doing. Nothing is done by a
// key that no binding has. One is made by a [Meaning], so that a key means the same
// on every screen.
type Binding struct {
	// Binding has the keys; its help is the first key as a person reads it, and the
	// label: the word or two in the footer.
	key.Binding
	// About is a sentence, for the help and the palette.
	About string
	// Why is why it cannot be done now; "" where it can.
	Why string
	// Do does it, in the screens' own goroutine: what takes time is in the command
	// that it returns. It is nil for a key that belongs to the text field with the
	// focus and stands here for the help alone.
	Do func() tea.Cmd
	// Group is the heading in the help and the place in the palette.
	Group string
	// Footer asks for a place in the footer.
	Footer bool
	// OverText says that the key is the binding's even while a text field has the
	// focus, although it would be a character there.
	OverText bool
}

// Action is a binding without a key: it stands in the palette alone.
func Action(label, about string, do func() tea.Cmd) Binding {
	return Binding{Binding: key.NewBinding(key.WithHelp("", label)), About: about, Do: do}
}

// Label is the word or two in the footer.
func (b Binding) Label() string { return b.Help().Desc }

// Shown asks for a place in the footer where the binding can be done now.
func (b Binding) Shown() Binding {
	b.Footer = b.Why == ""
	return b
}

// ShownIf asks for a place in the footer, or does not.
func (b Binding) ShownIf(shown bool) Binding {
	b.Footer = shown
	return b
}

// Unless gives the first reason that is not "" why it cannot be done now.
func (b Binding) Unless(reasons ...string) Binding {
	b.Why = cmp.Or(b.Why, cmp.Or(reasons...))
	b.Footer = b.Footer && b.Why == ""
	return b
}

// When is a reason where something is so, and "" where it is not.
func When(so bool, why string) string {
	if so {
		return why
	}
	return ""
}

// InFooter reports whether the binding has a place in the footer, where that has room.
func (b Binding) InFooter() bool { return b.Footer && b.Why == "" && len(b.Keys()) > 0 }

// In puts the binding under a heading of the help, where it has none yet.
func (b Binding) In(group string) Binding {
	if b.Group == "" {
		b.Group = group
	}
	return b
}

// InGroup puts bindings under a heading of the help, where they have none yet.
func InGroup(group string, bindings []Binding) []Binding {
	for i := range bindings {
		bindings[i] = bindings[i].In(group)
	}
	return bindings
}

// Has tells whether a key is one of the binding's.
func (b Binding) Has(name string) bool { return slices.Contains(b.Keys(), name) }

// Find is the binding of a key press: one that can be done where there are several,
// the first of those. While a text field has the focus characters are text.
func Find(bindings []Binding, msg tea.KeyPressMsg, typing bool) (Binding, bool) {
	at := Winner(bindings, msg.String(), typing && IsText(msg))
	if at < 0 {
		return Binding{}, false
	}
	return bindings[at], true
}

// Winner is the index of the binding that a key comes to; -1 where none has it. text
// says that the key is a character for a text field.
func Winner(bindings []Binding, name string, text bool) int {
	first := -1
	for i, b := range bindings {
		if !b.Has(name) || text && !b.OverText {
			continue
		}
		if b.Why == "" {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// IsText tells whether a key press is characters for a text field.
func IsText(msg tea.KeyPressMsg) bool {
	const harmless = tea.ModShift | tea.ModCapsLock | tea.ModNumLock | tea.ModScrollLock
	return msg.Text != "" && msg.Mod&^harmless == 0
}

// readable are the keys that people read in another way than Bubble Tea calls them.
var readable = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// KeyName writes one key as a person reads it: arrows as arrows, the rest as they
// are called.
func KeyName(name string) string { return prose.Printable(cmp.Or(readable[name], name)) }

// KeyNames are the keys of a binding as a person reads them.
func (b Binding) KeyNames() string {
	names := make([]string, len(b.Keys()))
	for i, name := range b.Keys() {
		names[i] = KeyName(name)
	}
	return strings.Join(names, ", ")
}

// Sentence is what a binding does, with the reason why it does not.
func (b Binding) Sentence() string {
	text := cmp.Or(b.About, b.Label())
	if b.Why != "" {
		text += " (not now: " + b.Why + ")"
	}
	return prose.Printable(text)
}

// Footer draws the bindings that ask for a place in one line of w cells, the most
// wanted first and as many as fit, and last at its end in any case. What cannot be
// done now has no place there: the help says why.
func Footer(t *theme.Theme, w int, bindings []Binding, last Binding) string {
	const gap = "  "
	line := help.New()
	line.ShortSeparator, line.Ellipsis = gap, ""
	line.Styles = help.Styles{ShortKey: t.Key, ShortDesc: t.KeyText, ShortSeparator: t.Base}
	end := line.ShortHelpView([]key.Binding{last.Binding})
	var shown []key.Binding
	for _, b := range bindings {
		if b.InFooter() {
			shown = append(shown, b.Binding)
		}
	}
	for ; len(shown) > 0; shown = shown[:len(shown)-1] {
		if text := strings.TrimSuffix(line.ShortHelpView(shown)+gap+end, gap); layout.Width(text) < w {
			return " " + text
		}
	}
	return layout.Cut(" "+end, w)
}
