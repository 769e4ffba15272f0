package policy

import (
	"errors"
	"slices"

	"gatewright/model/access"
)

// errEntangled is the error of a search that takes too many steps.
var errEntangled = errors.New("too many steps")

// live is a pattern that a path may still match, with the positions reached.
type live struct {
	pattern int
	at      positions
}

// leak finds a request that an allowed pattern lets through to a resource of a refused path,
// although patterns are denied. ok is false if there is none.
//
// It goes on only with paths from which more may leak than from all others that reached the
// same place (an antichain).
func (a *atlas) leak(
	allowed pattern, denied []pattern, refused func(resource int) bool,
) (found leaked, ok bool, err error) {
	steps := []step{{place: a.matcher.Start(), at: allowed.start(), from: -1}}
	against := make([][]live, 1, 64)
	for i, p := range denied {
		against[0] = append(against[0], live{i, p.start()})
	}
	kept := make(map[int][]int)
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if resource := a.matcher.Resource(s.place); i > 0 && allowed.ends(s.at) && resource != access.NoResource &&
			refused(resource) && !anyEnds(denied, against[i]) {
			return leaked{resource, segmentsOf(steps, i), s.written == odd}, true, nil
		}
		texts := allowed.texts(s.at)
		for _, l := range against[i] {
			texts = append(texts, denied[l.pattern].texts(l.at)...)
		}
		for _, segment := range a.segments(s.place, texts) {
			if a.left -= 1 + len(against[i]); a.left < 0 {
				a.ended = true
				return leaked{}, false, errEntangled
			}
			next := step{a.matcher.Next(s.place, segment), allowed.next(s.at, segment), written(s.written, segment), i, segment}
			if next.at == (positions{}) || a.matcher.Dead(next.place) {
				continue
			}
			if resource, settled := a.matcher.Settled(next.place); settled && !refused(resource) {
				continue
			}
			alive, over := advance(denied, against[i], segment)
			a.left -= len(kept[next.place])
			if over || slices.ContainsFunc(kept[next.place],
				func(k int) bool { return next.at.in(steps[k].at) && contained(against[k], alive) }) {
				continue
			}
			kept[next.place] = append(kept[next.place], len(steps))
			steps, against = append(steps, next), append(against, alive)
			if len(steps) > mostSteps {
				return leaked{}, false, errEntangled
			}
		}
	}
	return leaked{}, false, nil
}

// contained reports whether each position of one list, which is sorted by pattern, is in the other.
func contained(some, all []live) bool {
	for _, l := range some {
		for len(all) > 0 && all[0].pattern < l.pattern {
			all = all[1:]
		}
		if len(all) == 0 || all[0].pattern != l.pattern || !l.at.in(all[0].at) {
			return false
		}
	}
	return true
}

// leaked is a request that must not pass.
type leaked struct {
	resource int
	segments []string
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

// advance reads one more segment. over says that one of the patterns matches however the path goes on.
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

func segmentsOf(steps []step, at int) []string {
	var segments []string
	for ; steps[at].from >= 0; at = steps[at].from {
		segments = append([]string{steps[at].segment}, segments...)
	}
	return segments
}
