package activity

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// endCloud says how a push has ended.
func (t *Tab) endCloud(c *cloudPush, record project.Record, err error, stopped bool) tea.Cmd {
	c.ended = time.Now()
	t.board.ForgetLook(c.name)
	took := clock.Took(c.ended.Sub(c.began))
	switch {
	case errors.Is(err, aws.ErrDetached):
		c.detached = true
		t.layOut()
		return tea.Batch(t.board.Written(), frame.Say(frame.Warn, "no longer followed: %v", err))
	case stopped && errors.Is(err, context.Canceled):
		t.cloud = nil
		t.layOut()
		return tea.Batch(t.board.Written(), frame.Say(frame.Warn, "stopped: the push of %s", prose.Printable(c.name)))
	case err != nil:
		c.failed, c.cancel, c.err = true, nil, prose.PrintableStart(err.Error())
		return t.sayFailed(c, err)
	}
	t.cloud = nil
	text := "environment " + prose.PrintableStart(c.name) + " is no longer in AWS"
	if record.Stack != "" {
		text = fmt.Sprintf("pushed %s as the stack %s in %s: account %s, %s, %s", prose.PrintableStart(c.name),
			prose.PrintableStart(record.Stack), took, prose.PrintableStart(record.Account), prose.PrintableStart(record.Region),
			phrase.Count(len(record.APIs), "API"))
	}
	t.own = lastOf(append(t.own,
		entry{at: c.ended, environment: prose.PrintableStart(c.name), kind: "push", text: text, tone: prose.Good}))
	t.layOut()
	return tea.Batch(t.board.Written(), frame.Say(frame.Good, "%s", text))
}

// askToCancel asks whether to cancel what goes on in AWS.
func (t *Tab) askToCancel() tea.Cmd {
	c := t.cloud
	const text = "Everything that it did is undone; what a first push created is removed."
	return frame.Open(dialog.Confirm("Cancel the "+c.title+"?", text,
		dialog.Button{Label: "Let it run", Cancel: true},
		dialog.Button{Label: "Cancel the push", Do: func() tea.Cmd { return t.cancelCloud(c) }}))
}

// cancelCloud cancels what goes on in AWS. Its end is told to those who follow it.
func (t *Tab) cancelCloud(c *cloudPush) tea.Cmd {
	cancel, detached := c.cancel, c.detached
	if cancel == nil {
		return frame.Say(frame.Warn, "it has ended already")
	}
	return func() tea.Msg {
		const patience = time.Minute
		ctx, end := context.WithTimeout(context.Background(), patience)
		defer end()
		err := cancel(ctx)
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case err != nil:
				return frame.Say(frame.Error, "cancelling the %s: %v", c.title, err)
			case detached:
				return frame.Say(frame.Warn, "the %s is cancelled and is being undone; follow the push to see it end", c.title)
			}
			return frame.Say(frame.Warn, "the %s is cancelled and is being undone", c.title)
		})
	}
}

// closeCloud removes what a push that was prepared and not carried out left in AWS.
func (t *Tab) closeCloud() {
	c := t.cloud
	if c == nil || !c.prepared.Load() {
		return
	}
	const patience = 15 * time.Second
	ctx, end := context.WithTimeout(context.Background(), patience)
	defer end()
	_ = c.push.Discard(ctx)
	_ = c.project.Close()
}
