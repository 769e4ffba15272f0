package livemap

import (
	"fmt"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model/graph"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Draw draws the map: a line with the titles, and the rows.
func (c *chart) Draw(t *theme.Theme, w, h int, focused bool) []string {
	if c.graph == nil || len(c.shown) == 0 {
		return c.drawEmpty(t, w)
	}
	c.height = max(1, h-1)
	c.top = max(min(c.top, c.row), c.row-c.height+1, 0)
	c.top = min(c.top, max(0, len(c.shown)-c.height))
	caller := c.at.caller
	if c.viewer >= 0 && c.at.kind != graph.Caller {
		caller = c.viewer
	}
	c.places = place(w, c.widths, c.callers, caller, c.workers != nil)
	now := c.now()
	lines := []string{c.titles(w).draw(t)}
	for i := c.top; i < min(c.top+c.height, len(c.shown)); i++ {
		l := newLine(w)
		c.drawRow(l, c.shown[i], i, now, focused && i == c.row)
		lines = append(lines, l.draw(t))
	}
	return lines
}

func (c *chart) drawEmpty(t *theme.Theme, w int) []string {
	text := "no API yet: A designs one in the wizard; or run: gatewright add api"
	if c.graph != nil && len(c.all) > 0 {
		text = "nothing matches these words"
	}
	var lines []string
	for _, line := range layout.Wrap(text, w) {
		lines = append(lines, t.Muted.Render(line))
	}
	return lines
}

// titles is the line above the rows: the names of the callers in view, and what the columns are.
func (c *chart) titles(w int) *line {
	l, p := newLine(w), c.places
	for i, x := range p.gates {
		in := quiet
		if at := p.first + i; c.isLit(c.graph.CallerNode(at)) && (c.walked || c.viewer == at) {
			in = strong
		}
		l.fit(x, gateW(c.callers[p.first+i]), c.callers[p.first+i], in)
	}
	if more := len(c.callers) - len(p.gates); more > 0 && w >= oneCaller {
		l.put(p.rail-1, fmt.Sprintf("%3s", fmt.Sprintf("+%d", more)), quiet)
	}
	title := "path"
	if len(c.graph.APIs) == 1 {
		title += " of " + prose.PrintableStart(c.graph.APIs[0].Label)
	}
	// The line to the functions begins in the rows below: the title may stand above it.
	const arrows = "   ← →"
	room := p.function - p.left - 1
	if w < oneCaller {
		room -= layout.Width(arrows)
	}
	x := l.fit(p.left, room, title, quiet)
	if more := len(c.callers) - len(p.gates); more > 0 && w < oneCaller {
		hint := fmt.Sprintf("   ← → %d callers", len(c.callers))
		if x+layout.Width(hint) >= p.function {
			hint = arrows
		}
		l.put(x, hint, quiet)
	}
	l.put(p.function, "function", quiet)
	l.put(p.data, "uses", quiet)
	return l
}

// isLit reports whether a node is as bright as it can be.
func (c *chart) isLit(n graph.Node) bool { return c.lit == nil || c.lit[n] }

// dim is an ink, or quiet if a part is not lit.
func dim(in ink, lit bool) ink {
	if lit {
		return in
	}
	return faint
}

func (c *chart) drawRow(l *line, r *row, i int, now time.Time, selected bool) {
	p := c.places
	if r.heading {
		c.drawHeading(l, r, selected)
		return
	}
	lit := c.pathLit(r)
	if len(r.paths) > 0 {
		for at, x := range p.gates {
			c.drawGate(l, r, p.first+at, x, lit)
		}
		rail := "╞═"
		if strings.HasPrefix(r.left, nested) {
			rail = "│ "
		}
		l.put(p.rail, rail, dim(quiet, lit))
	}
	in := plain
	switch {
	case len(r.paths) == 0:
		in = quiet
	case c.walked && lit:
		in = strong
	}
	end := l.fit(p.left, p.leftW, r.left, dim(in, lit))
	below := false
	if r.joins && i+1 < len(c.shown) {
		next := c.shown[i+1]
		below = next.left != "" && next.function == r.function
	}
	c.drawEdge(l, r, end, lit, below)
	c.drawGrowth(l, r, end)
	c.drawFunction(l, r, now)
	c.drawUse(l, r)
	for _, t := range c.trips {
		c.drawTrip(l, r, t, now)
	}
	for _, open := range c.open {
		c.drawOpen(l, r, &open, now)
	}
	if selected {
		c.mark(l, r)
	}
}

func (c *chart) drawHeading(l *line, r *row, selected bool) {
	sign := "▾ "
	if c.folds.apis[r.api] {
		sign = "▸ "
		for at, x := range c.places.gates {
			c.drawGate(l, r, c.places.first+at, x, true)
		}
	}
	x := l.put(c.places.rail, sign, quiet)
	end := l.put(x, r.left, head)
	if selected {
		l.over(x, end, chosen)
	}
}

// pathLit reports whether a path of a row is lit, or the cause of one without a path.
func (c *chart) pathLit(r *row) bool {
	if len(r.paths) == 0 {
		return c.isLit(r.node) || r.node == (graph.Node{}) && c.isLit(graph.Node{Kind: graph.Function, Name: r.function})
	}
	return c.lit == nil || r.pathIn(c.lit)
}

// drawGate draws what a caller may do: a letter for each action, a star where only some of several paths
// that are folded together allow it.
func (c *chart) drawGate(l *line, r *row, caller, x int, lit bool) {
	all, some := r.allowed(caller)
	lit = lit && c.isLit(c.graph.CallerNode(caller)) && (c.viewer < 0 || c.viewer == caller)
	l.letters(x, all, some, lit)
	for _, p := range r.paths {
		if !c.marks.None() && c.marks.Or(lettersAt(r.api, p.Name, c.graph.Callers[caller].String()), 0) == prose.Fresh {
			l.over(x, x+lettersW, fresh)
		}
		if c.opened[gate{r.api, p.Name, caller}] {
			l.put(x+lettersW, "▲", opened)
		}
	}
}

// drawEdge draws the line from a path to its function, which stands in this row or above. below says that the
// row below comes from a path or a cause of the same function, too.
func (c *chart) drawEdge(l *line, r *row, from int, lit, below bool) {
	p := c.places
	if r.function == "" {
		if r.note != "" {
			x := l.put(from+1, strings.Repeat("─", max(1, p.function-from-3))+"▶", dim(quiet, lit))
			l.put(x+1, r.note, dim(quiet, lit))
		}
		return
	}
	if len(r.paths) == 0 && r.left == "" {
		return
	}
	dash, in := "─", dim(quiet, lit)
	if len(r.paths) == 0 {
		dash = "╌"
	}
	join := p.function - 4
	l.put(from+1, strings.Repeat(dash, max(0, join-from-1)), in)
	c.drawFlow(l, r, from+1, join)
	end := "┘"
	switch {
	case r.named && below:
		end = "┬─▶"
	case r.named:
		end = dash + dash + "▶"
	case below:
		end = "┤"
	}
	l.put(join, end, in)
}

// drawFunction draws a function with the state of its workers.
func (c *chart) drawFunction(l *line, r *row, now time.Time) {
	if !r.named {
		return
	}
	p, lit := c.places, c.isLit(graph.Node{Kind: graph.Function, Name: r.function})
	in := plain
	if c.walked && lit {
		in = strong
	}
	switch {
	case c.graph.Missing[r.function]:
		in = bad
	case r.again:
		in = quiet
	}
	x := l.put(p.function, widget.FunctionSign+" ", dim(quiet, lit))
	l.fit(x, p.nameW, prose.PrintableStart(r.function), dim(in, lit))
	x += p.nameW + 1
	if r.again {
		l.put(x, "↑", dim(quiet, lit))
		return
	}
	c.drawState(l, x, r.function, lit, now)
}

// drawState draws how long the last call took, and a bar for each worker: full if it is busy.
func (c *chart) drawState(l *line, x int, function string, lit bool, now time.Time) {
	s, known := c.workers[function]
	if !known {
		return
	}
	if n := c.flow(key{name: function}, now); n > 0 {
		x = l.put(x, fmt.Sprintf("%d/s ", n), dim(strong, lit))
	} else if took := c.lasted[function]; took > 0 {
		x = l.put(x, clock.Took(took)+" ", dim(quiet, lit))
	}
	end := c.places.wire - 1
	bar := func(n int, text string, in ink) {
		for range n {
			if x < end {
				x = l.put(x, text, in)
			}
		}
	}
	bar(s.Busy, "▮", dim(good, lit))
	bar(s.Idle, "▯", dim(quiet, lit))
	bar(s.Starting, "◌", dim(warn, lit))
	switch {
	case s.Fault != "":
		l.put(x, "! fails", bad)
	case s.Waiting > 0:
		l.put(x, fmt.Sprintf("+%d", s.Waiting), warn)
	case s.Busy+s.Idle+s.Starting == 0:
		l.put(x, "cold", dim(quiet, lit))
	}
}

// drawUse draws what a function uses: what it may do there, and what it did.
func (c *chart) drawUse(l *line, r *row) {
	p := c.places
	if r.use == nil {
		if r.note != "" && r.function != "" {
			l.put(p.wire, "╌╌▶ "+r.note, dim(quiet, c.isLit(graph.Node{Kind: graph.Function, Name: r.function})))
		}
		return
	}
	node := graph.NodeOf(r.use.Resource)
	lit := c.isLit(node) && (r.function == "" || c.isLit(graph.Node{Kind: graph.Function, Name: r.function}))
	dash := "─"
	if !r.use.Certain {
		dash = "╌"
	}
	if r.function != "" {
		begin := "├"
		switch {
		case r.named && r.ends:
			begin = dash
		case r.named:
			begin = "┬"
		case r.ends:
			begin = "└"
		}
		l.put(p.wire, begin+dash+"▶", dim(quiet, lit))
	}
	kind, name, found := strings.Cut(r.use.Resource, "/")
	switch {
	case !found:
		name = kind
	case kind != "table" && kind != "function":
		name = kind + " " + name
	}
	in := plain
	if c.walked && c.isLit(node) {
		in = strong
	}
	x := l.put(p.data, widget.ResourceSign(r.use.Resource)+" ", dim(quiet, lit))
	room := p.w - x
	seen := c.seen(r.function, r.use.Resource)
	named := max(6, min(layout.Width(name), room-lettersW-2-layout.Width(seen)))
	x = l.fit(x, min(named, room), prose.PrintableStart(name), dim(in, lit)) + 1
	if r.use.Actions != 0 && kind != "function" && x+lettersW <= p.w {
		l.letters(x, r.use.Actions, r.use.Actions, lit)
		x += lettersW
		if !r.use.Certain {
			x = l.put(x, "?", dim(warn, lit))
		}
		x++
	}
	c.drawUsed(l, x, layout.Cut(seen, max(0, p.w-x)), r, dim(quiet, lit))
}

// mark marks what the cursor is on.
func (c *chart) mark(l *line, r *row) {
	p := c.places
	switch c.at.kind {
	case graph.Caller:
		if at := c.at.caller - p.first; at >= 0 && at < len(p.gates) {
			l.over(p.gates[at], p.gates[at]+lettersW, chosen)
		}
	case graph.Path, graph.Cause:
		l.over(p.left, p.left+min(p.leftW, layout.Width(r.left)), chosen)
	case graph.Function:
		l.over(p.function, p.function+signW+min(p.nameW, layout.Width(r.function)), chosen)
	case graph.Resource:
		l.over(p.data, p.w, chosen)
		for x := p.w - 1; x > p.data && l.runes[x] == ' '; x-- {
			l.inks[x] = plain
		}
	}
}
