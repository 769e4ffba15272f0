package policy

import "slices"

// What it costs to refuse requests that should pass: all of a main resource, all of a proxy
// resource, some of them, and only those with an empty segment.
const (
	costMain  = 10_000
	costProxy = 6_000
	costSome  = 100
	costEnd   = 20
	costOdd   = 1
	costNever = 1 << 40
)

// costs returns what it costs to deny a pattern.
func (s *solver) costs(p pattern) int {
	hits := s.reaches(p)
	if hits == nil {
		return costNever
	}
	cost := 0
	for resource, h := range hits {
		if s.right(resource) != allowed {
			continue
		}
		switch had, lost := s.lost[resource]; {
		case h.odd || lost && !had.odd:
			cost += costOdd
		case !p.contains(s.whole(resource)):
			cost += costSome
		case resource%2 == 0:
			cost += costMain
		default:
			cost += costProxy
		}
	}
	return cost
}

// whole returns a pattern for all requests to a resource.
func (s *solver) whole(resource int) pattern {
	own, below := s.patternsOf(resource / 2)
	switch {
	case resource%2 == 0:
		return own
	case below != nil:
		return below
	}
	return own.and(token{kind: anything})
}

// dropCost returns what it costs not to allow a pattern.
func (s *solver) dropCost(g *granted) int {
	cost := costOdd
	for _, resource := range g.resources {
		covered := slices.ContainsFunc(s.grants, func(other *granted) bool {
			return other != g && !other.dropped && other.pattern.contains(s.whole(resource))
		})
		had, lost := s.lost[resource]
		switch {
		case covered || lost && !had.odd:
			cost += costOdd
		case g.pattern[len(g.pattern)-1].kind == empty:
			cost += costEnd
		case resource%2 == 0:
			cost += costMain
		default:
			cost += costProxy
		}
	}
	return cost
}
