package wizard

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// View draws the current step, and beside a question, if there is room, a preview of
// what the answers make.
func (p *Page) View() string {
	at, draw, side := p.layout.Body(), p.questionLines, layout.Rect{}
	switch {
	case p.done != nil:
		draw = p.doneLines
	case p.step.Kind == flow.Review:
		draw = p.reviewLines
	default:
		at, side = p.layout.Main, p.layout.Side
	}
	if at.Empty() {
		return ""
	}
	drawn := layout.Block(strings.Join(widget.Indent(draw(at.W, at.H), margin), "\n"), at.W, at.H)
	if side.Empty() {
		return drawn
	}
	return layout.Beside(drawn, widget.Side(p.context.Theme, p.sideLines(), side.W, side.H))
}

// margin is the indentation of every line.
const margin = " "

// questionLines draws the question in h lines: the position, the title, the fields with
// the cursor in view, and the error.
func (p *Page) questionLines(w, h int) []string {
	t := p.context.Theme
	top := append([]string{t.Muted.Render(p.position()), ""}, widget.Wrapped(t, prose.Title, prose.Printable(p.question.Title), w-2)...)
	if help := widget.Wrapped(t, prose.Muted, prose.Printable(p.question.Help), w-2); h >= len(help)+len(top)+8 {
		top = append(top, help...)
	}
	top = append(top, "")
	var bottom []string
	if p.error != "" {
		bottom = append([]string{""}, widget.Wrapped(t, prose.Bad, "! "+prose.Printable(p.error), w-2)...)
	}
	fields, focus := p.fieldLines(w - 2)
	room := max(1, h-len(top)-len(bottom))
	return slices.Concat(top, window(fields, focus, room, t), bottom)
}

// fieldLines draws the fields in lines of w cells; focus is the line of the cursor.
func (p *Page) fieldLines(w int) (lines []string, focus int) {
	t := p.context.Theme
	for at, r := range p.rows {
		f, here := p.question.Fields[r.field], at == p.row
		if r.option <= 0 && at > 0 {
			lines = append(lines, "")
		}
		if r.option <= 0 && f.Label != "" {
			style := t.Base
			if p.rows[p.row].field == r.field {
				style = t.Accent
			}
			label := style.Render(prose.Printable(f.Label))
			if f.Help != "" {
				label += t.Muted.Render("  " + prose.Printable(f.Help))
			}
			lines = append(lines, layout.Cut(label, w))
		}
		if here {
			focus = len(lines)
		}
		if f.Kind == flow.Text {
			lines = append(lines, p.textLine(f, here, w))
		} else {
			lines = append(lines, optionLines(t, f, f.Options[r.option], here, w)...)
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
		return "  " + t.Placeholder.Render(layout.Cut(prose.Printable(f.Placeholder), w))
	}
	return "  " + t.Field.Render(layout.Cut(prose.Printable(f.Value), w))
}

// optionLines draw an option in lines of w cells: a mark, the title, and its detail or
// the reason why it is disabled. The option at the cursor has more lines if they need it.
func optionLines(t *theme.Theme, f flow.Field, o prose.Option, here bool, w int) []string {
	pointer, title, style := "  ", t.Base, t.Muted
	mark, chosen := "( )", "(*)"
	if f.Kind == flow.Several {
		mark, chosen = "[ ]", "[x]"
	}
	if f.Has(o) {
		mark, title = chosen, t.Accent
	}
	if here {
		pointer, title = t.BorderFocused.Render("> "), t.Selected
	}
	if o.Disabled != "" {
		mark, title, style = " - ", t.Disabled, t.Disabled
	}
	line, text := pointer+title.Render(mark+" "+prose.Printable(o.Title)), prose.Printable(cmp.Or(o.Disabled, o.Detail))
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

// window cuts lines to a height around the line of the cursor, and says at its ends that
// there are more.
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

// otherPaths is how many other paths of an API the side pane shows.
const otherPaths = 6

// sideLines preview the routes, the access of the current path, and its entry in the file.
func (p *Page) sideLines() []string {
	t := p.context.Theme
	api, current := p.flow.Sketch(p.step, otherPaths)
	lines := append([]prose.Line{{Tone: prose.Title, Text: "Routes"}}, preview.Routes(api)...)
	if current.Name != "" {
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Title, Text: "Who may do what under " + current.Name})
		lines = append(lines, preview.Matrix(current)...)
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Title, Text: "In cli-inputs.json"})
		lines = append(lines, prose.InTone(prose.Muted, preview.Entry(current)...)...)
	}
	drawn := make([]string, len(lines))
	for i, line := range lines {
		drawn[i] = t.Of(line.Tone).Render(prose.Printable(line.Text))
	}
	return drawn
}
