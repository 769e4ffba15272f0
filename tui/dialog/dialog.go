// Package dialog has the dialogs that are shown over a page. A dialog takes all keys while it is on top, and
// when it ends, the frame runs the action that its opener gave it. A dialog itself changes nothing.
package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
)

// Dialog is one dialog. The frame draws it over the page that opened it, and runs the
// actions of its keys.
type Dialog interface {
	// Title is in the border. A second dialog with the same title is not opened.
	Title() string
	// Bindings are the keys.
	Bindings() []keys.Binding
	// Typing reports whether a text field has the focus.
	Typing() bool
	// Update takes a paste, the answers to the dialog's own commands, and while Typing
	// the keys that no binding has.
	Update(tea.Msg) tea.Cmd
	// View draws the dialog, border included, in at most maxW by maxH cells.
	View(t *theme.Theme, maxW, maxH int) string
	// Ended reports whether the dialog has ended, and the action that follows; may be nil.
	Ended() (then func() tea.Cmd, ended bool)
}

// Asker is a dialog or a page that asks before it does something. Its bindings that do it are marked (see
// [keys.Binding.Answers]): the frame runs none of them before a person can have read what is asked.
type Asker interface {
	// Asks is what is asked now: another value is another question, nil is none.
	Asks() any
	// Unseen is how many lines about what is opened have not been on the screen yet.
	Unseen() int
}

// Copier is a dialog with a text that may be wanted elsewhere; the frame binds a key that
// copies it.
type Copier interface {
	// Copied is the text at hand: the line of the cursor, or all that the dialog shows.
	Copied() string
}

// base is the part that all dialogs have in common.
type base struct {
	title string
	then  func() tea.Cmd
	ended bool
}

// Title is in the border.
func (b *base) Title() string { return b.title }

// Ended reports whether the dialog has ended, and the action that follows; may be nil.
func (b *base) Ended() (then func() tea.Cmd, ended bool) { return b.then, b.ended }

// Typing is false in dialogs without a text field.
func (b *base) Typing() bool { return false }

// Update does nothing in dialogs without a text field.
func (b *base) Update(tea.Msg) tea.Cmd { return nil }

// end ends the dialog.
func (b *base) end(then func() tea.Cmd) tea.Cmd {
	b.then, b.ended = then, true
	return nil
}

// cancel is the binding that closes the dialog without an action.
func (b *base) cancel(label, about string) keys.Binding {
	return keys.Back.Does(label, about, func() tea.Cmd { return b.end(nil) }).Shown()
}

// runCheck calls check, which may be nil, with an answer.
func runCheck[T any](check func(T) error, answer T) error {
	if check == nil {
		return nil
	}
	return check(answer)
}

// errorText is the text of an error, "" for nil.
func errorText(refused error) string {
	if refused == nil {
		return ""
	}
	return prose.Printable("error: " + refused.Error())
}

// bind returns a function that calls then with an answer; nil if then is nil.
func bind[T any](then func(T) tea.Cmd, answer T) func() tea.Cmd {
	if then == nil {
		return nil
	}
	return func() tea.Cmd { return then(answer) }
}
