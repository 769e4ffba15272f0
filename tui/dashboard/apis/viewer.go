package apis

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// show shows rows as the viewer sees them.
func (t *Tab) show(rows []*row) tea.Cmd {
	var head *row
	cells := board.Texts{
		Scope: fmt.Sprint(t.board.Snap.Name(), t.board.Viewer()), Columns: []string{"may", "access"},
		Rows: make(map[string]string, len(rows)),
	}
	for _, r := range rows {
		if r.isAPI() {
			head = r
			head.may, head.reached = 0, 0
			continue
		}
		if r.may = t.board.May(r.rules, r.definition); r.may != 0 {
			head.reached++
		}
		head.may |= r.may
		cells.Rows[idOf(r.ref())] = board.TextsOf(t.mayText(r), r.access)
	}
	t.List.SetRows(rows)
	return t.board.Shows(t.TabName, cells)
}

func (t *Tab) cell(r *row, column string) board.Cell {
	return board.Cell{List: t.TabName, Row: idOf(r.ref()), Column: column}
}

// SeeAgain shows the rows to another viewer.
func (t *Tab) SeeAgain() { t.show(t.List.Rows()) }

// mayText is what the viewer may do under a path, and under how many paths of an API anything; "" of
// everybody.
func (t *Tab) mayText(r *row) string {
	switch {
	case t.board.Viewer() == nil:
		return ""
	case r.isAPI():
		return fmt.Sprint(r.reached, "/", len(r.api.Paths))
	}
	return widget.Letters(r.may, false)
}
