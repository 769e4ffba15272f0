package access

import (
	"slices"
	"strings"
)

// Takeover is a path that serves requests which another path would serve without it.
type Takeover struct {
	// Above is the path that loses requests, Below the one that gets them.
	Above, Below *Path
	// All says that Below takes everything below Above: it has a variable directly below
	// it, so no request reaches Above's proxy resource.
	All bool
	// Beside says that Above is not a beginning of Below: it has a variable where Below has
	// static text, and more segments (/users/{id}/secret next to /users/me).
	Beside bool
	// Examples are raw paths that Below takes from Above, each confirmed by Match.
	Examples []string
}

// The limits of the search for one path, so that the time grows with the paths and not with their pairs.
const (
	mostBeside = 16
	mostVisits = 256
)

// Takeovers finds for each path the path that would serve its requests without it, and the
// paths next to it that it takes requests from.
func (a *API) Takeovers() []Takeover {
	s := takeovers{router: NewRouter(a, nil, Terms{})}
	for _, p := range a.Paths {
		// A path that is too long has a problem already, and the search is recursive.
		if p.Name != ProxyPath && len(p.Name) <= maxPath {
			s.of(p)
		}
	}
	return s.found
}

// takeovers is the search in one API.
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
	b := &beside{takeovers: s, path: p, reported: map[*Path]bool{above: true}}
	b.stray(&s.router.root, &s.router.root, nil, segments, "", false)
}

// changesHands reports whether to serves a request that from would serve if to did not exist.
func (s *takeovers) changesHands(raw string, to, from *Path) bool {
	now, ok := s.router.match(raw, nil)
	if !ok || now.Path != to {
		return false
	}
	otherwise, ok := s.router.match(raw, to)
	return ok && otherwise.Path == from
}

// exampleFrom makes the rest of a request from segments of a path below n. It also gives the last segment and the
// node above that. A variable gets a value that no path has as static text at the same place.
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

// value returns a value for a variable below n that neither n nor the others have as static text.
func (n *node) value(also ...*node) string {
	value := "1"
	for n.static[value] != nil || slices.ContainsFunc(also, func(m *node) bool { return m.static[value] != nil }) {
		value += "1"
	}
	return value
}

// beside searches the paths that one path takes requests from and that have a variable where it has static text.
type beside struct {
	*takeovers
	path          *Path
	reported      map[*Path]bool
	visits, count int
}

// stray follows the path's segments through the tree twice: own is the path's own node, and n a node that a request
// to it could reach without it, by a variable where the path has static text, and after that by static text where the
// path has a variable. above is the last path above n, raw the request so far. strayed says that n is not own.
func (b *beside) stray(own, n *node, above *Path, segments []Segment, raw string, strayed bool) {
	if b.visits++; b.visits > mostVisits {
		return
	}
	if len(segments) == 0 {
		if strayed {
			b.take(above, raw)
			b.below(n, raw)
		}
		return
	}
	if n.path != nil {
		above = n.path
	}
	s, rest := segments[0], segments[1:]
	next, text := own.static[s.Text], s.Text
	if s.Variable {
		next, text = own.variable, own.value(n)
	}
	blocked := true
	follow := func(n *node, text string, strayed bool) {
		if n != nil {
			blocked = false
			b.stray(next, n, above, rest, raw+"/"+text, strayed)
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
	if blocked && strayed {
		tail, _, _ := exampleFrom(own, segments)
		b.take(above, raw+tail)
	}
}

// below searches everything below a node that stray reached; raw is a request to that node.
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

// take records that the path takes a request from another, if it does.
func (b *beside) take(from *Path, raw string) {
	if from == nil || b.reported[from] || b.count == mostBeside || !b.changesHands(raw, b.path, from) {
		return
	}
	b.reported[from] = true
	b.count++
	b.found = append(b.found, Takeover{Above: from, Below: b.path, Beside: true, Examples: []string{raw}})
}

// TakenBelow gives a function that reports whether another path takes everything below a path: one that has one more
// segment, a variable. It is not exact for invalid and conflicting paths, whose API cannot be pushed.
func (a *API) TakenBelow() func(p *Path) bool {
	taken := make(map[string]bool)
	root := false
	for _, p := range a.Paths {
		root = root || p.Name == "/"
		if slash := strings.LastIndexByte(p.Name, '/'); slash >= 0 && strings.HasPrefix(p.Name[slash+1:], "{") &&
			p.Name != ProxyPath {
			taken[p.Name[:slash]] = true
		}
	}
	return func(p *Path) bool {
		// If there is a path /, the requests below the root belong to it.
		return taken[strings.TrimSuffix(ProxyOf(p.Name), ProxyPath)] && (p.Name != ProxyPath || !root)
	}
}
