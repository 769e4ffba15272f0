package dialog

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// agree is a text of what would be done, and the question below it: a word to type, or
// buttons where there is none.
type agree struct {
	input
	buttons
	word  string
	pager widget.Pager
}

// Agree shows a text of any length, which scrolls, and asks whether to do what it
// says. Where word is "" there are two buttons, Cancel with the focus and one with
// the label; else that word has to be typed, such as the name of a guarded
// environment, and enter takes it.
func Agree(title, body, label, word string, do func() tea.Cmd) Dialog {
	a := &agree{word: word, buttons: newButtons([]Button{{Label: "Cancel", Cancel: true}, {Label: label, Do: do}})}
	a.input = input{
		base: base{title: title}, label: strings.ToLower(label), about: "go on, when the name is typed", placeholder: "its name",
		check: func(text string) error {
			if strings.TrimSpace(text) != word {
				return errors.New("that is not its name: type it as it stands there, or leave with esc")
			}
			return nil
		},
		take: func(string) tea.Cmd { return do() },
	}
	a.pager.Show(linesOf(body))
	return a
}

func (a *agree) Typing() bool { return a.word != "" }

func (a *agree) Bindings() []widget.Binding {
	asked := a.bindings(a.end)
	if a.word != "" {
		asked = a.input.Bindings()
	}
	return append(asked, a.pager.Bindings()...)
}

func (a *agree) View(t *theme.Theme, maxW, maxH int) string {
	w := within(comfortable, maxW)
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
