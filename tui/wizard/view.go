package wizard

import (
	"strings"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// cached is a drawn pane; it is drawn anew when stale.
type cached struct {
	text  string
	stale bool
}

// View draws the main pane, and beside it, where there is room, what the answers
// make.
func (p *Page) View() string {
	body := p.layout.Body()
	if body.Empty() {
		return ""
	}
	if p.done != nil {
		return layout.Block(strings.Join(p.doneLines(body.W, body.H), "\n"), body.W, body.H)
	}
	if p.at.Kind == flow.Review {
		return layout.Block(strings.Join(p.reviewLines(body.W, body.H), "\n"), body.W, body.H)
	}
	main := layout.Block(strings.Join(p.questionLines(p.layout.Main.W, p.layout.Main.H), "\n"), p.layout.Main.W, p.layout.Main.H)
	if p.layout.Side.Empty() {
		return main
	}
	if p.side.stale {
		p.side = cached{text: p.drawSide(p.layout.Side.W, p.layout.Side.H)}
	}
	return layout.Beside(main, p.side.text)
}

func (p *Page) theme() *theme.Theme { return p.context.Theme }

// margin is what every line of a pane is indented by.
const margin = " "

// questionLines draws the step at hand in h lines: where it is, the question,
// its fields with the cursor in view, and what is wrong.
func (p *Page) questionLines(w, h int) []string {
	t := p.theme()
	top := []string{margin + t.Muted.Render(p.place()), ""}
	for _, line := range layout.Wrap(prose.Fit(p.question.Title), w-2) {
		top = append(top, margin+t.Title.Render(line))
	}
	if help := layout.Wrap(prose.Fit(p.question.Help), w-2); h >= len(help)+len(top)+8 {
		for _, line := range help {
			top = append(top, margin+t.Muted.Render(line))
		}
	}
	top = append(top, "")
	var bottom []string
	if p.error != "" {
		bottom = append(bottom, "")
		for _, line := range layout.Wrap("! "+prose.Fit(p.error), w-2) {
			bottom = append(bottom, margin+t.Error.Render(line))
		}
	}
	fields, focus := p.fieldLines(w)
	room := max(1, h-len(top)-len(bottom))
	return append(append(top, window(fields, focus, room, t)...), bottom...)
}

// fieldLines draws the fields, and says which line the cursor is on.
func (p *Page) fieldLines(w int) (lines []string, focus int) {
	t := p.theme()
	at := 0
	for i, f := range p.question.Fields {
		if i > 0 {
			lines = append(lines, "")
		}
		here := len(p.rows) > 0 && p.rows[p.row].field == i
		if f.Label != "" {
			style := t.Base
			if here {
				style = t.Accent
			}
			label := style.Render(prose.Fit(f.Label))
			if f.Help != "" {
				label += t.Muted.Render("  " + prose.Fit(f.Help))
			}
			lines = append(lines, margin+layout.Cut(label, w-2))
		}
		if f.Kind == flow.Text {
			if at == p.row {
				focus = len(lines)
			}
			lines = append(lines, margin+p.textLine(f, at == p.row, w-2))
			at++
		}
		for j := range f.Options {
			if at == p.row {
				focus = len(lines)
			}
			line, note := p.optionLine(f, j, at == p.row)
			if at == p.row && layout.Width(line+note) > w-2 {
				lines = append(lines, margin+layout.Cut(line, w-2))
				lines = append(lines, p.wholeNote(f.Options[j], w)...)
			} else {
				lines = append(lines, margin+layout.Cut(line+note, w-2))
			}
			at++
		}
	}
	return lines, focus
}

func (p *Page) textLine(f flow.Field, here bool, w int) string {
	t := p.theme()
	width := max(1, min(60, w-4))
	if here {
		return t.BorderFocused.Render("> ") + p.input.View(t, f.Placeholder, width, true)
	}
	if f.Value == "" {
		return "  " + t.Placeholder.Render(layout.Cut(prose.Fit(f.Placeholder), width))
	}
	return "  " + t.Field.Render(layout.Cut(prose.Fit(f.Value), width))
}

// wholeNote draws what an option is, or why it cannot be chosen, where the line
// of the option has no room for all of it.
func (p *Page) wholeNote(o flow.Option, w int) []string {
	note, style := o.Detail, p.theme().Muted
	if o.Disabled != "" {
		note = o.Disabled
	}
	const indent = "       "
	var lines []string
	for _, line := range layout.Wrap(prose.Fit(note), max(1, w-2-len(indent))) {
		lines = append(lines, indent+style.Render(line))
	}
	return lines
}

// optionLine draws an option: a mark and the title, and as a note what it is or
// why it cannot be chosen.
func (p *Page) optionLine(f flow.Field, i int, here bool) (line, note string) {
	t := p.theme()
	o := f.Options[i]
	mark := "( )"
	chosen := f.Kind == flow.Choice && f.Value == o.Key
	if f.Kind == flow.Several {
		mark = "[ ]"
		for _, key := range f.Chosen {
			chosen = chosen || key == o.Key
		}
	}
	switch {
	case o.Disabled != "":
		mark = " - "
	case chosen && f.Kind == flow.Choice:
		mark = "(*)"
	case chosen:
		mark = "[x]"
	}
	pointer, title := "  ", t.Base
	switch {
	case o.Disabled != "":
		title = t.Disabled
	case here:
		title = t.Selected
	case chosen:
		title = t.Accent
	}
	if here {
		pointer = t.BorderFocused.Render("> ")
	}
	line = pointer + title.Render(mark+" "+prose.Fit(o.Title))
	switch {
	case o.Disabled != "":
		note = t.Disabled.Render("  " + prose.Fit(o.Disabled))
	case o.Detail != "":
		note = t.Muted.Render("  " + prose.Fit(o.Detail))
	}
	return line, note
}

// window cuts a list of lines to a height around the line with the cursor, and
// says at its ends that there is more.
func window(lines []string, focus, h int, t *theme.Theme) []string {
	if len(lines) <= h {
		return lines
	}
	from := max(0, min(focus-h/2, len(lines)-h))
	part := append([]string(nil), lines[from:from+h]...)
	if from > 0 && focus != from {
		part[0] = margin + t.Muted.Render("  more above")
	}
	if from+h < len(lines) && focus != from+h-1 {
		part[h-1] = margin + t.Muted.Render("  more below")
	}
	return part
}

// near is how many other paths of an API the side pane shows.
const near = 6

// drawSide draws what the answers make: the routes, the access of the path at
// hand, and its entry in the file.
func (p *Page) drawSide(w, h int) string {
	t := p.theme()
	api, current := p.flow.Sketch(p.at, near)
	lines := []string{t.Title.Render("Routes")}
	lines = append(lines, p.previewLines(preview.Routes(api))...)
	if current.Name != "" {
		lines = append(lines, "", t.Title.Render("Who may do what under "+prose.Fit(current.Name)))
		lines = append(lines, p.previewLines(preview.Matrix(current))...)
		lines = append(lines, "", t.Title.Render("In cli-inputs.json"))
		for _, line := range preview.Entry(current) {
			lines = append(lines, t.Muted.Render(prose.Fit(line)))
		}
	}
	bar := t.Border.Render("│") + " "
	for i, line := range lines {
		lines[i] = bar + layout.Cut(line, w-3)
	}
	for len(lines) < h {
		lines = append(lines, bar)
	}
	return layout.Block(strings.Join(lines, "\n"), w, h)
}

func (p *Page) previewLines(lines []prose.Line) []string {
	t := p.theme()
	drawn := make([]string, 0, len(lines))
	for _, line := range lines {
		style := t.Base
		switch line.Tone {
		case prose.Title:
			style = t.Title
		case prose.Muted:
			style = t.Muted
		case prose.Good:
			style = t.Good
		case prose.Warning:
			style = t.Warning
		}
		drawn = append(drawn, style.Render(prose.Fit(line.Text)))
	}
	return drawn
}
