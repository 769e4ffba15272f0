// Package functions is the tab of the dashboard with the handler functions: what the
// files say of each, what a push does to it, and its last calls in a sandbox.
package functions

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Tab shows the handler functions.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	// calls are those that a sandbox tells of.
	calls map[called]*calls
	// reading is the log that is shown; nil for none.
	reading *reading
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.Called, t.Told = "Functions", t.told
	muted := func(*row) prose.Tone { return prose.Muted }
	t.List = widget.Table[*row]{
		Columns: []widget.Column[*row]{
			{Title: "function", Least: 12, Enough: 22, Most: 48, Text: func(r *row) string { return r.name }, Tone: func(*row) prose.Tone { return prose.Strong }},
			board.PushColumn(markOf),
			{Title: "runs", Least: len("nodejs"), Text: func(r *row) string { return r.runtime }, Tone: muted},
			{Title: "made", Rank: 1, Text: func(r *row) string { return r.template }, Tone: muted},
			{Title: "paths", Least: len("no path"), Enough: 16, Most: 48, Text: func(r *row) string { return r.serves }, Tone: muted},
			{Title: "last calls", Least: lastW, Enough: lastW, Text: t.lastCalls, Tone: muted},
		},
		ID:    func(r *row) string { return r.key },
		Words: (*row).words,
		Sorts: []widget.Sort[*row]{
			{Name: "name"},
			board.PushSort(markOf),
			{Name: "number of paths", Compare: func(a, b *row) int { return cmp.Compare(len(b.paths), len(a.paths)) }},
		},
		Empty: func() string {
			return "no function yet: the wizard makes one with an API, or run: gatewright add function"
		},
	}
	return t
}

// Read makes the rows.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd { return t.Shows(rowsOf(r.Snapshot)) }

// Observe counts the calls that a sandbox tells of.
func (t *Tab) Observe(o *board.Observed) func() tea.Cmd {
	calls := callsIn(o.Lines)
	return widget.NoCmd(func() {
		t.calls = calls
		// The last calls are a column.
		t.List.SetRows(t.List.Rows())
	})
}

// Bindings are what can be done to a function.
func (t *Tab) Bindings() []widget.Binding {
	r, ok := t.List.Row()
	if !ok {
		r = new(row)
	}
	none, there := widget.When(!ok, board.NoRow), widget.When(r.definition == nil, board.NotThere)
	path := widget.When(len(r.paths) == 0, "no path is served by it; run: gatewright mock function "+r.name)
	log := widget.When(t.board.Snap.Served() == "", project.ErrNoEnvironments.Error())
	foreign := widget.When(t.board.Snap.Layout == project.Amplify, "functions of this project are the Amplify CLI's: run amplify remove function")
	return []widget.Binding{
		board.ShowAll("function "+r.name, t.told(r)).Shown().Unless(none),
		widget.OpenFile.Does("source", "open its source in your editor", func() tea.Cmd { return t.board.EditFunction(r.definition) }).Shown().Unless(t.board.NoEditor(), none, there),
		widget.Log.Does("log", "show its log, and follow it", func() tea.Cmd { return t.readLog(r) }).Shown().Unless(none, log),
		widget.Test.Does("test", "send a test event in the console", func() tea.Cmd { return t.test(r) }).Shown().Unless(none, there, path),
		widget.Remove.Does("remove", "remove it with its files; what goes with it is said first", func() tea.Cmd {
			return t.board.Remove(model.Ref{Kind: model.KindFunction, Name: r.key})
		}).Shown().Unless(t.board.ReadOnly(), none, there, foreign),
		board.Copy(r.key),
	}
}

// test shows the console for the first path of a function.
func (t *Tab) test(r *row) tea.Cmd {
	return frame.Go(route.Console{API: r.paths[0].api, Path: r.paths[0].path, Environment: t.board.Wanted(), Test: true})
}
