package dashboard

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/theme"
)

// said is a sentence about a row. It is drawn below the rows, as far as there is
// room, or whole in a dialog.
type said struct {
	tone tone
	text string
}

// tone is how a sentence is meant.
type tone uint8

const (
	plain tone = iota
	muted
	strong
	good
	warning
	bad
)

func (k tone) style(t *theme.Theme) lipgloss.Style {
	switch k {
	case muted:
		return t.Muted
	case strong:
		return t.Accent
	case good:
		return t.Good
	case warning:
		return t.Warning
	case bad:
		return t.Error
	}
	return t.Base
}

// draw draws sentences in lines of w cells.
func draw(t *theme.Theme, all []said, w int) []string {
	var lines []string
	for _, s := range all {
		lines = append(lines, wrapped(s.tone.style(t), s.text, w)...)
	}
	return lines
}

// showing is the binding of a tab that shows all of a row in a dialog.
var showing = frame.Binding{Label: "show all", Help: "show all that is to be said of the row"}

// show opens the dialog.
func show(title string, all []said) tea.Cmd {
	text := ""
	for i, s := range all {
		if i > 0 {
			text += "\n"
		}
		text += s.text
	}
	return frame.Open(dialog.Text("row", title, text))
}
