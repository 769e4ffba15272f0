package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
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
	// text is above the field; cancelled, which may be nil, is what to do without an answer.
	text      string
	cancelled func() tea.Cmd
	field     widget.Field
	// refused is the error of check, shown until the text or its cursor changes.
	refused error
}

// Input asks for one line of text. Enter gives it to take; check, which may be nil,
// refuses a text with an error that is shown below the field.
func Input(title, placeholder string, check func(string) error, take func(text string) tea.Cmd) Dialog {
	return &input{
		base: base{title: title}, label: "ok", about: "take the text", placeholder: placeholder, check: check,
		take: take,
	}
}

// InputWith is Input with a text in the field to begin with.
func InputWith(title, initial string, check func(string) error, take func(text string) tea.Cmd) Dialog {
	i := &input{base: base{title: title}, label: "ok", about: "take the text", check: check, take: take}
	i.field.SetValue(initial)
	return i
}

// Ask is Input with a text above the field, and with what to do if a person gives no answer.
func Ask(
	title, text, placeholder string, check func(string) error, take func(text string) tea.Cmd, cancelled func() tea.Cmd,
) Dialog {
	return &input{
		base: base{title: title}, text: text, label: "ok", about: "take the text", placeholder: placeholder,
		check: check, take: take, cancelled: cancelled,
	}
}

// AskHidden is Ask for an answer that nobody shall read over a shoulder.
func AskHidden(title, text, placeholder string, take func(text string) tea.Cmd, cancelled func() tea.Cmd) Dialog {
	i := &input{
		base: base{title: title}, text: text, label: "ok", about: "take the text", placeholder: placeholder,
		take: take, cancelled: cancelled,
	}
	i.field.Masked = true
	return i
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

func (i *input) Bindings() []keys.Binding { return i.bindings(i.enter) }

// bindings are the keys, with what enter does.
func (i *input) bindings(enter func() tea.Cmd) []keys.Binding {
	return append([]keys.Binding{
		keys.Open.Does(i.label, i.about, enter).Shown(),
		keys.Back.Does("cancel", "close the dialog", func() tea.Cmd { return i.end(i.cancelled) }).Shown(),
	}, widget.TextKeys()...)
}

// Copied is what was typed, unless nobody shall read it.
func (i *input) Copied() string {
	if i.field.Masked {
		return ""
	}
	return i.field.Value()
}

func (i *input) line(t *theme.Theme, w int) string {
	return t.Key.Render("› ") + i.field.View(t, i.placeholder, w-2, true)
}

func (i *input) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	var lines []string
	if i.text != "" {
		lines = append(widget.Prose(t, linesOf(i.text), w), "")
	}
	lines = append(lines, i.line(t, w))
	if i.refused != nil {
		lines = append(append(lines, ""), widget.Wrapped(t, prose.Bad, errorText(i.refused), w)...)
	}
	return box(t, i.title, lines, maxW, maxH)
}
