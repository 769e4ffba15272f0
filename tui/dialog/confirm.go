package dialog

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Button is one answer of a Confirm. Do is called when it is pressed; nil does nothing.
// esc presses the button that is marked Cancel.
type Button struct {
	Label  string
	Cancel bool
	Do     func() tea.Cmd
}

// buttons are a row of buttons, one of which has the focus.
type buttons struct {
	all     []Button
	letters []rune
	focus   int
}

func newButtons(all []Button) buttons {
	if len(all) == 0 {
		all = []Button{{Label: "OK", Cancel: true}}
	}
	b := buttons{all: all, letters: make([]rune, len(all))}
	for i, button := range all {
		for _, r := range strings.ToLower(button.Label) {
			if (unicode.IsLetter(r) || unicode.IsDigit(r)) && !slices.Contains(b.letters, r) {
				b.letters[i] = r
				break
			}
		}
	}
	return b
}

// bindings are the keys of the buttons. Pressing one calls end with its Do.
func (b *buttons) bindings(end func(then func() tea.Cmd) tea.Cmd) []keys.Binding {
	press := func(button Button) tea.Cmd { return end(button.Do) }
	move := func(by int) func() tea.Cmd {
		return keys.NoCmd(func() { b.focus = (b.focus + by + len(b.all)) % len(b.all) })
	}
	focused, yes := func() tea.Cmd { return press(b.all[b.focus]) }, !b.all[b.focus].Cancel
	cancel := Button{Label: "cancel"}
	if i := slices.IndexFunc(b.all, func(button Button) bool { return button.Cancel }); i >= 0 {
		cancel = b.all[i]
	}
	bindings := []keys.Binding{
		keys.Open.Does(strings.ToLower(b.all[b.focus].Label), "press the focused button", focused).Shown().Answers(yes),
		keys.NextField.Does("next button", "move between the buttons", move(1)).ShownIf(len(b.all) > 1),
		keys.PriorField.Does("previous button", "move between the buttons", move(-1)),
		keys.Choose.Does("press", "press the focused button", focused).Answers(yes),
		keys.Back.Does("cancel", "close the dialog", func() tea.Cmd { return press(cancel) }).Shown(),
	}
	for i, letter := range b.letters {
		if letter != 0 {
			letter := keys.Letter(letter, strings.ToLower(b.all[i].Label), func() tea.Cmd { return press(b.all[i]) })
			bindings = append(bindings, letter.Answers(!b.all[i].Cancel))
		}
	}
	return append(bindings,
		keys.Right.Does("next button", "move between the buttons", move(1)),
		keys.Left.Does("previous button", "move between the buttons", move(-1)))
}

// rows draws the buttons in rows of at most w cells.
func (b *buttons) rows(t *theme.Theme, w int) []string {
	const gap = "  "
	var rows []string
	row := ""
	for i := range b.all {
		one := layout.Cut(b.draw(t, i), w)
		switch {
		case row == "":
			row = one
		case layout.Width(row)+len(gap)+layout.Width(one) <= w:
			row += t.Base.Render(gap) + one
		default:
			rows = append(rows, row)
			row = one
		}
	}
	return append(rows, row)
}

func (b *buttons) draw(t *theme.Theme, i int) string {
	style, left, right := t.Button, "[ ", " ]"
	if i == b.focus {
		style, left, right = t.ButtonFocused, "[›", "‹]"
	}
	label := prose.Printable(b.all[i].Label)
	at := strings.IndexFunc(label, func(r rune) bool { return b.letters[i] != 0 && unicode.ToLower(r) == b.letters[i] })
	if at < 0 {
		return style.Render(left + label + right)
	}
	end := at + len(string([]rune(label[at:])[:1]))
	return style.Render(left+label[:at]) + style.Underline(true).Render(label[at:end]) + style.Render(label[end:]+right)
}

// Confirm shows a text with buttons: the arrows and tab move between them, enter presses the focused one, an
// underlined letter its button, and esc the one marked Cancel, or closes the dialog. The first button has the
// focus, so pressing it should lose nothing. A long text scrolls.
func Confirm(title, text string, all ...Button) Dialog {
	a := &agree{input: input{base: base{title: title}}, buttons: newButtons(all)}
	a.pager.Show(linesOf(text))
	return a
}

// Sure asks whether to do something; Cancel has the focus.
func Sure(title, text, label string, do func() tea.Cmd) Dialog {
	return Confirm(title, text, Button{Label: "Cancel", Cancel: true}, Button{Label: label, Do: do})
}

// linesOf are the lines of a text, made printable.
func linesOf(text string) []prose.Line {
	var lines []prose.Line
	for line := range strings.Lines(text) {
		lines = append(lines, prose.Line{Text: prose.Printable(strings.TrimRight(line, "\r\n"))})
	}
	return lines
}
