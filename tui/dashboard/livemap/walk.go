package livemap

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/model/graph"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// columns are the columns of a row that have something, from the left.
func (c *chart) columns(r *row) (all []column) {
	for i := range c.callers {
		all = append(all, column{graph.Caller, i})
	}
	for _, kind := range []graph.Kind{graph.Path, graph.Function, graph.Resource} {
		all = append(all, column{kind, c.at.caller})
	}
	return slices.DeleteFunc(all, func(at column) bool {
		_, ok := r.nodeAt(c.graph, at)
		return !ok
	})
}

// sideways moves the cursor along the edges of its row.
func (c *chart) sideways(by int) {
	r := c.current()
	if r == nil {
		return
	}
	all := c.columns(r)
	switch next := slices.Index(all, c.at) + by; {
	case next >= 0 && next < len(all):
		c.at = all[next]
	case by < 0 && c.row > 0 && !r.named && len(r.paths) == 0 && r.function != "":
		// A function stands in the first of its rows.
		c.at.kind = graph.Function
		for c.row--; c.row > 0 && !c.shown[c.row].named; {
			c.row--
		}
	}
	c.walk()
}

// walk says that a person has moved the cursor.
func (c *chart) walk() {
	c.walked = true
	c.settle()
}

// move moves the cursor to another row that has something in its column, else to any row.
func (c *chart) move(by int) tea.Cmd {
	step, target := 1, max(0, min(c.row+by, len(c.shown)-1))
	if by < 0 {
		step = -1
	}
	c.row = target
	for at := target; at >= 0 && at < len(c.shown); at += step {
		if _, ok := c.shown[at].nodeAt(c.graph, c.at); ok && !c.shown[at].heading {
			c.row = at
			break
		}
	}
	c.walk()
	return nil
}

// whole lets all lights be as they were.
func (c *chart) whole() {
	c.walked = false
	c.light()
}

// fold folds or unfolds the API of a heading, or the paths of a prefix.
func (c *chart) fold() {
	r := c.current()
	if r == nil {
		return
	}
	key, of := groupKey(r.api, r.group), c.folds.groups
	if r.heading {
		key, of = r.api, c.folds.apis
	}
	of[key] = !of[key]
	c.arrange()
	if at := slices.IndexFunc(c.shown, func(o *row) bool {
		return o.heading == r.heading && o.api == r.api && o.group == r.group
	}); at >= 0 {
		c.row = at
	}
	c.settle()
}

// Len is how many rows there are.
func (c *chart) Len() int { return len(c.all) }

// Typing reports whether the filter has the keys.
func (c *chart) Typing() bool { return c.typing }

// Type gives a key or a paste to the filter.
func (c *chart) Type(msg tea.Msg) tea.Cmd {
	before := c.filter.Value()
	if c.filter.Update(msg); c.filter.Value() != before {
		c.top = 0
		c.arrange()
	}
	return nil
}

func (c *chart) unfilter() {
	c.typing = false
	c.filter.SetValue("")
	c.arrange()
}

// Bindings walk, filter and fold.
func (c *chart) Bindings() []keys.Binding {
	if c.typing {
		return append([]keys.Binding{
			keys.Open.Does("keep", "keep the filter and go back to the map", keys.NoCmd(func() { c.typing = false })).Shown(),
			keys.Back.Does("drop", "remove the filter", keys.NoCmd(c.unfilter)).Shown(),
		}, widget.TextKeys()...)
	}
	moving := slices.Insert(widget.Moves("walk", c.height, len(c.shown), c.move), 2, keys.InGroup("walk", []keys.Binding{
		keys.Left.Does("left", "walk towards the callers", keys.NoCmd(func() { c.sideways(-1) })),
		keys.Right.Does("right", "walk towards what is used", keys.NoCmd(func() { c.sideways(1) })),
	})...)
	switch {
	case c.filter.Value() != "":
		drop := keys.Back.Does("drop filter", "remove the filter", keys.NoCmd(c.unfilter)).Shown().In("filter")
		moving = append([]keys.Binding{drop}, moving...)
	case c.walked:
		whole := keys.Back.Does("all", "show everything bright again", keys.NoCmd(c.whole)).Shown().In("walk")
		moving = append([]keys.Binding{whole}, moving...)
	}
	r := c.current()
	return append(moving,
		keys.Filter.Does("filter", "show only what matches every typed word, with the lines between",
			keys.NoCmd(func() { c.typing = true })).Shown().In("filter"),
		keys.Fold.Does("fold", "fold the paths of one prefix or API into a row, or unfold them", keys.NoCmd(c.fold)).Shown().
			Unless(keys.When(c.filter.Value() != "", "a filter unfolds everything"),
				keys.When(r == nil || !r.heading && r.group == "", "there is nothing to fold")).In("filter"))
}

// Wheel moves the cursor.
func (c *chart) Wheel(msg tea.MouseWheelMsg) tea.Cmd {
	if by := widget.WheelSteps(msg); by != 0 {
		return c.move(by)
	}
	return nil
}

// Click moves the cursor to the cell of a row; again reports that it was there.
func (c *chart) Click(x, y int) (cmd tea.Cmd, again bool) {
	at := c.top + y - 1
	if c.typing || y < 1 || y > c.height || at >= len(c.shown) {
		return nil, false
	}
	to := c.columnAt(x)
	if c.row == at && c.at == to {
		return nil, true
	}
	c.row, c.at = at, to
	c.walk()
	return nil, false
}

// columnAt is the column at a cell.
func (c *chart) columnAt(x int) column {
	p := c.places
	at := column{kind: graph.Path, caller: c.at.caller}
	switch {
	case x < p.rail:
		at.kind = graph.Caller
		for i, from := range p.gates {
			if x >= from {
				at.caller = p.first + i
			}
		}
	case x >= p.data:
		at.kind = graph.Resource
	case x >= p.function:
		at.kind = graph.Function
	}
	return at
}

// ShowsAsMuch reports whether a narrower map shows as much: not if it shows fewer callers.
func (c *chart) ShowsAsMuch(w, wider int) bool {
	if w < oneCaller {
		return false
	}
	state := c.workers != nil
	a, b := place(w, c.widths, c.callers, 0, state), place(wider, c.widths, c.callers, 0, state)
	return len(a.gates) == len(b.gates) && a.leftW == b.leftW && a.nameW == b.nameW
}

// Span says which rows are in view.
func (c *chart) Span() string {
	if len(c.shown) == 0 {
		return "nothing"
	}
	if c.top == 0 && c.height >= len(c.shown) {
		return ""
	}
	return fmt.Sprintf("%d to %d of %d", c.top+1, min(c.top+c.height, len(c.shown)), len(c.shown))
}
