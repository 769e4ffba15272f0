package wizard

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// View draws the main pane, and beside it, where there is room, what the answers
// make.
func (p *Page) View() string {
	body, main, side := p.layout.Body(), p.layout.Main, p.layout.Side
	switch {
	case body.Empty():
		return ""
	case p.done != nil:
		return layout.Block(strings.Join(p.doneLines(body.W, body.H), "\n"), body.W, body.H)
	case p.at.Kind == flow.Review:
		return layout.Block(strings.Join(p.reviewLines(body.W, body.H), "\n"), body.W, body.H)
	}
	question := layout.Block(strings.Join(p.questionLines(main.W, main.H), "\n"), main.W, main.H)
	if side.Empty() {
		return question
	}
	return layout.Beside(question, widget.Side(p.context.Theme, p.sideLines(), side.W, side.H))
}

// margin is what every line of a pane is indented by.
const margin = " "

// questionLines draws the step at hand in h lines: where it is, the question,
// its fields with the cursor in view, and what is wrong.
func (p *Page) questionLines(w, h int) []string {
	t := p.context.Theme
	top := append([]string{t.Muted.Render(p.place()), ""}, widget.Wrapped(t, prose.Title, prose.Fit(p.question.Title), w-2)...)
	if help := widget.Wrapped(t, prose.Muted, prose.Fit(p.question.Help), w-2); h >= len(help)+len(top)+8 {
		top = append(top, help...)
	}
	top = append(top, "")
	var bottom []string
	if p.error != "" {
		bottom = append([]string{""}, widget.Wrapped(t, prose.Bad, "! "+prose.Fit(p.error), w-2)...)
	}
	fields, focus := p.fieldLines(w - 2)
	room := max(1, h-len(top)-len(bottom))
	return widget.Indented(slices.Concat(top, window(fields, focus, room, t), bottom), margin)
}

// fieldLines draws the fields in lines of w cells, and says which line the cursor is
// on.
func (p *Page) fieldLines(w int) (lines []string, focus int) {
	t := p.context.Theme
	at := 0
	for i, f := range p.question.Fields {
		if i > 0 {
			lines = append(lines, "")
		}
		if f.Label != "" {
			style := t.Base
			if len(p.rows) > 0 && p.rows[p.row].field == i {
				style = t.Accent
			}
			label := style.Render(prose.Fit(f.Label))
			if f.Help != "" {
				label += t.Muted.Render("  " + prose.Fit(f.Help))
			}
			lines = append(lines, layout.Cut(label, w))
		}
		if f.Kind == flow.Text {
			if at == p.row {
				focus = len(lines)
			}
			lines = append(lines, p.textLine(f, at == p.row, w))
			at++
		}
		for _, o := range f.Options {
			here := at == p.row
			if here {
				focus = len(lines)
			}
			lines = append(lines, optionLines(t, f, o, here, w)...)
			at++
		}
	}
	return lines, focus
}

func (p *Page) textLine(f flow.Field, here bool, w int) string {
	t := p.context.Theme
	const widest = 60
	w = max(1, min(widest, w-4))
	if here {
		return t.BorderFocused.Render("> ") + p.input.View(t, f.Placeholder, w, true)
	}
	if f.Value == "" {
		return "  " + t.Placeholder.Render(layout.Cut(prose.Fit(f.Placeholder), w))
	}
	return "  " + t.Field.Render(layout.Cut(prose.Fit(f.Value), w))
}

// optionLines draw an option in lines of w cells: a mark and the title, and what it is
// or why it cannot be chosen: where the line of the option at hand has no room for all
// of that, in lines of its own.
func optionLines(t *theme.Theme, f flow.Field, o flow.Option, here bool, w int) []string {
	chosen := f.Kind == flow.Choice && f.Value == o.Key || f.Kind == flow.Several && slices.Contains(f.Chosen, o.Key)
	pointer, mark, title := "  ", "( )", t.Base
	if f.Kind == flow.Several {
		mark = "[ ]"
	}
	switch {
	case o.Disabled != "":
		mark, title = " - ", t.Disabled
	case chosen && f.Kind == flow.Choice:
		mark, title = "(*)", t.Accent
	case chosen:
		mark, title = "[x]", t.Accent
	}
	if here {
		pointer = t.BorderFocused.Render("> ")
		if o.Disabled == "" {
			title = t.Selected
		}
	}
	line := pointer + title.Render(mark+" "+prose.Fit(o.Title))
	text, style := prose.Fit(o.Detail), t.Muted
	if o.Disabled != "" {
		text, style = prose.Fit(o.Disabled), t.Disabled
	}
	if text == "" {
		return []string{layout.Cut(line, w)}
	}
	if note := style.Render("  " + text); !here || layout.Width(line+note) <= w {
		return []string{layout.Cut(line+note, w)}
	}
	const indent = "      "
	lines := []string{layout.Cut(line, w)}
	for _, part := range layout.Wrap(text, max(1, w-len(indent)-1)) {
		lines = append(lines, indent+t.Muted.Render(part))
	}
	return lines
}

// window cuts a list of lines to a height around the line with the cursor, and
// says at its ends that there is more.
func window(lines []string, focus, h int, t *theme.Theme) []string {
	if len(lines) <= h {
		return lines
	}
	from := max(0, min(focus-h/2, len(lines)-h))
	part := slices.Clone(lines[from : from+h])
	if from > 0 && focus != from {
		part[0] = t.Muted.Render("  more above")
	}
	if from+h < len(lines) && focus != from+h-1 {
		part[h-1] = t.Muted.Render("  more below")
	}
	return part
}

// near is how many other paths of an API the side pane shows.
const near = 6

// sideLines say what the answers make: the routes, the access of the path at hand,
// and its entry in the file.
func (p *Page) sideLines() []string {
	t := p.context.Theme
	api, current := p.flow.Sketch(p.at, near)
	lines := append([]prose.Line{{Tone: prose.Title, Text: "Routes"}}, preview.Routes(api)...)
	if current.Name != "" {
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Title, Text: "Who may do what under " + current.Name})
		lines = append(lines, preview.Matrix(current)...)
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Title, Text: "In cli-inputs.json"})
		lines = append(lines, prose.InTone(prose.Muted, preview.Entry(current)...)...)
	}
	drawn := make([]string, len(lines))
	for i, line := range lines {
		drawn[i] = t.Of(line.Tone).Render(prose.Fit(line.Text))
	}
	return drawn
}
