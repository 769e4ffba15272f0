package policy

import "slices"

// thin takes out what is not needed: grants that others contain, and denied patterns that stop nothing.
func (s *solver) thin() {
	dropped := slices.ContainsFunc(s.grants, func(g *granted) bool { return g.dropped })
	s.grants = slices.DeleteFunc(s.grants, func(g *granted) bool { return g.dropped })
	for _, g := range s.grants {
		g.dropped = slices.ContainsFunc(s.grants, func(other *granted) bool {
			return other != g && !other.dropped && other.pattern.contains(g.pattern)
		})
	}
	s.grants = slices.DeleteFunc(s.grants, func(g *granted) bool { return g.dropped })
	for i := len(s.denied) - 1; i >= 0; i-- {
		others := slices.Delete(slices.Clone(s.denied), i, i+1)
		contained := slices.ContainsFunc(others, func(other pattern) bool { return other.contains(s.denied[i]) })
		if contained || dropped && s.tight(others) {
			s.denied, s.because = others, slices.Delete(s.because, i, i+1)
		}
	}
}

// tight reports whether nothing leaks with these patterns denied.
func (s *solver) tight(denied []pattern) bool {
	for _, g := range s.grants {
		if _, leaks, err := s.leak(g.pattern, denied, s.isRefused); leaks || err != nil {
			return false
		}
	}
	return true
}

// solution returns what was found, with the losses of what is denied in the end and of the grants that were dropped.
func (s *solver) solution() solution {
	found := solution{deny: s.denied}
	for _, g := range s.grants {
		found.allow = append(found.allow, g.pattern)
	}
	s.lost = make(map[int]loss)
	for _, l := range s.dropped {
		s.lose(l)
	}
	for i, p := range s.denied {
		s.loseTo(p, s.because[i])
	}
	for resource := range 2 * len(s.rights) {
		if l, ok := s.lost[resource]; ok {
			found.lost = append(found.lost, l)
		}
	}
	return found
}
