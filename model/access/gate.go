package access

// Gate is all that decides who may do what in a backend.
type Gate struct {
	APIs []*API
	// Groups are all groups that a caller may act as, in their order of precedence.
	Groups []string
	Terms  Terms
}

// Router makes the router of an API; nil when there is none of that label.
func (g Gate) Router(label string) *Router {
	for _, api := range g.APIs {
		if api.Label == label {
			return g.RouterOf(api)
		}
	}
	return nil
}

// RouterOf makes the router of an API that may be none of the gate's.
func (g Gate) RouterOf(api *API) *Router { return NewRouter(api, g.Groups, g.Terms) }

// RulesOf makes the rules of an API that may be none of the gate's.
func (g Gate) RulesOf(api *API) Rules { return NewRules(api, g.Groups, g.Terms) }

// Routers returns a function that gives the router of an API, as Router does, and makes it once.
// It is for one goroutine.
func (g Gate) Routers() func(label string) *Router {
	routers := make(map[string]*Router)
	return func(label string) *Router {
		r, made := routers[label]
		if !made {
			r = g.Router(label)
			routers[label] = r
		}
		return r
	}
}
