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
	next := access.Access{Setting: merge.Value(m, "the mode of "+phrase.Quote(path), was.Setting, now.Setting,
		mine.Setting, func(a, b access.Setting) bool { return a == b }, access.Setting.Words)}
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

// MergedGroups is an order of groups with those that a person made, without those that somebody
// else removed. nil is the order of the pool.
func MergedGroups(m *merge.Merge, was, now, mine []string) []string {
	if mine == nil {
		return nil
	}
	gone := func(group string) bool { return slices.Contains(was, group) && !slices.Contains(now, group) }
	left := slices.DeleteFunc(slices.Clone(mine), gone)
	// only are the groups of a list that all three states have.
	only := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(group string) bool {
			return !slices.Contains(was, group) || !slices.Contains(now, group) || !slices.Contains(mine, group)
		})
	}
	theirs := only(now)
	if !slices.Equal(only(mine), merge.Value(m, "the order of the groups", only(was), theirs, only(mine), slices.Equal,
		phrase.QuoteList)) {
		left = append(slices.Clone(now), slices.DeleteFunc(left, func(g string) bool { return slices.Contains(now, g) })...)
	}
	return append(left, slices.DeleteFunc(slices.Clone(now), func(g string) bool { return slices.Contains(left, g) })...)
}

// Onto is the matrix laid on one of the same path that was read later; began is what it began with.
func (m Matrix) Onto(now, began Matrix, merging *merge.Merge) Matrix {
	next := now
	next.Access = Merged(merging, m.Path, *m.Before, *now.Before, m.Access)
	next.Groups = MergedGroups(merging, began.Groups, now.Groups, m.Groups)
	next.Made = slices.DeleteFunc(slices.Clone(m.Made), func(group string) bool {
		return slices.Contains(now.Groups, group) && !slices.Contains(now.Made, group)
	})
	return next
}
