package access

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/render/policy"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
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
	// changed is what differs in access from the last push, what is gained first.
	changed  []model.AccessDifference
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
	return [...]prose.Line{signedInOnly: {}, guestsAllowed: {Text: "· guests"}, everybody: {Tone: prose.Warning, Text: "! open"}}[w]
}

// matrixOf makes the rows, in the order in which requests are matched; APIs where something
// is more open than it was pushed come first. changed is what differs in access from the
// last push.
func matrixOf(b *model.Backend, changed []model.AccessDifference, all board.Takeovers) matrix {
	m := matrix{groups: b.RoleOrder()}
	m.principals = append([]string{"guests", "signed-in"}, prose.PrintableStarts(m.groups)...)
	differ := byPath(b, changed)
	gained := make(map[string]int)
	for _, d := range changed {
		if d.Gained {
			gained[d.API] = 1
		}
	}
	apis := slices.Clone(b.APIs)
	slices.SortStableFunc(apis, func(x, y *model.API) int { return cmp.Compare(gained[y.Label], gained[x.Label]) })
	for _, api := range apis {
		m.add(b, api, differ, all.Of(api))
	}
	return m
}

// byPath gives the path that serves the requests now, as the API's label and the path's
// name, its differences. An API without a path for them has them itself.
func byPath(b *model.Backend, changed []model.AccessDifference) map[[2]string][]model.AccessDifference {
	all := make(map[[2]string][]model.AccessDifference)
	router := b.Routers()
	for _, d := range changed {
		of := router(d.API)
		if of == nil {
			continue
		}
		at := [2]string{d.API}
		if route, ok := of.Match(d.Methods[0], d.Raw); ok {
			at[1] = route.Path.Name
		}
		all[at] = append(all[at], d)
	}
	return all
}

func (m *matrix) add(b *model.Backend, api *model.API, differ map[[2]string][]model.AccessDifference, takeovers []model.Takeover) {
	head := &row{api: api, label: prose.PrintableStart(api.Label), changed: differ[[2]string{api.Label, ""}]}
	m.rows = append(m.rows, head)
	taken := describeTakeovers(takeovers)
	refused, _ := policy.Soon(api, m.groups, b.Auth.GuestsEnabled())
	for _, p := range board.InOrder(api.Paths) {
		r := &row{
			api: api, label: head.label, path: prose.PrintableStart(p.Name), access: prose.PrintableStart(p.Access.String()),
			AccessRow: b.AccessRow(p, m.groups), takeover: taken[p], changed: differ[[2]string{api.Label, p.Name}],
		}
		for _, text := range policy.Words(refused, p.Name) {
			r.takeover = append(slices.Clip(r.takeover), prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(text)})
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

// describeTakeovers says which requests each path takes from another one, or loses.
func describeTakeovers(takeovers []model.Takeover) map[*model.Path][]prose.Line {
	all := make(map[*model.Path][]prose.Line)
	for _, t := range takeovers {
		above, below, examples := prose.PrintableStart(t.Above.Name), prose.PrintableStart(t.Below.Name), prose.PrintableStart(model.List(t.Examples))
		gets := "serves " + examples + " instead of " + above
		loses := below + " serves " + examples
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
		return idOf(r.api.Label, "")
	}
	return idOf(r.api.Label, r.Path.Name)
}

// idOf identifies the row of a path, or of an API if the path is "".
func idOf(api, path string) string { return api + "\x00" + path }

// heading is the line of an API; false for a path.
func (r *row) heading() (prose.Line, bool) {
	if r.Path != nil {
		return prose.Line{}, false
	}
	return prose.Line{Tone: prose.Strong, Text: r.label + "  " + model.Count(len(r.api.Paths), "path")}, true
}

// letters are what the principal of a column may do. Small ones say that the path has no
// entry for the group, whose members act as signed-in users.
func (r *row) letters(i int) string {
	switch i {
	case 0:
		return widget.Letters(r.Guest, false)
	case 1:
		return widget.Letters(r.Authenticated, false)
	}
	group := r.Groups[i-2]
	return widget.Letters(group.Actions, !group.Own && r.exposure != everybody)
}

// called is the title of the details of a row.
func (r *row) called() string {
	if r.Path == nil {
		return "API " + r.label
	}
	return r.path + " of " + r.label
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

// The signs of access that is more open, or less, than it was pushed.
const (
	widerSign    = "▲"
	narrowerSign = "▼"
)

// isWider reports whether callers gained something since the last push.
func (r *row) isWider() bool { return len(r.changed) > 0 && r.changed[0].Gained }

// change is the sign of what changed since the last push; "" for nothing.
func (r *row) change() string {
	switch {
	case r.isWider():
		return widerSign
	case len(r.changed) > 0:
		return narrowerSign
	}
	return ""
}

// changeTone is the tone of the sign.
func (r *row) changeTone() prose.Tone {
	if r.isWider() {
		return prose.Wider
	}
	return prose.Note
}

// urgency is larger the more a reviewer should look: at what is more open first, then at what
// is less.
func (r *row) urgency() int {
	switch {
	case r.isWider():
		return 2
	case len(r.changed) > 0:
		return 1
	}
	return 0
}
