package access

import (
	"slices"
	"strings"
)

// The limits of searches for the requests of paths that one side has alone: of one search, and of all. A search takes
// more steps than the API has paths only if many variables and static texts of other paths cross. If it ends early,
// some requests that the other side's paths below a variable get are not compared.
const (
	mostSearched    = 1 << 14
	mostSearchedAll = 1 << 20
)

// reach is a spot that a request has reached: with all of its segments so far, or, if proxy
// is set, with fewer, and then its proxy resource may get the request.
type reach struct {
	at    *spot
	proxy bool
}

// serves returns the path that serves the request on a side, if the request ends here or proxy is set; nil for none.
func (r reach) serves(side int) *Path {
	if r.at == nil {
		return nil
	}
	if r.proxy {
		return r.at.proxy[side]
	}
	return r.at.main[side]
}

// search finds the classes of requests that a path of one side gets.
type search struct {
	of *spot
	// own is the side that has the path, other the side that lacks it.
	own, other int
	chain      []*spot
	// texts are the segments of the request; left is how many ways may still be tried.
	texts   []string
	left    int
	cut     bool
	classes []class
	// by has the index of each class by the spot that serves it on the other side.
	by map[*spot]int
}

// search lists the classes of requests that a lone path gets, by the paths that get them on the other side. The
// requests to the path itself come first. Requests between two lone paths are listed for the one of the new side.
func (c *accessComparison) search(root, of *spot) []class {
	s := &search{of: of, own: after, other: before, chain: of.chain(), by: make(map[*spot]int)}
	if of.main[after] == nil {
		s.own, s.other = before, after
	}
	s.left = min(mostSearched, c.left)
	start := s.left
	s.walk([]reach{{at: root}})
	c.left -= start - s.left
	c.cut = c.cut || s.cut
	return s.classes
}

// walk goes on with a request in all ways that matter. reached are the spots that the
// request has reached, in the order in which a router tries them.
func (s *search) walk(reached []reach) {
	depth := len(s.texts)
	own := s.place(reached, depth)
	if own < 0 || slices.ContainsFunc(reached[:own], func(r reach) bool { return r.proxy && r.serves(s.own) != nil }) {
		return
	}
	if depth >= s.of.depth {
		s.record(reached, depth)
		if depth > s.of.depth && !s.goesOn(reached, own) {
			return
		}
	}
	if depth < s.of.depth && !s.chain[depth+1].segment.Variable {
		s.step(reached, s.chain[depth+1].segment.Text)
		return
	}
	s.step(reached, fresh(reached))
	var seen map[string]bool
	for i, r := range reached {
		if r.proxy || !s.matters(r.at, i > own) {
			continue
		}
		for _, text := range r.at.texts {
			if seen[text] || !s.matters(r.at.static[text], i > own) {
				continue
			}
			if s.left == 0 {
				s.cut = true
				return
			}
			if seen == nil {
				seen = make(map[string]bool)
			}
			seen[text] = true
			s.left--
			s.step(reached, text)
		}
	}
}

// matters reports whether a spot that the request has reached, or something below it, may get it on the other side.
// later says that the router tries it after the path; then it matters if the other side has paths there. If it is
// tried earlier and has the same paths on both sides, it gets its requests on both; if it has more on the path's own
// side, those get them there. So it matters if the other side has more, which a search for the new side's path asks
// only, since it lists the requests between two lone paths.
func (s *search) matters(at *spot, later bool) bool {
	if later {
		return at.paths[s.other] > 0
	}
	return s.own == after && at.gone > 0
}

// goesOn reports whether more segments of the request may make a difference.
func (s *search) goesOn(reached []reach, own int) bool {
	for i, r := range reached {
		if !r.proxy && s.matters(r.at, i > own) {
			return true
		}
	}
	return false
}

// place returns where the path, or the spot above it, is in a list; -1 if the path cannot get the request any more.
func (s *search) place(reached []reach, depth int) int {
	if depth < s.of.depth {
		return slices.Index(reached, reach{at: s.chain[depth]})
	}
	return slices.Index(reached, reach{at: s.of, proxy: depth > s.of.depth})
}

// step goes on with one more segment.
func (s *search) step(reached []reach, text string) {
	var next []reach
	var ends [sides]bool
	for _, r := range reached {
		if !r.proxy {
			if child := r.at.static[text]; child != nil {
				next = append(next, reach{at: child})
			}
			if r.at.variable != nil {
				next = append(next, reach{at: r.at.variable})
			}
		}
		if r.at.proxy == [sides]*Path{} {
			continue
		}
		next = append(next, reach{at: r.at, proxy: true})
		for side, p := range r.at.proxy {
			ends[side] = ends[side] || p != nil
		}
		if ends == [sides]bool{true, true} {
			break
		}
	}
	s.texts = append(s.texts, text)
	s.walk(next)
	s.texts = s.texts[:len(s.texts)-1]
}

// record adds the request to its class, if the path gets it.
func (s *search) record(reached []reach, depth int) {
	own, other := first(reached, s.own), first(reached, s.other)
	to := other.at
	if own.at != s.of || s.other == after && to != nil && to.parent != nil && to.lone() {
		return
	}
	end := s.of.depth
	if to != nil {
		end = max(end, to.depth)
	}
	i, ok := s.by[to]
	if !ok {
		one := class{path: meeting(s.of, to), deeper: end > s.of.depth, raw: s.raw()}
		one.paths[s.own], one.paths[s.other] = own.serves(s.own), other.serves(s.other)
		i = len(s.classes)
		s.by[to], s.classes = i, append(s.classes, one)
	}
	one := &s.classes[i]
	one.at, one.below = one.at || depth == end, one.below || depth > end
	if raw := s.raw(); len(raw) < len(one.raw) {
		one.raw = raw
	}
}

func (s *search) raw() string { return "/" + strings.Join(s.texts, "/") }

// first returns what serves a request on a side; the zero value for nothing.
func first(reached []reach, side int) reach {
	for _, r := range reached {
		if r.serves(side) != nil {
			return r
		}
	}
	return reach{}
}

// fresh returns a segment that is a static text of none of the spots.
func fresh(reached []reach) string {
	text := "1"
	for slices.ContainsFunc(reached, func(r reach) bool { return !r.proxy && r.at.static[text] != nil }) {
		text += "1"
	}
	return text
}
