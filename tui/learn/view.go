package learn

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/flow/course"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is the indentation of every line.
const margin = " "

// pageBase is the part that the pages of the course have in common.
type pageBase struct {
	pages  *Pages
	layout layout.Layout
}

// SetSize keeps the layout for View.
func (s *pageBase) SetSize(l layout.Layout) { s.layout = l }

// Dirty is false: the pages have no unsaved work.
func (s *pageBase) Dirty() bool { return false }

// View draws the text and the progress of the task in panes, side by side if there is room;
// otherwise the pane that has the keys.
func (p *page) View() string {
	t, body := p.pages.context.Theme, p.layout.Body()
	p.panes[statePane].ShowDrawn(p.stateLines)
	title := fmt.Sprintf("Lesson %d of %d  %s", p.lesson.Number, len(course.Lessons()), p.lesson.Title)
	progress := "Progress: " + p.progressText()
	text := widget.Pane{Title: title, Focused: p.shownPane == textPane}
	state := widget.Pane{Title: progress, Focused: p.shownPane == statePane}
	draw := func(pane widget.Pane, which, w int) string {
		return pane.Draw(t, p.panes[which].Draw(t, w-widget.PaneW, body.H-widget.PaneH), w, body.H)
	}
	if !p.layout.Side.Empty() {
		return layout.Beside(draw(text, textPane, p.layout.Main.W), draw(state, statePane, p.layout.Side.W))
	}
	if p.shownPane == textPane {
		text.Right = t.Muted.Render("tab ") + t.PaneTitle.Render(progress)
		if layout.Width(text.Right)+layout.Width(title) > body.W-narrowest {
			text.Title = fmt.Sprintf("Lesson %d of %d", p.lesson.Number, len(course.Lessons()))
		}
		return draw(text, textPane, body.W)
	}
	state.Right = t.Muted.Render("tab Text and task")
	return draw(state, statePane, body.W)
}

// narrowest is what the frame of a pane takes of its upper line, besides the texts.
const narrowest = 10

// progressText says in a few words how far the task is.
func (p *page) progressText() string {
	switch {
	case p.job.Running() != "":
		return "a command runs ..."
	case !p.ready:
		return "making the folder ..."
	case p.opening:
		return "opening ..."
	case p.checking || !p.known:
		return "reading ..."
	case p.done():
		return "done"
	}
	return phrase.Count(len(p.report.Missing), "thing") + " missing"
}

// textLines draw the text and the task.
func (p *page) textLines(t *theme.Theme, w int) []string {
	text := drawText(t, p.lesson.Page+"\n\n## Your task\n\n"+p.lesson.Task, w)
	return append(text, "", t.Muted.Render(layout.Cut("enter opens "+string(p.lesson.Place)+"; I gives a hint", w)))
}

// stateLines draw what is missing, or the recap if the task is done.
func (p *page) stateLines(t *theme.Theme, w int) []string {
	var lines []string
	part := func(title string, of []string) {
		if len(of) > 0 {
			lines = append(append(lines, "", t.Title.Render(layout.Cut(title, w))), of...)
		}
	}
	switch {
	case !p.known:
		part("Your task", widget.Wrapped(t, prose.Muted, p.progressText(), w))
	case p.done():
		p.doneParts(part, t, w)
	default:
		part("Still missing", listed(t, prose.Warning, "[ ] ", p.report.Missing, w))
	}
	part("As it stands", listed(t, prose.Plain, "- ", p.report.Summary, w))
	if p.known && p.lesson.Event != "" && !p.report.Node {
		part("Without Node.js",
			widget.Wrapped(t, prose.Note,
				"Node.js is not on this machine, so functions that are written for it do not run here. The task needs no request "+
					"then, and r shows a recorded response.", w))
	}
	for i, hint := range p.lesson.Hints[:p.hints] {
		part(fmt.Sprintf("Hint %d of %d", i+1, len(p.lesson.Hints)), drawText(t, hint, w))
	}
	part("The folder", widget.Wrapped(t, prose.Muted, prose.Printable(p.pages.course.Dir), w))
	return lines[1:]
}

// doneParts add the parts of a lesson that is done.
func (p *page) doneParts(part func(title string, of []string), t *theme.Theme, w int) {
	var files []string
	for _, name := range p.report.ChangedFiles {
		files = append(files, t.Base.Render(layout.Cut("  "+prose.Printable(name), w)))
	}
	next := "That was the last lesson: enter goes to the list."
	if p.next != nil {
		next = fmt.Sprintf("enter goes on with lesson %d: %s.", p.next.Number, p.next.Title)
	}
	part("[x] Done", drawText(t, p.lesson.Recap, w))
	part("The files of this lesson (F shows them)", files)
	part("The same on a command line", widget.Indent(spanLines(t, []prose.Line{{Text: p.lesson.Command}}, w-2), "  "))
	part("Next", widget.Wrapped(t, prose.Plain, next, w))
}

// listed draws a list of texts in lines of at most w cells, each text after a mark.
func listed(t *theme.Theme, tone prose.Tone, mark string, texts []string, w int) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, marked(t.Of(tone), mark, widget.Wrapped(t, tone, prose.Printable(text), w-len(mark)))...)
	}
	return lines
}

// marked puts a mark before the first line, and indents the others by its width.
func marked(style lipgloss.Style, mark string, lines []string) []string {
	lines = widget.Indent(lines, strings.Repeat(" ", len(mark)))
	if len(lines) > 0 && mark != "" {
		lines[0] = style.Render(strings.TrimSpace(mark)) + " " + lines[0][len(mark):]
	}
	return lines
}

// drawText draws a text of the course in lines of at most w cells.
func drawText(t *theme.Theme, text string, w int) []string {
	w = max(1, w)
	var lines []string
	for _, line := range course.Lines(text) {
		within := max(1, w-len(line.Mark))
		if line.Code {
			lines = append(lines,
				line.Mark+t.Of(line.Spans[0].Tone).Render(layout.Cut(prose.Printable(line.Spans[0].Text), within)))
			continue
		}
		lines = append(lines, marked(t.Muted, line.Mark, spanLines(t, line.Spans, within))...)
	}
	return lines
}

// spanLines wraps spans into lines. Each word is styled alone, so that no style reaches
// into the next line.
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
		// A word that is longer than a line is broken; its style continues.
		broken := strings.Split(lipgloss.Wrap(word, w, ""), "\n")
		lines, line = append(lines, broken[:len(broken)-1]...), broken[len(broken)-1]
	}
	return append(lines, line)
}
