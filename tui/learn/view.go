package learn

import (
	"fmt"
	"strings"

	"gatewright/course"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// View draws the text, and how far the task has come: beside it where there is
// room, else in its place.
func (p *page) View() string {
	p.drawn.seen = true
	if p.drawn.stale || p.drawn.text == "" {
		p.drawn.text, p.drawn.stale = p.draw(), false
	}
	return p.drawn.text
}

// front is the pane that the keys are for.
func (p *page) front() int {
	if p.inState {
		return statePane
	}
	return textPane
}

func (p *page) draw() string {
	t, body := p.desk.context.Theme, p.layout.Body()
	if body.Empty() {
		return ""
	}
	head := p.head(t, body.W)
	h := body.H - len(head)
	top := layout.Block(strings.Join(head, "\n"), body.W, len(head))
	if p.layout.Side.Empty() {
		lines := p.paneLines(t, p.front(), body.W-2, h)
		return top + "\n" + layout.Block(strings.Join(indented(lines, margin), "\n"), body.W, h)
	}
	main, side := p.layout.Main, p.layout.Side
	text := layout.Block(strings.Join(indented(p.paneLines(t, textPane, main.W-3, h), margin), "\n"), main.W, h)
	return top + "\n" + layout.Beside(text, beside(t, p.paneLines(t, statePane, side.W-4, h), side.W, h))
}

// head says which lesson it is, and which pane the keys are for.
func (p *page) head(t *theme.Theme, w int) []string {
	all := len(course.Lessons())
	title := t.Muted.Render(fmt.Sprintf("Lesson %d of %d  ", course.LessonNumber(p.lesson.ID), all)) + t.Title.Render(p.lesson.Title)
	names := [2]string{"Text and task", "How far: " + p.word()}
	tabs := ""
	for i, name := range names {
		if i == p.front() {
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
	case p.running != nil:
		return "a command runs ..."
	case !p.ready:
		return "making the folder ..."
	case p.opening:
		return "opening ..."
	case p.looking || !p.known:
		return "reading ..."
	case p.done:
		return "done"
	}
	return missingWord(len(p.missing))
}

// paneLines are the lines of a pane that are in view in h lines of w cells.
func (p *page) paneLines(t *theme.Theme, which, w, h int) []string {
	pane := &p.panes[which]
	if pane.stale || pane.width != w {
		pane.lines, pane.width, pane.stale = p.wholePane(t, which, w), w, false
	}
	pane.rows = max(1, h)
	if len(pane.lines) > h {
		pane.rows = max(1, h-1)
	}
	pane.top = max(0, min(pane.top, len(pane.lines)-pane.rows))
	end := min(len(pane.lines), pane.top+pane.rows)
	lines := append([]string(nil), pane.lines[pane.top:end]...)
	if len(pane.lines) > h {
		lines = append(lines, t.Muted.Render(layout.Cut(more(pane.top, len(pane.lines)-end), w)))
	}
	return lines
}

// more says what of a pane is out of view.
func more(above, below int) string {
	switch {
	case above == 0:
		return fmt.Sprintf("%d lines more below", below)
	case below == 0:
		return fmt.Sprintf("the end; %d lines more above", above)
	}
	return fmt.Sprintf("%d lines more below, %d above", below, above)
}

func (p *page) wholePane(t *theme.Theme, which, w int) []string {
	if which == textPane {
		text := drawnText(t, p.lesson.Page+"\n\n## Your task\n\n"+p.lesson.Task)(w)
		return append(text, "", t.Muted.Render(layout.Cut("enter opens "+p.lesson.Place.String()+"; h gives a hint", w)))
	}
	return p.stateLines(t, w)
}

// stateLines say how far the task has come, or what it came to.
func (p *page) stateLines(t *theme.Theme, w int) []string {
	var lines []string
	section := func(title string, part []string) {
		if len(part) == 0 {
			return
		}
		if lines != nil {
			lines = append(lines, "")
		}
		lines = append(append(lines, t.Title.Render(layout.Cut(title, w))), part...)
	}
	if p.running != nil {
		section("Running", wrapped(prose.Fit(p.running.line)+" (since "+p.running.since.Format("15:04:05")+"; esc ends it)", w, t.Base.Render))
	}
	switch {
	case !p.known:
		section("Your task", []string{t.Muted.Render(p.word())})
	case p.done:
		p.doneLines(t, w, section)
	default:
		var missing []string
		for _, text := range p.missing {
			missing = append(missing, hanging("[ ] ", prose.Fit(text), w, t.Warning.Render)...)
		}
		section("Still missing", missing)
	}
	var look []string
	for _, text := range lookOf(p.lesson, p.standing) {
		look = append(look, hanging("- ", prose.Fit(text), w, t.Base.Render)...)
	}
	section("As it stands", look)
	if p.known && p.lesson.Event != "" && !p.standing.Facts.Node {
		section("Without Node.js", wrapped("Node.js is not on this machine: functions that are written for it do not run here. A request is not asked for then, and r shows an answer that was recorded.", w, t.Note.Render))
	}
	for i, hint := range p.lesson.Hints[:min(p.hints, len(p.lesson.Hints))] {
		section(fmt.Sprintf("Hint %d of %d", i+1, len(p.lesson.Hints)), drawnText(t, hint)(w))
	}
	section("The folder", wrapped(prose.Fit(p.desk.course.Dir), w, t.Muted.Render))
	return lines
}

// doneLines say what the lesson came to.
func (p *page) doneLines(t *theme.Theme, w int, section func(string, []string)) {
	section("[x] Done", drawnText(t, p.lesson.Recap)(w))
	var files []string
	for _, name := range p.made {
		files = append(files, t.Base.Render(layout.Cut("  "+prose.Fit(name), w)))
	}
	section("The files of this lesson (f looks into them)", files)
	section("The same on a command line", indented(spanLines(t, []course.Span{{Text: p.lesson.Command}}, w-2), "  "))
	next := "That was the last lesson: enter goes to the list."
	if id := p.next(); id != "" {
		if l, err := course.FindLesson(id); err == nil {
			next = fmt.Sprintf("enter goes on with lesson %d: %s.", course.LessonNumber(id), l.Title)
		}
	}
	section("Next", wrapped(next, w, t.Base.Render))
}

// wrapped draws text in lines of at most w cells.
func wrapped(text string, w int, draw func(...string) string) []string {
	lines := layout.Wrap(text, max(1, w))
	for i, line := range lines {
		lines[i] = draw(line)
	}
	return lines
}

// hanging is wrapped with a mark before the first line, and the others below it.
func hanging(mark, text string, w int, draw func(...string) string) []string {
	lines := wrapped(text, w-len(mark), draw)
	for i := range lines {
		before := strings.Repeat(" ", len(mark))
		if i == 0 {
			before = draw(mark)
		}
		lines[i] = before + lines[i]
	}
	return lines
}
