package dialog

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// agree is a text of what would be done, above a word to type or two buttons.
type agree struct {
	input
	buttons
	word  string
	pager widget.Pager
}

// Agree shows a scrolling text of any length that says what would be done, and asks for
// agreement. If word is "", it has two buttons: Cancel, which has the focus, and label.
// Else a person has to type the word, such as the name of a guarded environment.
func Agree(title, body, label, word string, do func() tea.Cmd) Dialog {
	return AgreeLines(title, linesOf(body), label, word, do)
}

// AgreeLines is Agree with a text of printable lines.
func AgreeLines(title string, body []prose.Line, label, word string, do func() tea.Cmd) Dialog {
	a := &agree{word: word, buttons: newButtons([]Button{{Label: "Cancel", Cancel: true}, {Label: label, Do: do}})}
	a.input = input{
		base: base{title: title}, label: strings.ToLower(label), about: "do it, if the typed name is right", placeholder: "the name",
		check: func(text string) error {
			if strings.TrimSpace(text) != word {
				return errors.New("the name is not the same: type it as shown, or press esc to cancel")
			}
			return nil
		},
		take: func(string) tea.Cmd { return do() },
	}
	a.pager.Hang = 2
	a.pager.Show(body)
	return a
}

func (a *agree) Typing() bool { return a.word != "" }

func (a *agree) Bindings() []widget.Binding {
	answers := a.bindings(a.end)
	if a.word != "" {
		answers = a.input.Bindings()
	}
	return append(answers, a.pager.Bindings()...)
}

func (a *agree) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	below := a.rows(t, w)
	if a.word != "" {
		below = widget.Wrapped(t, prose.Plain, prose.Printable("Type "+a.word+" to "+a.label+":"), w)
		below = append(below, a.line(t, w))
		if a.refused != nil {
			below = append(below, widget.Wrapped(t, prose.Bad, a.refused.Error(), w)...)
		}
	}
	lines := a.pager.Draw(t, w, max(maxH-frameH-len(below)-1, 1))
	return box(t, a.title, append(append(lines, ""), below...), maxW, maxH)
}
