package requests

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// Follow makes the rows of the calls that came, and puts them into the list.
func (t *Tab) Follow(b *board.Batch) func() tea.Cmd {
	rows := make([]*row, len(b.Calls))
	for i, c := range b.Calls {
		rows[i] = rowOf(c, b.Began)
	}
	return func() tea.Cmd {
		// The first batch has all that the sandbox keeps.
		t.read = true
		return t.take(rows)
	}
}

// Unfollowed says that the sandbox has ended.
func (t *Tab) Unfollowed() { t.read = false }

// take puts calls, the oldest first, into the list, or lets them wait if it is held still.
func (t *Tab) take(rows []*row) tea.Cmd {
	if len(rows) == 0 {
		return nil
	}
	latest := t.latest()
	fresh := make([]*row, 0, len(rows))
	for _, r := range rows {
		switch {
		case latest != nil && !latest.sandbox.Equal(r.sandbox):
			// Another sandbox: it knows nothing of the calls before.
			t.all, t.waiting, fresh, t.shown, t.marked = nil, nil, fresh[:0], nil, nil
		case latest != nil && r.call.Number > latest.call.Number+1:
			fresh = append(fresh, lostRow(r.call.Number-latest.call.Number-1, r.call.Number))
		}
		fresh = append(fresh, r)
		latest = r
	}
	t.waiting = append(t.waiting, fresh...)
	t.waiting = t.waiting[max(0, len(t.waiting)-traffic.MostCalls):]
	if !t.board.IsInFront(t) {
		return nil // ten thousand rows are not arranged for nobody
	}
	if !t.held && t.List.AtFirst() {
		return t.letIn()
	}
	return nil
}

// Front shows the calls that came while another tab was open.
func (t *Tab) Front() tea.Cmd {
	if !t.held && len(t.waiting) > 0 && t.List.AtFirst() {
		return t.letIn()
	}
	return nil
}

// latest is the latest call that came; nil for none.
func (t *Tab) latest() *row {
	switch waiting := len(t.waiting); {
	case waiting > 0:
		return t.waiting[waiting-1]
	case len(t.all) > 0:
		return t.all[0]
	}
	return nil
}

// letIn puts the calls that wait into the list, and stays on the newest.
func (t *Tab) letIn() tea.Cmd {
	first := t.List.AtFirst()
	if len(t.waiting) > 0 {
		slices.Reverse(t.waiting)
		t.all = slices.Concat(t.waiting, t.all)
		t.all, t.waiting = t.all[:min(len(t.all), traffic.MostCalls)], nil
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
