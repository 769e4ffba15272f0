// Package livemap is the first tab of the dashboard: the backend as a picture. Who may come in stands at
// the left, then what they may do under which path, the function of each path, and what that uses. The
// calls that the sandbox answers travel over it.
package livemap

import (
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/project/answer"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
)

// Tab shows the map.
type Tab struct {
	board *board.Board
	chart *chart
	// environment is the one that is shown.
	environment string
}

var _ board.Tab = (*Tab)(nil)

// New makes the tab. Without motion only numbers change.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, chart: newChart(func() time.Time { return b.Now() })}
	t.chart.still, t.chart.sum, t.chart.drawSum = b.Still, t.sum, b.DrawSum
	t.chart.seen, t.chart.marks = t.seen, &b.Marks
	return t
}

// Name is the name of the tab.
func (t *Tab) Name() string { return "Map" }

// Short is the name.
func (t *Tab) Short() string { return "Map" }

// Title is the name.
func (t *Tab) Title() string { return "Map" }

// Table is the map.
func (t *Tab) Table() board.Table { return t.chart }

// Read makes the graph.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	var env *model.Environment
	if r.Env != nil {
		env = r.Env.Environment
	}
	g := graph.Of(r.Backend, env)
	var opened map[gate]bool
	if was := r.Status.Was; was != nil {
		here := r.Backend
		if env != nil {
			here = here.For(env)
		}
		opened = openedIn(g, board.ByPath(r.Status.Access, r.Backend, here.Routers(), was.Routers()))
	}
	letters := lettersOf(g, r.Name())
	return func() tea.Cmd {
		t.chart.show(g, opened)
		t.shows(t.board.Snap.Name())
		t.SeeAgain()
		t.observe()
		return t.board.Shows(lettersList, letters)
	}
}

// openedIn says who gained something under which path since the last push, as the tabs APIs and Access do.
func openedIn(g *graph.Graph, byPath map[[2]string][]access.Difference) map[gate]bool {
	opened := make(map[gate]bool)
	for at, differences := range byPath {
		for _, d := range differences {
			for i, p := range g.Callers {
				if d.Gained && d.AlsoIn == "" && (d.Anybody || p == d.Who) {
					opened[gate{at[0], at[1], i}] = true
				}
			}
		}
	}
	return opened
}

// SeeAgain shows what the viewer reaches.
func (t *Tab) SeeAgain() {
	t.chart.viewer = -1
	if p, ok := t.board.Principal(); ok && t.chart.graph != nil {
		t.chart.viewer = slices.Index(t.chart.graph.Callers, p)
	}
	t.chart.light()
}

// Observe shows the state of the workers.
func (t *Tab) Observe(*board.Observed) func() tea.Cmd { return keys.NoCmd(t.observe) }

// observe takes the state of the sandbox as it is now.
func (t *Tab) observe() {
	env, before := t.board.Wanted(), t.chart.used
	t.chart.workers, t.chart.open, t.chart.used = nil, nil, nil
	if t.board.Followed {
		t.chart.workers, t.chart.open = t.board.Told.Workers(env), t.board.Told.Open(env)
		t.chart.used = usesOf(t.board.Told.Uses(env))
	}
	same := func(_, _ []traffic.UseCounts) bool { return true }
	if t.chart.graph != nil && !maps.EqualFunc(before, t.chart.used, same) {
		t.chart.arrange()
	}
}

// Follow lets the calls of a batch travel.
func (t *Tab) Follow(b *board.Batch) func() tea.Cmd {
	return func() tea.Cmd {
		if b.Anew {
			t.chart.lasted = make(map[string]time.Duration)
			t.chart.trips = nil
		}
		now := t.chart.now()
		for i := range b.Calls {
			call := &b.Calls[i]
			if call.Environment != t.environment && call.Environment != "" {
				continue
			}
			if call.Function != "" {
				t.chart.lasted[call.Function] = call.Ran
			}
			// What was before this program looked is over.
			if now.Sub(call.Time.Add(call.Took)) < late {
				t.chart.came(call, t.callerOf(call), now)
			}
		}
		t.observe()
		uses := board.Texts{Scope: t.environment + b.Began.String(), Columns: []string{""}, Rows: make(map[string]string)}
		for k := range t.chart.used {
			uses.Rows[usesAt(k.function, k.resource).Row] = t.seen(k.function, k.resource)
		}
		return t.board.Shows(usesList, uses)
	}
}

// shows forgets what moves in the environment that was shown, if it is another one now.
func (t *Tab) shows(environment string) {
	if environment != t.environment {
		t.environment, t.chart.trips, t.chart.lasted = environment, nil, make(map[string]time.Duration)
	}
}

// late is after which time a call does not travel.
// openPace is how often a request that runs long is drawn again.
const (
	late     = 2 * time.Second
	openPace = time.Second
)

// Unfollowed forgets what the sandbox told.
func (t *Tab) Unfollowed() {
	t.chart.motion = newMotion(t.chart.still)
	t.observe()
}

// callerOf is the index of the caller as whom a call was decided; -1 if that does not matter.
func (t *Tab) callerOf(call *traffic.Call) int {
	if t.chart.graph == nil {
		return -1
	}
	return slices.IndexFunc(t.chart.graph.Callers, func(p access.Principal) bool {
		return call.Who.As == p.String() ||
			call.Who.As == "" && (call.Who.Kind == traffic.Guest || call.Who.Kind == traffic.Nobody) && p.Kind == access.Guest
	})
}

// Moves says when the map has to be drawn again by itself.
func (t *Tab) Moves(now time.Time) time.Duration {
	if t.board.Still && !t.chart.still {
		t.chart.still, t.chart.trips = true, nil
	}
	t.chart.prune(now)
	next := t.chart.frame(now)
	if slices.ContainsFunc(t.chart.shown, func(r *row) bool { return t.chart.grown(r) < 1 }) {
		next = board.Frame
	}
	// How long a request is on its way is said as it is now.
	if len(t.chart.open) > 0 && (next == 0 || next > openPace) {
		next = openPace
	}
	return next
}

// DetailsBelow is false: the requests stand next to the map where that leaves it as it is.
func (t *Tab) DetailsBelow() bool { return false }

// Bindings are the keys of what is at hand.
func (t *Tab) Bindings() []keys.Binding {
	n, ok := t.chart.node()
	r := t.chart.current()
	nothing := keys.When(!ok || r == nil, "there is nothing")
	noPath := keys.When(r == nil || r.heading || len(r.paths) != 1, "put the cursor on a row with one path")
	noAPI := keys.When(r == nil || r.api == "", "put the cursor on a path or an API")
	hold := keys.Choose.Does("hold", "hold the map still; the counts go on", keys.NoCmd(t.hold))
	if t.chart.held {
		hold = keys.Choose.Does("go on", "let the requests travel again", keys.NoCmd(t.hold))
	}
	all := []keys.Binding{
		keys.Open.Does("open", "go to the tab of the thing at the cursor: its path, function, table or access",
			func() tea.Cmd { return t.open(n, r) }).Shown().Unless(nothing),
		keys.Call.Does("call", "send a request to this path as the caller at the cursor",
			func() tea.Cmd { return t.call(r) }).Shown().Unless(noPath),
		keys.Add.Does("add path", "add a path to this API in the wizard", func() tea.Cmd {
			return t.board.ToWizard(route.Wizard{Task: flow.Task{API: r.api}})
		}).Shown().Unless(t.board.ReadOnly(), noAPI),
		keys.Edit.Does("edit path", "change this path in the wizard", func() tea.Cmd {
			return t.board.ToWizard(route.Wizard{Task: flow.Task{API: r.api, Path: r.paths[0].Name}})
		}).Unless(t.board.ReadOnly(), noPath),
		keys.AddBeside.Does("new API", "design another API in the wizard",
			func() tea.Cmd { return t.board.ToWizard(route.Wizard{}) }).ShownIf(r == nil).Unless(t.board.ReadOnly()),
		keys.Draft.Does("resume", "resume the draft of the wizard", func() tea.Cmd {
			return t.board.ToWizard(route.Resumed(*t.board.Draft))
		}).Shown().Unless(t.board.ReadOnly(), keys.When(t.board.Draft == nil, "there is no draft")),
		hold.ShownIf(t.board.Followed && !t.chart.still).
			Unless(keys.When(!t.board.Followed, "no sandbox is running"), keys.When(t.chart.still, "motion is off")),
		board.Copy(t.Subject()),
	}
	return all
}

func (t *Tab) hold() {
	t.chart.held = !t.chart.held
	t.chart.trips = nil
}

// open goes to the place of a node.
func (t *Tab) open(n graph.Node, r *row) tea.Cmd {
	path := func() model.Ref {
		if len(r.paths) == 1 {
			return model.Ref{Kind: model.KindPath, API: r.api, Name: r.paths[0].Name}
		}
		return model.Ref{Kind: model.KindAPI, Name: r.api}
	}
	function := r.function
	switch n.Kind {
	case graph.Path:
		if len(r.paths) > 1 && !r.heading {
			return keys.NoCmd(t.chart.fold)()
		}
		return t.board.GoTo(path())
	case graph.Caller:
		return t.board.GoToIn("Access", path())
	case graph.Resource:
		if table, is := strings.CutPrefix(n.Name, "table/"); is {
			return t.board.GoTo(model.Ref{Kind: model.KindTable, Name: table})
		}
	case graph.Function:
		function = n.Name
	}
	if function == "" {
		return frame.Say(frame.Info, "it has no tab of its own")
	}
	return t.board.GoTo(model.Ref{Kind: model.KindFunction, Name: function})
}

// call opens the console for a path, as who is at hand.
func (t *Tab) call(r *row) tea.Cmd {
	to := route.Console{Environment: t.board.Wanted(), API: r.api, Path: r.paths[0].Name}
	caller := t.chart.viewer
	if t.chart.at.kind == graph.Caller {
		caller = t.chart.at.caller
	}
	if caller >= 0 {
		p := t.chart.graph.Callers[caller]
		to.Filled.As = answer.PrincipalWord(p)
		for _, action := range access.AllActions {
			if r.paths[0].Allowed[caller].Has(action) && (to.Method == "" || action == access.Read) {
				to.Method = t.board.Snap.Backend.Terms().Methods(action)[0]
			}
		}
	}
	return frame.Go(to)
}

// sum says how many requests there were: the same numbers as in the header and in the tab Requests.
func (t *Tab) sum() prose.Line { return t.board.SumLine() }
