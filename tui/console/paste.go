package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// longestTyped is the greatest size in bytes of a body that is typed or pasted.
const longestTyped = 1 << 20

// paste pastes into the row at the cursor; a body keeps its line breaks, and several headers
// become several rows. A curl command fills in the whole form.
func (p *Page) paste(msg tea.PasteMsg) tea.Cmd {
	if p.finding {
		p.field.Update(msg)
		p.find()
		return nil
	}
	r, ok := p.rows.Row()
	switch {
	case p.snapshot == nil:
	case len(msg.Content) > longestTyped:
		return frame.Say(frame.Warn, "a paste can have at most %s", phrase.Count(longestTyped, "byte"))
	case request.IsCurl(msg.Content) && r.Kind != request.BodyRow && !p.typing:
		return p.fillCurl(msg.Content)
	case p.inAnswer && !p.typing || !ok:
	case r.Kind == request.HeaderRow && strings.Contains(strings.TrimSpace(msg.Content), "\n"):
		return p.pasteHeaders(r, msg.Content)
	case r.IsText():
		if !p.typing {
			p.startTyping(r)
		}
		p.field.Update(msg)
	case r.Kind == request.BodyRow:
		p.set(r, msg.Content)
	}
	return nil
}

// pasteHeaders puts each line of a text that is a header into a row of its own, the first one
// instead of the row at the cursor if that is empty. Others are named.
func (p *Page) pasteHeaders(r request.Row, text string) tea.Cmd {
	if p.typing {
		r.Set(p.field.Value())
		p.typing = false
	}
	var lines []string
	var wrong string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch err := r.Check(line); {
		case line == "":
		case err != nil:
			wrong = line
		default:
			lines = append(lines, line)
		}
	}
	headers := p.at.Form.Copy().Headers
	p.at.Form.Headers = append(headers, lines...)
	p.refresh()
	said := frame.Say(frame.Info, "pasted %s", phrase.Count(len(lines), "header"))
	if wrong != "" {
		said = frame.Say(frame.Warn, "pasted %s; %s is not a header", phrase.Count(len(lines), "header"), phrase.Quote(wrong))
	}
	return said
}

// fillCurl fills in a command of curl, and says what of it was not understood.
func (p *Page) fillCurl(text string) tea.Cmd {
	filled, notes, err := p.snapshot.FillCurl(p.at.Form, text)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	cmd := p.fill(filled)
	p.inAnswer = false
	if len(notes) == 0 {
		return tea.Batch(cmd, frame.Say(frame.Info, "filled in from curl: %s", prose.Printable(filled.Summary())))
	}
	lines := []prose.Line{{Text: prose.Printable(filled.Summary())}, {}}
	for _, note := range notes {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: prose.Printable(note)})
	}
	return tea.Batch(cmd, frame.Open(dialog.Lines("Filled in from curl, except for this", lines)))
}

// askCurl asks for a command of curl, which may have several lines.
func (p *Page) askCurl() tea.Cmd {
	check := func(text string) (int, error) {
		if !request.IsCurl(text) {
			return 0, fmt.Errorf("paste a curl command")
		}
		return 0, nil
	}
	return frame.Open(dialog.Edit(dialog.Editing{Title: "A curl command", Check: check, Take: p.fillCurl}))
}
