package policy

import (
	"slices"
	"strings"

	"gatewright/model/access"
)

// The limits of one search, of all for one principal and action, and of all for an API. A
// search that takes more steps counts as one that finds everything.
const (
	mostSteps      = 4_000
	mostStepsOfOne = 1_000_000
	mostStepsOfAll = 8_000_000
)

// How a path is written.
const (
	// plain is a path without empty segments, plainEnd one that ends with a slash, and odd
	// has an empty segment elsewhere, as /a//b.
	plain = iota
	plainEnd
	odd
)

// written returns how a path is written after one more segment.
func written(was uint8, segment string) uint8 {
	switch {
	case was != plain:
		return odd
	case segment == "":
		return plainEnd
	}
	return plain
}

// hit is that a pattern matches requests to a resource.
type hit struct {
	// example is the first one found, which has the fewest segments. odd says that all such
	// requests have an empty segment.
	example string
	odd     bool
}

// atlas is an API with what is known of patterns on it.
type atlas struct {
	api     *access.API
	matcher *access.Matcher
	// hits has the resources that each pattern reaches; nil for a pattern that is too entangled with the paths.
	hits  map[string]map[int]hit
	fresh string
	// left is how many steps may still be made for the principal and action at hand, reserve how many after that.
	left, reserve int
	// ended says that a search had no steps left.
	ended bool
}

func newAtlas(api *access.API) *atlas {
	a := &atlas{api: api, matcher: access.MatcherOf(api), hits: make(map[string]map[int]hit)}
	a.matcher.Start()
	a.fresh = freshText(api)
	return a
}

// freshText returns a segment that is no static text of the API.
func freshText(api *access.API) string {
	texts := make(map[string]bool)
	for _, p := range api.Paths {
		for _, s := range access.ReadSegments(p.Name) {
			texts[s.Text] = true
		}
	}
	text := "1"
	for texts[text] {
		text += "1"
	}
	return text
}

// step is a state of a search with the way to it.
type step struct {
	place   int
	at      positions
	written uint8
	// from is the step before it, or -1.
	from    int
	segment string
}

// reaches lists the resources that a pattern matches requests to.
func (a *atlas) reaches(p pattern) map[int]hit {
	name := p.String()
	if hits, known := a.hits[name]; known {
		return hits
	}
	hits := a.search(p)
	if a.left >= 0 {
		a.hits[name] = hits
	}
	return hits
}

func (a *atlas) search(p pattern) map[int]hit {
	type key struct {
		place   int
		at      positions
		written uint8
	}
	hits := make(map[int]hit)
	seen := make(map[key]bool)
	steps := []step{{place: a.matcher.Start(), at: p.start(), from: -1}}
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if i > 0 && p.ends(s.at) {
			a.note(hits, steps, i)
		}
		for _, segment := range a.segments(s.place, p.texts(s.at)) {
			if a.left--; a.left < 0 {
				a.ended = true
				return nil
			}
			next := step{a.matcher.Next(s.place, segment), p.next(s.at, segment), written(s.written, segment), i, segment}
			k := key{next.place, next.at, next.written}
			if next.at == (positions{}) || seen[k] || a.matcher.Dead(next.place) {
				continue
			}
			seen[k] = true
			if resource, settled := a.matcher.Settled(next.place); settled {
				if had, known := hits[resource]; known && (!had.odd || next.written == odd) {
					continue
				}
			}
			steps = append(steps, next)
			if len(steps) > mostSteps {
				return nil
			}
		}
	}
	return hits
}

// segments lists the segments that matter next.
func (a *atlas) segments(place int, texts []string) []string {
	segments := slices.Clone(a.matcher.Texts(place))
	for _, text := range texts {
		if !slices.Contains(segments, text) {
			segments = append(segments, text)
		}
	}
	return append(segments, other, "")
}

// note adds what the request that ends at a step hits.
func (a *atlas) note(hits map[int]hit, steps []step, at int) {
	s := steps[at]
	resource := a.matcher.Resource(s.place)
	if resource == access.NoResource {
		return
	}
	had, known := hits[resource]
	if known && (!had.odd || s.written == odd) {
		return
	}
	hits[resource] = hit{a.raw(steps, at), s.written == odd}
}

// raw returns the raw path of a step.
func (a *atlas) raw(steps []step, at int) string {
	var segments []string
	for ; steps[at].from >= 0; at = steps[at].from {
		segment := steps[at].segment
		if segment == other {
			segment = a.fresh
		}
		segments = append(segments, segment)
	}
	slices.Reverse(segments)
	return "/" + strings.Join(segments, "/")
}
