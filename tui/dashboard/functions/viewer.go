package functions

import (
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/widget"
)

// may is what the viewer may do through any path of a function.
func (t *Tab) may(r *row) (may access.Actions) {
	for _, p := range r.paths {
		may |= t.board.May(p.rules, p.definition)
	}
	return may
}

// mayText is the column of what the viewer may do; "" of everybody.
func (t *Tab) mayText(r *row) string {
	if t.board.Viewer() == nil {
		return ""
	}
	return widget.Letters(t.may(r), false)
}

// nameTone is that of the name of a function: quiet where the viewer reaches it through no path.
func (t *Tab) nameTone(r *row) prose.Tone {
	if t.board.Viewer() != nil && t.may(r) == 0 {
		return prose.Muted
	}
	return prose.Strong
}

// SeeAgain shows the rows to another viewer.
func (t *Tab) SeeAgain() { t.List.SetRows(t.List.Rows()) }
