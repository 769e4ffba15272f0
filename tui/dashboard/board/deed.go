package board

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Deed is something that was done and is not a change of the project's files, such as adding
// a user.
type Deed struct {
	// Done says in the status line what was done.
	Done string
	// Back takes it back, outside Update; nil if that is not possible. It refuses what somebody
	// else has changed since.
	Back func(context.Context) error
	// Asks is what undo asks before, as a title and a text; empty if it may take back at once.
	Asks, Text string
	// Level is that of the status line; the zero value is frame.Info.
	Level frame.StatusLevel
	// After runs inside Update when it was done, and when it was taken back.
	After func() tea.Cmd
}

// Do does something outside Update that is no change of the project's files. word names it
// while it runs.
func (b *Board) Do(word string, do func(context.Context) (Deed, error)) tea.Cmd {
	return b.runBusy(word, func() func() tea.Cmd {
		deed, err := do(context.Background())
		return func() tea.Cmd {
			if err != nil {
				return tea.Batch(deed.after(), frame.Say(frame.Error, "%v", err))
			}
			if deed.Back == nil {
				return tea.Batch(deed.after(), frame.Say(deed.Level, "%s", deed.Done))
			}
			b.keep(writtenChange{done: deed.Done, deed: &deed})
			return tea.Batch(deed.after(), frame.Say(frame.Good, "%s; u undoes it", deed.Done))
		}
	})
}

func (d Deed) after() tea.Cmd {
	if d.After == nil {
		return nil
	}
	return d.After()
}

// undoDeed takes the last deed back, after asking if it wants that.
func (b *Board) undoDeed(last writtenChange) tea.Cmd {
	back := func() tea.Cmd {
		return b.runBusy("undoing", func() func() tea.Cmd {
			err := last.deed.Back(context.Background())
			return func() tea.Cmd {
				if err != nil {
					return tea.Batch(last.deed.after(), b.notUndone(last, fmt.Sprintf("nothing was undone: %v", err)))
				}
				b.forget(last)
				return tea.Batch(last.deed.after(), frame.Say(frame.Good, "undid: %s", last.done))
			}
		})
	}
	if last.deed.Asks == "" {
		return back()
	}
	return frame.Open(dialog.Sure(last.deed.Asks, last.deed.Text, "Undo", back))
}
