package policy

import (
	"math"
	"slices"
)

// guard denies what a granted pattern would let through, or else drops the grant.
func (s *solver) guard(g *granted) {
	for !g.dropped {
		found, leaks, err := s.leak(g.pattern, s.against(g), s.isRefused)
		switch {
		case err != nil:
			s.drop(g, g.path)
		case leaks:
			s.stop(g, found)
		default:
			return
		}
	}
}

// against lists the denied patterns that may stop what a granted one lets through.
func (s *solver) against(g *granted) []pattern {
	hits := s.reaches(g.pattern)
	return slices.DeleteFunc(slices.Clone(s.denied), func(p pattern) bool {
		for resource := range s.reaches(p) {
			if _, both := hits[resource]; both && s.isRefused(resource) {
				return false
			}
		}
		return hits != nil
	})
}

// stop denies the pattern that stops a leak at the least cost, or drops the grant if that costs less.
func (s *solver) stop(g *granted, found leaked) {
	var best pattern
	least := math.MaxInt
	for _, p := range s.candidates(g.pattern, found) {
		if len(p) == 0 || len(p) > maxTokens || !found.matches(p) {
			continue
		}
		if cost := s.costs(p); cost < least {
			best, least = p, cost
		}
	}
	if best == nil || least > s.dropCost(g) {
		s.drop(g, found.resource/2)
		return
	}
	s.deny(best, found.resource/2)
}

// candidates lists patterns that may stop a leak, the best ones to read first.
func (s *solver) candidates(of pattern, found leaked) []pattern {
	own, below := s.patternsOf(found.resource / 2)
	all := []pattern{own, below, own.and(token{kind: empty})}
	for _, p := range all[:2] {
		all = append(all, meet(of, p))
	}
	for i, t := range of {
		if t.kind != some {
			continue
		}
		longer := of.with(i, token{kind: some})
		all = append(all, longer)
		if longer[len(longer)-1].kind != anything {
			all = append(all, longer.and(token{kind: anything}))
		}
	}
	if !found.odd {
		return all
	}
	// An empty segment is in the text that a ?* or * stands for.
	for i, t := range of {
		if t.kind == some || t.kind == anything {
			prefix := slices.Clip(of[:i])
			all = append(
				all,
				prefix.and(token{kind: empty}, token{kind: anything}),
				prefix.and(token{kind: some}, token{kind: empty}, token{kind: anything}),
				prefix.and(token{kind: anything}, token{kind: empty}, token{kind: anything}),
			)
		}
	}
	return append(all, pattern{{kind: empty}, {kind: anything}},
		pattern{{kind: anything}, {kind: empty}, {kind: anything}})
}

// meet returns a pattern for what two patterns of the same length have in common: a literal
// where one of them has one; nil if there is nothing in common or they are not alike.
func meet(a, b pattern) pattern {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) == 0 || len(a) > len(b) && b[len(b)-1].kind != anything && b[len(b)-1].kind != some {
		return nil
	}
	met := slices.Clone(a)
	for i, t := range b {
		switch {
		case met[i].kind != literal && t.kind == literal:
			met[i] = t
		case met[i].kind == literal && t.kind == literal && met[i].text != t.text:
			return nil
		}
	}
	return met
}

// drop takes a grant away.
func (s *solver) drop(g *granted, because int) {
	g.dropped = true
	for _, resource := range g.resources {
		example, odd := s.api.Paths[g.path].Name, g.pattern[len(g.pattern)-1].kind == empty
		if h, ok := s.reaches(g.pattern)[resource]; ok {
			example, odd = h.example, odd || h.odd
		}
		l := loss{resource, example, odd, because}
		s.dropped = append(s.dropped, l)
		s.lose(l)
	}
	if own, below := s.patternsOf(g.path); below != nil && len(own) > 0 && own[0].kind != empty &&
		g.pattern.String() == below.String() {
		// It also stood for the main resource with a slash at the end.
		s.grants = append(s.grants,
			&granted{pattern: own.and(token{kind: empty}), path: g.path, resources: []int{2 * g.path}})
	}
}
