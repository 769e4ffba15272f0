package widget

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/flow/matrix"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// wider and narrower mark what is more and what is less than before.
const (
	wider    = "▲"
	narrower = "▼"
)

// matrixGrid is where the columns of a matrix are.
type matrixGrid struct {
	// name, place and cell are the widths of the caller, its place in the order of
	// precedence, and of one action; words is that of the words at the end, or 0.
	name, place, cell, words int
	// initials says that the columns have the first letters of the actions only.
	initials bool
}

// roomyWidth is the width of a matrix, in cells, from which on its columns are set further
// apart.
const roomyWidth = 76

// grid divides w cells. The words are left out first, then the names of the callers are cut.
func (m *Matrix) grid(w int) matrixGrid {
	const mark, least, most, fewestWords, gap = 2, 15, 32, 10, 2
	g := matrixGrid{cell: len("delete") + 1, place: 3}
	if w >= roomyWidth {
		g.cell++
	}
	if len(m.data.Groups) == 0 {
		g.place = 0
	}
	longest, words := least, 0
	for _, r := range m.data.Rows() {
		longest = max(longest, layout.Width(callerName(r)))
		words = max(words, layout.Width(m.data.Words(r)))
	}
	cells := g.cell * len(model.AllActions)
	room := w - mark - g.place - cells
	g.name = max(least, min(longest, most, room))
	if left := room - g.name - gap; left >= min(words, fewestWords) {
		g.words = left
	}
	return g
}

// narrowest is the grid for w cells with narrow columns, which leave more room for the words.
func (g matrixGrid) narrowest(w int) matrixGrid {
	const mark, cell, gap = 2, 4, 2
	g.cell, g.initials = cell, true
	g.words = max(0, w-mark-g.name-g.place-cell*len(model.AllActions)-gap)
	return g
}

// callerName is the name of a row: that of a group alone.
func callerName(r matrix.Row) string {
	if r.Who.Kind == model.Group {
		return prose.PrintableStart(model.Quote(r.Who.Group))
	}
	return r.Who.String()
}

// Draw draws the matrix in at most h lines of w cells: the mode, the rows with the cursor
// in view, and below them what the cell at the cursor means and what is worth a look.
func (m *Matrix) Draw(t *theme.Theme, w, h int, focused bool) []string {
	g := m.grid(w)
	rows := m.data.Rows()
	blocks := m.rowLines(t, g, w, focused)
	below := m.belowLines(t, g, w, focused)
	head := []string{m.modeLine(t, w, focused)}
	columns := m.headLines(t, g)
	const spare = 2 // the empty lines
	lines := slices.Concat(blocks...)
	at := m.row - 1
	if roomy := h >= len(head)+len(columns)+len(lines)+len(below)+spare; roomy {
		head = append(append(head, ""), columns...)
		below = append([]string{""}, below...)
	} else {
		// The words that need a second line are in the line below for the row at the cursor.
		head = append(head, columns[0])
		for i, block := range blocks {
			blocks[i] = block[:1]
		}
		lines = slices.Concat(blocks...)
	}
	for i := range max(0, min(m.row-1, len(rows))) {
		at += len(blocks[i]) - 1
	}
	// The rows keep what the rest leaves, but never less than a few.
	const fewest = 3
	room := h - len(head)
	if len(lines)+len(below) > room {
		left := max(min(len(below), 1), min(len(below), room-len(lines)))
		if left > 0 && left < len(below) {
			below[left-1] = layout.Cut(below[left-1]+" "+strings.TrimSpace(below[left]), w)
		}
		below = below[:left]
	}
	room = max(fewest, room-len(below))
	return slices.Concat(head, Window(t, lines, max(0, at), room), below)
}

func (m *Matrix) modeLine(t *theme.Theme, w int, focused bool) string {
	titles := make([]string, len(model.Settings))
	for i, setting := range model.Settings {
		titles[i] = matrix.ModeTitle(setting)
	}
	on := focused && m.row == modeRow && !m.adding
	mark, label := "  ", t.Muted.Render("mode  ")
	if on {
		mark, label = t.BorderFocused.Render("▌ "), t.Accent.Render("mode  ")
	}
	line := mark + label + strings.Join(Choices(t, titles, nil, slices.Index(model.Settings, m.data.Access.Setting), on, w), " ")
	if detail := matrix.ModeDetail(m.data.Access.Setting); layout.Width(line)+layout.Width(detail)+3 <= w {
		line += "   " + t.Muted.Render(detail)
	}
	return layout.Cut(line, w)
}

// headLines are the names of the columns, and the methods of the actions.
func (m *Matrix) headLines(t *theme.Theme, g matrixGrid) []string {
	order := ""
	if g.place > 0 {
		order = "order"
	}
	names := t.Muted.Render(fmt.Sprintf("%*s", 2+g.name+g.place, order))
	methods := strings.Repeat(" ", 2+g.name+g.place)
	for _, a := range model.AllActions {
		name := a.String()
		if g.initials {
			name = strings.ToUpper(name[:1]) + " "
		}
		names += t.Action(a).Render(fmt.Sprintf("%*s", g.cell, name))
		methods += t.Muted.Render(fmt.Sprintf("%*s", g.cell, a.Methods()[0]))
	}
	return []string{names, methods}
}

// rowLines draws the rows, each in one line or more, and the line that adds groups.
func (m *Matrix) rowLines(t *theme.Theme, g matrixGrid, w int, focused bool) [][]string {
	var lines [][]string
	for i, r := range m.data.Rows() {
		lines = append(lines, m.rowLine(t, g, r, focused && m.row == i+1))
	}
	if m.Change == nil {
		return lines
	}
	add := func(line string) { lines = append(lines, []string{layout.Cut(line, w)}) }
	on := focused && m.row == m.addRow()
	switch {
	case m.adding:
		const hint = "such as Admins, Editors"
		add(t.BorderFocused.Render("▌ ") + t.Accent.Render("+ groups ") + m.input.View(t, hint, max(1, min(40, w-12)), true))
	case m.data.Fixed != "":
	case on:
		add(t.BorderFocused.Render("▌ ") + t.Selected.Render("+ add groups"))
	default:
		add("  " + t.Muted.Render("+ add groups"))
	}
	return lines
}

// rowLine draws the row of a caller, with more lines for words that need them. Letters stand
// where something is allowed, small ones where it is allowed as to signed-in users.
func (m *Matrix) rowLine(t *theme.Theme, g matrixGrid, r matrix.Row, here bool) []string {
	mark, name := "  ", t.Base
	if here {
		mark, name = t.BorderFocused.Render("▌ "), t.Accent
	}
	line := mark + name.Render(layout.Pad(layout.Cut(callerName(r), g.name), g.name))
	if g.place > 0 {
		place := ""
		if r.Place > 0 {
			place = fmt.Sprint(r.Place)
		}
		line += t.Muted.Render(fmt.Sprintf("%*s", g.place, place))
	}
	for col, a := range model.AllActions {
		line += m.cell(t, g, r, a, here && m.col == col && !m.adding)
	}
	if g.words == 0 {
		return []string{line}
	}
	words, tone := m.data.Words(r), t.Muted
	switch {
	case r.Gained != 0, m.data.MoreOpen(r):
		words, tone = wider+" "+words, t.Wider
	case m.data.BelowUsers(r):
		words, tone = "! "+words, t.Warning
	case r.Lost != 0:
		words = narrower + " " + words
	}
	lines := layout.Wrap(words, g.words)
	indent := strings.Repeat(" ", layout.Width(line))
	for i, part := range lines {
		begin := indent
		if i == 0 {
			begin = line
		}
		lines[i] = begin + "  " + tone.Render(part)
	}
	return lines
}

// cell draws one action of a row, right-aligned, in brackets at the cursor.
func (m *Matrix) cell(t *theme.Theme, g matrixGrid, r matrix.Row, a model.Action, here bool) string {
	letter, style := actionLetter(a, r.Actions, m.data.Inherits(r)), t.Muted
	if r.Actions.Has(a) {
		style = t.Action(a).Bold(!m.data.Inherits(r))
	}
	change := " "
	switch {
	case r.Gained.Has(a):
		change = t.Wider.Render(wider)
	case r.Lost.Has(a):
		change = t.Muted.Render(narrower)
	}
	text := change + " " + style.Render(letter) + " "
	if here {
		text = change + t.Selected.Render("["+letter+"]")
	}
	const drawn = 4
	return strings.Repeat(" ", g.cell-drawn) + text
}

// belowLines say what the line at the cursor means, what was refused, and what is worth a
// look.
func (m *Matrix) belowLines(t *theme.Theme, g matrixGrid, w int, focused bool) []string {
	var lines []string
	if m.refused != "" {
		lines = append(lines, Wrapped(t, prose.Bad, "! "+prose.Printable(m.refused), w)...)
	} else if focused {
		lines = append(lines, Wrapped(t, prose.Muted, m.hint(g), w)...)
	}
	for _, fault := range m.data.Faults() {
		lines = append(lines, Wrapped(t, prose.Bad, "! "+prose.Printable(fault.Err.Error()), w)...)
	}
	for _, note := range m.data.Notes() {
		for i, line := range Wrapped(t, note.Tone, prose.PrintableStart(note.Text), w-2) {
			if i > 0 {
				line = "  " + line
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// hint says what the line at the cursor means.
func (m *Matrix) hint(g matrixGrid) string {
	r, ok := m.caller()
	switch {
	case m.adding:
		return "names separated by commas; they are added to the user pool, last in its order"
	case m.row == modeRow:
		return matrix.ModeDetail(m.data.Access.Setting) + "; ← → change it"
	case !ok:
		return "enter adds groups to the user pool, several at once"
	}
	action := model.AllActions[m.col]
	text := action.String() + ": " + strings.Join(action.Methods(), " and ")
	if m.data.Path != "" {
		text += " on " + prose.PrintableStart(model.Quote(m.data.Path)) + " and below it"
	}
	if words := m.data.Words(r); g.words < layout.Width(words)+2 {
		text = callerName(r) + ": " + words + ". " + text
	}
	return text
}
