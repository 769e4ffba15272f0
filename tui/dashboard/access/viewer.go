package access

import (
	"slices"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// seen is the index of the principal that the viewer acts as; -1 of everybody.
func (t *Tab) seen() int {
	v := t.board.Viewer()
	if v == nil {
		return -1
	}
	switch who := v.Principal(t.groups); who.Kind {
	case access.Guest:
		return 0
	case access.Group:
		return slices.Index(t.groups, who.Group) + 2
	}
	return 1
}

// order are the indexes of the principals, that of the viewer first.
func (t *Tab) order(seen int) []int {
	all := make([]int, len(t.principals))
	for i := range all {
		all[i] = i
	}
	if seen >= 0 && seen < len(all) {
		all = slices.Insert(slices.Delete(all, seen, seen+1), 0, seen)
	}
	return all
}

// SeeAgain shows the columns to another viewer, theirs first.
func (t *Tab) SeeAgain() {
	t.List.Sideways(-len(t.principals))
	t.showAlone(t.alone)
}

// pathTone is the tone of the name: quiet where the viewer may do nothing.
func (t *Tab) pathTone(r *row) prose.Tone {
	seen := t.seen()
	if tone := r.pathTone(); seen < 0 || tone == prose.Muted {
		return tone
	}
	if actions, _ := rightsIn(&r.Row, seen); actions == 0 {
		return prose.Muted
	}
	return prose.Strong
}
