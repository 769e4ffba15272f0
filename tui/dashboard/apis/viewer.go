package apis

import (
	"fmt"

	"gatewright/tui/widget"
)

// show shows rows as the viewer sees them.
func (t *Tab) show(rows []*row) {
	var head *row
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
	}
	t.List.SetRows(rows)
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

// The columns in which a change stands out, and a cell of them, as a thing that does.
const (
	mayColumn    = "may"
	accessColumn = "access"
)

type cell struct{ id, column string }

// changes are the cells that differ from what stood there before.
func (t *Tab) changes(before []*row) (all []any) {
	was := make(map[string]*row, len(before))
	for _, r := range before {
		was[idOf(r.ref())] = r
	}
	for _, r := range t.List.Rows() {
		id := idOf(r.ref())
		old := was[id]
		if old == nil || r.isAPI() {
			continue
		}
		if t.board.Viewer() != nil && old.may != r.may {
			all = append(all, cell{id, mayColumn})
		}
		if old.access != r.access {
			all = append(all, cell{id, accessColumn})
		}
	}
	return all
}
