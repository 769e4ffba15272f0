// Package dialog has the questions that stand over a page: a dialog takes all keys
// while it is on top, and when it ends leads to what its opener gave it for that end.
// A dialog itself changes nothing.
package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Dialog is one question. The frame draws it over the page that opened it, and does
// what its keys are bound to.
type Dialog interface {
	// Title stands in its border. A second dialog of the same title is not opened.
	Title() string
	// Bindings are its keys, for doing, footer and help.
	Bindings() []widget.Binding
	// Typing says that a text field has the focus.
	Typing() bool
	// Update takes a paste, the answers to the dialog's own commands, and while Typing
	// the keys that no binding has.
	Update(tea.Msg) tea.Cmd
	// View draws the dialog, border included, in at most maxW by maxH cells.
	View(t *theme.Theme, maxW, maxH int) string
	// Ended tells whether it is over, and what that leads to; nil for nothing.
	Ended() (then func() tea.Cmd, ended bool)
}

// Settler is a dialog that must not be answered by a key that was typed before
// a person saw it. The frame keeps keys from it until it was drawn, and in a real
// terminal for the time that Settle returns after that.
type Settler interface{ Settle() time.Duration }

// settle is how long such a dialog waits.
const settle = 150 * time.Millisecond

// base is what every dialog has.
type base struct {
	title string
	then  func() tea.Cmd
	ended bool
}

// Title stands in the border.
func (b *base) Title() string { return b.title }

// Ended tells whether the dialog is over, and what that leads to.
func (b *base) Ended() (then func() tea.Cmd, ended bool) { return b.then, b.ended }

// Typing is false where there is no text field.
func (b *base) Typing() bool { return false }

// Update takes nothing where there is no text field.
func (b *base) Update(tea.Msg) tea.Cmd { return nil }

// end ends the dialog.
func (b *base) end(then func() tea.Cmd) tea.Cmd {
	b.then, b.ended = then, true
	return nil
}

// cancel is the binding that ends the dialog without anything.
func (b *base) cancel(label, about string) widget.Binding {
	return widget.Back.Does(label, about, func() tea.Cmd { return b.end(nil) }).Shown()
}

// checked asks check, which may be nil, whether an answer is good.
func checked[T any](check func(T) error, answer T) error {
	if check == nil {
		return nil
	}
	return check(answer)
}

// told says why an answer was refused; "" where it was not.
func told(refused error) string {
	if refused == nil {
		return ""
	}
	return prose.Printable("error: " + refused.Error())
}

// with gives an answer to what takes it; nil takes nothing.
func with[T any](then func(T) tea.Cmd, answer T) func() tea.Cmd {
	if then == nil {
		return nil
	}
	return func() tea.Cmd { return then(answer) }
}
