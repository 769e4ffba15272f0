package widget

import (
	"slices"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/viewer"
)

// MatrixLines draws a matrix that is not edited: its mode, a line for each caller, and what
// is worth a look. The rows of all but the viewer are quiet; nil is everybody.
func MatrixLines(t *theme.Theme, data matrix.Matrix, as *viewer.Viewer, w int) []string {
	m := Matrix{data: data, row: -1, Viewer: as}
	g := m.grid(w)
	const enough, few = 24, 14
	if g.words < enough {
		g = g.narrowest(w)
	}
	if g.words < few {
		g.words, g.under = max(1, w-underW), true
	}
	lines := []string{m.headLines(t, g)[0]}
	rows := m.rowLines(t, g, w, false)
	if shown, others := m.alike(); others > 0 {
		rows = append(rows[:shown:shown], m.othersLine(t, g, others))
	}
	lines = append(lines, slices.Concat(rows...)...)
	for _, note := range m.belowLines(t, w, false, false) {
		lines = append(lines, "  "+note)
	}
	return lines
}

// fewAlike is how many groups without an entry are shown one by one where nothing is edited.
const fewAlike = 3

// alike is how many rows come before the last groups that have no entry of their own, and how
// many those are if they are many; they all may do the same.
func (m *Matrix) alike() (shown, others int) {
	rows := m.data.Rows()
	shown = len(rows)
	for shown > 0 && m.data.Inherits(rows[shown-1]) {
		shown--
	}
	if others = len(rows) - shown; others <= fewAlike {
		return len(rows), 0
	}
	return shown, others
}

// othersLine draws one row for several groups without an entry.
func (m *Matrix) othersLine(t *theme.Theme, g matrixGrid, n int) []string {
	rows := m.data.Rows()
	r := rows[len(rows)-1]
	r.Place = 0
	lines := m.rowLine(t, g, r, false)
	name := t.Base.Render(layout.Pad(layout.Cut(phrase.Count(n, "other group"), g.name), g.name))
	lines[0] = "  " + name + layout.After(lines[0], 2+g.name)
	return lines
}
