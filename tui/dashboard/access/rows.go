package access

import (
	"cmp"
	"math/bits"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy"
	"gatewright/tui/dashboard/board"
)

// matrix is who may do what under every path.
type matrix struct {
	// groups are those of the pool in its order, then those that only paths name, and last
	// those that only the last push had.
	groups []string
	// principals are the names of the columns, safe for the screen: guests, signed-in users,
	// and each group. signs say whether anything in them is more open than it was pushed, or less,
	// wide in which there are cells that show both.
	principals, signs []string
	wide              []bool
	rows              []*row
	// wider, narrower and other count the paths that are more open than they were pushed, those
	// that are less, and those that are new or removed, or differ in both ways for nobody.
	wider, narrower, other int
	// more says that access differs in more ways than Compare could list, includes that the rows
	// have edits that are staged.
	more, includes bool
	// cells are what the cells show, without what they showed at the last push.
	cells board.Texts
}

// row is an API, or one of its paths.
type row struct {
	api       *access.API
	id, label string
	// path and access are for the screen, both "" in the row of an API, which has the counts
	// of its paths by exposure and by change.
	path, access string
	counts       [everybody + 1]int
	changes      changeCounts
	// AccessRow has no Path in the row of an API.
	access.Row
	rules    access.Rules
	exposure exposure
	// open is larger the more callers the path serves.
	open int
	// changed is what differs in access from the last push, in the row of an API all of it, what is
	// gained first. was is what each principal could do then with the requests of the path; nil if
	// nothing differs.
	changed []access.Difference
	was     *access.Row
	// alike is changed in the row of an API, with together what many paths have in common.
	alike []access.Alike
	// next is what each principal may do now with the requests of a path that is gone, if another
	// path gets them and that is not the same; else nil.
	next *access.Row
	// added says that the path is new since the last push, gone that only the last push has it,
	// left that the environment does not have the API, staged that an edit waits for review.
	added, gone, left, staged bool
	takeover                  []prose.Line
}

// exposure says whether a path serves callers who did not sign in.
type exposure uint8

const (
	// signedInOnly serves signed-in callers only.
	signedInOnly exposure = iota
	// guestsAllowed lets guests do something.
	guestsAllowed
	// everybody serves every request.
	everybody
)

// line is the exposure in the table: a glyph and a word.
func (w exposure) line() prose.Line {
	return [...]prose.Line{
		signedInOnly: {}, guestsAllowed: {Text: "· guests"},
		everybody: {Tone: prose.Warning, Text: "! open"},
	}[w]
}

// sides are what the rows are made of.
type sides struct {
	// now is the project, with the edits that are staged. here is now as the environment
	// deploys it, was as it was pushed last; was is nil if nothing is known of that.
	now, here, was *model.Backend
	// changed is what differs in access between was and here, more that it is not all.
	changed   []access.Difference
	more      bool
	takeovers board.Takeovers
	// staged are the paths with staged edits, by the label of the API and the name.
	staged map[[2]string]bool
}

// matrixOf makes the rows, in the order in which requests are matched; APIs where something
// is more open than it was pushed come first, then those where anything differs.
func matrixOf(s sides) matrix {
	m := matrix{groups: s.groups(), more: s.more, includes: s.staged != nil}
	m.principals = append([]string{"guests", "signed-in"}, prose.PrintableStarts(m.groups)...)
	m.signs, m.wide = make([]string, len(m.principals)), make([]bool, len(m.principals))
	routers := s.routers()
	differ := board.ByPath(s.changed, s.now, routers.here, routers.was)
	order, ofAPI := make(map[string]int), make(map[string][]access.Difference)
	for _, d := range s.changed {
		ofAPI[d.API] = append(ofAPI[d.API], d)
		urgency := 1
		if d.Gained {
			urgency = 2
		}
		order[d.API] = max(order[d.API], urgency)
	}
	apis := slices.Clone(s.now.APIs)
	if s.was != nil {
		for _, api := range s.was.APIs {
			if s.now.API(api.Label) == nil {
				apis = append(apis, api)
			}
		}
	}
	slices.SortStableFunc(apis, func(x, y *access.API) int { return cmp.Compare(order[y.Label], order[x.Label]) })
	for _, api := range apis {
		head := m.add(&s, api, differ, routers)
		head.changed = ofAPI[api.Label]
		head.alike = access.Grouped(head.changed)
	}
	m.cells.Columns, m.cells.Rows = m.principals, make(map[string]string, len(m.rows))
	for _, r := range m.rows {
		if r.Path != nil {
			texts := make([]string, len(m.principals))
			for i := range texts {
				texts[i] = r.now(i)
			}
			m.cells.Rows[r.id] = board.TextsOf(texts...)
		}
	}
	return m
}

// add adds the rows of an API, and returns the first, which is its own.
func (m *matrix) add(s *sides, api *access.API, differ map[[2]string][]access.Difference, routers routers) *row {
	gone := s.now.API(api.Label) == nil
	head := &row{api: api, label: prose.PrintableStart(api.Label), gone: gone}
	head.left = !gone && s.here.API(api.Label) == nil
	m.rows = append(m.rows, head.identified())
	if !gone {
		taken := describeTakeovers(s.takeovers.Of(api), s.now.Terms().For(api))
		refused, _ := policy.Soon(api, m.groups, s.now.Terms())
		rules := s.now.Rules(api)
		for _, p := range board.InOrder(api.Paths) {
			r := m.pathRow(rules, api, p)
			r.changed, r.left, r.staged = differ[key(api, p)], head.left, s.staged[key(api, p)]
			r.takeover = taken[p]
			for _, text := range policy.Words(refused, p.Name) {
				r.takeover = append(slices.Clip(r.takeover), prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(text)})
			}
			m.compare(s, r, routers)
			head.counts[r.exposure]++
			head.changes.add(r)
			m.rows = append(m.rows, r.identified())
		}
	}
	for _, p := range s.gonePaths(api) {
		r := m.pathRow(routers.was(api.Label).Rules(), api, p)
		r.gone, r.changed = true, differ[key(api, p)]
		m.compareGone(r, routers)
		head.changes.add(r)
		m.rows = append(m.rows, r.identified())
	}
	m.wider += head.changes.wider
	m.narrower += head.changes.narrower
	m.other += head.changes.other
	return head
}

// key is the place of a path in maps.
func key(api *access.API, p *access.Path) [2]string { return [2]string{api.Label, p.Name} }

// pathRow makes the row of a path, as the rules of its API decide.
func (m *matrix) pathRow(of access.Rules, api *access.API, p *access.Path) *row {
	r := &row{
		api: api, label: prose.PrintableStart(api.Label), path: prose.PrintableStart(p.Name),
		access: prose.PrintableStart(of.Effective(p).String()),
		Row:    of.Row(p, m.groups), rules: of,
	}
	switch {
	case p.Access.Setting == access.Open:
		r.exposure = everybody
	case r.Guest != 0:
		r.exposure = guestsAllowed
	}
	// One digit each, the most important first.
	const more = 10
	r.open = (int(r.exposure)*more+bits.OnesCount8(uint8(r.Guest)))*more + bits.OnesCount8(uint8(r.Authenticated))
	return r
}

// describeTakeovers says which requests each path takes from another one, or loses.
func describeTakeovers(takeovers []access.Takeover, terms access.Terms) map[*access.Path][]prose.Line {
	all := make(map[*access.Path][]prose.Line)
	for _, t := range takeovers {
		above, below, examples := prose.PrintableStart(t.Above.Name), prose.PrintableStart(t.Below.Name),
			prose.PrintableStart(phrase.List(t.Examples))
		gets := "serves " + examples + " instead of " + above
		if terms.Below && !t.Beside && t.Above.Access.Setting != access.Open && t.Below.Access.Setting != access.Open {
			gets += ", and lets in everyone whom " + above + " lets in"
		}
		loses := below + " serves " + examples
		if t.All {
			loses = "serves nothing below it: " + below + " takes all of it, such as " + examples
		}
		all[t.Below] = append(all[t.Below], prose.Line{Tone: prose.Muted, Text: gets})
		all[t.Above] = append(all[t.Above], prose.Line{Tone: prose.Warning, Text: loses})
	}
	return all
}

// identified gives a row its id, which is asked for often.
func (r *row) identified() *row {
	name := ""
	if r.Path != nil {
		name = r.Path.Name
	}
	if r.gone {
		name += "\x00" + goneSign
	}
	r.id = idOf(r.api.Label, name)
	return r
}

// idOf identifies the row of a path, or of an API if the path is "".
func idOf(api, path string) string { return api + "\x00" + path }

// heading is the line of an API; false for a path.
func (r *row) heading() (prose.Line, bool) {
	if r.Path != nil {
		return prose.Line{}, false
	}
	line := prose.Line{Tone: prose.Strong, Text: r.label + "  " + phrase.Count(len(r.api.Paths), "path")}
	switch {
	case r.gone:
		return prose.Line{Tone: prose.Muted, Text: goneSign + " " + r.label + "  removed"}, true
	case r.changes.wider > 0:
		line.Tone = prose.Wider
	}
	if text := r.changes.String(); text != "" {
		line.Text += ", " + text
	}
	return line, true
}

// called is the title of the details of a row.
func (r *row) called() string {
	if r.Path == nil {
		return "API " + r.label
	}
	return r.path + " of " + r.label
}
