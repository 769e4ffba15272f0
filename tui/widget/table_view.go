package widget

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// gap is between two columns, pointerW the width of the pointer before the cursor's row.
const (
	gap      = "  "
	pointerW = 2
)

// Draw draws the table in at most h lines of w cells: the filter if there is one, the titles if there is
// room, and the rows around the cursor. focused says that the table has the keys.
func (t *Table[R]) Draw(th *theme.Theme, w, h int, focused bool) []string {
	lines := t.drawAll(th, max(w, 0), h, focused)
	lines = lines[:max(0, min(h, len(lines)))]
	const small = 24 // below it the filter line or a mark may be wider than w
	for i, line := range lines {
		if w < small {
			lines[i] = layout.Cut(line, w)
		}
	}
	return lines
}

func (t *Table[R]) drawAll(th *theme.Theme, w, h int, focused bool) []string {
	var lines []string
	if !t.Framed && (t.Filtering() || t.Searches) {
		lines = []string{""}
		defer func() { lines[0] = t.filterLine(th, w) }() // needs the height of the rows
	}
	if len(t.rows) == 0 {
		text := ""
		if t.Empty != nil {
			text = t.Empty()
		}
		lines = append(lines, Wrapped(th, prose.Muted, text, w)...)
		return lines
	}
	room := max(w-pointerW, 1)
	rowW := t.rowWidth(w)
	widths := t.layOut(rowW)
	low := 5
	if t.Framed {
		low = 3
	}
	if title := t.titles(th, widths, room); title != "" && h-len(lines) > low {
		lines = append(lines, strings.Repeat(" ", pointerW)+title)
	}
	if t.note != "" && h-len(lines) > 1 {
		lines = append(lines, strings.Repeat(" ", pointerW)+th.Warning.Render(layout.Cut(prose.Printable(t.note), room)))
	}
	t.drawn.first, t.drawn.w = len(lines), w
	from, to := t.window(h - len(lines))
	for at := from; at < to; at++ {
		pointer := strings.Repeat(" ", pointerW)
		here := focused && at == t.cursor
		if at == t.cursor {
			pointer = th.BorderFocused.Render("▌ ")
		}
		lines = append(lines, pointer+t.mark(th, t.shown[at], here)+t.draw(th, t.shown[at], here, widths, rowW))
	}
	if len(t.shown) == 0 {
		lines = append(lines, strings.Repeat(" ", pointerW)+th.Muted.Render(layout.Cut(t.emptyText(), room)))
	}
	return lines
}

// emptyText is shown if no row is.
func (t *Table[R]) emptyText() string {
	switch {
	case t.Searches:
		return "nothing matches: backspace edits the filter"
	case t.Filtering():
		return "nothing matches: esc removes the filter"
	}
	return "this order has no rows"
}

// window is the part of shown that is in view in h rows; it contains the cursor.
func (t *Table[R]) window(h int) (from, to int) {
	t.height = max(1, h)
	t.top = min(t.top, t.cursor)
	t.top = max(t.top, t.cursor-t.height+1)
	t.top = max(0, min(t.top, len(t.shown)-t.height))
	return t.top, min(t.top+t.height, len(t.shown))
}

// Span says which rows are in view, such as "3 to 9 of 20".
func (t *Table[R]) Span() string {
	end := min(t.top+t.height, len(t.shown))
	switch {
	case len(t.shown) == 0:
		return ""
	case t.height > 0 && (t.top > 0 || end < len(t.shown)):
		return fmt.Sprintf("%d to %d of %d", t.top+1, end, len(t.shown))
	}
	return fmt.Sprintf("%d of %d", len(t.shown), len(t.rows))
}

func (t *Table[R]) filterLine(th *theme.Theme, w int) string {
	count := t.foundText(w - len("/ ") - layout.Width(t.filter.Value()) - 1)
	if t.Searches && t.height < len(t.shown) {
		count = " " + t.Span()
	}
	room := max(1, w-len("/ ")-len(count))
	return th.Key.Render("/ ") + t.filter.View(th, "type to filter", room, t.Typing()) + th.Muted.Render(count)
}

// titles are the titles of the columns, and the order if it is not the usual one.
func (t *Table[R]) titles(th *theme.Theme, widths []int, w int) string {
	text, style := "", th.Muted
	if t.headingInLegend(w + pointerW) {
		return ""
	}
	if t.Heading != nil {
		line := t.Heading()
		text, style = line.Text, th.Of(line.Tone)
	} else {
		var cells []string
		for i := range t.Columns {
			if widths[i] > 0 {
				cells = append(cells, t.title(i, widths[i]))
			}
		}
		text = strings.TrimRight(strings.Join(cells, gap), " ")
	}
	if order := t.Sorted(); order != "" && !t.Framed {
		order = " by " + order
		text = layout.Pad(layout.Cut(text, max(1, w-layout.Width(order))), w-layout.Width(order))
		return style.Render(text) + th.Note.Render(order)
	}
	if text == "" {
		return ""
	}
	return style.Render(layout.Cut(text, w))
}

// title is the title of a column in w cells: left out where a cut one would say nothing.
func (t *Table[R]) title(i, w int) string {
	const least = 3
	c := t.Columns[i]
	title := c.Title
	if i == 0 {
		switch hidden := t.hiddenText(); {
		case layout.Width(title+hidden) <= w, title == "":
			title = strings.TrimSpace(title + hidden)
		case hidden != "":
			title = layout.Cut(title, max(0, w-layout.Width(hidden))) + hidden
		}
	}
	if layout.Width(title) > w && (c.Brief != nil || w < least) {
		title = ""
	}
	return c.align(title, w)
}

// mark draws the Mark of a row.
func (t *Table[R]) mark(th *theme.Theme, i int, selected bool) string {
	if t.Mark == nil {
		return ""
	}
	mark := t.Mark(t.rows[i])
	text := layout.Pad(mark.Text, 1)
	if selected {
		return th.Selected.Render(text)
	}
	return th.Of(mark.Tone).Render(text)
}

// align cuts or pads text to w cells.
func align(text string, w int) string { return layout.Pad(layout.Cut(text, w), w) }

// align cuts or pads the text of a cell to w cells.
func (c *Column[R]) align(text string, w int) string {
	if c.Right {
		return strings.Repeat(" ", max(0, w-layout.Width(text))) + layout.Cut(text, w)
	}
	return align(text, w)
}

// wholeText is the text of a row without columns; ok is false for other rows.
func (t *Table[R]) wholeText(row R) (line prose.Line, ok bool) {
	if t.Whole == nil {
		return line, false
	}
	return t.Whole(row)
}

// draw draws a row in w cells.
func (t *Table[R]) draw(th *theme.Theme, i int, selected bool, widths []int, w int) string {
	row := t.rows[i]
	style := func(tone prose.Tone) lipgloss.Style {
		if selected {
			return th.Selected
		}
		return th.Of(tone)
	}
	if line, ok := t.wholeText(row); ok {
		text := layout.Cut(line.Text, w)
		switch {
		case selected:
			return t.marked(th, i, th.Selected, layout.Pad(text, w), true)
		case t.matches.has(i):
			return t.marked(th, i, style(line.Tone), text, false)
		case line.Tone == prose.Code:
			return JSON(th, text)
		}
		return Words(th, line.Tone, text)
	}
	var b strings.Builder
	// Adjacent cells of one tone are styled together: styling is the slowest part.
	tone, text := prose.Plain, ""
	add := func(as prose.Tone, more string) {
		if as != tone && text != "" && !selected {
			b.WriteString(t.marked(th, i, style(tone), text, selected))
			text = ""
		}
		tone, text = as, text+more
	}
	first := true
	for n, c := range t.Columns {
		if widths[n] == 0 {
			continue
		}
		if !first {
			text += gap
		}
		first = false
		if t.Field != nil && selected && n == len(t.Columns)-1 {
			if field, placeholder := t.Field(row); field != nil {
				return style(tone).Render(text) + field.View(th, placeholder, w-layout.Width(text), true)
			}
		}
		cell, as := c.Text(row), prose.Plain
		if c.Tone != nil {
			as = c.Tone(row)
		}
		if c.Draw != nil && !selected && as != prose.Fresh {
			if text != "" {
				b.WriteString(t.marked(th, i, style(tone), text, selected))
			}
			b.WriteString(t.drawer.draw(th, c.Draw, drawnCell{n, as, align(cell, widths[n])}))
			text = ""
			continue
		}
		if c.Brief != nil && widths[n] < t.widths[n] && layout.Width(cell) > widths[n] {
			cell = c.Brief(row)
		}
		if c.Middle {
			cell = layout.CutMiddle(cell, widths[n])
		}
		cell = c.align(cell, widths[n])
		if as != prose.Fresh {
			add(as, cell)
			continue
		}
		letters := strings.TrimRight(cell, " ")
		b.WriteString(t.marked(th, i, style(tone), text, selected) + th.Fresh.Render(letters))
		text = cell[len(letters):]
	}
	if selected {
		text = layout.Pad(text, w-layout.Width(b.String()))
	}
	if text != "" {
		b.WriteString(t.marked(th, i, style(tone), text, selected))
	}
	return layout.Cut(b.String(), w)
}
