package dashboard

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// accessTab shows who may do what: a row for each path, a column for each
// principal.
type accessTab struct {
	accessTable
	page    *Page
	backend *model.Backend
	env     *environment
	older   []string
	// first is the leftmost principal in view, shown how many are, as last drawn.
	first, shown int
	// order is how the rows stand: as requests are matched, or the most open first.
	order int
	seen  *observed
	// asked is what was asked last, asking the label of the API that was at hand.
	asked  []string
	asking string
}

func (a *accessTab) title() string { return "Access" }

func (a *accessTab) take(s *snapshot) tea.Cmd {
	a.accessTable, a.backend, a.env, a.older, a.order = s.access, s.backend, s.env, s.older, 0
	a.first = max(0, min(a.first, a.principals()-1))
	return nil
}

func (a *accessTab) observe(seen *observed) tea.Cmd {
	a.seen = seen
	return nil
}

func (a *accessTab) sortings() []string { return []string{"as matched", "most open first"} }

func (a *accessTab) sortBy(n int) { a.order = n }

func (a *accessTab) entries() []entry {
	if a.order == 1 {
		return a.accessTable.open
	}
	return a.list
}

// at is the row of an entry.
func (a *accessTab) at(i int) accessRow {
	if a.order == 1 {
		return a.rows[a.byOpen[i]]
	}
	return a.rows[i]
}

// name is the first column of an entry: without the rows of APIs it says which one
// the path is of.
func (a *accessTab) name(i int) string {
	r := a.at(i)
	if a.order == 1 {
		return r.path + " of " + r.label
	}
	return r.name()
}

func (a *accessTab) empty() string { return "no API yet; design one with: gatewright add api" }

// The widths of the matrix: a principal's column has the letters in brackets at the
// least, a name at the most; where the row is narrow the mark is its glyph.
const (
	cellW     = len("(CRUD)")
	widestWho = 16
	worldW    = len("· guests")
)

// accessColumns are the widths of a row's columns. The principals from and up to to
// have a place.
type accessColumns struct{ path, world, from, to int }

func (a *accessTab) columns(w int) accessColumns {
	const widest, part = 64, 2
	c := accessColumns{world: worldW, from: a.first, to: a.first}
	if w < narrowRow {
		c.world = 1
	}
	pathW := a.pathW
	if a.order == 1 {
		pathW = widest
	}
	c.path = min(pathW, widest, max(len("path"), w/part-c.world))
	room := w - c.path - len(gap) - c.world
	for c.to < a.principals() && room >= len(gap)+a.width(c.to) {
		room -= len(gap) + a.width(c.to)
		c.to++
	}
	c.to = max(c.to, min(a.first+1, a.principals()))
	a.shown = c.to - c.from
	return c
}

// width is how wide the column of a principal is.
func (a *accessTab) width(i int) int {
	return max(cellW, min(layout.Width(a.principal(i)), widestWho))
}

func (c accessColumns) marked(w world) string {
	words := w.words()
	if c.world < worldW {
		words, _, _ = strings.Cut(words, " ")
	}
	return cell(words, c.world)
}

func (a *accessTab) heading(t *theme.Theme, w int) string {
	c := a.columns(w)
	left, right := "", ""
	if c.from > 0 {
		left = fmt.Sprintf(" < %d", c.from)
	}
	if hidden := a.principals() - c.to; hidden > 0 {
		right = fmt.Sprintf(" > %d", hidden)
	}
	world := "world"
	if c.world == 1 {
		world = ""
	}
	line := cell("path"+left+right, c.path) + gap + cell(world, c.world)
	for i := c.from; i < c.to; i++ {
		line += gap + cell(a.principal(i), a.width(i))
	}
	return t.Muted.Render(layout.Cut(line, w))
}

func (a *accessTab) row(t *theme.Theme, i int, selected bool, w int) string {
	r := a.at(i)
	c := a.columns(w)
	if r.path == "" {
		line := cell(r.name(), c.path) + gap + cell(model.Count(len(r.of.Paths), "path"), w-c.path-len(gap))
		if selected {
			return t.Selected.Render(line)
		}
		return t.Accent.Render(line)
	}
	name, mark, cells := cell(a.name(i), c.path)+gap, c.marked(r.world), ""
	for p := c.from; p < c.to; p++ {
		cells += gap + cell(r.letters(p), a.width(p))
	}
	if selected {
		return t.Selected.Render(layout.Cut(name+mark+cells, w))
	}
	return layout.Cut(t.Base.Render(name)+r.world.tone().style(t).Render(mark)+t.Base.Render(cells), w)
}

func (a *accessTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, a.told(i, fewPrincipals), w)
}

func (a *accessTab) copied(i int) string {
	r := a.at(i)
	if r.path == "" {
		return r.label
	}
	return r.path + ": " + fit(r.Path.Access.String())
}

func (a *accessTab) opening(int) frame.Binding { return showing }

func (a *accessTab) open(i int) (row int, cmd tea.Cmd) {
	return i, show(a.at(i).label+" "+a.at(i).path, a.told(i, len(a.groups)))
}

func (a *accessTab) actions(i int) []action {
	path, label := "", ""
	if i != none {
		label = a.at(i).of.Label
		if p := a.at(i).Path; p != nil {
			path = p.Name
		}
	}
	ask := frame.Binding{Keys: []string{"Q"}, Label: "ask", Help: "ask whether somebody may send a request, by which rule, and what would change that", Footer: true, Group: "row"}
	edit := frame.Binding{Keys: []string{"E"}, Label: "edit access", Help: "change who may do what under the path, in the wizard", Footer: path != "", Group: "row", Disabled: a.page.readOnly()}
	if path == "" && edit.Disabled == "" {
		edit.Disabled = "put the cursor on a path"
	}
	before := frame.Binding{Keys: []string{"<"}, Label: "columns before", Help: "show the principals on the left", Group: "row"}
	if a.first == 0 {
		before.Disabled = "the first principal is in view"
	}
	more := frame.Binding{Keys: []string{">"}, Label: "more columns", Help: "show the principals on the right", Group: "row"}
	if len(a.list) == 0 || a.first+max(1, a.shown) >= a.principals() {
		more.Disabled = "the last principal is in view"
	} else {
		more.Footer = true
	}
	return []action{
		{ask, func() tea.Cmd { return a.ask(label, path) }},
		{edit, func() tea.Cmd { return a.edit(label, path) }},
		{before, func() tea.Cmd { a.first = max(0, a.first-1); return nil }},
		{more, func() tea.Cmd { a.first = min(a.first+1, a.principals()-1); return nil }},
	}
}
