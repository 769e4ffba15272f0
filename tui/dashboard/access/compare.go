package access

import (
	"slices"

	"gatewright/model/access"
)

// Which row tells which difference, and what served the requests of a path before.

// routers find the routers of the APIs on both sides.
type routers struct {
	was, here func(label string) *access.Router
}

func (s *sides) routers() routers {
	r := routers{here: s.here.Routers(), was: func(string) *access.Router { return nil }}
	if s.was != nil {
		r.was = s.was.Routers()
	}
	return r
}

// groups are the groups of the columns. Those that only the last push had are among them if
// something differs for their members.
func (s *sides) groups() []string {
	groups := slices.Clone(s.now.RoleOrder())
	known := make(map[string]bool, len(groups))
	for _, group := range groups {
		known[group] = true
	}
	for _, d := range s.changed {
		for _, group := range []string{d.Who.Group, d.AlsoIn} {
			if group != "" && !known[group] {
				known[group] = true
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// gonePaths are the paths of an API that only the last push has.
func (s *sides) gonePaths(api *access.API) []*access.Path {
	if s.was == nil {
		return nil
	}
	then, now := s.was.API(api.Label), s.now.API(api.Label)
	if then == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(then.Paths),
		func(p *access.Path) bool { return now != nil && now.Path(p.Name) != nil })
}

// compare finds out what a path was for each principal, if anything differs, and which columns
// differ.
func (m *matrix) compare(s *sides, r *row, routers routers) {
	if s.was == nil {
		return
	}
	then := s.was.API(r.api.Label)
	r.added = then == nil || then.Path(r.Path.Name) == nil
	if len(r.changed) == 0 {
		return
	}
	r.was = &access.Row{Groups: make([]access.GroupAccess, len(m.groups))}
	if served := servedBefore(routers, r); served != nil {
		was := routers.was(r.api.Label).Rules().Row(served, m.groups)
		r.was = &was
	}
	for i := range m.principals {
		m.wide[i] = m.differs(r, i) && r.was.Path != nil || m.wide[i]
	}
}

// differs reports whether a cell differs from the last push, and adds its sign to those of its column.
func (m *matrix) differs(r *row, i int) bool {
	before, after := r.before(i), r.after(i)
	if after.Without(before) != 0 {
		m.signs[i] = widerSign
	} else if before != after && m.signs[i] == "" {
		m.signs[i] = narrowerSign
	}
	return before != after
}

// compareGone finds out what each principal may do now with the requests of a path that is gone,
// if another path gets them, and which columns differ.
func (m *matrix) compareGone(r *row, routers routers) {
	was, here := routers.was(r.api.Label), routers.here(r.api.Label)
	if len(r.changed) == 0 || here == nil {
		return
	}
	raw := exampleOf(was, r)
	if raw == "" {
		return
	}
	route, ok := here.Match("GET", raw)
	if !ok {
		return
	}
	next := here.Rules().Row(route.Path, m.groups)
	r.next = &next
	for i := range m.principals {
		m.wide[i] = m.differs(r, i) || m.wide[i]
	}
}

// servedBefore is the path that served the requests to the path of a row at the last push; nil
// if none did.
func servedBefore(routers routers, r *row) *access.Path {
	was, here := routers.was(r.api.Label), routers.here(r.api.Label)
	if was == nil {
		return nil
	}
	raw := ""
	if here != nil {
		raw = exampleOf(here, r)
	}
	if raw == "" {
		raw = access.ExamplePath([]string{r.Path.Name})
	}
	route, ok := was.Match("GET", raw)
	if !ok {
		return nil
	}
	return route.Path
}

// exampleOf is a raw path that the path of a row serves by a router; "" if none is found.
func exampleOf(by *access.Router, r *row) string {
	raws := []string{access.ExamplePath([]string{r.Path.Name})}
	for _, d := range r.changed {
		if d.Path == r.Path.Name {
			raws = append(raws, d.Raw)
			break
		}
	}
	for _, raw := range slices.Backward(raws) {
		if route, ok := by.Match("GET", raw); ok && route.Path == r.Path {
			return raw
		}
	}
	return ""
}
