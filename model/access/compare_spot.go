package access

import "strings"

// spot is a place in the tree of an API's paths on both sides. A path has a main resource
// there, and a proxy resource below.
type spot struct {
	segment Segment
	parent  *spot
	depth   int
	static  map[string]*spot
	// texts are the keys of static in the order in which they were added.
	texts    []string
	variable *spot
	// main and proxy are the paths of the two resources on each side. Except for the root, they are the same path.
	main, proxy [sides]*Path
	// paths counts the paths of each side here and below, gone those that only the old side has.
	paths  [sides]int
	gone   int
	listed bool
}

// plantSpots makes the tree of an API's paths on both sides. It also lists the spots that
// have a path: in the order of the new API, then those that only the old one has.
func plantSpots(was, now *API) (root *spot, all []*spot) {
	root = &spot{}
	var reserved [sides]*Path
	plant := func(side int, api *API) {
		if api == nil {
			return
		}
		for _, p := range api.Paths {
			s := root
			if p.Name != ProxyPath {
				s = root.at(p.Name)
			}
			switch {
			case p.Name == ProxyPath && reserved[side] == nil:
				reserved[side] = p
			case p.Name == ProxyPath || s.main[side] != nil:
				continue
			default:
				s.main[side], s.proxy[side] = p, p
				for up := s; up != nil; up = up.parent {
					up.paths[side]++
				}
			}
			if !s.listed {
				s.listed = true
				all = append(all, s)
			}
		}
	}
	plant(after, now)
	plant(before, was)
	for side, p := range reserved {
		if root.proxy[side] == nil {
			root.proxy[side] = p
		}
	}
	for _, s := range all {
		if s.lone() && s.main[before] != nil {
			for up := s; up != nil; up = up.parent {
				up.gone++
			}
		}
	}
	return root, all
}

// at finds or makes the spot of a path's name.
func (s *spot) at(name string) *spot {
	for segment, rest, ok := nextSegment(name); ok; segment, rest, ok = nextSegment(rest) {
		next := s.variable
		if !segment.Variable {
			next = s.static[segment.Text]
		}
		if next == nil {
			next = &spot{segment: segment, parent: s, depth: s.depth + 1}
			s.add(next)
		}
		s = next
	}
	return s
}

func (s *spot) add(child *spot) {
	if child.segment.Variable {
		s.variable = child
		return
	}
	if s.static == nil {
		s.static = make(map[string]*spot)
	}
	s.static[child.segment.Text] = child
	s.texts = append(s.texts, child.segment.Text)
}

// lone reports whether only one side has a path here.
func (s *spot) lone() bool { return (s.main[before] == nil) != (s.main[after] == nil) }

// covered reports whether no request reaches the proxy resource here on both sides, because one side has a path with
// a variable directly below. Requests with an empty segment do, but they get the answers of the main resource.
func (s *spot) covered() bool {
	return s.variable != nil && (s.variable.main[before] != nil || s.variable.main[after] != nil)
}

// chain returns the spots from the root to this one.
func (s *spot) chain() []*spot {
	chain := make([]*spot, s.depth+1)
	for ; s != nil; s = s.parent {
		chain[s.depth] = s
	}
	return chain
}

// name returns the path of the spot.
func (s *spot) name() string { return meeting(s, nil) }

// meeting returns the path of the requests that match two spots or what is below them; other may be nil.
func meeting(s, other *spot) string {
	chain, others := s.chain(), []*spot(nil)
	if other != nil {
		others = other.chain()
	}
	if len(others) > len(chain) {
		chain, others = others, chain
	}
	if len(chain) == 1 {
		return "/"
	}
	var b strings.Builder
	for i, at := range chain[1:] {
		segment := at.segment
		if i+1 < len(others) && segment.Variable {
			segment = others[i+1].segment
		}
		b.WriteByte('/')
		if segment.Variable {
			b.WriteString("{" + segment.Text + "}")
		} else {
			b.WriteString(segment.Text)
		}
	}
	return b.String()
}

// example returns a raw path that both sides serve by the main resource here.
func (s *spot) example() string {
	if s.depth == 0 {
		return "/"
	}
	var b strings.Builder
	for _, at := range s.chain()[1:] {
		text := at.segment.Text
		if at.segment.Variable {
			text = fresh([]reach{{at: at.parent}})
		}
		b.WriteString("/" + text)
	}
	return b.String()
}
