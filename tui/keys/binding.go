package keys

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Binding is one action with its keys and its texts for footer, help and palette. Pages handle no keys but
// those of their bindings. A binding is made from a [Meaning], so that a key means the same on every screen.
type Binding struct {
	// Binding has the keys. Its Help has the name of the first key, and the label: a word
	// or two for the footer.
	key.Binding
	// About is a sentence, for the help and the palette.
	About string
	// Disabled is the reason why the action cannot be done now; "" if it can.
	Disabled string
	// Do runs the action in Update; slow work is in the command that it returns. Do is
	// nil for a key of the focused text field, which is listed for the help only.
	Do func() tea.Cmd
	// Group is the heading in the help and a column of the palette.
	Group string
	// Footer asks for a place in the footer.
	Footer bool
	// OverText makes the key run the action although a text field has the focus and would
	// take it as a character.
	OverText bool
	// Yes says that the key answers the question in front: it does what that asks about.
	Yes bool
}

// Action is a binding without a key, for the palette only.
func Action(label, about string, do func() tea.Cmd) Binding {
	return Binding{Binding: key.NewBinding(key.WithHelp("", label)), About: about, Do: do}
}

// Label is the word or two in the footer.
func (b Binding) Label() string { return b.Help().Desc }

// Shown asks for a place in the footer if the action is not disabled.
func (b Binding) Shown() Binding {
	b.Footer = b.Disabled == ""
	return b
}

// ShownIf asks for a place in the footer, or does not.
func (b Binding) ShownIf(shown bool) Binding {
	b.Footer = shown
	return b
}

// Unless disables the action for the first reason that is not "", if there is any.
func (b Binding) Unless(reasons ...string) Binding {
	b.Disabled = cmp.Or(b.Disabled, cmp.Or(reasons...))
	b.Footer = b.Footer && b.Disabled == ""
	return b
}

// Answers marks a key that answers the question in front, or does not.
func (b Binding) Answers(yes bool) Binding {
	b.Yes = yes
	return b
}

// When is a reason for [Binding.Unless]: why if cond is true, else "".
func When(cond bool, why string) string {
	if cond {
		return why
	}
	return ""
}

// InFooter reports whether the footer shows the binding when it has room.
func (b Binding) InFooter() bool { return b.Footer && b.Disabled == "" && len(b.Keys()) > 0 }

// In sets the group if there is none yet.
func (b Binding) In(group string) Binding {
	if b.Group == "" {
		b.Group = group
	}
	return b
}

// InGroup sets the group of the bindings that have none yet.
func InGroup(group string, bindings []Binding) []Binding {
	for i := range bindings {
		bindings[i] = bindings[i].In(group)
	}
	return bindings
}

// Has reports whether a key is one of the binding's.
func (b Binding) Has(name string) bool { return slices.Contains(b.Keys(), name) }

// Find is the binding for a key press: of several the first that is not disabled, else
// the first. If typing is true, characters belong to the text field.
func Find(bindings []Binding, msg tea.KeyPressMsg, typing bool) (Binding, bool) {
	at := Winner(bindings, msg.String(), typing && IsText(msg))
	if at < 0 {
		return Binding{}, false
	}
	return bindings[at], true
}

// Winner is the index of the binding that a key reaches; -1 if there is none. text says
// that the key is a character for a text field.
func Winner(bindings []Binding, name string, text bool) int {
	first := -1
	for i, b := range bindings {
		if !b.Has(name) || text && !b.OverText {
			continue
		}
		if b.Disabled == "" {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// IsText reports whether a key press types characters.
func IsText(msg tea.KeyPressMsg) bool {
	const harmless = tea.ModShift | tea.ModCapsLock | tea.ModNumLock | tea.ModScrollLock
	return msg.Text != "" && msg.Mod&^harmless == 0
}

// readable has the keys that are shown differently from how Bubble Tea names them.
var readable = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// Name is the name of a key as it is shown: arrows as arrows.
func Name(name string) string { return prose.Printable(cmp.Or(readable[name], name)) }

// KeyNames are the keys of a binding as they are shown.
func (b Binding) KeyNames() string {
	names := make([]string, len(b.Keys()))
	for i, name := range b.Keys() {
		names[i] = Name(name)
	}
	return strings.Join(names, ", ")
}

// Describe says what the action does, and why it is disabled if it is.
func (b Binding) Describe() string {
	text := cmp.Or(b.About, b.Label())
	if b.Disabled != "" {
		text += " (not now: " + b.Disabled + ")"
	}
	return prose.Printable(text)
}

// Footer draws one line of w cells: as many of the bindings that ask for a place as fit, in their order, and
// last in any case. Disabled actions are left out: the help says why they are disabled.
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
