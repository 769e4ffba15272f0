package console

import (
	"fmt"
	"strings"

	"gatewright/prose"
	"gatewright/request"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

const (
	// margin is what every line of a pane is indented by.
	margin = " "
	// labelW is the room of the labels.
	labelW = 13
)

// View draws the request, and beside it the answer; where there is no room for both,
// the one that the keys go to.
func (p *Page) View() string {
	body := p.layout.Body()
	if body.Empty() {
		return ""
	}
	p.drawn.seen = true
	if p.drawn.stale || p.drawn.text == "" {
		p.drawn.text, p.drawn.stale = p.draw(body), false
	}
	return p.drawn.text
}

func (p *Page) draw(body layout.Rect) string {
	t := p.context.Theme
	block := func(lines []string, w int) string {
		return layout.Block(strings.Join(lines, "\n"), w, body.H)
	}
	switch {
	case p.world == nil && p.err != nil:
		return block(append([]string{""}, wrapped(t.Error.Render, p.err.Error(), body.W-2)...), body.W)
	case p.world == nil:
		return block([]string{"", margin + t.Muted.Render("reading the project ...")}, body.W)
	case !p.layout.Side.Empty():
		main, side := p.layout.Main.W, p.layout.Side.W
		left := block(p.formLines(t, main, body.H), main)
		lines := p.answerLines(t, side-3, body.H)
		bar := t.Border.Render("│") + " "
		if p.inAnswer {
			bar = t.BorderFocused.Render("┃") + " "
		}
		for len(lines) < body.H {
			lines = append(lines, "")
		}
		for i, line := range lines {
			lines[i] = bar + line
		}
		return layout.Beside(left, layout.Clip(strings.Join(lines, "\n"), side, body.H))
	case p.inAnswer:
		lines := p.answerLines(t, body.W-2, body.H)
		for i, line := range lines {
			lines[i] = margin + line
		}
		return block(lines, body.W)
	}
	return block(p.formLines(t, body.W, body.H), body.W)
}

// wrapped are the lines of a text in w cells.
func wrapped(render func(...string) string, text string, w int) []string {
	var lines []string
	for _, line := range layout.Wrap(prose.Fit(text), max(1, w)) {
		lines = append(lines, margin+render(line))
	}
	return lines
}

// formLines draws the request in h lines: where it goes, the rows with the cursor
// in view, and what would be sent.
func (p *Page) formLines(t *theme.Theme, w, h int) []string {
	roomy := h > len(p.rows)+6
	place := t.Muted.Render
	if env := p.env(); env == nil || env.Closed != "" {
		place = t.Warning.Render
	}
	top := wrapped(place, destination(p.world, p.env()), w-2)
	if !roomy {
		top = top[:min(2, len(top))]
	} else {
		top = append(top, "")
	}
	bottom := p.bottomLines(t, w)
	if roomy {
		bottom = append([]string{""}, bottom...)
	}
	room := max(1, h-len(top)-len(bottom))
	lines := make([]string, 0, len(p.rows))
	for i := range p.rows {
		lines = append(lines, p.rowLine(t, i, w))
	}
	p.drawn.rowsAt, p.drawn.rowsFrom, p.drawn.rowsTo = len(top), 0, len(lines)
	if len(lines) > room {
		p.drawn.rowsFrom = max(0, min(p.at-room/2, len(lines)-room))
		p.drawn.rowsTo = p.drawn.rowsFrom + room
		lines = window(t, lines, p.at, p.drawn.rowsFrom, room)
	}
	return append(append(top, lines...), bottom...)
}

// window cuts lines to a height, and says at its ends that there is more.
func window(t *theme.Theme, lines []string, at, from, h int) []string {
	part := append([]string(nil), lines[from:from+h]...)
	if from > 0 && at != from {
		part[0] = margin + t.Muted.Render("  more above")
	}
	if from+h < len(lines) && at != from+h-1 {
		part[h-1] = margin + t.Muted.Render("  more below")
	}
	return part
}

// rowLine draws a row in w cells.
func (p *Page) rowLine(t *theme.Theme, i, w int) string {
	r := p.rows[i]
	here := i == p.at && !p.inAnswer
	mark, label := "  ", t.Muted.Render(layout.Pad(layout.Cut(p.form.Label(r), labelW-1), labelW))
	if here {
		mark, label = t.BorderFocused.Render("> "), t.Accent.Render(layout.Pad(layout.Cut(p.form.Label(r), labelW-1), labelW))
	}
	line := margin + mark + label
	room := max(1, w-labelW-5)
	if here && p.typing {
		return line + p.field.View(t, r.Placeholder(), room, true)
	}
	shown := p.shownRow(r)
	switch {
	case shown == "" && r.IsText():
		return line + t.Placeholder.Render(layout.Cut(r.Placeholder(), room))
	case shown == "":
		return line + t.Placeholder.Render("none")
	case here:
		return line + t.Selected.Render(layout.Cut(shown, room))
	case r.Kind == request.ModeRow && p.form.Test:
		return line + t.Warning.Render(layout.Cut(shown, room))
	}
	return line + t.Base.Render(layout.Cut(shown, room))
}

// shownRow is what a row has; what a body is is found out once.
func (p *Page) shownRow(r request.Row) string {
	switch {
	case r.Kind == request.BodyRow:
		if p.body.text != p.form.Body {
			p.body = bodyShown{p.form.Body, p.form.Shown(r)}
		}
		return p.body.words
	case r.Kind == request.EnvironmentRow && p.env() != nil && p.env().Guarded:
		return p.form.Shown(r) + " (guarded)"
	case r.Kind == request.CallerRow && !p.form.Test && len(p.groups()) > 0:
		return p.form.Shown(r) + ", in " + prose.Fit(strings.Join(p.groups(), ", "))
	}
	return p.form.Shown(r)
}

// bodyShown is a body and the words for it.
type bodyShown struct{ text, words string }

// bottomLines say what would be sent, whether the definition lets it through, and
// what came of the last one.
func (p *Page) bottomLines(t *theme.Theme, w int) []string {
	line := prose.Fit(p.form.Sentence())
	lines := []string{margin + t.Title.Render(layout.Cut(line, w-2))}
	if text, allowed := p.world.Verdict(p.form, p.groups()); text != "" {
		style, word := t.Good, "allowed: "
		if !allowed {
			style, word = t.Warning, "will be refused: "
		}
		lines = append(lines, margin+style.Render(layout.Cut(word+prose.Fit(text), w-2)))
	}
	switch {
	case p.sending != nil:
		lines = append(lines, margin+t.Note.Render(p.sending.waited()))
	case p.last != nil && p.layout.Side.Empty():
		lines = append(lines, margin+p.style(t, p.last.Tone()).Render(layout.Cut("answer: "+p.last.Summary()+" (tab shows it)", w-2)))
	}
	return lines
}

// answerLines draws the answer in h lines.
func (p *Page) answerLines(t *theme.Theme, w, h int) []string {
	if p.last == nil {
		lines := []string{t.Title.Render("Answer"), ""}
		text := "nothing was sent yet: s sends the request"
		if p.sending != nil {
			text = p.sending.waited()
		}
		return append(lines, t.Muted.Render(layout.Cut(text, w)))
	}
	p.answer.fold(w)
	rest := h - 1
	p.answer.height = rest
	p.answer.scroll(0)
	end := min(p.answer.top+rest, len(p.answer.folded))
	state := fmt.Sprintf("%d to %d of %d lines", p.answer.top+1, end, len(p.answer.folded))
	if end == len(p.answer.folded) && p.answer.top == 0 {
		state = "whole"
	}
	if p.sending != nil {
		state = p.sending.waited()
	}
	title := "Answer"
	if p.answer.comparing {
		title = "Comparison"
	}
	lines := []string{t.Title.Render(title) + t.Muted.Render(layout.Cut("  of "+p.last.At.Local().Format("15:04:05")+", "+state, w-len(title)))}
	for _, line := range p.answer.folded[p.answer.top:end] {
		lines = append(lines, p.drawLine(t, line))
	}
	return lines
}

func (p *Page) drawLine(t *theme.Theme, line prose.Line) string {
	if line.Tone != prose.Code {
		return p.style(t, line.Tone).Render(line.Text)
	}
	// The name of a member is what one looks for.
	text := strings.TrimLeft(line.Text, " ")
	indent := line.Text[:len(line.Text)-len(text)]
	if name, value, ok := strings.Cut(text, `": `); ok && strings.HasPrefix(name, `"`) {
		return indent + t.Accent.Render(name+`":`) + t.Base.Render(" "+value)
	}
	return t.Base.Render(line.Text)
}
