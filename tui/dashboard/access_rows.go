package dashboard

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/tui/layout"
)

// accessTable is who may do what under every path, as it was read.
type accessTable struct {
	// groups are those of the pool in its order, then those that only paths name;
	// names are the same, fit for the screen.
	groups, names []string
	rows          []accessRow
	list          []entry
	// open are the same rows with what serves the most callers first, without the
	// rows of APIs; byOpen gives the row for each.
	open   []entry
	byOpen []int
	// pathW is as wide as the widest path.
	pathW int
	// idle says that guests have no identity.
	idle bool
}

// accessRow is an API, or one of its paths.
type accessRow struct {
	of    *model.API
	label string
	// path is the path as it is named; "" in the row of an API, and counts the
	// numbers of its paths there, by whom they serve.
	path   string
	counts [everybody + 1]int
	model.AccessRow
	world    world
	takeover []said
}

// world says whom without a name a path serves.
type world uint8

const (
	// knownOnly is for signed-in callers alone.
	knownOnly world = iota
	// guestsToo may do something.
	guestsToo
	// everybody may do all.
	everybody
)

// words are the mark in the list: a glyph and a word.
func (w world) words() string {
	return [...]string{knownOnly: "", guestsToo: "· guests", everybody: "! open"}[w]
}

func (w world) tone() tone {
	return [...]tone{knownOnly: plain, guestsToo: good, everybody: warning}[w]
}

// accessOf makes the rows, in the order in which requests are matched.
func accessOf(b *model.Backend, all takeovers) accessTable {
	t := accessTable{groups: b.RoleOrder(), pathW: len("path"), idle: !b.Auth.GuestsEnabled()}
	for _, group := range t.groups {
		t.names = append(t.names, fit(group))
	}
	for _, api := range b.APIs {
		t.add(b, api, all.of(api))
	}
	for i, row := range t.rows {
		t.pathW = max(t.pathW, layout.Width(row.name()))
		if row.path != "" {
			t.byOpen = append(t.byOpen, i)
		}
	}
	slices.SortStableFunc(t.byOpen, func(i, j int) int {
		a, b := t.rows[i], t.rows[j]
		return cmp.Or(cmp.Compare(b.world, a.world), cmp.Compare(len(b.Guest.List()), len(a.Guest.List())), cmp.Compare(len(b.Authenticated.List()), len(a.Authenticated.List())))
	})
	for _, i := range t.byOpen {
		e := t.list[i]
		e.head = none
		t.open = append(t.open, e)
	}
	return t
}

func (t *accessTable) add(b *model.Backend, api *model.API, takeovers []model.Takeover) {
	head := len(t.rows)
	t.rows = append(t.rows, accessRow{of: api, label: fit(api.Label)})
	t.list = append(t.list, entry{id: api.Label + "\x00", text: strings.ToLower("api " + fit(api.Label)), head: none})
	taken := sayTakeovers(takeovers)
	paths := slices.Clone(api.Paths)
	sortPaths(paths)
	for _, p := range paths {
		row := accessRow{of: api, label: fit(api.Label), path: fit(p.Name), AccessRow: b.AccessRow(p, t.groups), takeover: taken[p]}
		switch {
		case p.Access.Setting == model.Open:
			row.world = everybody
		case row.Guest != 0:
			row.world = guestsToo
		}
		t.rows[head].counts[row.world]++
		text := strings.Join([]string{row.label, row.path, fit(p.Access.String()), row.world.words()}, " ")
		t.rows = append(t.rows, row)
		t.list = append(t.list, entry{id: api.Label + "\x00" + p.Name, text: strings.ToLower(text), head: head})
	}
}

// sayTakeovers says of each path which requests it takes from another, or loses.
func sayTakeovers(takeovers []model.Takeover) map[*model.Path][]said {
	all := make(map[*model.Path][]said)
	for _, t := range takeovers {
		above, below, examples := fit(t.Above.Name), fit(t.Below.Name), fit(model.List(t.Examples))
		gets := "serves " + examples + " in place of " + above
		loses := examples + " is served by " + below
		if t.All {
			loses = "nothing below it is served by it: " + below + " takes all of that, such as " + examples
		}
		all[t.Below] = append(all[t.Below], said{muted, gets})
		all[t.Above] = append(all[t.Above], said{warning, loses})
	}
	return all
}

// name is the row's first column.
func (r accessRow) name() string {
	if r.path == "" {
		return r.label
	}
	return "  " + r.path
}

// principals is how many columns the matrix has: guests, signed-in users, and each
// group.
func (t *accessTable) principals() int { return 2 + len(t.groups) }

// principal is the name of a column.
func (t *accessTable) principal(i int) string {
	switch i {
	case 0:
		return "guests"
	case 1:
		return "signed-in"
	}
	return t.names[i-2]
}

// letters are what the principal of a column may do in a row. Brackets say that the
// path has no entry for the group, whose members act as signed-in users.
func (r accessRow) letters(i int) string {
	switch i {
	case 0:
		return r.Guest.Letters()
	case 1:
		return r.Authenticated.Letters()
	}
	group := r.Groups[i-2]
	if !group.Own && r.world != everybody {
		return "(" + group.Actions.Letters() + ")"
	}
	return group.Actions.Letters()
}
