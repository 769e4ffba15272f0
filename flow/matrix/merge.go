package matrix

import (
	"slices"

	"gatewright/flow/merge"
	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// entry is what a path says of a caller. A group without an entry differs from one with an empty one.
type entry struct {
	own     bool
	actions access.Actions
}

func entryOf(a access.Access, who access.Principal) entry {
	actions, own := a.Grant(who)
	return entry{own, actions}
}

func (e entry) words() string {
	if !e.own {
		return "no entry"
	}
	return e.actions.Phrase()
}

// Merged is the access of a path that somebody else changed from was to now, while a person made
// mine of it. Each entry is a value of its own, and so is the mode.
func Merged(m *merge.Merge, path string, was, now, mine access.Access) access.Access {
	under := " under " + phrase.Quote(path)
	next := access.Access{Setting: merge.Value(m, "the mode of "+phrase.Quote(path), was.Setting, now.Setting, mine.Setting,
		func(a, b access.Setting) bool { return a == b }, access.Setting.Words)}
	var callers []access.Principal
	for _, side := range []access.Access{now, mine} {
		for _, g := range side.Grants {
			if !slices.Contains(callers, g.To) {
				callers = append(callers, g.To)
			}
		}
	}
	for _, who := range callers {
		e := merge.Value(m, who.String()+under, entryOf(was, who), entryOf(now, who), entryOf(mine, who),
			func(a, b entry) bool { return a == b }, entry.words)
		if e.own {
			next.Grants = append(next.Grants, access.Grant{To: who, Actions: e.actions})
		}
	}
	return next
}
