// Package apis is the tab of the dashboard with the APIs and their paths: the function of
// each, its access, what a push does to it, and its endpoint.
package apis

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Tab shows the APIs and their paths.
type Tab struct {
	board.Listing[*row]
	board *board.Board
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.Describe = "APIs", t.describe
	name := func(r *row) prose.Tone {
		switch sees := b.Viewer() != nil; {
		case r.mark == board.Absent, sees && r.may == 0:
			return prose.Muted
		case sees, r.isAPI():
			return prose.Strong
		}
		return prose.Plain
	}
	function := func(r *row) prose.Tone {
		if r.noFunction != "" {
			return prose.Bad
		}
		return prose.Muted
	}
	quiet := func(*row) prose.Tone { return prose.Muted }
	fresh := func(column string, usual prose.Tone) func(*row) prose.Tone {
		return func(r *row) prose.Tone {
			return b.Or(t.cell(r, column), usual)
		}
	}
	t.Called = (*row).called
	t.Beside = func(r *row) board.Third {
		return b.Calls("calls of "+r.called(), func(c *traffic.Call) bool {
			return c.API == r.api.Label && (r.isAPI() || c.Path == r.definition.Name)
		})
	}
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    func(rows []*row) string { return sumOf(rows) + b.CountedIn() },
		Columns: []widget.Column[*row]{
			{Title: "path", Least: 16, Enough: 24, Most: 64, Middle: true, Text: (*row).name, Tone: name},
			board.PushColumn(markOf),
			{
				Title: "may", Least: 4, Text: t.mayText, Tone: fresh("may", prose.Plain), Draw: widget.DrawLetters,
				NotSearched: true,
			},
			{Title: "function", Least: 8, Enough: 12, Most: 64, Text: (*row).functionText, Tone: function},
			{
				Title: "access", Least: 21, Enough: 21, Most: 72, Text: func(r *row) string { return r.access },
				Tone: fresh("access", prose.Muted),
			},
			{Title: "endpoint", Least: 44, Rank: 4, Last: true, Middle: true, Text: t.url, Tone: quiet, NotSearched: true},
		},
		ID: func(r *row) string { return idOf(r.ref()) },
		Words: func(r *row) string {
			if r.isAPI() {
				return "API " + r.label
			}
			return r.label
		},
		Level: widget.Below((*row).isAPI),
		// The first is the order in which requests are matched.
		Sorts: []widget.Sort[*row]{
			{Name: "path"},
			board.PushSort(markOf),
			{Name: "function", Compare: func(a, b *row) int { return strings.Compare(a.function, b.function) }},
			{Name: "access", Compare: func(a, b *row) int { return strings.Compare(a.access, b.access) }},
		},
		Empty: func() string {
			if b.ReadOnly() == "" {
				return "no API yet: A designs one in the wizard, or run: gatewright add api"
			}
			return "no API yet; design one with: gatewright add api"
		},
	}
	columns, last := t.List.Columns, len(t.List.Columns)-1
	t.List.Columns = append(append(columns[:last:last], board.CountColumns(b, t.countsOf)...), columns[last])
	t.List.Sorts = append(t.List.Sorts, board.CountSorts(t.countsOf)...)
	return t
}

// countsOf are the counts of a path; nil if nothing was sent there.
func (t *Tab) countsOf(r *row) *traffic.Counts {
	if r.definition == nil || t.board.Snap == nil || !t.board.Sandbox.Runs() {
		return nil
	}
	return t.board.Sandbox.Counts.Path(t.board.Snap.Name(), r.api.Label, r.definition.Name)
}

// Read makes the rows.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	rows := rowsOf(r.Snapshot, r.Status.Was)
	return func() tea.Cmd { return t.show(rows) }
}

// idOf identifies the row of an API or a path.
func idOf(of model.Ref) string { return string(of.Kind) + "\x00" + of.API + "\x00" + of.Name }

// Show moves the cursor to an API or a path.
func (t *Tab) Show(of model.Ref) bool { return t.List.Show(idOf(of)) }

// Observe redraws the rows with the endpoints of a running sandbox.
func (t *Tab) Observe(*board.Observed) func() tea.Cmd {
	return keys.NoCmd(func() { t.List.SetRows(t.List.Rows()) })
}

// url is the endpoint of a row.
func (t *Tab) url(r *row) string {
	url, _ := t.addresses(r)
	return url
}

// addresses are the endpoints of a row and of its proxy resource: those of a running sandbox, else those of
// the last push. A sandbox may have another port than then, or serve what was never pushed.
func (t *Tab) addresses(r *row) (main, proxy string) {
	env, sandbox := t.board.Snap.Name(), t.board.Sandbox
	url := sandbox.Endpoint(env, r.api.Label)
	if url == "" || r.mark == board.Absent {
		return r.url, r.proxy
	}
	if r.definition == nil {
		return prose.PrintableStart(url), ""
	}
	// One environment is served as the files are now, the others as they were pushed.
	served := r.url != ""
	if sandbox.Status.Environment == env {
		served = r.inProject
	}
	if !served {
		return r.url, r.proxy
	}
	return endpointsOf(url, r.definition, r.takenBy == "")
}

// Bindings are the keys of an API or a path.
func (t *Tab) Bindings() []keys.Binding {
	beside := keys.AddBeside.Does("new API", "design another API in the wizard",
		func() tea.Cmd { return t.board.ToWizard(route.Wizard{}) }).Unless(t.board.ReadOnly())
	draft := keys.Draft.Does("resume", "resume the draft of the wizard", func() tea.Cmd {
		return t.board.ToWizard(route.Resumed(*t.board.Draft))
	}).Shown().Unless(t.board.ReadOnly(), keys.When(t.board.Draft == nil, "there is no draft"))
	documented := keys.Import.Does("from OpenAPI",
		"make an API from an OpenAPI or Swagger document; shows first what is written and what is lost",
		t.fromDocument).Unless(t.board.ReadOnly())
	r, ok := t.List.Row()
	if !ok {
		return []keys.Binding{beside.Shown(), documented.Shown(), draft}
	}
	onPath := keys.When(r.definition == nil, "put the cursor on a path")
	removed := keys.When(!r.inProject, board.NotInProject)
	source := keys.When(r.definition != nil && r.inProject && t.board.Snap.Backend.Function(r.definition.Function) == nil,
		"the project has no such function")
	reads := t.board.ReadOnly()
	edit := keys.Edit.Does("edit path", "change this path in the wizard", func() tea.Cmd {
		return t.board.ToWizard(route.Wizard{Task: flow.Task{API: r.api.Label, Path: r.definition.Name}})
	}).Shown().Unless(reads, onPath, removed)
	if r.isAPI() {
		amplify := keys.When(!t.board.Snap.Backend.HasMediaTypes(), "its settings are in the template of the Amplify CLI")
		edit = keys.Edit.Does("settings", "change which bodies of this API are binary, and which web pages may call it",
			func() tea.Cmd { return t.editSettings(r.api.Label, nil, nil) }).Shown().Unless(reads, removed, amplify)
	}
	return []keys.Binding{
		t.board.ShowAll("API "+r.label, t.describe(r)),
		keys.Add.Does("add path", "add a path to this API in the wizard", func() tea.Cmd {
			return t.board.ToWizard(route.Wizard{Task: flow.Task{API: r.api.Label}})
		}).Shown().Unless(reads, removed),
		edit,
		keys.Remove.Does("remove", "remove this path or API; shows first what else that removes",
			func() tea.Cmd { return t.board.Remove(r.ref()) }).Shown().Unless(reads, removed),
		keys.Call.Does("console", "send requests to this path or API",
			func() tea.Cmd { return t.toConsole(r) }).Shown().Unless(removed),
		keys.OpenFile.Does("source", "open the source of this path's function in your editor", func() tea.Cmd {
			return t.board.EditFunction(t.board.Snap.Backend.Function(r.definition.Function))
		}).Shown().Unless(t.board.NoEditor(), onPath, removed, source),
		keys.Difference.Does("difference", "show how the file that defines this API differs from the last push",
			func() tea.Cmd { return t.difference(r) }).Shown(),
		draft,
		beside,
		documented,
		t.board.ChooseWindow(),
		board.Copy(t.copied(r)),
	}
}

// copied is what goes to the clipboard for a row.
func (t *Tab) copied(r *row) string { return cmp.Or(t.url(r), r.path, r.label) }

// ref names the API or path of a row.
func (r *row) ref() model.Ref {
	if r.definition != nil {
		return model.Ref{Kind: model.KindPath, API: r.api.Label, Name: r.definition.Name}
	}
	return model.Ref{Kind: model.KindAPI, Name: r.api.Label}
}

// toConsole shows the console for a path, or for the first one of an API.
func (t *Tab) toConsole(r *row) tea.Cmd {
	to := route.Console{API: r.api.Label, Environment: t.board.Wanted()}
	if r.definition != nil {
		to.Path = r.definition.Name
	}
	return frame.Go(to)
}

// difference shows how the file that defines an API differs from what was pushed.
func (t *Tab) difference(r *row) tea.Cmd {
	of, status := model.Ref{Kind: model.KindAPI, Name: r.api.Label}, t.board.Snap.Status
	return func() tea.Msg {
		return frame.Open(dialog.Lines("API "+prose.Printable(of.Name)+" since the last push", status.FileDifference(of)))()
	}
}
