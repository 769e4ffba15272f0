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
