package assertion

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"gatewright/model/access"
)

// example is a request that a path serves, by its shortest raw path: the fewest segments, then the fewest characters.
type example struct {
	raw      string
	segments int
	// covered says which patterns of roles cover it (see access.Pattern).
	covered string
}

// examples are the requests of a path: in those of a set of places, and out of them. There is one for
// each set of patterns that cover some.
type examples struct{ in, out []example }

// searcher finds which requests to an API are in a set of places. It is for one goroutine.
type searcher struct {
	matcher  *access.Matcher
	patterns []access.Pattern
	seen     map[spot]bool
	queue    []reached
	// inside says that only requests in the places of where matter.
	inside bool
	// deepest is the number of segments from which on no place ends.
	deepest int
	// found are the examples of each path that has some, by its index.
	found map[int]examples
}

// spot is what a request has been read to: its place in the matcher, how many segments it has, as
// far as that matters, and which places it may still be in.
type spot struct {
	place, depth int
	where, but   uint32
	// read is how far the patterns may have been read, in words.
	read string
}

// reached is a spot with the request that led to it.
type reached struct {
	spot
	raw      string
	segments int
	gap      bool
	states   []uint64
}

// search finds for each path of the API, by its index, the shortest requests in the places of where, or in all if it
// is nil, without those of except, and the shortest of the others if outside is set. A path that gets no request on a
// side has nil there. It tries every kind of request: texts that no path and no place names are alike.
func search(
	matcher *access.Matcher, patterns []access.Pattern, where, except []place, outside bool,
) map[int]examples {
	s := searcher{
		matcher: matcher, patterns: patterns, seen: make(map[spot]bool), found: make(map[int]examples),
		inside: where != nil && !outside,
	}
	for _, p := range slices.Concat(where, except) {
		s.deepest = max(s.deepest, len(p.segments)+1)
	}
	start := slices.Repeat([]uint64{1}, len(patterns))
	s.add(reached{spot: spot{place: matcher.Start(), where: all(where), but: all(except)}, states: start})
	for len(s.queue) > 0 {
		r := s.queue[0]
		s.queue = s.queue[1:]
		if !r.gap {
			s.note(r, where, except)
		}
		for _, text := range s.next(r, where, except) {
			next := reached{raw: r.raw + "/" + text, segments: r.segments + 1, gap: text == ""}
			for i, state := range r.states {
				next.states = append(next.states, patterns[i].Next(state, text))
			}
			next.spot = spot{
				place: matcher.Next(r.place, text), depth: min(r.segments+1, s.deepest),
				where: taken(where, r.where, r.segments, text), but: taken(except, r.but, r.segments, text),
			}
			if len(patterns) > 0 {
				next.read = fmt.Sprint(next.states)
			}
			if !matcher.Dead(next.place) && !(s.inside && next.where == 0) {
				s.add(next)
			}
		}
	}
	return s.found
}

func all(places []place) uint32 { return 1<<len(places) - 1 }

// taken returns those of the places that may have the request after its segment number i.
func taken(places []place, alive uint32, i int, text string) uint32 {
	for n, p := range places {
		if alive&(1<<n) != 0 && !p.takes(i, text) {
			alive &^= 1 << n
		}
	}
	return alive
}

func (s *searcher) add(r reached) {
	if !s.seen[r.spot] {
		s.seen[r.spot] = true
		s.queue = append(s.queue, r)
	}
}

// note notes the request as an example of the path that serves it.
func (s *searcher) note(r reached, where, except []place) {
	resource := s.matcher.Resource(r.place)
	if resource == access.NoResource {
		return
	}
	has := func(places []place, alive uint32) bool {
		for n, p := range places {
			if alive&(1<<n) != 0 && p.ends(r.segments) {
				return true
			}
		}
		return false
	}
	e := example{raw: cmp.Or(r.raw, "/"), segments: r.segments}
	for i, state := range r.states {
		if s.patterns[i].Covers(state) {
			e.covered += strconv.Itoa(i) + " "
		}
	}
	inside := (where == nil || has(where, r.where)) && !has(except, r.but)
	of := s.found[resource/2]
	side := &of.out
	if inside {
		side = &of.in
	}
	at := slices.IndexFunc(*side, func(one example) bool { return one.covered == e.covered })
	switch {
	case at < 0:
		*side = append(*side, e)
	case shorter(e, (*side)[at]):
		(*side)[at] = e
	}
	s.found[resource/2] = of
}

func shorter(a, b example) bool {
	return cmp.Or(cmp.Compare(a.segments, b.segments), cmp.Compare(len(a.raw), len(b.raw))) < 0
}

// next lists the texts that the next segment may have, of each kind one.
func (s *searcher) next(r reached, where, except []place) []string {
	if texts, only := fixed(where, r); s.inside && only {
		return texts
	}
	if _, settled := s.matcher.Settled(r.place); settled && r.segments >= s.deepest && len(s.patterns) == 0 {
		return nil
	}
	texts := slices.Clone(s.matcher.Texts(r.place))
	for i, state := range r.states {
		texts = append(texts, s.patterns[i].Texts(state)...)
	}
	for _, side := range []struct {
		places []place
		alive  uint32
	}{{where, r.where}, {except, r.but}} {
		for n, p := range side.places {
			if side.alive&(1<<n) != 0 && r.segments < len(p.segments) && !p.segments[r.segments].Variable {
				texts = append(texts, p.segments[r.segments].Text)
			}
		}
	}
	slices.SortFunc(texts, shortFirst)
	texts = slices.Compact(texts)
	fresh := 1
	for slices.Contains(texts, strconv.Itoa(fresh)) {
		fresh++
	}
	texts = append(texts, strconv.Itoa(fresh))
	if r.segments > 0 && !r.gap {
		// Requests may have empty segments, which only proxy resources serve.
		texts = append(texts, "")
	}
	return texts
}

// fixed lists the texts that the next segment of a request may have in the places that it may be in, if
// none of them takes any text.
func fixed(where []place, r reached) (texts []string, only bool) {
	for n, p := range where {
		switch {
		case r.where&(1<<n) == 0, r.segments >= len(p.segments) && p.reach == at:
		case r.segments >= len(p.segments), p.segments[r.segments].Variable:
			return nil, false
		default:
			texts = append(texts, p.segments[r.segments].Text)
		}
	}
	slices.SortFunc(texts, shortFirst)
	return slices.Compact(texts), true
}

func shortFirst(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
