package wizard

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// cursorMark is before the line that the keys act on; no other line has it.
const cursorMark = "▌ "

// draw draws the fields in lines of w cells; focus is the line of the cursor. Fields are
// set apart by empty lines if they fit in h lines.
func (f *form) draw(t *theme.Theme, w, h int) (lines []string, focus int) {
	faults := f.faults()
	labels := f.labelWidth(w)
	var blocks [][]string
	for i, field := range f.question.Fields {
		block, at := f.drawField(t, field, i == f.field, labels, w)
		if i == f.field {
			focus = at
			for _, before := range blocks {
				focus += len(before)
			}
		}
		for _, fault := range faults {
			if fault.Field == field.Key {
				block = append(block,
					widget.Indent(widget.Wrapped(t, prose.Bad, "! "+prose.Printable(fault.Err.Error()), w-2), "  ")...)
			}
		}
		blocks = append(blocks, block)
	}
	total := 0
	for _, block := range blocks {
		total += len(block)
	}
	spread := total+len(blocks)-1 <= h
	for i, block := range blocks {
		if i > 0 && spread {
			lines = append(lines, "")
			if i <= f.field {
				focus++
			}
		}
		lines = append(lines, block...)
	}
	return lines, focus
}

// labelWidth is the width of the labels, which stand in a column.
func (f *form) labelWidth(w int) int {
	const most = 21
	width := 0
	for _, field := range f.question.Fields {
		width = max(width, layout.Width(field.Label))
	}
	return min(width, most, w/2)
}

// drawField draws a field; at is the line of the cursor in it.
func (f *form) drawField(t *theme.Theme, field flow.Field, here bool, labels, w int) (lines []string, at int) {
	mark, label := "  ", t.Base
	if here {
		mark, label = t.BorderFocused.Render(cursorMark), t.Accent
	}
	head := mark
	if field.Label != "" {
		head += label.Render(layout.Pad(layout.Cut(prose.Printable(field.Label), labels), labels)) + "  "
	}
	room := w - layout.Width(head)
	switch {
	case field.Kind == flow.Text:
		return f.drawText(t, field, here, head, room, w), 0
	case field.Kind == flow.Choice && !f.isList(field):
		return f.drawChoice(t, field, here, head, room, w), 0
	}
	return f.drawList(t, field, here, w)
}

// drawText draws a text with its help next to it, or below it while it has the focus.
func (f *form) drawText(t *theme.Theme, field flow.Field, here bool, head string, room, w int) []string {
	const widest, fewest = 40, 16
	help := prose.Printable(field.Help)
	least := min(widest, max(fewest, layout.Width(field.Proposal())+1, layout.Width(field.Value)+1))
	value := max(1, min(widest, room))
	beside := help != "" && room-layout.Width(help)-2 >= least
	if beside {
		value = min(widest, room-layout.Width(help)-2)
	}
	line := head
	switch {
	case here:
		line += f.input.View(t, field.Proposal(), value, true)
	case field.Value == "":
		line += t.Placeholder.Render(layout.Pad(layout.Cut(prose.Printable(field.Proposal()), value), value))
	default:
		line += t.Field.Render(layout.Pad(layout.Cut(prose.Printable(field.Value), value), value))
	}
	if beside {
		return append([]string{line + "  " + t.Muted.Render(help)}, f.suggestionLines(t, here, w)...)
	}
	lines := []string{line}
	if here && help != "" {
		lines = append(lines, widget.Indent(widget.Wrapped(t, prose.Muted, help, w-2), "  ")...)
	}
	return append(lines, f.suggestionLines(t, here, w)...)
}

// suggestionLines list the values to choose from, those that begin as the typed text.
func (f *form) suggestionLines(t *theme.Theme, here bool, w int) []string {
	if !here || len(f.now().Suggestions) == 0 {
		return nil
	}
	all := f.suggestions()
	if len(all) == 0 {
		return nil
	}
	const most = 2
	lines := layout.Wrap(keys.NextSuggestion.Keys()[0]+": "+strings.Join(all, "  "), w-2)
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], layout.Cut(strings.Join(lines[most-1:], "  "), w-2))
	}
	for i, line := range lines {
		lines[i] = "  " + t.Muted.Render(line)
	}
	return lines
}

// drawChoice draws a choice in one line, and below it what is chosen and what is not
// available while it has the focus.
func (f *form) drawChoice(t *theme.Theme, field flow.Field, here bool, head string, room, w int) []string {
	var titles []string
	var off []bool
	chosen := -1
	for i, o := range field.Options {
		if field.Has(o) {
			chosen = i
		}
		titles, off = append(titles, prose.Printable(o.Title)), append(off, o.Disabled != "")
	}
	lines := widget.Choices(t, titles, off, chosen, here, room)
	for i := range lines {
		if i == 0 {
			lines[i] = head + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", layout.Width(head)) + lines[i]
		}
	}
	if !here {
		return lines
	}
	say := func(tone prose.Tone, text string) {
		if text != "" {
			lines = append(lines, widget.Indent(widget.Wrapped(t, tone, prose.Printable(text), w-2), "  ")...)
		}
	}
	for _, o := range field.Options {
		if field.Has(o) {
			say(prose.Muted, o.Detail)
		}
	}
	say(prose.Muted, field.Help)
	for _, o := range field.Options {
		if o.Disabled != "" {
			say(prose.Muted, "not available: "+o.Title+": "+o.Disabled)
		}
	}
	return lines
}

// drawList draws options below each other. at is the line of the cursor.
func (f *form) drawList(t *theme.Theme, field flow.Field, here bool, w int) (lines []string, at int) {
	if field.Label != "" {
		style := t.Base
		if here {
			style = t.Accent
		}
		line := "  " + style.Render(prose.Printable(field.Label))
		if field.Help != "" && layout.Width(line)+layout.Width(field.Help)+2 <= w {
			line += "  " + t.Muted.Render(prose.Printable(field.Help))
		} else if field.Help != "" && here {
			lines = widget.Indent(widget.Wrapped(t, prose.Muted, prose.Printable(field.Help), w-2), "  ")
		}
		lines = slices.Insert(lines, 0, line)
	}
	widest := 0
	for _, o := range field.Options {
		widest = max(widest, layout.Width(prose.Printable(o.Title)))
	}
	for i, o := range field.Options {
		on := here && i == f.option
		if on {
			at = len(lines)
		}
		lines = append(lines, optionLines(t, field, o, on, widest, w)...)
	}
	return lines, at
}

// optionLines draw an option: what is chosen is between bars or at the cursor, what can be
// marked has a box. Its detail is in a column next to the titles, of which one is widest cells
// wide, or below it where there is no room.
func optionLines(t *theme.Theme, field flow.Field, o prose.Option, on bool, widest, w int) []string {
	mark, end, title, detail := "  ", " ", t.Base, t.Muted
	box := ""
	if field.Kind == flow.Several {
		box = "[ ] "
		if field.Has(o) {
			box = "[x] "
		}
	}
	text := prose.Printable(o.Detail)
	switch {
	case o.Disabled != "":
		title, detail, text = t.Disabled, t.Disabled, "not available: "+prose.Printable(o.Disabled)
		if field.Kind == flow.Several {
			box = "    "
		}
	case field.Kind == flow.Choice && field.Has(o):
		title = t.Accent
		mark, end = t.Accent.Render(" ▐"), t.Accent.Render("▌")
	}
	if on {
		mark, end = t.BorderFocused.Render(cursorMark), " "
		if o.Disabled == "" {
			title = t.Selected
		}
	}
	line := mark + title.Render(box+prose.Printable(o.Title)) + end
	if text == "" {
		return []string{layout.Cut(line, w)}
	}
	const gap = 2
	column := layout.Width(mark+box) + widest + len(" ") + gap
	if column+layout.Width(text) <= w {
		return []string{layout.Pad(line, column) + detail.Render(text)}
	}
	lines := []string{layout.Cut(line, w)}
	for _, part := range layout.Wrap(text, max(1, w-4)) {
		lines = append(lines, "    "+detail.Render(part))
	}
	return lines
}
