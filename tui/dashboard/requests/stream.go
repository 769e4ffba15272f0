package requests

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/traffic"
	"gatewright/tui/frame"
)

// stream reads the calls of the sandbox of a project, also of those that follow it.
type stream struct {
	root   string
	box    *frame.Inbox[*row]
	ctx    context.Context
	cancel context.CancelFunc
}

// allKept comes after the calls that a sandbox keeps when its reading begins.
var allKept = new(row)

// The list is drawn at most about ten times a second, however many calls come.
const gather = 95 * time.Millisecond

func newStream(root string) *stream {
	s := &stream{root: root, box: frame.NewInbox[*row](2 * traffic.MostCalls).Slower(gather)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// begin is a command that starts the reading.
func (s *stream) begin() tea.Msg {
	go func() { s.box.End(s.read()) }()
	return nil
}

// read reads calls until no sandbox runs. A connection that breaks is made again.
func (s *stream) read() error {
	var began time.Time
	after := uint64(0)
	for {
		client, err := sandbox.Connect(live.State(s.root))
		if err != nil {
			return err
		}
		status, err := client.Status(s.ctx)
		if err == nil {
			if !status.Started.Equal(began) {
				began, after = status.Started, 0
			}
			put := func(c traffic.Call) error {
				after = c.Number
				s.box.Put(rowOf(c, began))
				return nil
			}
			if err = client.Requests(s.ctx, traffic.Query{After: after}, false, put); err == nil {
				s.box.Put(allKept)
				err = client.Requests(s.ctx, traffic.Query{After: after}, true, put)
			}
		}
		if s.ctx.Err() != nil || errors.Is(err, sandbox.ErrNotRunning) {
			return err
		}
		const pause = 500 * time.Millisecond
		select {
		case <-time.After(pause):
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
}

// listen waits for calls.
func (t *Tab) listen(s *stream) tea.Cmd {
	return func() tea.Msg {
		rows, ended, _ := s.box.Take()
		return frame.ThenMsg(func() tea.Cmd {
			ask := t.take(rows)
			if ended {
				t.stream, t.read = nil, false
				// The next sandbox may run already.
				return tea.Batch(ask, t.board.Observe())
			}
			return tea.Batch(ask, frame.Beat(), t.listen(s))
		})
	}
}

// take puts calls, the oldest first, into the list, or lets them wait if it is held still.
func (t *Tab) take(rows []*row) tea.Cmd {
	if end := len(rows); end > 0 {
		rows = slices.DeleteFunc(rows, func(r *row) bool { return r == allKept })
		t.read = t.read || len(rows) < end
	}
	if len(rows) == 0 {
		return nil
	}
	latest := t.latest()
	fresh := make([]*row, 0, len(rows))
	for _, r := range rows {
		switch {
		case latest != nil && !latest.sandbox.Equal(r.sandbox):
			// Another sandbox: it knows nothing of the calls before.
			t.all, t.waiting, fresh, t.shown = nil, nil, fresh[:0], nil
		case latest != nil && r.call.Number > latest.call.Number+1:
			fresh = append(fresh, lostRow(r.call.Number-latest.call.Number-1, r.call.Number))
		}
		fresh = append(fresh, r)
		latest = r
	}
	t.waiting = before(fresh, t.waiting)
	if !t.held && t.List.AtFirst() {
		return t.letIn()
	}
	return nil
}

// latest is the latest call that came; nil for none.
func (t *Tab) latest() *row {
	for _, rows := range [][]*row{t.waiting, t.all} {
		if len(rows) > 0 {
			return rows[0]
		}
	}
	return nil
}

// before are rows that came later, the oldest first, before others; the oldest of too many
// are dropped.
func before(later, rows []*row) []*row {
	all := make([]*row, 0, min(len(later)+len(rows), traffic.MostCalls))
	for i := len(later) - 1; i >= 0 && len(all) < traffic.MostCalls; i-- {
		all = append(all, later[i])
	}
	return append(all, rows[:min(len(rows), traffic.MostCalls-len(all))]...)
}

// letIn puts the calls that wait into the list, and stays on the newest.
func (t *Tab) letIn() tea.Cmd {
	first := t.List.AtFirst()
	if len(t.waiting) > 0 {
		all := make([]*row, 0, min(len(t.waiting)+len(t.all), traffic.MostCalls))
		all = append(all, t.waiting...)
		t.all, t.waiting = append(all, t.all[:min(len(t.all), traffic.MostCalls-len(all))]...), nil
		t.show()
	}
	if first {
		return t.List.Move(-t.List.Len())
	}
	return t.ask()
}

// show shows the calls of the environment that the dashboard shows, and those to addresses
// that are of none.
func (t *Tab) show() {
	if t.board.Snap == nil {
		return
	}
	environment := t.board.Wanted()
	rows := make([]*row, 0, len(t.all))
	for _, r := range t.all {
		if t.isOf(r, environment) {
			rows = append(rows, r)
		}
	}
	t.List.SetRows(rows)
}

// isOf reports whether a row is shown with an environment.
func (t *Tab) isOf(r *row, environment string) bool {
	return r.call.Environment == environment || r.call.Environment == ""
}

// moved lets in what waits if the cursor is on the newest call again, and asks about the call
// under the cursor.
func (t *Tab) moved() tea.Cmd {
	if !t.held && len(t.waiting) > 0 && t.List.AtFirst() {
		return t.letIn()
	}
	return t.ask()
}

// pause holds the list still, or lets it go on from the newest call.
func (t *Tab) pause() tea.Cmd {
	if t.held = !t.held; t.held {
		return nil
	}
	t.List.Move(-t.List.Len())
	return t.letIn()
}
