package livemap

import (
	"maps"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/prose"
	"gatewright/model/graph"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// chart is the map: its rows, the cursor, what is lit, and what travels. It is the table of its tab.
type chart struct {
	graph   *graph.Graph
	callers []string
	// opened are the callers who gained something under a path since the last push, by path and caller.
	opened map[gate]bool
	folds  folds
	// all are the rows, shown those that the filter leaves.
	all, shown []*row
	widths     widths
	// row is where the cursor is, in column at; walked says that a person has moved it, which lights
	// what belongs together. lit is nil while nothing is lit.
	row    int
	at     column
	walked bool
	lit    graph.Lit
	// viewer is the caller as whom one looks; -1 for everybody.
	viewer int

	filter widget.Field
	typing bool
	top    int
	// places are where things stood when the chart was last drawn, height the rows that were in view.
	places places
	height int
	now    func() time.Time
	motion
	// workers, open and used are what the sandbox tells of functions, of calls on their way, and of what
	// functions used; lasted is how long the last call of each took.
	workers map[string]traffic.FunctionState
	open    []traffic.Open
	used    map[useKey][]traffic.UseCounts
	lasted  map[string]time.Duration
	// sum and seen are the words of counts; drawSum draws the first of them. marks are what stands out.
	sum     func() prose.Line
	drawSum func(*theme.Theme, prose.Line) string
	seen    func(function, resource string) string
	marks   *board.Marks
}

// gate is where a caller meets a path.
type gate struct {
	api, path string
	caller    int
}

func newChart(now func() time.Time) *chart {
	return &chart{
		folds: newFolds(), at: column{kind: graph.Path}, viewer: -1, now: now, motion: newMotion(false),
		lasted: make(map[string]time.Duration), marks: &board.Marks{},
	}
}

// show shows another graph; the cursor stays where it was if that is still there.
func (c *chart) show(g *graph.Graph, opened map[gate]bool) {
	first := c.graph == nil
	c.graph, c.opened, c.callers, c.viewer = g, opened, nil, -1
	for _, p := range g.Callers {
		c.callers = append(c.callers, prose.PrintableStart(graph.NameOf(p)))
	}
	c.at.caller = max(0, min(c.at.caller, len(c.callers)-1))
	if first {
		c.foldMany()
	}
	c.arrange()
	if first && len(c.shown) > 1 && c.shown[0].heading {
		c.row = 1
		c.settle()
	}
}

// foldMany folds a map that is too large to be read: prefixes with many paths, else APIs.
func (c *chart) foldMany() {
	const many, most = 40, 120
	paths, groups := 0, make(map[string]int)
	for _, api := range c.graph.APIs {
		paths += len(api.Paths)
		for _, p := range api.Paths {
			groups[groupKey(api.Label, groupOf(p.Name))]++
		}
	}
	if paths <= many {
		return
	}
	for key, n := range groups {
		c.folds.groups[key] = n > 1
	}
	if len(groups) > most && len(c.graph.APIs) > 1 {
		for _, api := range c.graph.APIs {
			c.folds.apis[api.Label] = true
		}
	}
}

// arrange makes the rows again.
func (c *chart) arrange() {
	id := ""
	if r := c.current(); r != nil {
		id = r.id()
	}
	c.all = rowsOf(c.graph, c.folds, c.used)
	c.widths = widthsOf(c.all)
	c.shown = c.filtered()
	if at := slices.IndexFunc(c.shown, func(r *row) bool { return r.id() == id }); at >= 0 {
		c.row = at
	}
	c.settle()
}

// settle keeps the cursor on a row that has something in its column, and lights what it reaches.
func (c *chart) settle() {
	c.row = max(0, min(c.row, len(c.shown)-1))
	if _, ok := c.node(); !ok {
		c.toColumn()
	}
	c.light()
}

// toColumn moves the cursor to a column of its row that has something.
func (c *chart) toColumn() {
	for _, kind := range []graph.Kind{graph.Path, graph.Function, graph.Resource} {
		c.at.kind = kind
		if _, ok := c.node(); ok {
			return
		}
	}
}

func (c *chart) light() {
	c.lit = nil
	switch n, ok := c.node(); {
	case ok && c.walked:
		c.lit = c.reach(n)
	case c.viewer >= 0:
		c.lit = c.graph.Reach(c.graph.CallerNode(c.viewer))
	}
}

// reach is what a node reaches; of paths that are folded together, what each of them does.
func (c *chart) reach(n graph.Node) graph.Lit {
	if r := c.current(); n.Kind == graph.Path && n.Name == "" && r != nil {
		lit := graph.Lit{}
		for _, p := range r.paths {
			maps.Copy(lit, c.graph.Reach(graph.Node{Kind: graph.Path, API: r.api, Name: p.Name}))
		}
		return lit
	}
	return c.graph.Reach(n)
}

// current is the row of the cursor; nil for none.
func (c *chart) current() *row {
	if c.row < 0 || c.row >= len(c.shown) {
		return nil
	}
	return c.shown[c.row]
}

// node is what the cursor is on.
func (c *chart) node() (graph.Node, bool) {
	if r := c.current(); r != nil {
		return r.nodeAt(c.graph, c.at)
	}
	return graph.Node{}, false
}

// filtered are the rows that the filter keeps: what has the words, with the lines between that.
func (c *chart) filtered() []*row {
	words := strings.Fields(strings.ToLower(c.filter.Value()))
	if len(words) == 0 {
		return c.all
	}
	found, unfolded := graph.Lit{}, rowsOf(c.graph, newFolds(), c.used)
	for _, r := range unfolded {
		for _, kind := range []graph.Kind{graph.Path, graph.Function, graph.Resource} {
			n, ok := r.nodeAt(c.graph, column{kind: kind})
			if !ok || n.Name == "" {
				continue
			}
			text := strings.ToLower(n.API + " " + n.Name)
			if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
				maps.Copy(found, c.graph.Reach(n))
			}
		}
	}
	return slices.DeleteFunc(unfolded, func(r *row) bool {
		if r.heading || len(r.paths) > 0 {
			return !r.pathIn(found)
		}
		return r.function != "" && !found[graph.Node{Kind: graph.Function, Name: r.function}] ||
			r.function == "" && r.use != nil && !found[graph.NodeOf(r.use.Resource)]
	})
}

// Legend is what the frame says: the filter, how many requests there were, and which rows are in view.
func (c *chart) Legend(t *theme.Theme, w int) string {
	if c.typing || c.filter.Value() != "" {
		const room, example = 24, "type to filter"
		return t.Key.Render("/ ") + c.filter.View(t, example, min(room, max(1, w-2)), c.typing)
	}
	text := ""
	for _, part := range []prose.Line{c.sum(), {Tone: prose.Muted, Text: c.Span()}} {
		if part.Text == "" {
			continue
		}
		if text != "" {
			part.Text = " · " + part.Text
		}
		if layout.Width(text)+layout.Width(part.Text) > w {
			break
		}
		text += c.drawSum(t, part)
	}
	return text
}
