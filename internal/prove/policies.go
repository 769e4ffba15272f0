package prove

import "encoding/binary"

// policies are what a role is allowed and denied: clauses of which one that matches is
// enough.
type policies struct{ allow, deny []clause }

// clause is one pattern, or, if not is set, all paths that none of its patterns matches.
type clause struct {
	globs []glob
	not   bool
}

// progress is how far a path has got with policies.
type progress struct {
	allow, deny []reading
	// allowed says that every path that begins like this is allowed, unless it is denied;
	// denied that all are denied.
	allowed, denied bool
}

// reading is a clause that may still match a path or not. at are the positions that its
// patterns have reached; none for a pattern that can no longer match.
type reading struct {
	clause int
	at     [][]int
}

func (p *policies) begin() progress {
	read := func(clauses []clause) []reading {
		var all []reading
		for i, c := range clauses {
			r := reading{clause: i}
			for _, g := range c.globs {
				r.at = append(r.at, g.starts)
			}
			all = append(all, r)
		}
		return all
	}
	at := progress{allow: read(p.allow), deny: read(p.deny)}
	p.settle(&at)
	return at
}

// settle takes out what cannot change the decision any more.
func (p *policies) settle(at *progress) {
	var all bool
	at.deny, all = undecided(p.deny, at.deny)
	at.denied = at.denied || all
	at.allow, all = undecided(p.allow, at.allow)
	at.allowed = at.allowed || all
	if at.denied || at.allowed {
		at.allow = nil
	}
	if at.denied || !at.allowed && len(at.allow) == 0 {
		at.deny = nil
	}
}

// undecided returns the readings whose outcome depends on how the path goes on. all says
// that one of the others matches however it does.
func undecided(clauses []clause, from []reading) (open []reading, all bool) {
	for _, r := range from {
		c := &clauses[r.clause]
		switch always, never := c.outcome(r.at); {
		case always:
			return nil, true
		case !never:
			open = append(open, r)
		}
	}
	return open, false
}

// outcome reports whether a clause matches however a path goes on, or does not.
func (c *clause) outcome(at [][]int) (always, never bool) {
	dead := true
	for i := range c.globs {
		always = always || c.globs[i].sticks(at[i])
		dead = dead && len(at[i]) == 0
	}
	if c.not {
		return dead, always
	}
	return always, dead
}

// matches reports whether a clause matches the path that ends here.
func (c *clause) matches(at [][]int) bool {
	for i := range c.globs {
		if c.globs[i].ends(at[i]) {
			return !c.not
		}
	}
	return c.not
}

// next reads one more character.
func (p *policies) next(from progress, letter byte) progress {
	from.allow, from.deny = advance(p.allow, from.allow, letter), advance(p.deny, from.deny, letter)
	p.settle(&from)
	return from
}

func advance(clauses []clause, from []reading, letter byte) []reading {
	to := make([]reading, 0, len(from))
	for _, r := range from {
		c, next := &clauses[r.clause], make([][]int, len(r.at))
		for i, at := range r.at {
			next[i] = c.globs[i].next(at, letter)
		}
		to = append(to, reading{r.clause, next})
	}
	return to
}

// decide is the decision about the path that ends here. It adds to key what matched it.
func (p *policies) decide(at *progress, key []byte) (allowed bool, longer []byte) {
	allowed, denied := at.allowed, at.denied
	key = append(key, mark(allowed), mark(denied))
	matched := func(clauses []clause, readings []reading) bool {
		any := false
		for _, r := range readings {
			if clauses[r.clause].matches(r.at) {
				any, key = true, binary.AppendUvarint(key, uint64(r.clause)+1)
			}
		}
		key = append(key, 0)
		return any
	}
	allowed = matched(p.allow, at.allow) || allowed
	denied = matched(p.deny, at.deny) || denied
	return allowed && !denied, key
}

// permits is the decision about one path.
func (p *policies) permits(path string) bool {
	at := p.begin()
	for i := range len(path) {
		at = p.next(at, path[i])
	}
	allowed, _ := p.decide(&at, nil)
	return allowed
}

// letters adds the characters that matter next to a set.
func (p *policies) letters(at *progress, set map[byte]bool) {
	add := func(clauses []clause, readings []reading) {
		for _, r := range readings {
			for i, positions := range r.at {
				clauses[r.clause].globs[i].letters(positions, set)
			}
		}
	}
	add(p.allow, at.allow)
	add(p.deny, at.deny)
}

// key adds what tells the progress from another one.
func (at *progress) key(key []byte) []byte {
	key = append(key, mark(at.allowed), mark(at.denied))
	for _, list := range [][]reading{at.allow, at.deny} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, r := range list {
			key = binary.AppendUvarint(key, uint64(r.clause))
			for _, positions := range r.at {
				key = binary.AppendUvarint(key, uint64(len(positions)))
				for _, position := range positions {
					key = binary.AppendUvarint(key, uint64(position))
				}
			}
		}
	}
	return key
}
