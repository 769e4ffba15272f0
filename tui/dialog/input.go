package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// input is the dialog of Input.
type input struct {
	base
	label, about string // of the binding of enter
	placeholder  string
	check        func(string) error
	take         func(string) tea.Cmd
	field        widget.Field
	// refused is the error of check, shown until the text or its cursor changes.
	refused error
}

// Input asks for one line of text. Enter gives it to take; check, which may be nil,
// refuses a text with an error that is shown below the field.
func Input(title, placeholder string, check func(string) error, take func(text string) tea.Cmd) Dialog {
	return &input{base: base{title: title}, label: "ok", about: "take the text", placeholder: placeholder, check: check, take: take}
}

func (i *input) Typing() bool { return true }

func (i *input) Update(msg tea.Msg) tea.Cmd {
	if i.field.Update(msg) {
		i.refused = nil
	}
	return nil
}

func (i *input) enter() tea.Cmd {
	if i.refused = runCheck(i.check, i.field.Value()); i.refused != nil {
		return nil
	}
	return i.end(bind(i.take, i.field.Value()))
}

func (i *input) Bindings() []widget.Binding {
	return append([]widget.Binding{
		widget.Open.Does(i.label, i.about, i.enter).Shown(),
		i.cancel("cancel", "close the dialog"),
	}, widget.TextKeys()...)
}

func (i *input) line(t *theme.Theme, w int) string {
	return t.Key.Render("› ") + i.field.View(t, i.placeholder, w-2, true)
}

func (i *input) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	lines := []string{i.line(t, w)}
	if i.refused != nil {
		lines = append(append(lines, ""), widget.Wrapped(t, prose.Bad, errorText(i.refused), w)...)
	}
	return box(t, i.title, lines, maxW, maxH)
}
