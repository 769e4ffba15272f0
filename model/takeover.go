package model

import (
	"slices"
	"strings"
)

// Takeover is a path that serves requests which another path would serve if it
// were not there.
type Takeover struct {
	// Above is the path that loses requests, Below the one that gets them.
	Above, Below *Path
	// All reports that Above keeps nothing below itself: Below starts with a
	// variable right there, so Above's proxy resource is never reached.
	All bool
	// Beside reports that Above does not stand above Below: it has a variable
	// where Below has text, and goes on from there (/users/{id}/secret beside
	// /users/me).
	Beside bool
	// Examples are raw paths that change hands, each confirmed by Match.
	Examples []string
}

// The most that is looked at for one path, so that the whole takes time for
// each path and not for each pair: longer lists help nobody.
const (
	mostBeside = 16
	mostVisits = 256
)

// Takeovers finds for each path the one that would serve it if it were not
// there, and those beside it that it takes requests from.
func (a *API) Takeovers() []Takeover {
	s := takeovers{router: NewRouter(a, nil)}
	for _, p := range a.Paths {
		// A path that is too long is said to be; its requests are walked by
		// recursion, which ends somewhere.
		if p.Name != ProxyPath && len(p.Name) <= maxPath {
			s.of(p)
		}
	}
	return s.found
}

type takeovers struct {
	router *Router
	found  []Takeover
}

func (s *takeovers) of(p *Path) {
	segments := ReadSegments(p.Name)
	if len(segments) == 0 {
		return
	}
	base, last, parent := exampleFrom(&s.router.root, segments)
	route, ok := s.router.match(base, p)
	var above *Path
	if ok && s.changesHands(base, p, route.Path) {
		above = route.Path
		t := Takeover{Above: above, Below: p, Examples: []string{base}}
		candidate := base + "/1"
		if segments[len(segments)-1].Variable && parent.proxy() == above {
			t.All = true
			candidate = base[:len(base)-len(last)] + "object/1"
		}
		if s.changesHands(candidate, p, above) {
			t.Examples = append(t.Examples, candidate)
		}
		s.found = append(s.found, t)
	}
	b := &beside{takeovers: s, path: p, said: map[*Path]bool{above: true}}
	b.stray(&s.router.root, &s.router.root, nil, segments, "", false)
}

// changesHands reports whether a request goes to one path and would go to
// another if that were not there.
func (s *takeovers) changesHands(raw string, to, from *Path) bool {
	now, ok := s.router.match(raw, nil)
	if !ok || now.Path != to {
		return false
	}
	otherwise, ok := s.router.match(raw, to)
	return ok && otherwise.Path == from
}

// exampleFrom is what a request to the main resource of a path has from a place
// of its way on, its last segment, and the place above that. A variable gets a
// value that no path beside it has as text.
func exampleFrom(n *node, segments []Segment) (raw, last string, parent *node) {
	var b strings.Builder
	for _, segment := range segments {
		last, parent = segment.Text, n
		if n = parent.static[last]; segment.Variable {
			last, n = parent.value(), parent.variable
		}
		b.WriteByte('/')
		b.WriteString(last)
	}
	return b.String(), last, parent
}

// value is a value for a variable that none of the places has as text.
func (n *node) value(also ...*node) string {
	value := "1"
	for n.static[value] != nil || slices.ContainsFunc(also, func(m *node) bool { return m.static[value] != nil }) {
		value += "1"
	}
	return value
}

// beside looks for what one path takes from paths that have a variable where it
// has text.
type beside struct {
	*takeovers
	path          *Path
	said          map[*Path]bool
	visits, count int
}

// stray follows the path's segments, own in the path's own way and n in any way
// that requests to it could go if it were not there: by a variable where it has
// text, and from then on by text where it has a variable. over is the last path
// on that way, raw the request so far.
func (b *beside) stray(own, n *node, over *Path, segments []Segment, raw string, strayed bool) {
	if b.visits++; b.visits > mostVisits {
		return
	}
	if len(segments) == 0 {
		if strayed {
			b.take(over, raw)
			b.below(n, raw)
		}
		return
	}
	if n.path != nil {
		over = n.path
	}
	s, rest := segments[0], segments[1:]
	next, text := own.static[s.Text], s.Text
	if s.Variable {
		next, text = own.variable, own.value(n)
	}
	dead := true
	follow := func(n *node, text string, strayed bool) {
		if n != nil {
			dead = false
			b.stray(next, n, over, rest, raw+"/"+text, strayed)
		}
	}
	switch {
	case !s.Variable:
		follow(n.static[s.Text], text, strayed)
		follow(n.variable, text, true)
	case strayed:
		for _, other := range n.texts {
			follow(n.static[other], other, true)
		}
		follow(n.variable, text, true)
	default:
		follow(n.variable, text, false)
	}
	if dead && strayed {
		tail, _, _ := exampleFrom(own, segments)
		b.take(over, raw+tail)
	}
}

// below goes through what lies below a place that the path strayed to; raw is
// the request that stands for it.
func (b *beside) below(n *node, raw string) {
	if b.visits++; b.visits > mostVisits {
		return
	}
	b.take(n.path, raw)
	for _, text := range n.texts {
		b.below(n.static[text], raw+"/"+text)
	}
	if n.variable != nil {
		b.below(n.variable, raw+"/"+n.value())
	}
}

// take notes that the path takes a request from another, if it does.
func (b *beside) take(from *Path, raw string) {
	if from == nil || b.said[from] || b.count == mostBeside || !b.changesHands(raw, b.path, from) {
		return
	}
	b.said[from] = true
	b.count++
	b.found = append(b.found, Takeover{Above: from, Below: b.path, Beside: true, Examples: []string{raw}})
}
