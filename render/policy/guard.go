package policy

import (
	"encoding/binary"
	"errors"

	"gatewright/model"
)

// errEntangled is the error of a search that takes too many steps.
var errEntangled = errors.New("too many steps")

// live is a pattern that a path may still match, with the positions reached.
type live struct {
	pattern int
	at      positions
}

// leak finds the request with the fewest segments that an allowed pattern lets through to
// a resource of a refused path, although patterns are denied. ok is false if there is none.
func (a *atlas) leak(allowed pattern, denied []pattern, refused func(resource int) bool) (found leaked, ok bool, err error) {
	type key struct {
		place   int
		at      positions
		written uint8
		denied  string
	}
	seen := make(map[key]bool)
	steps := []step{{place: a.matcher.Start(), at: allowed.start(), from: -1}}
	against := make([][]live, 1, 64)
	for i, p := range denied {
		against[0] = append(against[0], live{i, p.start()})
	}
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if resource := a.matcher.Resource(s.place); i > 0 && allowed.ends(s.at) && resource != model.NoResource && refused(resource) && !anyEnds(denied, against[i]) {
			return leaked{resource, segmentsOf(steps, i), a.raw(steps, i), s.written == odd}, true, nil
		}
		texts := allowed.texts(s.at)
		for _, l := range against[i] {
			texts = append(texts, denied[l.pattern].texts(l.at)...)
		}
		for _, segment := range a.segments(s.place, texts) {
			next := step{a.matcher.Next(s.place, segment), allowed.next(s.at, segment), written(s.written, segment), i, segment}
			if next.at == (positions{}) || a.matcher.Dead(next.place) {
				continue
			}
			alive, over := advance(denied, against[i], segment)
			if over {
				continue
			}
			k := key{next.place, next.at, next.written, keyOf(alive)}
			if seen[k] {
				continue
			}
			seen[k] = true
			steps, against = append(steps, next), append(against, alive)
			if a.left--; len(steps) > mostSteps || a.left < 0 {
				return leaked{}, false, errEntangled
			}
		}
	}
	return leaked{}, false, nil
}

// leaked is a request that must not pass.
type leaked struct {
	resource int
	segments []string
	raw      string
	odd      bool
}

// matches reports whether a pattern matches the request.
func (l leaked) matches(p pattern) bool {
	at := p.start()
	for _, segment := range l.segments {
		at = p.next(at, segment)
	}
	return p.ends(at)
}

// advance reads one more segment. over says that one of the patterns matches however the
// path goes on.
func advance(patterns []pattern, from []live, segment string) (alive []live, over bool) {
	for _, l := range from {
		p := patterns[l.pattern]
		at := p.next(l.at, segment)
		switch {
		case at == (positions{}):
		case p.sticks(at):
			return nil, true
		default:
			alive = append(alive, live{l.pattern, at})
		}
	}
	return alive, false
}

func anyEnds(patterns []pattern, all []live) bool {
	for _, l := range all {
		if patterns[l.pattern].ends(l.at) {
			return true
		}
	}
	return false
}

func keyOf(all []live) string {
	key := make([]byte, 0, 32*len(all))
	for _, l := range all {
		key = binary.AppendUvarint(key, uint64(l.pattern))
		for _, word := range l.at {
			key = binary.AppendUvarint(key, word)
		}
	}
	return string(key)
}

func segmentsOf(steps []step, at int) []string {
	var segments []string
	for ; steps[at].from >= 0; at = steps[at].from {
		segments = append([]string{steps[at].segment}, segments...)
	}
	return segments
}
