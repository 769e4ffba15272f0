package access

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Matcher matches raw paths as a Router does, one segment after another, for those who ask about all paths of a kind
// and not about one. It knows resources instead of paths, so that it serves other deployments too: their resources
// need not come in pairs. It is for one goroutine.
//
// What it has read of a path is a number, its place. Paths with the same place go on alike.
type Matcher struct {
	nodes  []matcherNode
	places []matcherPlace
	known  map[string]int
}

// matcherNode is a node in the tree of resources.
type matcherNode struct {
	static map[string]int
	texts  []string
	// variable is the node of a variable below, or 0. main and proxy are resources, or -1.
	variable, main, proxy int
}

// matched is a node that a path has reached: with all of its segments so far, or, if proxy
// is set, with fewer, and then its proxy resource serves the path.
type matched struct {
	node  int
	proxy bool
}

// matcherPlace is what a path has reached, in the order in which a router tries it.
type matcherPlace struct {
	reached []matched
	// started says that there was a segment that is not empty; gap says that an empty one came last.
	started, gap bool
	next         map[string]int
	texts        []string
}

// NoResource is the resource of paths that nothing serves.
const NoResource = -1

// NewMatcher returns a matcher without resources.
func NewMatcher() *Matcher {
	m := &Matcher{known: make(map[string]int)}
	m.node()
	return m
}

func (m *Matcher) node() int {
	m.nodes = append(m.nodes, matcherNode{main: NoResource, proxy: NoResource})
	return len(m.nodes) - 1
}

// Add adds a resource under a number from 0. Its path may end with a greedy variable, such as /items/{proxy+}. The
// first of two resources at one place counts. All resources are added before the first question.
func (m *Matcher) Add(path string, resource int) {
	at := 0
	for _, s := range ReadSegments(path) {
		switch {
		case s.Variable && strings.HasSuffix(s.Text, "+"):
			if m.nodes[at].proxy == NoResource {
				m.nodes[at].proxy = resource
			}
			return
		case s.Variable:
			if m.nodes[at].variable == 0 {
				next := m.node()
				m.nodes[at].variable = next
			}
			at = m.nodes[at].variable
		default:
			next, ok := m.nodes[at].static[s.Text]
			if !ok {
				next = m.node()
				n := &m.nodes[at]
				if n.static == nil {
					n.static = make(map[string]int)
				}
				n.static[s.Text], n.texts = next, append(n.texts, s.Text)
			}
			at = next
		}
	}
	if m.nodes[at].main == NoResource {
		m.nodes[at].main = resource
	}
}

// MatcherOf returns the matcher of an API: 2*i is the main resource of its path i, 2*i+1 the proxy resource.
func MatcherOf(api *API) *Matcher {
	m := NewMatcher()
	for i, p := range api.Paths {
		if p.Name != ProxyPath {
			m.Add(p.Name, 2*i)
			m.Add(ProxyOf(p.Name), 2*i+1)
		}
	}
	for i, p := range api.Paths {
		if p.Name == ProxyPath {
			m.Add(p.Name, 2*i+1)
		}
	}
	return m
}

// Start returns the place before the first segment. The slash at the beginning of a path is
// read already: /a/b has two segments, / has one that is empty.
func (m *Matcher) Start() int {
	if len(m.places) == 0 {
		m.place(matcherPlace{reached: []matched{{node: 0}}})
	}
	return 0
}

// Next reads one more segment, which may be empty.
func (m *Matcher) Next(at int, segment string) int {
	// Texts that are not static anywhere share a place, and only one of them is kept.
	key := segment
	if segment != "" && !m.names(at, segment) {
		key = "/"
	}
	p := &m.places[at]
	if next, ok := p.next[key]; ok {
		return next
	}
	next := m.place(m.read(*p, segment))
	p = &m.places[at]
	if p.next == nil {
		p.next = make(map[string]int)
	}
	p.next[key] = next
	return next
}

func (m *Matcher) read(p matcherPlace, segment string) matcherPlace {
	if segment == "" {
		return matcherPlace{reached: p.reached, started: p.started, gap: p.started}
	}
	to := matcherPlace{started: true}
	for _, r := range p.reached {
		n := m.nodes[r.node]
		if !r.proxy && !p.gap {
			if next, ok := n.static[segment]; ok {
				to.reached = append(to.reached, matched{node: next})
			}
			if n.variable != 0 {
				to.reached = append(to.reached, matched{node: n.variable})
			}
		}
		if n.proxy != NoResource {
			// It serves whatever follows, so nothing after it is tried.
			to.reached = append(to.reached, matched{node: r.node, proxy: true})
			break
		}
	}
	return to
}

// place returns the number of a place.
func (m *Matcher) place(p matcherPlace) int {
	key := make([]byte, 0, 8*len(p.reached)+1)
	key = append(key, flags(p.started, p.gap))
	for _, r := range p.reached {
		key = append(binary.AppendUvarint(key, uint64(r.node)), flags(r.proxy, false))
	}
	if at, ok := m.known[string(key)]; ok {
		return at
	}
	p.texts = m.textsOf(p)
	m.places = append(m.places, p)
	m.known[string(key)] = len(m.places) - 1
	return len(m.places) - 1
}

func (m *Matcher) textsOf(p matcherPlace) []string {
	if p.gap {
		return nil
	}
	var texts []string
	for i, r := range p.reached {
		if r.proxy {
			continue
		}
		for _, text := range m.nodes[r.node].texts {
			earlier := func(before matched) bool {
				_, ok := m.nodes[before.node].static[text]
				return ok && !before.proxy
			}
			if !slices.ContainsFunc(p.reached[:i], earlier) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// names reports whether a text is one of Texts.
func (m *Matcher) names(at int, text string) bool {
	p := &m.places[at]
	return !p.gap && slices.ContainsFunc(p.reached, func(r matched) bool {
		_, ok := m.nodes[r.node].static[text]
		return ok && !r.proxy
	})
}

func flags(a, b bool) byte {
	var f byte
	if a {
		f |= 1
	}
	if b {
		f |= 2
	}
	return f
}

// Texts lists the static texts that matter for the next segment; all others are alike, but
// for the empty one. Callers do not change it.
func (m *Matcher) Texts(at int) []string { return m.places[at].texts }

// Dead reports whether no resource serves a path with this place, however it goes on.
func (m *Matcher) Dead(at int) bool { return len(m.places[at].reached) == 0 }

// Resource returns the resource that serves a path that ends at a place; NoResource for none.
func (m *Matcher) Resource(at int) int {
	for _, r := range m.places[at].reached {
		n := m.nodes[r.node]
		if r.proxy {
			return n.proxy
		}
		if n.main != NoResource {
			return n.main
		}
	}
	return NoResource
}

// Settled returns the resource that serves a path whether it ends here or goes on, if it is one proxy resource.
func (m *Matcher) Settled(at int) (resource int, ok bool) {
	reached := m.places[at].reached
	if len(reached) != 1 || !reached[0].proxy {
		return NoResource, false
	}
	return m.nodes[reached[0].node].proxy, true
}
