package frame

import (
	"fmt"
	"os/exec"

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
	announceMsg struct{ msg tea.Msg }
	// openMsg and execMsg have an answer for whoever sent them: owned makes a command
	// of an answer that of its owner.
	openMsg struct {
		dialog dialog.Dialog
		owned  func(tea.Cmd) tea.Cmd
	}
	execMsg struct {
		command *exec.Cmd
		then    func(error) tea.Msg
		owned   func(tea.Cmd) tea.Cmd
	}
	// execOverMsg is the end of the other program.
	execOverMsg struct {
		execMsg
		err error
	}
)

// Go shows the page of a route and remembers this one for going back. A page that was
// shown before is as it was left; one that is on the way to this page is gone back to.
func Go(to Route) tea.Cmd { return func() tea.Msg { return goMsg{to} } }

// Replace shows the page of a route in place of this one, which is forgotten: it
// is made anew when it is shown again.
func Replace(with Route) tea.Cmd { return func() tea.Msg { return replaceMsg{with} } }

// GoBack shows the page before this one. On the first page it says that there is none.
func GoBack() tea.Cmd { return func() tea.Msg { return backMsg{} } }

// Quit ends the program. Where something would be lost it asks first.
func Quit() tea.Cmd { return func() tea.Msg { return quitMsg{} } }

// Say shows one line in the status line. It is cleared by the next key; Info and
// Good also after a time, while a warning or an error stays for somebody who was
// not looking.
func Say(level StatusLevel, format string, args ...any) tea.Cmd {
	text := fmt.Sprintf(format, args...)
	return func() tea.Msg { return sayMsg{level, text} }
}

// Open puts a dialog on top. What its end leads to is done for whoever opened it.
func Open(d dialog.Dialog) tea.Cmd { return func() tea.Msg { return openMsg{dialog: d} } }

// Announce gives a message to every page that is kept.
func Announce(msg tea.Msg) tea.Cmd { return func() tea.Msg { return announceMsg{msg} } }

// Exec gives the terminal to another program, such as an editor. What then makes of
// its end comes to whoever began it.
func Exec(command *exec.Cmd, then func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return execMsg{command: command, then: then} }
}
