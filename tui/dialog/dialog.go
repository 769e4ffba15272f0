// Package dialog has the questions that stand over a page: a dialog takes all
// keys while it is on top, and returns one action, which its owner performs. A
// dialog itself changes nothing.
package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/theme"
)

// Dialog is one question. The frame draws it over the page that opened it.
type Dialog interface {
	// ID names the dialog to its owner, in the Result.
	ID() string
	// Update takes a message; an action that is not nil closes the dialog.
	Update(tea.Msg) (Action, tea.Cmd)
	// View draws the dialog, border included, in at most maxW by maxH cells.
	View(t *theme.Theme, maxW, maxH int) string
	// Keys are for the footer.
	Keys() []Binding
}

// Action is what a dialog ended with: Pressed, Entered, Picked, Cancelled, or a
// type of a dialog of the caller's own. A nil action leaves the dialog open.
type Action any

// The actions of the dialogs of this package.
type (
	// Pressed is the ID of the button that was pressed in a Confirm.
	Pressed string
	// Entered is the text that was entered in an Input.
	Entered string
	// Picked is the ID of the item that was chosen in a Choose.
	Picked string
	// Cancelled says that the dialog was left with esc.
	Cancelled struct{}
)

// Result is the message that the owner of a dialog gets when it closes.
type Result struct {
	ID     string
	Action Action
}

// Settler is a dialog that must not be answered by a key that was typed before
// a person saw it. The frame keeps keys from it until it was drawn, and in a real
// terminal for the time that Settle returns after that.
type Settler interface{ Settle() time.Duration }

// Binding is one thing that keys do. It is declared once; the footer and the
// help are made from it.
type Binding struct {
	// Keys are the names of the keys as Bubble Tea gives them: "enter",
	// "ctrl+s", "space", "G". The first one is shown in the footer.
	Keys []string
	// Label is the word in the footer, Help the sentence in the help.
	Label, Help string
	// Disabled is the reason why it cannot be done now; "" where it can.
	Disabled string
	// Footer asks for a place in the footer.
	Footer bool
	// Group is the heading in the help under which it stands.
	Group string
}

// Has tells whether a key is one of the binding's.
func (b Binding) Has(key string) bool {
	for _, k := range b.Keys {
		if k == key {
			return true
		}
	}
	return false
}
