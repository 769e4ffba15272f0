package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Agreed is the action of an Agree that somebody agreed to.
type Agreed struct{}

// agree is a text of what would be done, and the question below it.
type agree struct {
	id, title, label, word string
	text                   text
	// yes says that the button with the label has the focus.
	yes     bool
	field   Field
	refused string
}

// Agree shows a text of any length, which scrolls, and asks whether to do what it
// says. Where word is "" there are two buttons, Cancel with the focus and one with
// the label; else that word has to be typed, such as the name of a guarded
// environment, and enter takes it. It ends with Agreed, or with Cancelled.
func Agree(id, title, body, label, word string) Dialog {
	return &agree{id: id, title: title, label: label, word: word, text: text{text: body, rows: 1}}
}

func (a *agree) ID() string { return a.id }

// Settle keeps a key that was typed for the page from pressing a button.
func (a *agree) Settle() time.Duration { return 150 * time.Millisecond }

func (a *agree) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Cancelled{}, nil
		case "up", "down", "pgup", "pgdown":
			a.text.scroll(key.String())
			return nil, nil
		case "enter":
			return a.enter(), nil
		}
		if a.word == "" {
			return a.press(key.String()), nil
		}
	}
	if a.word != "" && a.field.Update(msg) {
		a.refused = ""
	}
	return nil, nil
}

// enter presses the button with the focus, or takes what was typed.
func (a *agree) enter() Action {
	switch {
	case a.word == "" && a.yes, a.word != "" && strings.TrimSpace(a.field.Value()) == a.word:
		return Agreed{}
	case a.word == "":
		return Cancelled{}
	}
	a.refused = "that is not its name: type it as it stands there, or leave with esc"
	return nil
}

// press is a key where there are buttons.
func (a *agree) press(name string) Action {
	switch name {
	case "tab", "shift+tab", "left", "right":
		a.yes = !a.yes
	case "space":
		return a.enter()
	case "home", "end":
		a.text.scroll(name)
	case "c":
		return Cancelled{}
	case strings.ToLower(a.label[:1]):
		return Agreed{}
	}
	return nil
}

func (a *agree) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	var below []string
	if a.word == "" {
		below = []string{a.buttons(t)}
	} else {
		below = wrap(t.Base, "Type "+a.word+" to "+strings.ToLower(a.label)+":", w)
		below = append(below, t.Key.Render("› ")+a.field.View(t, "its name", w-2, true))
		below = append(below, wrap(t.Error, a.refused, w)...)
	}
	room := max(maxH-frameH-len(below)-1, 1)
	lines := append(a.text.window(t, w, room), "")
	return box(t, a.title, append(lines, below...), maxW, maxH)
}

// wrap breaks a text into drawn lines; none where it is empty.
func wrap(style interface{ Render(...string) string }, text string, w int) []string {
	if text == "" {
		return nil
	}
	lines := layout.Wrap(prose.Fit(text), w)
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

func (a *agree) buttons(t *theme.Theme) string {
	draw := func(label string, focused bool) string {
		style, left, right := t.Button, "[ ", " ]"
		if focused {
			style, left, right = t.ButtonFocused, "[›", "‹]"
		}
		first, rest := label[:1], label[1:]
		return style.Render(left) + style.Underline(true).Render(first) + style.Render(rest+right)
	}
	return draw("Cancel", !a.yes) + t.Base.Render("  ") + draw(a.label, a.yes)
}

func (a *agree) Keys() []Binding {
	enter := Binding{Keys: []string{"enter"}, Label: "cancel", Help: "press the focused button", Footer: true}
	switch {
	case a.word != "":
		enter.Label, enter.Help = strings.ToLower(a.label), "go on, when the name is typed"
	case a.yes:
		enter.Label = strings.ToLower(a.label)
	}
	return []Binding{
		enter,
		{Keys: []string{"tab", "right", "left"}, Label: "next button", Help: "move between the buttons", Footer: a.word == ""},
		{Keys: []string{"down", "up", "pgdown", "pgup"}, Label: "scroll", Help: "move in the text", Footer: a.text.lines > a.text.rows},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the question", Footer: true},
	}
}
