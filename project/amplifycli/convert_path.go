package amplifycli

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/read"
)

// addPath adds a path to an API that is not in the backend yet. It reports whether the path came along.
func (c *converter) addPath(file string, api *access.API, path *access.Path) bool {
	for _, group := range path.Access.Groups() {
		if slices.Contains(c.to.Groups, group) {
			continue
		}
		if err := edit.AddReadGroup(c.to, group); err == nil {
			c.notes = append(c.notes, "the group "+phrase.Quote(group)+", which only paths name, is now a group of the user "+
				"pool")
		}
	}
	trial, attempt := *c.to, *api
	attempt.Paths = append(slices.Clip(api.Paths), path)
	err := edit.AddAPI(&trial, &attempt)
	if err == nil {
		api.Paths = attempt.Paths
		return true
	}
	c.left = append(c.left, &read.Problem{
		File: file, Pointer: "/paths/" + model.PointerSegment(path.Name), Level: model.Warning,
		Text: "the path " + phrase.Quote(path.Name) + " was not imported: " + err.Error(),
	})
	return false
}

// madeEntries are the entries that paths of an API got so that the same callers may do the same as in
// the old project, in the order in which they were made, each with its paths.
type madeEntries struct {
	grants []access.Grant
	paths  map[access.Grant][]string
}

// add adds the entries that the access of a path did not have.
func (m *madeEntries) add(path *access.Path, to access.Access) {
	for _, g := range to.Grants {
		if had, named := path.Access.Grant(g.To); named && had == g.Actions {
			continue
		}
		if m.paths[g] == nil {
			m.grants = append(m.grants, g)
		}
		m.paths[g] = append(m.paths[g], phrase.Quote(path.Name))
	}
}

// notes says which entries were made.
func (m *madeEntries) notes(api string) []string {
	var notes []string
	for _, g := range m.grants {
		where := phrase.Enumerated(m.paths[g]) + " of the API " + phrase.Quote(api)
		if g.Actions == 0 {
			notes = append(notes, "an entry without actions keeps "+g.To.String()+" out of "+where+
				": in the old project they act as their group only")
			continue
		}
		notes = append(notes, g.To.String()+" may "+g.Actions.Verb()+" under "+where+
			": in the old project callers of a path may call everything below it; revoke it if that is not meant")
	}
	return notes
}

// noteCrossing names a request for each path that only its pattern lets in, next to it, and that is refused
// in the new project.
func (c *converter) noteCrossing(api *access.API) {
	was, is, values := c.from.Backend.Router(api.Label), c.to.Router(api.Label), []string{"1/1"}
	callers := []access.Caller{{}, {SignedIn: true}}
	for _, group := range c.from.Backend.RoleOrder() {
		callers = append(callers, access.Caller{SignedIn: true, Groups: []string{group}})
	}
	for _, p := range api.Paths {
		for _, s := range access.ReadSegments(p.Name) {
			if !s.Variable && !slices.Contains(values, s.Text) {
				values = append(values, s.Text)
			}
		}
	}
	lost := func(p *access.Path, raw string) bool {
		for _, caller := range callers {
			for _, action := range access.AllActions {
				method := c.from.Backend.Terms().Methods(action)[0]
				before, after := was.Decide(caller, method, raw), is.Decide(caller, method, raw)
				if before.Above == p && !after.Allowed && after.Rule != access.NoRoute {
					c.notes = append(c.notes, method+" "+phrase.Quote(raw)+" and the like of the API "+phrase.Quote(api.Label)+
						" are refused now: in the old project callers of "+phrase.Quote(p.Name)+
						" may send them, because * matches slashes too")
					return true
				}
			}
		}
		return false
	}
	for _, p := range api.Paths {
		for _, value := range values {
			raw := ""
			for _, s := range access.ReadSegments(p.Name) {
				if s.Variable {
					s.Text = value
				}
				raw += "/" + s.Text
			}
			if lost(p, raw) || lost(p, raw+"/1") {
				break
			}
		}
	}
}

// noteHEAD says that HEAD goes with read in the new project and not in the old one.
func (c *converter) noteHEAD() {
	differences, _ := access.Compare(c.from.Backend.Gate(), c.to.Gate())
	if slices.ContainsFunc(differences, func(d access.Difference) bool { return d.Gained && d.Actions == 0 }) {
		c.notes = append(c.notes, "callers who may send GET may now send HEAD too: the roles of the old project allow GET "+
			"only")
	}
}
