package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// agree is a text of what would be done, and the question below it.
type agree struct {
	base
	label, word string
	pager       widget.Pager
	buttons     buttons
	field       widget.Field
	refused     string
	do          func() tea.Cmd
}

// Agree shows a text of any length, which scrolls, and asks whether to do what it
// says. Where word is "" there are two buttons, Cancel with the focus and one with
// the label; else that word has to be typed, such as the name of a guarded
// environment, and enter takes it.
func Agree(title, body, label, word string, do func() tea.Cmd) Dialog {
	a := &agree{base: base{title: title}, label: label, word: word, do: do}
	a.pager.Show(linesOf(body))
	a.buttons = newButtons([]Button{{Label: "Cancel", Cancel: true}, {Label: label, Do: do}})
	return a
}

// Settle keeps a key that was typed for the page from pressing a button.
func (a *agree) Settle() time.Duration { return settle }

func (a *agree) Typing() bool { return a.word != "" }

func (a *agree) Update(msg tea.Msg) tea.Cmd {
	if a.word != "" && a.field.Update(msg) {
		a.refused = ""
	}
	return nil
}

// enter takes what was typed.
func (a *agree) enter() tea.Cmd {
	if strings.TrimSpace(a.field.Value()) == a.word {
		return a.end(a.do)
	}
	a.refused = "that is not its name: type it as it stands there, or leave with esc"
	return nil
}

func (a *agree) Bindings() []widget.Binding {
	if a.word == "" {
		return append(a.buttons.bindings(func(b Button) tea.Cmd { return a.end(b.Do) }), a.pager.Bindings()...)
	}
	return append([]widget.Binding{
		widget.Open.Does(strings.ToLower(a.label), "go on, when the name is typed", a.enter).Shown(),
		a.cancel("cancel", "leave the question"),
	}, append(widget.TextKeys(), a.pager.Bindings()...)...)
}

func (a *agree) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	below := a.buttons.rows(t, w)
	if a.word != "" {
		below = widget.Wrapped(t, prose.Plain, prose.Fit("Type "+a.word+" to "+strings.ToLower(a.label)+":"), w)
		below = append(below, t.Key.Render("› ")+a.field.View(t, "its name", w-2, true))
		below = append(below, widget.Wrapped(t, prose.Bad, a.refused, w)...)
	}
	lines := a.pager.Draw(t, w, max(maxH-frameH-len(below)-1, 1))
	return box(t, a.title, append(append(lines[:len(lines):len(lines)], ""), below...), maxW, maxH)
}
