// Package outside is what all pages do about files that somebody else changes while they are open.
package outside

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Watch looks at the files of the project that dir is in. changed is called inside Update, with
// their fingerprint, when they differ from those of the last look.
func Watch(dir string, changed func(print string) tea.Cmd) frame.Watch {
	const pace = 2 * time.Second
	var print string
	return frame.Watch{Every: pace, Poll: func() tea.Msg {
		now := project.PrintOf(dir)
		if now == print {
			return nil
		}
		print = now
		return frame.ThenMsg(func() tea.Cmd { return changed(now) })
	}}
}

// Say tells in the status line what somebody else changed; before is what comes first.
func Say(before string, news session.News) tea.Cmd {
	switch {
	case news.Text == "" && before == "":
		return nil
	case news.Text == "":
		news.Text = "the files changed outside"
	}
	level := frame.Info
	if news.Opened || before != "" {
		level = frame.Warn
	}
	return frame.Say(level, "%s%s", before, news.Text)
}

// Ask asks which value of a conflict stays, and goes on with decided. later, which may be nil, is
// what to do if a person does not decide it now.
func Ask(c *merge.OpenError, decided, later func() tea.Cmd) tea.Cmd {
	answer := func(yours bool) func() tea.Cmd {
		return func() tea.Cmd {
			c.Decide(yours)
			return decided()
		}
	}
	return frame.Open(dialog.Confirm("Both changed "+prose.PrintableStart(c.Of),
		"You changed it, and somebody else changed it in the files.\n\nyours: "+c.Yours+"\noutside: "+c.Outside,
		dialog.Button{Label: "Decide later", Cancel: true, Do: later},
		dialog.Button{Label: "Keep yours", Do: answer(true)},
		dialog.Button{Label: "Take outside", Do: answer(false)}))
}

// Later is an error without a conflict: that is asked when the files are read to write.
func Later(err error) error {
	if errors.As(err, new(*merge.OpenError)) {
		return nil
	}
	return err
}
