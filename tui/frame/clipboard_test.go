package frame

import (
	"strings"
	"testing"

	"gatewright/tui/dialog"
)

func TestADialogIsCopied(t *testing.T) {
	t.Parallel()
	term := start(t, "dark", 80, 24)
	open := func(d dialog.Dialog) { term.run(Open(d)) }
	open(dialog.Text("Client code", "one\ntwo"))
	term.shows("y copy")
	term.press("y")
	term.shows("sent to the clipboard: 2 lines of Client code")
	term.press("esc")
	open(dialog.Text("Long", strings.Repeat("x", longestCopy)+"y"))
	term.press("y")
	term.shows("not copied: it has 74995 bytes, and terminals take 74994")
	term.press("esc")
	// While somebody types, y is a letter, and another key copies.
	open(dialog.Input("Name", "", nil, nil))
	term.press("y o alt+y")
	term.shows("sent to the clipboard: yo")
	term.press("backspace backspace alt+y")
	term.shows("there is nothing to copy")
	term.press("esc")
	// A button keeps its letter.
	open(dialog.Sure("Really", "Really?", "Yes", nil))
	term.model.View()
	term.press("y")
	term.hides("sent to the clipboard")
	term.hides("Really?")
}

func TestAnAccentAfterALetterReachesTheTerminal(t *testing.T) {
	t.Parallel()
	term := start(t, "dark", 80, 24)
	term.run(Open(dialog.Text("Who", "zoe\u0308 and zoe")))
	term.shows("zo\u00eb and zoe")
}

func TestATerminalThatTakesNoTextIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ env, want, not string }{
		{"TERM=xterm-256color", "sent to the clipboard: yes", "("},
		{"TERM=linux", "not copied: the Linux console has no clipboard", "sent"},
		{"TERM=screen-256color TMUX=/tmp/tmux-0/default,1,0", "sent to the clipboard: yes (tmux needs its set-clipboard on)", "not copied"},
		{"TERM=tmux-256color", "sent to the clipboard: yes (tmux", "not copied"},
		{"TERM=screen STY=12.pts-0", "not copied: GNU Screen does not pass it on to the terminal", "sent"},
	} {
		term := startIn(t, strings.Fields(test.env), "dark", 80, 24)
		term.run(Copy("yes", ""))
		term.shows(test.want)
		if test.not != "(" {
			term.hides(test.not)
		}
	}
}
