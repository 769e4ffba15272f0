package console

import (
	"errors"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/request"
	"gatewright/sandbox"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is the indentation of every line.
const margin = " "

// noSandbox is the message if no sandbox runs.
const noSandbox = "no sandbox is running: start it with gatewright sandbox, or with s on the dashboard's tab Activity"

// View draws the request and the answer, or without room for both the one with the focus.
func (p *Page) View() string {
	t, main, side := p.context.Theme, p.layout.Main, p.layout.Side
	var lines []string
	switch {
	case p.snapshot == nil && p.err != nil:
		lines = append([]string{""}, widget.Wrapped(t, prose.Bad, prose.Printable(p.err.Error()), main.W-2)...)
	case p.snapshot == nil:
		lines = []string{"", t.Muted.Render("reading the project ...")}
	case p.inAnswer && side.Empty():
		lines = p.answerLines(t, main.W-2, main.H)
	default:
		lines = p.formLines(t, main.W-2, main.H)
	}
	drawn := layout.Block(strings.Join(widget.Indent(lines, margin), "\n"), main.W, main.H)
	if side.Empty() || p.snapshot == nil {
		return drawn
	}
	pane := widget.Side
	if p.inAnswer {
		pane = widget.FocusedSide
	}
	return layout.Beside(drawn, pane(t, p.answerLines(t, side.W-3, side.H), side.W, side.H))
}

// formLines draws the request in h lines: where it goes, the rows, and what will be sent.
func (p *Page) formLines(t *theme.Theme, w, h int) []string {
	tone := prose.Muted
	if env := p.env(); env == nil || env.Closed != "" {
		tone = prose.Warning
	}
	const others, few = 6, 2
	lines := widget.Wrapped(t, tone, prose.Printable(destination(p.snapshot, p.env())), w)
	bottom := p.bottomLines(t, w)
	if h > p.rows.Len()+others {
		lines, bottom = append(lines, ""), append([]string{""}, bottom...)
	} else {
		lines = lines[:min(few, len(lines))]
	}
	room := h - len(lines) - len(bottom)
	p.rowsAt = len(lines)
	if p.rows.Len() <= room {
		return append(append(lines, p.rows.Draw(t, w, room, !p.inAnswer)...), bottom...)
	}
	lines = append(lines, p.rows.Draw(t, w, room-1, !p.inAnswer)...)
	return append(append(lines, t.Muted.Render("  lines "+p.rows.Span())), bottom...)
}

// destination says where requests go.
func destination(snapshot *request.Snapshot, e *request.Environment) string {
	switch {
	case errors.Is(snapshot.Down, sandbox.ErrNotRunning):
		return noSandbox
	case snapshot.Down != nil:
		return snapshot.Down.Error()
	case e == nil:
		return "sandbox at " + snapshot.Status.Address + "; the project has no environment"
	case e.Closed != "":
		return "environment " + model.Quote(e.Name) + ": " + e.Closed
	case e.Tree:
		return model.Quote(e.Name) + " from the working tree, at " + snapshot.Status.Address
	}
	return model.Quote(e.Name) + " as it was pushed, at " + snapshot.Status.Address
}

// bottomLines say what will be sent, whether it will be allowed, and the last answer.
func (p *Page) bottomLines(t *theme.Theme, w int) []string {
	lines := []string{t.Title.Render(layout.Cut(prose.Printable(p.form.Sentence()), w))}
	if text, allowed := p.snapshot.Verdict(p.form); text != "" {
		tone, word := prose.Good, "allowed: "
		if !allowed {
			tone, word = prose.Warning, "will be refused: "
		}
		lines = append(lines, t.Of(tone).Render(layout.Cut(word+prose.Printable(text), w)))
	}
	if p.last != nil && p.layout.Side.Empty() {
		lines = append(lines, t.Of(p.last.Tone()).Render(layout.Cut("answer: "+p.last.Summary()+" (tab shows it)", w)))
	}
	return lines
}

// answerLines draws the answer in h lines.
func (p *Page) answerLines(t *theme.Theme, w, h int) []string {
	if p.last == nil {
		text := "nothing was sent yet: c sends the request"
		if running := p.job.Running(); running != "" {
			text = running + " ..."
		}
		return []string{t.Title.Render("Answer"), "", t.Muted.Render(layout.Cut(text, w))}
	}
	title := "Answer"
	if p.comparing {
		title = "Comparison"
	}
	head := t.Title.Render(title) + t.Muted.Render("  of "+p.last.At.Local().Format("15:04:05"))
	return append([]string{head}, p.answer.Draw(t, w, h-1)...)
}
