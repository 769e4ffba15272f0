// Package access is the tab of the dashboard that shows who may do what: a row for
// each path, a column for each principal.
package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/ask"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Tab shows who may do what, with what changed since the last push.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	matrix
	// read is what the rows are made of, without what is staged; nil before the first reading.
	read *reading
	// stages are what waited for review, the first of them empty, after each edit; now is the
	// index of the one that waits. shows counts how often the rows were asked for.
	stages []stage
	now    int
	shows  int
	// merging has what was decided about values that somebody else changed too.
	merging *merge.Merge
	// alone says that only what changed is shown.
	alone     bool
	questions *ask.Questions
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, questions: ask.New(b), stages: []stage{{}}, merging: merge.New()}
	t.TabName, t.Describe = "Access",
		func(r *row) []prose.Line { return append(t.describe(r, fewPrincipals, mostChanges), t.served(r)...) }
	t.Called = (*row).called
	t.Beside = func(r *row) board.Third {
		return b.Calls("calls of "+r.called(), func(c *traffic.Call) bool {
			return c.API == r.api.Label && (r.Path == nil || c.Path == r.Path.Name)
		})
	}
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    sumOf,
		Lead:   t.lead,
		Pinned: pinned,
		ID:     func(r *row) string { return r.id },
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
		Empty: func() string {
			return "no API yet: press 1, then A to design one in the wizard; or run: gatewright add api"
		},
	}
	return t
}

// Show moves the cursor to an API or a path.
func (t *Tab) Show(of model.Ref) bool {
	id := idOf(of.API, of.Name)
	switch of.Kind {
	case model.KindAPI:
		id = idOf(of.Name, "")
	case model.KindPath:
	default:
		return false
	}
	if t.List.Show(id) {
		return true
	}
	if !t.alone || !slices.ContainsFunc(t.rows, func(r *row) bool { return r.id == id }) {
		return false
	}
	t.showAlone(false)
	return t.List.Show(id)
}

// sumOf counts the paths, and those that are open to everybody.
func sumOf(rows []*row) string {
	paths, open := 0, 0
	for _, r := range rows {
		switch {
		case r.Path == nil || r.gone:
			continue
		case r.exposure == everybody:
			open++
		}
		paths++
	}
	text := phrase.Count(paths, "path")
	if open > 0 {
		text += fmt.Sprintf(", %d open", open)
	}
	return text
}

// The pinned columns are the path, signs of what changed, and its exposure; the columns of the
// principals scroll. One of these is as wide as the name, but at least as its letters, and where
// something changed, as those before and now.
const (
	pinned    = 3
	lettersW  = len("CRUD")
	changedW  = 2*lettersW + 1
	signsW    = 2
	widestWho = 16
)

// columns are those of the principals, of changes alone only of those for whom something
// changed, if there are any.
func (t *Tab) columns() []widget.Column[*row] {
	all := []widget.Column[*row]{
		{Title: "path", Least: 16, Enough: 18, Most: 64, Middle: true, Text: t.name, Tone: t.pathTone},
		{Title: "", Least: signsW, Text: (*row).sign, Tone: (*row).signTone},
		board.MarkColumn("public", func(r *row) prose.Line { return r.exposure.line() }),
	}
	some, seen := strings.Join(t.signs, "") != "", t.seen()
	for _, i := range t.order(seen) {
		name := t.principals[i]
		w := lettersW
		if t.wide[i] {
			w = changedW
		} else if t.alone && some && t.signs[i] == "" && i != seen {
			continue
		}
		tone := func(r *row) prose.Tone {
			usual := r.tone()
			if seen >= 0 && i != seen {
				usual = prose.Muted
			}
			return t.board.Or(board.Cell{List: t.TabName, Row: r.id, Column: name}, usual)
		}
		w = max(w, min(layout.Width(name), widestWho))
		all = append(all, widget.Column[*row]{
			Title: name, Sign: t.signs[i], Least: w, Most: w, Text: func(r *row) string { return r.letters(i) },
			Tone: tone, Draw: widget.DrawLetters,
		})
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

// Bindings are the keys of a path, of what is staged, and of the question.
func (t *Tab) Bindings() []keys.Binding {
	label, path, noPath := "", "", "put the cursor on a path"
	r, ok := t.List.Row()
	if ok {
		label = r.api.Label
	}
	if ok && r.Path != nil {
		path, noPath = r.Path.Name, keys.When(r.gone, board.NotInProject)
	}
	left, right := t.List.HiddenColumns()
	move := func(by int) func() tea.Cmd { return keys.NoCmd(func() { t.List.Sideways(by) }) }
	alone := "changes only"
	if t.alone {
		alone = "all rows"
	}
	all := append(t.stageKeys(),
		keys.Edit.Does("edit cells", "change who may do what under the path; it is written after a review of all such edits",
			func() tea.Cmd { return t.edit(r, nil) }).Shown().Unless(t.board.ReadOnly(), noPath),
		keys.WhoMay.Does("ask", "ask whether somebody may send a request, by which rule, and what would change that",
			func() tea.Cmd { return t.questions.Ask(t.groups, "", label, path) }).Shown(),
		keys.Test.Does("tests", "keep the access of the path as access tests, which fail when it changes",
			func() tea.Cmd { return t.keepAsTests(label, path) }).Unless(t.board.ReadOnly(), noPath),
		keys.Difference.Does(alone, "show only what changed since the last push, or all rows",
			keys.NoCmd(func() { t.showAlone(!t.alone) })).Shown().Unless(t.whyNotAlone()),
		keys.Left.Does("previous columns", "show the principals on the left",
			move(-1)).Unless(keys.When(left == 0, "the first principal is in view")),
		keys.Right.Does("more columns", "show the principals on the right",
			move(1)).Shown().Unless(keys.When(right == 0 || t.List.Len() == 0, "the last principal is in view")),
	)
	if !ok {
		return all
	}
	copied := r.label
	if path != "" {
		copied = r.path + ": " + r.access
	}
	title := strings.TrimSpace(r.label + " " + r.path)
	all = append([]keys.Binding{t.board.ShowAll(title, t.describe(r, len(t.groups), mostShown))}, all...)
	return append(all, board.Copy(copied))
}

// whyNotAlone is why changes cannot be shown alone; "" if they can.
func (t *Tab) whyNotAlone() string {
	differ := slices.ContainsFunc(t.rows, (*row).differs)
	switch {
	case t.alone || differ:
		return ""
	case t.read != nil && t.read.problem != "":
		return t.read.problem
	case t.read == nil || t.read.since == "":
		return "it was never pushed: there is nothing to compare with"
	}
	return "nothing differs from the last push"
}
