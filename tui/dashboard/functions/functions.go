// Package functions is the tab of the dashboard with the handler functions: the definition of
// each, what a push does to it, and its last calls in a sandbox.
package functions

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Tab shows the handler functions.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	// tail is the end of the log of the function that was selected last; nil before it is read.
	tail *tail
	// reading says that a log is shown.
	reading bool
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabShort, t.Describe, t.Beside = "Functions", "Funcs", t.describe, t.beside
	muted := func(*row) prose.Tone { return prose.Muted }
	t.Called = func(r *row) string { return r.name }
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    func(rows []*row) string { return phrase.Count(len(rows), "function") + b.CountedIn() },
		Columns: []widget.Column[*row]{
			{
				Title: "function", Least: 12, Enough: 22, Most: 48, Text: func(r *row) string { return r.name },
				Tone: t.nameTone,
			},
			board.PushColumn(markOf),
			{Title: "may", Least: 4, Text: t.mayText, Draw: widget.DrawLetters, NotSearched: true},
			{Title: "runtime", Least: len("runtime"), Text: func(r *row) string { return r.runtime }, Tone: muted},
			{Title: "template", Rank: 1, Text: func(r *row) string { return r.template }, Tone: muted},
			{
				Title: "paths", Least: len("no path"), Enough: 16, Most: 48, Text: func(r *row) string { return r.serves },
				Tone: muted,
			},
		},
		ID:    func(r *row) string { return r.key },
		Words: (*row).words,
		Sorts: []widget.Sort[*row]{
			{Name: "name"},
			board.PushSort(markOf),
			{Name: "number of paths", Compare: func(a, b *row) int { return cmp.Compare(len(b.paths), len(a.paths)) }},
		},
		Moved: t.readTail,
		Empty: func() string { return t.board.Nothing("function", "gatewright add function NAME") },
	}
	t.List.Columns = append(t.List.Columns, board.CountColumns(b, t.countsOf)...)
	t.List.Sorts = append(t.List.Sorts, board.CountSorts(t.countsOf)...)
	return t
}

// Read makes the rows.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd { return t.ShowRows(rowsOf(r.Snapshot)) }

// Show moves the cursor to a function.
func (t *Tab) Show(of model.Ref) bool {
	return of.Kind == model.KindFunction && t.List.Show(of.Name)
}

// Observe shows the counts of a sandbox, and reads on the log of the selected function.
func (t *Tab) Observe(*board.Observed) func() tea.Cmd {
	return func() tea.Cmd {
		// The counts are columns.
		t.List.SetRows(t.List.Rows())
		return t.Front()
	}
}

// Front reads on the log, which nobody sees while another tab is in front.
func (t *Tab) Front() tea.Cmd {
	if !t.board.IsInFront(t) {
		return nil
	}
	return t.readTail()
}

// Bindings are the keys of a function.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	if !ok {
		r = new(row)
	}
	noRow, removed := keys.When(!ok, board.NoRow), keys.When(r.definition == nil, board.NotInProject)
	path := keys.When(len(r.paths) == 0, "it serves no path; run: gatewright mock function "+r.name)
	log := keys.When(t.board.Snap.Name() == "", project.ErrNoEnvironments.Error())
	manages := func(verb string) string {
		return keys.When(!t.board.Snap.Layout.Defines(model.KindFunction),
			"the Amplify CLI manages these functions: run amplify "+verb+" function")
	}
	add := keys.Add.Does("new function", "add a function with its source; shows first what is written",
		func() tea.Cmd { return t.add(nil) }).Shown().Unless(t.board.ReadOnly(), manages("add"))
	if !ok {
		return []keys.Binding{add}
	}
	return []keys.Binding{
		t.board.ShowAll("function "+r.name, t.describe(r)).Unless(noRow),
		keys.OpenFile.Does("source", "open its source in your editor",
			func() tea.Cmd { return t.board.EditFunction(r.definition) }).Shown().Unless(t.board.NoEditor(), noRow, removed),
		keys.Log.Does("log", "show its log, and follow it", func() tea.Cmd { return t.readLog(r) }).Shown().Unless(noRow,
			log),
		keys.Test.Does("test", "send a test event in the console", func() tea.Cmd { return t.test(r) }).Shown().Unless(noRow,
			removed, path),
		add,
		keys.Edit.Does("change", "change runtime, template, limits, variables, schedule, access; shows first what is written",
			func() tea.Cmd { return t.edit(r, nil, nil) }).Shown().
			Unless(t.board.ReadOnly(), noRow, removed, manages("update")),
		keys.Remove.Does("remove", "remove it with its files; shows first what else that removes", func() tea.Cmd {
			return t.board.Remove(model.Ref{Kind: model.KindFunction, Name: r.key})
		}).Shown().Unless(t.board.ReadOnly(), noRow, removed, manages("remove")),
		t.board.ChooseWindow(),
		board.Copy(r.key),
	}
}

// test shows the console for the first path of a function.
func (t *Tab) test(r *row) tea.Cmd {
	return frame.Go(route.Console{API: r.paths[0].api, Path: r.paths[0].path, Environment: t.board.Wanted(), Test: true})
}
