package widget

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
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
	// initials says that the columns have the first letters of the actions only, under that
	// the words are on lines of their own.
	initials, under bool
}

// roomyWidth is the width of a matrix, in cells, from which on its columns are set further
// apart.
const roomyWidth = 76

// The widths of a line of a matrix: the mark of the cursor, the space before the words, the
// narrowest action, and the indent of words below their row.
const (
	markW     = 2
	gapW      = 2
	placeW    = 3
	initialsW = 4
	underW    = 4
)

// grid divides w cells. Where there is no room for the words, the columns have the first
// letters of the actions; then the names of the callers are cut; last, the words are left
// out. It does not depend on what is allowed, so that nothing moves while that is edited.
func (m *Matrix) grid(w int) matrixGrid {
	const least, most, fewestWords, asSignedIn = 15, 32, 10, 18
	g := matrixGrid{name: least, place: placeW + 1, cell: len("delete") + 1}
	if w >= roomyWidth {
		g.cell++
	}
	for _, r := range m.data.Rows() {
		g.name = min(max(g.name, layout.Width(callerName(r))), most)
	}
	if g.words = g.left(w); g.words >= fewestWords {
		return g
	}
	narrow := g.narrowest(w)
	if narrow.words < fewestWords {
		narrow.name = max(least, narrow.name-(fewestWords-narrow.words))
		narrow = narrow.narrowest(w)
	}
	if narrow.words < fewestWords {
		g.name, g.words = max(least, min(g.name, g.name+g.left(w)+gapW)), 0
		return g
	}
	if spare := narrow.words - asSignedIn; spare >= len(access.AllActions) {
		narrow.cell++
		narrow.words = narrow.left(w)
	}
	return narrow
}

// left is how many of w cells are left for the words.
func (g matrixGrid) left(w int) int {
	return max(0, w-markW-g.name-g.place-g.cell*len(access.AllActions)-gapW)
}

// narrowest is the grid for w cells with narrow columns, which leave more room for the words.
func (g matrixGrid) narrowest(w int) matrixGrid {
	g.cell, g.place, g.initials = initialsW, placeW, true
	g.words = g.left(w)
	return g
}

// callerName is the name of a row: that of a group alone, unless the group is called as
// those who are no group.
func callerName(r matrix.Row) string {
	if r.Who.Kind != access.Group || r.Who.Group == (access.Principal{}).String() ||
		r.Who.Group == (access.Principal{Kind: access.Guest}).String() {
		return r.Who.String()
	}
	return prose.PrintableStart(phrase.Quote(r.Who.Group))
}

// Draw draws the matrix in at most h lines of w cells: the mode, the rows with the cursor
// in view, and below them what the cell at the cursor means and what is worth a look.
func (m *Matrix) Draw(t *theme.Theme, w, h int, focused bool) []string {
	g := m.grid(w)
	rows := m.data.Rows()
	blocks := m.rowLines(t, g, w, focused)
	below := m.belowLines(t, w, focused, g.words == 0)
	head := []string{m.modeLine(t, w, focused)}
	columns := m.headLines(t, g)
	const spare = 2 // the empty lines
	lines := slices.Concat(blocks...)
	at := m.row - 1
	switch least := len(head) + len(lines) + len(below); {
	case h >= least+len(columns)+spare:
		head = append(append(head, ""), columns...)
		below = append([]string{""}, below...)
	case h > least:
		head = append(head, columns[0])
	default:
		// The words that need a second line are in the line below for the row at the cursor.
		head = append(head, columns[0])
		for i, block := range blocks {
			if len(block) > 1 {
				if i == m.row-1 {
					below = m.belowLines(t, w, focused, true)
				}
				blocks[i] = []string{layout.Cut(block[0]+t.Muted.Render("…"), w)}
			}
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
	titles := make([]string, len(access.Settings))
	for i, setting := range access.Settings {
		titles[i] = matrix.ModeTitle(setting)
	}
	on := focused && m.row == modeRow && !m.adding
	mark, label := "  ", t.Muted.Render("mode  ")
	if on {
		mark, label = t.BorderFocused.Render("▌ "), t.Accent.Render("mode  ")
	}
	line := mark + label +
		strings.Join(Choices(t, titles, nil, slices.Index(access.Settings, m.data.Access.Setting), on, w), " ")
	if detail := matrix.ModeDetail(m.data.Access.Setting); layout.Width(line)+layout.Width(detail)+3 <= w {
		line += "   " + t.Muted.Render(detail)
	}
	return layout.Cut(line, w)
}

// headLines are the names of the columns, and the methods of the actions.
func (m *Matrix) headLines(t *theme.Theme, g matrixGrid) []string {
	order := ""
	if len(m.data.Groups) > 0 {
		order = "order"
	}
	names := t.Muted.Render(layout.Pad(fmt.Sprintf("%*s", markW+g.name+placeW, order), markW+g.name+g.place))
	methods := strings.Repeat(" ", markW+g.name+g.place)
	for _, a := range access.AllActions {
		name := a.String()
		if g.initials {
			name = strings.ToUpper(name[:1])
		}
		// The letters of the cells have a bracket after them.
		names += t.Action(a).Render(fmt.Sprintf("%*s ", g.cell-1, name))
		methods += t.Muted.Render(fmt.Sprintf("%*s ", g.cell-1, m.data.Terms.Methods(a)[0]))
	}
	if g.initials {
		return []string{names}
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
	switch {
	case here:
		mark, name = t.BorderFocused.Render("▌ "), t.Accent
	case m.isQuiet(r):
		name = t.Muted
	case m.Viewer != nil:
		name = t.Accent
	}
	line := mark + name.Render(layout.Pad(layout.Cut(callerName(r), g.name), g.name))
	place := ""
	if r.Place > 0 {
		place = fmt.Sprint(r.Place)
	}
	line += t.Muted.Render(layout.Pad(fmt.Sprintf("%*s", placeW, place), g.place))
	for col, a := range access.AllActions {
		line += m.cell(t, g, r, a, here && m.col == col && !m.adding)
	}
	if g.words == 0 {
		return []string{line}
	}
	words, tone := m.words(t, r)
	lines := layout.Wrap(words, g.words)
	if g.under {
		for i, part := range lines {
			lines[i] = strings.Repeat(" ", underW) + tone.Render(part)
		}
		return append([]string{line}, lines...)
	}
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

// words says what a row comes to, with a mark for what is worth a look.
func (m *Matrix) words(t *theme.Theme, r matrix.Row) (string, lipgloss.Style) {
	words := m.data.Words(r)
	switch {
	case r.Gained != 0, m.data.MoreOpen(r):
		return wider + " " + words, t.Wider
	case m.data.BelowUsers(r):
		return "! " + words, t.Warning
	case r.Lost != 0:
		return narrower + " " + words, t.Muted
	}
	return words, t.Muted
}

// isQuiet reports whether a row is not that of the viewer.
func (m *Matrix) isQuiet(r matrix.Row) bool {
	seen, is := m.seen()
	return is && seen.Who != r.Who
}

// cell draws one action of a row, right-aligned, in brackets at the cursor.
func (m *Matrix) cell(t *theme.Theme, g matrixGrid, r matrix.Row, a access.Action, here bool) string {
	letter, style := actionLetter(a, r.Actions, m.data.Inherits(r)), t.Muted
	if r.Actions.Has(a) && !m.isQuiet(r) {
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
// look. cut says that the row at the cursor does not show all its words.
func (m *Matrix) belowLines(t *theme.Theme, w int, focused, cut bool) []string {
	var lines []string
	if m.refused != "" {
		lines = append(lines, Wrapped(t, prose.Bad, "! "+prose.Printable(m.refused), w)...)
	} else if focused {
		lines = append(lines, Wrapped(t, prose.Muted, m.hint(cut), w)...)
	}
	if r, is := m.seen(); is {
		lines = append(lines, Wrapped(t, prose.Strong, prose.PrintableStart(m.Viewer.Name()+" may "+r.Actions.Verb()+
			map[bool]string{true: ", as signed-in users"}[m.data.Inherits(r)]), w)...)
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

// hint says what the line at the cursor means, and the words of its row if they are cut.
func (m *Matrix) hint(cut bool) string {
	r, ok := m.caller()
	switch {
	case m.adding:
		return "names separated by commas; they are added to the user pool, last in its order"
	case m.row == modeRow:
		return matrix.ModeDetail(m.data.Access.Setting) + "; ← → change it"
	case !ok:
		return "enter adds groups to the user pool, several at once"
	}
	action := access.AllActions[m.col]
	text := action.String() + ": " + strings.Join(m.data.Terms.Methods(action), " and ")
	switch path := prose.PrintableStart(phrase.Quote(m.data.Path)); {
	case m.data.Path == "":
	case m.data.Path == access.ProxyPath:
		text += " on everything below /"
	case m.data.TakenBy != "":
		text += " on " + path + " alone, not below it"
	default:
		text += " on " + path + " and below it"
	}
	if cut {
		text = callerName(r) + ": " + m.data.Words(r) + ". " + text
	}
	return text
}
