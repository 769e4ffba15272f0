package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// comparison says what the answer pane compares the answer with.
type comparison uint8

const (
	notCompared comparison = iota
	withKept
	withPrevious
)

// showAnswer shows the answer to the form at hand.
func (p *Page) showAnswer() {
	p.comparing, p.picked = notCompared, nil
	p.answer.Show(p.at.Shown)
	p.showing = p.at.Last
}

// kept reports whether there is a kept answer to compare with.
func (p *Page) kept() bool { return p.at.Saved != nil && p.at.Saved.Request.Expect != nil }

// compare goes from the answer to its difference from the kept one, to that from the previous one, and back
// to the answer, leaving out what there is not. Answers may be long, so they are compared outside Update.
func (p *Page) compare() tea.Cmd {
	next := p.comparing + 1
	if next == withKept && !p.kept() {
		next++
	}
	if next == withPrevious && p.at.Previous == nil {
		next++
	}
	at, last, previous, file := p.at, p.at.Last, p.at.Previous, p.at.Saved
	var lines func() []prose.Line
	switch next {
	case withKept:
		lines = func() []prose.Line {
			return request.CompareKept(file.Name, request.Differences(*file.Request.Expect, last.Answer), *last)
		}
	case withPrevious:
		lines = func() []prose.Line { return request.Compare(*previous, *last) }
	default:
		p.showAnswer()
		return nil
	}
	return func() tea.Msg {
		compared := lines()
		return frame.ThenMsg(func() tea.Cmd {
			if p.at == at && at.Last == last {
				p.picked, p.comparing = nil, next
				p.answer.Show(compared)
			}
			return nil
		})
	}
}

// startFinding puts a text field below the answer, for a search or a JSON path.
func (p *Page) startFinding() {
	p.finding, p.inAnswer = true, true
	p.field.SetValue("")
}

// findHint says what can be typed.
const findHint = "a text, or a JSON path such as $.items[0].id"

// find searches while a person types; a path is taken when it is complete.
func (p *Page) find() {
	if text := p.field.Value(); !strings.HasPrefix(text, "$") {
		p.answer.Search(text)
	}
}

// takeFound ends the typing: a text stays searched for, a path picks its values.
func (p *Page) takeFound() tea.Cmd {
	p.finding = false
	text := p.field.Value()
	if !strings.HasPrefix(text, "$") {
		if n := p.answer.Search(text); n == 0 && text != "" {
			return p.foundNothing(text)
		}
		return nil
	}
	of := p.at.Last
	return func() tea.Msg {
		picked, err := request.Pick(of.Answer.Body, text)
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case err != nil:
				return frame.Say(frame.Warn, "%v", err)
			case of != p.at.Last:
				return nil
			}
			p.answer.Search("")
			p.comparing, p.picked = notCompared, &picked
			p.answer.Show(picked.Lines)
			return nil
		})
	}
}

// foundNothing says that no line has a text, and whether the part of the body that is not shown
// has it.
func (p *Page) foundNothing(text string) tea.Cmd {
	p.answer.Search("")
	if !request.Shortened(p.answer.Lines()) {
		return frame.Say(frame.Warn, "the response has no %s", phrase.Quote(text))
	}
	of := p.at.Last
	return func() tea.Msg {
		if of.Has(text) {
			return frame.Say(frame.Warn,
				"%s is in the part of the body that is not shown: pick it by a JSON path, or save the body to a file",
				phrase.Quote(text))()
		}
		return frame.Say(frame.Warn, "the response has no %s, not even in the part that is not shown", phrase.Quote(text))()
	}
}

// dropFound forgets the search.
func (p *Page) dropFound() {
	p.finding = false
	p.answer.Search("")
}

// leaveAnswer goes from what was picked or searched for to the answer, and from there to the
// request.
func (p *Page) leaveAnswer() {
	switch {
	case p.picked != nil || p.comparing != notCompared:
		p.showAnswer()
	case p.answer.Found() != "":
		p.answer.Search("")
	default:
		p.inAnswer = false
	}
}

// copyHere copies what is at hand in the answer: what was picked, or the value, the line or the
// part at the cursor.
func (p *Page) copyHere() tea.Cmd {
	if p.picked != nil {
		return copied(p.picked.Text, p.picked.Path)
	}
	from, to := p.answer.Range()
	lines := p.answer.Lines()[from:to]
	if len(lines) == 0 {
		return frame.Say(frame.Warn, "there is nothing at the cursor")
	}
	if p.comparing == notCompared && lines[0].Tone == prose.Code {
		all, body := p.answer.Lines(), p.at.Last.Answer.Body
		title := slices.IndexFunc(all,
			func(l prose.Line) bool { return l.Tone == prose.Title && l.Text == request.BodyTitle })
		if text, ok := request.ValueAt(body, from-title-1); ok && title >= 0 && title < from {
			return copied(text, "the value")
		}
	}
	if lines[0].Tone == prose.Title && len(lines) > 1 {
		lines = lines[1:]
	}
	return copied(strings.Join(prose.Texts(lines), "\n"), "the text at the cursor")
}

// copied sends a text to the clipboard, and says so.
func copied(text, what string) tea.Cmd {
	return frame.Copy(text, prose.Printable(what)+", "+phrase.Count(len(text), "byte"))
}

func (p *Page) copyBody() tea.Cmd {
	body := p.at.Last.Answer.Body
	if len(body) == 0 {
		return frame.Say(frame.Warn, "the response has no body")
	}
	return copied(string(body), "the body")
}

// drawAnswer draws the answer in a pane of w by h cells.
func (p *Page) drawAnswer(t *theme.Theme, w, h int) string {
	if p.showing != p.at.Last {
		p.showAnswer() // another page of the same run got it
	}
	pane := widget.Pane{Title: "Response", Focused: p.inAnswer}
	inner := w - widget.PaneW
	if p.at.Last == nil {
		return pane.Draw(t, widget.Wrapped(t, prose.Muted, p.nothingYet(), inner), w, h)
	}
	switch {
	case p.picked != nil:
		pane.Title = prose.Printable(p.picked.Path)
		if p.picked.Count > 1 {
			pane.Title += ": " + phrase.Count(p.picked.Count, "value")
		}
	case p.comparing != notCompared:
		pane.Title = "Comparison"
	case p.isEarlier():
		pane.Title = "Earlier response"
	}
	status, found := p.at.Last.Status(), p.found()
	// What was found matters more than when it was answered.
	if when := " of " + answeredAt(p.at.Last); p.picked == nil &&
		(found == "" || layout.Width(pane.Title+when+status+found) <= w-besideTitle) {
		pane.Title += when
	}
	room := h - widget.PaneH
	var below []string
	if p.finding {
		below = []string{t.Key.Render("› ") + p.field.View(t, findHint, inner-2, true)}
	}
	lines := p.answer.Draw(t, inner, room-len(below), p.inAnswer)
	lines = append(lines, make([]string, max(0, room-len(below)-len(lines)))...)
	pane.Right = t.Of(p.at.Last.Tone()).Render(status)
	for _, more := range []string{found, p.answer.Position()} {
		// The status stays if there is no room for more.
		if more != "" && layout.Width(pane.Title+pane.Right+more) <= w-besideTitle {
			pane.Right += t.Muted.Render(" · " + more)
		}
	}
	return pane.Draw(t, append(lines, below...), w, h)
}

// besideTitle are the cells of the upper line of a pane that are no text, and those of " · ".
const besideTitle = 12

// found says what the search found, and if it looked only through a part of the answer.
func (p *Page) found() string {
	text := p.answer.Found()
	if text != "" && request.Shortened(p.answer.Lines()) {
		text += " shown"
	}
	return text
}

// nothingYet says why there is no answer.
func (p *Page) nothingYet() string {
	if running := p.job.Running(); running != "" {
		return running + " ..."
	}
	return "nothing was sent to this path yet: " + keys.Name(keys.Call.Keys()[0]) + " sends the request"
}
