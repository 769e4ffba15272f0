package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// apisTab shows the APIs and their paths.
type apisTab struct {
	apiTable
	env    *environment
	untold string
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
}

func tableOf(rows []apiRow) apiTable {
	a := apiTable{rows: rows, pathW: len("path"), functionW: len("function"), accessW: len("access")}
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
	*a = apisTab{apiTable: s.apis, env: s.env, untold: s.status.untold}
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
	column := w >= wideRow && a.endpoints
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

func (a *apisTab) empty() string { return "no API yet; design one with: gatewright add api" }

func (a *apisTab) row(t *theme.Theme, i int, selected bool, w int) string {
	r := a.rows[i]
	c := a.columns(w)
	name, word := cell(r.name(), c.path)+gap, c.marked(r.mark.words())
	rest := cell(r.function, c.function) + gap
	switch {
	case r.path == "" && c.endpoint > 0:
		// What an API has no use for makes room for its endpoint.
		rest += layout.Cut(r.url, c.access+len(gap)+c.endpoint)
	case r.path == "":
		rest += layout.Cut(r.url, c.access)
	case c.endpoint > 0:
		rest += cell(r.access, c.access) + gap + layout.Cut(r.url, c.endpoint)
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

func (a *apisTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, a.told(i), w)
}

// told is what is to be said of a row, the most wanted first.
func (a *apisTab) told(i int) []said {
	r := a.rows[i]
	var all []said
	say := func(how tone, text string) { all = append(all, said{how, text}) }
	switch {
	case r.url != "":
		say(strong, r.url)
		if r.proxy != "" {
			say(strong, r.proxy)
		}
	case r.path != "":
		// The list may have no room for all of it.
		say(strong, r.path)
	}
	if r.url == "" && a.env != nil && r.mark != absent && r.mark != added && !a.env.foreign {
		say(muted, a.noEndpoint())
	}
	if r.taken != "" {
		say(muted, model.ProxyOf(r.path)+" is never reached: "+r.taken+" serves what lies below")
	}
	if why := a.why(r); why != "" {
		say(r.mark.tone(), why)
	}
	for _, reason := range r.reasons {
		say(plain, "  "+reason)
	}
	if r.path != "" {
		say(plain, "served by "+r.function+"; "+r.access)
	}
	return all
}

// noEndpoint says why there is no endpoint to show.
func (a *apisTab) noEndpoint() string {
	name := frame.Plain(a.env.Name)
	switch {
	case a.env.pushing:
		return "no endpoint while " + name + " is being pushed"
	case a.env.problem != "":
		return a.env.problem
	case a.env.record == nil:
		return "no endpoint yet: " + name + " was never pushed"
	}
	return "no endpoint yet: the last push of " + name + " was without it"
}

// why says what the mark of a row means.
func (a *apisTab) why(r apiRow) string {
	env := ""
	if a.env != nil {
		env = frame.Plain(a.env.Name)
	}
	switch r.mark {
	case unknown:
		return a.untold
	case added:
		return "new: a push of " + env + " makes it"
	case changed:
		return "changed since the last push of " + env
	case served:
		if r.path == "" {
			return "a push of " + env + " changes functions of it"
		}
		return "as it was pushed, but its function changes:"
	case gone:
		return "gone: a push of " + env + " takes it away"
	case absent:
		return env + " does not have this API"
	}
	return "as it was pushed"
}

func (a *apisTab) copied(i int) string {
	r := a.rows[i]
	if r.url != "" {
		return r.url
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
