package widget

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Outline shows a text of titles and JSON that folds, with a cursor and a search. A title folds its part, and
// a line of JSON that opens an object or an array folds that. The zero value is empty.
type Outline struct {
	lines []prose.Line
	// ends are the last lines of the folds that begin at a line; 0 for none.
	ends   []int
	folded []bool
	// rows are the lines that are not folded away, wrapped for width.
	rows  []outlineRow
	width int
	// cursor and top are indexes of rows; view is the height as last drawn.
	cursor, top, view int
	// sought is the text of the search in lower case, found the lines that have it.
	sought string
	found  []int
}

// outlineRow is a part of a line that fits the width.
type outlineRow struct {
	line int
	text string
}

// Show replaces the text by printable lines, and goes to its beginning. A search goes on.
func (o *Outline) Show(lines []prose.Line) {
	sought := o.sought
	*o = Outline{lines: lines, ends: foldsOf(lines), folded: make([]bool, len(lines)), view: o.view}
	o.seek(sought)
}

// foldsOf finds where the folds of lines end. JSON is indented, so a bracket ends at the next
// line of its indentation.
func foldsOf(lines []prose.Line) []int {
	ends := make([]int, len(lines))
	title := -1
	endTitle := func(at int) {
		if title >= 0 && at-1 > title {
			ends[title] = at - 1
		}
	}
	var open []int
	for i, line := range lines {
		switch {
		case line.Tone == prose.Title:
			endTitle(i)
			title, open = i, nil
		case line.Tone != prose.Code:
			open = nil
		case strings.HasSuffix(line.Text, "{") || strings.HasSuffix(line.Text, "["):
			open = append(open, i)
		case len(open) > 0 && strings.IndexAny(strings.TrimLeft(line.Text, " "), "}]") == 0:
			ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	endTitle(len(lines))
	return ends
}

// Lines are all lines.
func (o *Outline) Lines() []prose.Line { return o.lines }

// Line is the index of the line at the cursor; -1 if there is none.
func (o *Outline) Line() int {
	if o.layOut(max(o.width, 1)); o.cursor < len(o.rows) {
		return o.rows[o.cursor].line
	}
	return -1
}

// Range is the lines that belong to the line at the cursor: itself, and what it folds.
func (o *Outline) Range() (from, to int) {
	from = o.Line()
	if from < 0 {
		return 0, 0
	}
	return from, max(from, o.ends[from]) + 1
}

// layOut makes the rows for a width unless they are there.
func (o *Outline) layOut(w int) {
	if o.width == w && o.rows != nil {
		return
	}
	line := -1
	if o.cursor < len(o.rows) {
		line = o.rows[o.cursor].line
	}
	o.width, o.rows = w, []outlineRow{}
	for i := 0; i < len(o.lines); i++ {
		if i == line {
			o.cursor = len(o.rows)
		}
		text := o.lines[i].Text
		if o.folded[i] {
			text += fmt.Sprintf(" … %s", phrase.Count(o.ends[i]-i, "line"))
		}
		if len(text) <= w {
			o.rows = append(o.rows, outlineRow{i, text})
		} else {
			for _, part := range layout.Wrap(text, w) {
				o.rows = append(o.rows, outlineRow{i, part})
			}
		}
		if o.folded[i] {
			i = o.ends[i]
		}
	}
	o.cursor = min(o.cursor, max(0, len(o.rows)-1))
}

// Draw draws the part in view in at most h lines of w cells. The cursor is drawn if focused.
func (o *Outline) Draw(t *theme.Theme, w, h int, focused bool) []string {
	const gutter = 2
	o.layOut(max(w-gutter, 1))
	o.view = max(h, 1)
	o.keepInView()
	var drawn []string
	for i := o.top; i < min(o.top+o.view, len(o.rows)); i++ {
		row := o.rows[i]
		mark := "  "
		if focused && i == o.cursor {
			mark = t.Accent.Render("▌") + " "
		}
		drawn = append(drawn, mark+o.drawRow(t, row))
	}
	return drawn
}

// drawRow draws a row, with what was searched for in it.
func (o *Outline) drawRow(t *theme.Theme, row outlineRow) string {
	tone := o.lines[row.line].Tone
	low := ""
	if o.sought != "" {
		low = lower(row.text)
	}
	if o.sought == "" || !strings.Contains(low, o.sought) {
		if row.text == "" {
			return ""
		}
		return Words(t, tone, row.text)
	}
	var b strings.Builder
	text := row.text
	for text != "" {
		at := strings.Index(low, o.sought)
		if at < 0 {
			b.WriteString(Words(t, tone, text))
			break
		}
		from, to := wholeClusters(text, at, at+len(o.sought))
		if from > 0 {
			b.WriteString(Words(t, tone, text[:from]))
		}
		b.WriteString(t.Match.Render(text[from:to]))
		text, low = text[to:], low[to:]
	}
	return b.String()
}

// keepInView moves the view to the cursor.
func (o *Outline) keepInView() {
	o.top = max(0, min(o.top, len(o.rows)-o.view))
	o.top = max(min(o.top, o.cursor), o.cursor-o.view+1)
}

// Position says which lines are in view; "" if all are.
func (o *Outline) Position() string {
	if len(o.rows) <= o.view {
		return ""
	}
	return fmt.Sprintf("%d to %d of %d lines", o.top+1, min(o.top+o.view, len(o.rows)), len(o.rows))
}

// move moves the cursor by rows.
func (o *Outline) move(by int) {
	o.layOut(max(o.width, 1))
	o.cursor = max(0, min(o.cursor+by, len(o.rows)-1))
}

// scroll moves the view and the cursor by rows.
func (o *Outline) scroll(by int) {
	o.layOut(max(o.width, 1))
	last := max(0, len(o.rows)-o.view)
	o.top = max(0, min(o.top+by, last))
	o.move(by)
	o.cursor = max(o.top, min(o.cursor, o.top+o.view-1, max(0, len(o.rows)-1)))
}

// Fold folds what the line at the cursor begins, or the smallest fold around it, and unfolds
// what is folded.
func (o *Outline) Fold() {
	at := o.Line()
	if at < 0 {
		return
	}
	if o.ends[at] == 0 {
		at = o.around(at)
	}
	if at < 0 {
		return
	}
	o.folded[at] = !o.folded[at]
	o.again(at)
}

// around is the smallest fold around a line; -1 if there is none.
func (o *Outline) around(line int) int {
	for i := line - 1; i >= 0; i-- {
		if o.ends[i] >= line {
			return i
		}
	}
	return -1
}

// again makes the rows again, with the cursor on a line.
func (o *Outline) again(line int) {
	w := o.width
	o.rows, o.width = nil, 0
	o.layOut(max(w, 1))
	o.cursor = max(0, slices.IndexFunc(o.rows, func(r outlineRow) bool { return r.line >= line }))
}

// Search searches for a text, whatever its case, and goes to the first line from the cursor on
// that has it. It returns how many lines have it.
func (o *Outline) Search(text string) int {
	o.seek(text)
	if at := o.Line(); len(o.found) > 0 {
		i := slices.IndexFunc(o.found, func(line int) bool { return line >= at })
		o.to(o.found[max(0, i)])
	}
	return len(o.found)
}

// seek finds the lines with a text.
func (o *Outline) seek(text string) {
	o.sought, o.found = lower(text), nil
	if text == "" {
		return
	}
	for i, line := range o.lines {
		if strings.Contains(lower(line.Text), o.sought) {
			o.found = append(o.found, i)
		}
	}
}

// to moves the cursor to a line, and unfolds what is around it.
func (o *Outline) to(line int) {
	for i := range line {
		if o.ends[i] >= line {
			o.folded[i] = false
		}
	}
	o.again(line)
}

// next goes to the next line that the search found, or without a search to the next title; to
// the one before if by is negative.
func (o *Outline) next(by int) {
	stops := o.found
	if o.sought == "" {
		for i, line := range o.lines {
			if line.Tone == prose.Title {
				stops = append(stops, i)
			}
		}
	}
	at := o.Line()
	if by > 0 {
		if i := slices.IndexFunc(stops, func(line int) bool { return line > at }); i >= 0 {
			o.to(stops[i])
			o.top = o.cursor
		}
		return
	}
	for _, line := range slices.Backward(stops) {
		if line < at {
			o.to(line)
			o.top = o.cursor
			return
		}
	}
}

// Found says how many lines the search found, and at which of them the cursor is; "" without
// a search.
func (o *Outline) Found() string {
	if o.sought == "" {
		return ""
	}
	if i := slices.Index(o.found, o.Line()); i >= 0 {
		return fmt.Sprintf("match %d of %d", i+1, len(o.found))
	}
	return phrase.Count(len(o.found), "matching line")
}

// Bindings move, fold, and go from match to match or from part to part.
func (o *Outline) Bindings() []keys.Binding {
	by := func(rows int) func() tea.Cmd { return keys.NoCmd(func() { o.move(rows) }) }
	scroll := func(rows int) func() tea.Cmd { return keys.NoCmd(func() { o.scroll(rows) }) }
	end := len(o.rows)
	more := end > o.view
	page := max(1, o.view)
	return keys.InGroup("move", []keys.Binding{
		keys.Down.Does("down", "move down in the text", by(1)).ShownIf(more),
		keys.Up.Does("up", "move up in the text", by(-1)),
		keys.PageDown.Does("page", "move a page down", scroll(page)),
		keys.PageUp.Does("page up", "move a page up", scroll(-page)),
		keys.HalfDown.Does("half down", "move half a page down", scroll((page+1)/2)),
		keys.HalfUp.Does("half up", "move half a page up", scroll(-(page+1)/2)),
		keys.First.Does("top", "go to the beginning", by(-end)),
		keys.Last.Does("end", "go to the end", by(end)),
		keys.NextMatch.Does("next", "go to the next match, or without a search to the next part",
			keys.NoCmd(func() { o.next(1) })).ShownIf(o.sought != ""),
		keys.PriorMatch.Does("previous", "go to the previous match or part", keys.NoCmd(func() { o.next(-1) })),
	})
}

// Wheel scrolls by a few rows.
func (o *Outline) Wheel(msg tea.MouseWheelMsg) { o.scroll(WheelSteps(msg)) }

// Click moves the cursor to the row y of the part in view.
func (o *Outline) Click(y int) {
	if at := o.top + y; y >= 0 && at < len(o.rows) {
		o.cursor = at
	}
}
