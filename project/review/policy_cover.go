package review

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// covers reports whether a pattern certainly matches all that another one does.
func (p pattern) covers(other pattern) bool {
	switch {
	case p.exact == other.exact:
		return true
	case p.why != "":
		return false
	case !strings.Contains(p.match, "?"):
		// A * of the other one stands for any text, which only a * of this one matches.
		return cfn.MatchResource(p.match, other.match)
	}
	return false
}

// cover reports whether one of the patterns certainly matches all that another one does.
func (p patterns) cover(other pattern) bool {
	covered := slices.ContainsFunc(p.all, func(one pattern) bool { return one.covers(other) })
	if !p.not || covered {
		return covered && !p.not
	}
	// All but some: only for a name without patterns is it plain that it is none of these.
	return other.why == "" && !strings.ContainsAny(other.text, "*?$") &&
		!slices.ContainsFunc(p.all, func(one pattern) bool {
			return one.why != "" || strings.Contains(one.text, "$") || cfn.MatchResource(one.match, other.match)
		})
}

// coverAll is cover for what all patterns of another element match together.
func (p patterns) coverAll(other patterns) bool {
	if !other.not {
		return !slices.ContainsFunc(other.all, func(one pattern) bool { return !p.cover(one) })
	}
	if p.not {
		return !slices.ContainsFunc(p.all, func(one pattern) bool { return !(patterns{all: other.all}).cover(one) })
	}
	return slices.ContainsFunc(p.all,
		func(one pattern) bool { return one.why == "" && strings.Trim(one.text, "*") == "" && one.text != "" })
}

// each returns the patterns one by one; those of all others belong together.
func (p patterns) each() []patterns {
	if p.not {
		return []patterns{p}
	}
	all := make([]patterns, len(p.all))
	for i, one := range p.all {
		all[i] = patterns{all: []pattern{one}}
	}
	return all
}

// mostPairs is how many pairs of an action and a resource of one statement are looked at by themselves.
const mostPairs = 2_000

// uncovered calls each with the parts of a statement that none of other statements with an
// effect certainly covers. guarded says that one does under other conditions.
func (c clause) uncovered(effect string, others []clause, each func(part clause, guarded bool)) {
	if slices.ContainsFunc(others, func(o clause) bool { return o.exact == c.exact }) {
		return
	}
	parts := []clause{c}
	if len(c.actions.all)*len(c.resources.all) <= mostPairs {
		parts = nil
		for _, action := range c.actions.each() {
			for _, resource := range c.resources.each() {
				parts = append(parts, clause{effect: c.effect, guard: c.guard, actions: action, resources: resource})
			}
		}
	}
	if c.actions.isNone() {
		parts = []clause{c}
	}
	for _, part := range parts {
		covered, guarded := false, false
		for _, o := range others {
			if o.effect != effect || o.actions.isNone() || part.actions.isNone() || !o.actions.coverAll(part.actions) ||
				!o.resources.coverAll(part.resources) {
				continue
			}
			if o.guard == "" || o.guard == c.guard {
				covered = true
				break
			}
			guarded = true
		}
		if !covered {
			each(part, guarded)
		}
	}
}

// isNone reports whether a statement has no such element.
func (p patterns) isNone() bool { return len(p.all) == 0 && !p.not }
