package widget

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Legend is what the frame of a pane says about the rows of a Framed table, in at most w cells: the filter,
// or the heading, the order and how many rows there are. It is drawn after Draw.
func (t *Table[R]) Legend(th *theme.Theme, w int) string {
	switch {
	case t.Filtering():
		return t.filterLegend(th, w)
	case len(t.rows) == 0:
		return ""
	}
	var parts []prose.Line
	if t.Lead != nil && t.Lead().Text != "" {
		parts = append(parts, t.Lead())
	}
	if t.headingInLegend(t.drawn.w) {
		heading := t.Heading()
		if heading.Tone == prose.Plain {
			heading.Tone = prose.Muted
		}
		parts = append(parts, heading)
	}
	if order := t.Sorted(); order != "" {
		parts = append(parts, prose.Line{Tone: prose.Note, Text: "by " + order})
	}
	parts = append(parts, prose.Line{Tone: prose.Muted, Text: t.countText()})
	const between = " · "
	legend, used := "", 0
	for _, part := range parts {
		text := part.Text
		if used > 0 {
			text = between + text
		}
		if used+layout.Width(text) > w {
			break
		}
		used += layout.Width(text)
		legend += th.Of(part.Tone).Render(text)
	}
	return legend
}

// filterLegend draws the filter, and how many rows it leaves.
func (t *Table[R]) filterLegend(th *theme.Theme, w int) string {
	const example = "type to filter"
	count := t.foundText(w - len("/ ") - layout.Width(t.filter.Value()) - 1)
	field := layout.Width(t.filter.Value()) + 1 // the cursor
	if t.Typing() {
		field = max(field, len(example))
	}
	field = max(1, min(field, w-len("/ ")-len(count)))
	legend := th.Key.Render("/ ") + t.filter.View(th, example, field, t.Typing()) + th.Muted.Render(count)
	if t.Lead != nil {
		lead := t.Lead()
		if text := " · " + lead.Text; lead.Text != "" && layout.Width(legend)+layout.Width(text) <= w {
			legend += th.Of(lead.Tone).Render(text)
		}
	}
	return legend
}

// foundText says how many rows the filter leaves, in w cells if it can.
func (t *Table[R]) foundText(w int) string {
	if t.Looked != nil && strings.TrimSpace(t.filter.Value()) != "" {
		if text, short := t.Looked(); text != "" {
			if layout.Width(text) >= w {
				text = short
			}
			return " " + text
		}
	}
	return fmt.Sprintf(" %d of %d", len(t.shown), len(t.rows))
}

// countText says what the rows are, or which of them are in view.
func (t *Table[R]) countText() string {
	switch {
	case len(t.shown) == 0:
		return "no row"
	case t.top > 0 || t.top+t.height < len(t.shown):
		return t.Span()
	case t.sum != "":
		return t.sum
	}
	return phrase.Count(len(t.shown), "row")
}

// headingInLegend reports whether the frame around a table of w cells has room for its
// heading.
func (t *Table[R]) headingInLegend(w int) bool {
	const others = 28 // the title of the pane, and the number of rows
	return t.Framed && t.Heading != nil && layout.Width(t.Heading().Text) <= w-others
}

// cellDrawer keeps the cells that Column.Draw has drawn, because styling is the slowest part
// of drawing, and such cells have few different texts.
type cellDrawer struct {
	theme *theme.Theme
	drawn map[drawnCell]string
}

// drawnCell is a cell: its column, its tone and its text.
type drawnCell struct {
	column int
	tone   prose.Tone
	text   string
}

// draw draws a cell, or takes it from the cells drawn before.
func (d *cellDrawer) draw(th *theme.Theme, draw func(*theme.Theme, prose.Tone, string) string, of drawnCell) string {
	const most = 2000
	if d.theme != th || len(d.drawn) > most {
		d.theme, d.drawn = th, make(map[drawnCell]string)
	}
	cell, known := d.drawn[of]
	if !known {
		cell = draw(th, of.tone, of.text)
		d.drawn[of] = cell
	}
	return cell
}
