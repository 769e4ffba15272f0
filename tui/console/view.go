package console

import (
	"errors"
	"strings"

	"gatewright/flow/request"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is the indentation of every line.
const margin = " "

// noSandbox is the message if no sandbox runs.
const noSandbox = "no sandbox is running: start one with gatewright sandbox, or with s on the dashboard's tab Activity"

// View draws where requests go, and below it the request and the answer, or without room for
// both the one with the focus.
func (p *Page) View() string {
	t, main, side := p.context.Theme, p.layout.Main, p.layout.Side
	switch {
	case p.snapshot == nil && p.err != nil:
		lines := widget.Wrapped(t, prose.Bad, prose.Printable(p.err.Error()), main.W-2)
		return layout.Block(strings.Join(widget.Indent(append([]string{""}, lines...), margin), "\n"), main.W, main.H)
	case p.snapshot == nil:
		return layout.Block("\n"+margin+t.Muted.Render("reading the project ..."), main.W, main.H)
	}
	body := p.layout.Body()
	lines := p.headLines(t, body.W)
	h := body.H - len(lines)
	p.rowsAt = len(lines) + 1
	head := layout.Block(strings.Join(lines, "\n"), body.W, len(lines)) + "\n"
	switch {
	case !side.Empty():
		return head + layout.Beside(p.drawForm(t, main.W, h), p.drawAnswer(t, side.W, h))
	case p.inAnswer:
		return head + p.drawAnswer(t, main.W, h)
	}
	return head + p.drawForm(t, main.W, h)
}

// headLines say where requests go, in at most two lines.
func (p *Page) headLines(t *theme.Theme, w int) []string {
	const most = 2
	text, tone := "● ", prose.Muted
	if env := p.env(); p.snapshot.Unusable(p.at.Form) != nil || env == nil || env.Closed != "" {
		text, tone = "○ ", prose.Warning
	}
	text += prose.Printable(destination(p.snapshot, p.env(), p.at.Form))
	lines := layout.Wrap(text, w-2)
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], layout.Cut(strings.Join(lines[most-1:], " "), w-2))
	}
	for i, line := range lines {
		if dot, rest, ok := strings.Cut(line, " "); ok && i == 0 && tone == prose.Muted {
			lines[i] = margin + t.Good.Render(dot) + " " + t.Muted.Render(rest)
			continue
		}
		lines[i] = margin + t.Of(tone).Render(line)
	}
	return lines
}

// drawForm draws the request in a pane of w by h cells: the rows, and what will be sent.
func (p *Page) drawForm(t *theme.Theme, w, h int) string {
	focused := !p.inAnswer || p.layout.Side.Empty()
	pane := widget.Pane{Title: "Request", Focused: focused}
	inner, room := w-widget.PaneW, h-widget.PaneH
	bottom := p.bottomLines(t, inner, room > p.rows.Len()+mostBottom)
	room -= len(bottom)
	lines := p.rows.Draw(t, inner, room, !p.inAnswer)
	if p.rows.Len() > room {
		pane.Right = t.Muted.Render("lines " + p.rows.Span())
	}
	lines = append(lines, make([]string, max(0, min(room, p.rows.Len()+1)-len(lines)))...)
	return pane.Draw(t, append(lines, bottom...), w, h)
}

// destination says where requests go.
func destination(snapshot *request.Snapshot, e *request.Environment, f request.Form) string {
	down := snapshot.Unusable(f)
	switch {
	case errors.Is(down, sandbox.ErrNotRunning):
		return noSandbox
	case down != nil:
		return down.Error()
	case e != nil && e.Cloud != nil:
		return phrase.Quote(e.Name) + " in AWS, as pushed " + clock.Moment(e.Cloud.Deployment.Deployed) + ", at " +
			e.Cloud.URL(f.API)
	case e == nil:
		return "sandbox at " + snapshot.Status.Address + "; the project has no environment"
	case e.Closed != "":
		return "environment " + phrase.Quote(e.Name) + ": " + e.Closed
	case e.Tree:
		return phrase.Quote(e.Name) + " from the working tree, at " + snapshot.Status.Address
	}
	return phrase.Quote(e.Name) + " as pushed, at " + snapshot.Status.Address
}

// mostBottom is the height of the lines below the rows if nothing of them is cut.
const mostBottom = 8

// bottomLines say what will be sent, whether it will be allowed, and the last answer. With
// whole, long texts are wrapped.
func (p *Page) bottomLines(t *theme.Theme, w int, whole bool) []string {
	var lines []string
	add := func(text string, draw func(line string) string) {
		if !whole {
			lines = append(lines, draw(layout.Cut(text, w)))
			return
		}
		for _, line := range layout.Wrap(text, w) {
			lines = append(lines, draw(line))
		}
	}
	add(prose.Printable(p.at.Form.Sentence()), func(line string) string { return widget.Words(t, prose.Title, line) })
	if text, allowed := p.snapshot.Verdict(p.at.Form); text != "" {
		tone, word := prose.Good, "allowed: "
		if !allowed {
			tone, word = prose.Warning, "will be refused: "
		}
		add(word+prose.Printable(text), func(line string) string { return t.Of(tone).Render(line) })
	}
	if p.at.Last != nil && p.layout.Side.Empty() {
		word, tone := "response: ", p.at.Last.Tone()
		if p.isEarlier() {
			word, tone = "earlier response, to "+p.at.Last.Form.Sentence()+": ", prose.Muted
		}
		add(prose.Printable(word+p.at.Last.Summary())+" (tab shows it)",
			func(line string) string { return t.Of(tone).Render(line) })
	}
	return lines
}

// isEarlier reports whether the last answer is to another request than the form has now.
func (p *Page) isEarlier() bool { return !p.at.Last.Form.Same(p.at.Form) }

// answeredAt is when an exchange was answered.
func answeredAt(x *request.Exchange) string { return clock.Second(x.At) + " " + clock.Zone(x.At) }
