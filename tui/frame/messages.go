package frame

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// The messages to the frame. Pages send them with the functions below.
type (
	goMsg      struct{ to Route }
	replaceMsg struct{ with Route }
	backMsg    struct{}
	quitMsg    struct{}
	sayMsg     struct {
		level StatusLevel
		text  string
	}
	openMsg  struct{ dialog dialog.Dialog }
	closeMsg struct{}
	mouseMsg struct{ on bool }
)

// Go shows the page of a route and remembers this one for Back. A page that was
// shown before is as it was left; one that is on the way to this page is gone back to.
func Go(to Route) tea.Cmd { return func() tea.Msg { return goMsg{to} } }

// Replace shows the page of a route in place of this one, which is forgotten: it
// is made anew when it is shown again.
func Replace(with Route) tea.Cmd { return func() tea.Msg { return replaceMsg{with} } }

// Back shows the page before this one. On the first page it says that there is none.
func Back() tea.Cmd { return func() tea.Msg { return backMsg{} } }

// Quit ends the program. Where a page has unsaved work it asks first.
func Quit() tea.Cmd { return func() tea.Msg { return quitMsg{} } }

// Say shows one line in the status line. It is cleared by the next key; Info and
// Good also after a time, while a warning or an error stays for somebody who was
// not looking.
func Say(level StatusLevel, format string, args ...any) tea.Cmd {
	text := fmt.Sprintf(format, args...)
	return func() tea.Msg { return sayMsg{level, text} }
}

// Open puts a dialog on top. Its result comes to the page that was in front.
func Open(d dialog.Dialog) tea.Cmd { return func() tea.Msg { return openMsg{d} } }

// Close takes the dialog on top away without a result.
func Close() tea.Cmd { return func() tea.Msg { return closeMsg{} } }

// Mouse takes the mouse for the pages, or gives it back to the terminal, whose own
// selection works then. While it is taken the status line says how text is
// selected, as long as there is nothing else to say.
func Mouse(on bool) tea.Cmd { return func() tea.Msg { return mouseMsg{on} } }
