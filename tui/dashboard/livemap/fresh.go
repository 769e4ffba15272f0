package livemap

import (
	"time"

	"gatewright/model/graph"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// The lists of the map: the letters, and the counts of uses.
const (
	lettersList = "letters"
	usesList    = "uses"
)

// lettersAt are the letters of a caller under a path; without a caller the path itself.
func lettersAt(api, path, who string) board.Cell {
	return board.Cell{List: lettersList, Row: api + path, Column: who}
}

// usesAt are the counts of a use.
func usesAt(function, resource string) board.Cell {
	return board.Cell{List: usesList, Row: board.TextsOf(function, resource)}
}

// lettersOf are the letters of a graph in an environment.
func lettersOf(g *graph.Graph, environment string) board.Texts {
	all := board.Texts{Scope: environment, Rows: make(map[string]string)}
	for _, who := range g.Callers {
		all.Columns = append(all.Columns, who.String())
	}
	for _, api := range g.APIs {
		for _, p := range api.Paths {
			texts := make([]string, len(p.Allowed))
			for i, actions := range p.Allowed {
				texts[i] = widget.Letters(actions, false)
			}
			all.Rows[lettersAt(api.Label, p.Name, "").Row] = board.TextsOf(texts...)
		}
	}
	return all
}

// grown is how far the line of a path is that was just added, up to 1.
func (c *chart) grown(r *row) float64 {
	// growing is how long it takes from the callers to the function.
	const growing = 400 * time.Millisecond
	if c.marks.None() || len(r.paths) != 1 {
		return 1
	}
	age, _, is := c.marks.Changed(lettersAt(r.api, r.paths[0].Name, ""))
	if !is {
		return 1
	}
	return min(1, float64(age)/float64(growing))
}

// drawGrowth leaves out what the line of a path that was added has not yet reached, around the name of the path,
// which ends in cell end.
func (c *chart) drawGrowth(l *line, r *row, end int) {
	p, share := c.places, c.grown(r)
	reached := p.rail + int(share*float64(p.function-p.rail))
	for x := p.rail; x < p.function && share < 1; x++ {
		switch {
		case p.left <= x && x < end:
		case x < reached:
			l.inks[x] = strong
		default:
			l.put(x, " ", plain)
		}
	}
}

// drawUsed draws the counts of a use; the digits that have just changed stand out.
func (c *chart) drawUsed(l *line, x int, text string, r *row, in ink) {
	end := l.put(x, text, in)
	if _, was, is := c.marks.Changed(usesAt(r.function, r.use.Resource)); is {
		for _, at := range board.NewDigits(was, text) {
			l.over(x+at, min(x+at+1, end), fresh)
		}
	}
}
