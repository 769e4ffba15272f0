package dialog

import (
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Button is one answer of a Confirm. The button marked Cancel is the one that
// esc presses.
type Button struct {
	ID, Label string
	Cancel    bool
}

// confirm is a text with buttons.
type confirm struct {
	id, title, text string
	buttons         []Button
	letters         []rune
	focus           int
}

// Confirm asks with labelled buttons: the arrows and tab move between them,
// enter presses the focused one, the underlined letter presses its button, and
// esc presses the button marked Cancel. The action is Pressed with the ID of the
// button, or Cancelled where esc has no button. Without any button there is one
// that says OK. The first button has the focus: put what can be undone there.
func Confirm(id, title, text string, buttons ...Button) Dialog {
	if len(buttons) == 0 {
		buttons = []Button{{ID: "ok", Label: "OK", Cancel: true}}
	}
	return &confirm{id: id, title: title, text: text, buttons: buttons, letters: lettersOf(buttons)}
}

// lettersOf gives every button the first letter of its label that no earlier
// button has; 0 where none is left.
func lettersOf(buttons []Button) []rune {
	letters := make([]rune, len(buttons))
	taken := make(map[rune]bool)
	for i, b := range buttons {
		for _, r := range b.Label {
			r = unicode.ToLower(r)
			if (unicode.IsLetter(r) || unicode.IsDigit(r)) && !taken[r] {
				letters[i], taken[r] = r, true
				break
			}
		}
	}
	return letters
}

func (c *confirm) ID() string { return c.id }

// Settle keeps a key that was typed for the page from pressing a button.
func (c *confirm) Settle() time.Duration { return 150 * time.Millisecond }

func (c *confirm) Update(msg tea.Msg) (Action, tea.Cmd) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	n := len(c.buttons)
	switch name := key.String(); name {
	case "left", "up", "shift+tab":
		c.focus = (c.focus + n - 1) % n
	case "right", "down", "tab":
		c.focus = (c.focus + 1) % n
	case "enter", "space":
		return Pressed(c.buttons[c.focus].ID), nil
	case "esc":
		for _, b := range c.buttons {
			if b.Cancel {
				return Pressed(b.ID), nil
			}
		}
		return Cancelled{}, nil
	default:
		for i, letter := range c.letters {
			if letter != 0 && strings.ToLower(name) == string(letter) {
				return Pressed(c.buttons[i].ID), nil
			}
		}
	}
	return nil, nil
}

func (c *confirm) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	rows := c.rows(t, w)
	text := paragraph(t, c.text, w)
	// The buttons stay in view whatever the length of the text.
	if room := max(maxH-frameH-len(rows)-1, 0); len(text) > room {
		text = text[:room]
		if room > 0 {
			text[room-1] = t.Muted.Render("…")
		}
	}
	lines := text
	if len(text) > 0 {
		lines = append(lines, "")
	}
	return box(t, c.title, append(lines, rows...), maxW, maxH)
}

// rows draws the buttons, on as many rows as they need at a width.
func (c *confirm) rows(t *theme.Theme, w int) []string {
	const gap = "  "
	var rows []string
	row := ""
	for i := range c.buttons {
		b := layout.Cut(c.button(t, i), w)
		switch {
		case row == "":
			row = b
		case layout.Width(row)+len(gap)+layout.Width(b) <= w:
			row += t.Base.Render(gap) + b
		default:
			rows = append(rows, row)
			row = b
		}
	}
	return append(rows, row)
}

func (c *confirm) button(t *theme.Theme, i int) string {
	style, left, right := t.Button, "[ ", " ]"
	if i == c.focus {
		style, left, right = t.ButtonFocused, "[›", "‹]"
	}
	label := prose.Fit(c.buttons[i].Label)
	at := strings.IndexFunc(label, func(r rune) bool { return c.letters[i] != 0 && unicode.ToLower(r) == c.letters[i] })
	if at < 0 {
		return style.Render(left + label + right)
	}
	end := at + len(string([]rune(label[at:])[:1]))
	return style.Render(left+label[:at]) + style.Underline(true).Render(label[at:end]) + style.Render(label[end:]+right)
}

func (c *confirm) Keys() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Label: strings.ToLower(c.buttons[c.focus].Label), Help: "press the focused button", Footer: true},
		{Keys: []string{"tab", "right", "left"}, Label: "next button", Help: "move between the buttons", Footer: len(c.buttons) > 1},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the question", Footer: true},
	}
}
