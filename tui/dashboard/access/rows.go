package access

import (
	"fmt"
	"math/bits"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
)

// matrix is who may do what under every path.
type matrix struct {
	// groups are those of the pool in its order, then those that only paths name.
	groups []string
	// principals are the names of the columns, safe for the screen: guests, signed-in users,
	// and each group.
	principals []string
	rows       []*row
}

// row is an API, or one of its paths.
type row struct {
	api   *model.API
	label string
	// path and access are for the screen, both "" in the row of an API, which has the counts
	// of its paths by exposure.
	path, access string
	counts       [everybody + 1]int
	// AccessRow has no Path in the row of an API.
	model.AccessRow
	exposure exposure
	// open is larger the more callers the path serves.
	open int
	// wider says what callers gained since the last push.
	wider    []string
	takeover []prose.Line
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
	return [...]prose.Line{signedInOnly: {}, guestsAllowed: {Tone: prose.Good, Text: "· guests"}, everybody: {Tone: prose.Warning, Text: "! open"}}[w]
}

// matrixOf makes the rows, in the order in which requests are matched.
// was is the backend of the last push; nil for none.
func matrixOf(b, was *model.Backend, all board.Takeovers) matrix {
	m := matrix{groups: b.RoleOrder()}
	m.principals = append([]string{"guests", "signed-in"}, prose.PrintableStarts(m.groups)...)
	for _, api := range b.APIs {
		var then *model.API
		if was != nil {
			then = was.API(api.Label)
		}
		m.add(b, api, then, all.Of(api))
	}
	return m
}

func (m *matrix) add(b *model.Backend, api, then *model.API, takeovers []model.Takeover) {
	head := &row{api: api, label: prose.PrintableStart(api.Label)}
	m.rows = append(m.rows, head)
	taken, pushed := describeTakeovers(takeovers), pathsOf(then)
	for _, p := range board.InOrder(api.Paths) {
		r := &row{
			api: api, label: head.label, path: prose.PrintableStart(p.Name), access: prose.PrintableStart(p.Access.String()),
			AccessRow: b.AccessRow(p, m.groups), takeover: taken[p], wider: gains(pushed[p.Name], p),
		}
		switch {
		case p.Access.Setting == model.Open:
			r.exposure = everybody
		case r.Guest != 0:
			r.exposure = guestsAllowed
		}
		// One digit each, the most important first.
		const more = 10
		r.open = (int(r.exposure)*more+bits.OnesCount8(uint8(r.Guest)))*more + bits.OnesCount8(uint8(r.Authenticated))
		head.counts[r.exposure]++
		m.rows = append(m.rows, r)
	}
}

// pathsOf are the paths of an API by name; nil for no API.
func pathsOf(api *model.API) map[string]*model.Path {
	if api == nil {
		return nil
	}
	paths := make(map[string]*model.Path, len(api.Paths))
	for _, p := range api.Paths {
		paths[p.Name] = p
	}
	return paths
}

// gains says what callers may do on a path that they could not when it was pushed; nil for a
// path that was not.
func gains(was, now *model.Path) []string {
	if was == nil {
		return nil
	}
	if now.Access.Setting == model.Open {
		if was.Access.Setting == model.Open {
			return nil
		}
		return []string{"open to everybody now"}
	}
	var all []string
	for _, c := range model.Changes(was.Access, now.Access) {
		if c.Gained != 0 {
			all = append(all, prose.PrintableStart(c.Who.String()+" gain "+c.Gained.String()))
		}
	}
	return all
}

// describeTakeovers says which requests each path takes from another one, or loses.
func describeTakeovers(takeovers []model.Takeover) map[*model.Path][]prose.Line {
	all := make(map[*model.Path][]prose.Line)
	for _, t := range takeovers {
		above, below, examples := prose.PrintableStart(t.Above.Name), prose.PrintableStart(t.Below.Name), prose.PrintableStart(model.List(t.Examples))
		gets := "serves " + examples + " instead of " + above
		loses := examples + " is served by " + below
		if t.All {
			loses = "serves nothing below it: " + below + " takes all of it, such as " + examples
		}
		all[t.Below] = append(all[t.Below], prose.Line{Tone: prose.Muted, Text: gets})
		all[t.Above] = append(all[t.Above], prose.Line{Tone: prose.Warning, Text: loses})
	}
	return all
}

func (r *row) id() string {
	if r.Path == nil {
		return r.api.Label + "\x00"
	}
	return r.api.Label + "\x00" + r.Path.Name
}

// heading is the line of an API; false for a path.
func (r *row) heading() (prose.Line, bool) {
	if r.Path != nil {
		return prose.Line{}, false
	}
	return prose.Line{Tone: prose.Strong, Text: r.label + "  " + model.Count(len(r.api.Paths), "path")}, true
}

// letters are what the principal of a column may do. Brackets say that the path has no
// entry for the group, whose members act as signed-in users.
func (r *row) letters(i int) string {
	switch i {
	case 0:
		return r.Guest.Letters()
	case 1:
		return r.Authenticated.Letters()
	}
	group := r.Groups[i-2]
	if !group.Own && r.exposure != everybody {
		return "(" + group.Actions.Letters() + ")"
	}
	return group.Actions.Letters()
}

// called is the title of the details of a row.
func (r *row) called() string {
	if r.Path == nil {
		return "API " + r.label
	}
	return r.path
}

// sumOf counts the paths, and those that are open to everybody.
func sumOf(rows []*row) string {
	paths, open := 0, 0
	for _, r := range rows {
		switch {
		case r.Path == nil:
			continue
		case r.exposure == everybody:
			open++
		}
		paths++
	}
	text := model.Count(paths, "path")
	if open > 0 {
		text += fmt.Sprintf(", %d open", open)
	}
	return text
}

// widerSign is the sign of access that is more open than it was.
const widerSign = "▲"

// widerSign is the sign if the path is more open than when it was pushed.
func (r *row) widerSign() string {
	if len(r.wider) > 0 {
		return widerSign
	}
	return ""
}
