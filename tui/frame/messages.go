package frame

import (
	"fmt"
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame/waiting"
	"gatewright/tui/viewer"
)

// frameMsg is a function that the frame calls in Update. from is the page or dialog
// whose command returned it. Pages make one with the exported functions below.
type frameMsg func(m *Model, from owner) tea.Cmd

// inFrame is a command that has the frame call a function.
func inFrame(do frameMsg) tea.Cmd { return func() tea.Msg { return do } }

// after is inFrame after a time.
func after(d time.Duration, do frameMsg) tea.Cmd {
	tick := tea.Tick(d, func(time.Time) tea.Msg { return do })
	return func() tea.Msg {
		waiting.Begins(waiting.Time)
		return tick()
	}
}

// owner wraps a command so that its answer is delivered to one page or dialog. nil is
// the frame itself.
type owner func(tea.Cmd) tea.Cmd

func (o owner) wrap(cmd tea.Cmd) tea.Cmd {
	if o == nil {
		return cmd
	}
	return o(cmd)
}

// Go shows the page of a route; going back leads to the page in front now. A page that
// was shown before is as it was left. If it is on the trail, Go goes back to it.
func Go(to Route) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.orSayError(m.history.open(to)) })
}

// GoOn shows the page with unsaved work that was shown last of those whose route is alike,
// or the page of another route if there is none.
func GoOn(alike func(Route) bool, otherwise Route) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.orSayError(m.history.goOn(alike, otherwise)) })
}

// GoAnew is Go for a page that begins anew: the pages whose route is alike are dropped from
// memory with their work.
func GoAnew(to Route, alike func(Route) bool) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.orSayError(m.history.goAnew(to, alike)) })
}

// Replace shows the page of a route instead of the one in front, which is dropped from
// memory.
func Replace(with Route) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.orSayError(m.history.replace(with)) })
}

// GoBack shows the previous page. On the first page it says so in the status line.
func GoBack() tea.Cmd { return inFrame(func(m *Model, _ owner) tea.Cmd { return m.back() }) }

// Say shows a text in the status line. The next key clears it. Info and Good also
// disappear after a time; a warning or an error stays until a key is pressed.
func Say(level StatusLevel, format string, args ...any) tea.Cmd {
	text := fmt.Sprintf(format, args...)
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.say(level, text) })
}

// Open puts a dialog on top. The command that follows its end belongs to the page or
// dialog that opened it.
func Open(d dialog.Dialog) tea.Cmd {
	return inFrame(func(m *Model, from owner) tea.Cmd { return m.open(d, from) })
}

// Announce gives a message to every page in memory.
func Announce(msg tea.Msg) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd {
		var cmds []tea.Cmd
		for _, p := range slices.Clone(m.history.visited) {
			cmds = append(cmds, m.deliver(p, msg))
		}
		return tea.Batch(cmds...)
	})
}

// LookAs has all pages look at the project as somebody; nil is everybody.
func LookAs(v *viewer.Viewer) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd {
		if v.Equal(m.context.Viewer) {
			return nil
		}
		m.context.Viewer = v
		return Announce(ViewerMsg{})
	})
}

// Exec gives the terminal to another program, such as an editor. The message that then
// makes of its end is delivered to the page that called Exec.
func Exec(command *exec.Cmd, then func(error) tea.Msg) tea.Cmd {
	return inFrame(func(m *Model, from owner) tea.Cmd {
		return tea.Exec(execCommand{command, &m.away}, func(err error) tea.Msg { return execEnded(from, then, err) })
	})
}

// execEnded is the message after another program has ended.
func execEnded(from owner, then func(error) tea.Msg, err error) tea.Msg {
	return frameMsg(func(m *Model, _ owner) tea.Cmd {
		m.throttle.reset()
		return from.wrap(func() tea.Msg { return then(err) })
	})
}
