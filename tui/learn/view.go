package learn

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/course"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is what every line is indented by.
const margin = " "

// sheet is what the pages of the course have in common.
type sheet struct {
	desk   *Pages
	layout layout.Layout
}

// SetSize keeps the rectangles that the page draws in.
func (s *sheet) SetSize(l layout.Layout) { s.layout = l }

// Dirty is false: nothing here is unsaved.
func (s *sheet) Dirty() bool { return false }

// columns draws lines h lines high, and others beside them where there is room.
func (s *sheet) columns(main, side []string, h int) string {
	left := layout.Block(strings.Join(widget.Indent(main, margin), "\n"), s.layout.Main.W, h)
	if s.layout.Side.Empty() {
		return left
	}
	return layout.Beside(left, widget.Side(s.desk.context.Theme, side, s.layout.Side.W, h))
}

// View draws the text, and how far the task has come: beside it where there is
// room, else in its place.
func (p *page) View() string {
	t, body := p.desk.context.Theme, p.layout.Body()
	head := p.head(t, body.W)
	top, h := layout.Block(strings.Join(head, "\n"), body.W, len(head))+"\n", body.H-len(head)
	p.panes[statePane].ShowDrawn(p.stateLines)
	if p.layout.Side.Empty() {
		return top + p.columns(p.panes[p.front].Draw(t, body.W-2, h), nil, h)
	}
	text, state := p.panes[textPane].Draw(t, p.layout.Main.W-3, h), p.panes[statePane].Draw(t, p.layout.Side.W-4, h)
	return top + p.columns(text, state, h)
}

// head says which lesson it is, and which pane the keys are for.
func (p *page) head(t *theme.Theme, w int) []string {
	title := t.Muted.Render(fmt.Sprintf("Lesson %d of %d  ", p.lesson.Number, len(course.Lessons()))) + t.Title.Render(p.lesson.Title)
	tabs := ""
	for pane, name := range []string{textPane: "Text and task", statePane: "How far: " + p.word()} {
		if pane == p.front {
			tabs += t.Selected.Render("["+name+"]") + " "
		} else {
			tabs += t.Muted.Render(" "+name+" ") + " "
		}
	}
	return []string{margin + layout.Cut(title, w-2), margin + layout.Cut(tabs, w-2), ""}
}

// word says in a word how far the task has come.
func (p *page) word() string {
	switch {
	case p.job.Running() != "":
		return "a command runs ..."
	case !p.ready:
		return "making the folder ..."
	case p.opening:
		return "opening ..."
	case p.looking || !p.known:
		return "reading ..."
	case p.done():
		return "done"
	}
	return model.Count(len(p.found.Missing), "thing") + " missing"
}

// textLines draw the text and the task.
func (p *page) textLines(t *theme.Theme, w int) []string {
	text := drawnText(t, p.lesson.Page+"\n\n## Your task\n\n"+p.lesson.Task, w)
	return append(text, "", t.Muted.Render(layout.Cut("enter opens "+string(p.lesson.Place)+"; I gives a hint", w)))
}

// stateLines say how far the task has come, or what it came to.
func (p *page) stateLines(t *theme.Theme, w int) []string {
	var lines []string
	part := func(title string, of []string) {
		if len(of) > 0 {
			lines = append(append(lines, "", t.Title.Render(layout.Cut(title, w))), of...)
		}
	}
	switch {
	case !p.known:
		part("Your task", widget.Wrapped(t, prose.Muted, p.word(), w))
	case p.done():
		p.doneParts(part, t, w)
	default:
		part("Still missing", listed(t, prose.Warning, "[ ] ", p.found.Missing, w))
	}
	part("As it stands", listed(t, prose.Plain, "- ", p.found.Stands, w))
	if p.known && p.lesson.Event != "" && !p.found.Node {
		part("Without Node.js", widget.Wrapped(t, prose.Note, "Node.js is not on this machine: functions that are written for it do not run here. A request is not asked for then, and r shows an answer that was recorded.", w))
	}
	for i, hint := range p.lesson.Hints[:p.hints] {
		part(fmt.Sprintf("Hint %d of %d", i+1, len(p.lesson.Hints)), drawnText(t, hint, w))
	}
	part("The folder", widget.Wrapped(t, prose.Muted, prose.Printable(p.desk.course.Dir), w))
	return lines[1:]
}

// doneParts say what the lesson came to.
func (p *page) doneParts(part func(title string, of []string), t *theme.Theme, w int) {
	var files []string
	for _, name := range p.found.Made {
		files = append(files, t.Base.Render(layout.Cut("  "+prose.Printable(name), w)))
	}
	next := "That was the last lesson: enter goes to the list."
	if p.next != nil {
		next = fmt.Sprintf("enter goes on with lesson %d: %s.", p.next.Number, p.next.Title)
	}
	part("[x] Done", drawnText(t, p.lesson.Recap, w))
	part("The files of this lesson (F looks into them)", files)
	part("The same on a command line", widget.Indent(spanLines(t, []prose.Line{{Text: p.lesson.Command}}, w-2), "  "))
	part("Next", widget.Wrapped(t, prose.Plain, next, w))
}

// listed draws texts in lines of at most w cells, each with a mark before it.
func listed(t *theme.Theme, tone prose.Tone, mark string, texts []string, w int) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, marked(t.Of(tone), mark, widget.Wrapped(t, tone, prose.Printable(text), w-len(mark)))...)
	}
	return lines
}

// marked puts a mark before the first of some lines, and the others below it.
func marked(style lipgloss.Style, mark string, lines []string) []string {
	lines = widget.Indent(lines, strings.Repeat(" ", len(mark)))
	if len(lines) > 0 && mark != "" {
		lines[0] = style.Render(strings.TrimSpace(mark)) + " " + lines[0][len(mark):]
	}
	return lines
}

// drawnText draws a text of the course in lines of at most w cells.
func drawnText(t *theme.Theme, text string, w int) []string {
	w = max(1, w)
	var lines []string
	for _, line := range course.Lines(text) {
		within := max(1, w-len(line.Mark))
		if line.Code {
			lines = append(lines, line.Mark+t.Of(line.Spans[0].Tone).Render(layout.Cut(prose.Printable(line.Spans[0].Text), within)))
			continue
		}
		lines = append(lines, marked(t.Muted, line.Mark, spanLines(t, line.Spans, within))...)
	}
	return lines
}

// spanLines breaks spans into lines between words. Styles are set word by word, so
// that none reaches into the next line.
func spanLines(t *theme.Theme, spans []prose.Line, w int) []string {
	var drawn strings.Builder
	for _, span := range spans {
		words := strings.Split(prose.Printable(span.Text), " ")
		for i, word := range words {
			if word != "" {
				words[i] = t.Of(span.Tone).Render(word)
			}
		}
		drawn.WriteString(strings.Join(words, " "))
	}
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(drawn.String()) {
		if line != "" && layout.Width(line)+1+layout.Width(word) <= w {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		// A word that is longer than a line goes on in the next, in its style.
		broken := strings.Split(lipgloss.Wrap(word, w, ""), "\n")
		lines, line = append(lines, broken[:len(broken)-1]...), broken[len(broken)-1]
	}
	return append(lines, line)
}
