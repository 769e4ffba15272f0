package dialog

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Word is a word that a person has to type, and what that is for, such as "push".
type Word struct{ Text, To string }

// agree is a text of what would be done, above words to type or two buttons.
type agree struct {
	input
	buttons
	words []Word
	// typed is how many of the words are typed.
	typed int
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
	var words []Word
	if word != "" {
		words = []Word{{word, strings.ToLower(label)}}
	}
	return AgreeWords(title, body, label, words, do, nil)
}

// AgreeWords is AgreeLines with any number of words, which are typed one after the other.
// cancel, which may be nil, is what to do if a person does not agree.
func AgreeWords(title string, body []prose.Line, label string, words []Word, do, cancel func() tea.Cmd) Dialog {
	a := &agree{
		words:   words,
		buttons: newButtons([]Button{{Label: "Cancel", Cancel: true, Do: cancel}, {Label: label, Do: do}}),
	}
	a.input = input{
		base: base{title: title}, label: strings.ToLower(label), about: "do it, if the typed name is right",
		placeholder: "the name",
		check: func(text string) error {
			if strings.TrimSpace(text) != words[a.typed].Text {
				return errors.New("the name is not the same: type it as shown, or press esc to cancel")
			}
			return nil
		},
		take: func(string) tea.Cmd { return do() }, cancelled: cancel,
	}
	if len(words) > 1 {
		a.label = "next"
	}
	a.pager.Hang = 2
	a.pager.Show(body)
	return a
}

// Asks is always the same.
func (a *agree) Asks() any { return a }

// Unseen is how many lines about what is opened are still below.
func (a *agree) Unseen() int { return a.pager.Unseen() }

// Update takes what is typed. A word that has to be typed is not pasted.
func (a *agree) Update(msg tea.Msg) tea.Cmd {
	if _, pasted := msg.(tea.PasteMsg); pasted {
		a.refused = errors.New("pasting does not work here: type the name as shown, or press esc to cancel")
		return nil
	}
	return a.input.Update(msg)
}

func (a *agree) Typing() bool { return len(a.words) > 0 }

func (a *agree) Bindings() []keys.Binding {
	answers := a.buttons.bindings(a.end)
	if len(a.words) > 0 {
		answers = a.input.bindings(a.next)
		answers[0] = answers[0].Answers(true)
	}
	return append(answers, a.pager.Bindings()...)
}

// next asks for the next word, and ends the dialog after the last.
func (a *agree) next() tea.Cmd {
	if a.typed == len(a.words)-1 {
		return a.enter()
	}
	if a.refused = a.check(a.field.Value()); a.refused == nil {
		a.typed++
		a.field.SetValue("")
		if a.typed == len(a.words)-1 {
			a.label = strings.ToLower(a.all[1].Label)
		}
	}
	return nil
}

// Copied is the whole text.
func (a *agree) Copied() string { return a.pager.Text() }

func (a *agree) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	below := a.rows(t, w)
	if len(a.words) > 0 {
		word, count := a.words[a.typed], ""
		if len(a.words) > 1 {
			count = fmt.Sprintf(" (%d of %d)", a.typed+1, len(a.words))
		}
		below = widget.Wrapped(t, prose.Plain, prose.Printable("Type "+word.Text+" to "+word.To+count+":"), w)
		below = append(below, a.line(t, w))
		if a.refused != nil {
			below = append(below, widget.Wrapped(t, prose.Bad, a.refused.Error(), w)...)
		}
	}
	lines := a.pager.Draw(t, w, max(maxH-frameH-len(below)-1, 1))
	if a.pager.More() || a.pager.Position() != "" {
		// The box keeps its width while a long text scrolls.
		for i, line := range lines {
			lines[i] = layout.Pad(line, w)
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return box(t, a.title, append(lines, below...), maxW, maxH)
}
