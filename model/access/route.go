package access

import (
	"slices"
	"strings"
)

// Methods are the methods that a path serves, by its ANY method and its OPTIONS method for the CORS preflight.
var Methods = []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}

// Param is the value of a path's variable in a request, percent-encoded as in the URL.
type Param struct{ Name, Value string }

// Route is the path and the resource that serve a request.
type Route struct {
	Path *Path
	// Resource is the resource that matched: the path itself or its proxy resource, such as /items/{proxy+}.
	Resource string
	Proxy    bool
	Params   []Param
}

// Router finds the path of an API that serves a request. It is safe for use by several goroutines.
type Router struct {
	root   node
	groups []string
	terms  Terms
	// crossing are the paths whose pattern may cover paths next to it (see Terms.Below).
	crossing []*Path
}

// NewRouter makes the router of an API. groups are the user pool's in order of precedence.
func NewRouter(api *API, groups []string, terms Terms) *Router {
	r := &Router{groups: Precedence(api, groups), terms: terms.For(api)}
	for _, p := range api.Paths {
		if p.Name == ProxyPath {
			if r.root.reserved == nil {
				r.root.reserved = p
			}
			continue
		}
		n, _ := r.root.place(p)
		if n.path == nil {
			n.path = p
		}
		if r.terms.Below && crosses(n.segments) {
			r.crossing = append(r.crossing, p)
		}
	}
	return r
}

// Precedence returns the order of precedence of groups: the pool's, then those that only
// the API names, in the order of its file.
func Precedence(api *API, groups []string) []string {
	known := make(map[string]bool, len(groups))
	for _, g := range groups {
		known[g] = true
	}
	order := slices.Clone(groups)
	for _, g := range api.Groups() {
		if !known[g] {
			order = append(order, g)
		}
	}
	return order
}

// Match finds the path that serves a method and a raw path, which is percent-encoded as in
// the request, without stage and query. As in API Gateway, static segments precede
// variables and those precede proxy resources, segment by segment, with backtracking.
// Slashes at both ends are ignored; an empty segment inside matches only a proxy resource.
func (r *Router) Match(method, raw string) (Route, bool) {
	if !slices.Contains(Methods, method) {
		return Route{}, false
	}
	return r.match(raw, nil)
}

// match is Match for a method that is served, in the API without the path given (nil for none).
func (r *Router) match(raw string, without *Path) (Route, bool) {
	m := matcher{rest: strings.Trim(raw, "/"), without: without}
	return m.match(&r.root, 0)
}

// matcher matches one request against the tree of paths. values are the values of the variables so far.
type matcher struct {
	rest    string
	values  []string
	without *Path
}

// match matches the rest of the request, from offset at on, below n.
func (m *matcher) match(n *node, at int) (Route, bool) {
	if at >= len(m.rest) {
		if n.path == nil || n.path == m.without {
			return Route{}, false
		}
		return Route{Path: n.path, Resource: n.path.Name, Params: m.params(n)}, true
	}
	segment, next := m.rest[at:], len(m.rest)
	if slash := strings.IndexByte(segment, '/'); slash >= 0 {
		segment, next = segment[:slash], at+slash+1
	}
	if segment != "" {
		if child := n.static[segment]; child != nil {
			if route, ok := m.match(child, next); ok {
				return route, true
			}
		}
		if n.variable != nil {
			m.values = append(m.values, segment)
			if route, ok := m.match(n.variable, next); ok {
				return route, true
			}
			m.values = m.values[:len(m.values)-1]
		}
	}
	path := n.proxy()
	if path == nil || path == m.without {
		return Route{}, false
	}
	params := append(m.params(n), Param{"proxy", m.rest[at:]})
	return Route{Path: path, Resource: ProxyOf(path.Name), Proxy: true, Params: params}, true
}

func (m *matcher) params(n *node) []Param {
	var params []Param
	for _, s := range n.segments {
		if s.Variable && len(params) < len(m.values) {
			params = append(params, Param{s.Text, m.values[len(params)]})
		}
	}
	return params
}
