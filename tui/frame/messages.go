package frame

import (
	"fmt"
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// askMsg is what somebody asks of the frame: it is done in the screens' own goroutine.
// by is who asks. Pages ask with the functions below, the frame itself with the others
// that make one.
type askMsg func(m *Model, by owner) tea.Cmd

// ask is the command that asks.
func ask(do askMsg) tea.Cmd { return func() tea.Msg { return do } }

// after asks when a time has passed.
func after(d time.Duration, do askMsg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return do })
}

// owner makes a command that of a page or of a dialog: its answer comes there. nil is
// the frame itself.
type owner func(tea.Cmd) tea.Cmd

func (o owner) of(cmd tea.Cmd) tea.Cmd {
	if o == nil {
		return cmd
	}
	return o(cmd)
}

// Go shows the page of a route and remembers this one for going back. A page that was
// shown before is as it was left; one that is on the way to this page is gone back to.
func Go(to Route) tea.Cmd {
	return ask(func(m *Model, _ owner) tea.Cmd { return m.show(m.history.open(to)) })
}

// Replace shows the page of a route in place of this one, which is forgotten: it
// is made anew when it is shown again.
func Replace(with Route) tea.Cmd {
	return ask(func(m *Model, _ owner) tea.Cmd { return m.show(m.history.replace(with)) })
}

// GoBack shows the page before this one. On the first page it says that there is none.
func GoBack() tea.Cmd { return ask(func(m *Model, _ owner) tea.Cmd { return m.back() }) }

// Say shows one line in the status line. It is cleared by the next key; Info and
// Good also after a time, while a warning or an error stays for somebody who was
// not looking.
func Say(level StatusLevel, format string, args ...any) tea.Cmd {
	text := fmt.Sprintf(format, args...)
	return ask(func(m *Model, _ owner) tea.Cmd { return m.say(level, text) })
}

// Open puts a dialog on top. What its end leads to is done for whoever opened it.
func Open(d dialog.Dialog) tea.Cmd {
	return ask(func(m *Model, by owner) tea.Cmd { return m.open(d, by) })
}

// Announce gives a message to every page that is kept.
func Announce(msg tea.Msg) tea.Cmd {
	return ask(func(m *Model, _ owner) tea.Cmd {
		var cmds []tea.Cmd
		for _, k := range slices.Clone(m.history.visited) {
			cmds = append(cmds, m.deliver(k, msg))
		}
		return tea.Batch(cmds...)
	})
}

// Exec gives the terminal to another program, such as an editor. What then makes of
// its end comes to whoever began it.
func Exec(command *exec.Cmd, then func(error) tea.Msg) tea.Cmd {
	return ask(func(_ *Model, by owner) tea.Cmd {
		return tea.Exec(away{command}, func(err error) tea.Msg { return over(by, then, err) })
	})
}

// over is the end of another program.
func over(by owner, then func(error) tea.Msg, err error) tea.Msg {
	return askMsg(func(m *Model, _ owner) tea.Cmd {
		m.rest.renew()
		return by.of(func() tea.Msg { return then(err) })
	})
}
