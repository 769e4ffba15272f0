package policy

import (
	"slices"

	"gatewright/model/access"
)

// right is what one principal may do with one action on a path.
type right uint8

const (
	// open is a path whose methods ask for no credentials, so that policies do not matter.
	open right = iota
	refused
	allowed
)

// granted is an allowed pattern of a path.
type granted struct {
	pattern pattern
	path    int
	// resources are those that it is for.
	resources []int
	dropped   bool
}

// solution is what is allowed and denied, and what is refused although it should not be.
type solution struct {
	allow, deny []pattern
	lost        []loss
}

// loss is that requests to a resource are refused.
type loss struct {
	resource int
	example  string
	// odd says that only requests with an empty segment are refused.
	odd bool
	// because is the refused path that the patterns protect.
	because int
}

// solver looks for a solution.
type solver struct {
	*atlas
	rights []right
	grants []*granted
	denied []pattern
	// because has the refused path for which each pattern is denied.
	because []int
	// lost has what is refused so far although it should not be, dropped the part of it that no pattern allows.
	lost    map[int]loss
	dropped []loss
}

// solve finds patterns for one principal and action.
func (a *atlas) solve(rights []right) solution {
	a.reserve += max(a.left, 0)
	a.left = min(mostStepsOfOne, a.reserve)
	a.reserve -= a.left
	s := &solver{atlas: a, rights: rights, lost: make(map[int]loss)}
	switch {
	case !slices.Contains(rights, allowed):
		return solution{}
	case !slices.Contains(rights, refused):
		return solution{allow: []pattern{{{kind: anything}}}}
	}
	for i, r := range rights {
		if r == allowed {
			s.grant(i)
		}
	}
	s.denyOwn()
	for i := 0; i < len(s.grants); i++ {
		s.guard(s.grants[i])
	}
	s.thin()
	return s.solution()
}

// patternsOf returns the patterns of a path's requests: of its main resource, and of its
// proxy resource, which has none of its own if the path ends with a variable.
func (a *atlas) patternsOf(path int) (own, below pattern) {
	name := a.api.Paths[path].Name
	if name == access.ProxyPath {
		return nil, pattern{{kind: anything}}
	}
	segments := access.ReadSegments(name)
	if len(segments) == 0 {
		return pattern{{kind: empty}}, pattern{{kind: anything}}
	}
	for _, s := range segments {
		if s.Variable {
			own = append(own, token{kind: some})
		} else {
			own = append(own, token{literal, s.Text})
		}
	}
	if own[len(own)-1].kind == some {
		return own, nil
	}
	return own, own.and(token{kind: anything})
}

// grant adds the patterns that allow a path.
func (s *solver) grant(path int) {
	own, below := s.patternsOf(path)
	main, proxy := 2*path, 2*path+1
	if len(own) > maxTokens-2 || !sayable(own) {
		for _, resource := range []int{main, proxy} {
			s.dropped = append(s.dropped, loss{resource, s.api.Paths[path].Name, false, path})
		}
		return
	}
	add := func(p pattern, resources ...int) {
		s.grants = append(s.grants, &granted{pattern: p, path: path, resources: resources})
	}
	switch {
	case own == nil:
		add(below, proxy)
	case below == nil:
		add(own, main, proxy)
	case s.served(below, proxy):
		add(own, main)
		add(below, proxy)
	default:
		add(own, main)
		if own[len(own)-1].kind == literal {
			add(own.and(token{kind: empty}), main)
		}
		// The proxy resource is not made, because a path with a variable takes everything below but empty segments.
		s.dropped = append(s.dropped, loss{proxy, s.api.Paths[path].Name + "//" + s.fresh, true, path})
	}
}

// sayable reports whether the texts of a pattern mean themselves in a policy. Others cannot
// be part of a path either, but a file may have them.
func sayable(p pattern) bool {
	return !slices.ContainsFunc(p, func(t token) bool {
		return slices.ContainsFunc([]rune(t.text),
			func(r rune) bool { return r == '*' || r == '?' || r == '$' || r <= ' ' || r > '~' })
	})
}

// served reports whether a pattern reaches a resource with a path without empty segments.
func (s *solver) served(p pattern, resource int) bool {
	h, ok := s.reaches(p)[resource]
	return ok && !h.odd
}

func (s *solver) right(resource int) right { return s.rights[resource/2] }

func (s *solver) isRefused(resource int) bool { return s.right(resource) == refused }

// denyOwn denies the patterns of the refused paths that allowed patterns reach, where nothing is lost by that.
func (s *solver) denyOwn() {
	reached := make(map[int]bool)
	for _, g := range s.grants {
		for resource := range s.reaches(g.pattern) {
			if s.isRefused(resource) {
				reached[resource/2] = true
			}
		}
	}
	for path := range s.rights {
		if !reached[path] {
			continue
		}
		own, below := s.patternsOf(path)
		if below != nil && own != nil && !s.served(below, 2*path+1) {
			below = own.and(token{kind: empty})
		}
		for _, p := range []pattern{own, below} {
			if p != nil && len(p) < maxTokens && s.costs(p) == 0 && s.reachesGranted(p) {
				s.deny(p, path)
			}
		}
	}
}

// reachesGranted reports whether a pattern and an allowed one have requests of a refused path in common.
func (s *solver) reachesGranted(p pattern) bool {
	for resource := range s.reaches(p) {
		if !s.isRefused(resource) {
			continue
		}
		for _, g := range s.grants {
			if _, ok := s.reaches(g.pattern)[resource]; ok {
				return true
			}
		}
	}
	return false
}

func (s *solver) deny(p pattern, because int) {
	s.denied, s.because = append(s.denied, p), append(s.because, because)
	s.loseTo(p, because)
}

// loseTo notes what a denied pattern refuses although it should not.
func (s *solver) loseTo(p pattern, because int) {
	for resource, h := range s.reaches(p) {
		if s.right(resource) == allowed {
			s.lose(loss{resource, h.example, h.odd, because})
		}
	}
}

func (s *solver) lose(l loss) {
	if had, known := s.lost[l.resource]; !known || had.odd && !l.odd {
		s.lost[l.resource] = l
	}
}
