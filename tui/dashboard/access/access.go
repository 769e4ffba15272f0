// Package access is the tab of the dashboard that shows who may do what: a row for
// each path, a column for each principal.
package access

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Tab shows who may do what.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	matrix
	// lastValues are the values of the last question, with which the next begins.
	lastValues []string
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, lastValues: []string{answer.GuestWord, "GET", "/"}}
	t.TabName, t.Describe = "Access", func(r *row) []prose.Line { return append(t.describe(r, fewPrincipals), t.served(r)...) }
	t.Called = (*row).called
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    sumOf,
		Pinned: pinned,
		ID:     (*row).id,
		Words: func(r *row) string {
			if r.Path == nil {
				return "api"
			}
			return r.label + " " + r.access
		},
		Level: widget.Below(func(r *row) bool { return r.Path == nil }),
		Whole: (*row).heading,
		Sorts: []widget.Sort[*row]{
			{Name: "what changed", Compare: func(a, b *row) int { return cmp.Compare(b.urgency(), a.urgency()) }},
			{Name: "order of matching"},
			{Name: "openness", Compare: func(a, b *row) int { return cmp.Compare(b.open, a.open) }, Flat: true},
		},
		Empty: func() string { return "no API yet: 1, then A, designs one in the wizard; or run: gatewright add api" },
	}
	return t
}

// Read makes the rows.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	changed := r.Status.Access
	if r.Status.Was == nil {
		// All of it is new before the first push.
		changed = nil
	}
	m := matrixOf(r.Backend, changed, r.Takeovers)
	return func() tea.Cmd {
		t.matrix = m
		t.List.SetColumns(t.columns())
		t.List.SetRows(m.rows)
		return nil
	}
}

// Note counts the paths that are more open than they were pushed, new ones included, and those
// that are less.
func (t *Tab) Note() (line prose.Line, short string) {
	wider, narrower := 0, 0
	for _, r := range t.rows {
		switch {
		case r.isWider():
			wider++
		case r.Path != nil && len(r.changed) > 0:
			narrower++
		case r.Path == nil:
			// What paths that are gone served.
			gone := make(map[string]bool)
			for _, d := range r.changed {
				gone[strings.TrimSuffix(d.Path, model.ProxyPath)] = true
			}
			narrower += len(gone)
		}
	}
	more, less := widerSign+" "+model.Count(wider, "path")+" more open", narrowerSign+" "+model.Count(narrower, "path")+" less open"
	switch {
	case wider == 0 && narrower == 0:
		return prose.Line{}, ""
	case wider == 0:
		return prose.Line{Tone: prose.Note, Text: less + " than pushed"}, fmt.Sprint(narrowerSign, " ", narrower)
	case narrower == 0:
		more += " than pushed"
	default:
		more += fmt.Sprintf(", %s %d less", narrowerSign, narrower)
	}
	return prose.Line{Tone: prose.Wider, Text: more}, fmt.Sprint(widerSign, " ", wider)
}

// The pinned columns are the path, a sign if it is more or less open than it was, and its exposure;
// the columns of the principals scroll. One of these is as wide as the name, but at least as
// its letters.
const (
	pinned    = 3
	lettersW  = len("CRUD")
	widestWho = 16
)

func (t *Tab) columns() []widget.Column[*row] {
	all := []widget.Column[*row]{
		{Title: "path", Least: 16, Enough: 18, Most: 64, Middle: true, Text: t.name},
		{Title: "", Least: 1, Text: (*row).change, Tone: (*row).changeTone},
		board.MarkColumn("public", func(r *row) prose.Line { return r.exposure.line() }),
	}
	for i, name := range t.principals {
		w := max(lettersW, min(layout.Width(name), widestWho))
		all = append(all, widget.Column[*row]{Title: name, Least: w, Most: w, Text: func(r *row) string { return r.letters(i) }, Draw: widget.DrawLetters})
	}
	return all
}

// name is the first column. In an order without rows of APIs it also names the API.
func (t *Tab) name(r *row) string {
	if t.List.Flat() {
		return r.path + " of " + r.label
	}
	return "  " + r.path
}

// fewPrincipals is how many groups the details list.
const fewPrincipals = 12

// Bindings are the keys of a path, and of the question.
func (t *Tab) Bindings() []widget.Binding {
	label, path, noPath := "", "", "put the cursor on a path"
	r, ok := t.List.Row()
	if ok {
		label = r.api.Label
	}
	if ok && r.Path != nil {
		path, noPath = r.Path.Name, ""
	}
	left, right := t.List.HiddenColumns()
	move := func(by int) func() tea.Cmd { return widget.NoCmd(func() { t.List.Sideways(by) }) }
	all := []widget.Binding{
		widget.WhoMay.Does("ask", "ask whether somebody may send a request, by which rule, and what would change that", func() tea.Cmd { return t.ask(label, path) }).Shown(),
		widget.Edit.Does("edit access", "change who may do what under the path", func() tea.Cmd { return t.edit(r) }).Shown().Unless(t.board.ReadOnly(), noPath),
		widget.Left.Does("previous columns", "show the principals on the left", move(-1)).Unless(widget.When(left == 0, "the first principal is in view")),
		widget.Right.Does("more columns", "show the principals on the right", move(1)).Shown().Unless(widget.When(right == 0 || t.List.Len() == 0, "the last principal is in view")),
	}
	if !ok {
		return all
	}
	copied := r.label
	if path != "" {
		copied = r.path + ": " + r.access
	}
	title := strings.TrimSpace(r.label + " " + r.path)
	all = append([]widget.Binding{t.board.ShowAll(title, t.describe(r, len(t.groups)))}, all...)
	return append(all, board.Copy(copied))
}
