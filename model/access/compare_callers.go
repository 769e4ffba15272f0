package access

import (
	"maps"
	"slices"
)

// mostTogether is the number of pairs of groups that are listed for one path.
const mostTogether = 10_000

// callers are the callers that a comparison asks about, and the order of precedence of groups on both sides.
type callers struct {
	terms [sides]Terms
	// rules are those of the API that is compared.
	rules [sides]Rules
	// groups are the groups of both sides: those of the new side in their order, then those
	// that only the old side has. place gives their positions.
	groups []string
	place  map[string]int
	// ranks are the positions of each group in the order of each side; behind all others if
	// the side does not have it.
	ranks [sides][]int
	// turned says that two groups precede each other in another order than before.
	turned bool
	// alone says that members act as their group alone on one side at least, so that a group may do
	// something else than signed-in users although no path names it. renewed says that there one side
	// has other groups than the other.
	alone, renewed bool
	against        map[int][]int
	// cut says that some differences are missing.
	cut bool
}

func newCallers(was, now Gate) callers {
	c := callers{
		terms:   [sides]Terms{was.Terms, now.Terms},
		place:   make(map[string]int),
		against: make(map[int][]int),
	}
	orders := [sides][]string{was.Groups, now.Groups}
	for _, side := range []int{after, before} {
		for _, group := range orders[side] {
			if _, known := c.place[group]; !known {
				c.place[group] = len(c.groups)
				c.groups = append(c.groups, group)
			}
		}
	}
	for side, order := range orders {
		ranks := slices.Repeat([]int{len(c.groups)}, len(c.groups))
		for i, group := range order {
			at := c.place[group]
			ranks[at] = min(ranks[at], i)
		}
		c.ranks[side] = ranks
	}
	c.alone = was.Terms.GroupAlone || now.Terms.GroupAlone
	last := 0
	for side, order := range orders {
		c.renewed = c.renewed || c.alone && len(order) < len(c.groups)
		for _, group := range order {
			at := c.place[group]
			if side == after && c.ranks[before][at] < len(c.groups) {
				continue
			}
			c.turned = c.turned || c.ranks[after][at] < last
			last = max(last, c.ranks[after][at])
		}
	}
	return c
}

// changed reports whether decisions may differ on paths that are the same.
func (c *callers) changed() bool {
	return c.turned || c.renewed || c.terms[before] != c.terms[after]
}

// gain is what one caller gains, or loses if gained is not set.
type gain struct {
	who     Principal
	alsoIn  string
	anybody bool
	gained  bool
	actions Actions
}

// gains lists what callers gain and lose if their requests are served by the second path and no longer by the first;
// nil is a path that serves nothing. It is in the order of callers.
func (c *callers) gains(paths [sides]*Path) []gain {
	was, now := paths[before], paths[after]
	if was == nil && now == nil {
		return nil
	}
	below := c.terms[before].Below || c.terms[after].Below
	if was != nil && now != nil && !below && !c.changed() && was.Access.Equal(now.Access) {
		return nil
	}
	var (
		found  []gain
		rights [sides]rights
	)
	for side, p := range paths {
		rights[side] = c.rights(side, p)
	}
	add := func(who Principal, alsoIn string, gained, lost Actions) {
		if gained != 0 {
			found = append(found, gain{who: who, alsoIn: alsoIn, gained: true, actions: gained})
		}
		if lost != 0 {
			found = append(found, gain{who: who, alsoIn: alsoIn, actions: lost})
		}
	}
	had, has := rights[before], rights[after]
	if has.anybody && !had.anybody {
		// It says what everybody gains. Nobody loses anything: an open path allows all.
		return []gain{{anybody: true, gained: true, actions: everyMethod}}
	}
	if had.anybody && !has.anybody && has.guest != 0 {
		// Guests keep something, so what they lose is not all that strangers lose.
		found = append(found, gain{anybody: true, actions: everyMethod})
	}
	add(Principal{Kind: Guest}, "", has.guest.Without(had.guest), had.guest.Without(has.guest))
	add(Principal{Kind: Authenticated}, "", has.users.Without(had.users), had.users.Without(has.users))
	var named []int
	for _, side := range rights {
		for at := range side.groups {
			named = append(named, at)
		}
	}
	slices.Sort(named)
	named = slices.Compact(named)
	if c.alone {
		named = slices.Sorted(maps.Values(c.place))
	}
	for _, at := range named {
		then, is := had.group(at), has.group(at)
		add(Principal{Kind: Group, Group: c.groups[at]}, "", is.Without(then), then.Without(is))
	}
	if c.turned {
		c.together(named, had, has, add)
	}
	return found
}

// together adds what members of two groups gain and lose because they act as another of their groups than before, if
// it is not what members of one of these gain and lose. At least one of the groups is one of named, since members of
// others act as any signed-in user.
func (c *callers) together(named []int, had, has rights, add func(who Principal, alsoIn string, gained, lost Actions)) {
	left := mostTogether
	for _, at := range named {
		for _, other := range c.turnedAgainst(at) {
			if _, both := slices.BinarySearch(named, other); both && other < at {
				continue
			}
			if left == 0 {
				c.cut = true
				return
			}
			acted, acts := at, other
			if c.ranks[before][other] < c.ranks[before][at] {
				acted, acts = other, at
			}
			then, is := had.group(acted), has.group(acts)
			gained, lost := is.Without(then), then.Without(is)
			for _, one := range []int{at, other} {
				gained = gained.Without(has.group(one).Without(had.group(one)))
				lost = lost.Without(had.group(one).Without(has.group(one)))
			}
			if gained|lost != 0 {
				left--
				add(Principal{Kind: Group, Group: c.groups[acts]}, c.groups[acted], gained, lost)
			}
		}
	}
}

// turnedAgainst lists the groups that were before a group and are after it now, or the other way round.
func (c *callers) turnedAgainst(at int) []int {
	list, known := c.against[at]
	if known {
		return list
	}
	was, now := c.ranks[before], c.ranks[after]
	for other := range c.groups {
		if was[at] < was[other] && now[at] > now[other] || was[at] > was[other] && now[at] < now[other] {
			list = append(list, other)
		}
	}
	c.against[at] = list
	return list
}

// head stands for the method HEAD in a set of actions, next to read, which may be GET alone (see Terms).
const (
	head        = Actions(1 << 4)
	everyMethod = EveryAction | head
)

// methods returns what a set of actions allows, with head if HEAD goes with read.
func (t Terms) methods(allowed Actions) Actions {
	allowed &= EveryAction
	if allowed.Has(Read) && !t.GetAlone {
		allowed |= head
	}
	return allowed
}

// rights are what each caller may do on a path of one side. groups has those with an entry
// that counts; members of others act as any signed-in user. anybody says that the path is open,
// and so also serves callers without valid credentials.
type rights struct {
	anybody      bool
	guest, users Actions
	groups       map[int]Actions
}

func (r rights) group(at int) Actions {
	if actions, named := r.groups[at]; named {
		return actions
	}
	return r.users
}

func (c *callers) rights(side int, p *Path) rights {
	if p == nil {
		return rights{}
	}
	access, rules := p.Access, c.rules[side]
	terms := rules.terms
	if access.Setting == Open {
		return rights{users: everyMethod, guest: everyMethod, anybody: true}
	}
	r := rights{users: terms.methods(rules.Allowed(p, Principal{Kind: Authenticated}))}
	if !terms.NoGuests {
		r.guest = terms.methods(rules.Allowed(p, Principal{Kind: Guest}))
	}
	for _, g := range access.Grants {
		at, known := c.place[g.To.Group]
		if g.To.Kind != Group || !known {
			continue
		}
		if r.groups == nil {
			r.groups = make(map[int]Actions)
		}
		if _, again := r.groups[at]; !again {
			r.groups[at] = terms.methods(g.Actions)
		}
	}
	if terms.GroupAlone {
		r.groups = make(map[int]Actions)
		for at, rank := range c.ranks[side] {
			if rank < len(c.groups) {
				r.groups[at] = terms.methods(rules.Allowed(p, Principal{Kind: Group, Group: c.groups[at]}))
			}
		}
	}
	return r
}
