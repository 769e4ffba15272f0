package dialog

import (
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
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

// Settle keeps a key that was typed for the page from pressing a button.
func (b *buttons) Settle() time.Duration { return settle }

// bindings are the keys of the buttons. Pressing one calls end with its Do.
func (b *buttons) bindings(end func(then func() tea.Cmd) tea.Cmd) []keys.Binding {
	press := func(button Button) tea.Cmd { return end(button.Do) }
	move := func(by int) func() tea.Cmd {
		return keys.NoCmd(func() { b.focus = (b.focus + by + len(b.all)) % len(b.all) })
	}
	focused := func() tea.Cmd { return press(b.all[b.focus]) }
	cancel := Button{Label: "cancel"}
	if i := slices.IndexFunc(b.all, func(button Button) bool { return button.Cancel }); i >= 0 {
		cancel = b.all[i]
	}
	bindings := []keys.Binding{
		keys.Open.Does(strings.ToLower(b.all[b.focus].Label), "press the focused button", focused).Shown(),
		keys.NextField.Does("next button", "move between the buttons", move(1)).ShownIf(len(b.all) > 1),
		keys.PriorField.Does("previous button", "move between the buttons", move(-1)),
		keys.Choose.Does("press", "press the focused button", focused),
		keys.Back.Does("cancel", "close the dialog", func() tea.Cmd { return press(cancel) }).Shown(),
	}
	for i, letter := range b.letters {
		if letter != 0 {
			bindings = append(bindings,
				keys.Letter(letter, strings.ToLower(b.all[i].Label), func() tea.Cmd { return press(b.all[i]) }))
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

// confirm is a text with buttons.
type confirm struct {
	base
	text string
	buttons
}

// Confirm shows a text with buttons: the arrows and tab move between them, enter presses
// the focused one, an underlined letter its button, and esc the one marked Cancel, or
// closes the dialog. The first button has the focus, so pressing it should lose nothing.
func Confirm(title, text string, all ...Button) Dialog {
	return &confirm{base: base{title: title}, text: text, buttons: newButtons(all)}
}

// Sure asks whether to do something; Cancel has the focus.
func Sure(title, text, label string, do func() tea.Cmd) Dialog {
	return Confirm(title, text, Button{Label: "Cancel", Cancel: true}, Button{Label: label, Do: do})
}

func (c *confirm) Bindings() []keys.Binding { return c.bindings(c.end) }

// Copied is the text above the buttons.
func (c *confirm) Copied() string { return strings.Join(prose.Texts(linesOf(c.text)), "\n") }

func (c *confirm) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	rows := c.rows(t, w)
	text := widget.Prose(t, linesOf(c.text), w)
	// A long text is cut, so that the buttons stay in view.
	if room := max(maxH-frameH-len(rows)-1, 0); len(text) > room {
		text = text[:room]
		if room > 0 {
			text[room-1] = t.Muted.Render("…")
		}
	}
	if len(text) > 0 {
		text = append(text, "")
	}
	return box(t, c.title, append(text, rows...), maxW, maxH)
}

// linesOf are the lines of a text, made printable.
func linesOf(text string) []prose.Line {
	var lines []prose.Line
	for line := range strings.Lines(text) {
		lines = append(lines, prose.Line{Text: prose.Printable(strings.TrimRight(line, "\r\n"))})
	}
	return lines
}
