package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// apisTab shows the APIs and their paths.
type apisTab struct {
	page *Page
	// usual are the rows in the order in which they were read.
	usual *apiTable
	apiTable
	env    *environment
	untold string
	// observed is what the sandbox said last; live are the endpoints of the APIs that it
	// serves for env, fromTree says that it serves them as the files are now.
	observed *observed
	live     map[string]string
	fromTree bool
}

// apiTable is all that is drawn of the APIs but for the widths of a window. It is
// made where files are read: of many paths it takes longer than a key may.
type apiTable struct {
	rows []apiRow
	list []entry
	// pathW and functionW are as wide as the widest of the rows.
	pathW, functionW, accessW int
	// endpoints and marks say that any row has one.
	endpoints, marks bool
	orders           [][]int
}

func tableOf(rows []apiRow) apiTable {
	a := apiTable{rows: rows, orders: ordersOf(rows), pathW: len("path"), functionW: len("function"), accessW: len("access")}
	for _, r := range rows {
		a.pathW = max(a.pathW, layout.Width(r.name()))
		a.functionW = max(a.functionW, layout.Width(r.function))
		a.accessW = max(a.accessW, layout.Width(r.access))
		a.endpoints = a.endpoints || r.url != ""
		a.marks = a.marks || r.mark != unknown
		text := "api " + r.label
		if r.path != "" {
			text = strings.Join([]string{r.label, r.path, r.function, r.access, r.mark.words()}, " ")
		}
		a.list = append(a.list, entry{id: r.label + "\x00" + r.path, text: strings.ToLower(text), head: r.head})
	}
	return a
}

func (a *apisTab) title() string { return "APIs" }

func (a *apisTab) take(s *snapshot) tea.Cmd {
	*a = apisTab{page: a.page, usual: &s.apis, apiTable: s.apis, env: s.env, untold: s.status.untold, observed: a.observed}
	a.serve()
	return nil
}

func (a *apisTab) entries() []entry { return a.list }

// name is the row's first column.
func (r apiRow) name() string {
	if r.path == "" {
		return r.label
	}
	return "  " + r.path
}

// markW is the width of the widest mark, endpointW the least of an endpoint that
// says anything, signedIn a short access that is worth being read to its end.
const (
	markW     = len("= no change")
	endpointW = 44
	signedIn  = "signed-in users: read"
)

// An endpoint has a column in a wide row alone, and in a narrow one a mark is its
// glyph: what it means is said below.
const (
	wideRow   = 140
	narrowRow = 68
)

// apiColumns are the widths of a row's columns; 0 for one that has no place.
type apiColumns struct{ path, mark, function, access, endpoint int }

// columns divides a row of w cells. What a person looks for, the path, is
// shortened last.
func (a *apisTab) columns(w int) apiColumns {
	const widest, widestAccess = 64, 72
	var c apiColumns
	room := w - 2*len(gap)
	if a.marks {
		c.mark = markW
		if w < narrowRow {
			c.mark = 1
		}
		room -= c.mark + len(gap)
	}
	column := w >= wideRow && (a.endpoints || len(a.live) > 0)
	if column {
		room -= endpointW + len(gap)
	}
	widths := []int{min(a.pathW, widest), min(a.functionW, widest), min(a.accessW, widestAccess)}
	for _, least := range [][]int{{widths[0], 20, 28}, {24, 12, len(signedIn)}, {16, 8, 11}} {
		narrowed(widths, least, room)
	}
	c.path, c.function, c.access = widths[0], widths[1], widths[2]
	if column {
		c.endpoint = endpointW + max(0, room-c.path-c.function-c.access)
	}
	return c
}

// marked is a mark in its column, with the gap after it.
func (c apiColumns) marked(words string) string {
	if c.mark == 0 {
		return ""
	}
	glyph, _, _ := strings.Cut(words, " ")
	if layout.Width(words) > c.mark {
		words = glyph
	}
	return cell(words, c.mark) + gap
}

func (a *apisTab) heading(t *theme.Theme, w int) string {
	c := a.columns(w)
	push := "push"
	if c.mark < markW {
		push = ""
	}
	line := cell("path", c.path) + gap + c.marked(push) + cell("function", c.function) + gap + cell("access", c.access)
	if c.endpoint > 0 {
		line += gap + "endpoint"
	}
	return t.Muted.Render(line)
}

func (a *apisTab) empty() string {
	if a.page != nil && a.page.readOnly() == "" {
		return "no API yet: n designs one"
	}
	return "no API yet; design one with: gatewright add api"
}

func (a *apisTab) row(t *theme.Theme, i int, selected bool, w int) string {
	r := a.rows[i]
	c := a.columns(w)
	name, word := cell(r.name(), c.path)+gap, c.marked(r.mark.words())
	rest := cell(r.function, c.function) + gap
	url, _ := a.addresses(&r)
	switch {
	case r.path == "" && c.endpoint > 0:
		// What an API has no use for makes room for its endpoint.
		rest += layout.Cut(url, c.access+len(gap)+c.endpoint)
	case r.path == "":
		// An API has no access of its own: the endpoint goes to the end of the row.
		rest += layout.Cut(url, max(c.access, w-layout.Width(name+word+rest)))
	case c.endpoint > 0:
		rest += cell(r.access, c.access) + gap + layout.Cut(url, c.endpoint)
	default:
		rest += layout.Cut(r.access, c.access)
	}
	switch {
	case selected:
		return t.Selected.Render(name + word + rest)
	case r.mark == absent:
		return t.Disabled.Render(name + word + rest)
	case r.path == "":
		return t.Accent.Render(name) + r.mark.tone().style(t).Render(word) + t.Muted.Render(rest)
	}
	return t.Base.Render(name) + r.mark.tone().style(t).Render(word) + t.Muted.Render(rest)
}

func (m mark) tone() tone {
	switch m {
	case added:
		return good
	case gone:
		return bad
	case changed, served:
		return warning
	}
	return muted
}

func (a *apisTab) copied(i int) string {
	r := a.rows[i]
	if url, _ := a.addresses(&r); url != "" {
		return url
	}
	if r.path != "" {
		return r.path
	}
	return r.label
}

func (a *apisTab) opening(int) frame.Binding { return showing }

func (a *apisTab) open(i int) (row int, cmd tea.Cmd) {
	return i, show("api "+a.rows[i].label, a.told(i))
}
