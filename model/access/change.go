package access

import (
	"iter"
	"slices"

	"gatewright/internal/text/phrase"
)

// Change is what one principal gains and loses between two accesses.
type Change struct {
	Who          Principal
	Gained, Lost Actions
}

// Changes lists what each principal gains and loses on the way from one access
// to another; principals for whom nothing changes are left out.
func Changes(from, to Access, terms Terms) []Change {
	before, after := from.lookup(terms), to.lookup(terms)
	seen := make(map[Principal]bool)
	var changes []Change
	compare := func(p Principal) {
		if seen[p] {
			return
		}
		seen[p] = true
		if had, has := before(p), after(p); had != has {
			changes = append(changes, Change{Who: p, Gained: has.Without(had), Lost: had.Without(has)})
		}
	}
	compare(Principal{Kind: Guest})
	compare(Principal{Kind: Authenticated})
	for _, access := range []Access{from, to} {
		for _, group := range access.Groups() {
			compare(Principal{Kind: Group, Group: group})
		}
	}
	return changes
}

// Loss is the actions that members of two groups cannot do under a path although the second
// group may, because they act as the first.
type Loss struct {
	ActsAs, AlsoIn string
	Actions        Actions
}

// Losses lists what members of several groups lose under this access (see FirstGroup).
// order is the order of precedence. There may be as many losses as pairs of groups.
func (a Access) Losses(order []string, terms Terms) []Loss {
	if len(a.Grants) == 0 || a.Setting == Open {
		return nil
	}
	allowed := a.lookup(terms)
	rights := make([]Actions, len(order))
	for i, group := range order {
		rights[i] = allowed(Principal{Kind: Group, Group: group})
	}
	var losses []Loss
	for i, first := range order {
		for j, second := range order[i+1:] {
			if lost := rights[i+1+j].Without(rights[i]); lost != 0 {
				losses = append(losses, Loss{ActsAs: first, AlsoIn: second, Actions: lost})
			}
		}
	}
	return losses
}

// GroupLoss sums up the Losses of the members of one group: the first few of the other groups
// that give them nothing, and how many of those there are.
type GroupLoss struct {
	actsAs  string
	alsoIn  []string
	count   int
	actions Actions
}

// String returns a clause: "members of both Admins and Editors act as Admins and lose create".
func (l GroupLoss) String() string {
	first, also := phrase.Quote(l.actsAs), phrase.QuoteList(l.alsoIn)
	who := "members of both " + first + " and " + also
	if l.count > 1 {
		if more := l.count - len(l.alsoIn); more > 0 {
			also += " and " + phrase.Count(more, "other group")
		}
		who = "members of " + first + " who are also in one of " + also
	}
	return who + " act as " + first + " and lose " + l.actions.String()
}

// LossesByGroup returns a summary of Losses for people. Its time grows with the groups and
// not with their pairs, since groups with equal actions lose the same.
func (a Access) LossesByGroup(order []string, terms Terms) []GroupLoss {
	const named = 3
	if len(a.Grants) == 0 || a.Setting == Open {
		return nil
	}
	allowed := a.lookup(terms)
	// later are the groups after the current one by their actions, the nearest last.
	var later [EveryAction + 1][]int
	var losses []GroupLoss
	for i := len(order) - 1; i >= 0; i-- {
		acts := allowed(Principal{Kind: Group, Group: order[i]}) & EveryAction
		loss := GroupLoss{actsAs: order[i]}
		var nearest []int
		for rights, groups := range later {
			lost := Actions(rights).Without(acts)
			if lost == 0 || len(groups) == 0 {
				continue
			}
			loss.actions |= lost
			loss.count += len(groups)
			nearest = append(nearest, groups[max(0, len(groups)-named):]...)
		}
		later[acts] = append(later[acts], i)
		if loss.count == 0 {
			continue
		}
		slices.Sort(nearest)
		for _, at := range nearest[:min(named, len(nearest))] {
			loss.alsoIn = append(loss.alsoIn, order[at])
		}
		losses = append(losses, loss)
	}
	slices.Reverse(losses)
	return losses
}

// Pairs joins two lists by key: the items of now in their order, each with its item of was,
// then the items that only was has. A missing item is the zero value.
func Pairs[T any](was, now []T, key func(T) string) iter.Seq2[T, T] {
	return func(yield func(was, now T) bool) {
		// Lists mostly begin with the same keys, which need no map.
		for len(was) > 0 && len(now) > 0 && key(was[0]) == key(now[0]) {
			if !yield(was[0], now[0]) {
				return
			}
			was, now = was[1:], now[1:]
		}
		var zero T
		unmatched := make(map[string]T, len(was))
		for _, item := range was {
			unmatched[key(item)] = item
		}
		for _, item := range now {
			k := key(item)
			before := unmatched[k]
			delete(unmatched, k)
			if !yield(before, item) {
				return
			}
		}
		for _, item := range was {
			k := key(item)
			if _, still := unmatched[k]; !still {
				continue
			}
			delete(unmatched, k)
			if !yield(item, zero) {
				return
			}
		}
	}
}
