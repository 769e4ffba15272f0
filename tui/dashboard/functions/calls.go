package functions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/sandbox/traffic"
	"gatewright/tui/frame"
)

// countsOf are the counts of a row's function; nil if no call is known.
func (t *Tab) countsOf(r *row) *traffic.Counts {
	if t.board.Snap == nil || !t.board.Sandbox.Runs() {
		return nil
	}
	return t.board.Sandbox.Counts.Function(t.board.Snap.Name(), r.key)
}

// tail is the end of the log of a function, each entry in lines for the screen, the oldest
// first.
type tail struct {
	environment, function string
	entries               []tailEntry
}

// tailEntry is an entry with its day.
type tailEntry struct {
	day   string
	lines []prose.Line
}

func (t *tail) add(l logs.Line) {
	t.entries = append(t.entries, tailEntry{clock.DayInZone(l.Time), entry.InLines(l)})
}

// mostTail is how many lines the details show.
const mostTail = 30

// readTail reads the end of the log of the selected function, outside Update.
func (t *Tab) readTail() tea.Cmd {
	r, ok := t.List.Row()
	if !ok || t.board.Snap == nil || r.definition == nil {
		return nil
	}
	root, environment, function := t.board.Snap.Root, t.board.Snap.Name(), r.key
	if environment == "" {
		return nil
	}
	return func() tea.Msg {
		read := &tail{environment: environment, function: function}
		log, err := live.OpenLogs(root)
		if err == nil {
			err = log.Read(context.Background(), logs.Query{Environment: environment, Function: function, Last: mostTail}, false,
				func(l logs.Line) error {
					read.add(l)
					return nil
				})
		}
		if err != nil {
			return nil
		}
		return frame.ThenMsg(func() tea.Cmd {
			t.tail = read
			return nil
		})
	}
}

// tailOf is the end of the log of a row; nil if it is not read.
func (t *Tab) tailOf(r *row) []tailEntry {
	if t.tail == nil || t.tail.function != r.key || t.tail.environment != t.board.Snap.Name() {
		return nil
	}
	return t.tail.entries
}
