package access

import (
	"fmt"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/widget"
)

// What is seen of the differences from the last push: signs, cells that show both, the order.

// The signs of access that is more open, or less, than it was pushed, of paths that are new or
// gone, and of edits that wait for review.
const (
	widerSign    = "▲"
	narrowerSign = "▼"
	addedSign    = "+"
	goneSign     = "-"
	stagedSign   = "●"
)

// rightsIn is what the principal of a column may do in a row. own says that a group has an
// entry, or does not act as signed-in users without one.
func rightsIn(of *access.Row, i int) (actions access.Actions, own bool) {
	switch i {
	case 0:
		return of.Guest, true
	case 1:
		return of.Authenticated, true
	}
	group := of.Groups[i-2]
	return group.Actions, group.Own || of.Terms.GroupAlone
}

// before is what the principal of a column could do with the requests of the path.
func (r *row) before(i int) access.Actions {
	if r.next != nil {
		actions, _ := rightsIn(&r.Row, i)
		return actions
	}
	if r.was == nil {
		return r.after(i)
	}
	actions, _ := rightsIn(r.was, i)
	return actions
}

// after is what the principal of a column may do after a push.
func (r *row) after(i int) access.Actions {
	if r.left {
		return 0
	}
	of := &r.Row
	if r.next != nil {
		of = r.next
	}
	actions, _ := rightsIn(of, i)
	return actions
}

// now is what the principal of a column may do as the files say it.
func (r *row) now(i int) string {
	actions, own := rightsIn(&r.Row, i)
	return widget.Letters(actions, !own && r.exposure != everybody)
}

// letters are what the principal of a column may do, and before them what it could do if that differs. Small
// ones say that the path has no entry for the group, whose members act as signed-in users.
func (r *row) letters(i int) string {
	is := r.now(i)
	if r.next != nil && r.before(i) != r.after(i) {
		then, owned := rightsIn(r.next, i)
		return is + widget.Becomes + widget.Letters(then, !owned && r.next.Path.Access.Setting != access.Open)
	}
	if r.was == nil || r.before(i) == r.after(i) {
		return is
	}
	had, owned := rightsIn(r.was, i)
	open := r.was.Path != nil && r.was.Path.Access.Setting == access.Open
	if r.left {
		is = widget.Letters(0, false)
	}
	if r.was.Path == nil {
		return is // it is all new
	}
	return widget.Letters(had, !owned && !open) + widget.Becomes + is
}

// tone is the tone of the cells of a row.
func (r *row) tone() prose.Tone {
	switch {
	case r.gone && r.next == nil:
		return prose.Muted
	case r.was != nil && r.was.Path == nil && r.isWider():
		return prose.Wider
	}
	return prose.Plain
}

// isWider reports whether callers gained something since the last push.
func (r *row) isWider() bool { return !r.gone && len(r.changed) > 0 && r.changed[0].Gained }

// isNarrower reports whether callers lost something since the last push, and gained nothing. What
// they gain on a path that is gone counts on the path that gets its requests.
func (r *row) isNarrower() bool {
	return len(r.changed) > 0 && !r.isWider() && !r.changed[len(r.changed)-1].Gained
}

// pathTone is the tone of the name.
func (r *row) pathTone() prose.Tone {
	if r.gone {
		return prose.Muted
	}
	return prose.Plain
}

// differs reports whether anything is to be seen of a row that differs from the last push, or
// that waits for review.
func (r *row) differs() bool { return len(r.changed) > 0 || r.added || r.gone || r.staged }

// sign says what changed since the last push; "" for nothing.
func (r *row) sign() string {
	sign := ""
	switch {
	case r.isWider():
		sign = widerSign
	case len(r.changed) > 0 && !r.gone:
		sign = narrowerSign
	}
	switch {
	case r.staged:
		sign += stagedSign
	case r.gone:
		sign += goneSign
	case r.added:
		sign += addedSign
	}
	return sign
}

// signTone is the tone of the sign.
func (r *row) signTone() prose.Tone {
	switch {
	case r.isWider():
		return prose.Wider
	case r.gone:
		return prose.Muted
	}
	return prose.Note
}

// urgency is larger the more a reviewer should look: at what is more open first, then at what
// else differs.
func (r *row) urgency() int {
	switch {
	case r.isWider():
		return 3
	case len(r.changed) > 0 && !r.gone:
		return 2
	case r.differs():
		return 1
	}
	return 0
}

// changeCounts count paths by how they differ from the last push.
type changeCounts struct{ wider, narrower, other, staged int }

func (c *changeCounts) add(r *row) {
	if r.staged {
		c.staged++
	}
	switch {
	case r.isWider():
		c.wider++
	case r.isNarrower():
		c.narrower++
	case r.differs() && !r.staged:
		c.other++
	}
}

// String is empty if nothing differs.
func (c changeCounts) String() string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprint(n, words))
		}
	}
	add(c.wider, " more open")
	add(c.narrower, " less open")
	add(c.other, " new or removed")
	add(c.staged, " staged")
	return strings.Join(parts, ", ")
}
