package learn

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// list is the page with all lessons.
type list struct {
	pageBase
	table widget.Table[course.Lesson]
	// openAtOnce is the ID of the lesson that Init opens; "" for none.
	openAtOnce string
	// last is the lesson that was open when the cursor was last moved by View.
	last lessonRoute
}

var _ frame.Page = (*list)(nil)

func newList(pages *Pages, opens string) *list {
	l := &list{pageBase: pageBase{pages: pages}, openAtOnce: opens}
	l.table = widget.Table[course.Lesson]{
		Columns: []widget.Column[course.Lesson]{{Text: func(each course.Lesson) string {
			mark := "[ ]"
			if pages.course.Done(each.ID) {
				mark = "[x]"
			}
			return fmt.Sprintf("%s %d %s", mark, each.Number, each.Title)
		}}},
		ID: func(each course.Lesson) string { return each.ID },
	}
	l.table.SetRows(course.Lessons())
	l.table.To(pages.course.Next().ID)
	return l
}

// Init opens the lesson that the route names.
func (l *list) Init() tea.Cmd {
	if l.openAtOnce == "" {
		return nil
	}
	return l.open(l.openAtOnce)
}

func (l *list) open(id string) tea.Cmd { return frame.Go(l.pages.open(id)) }

// Typing reports whether a filter is being typed.
func (l *list) Typing() bool { return l.table.Typing() }

// Update gives keys to the filter.
func (l *list) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if l.Typing() {
			return l.table.Type(msg)
		}
	case tea.MouseWheelMsg:
		return l.table.Wheel(msg)
	}
	return nil
}

// Bindings are the actions of the list.
func (l *list) Bindings() []keys.Binding {
	if l.Typing() {
		return l.table.Bindings()
	}
	at, ok := l.table.Row()
	all := append([]keys.Binding{
		keys.Open.Does("begin", "open the lesson at the cursor",
			func() tea.Cmd { return l.open(at.ID) }).Shown().Unless(keys.When(!ok, "nothing matches")),
	}, l.table.Bindings()...)
	for i, each := range l.table.Rows() {
		all = append(all,
			keys.Number.Nth(i, "lesson "+each.Title, "open the lesson "+each.Title, func() tea.Cmd { return l.open(each.ID) }))
	}
	return keys.InGroup("course", all)
}

// nextLesson is the lesson to go on with: the last opened one if it is not done, else
// the first one that is not done.
func (l *list) nextLesson() string {
	if last := l.pages.last.lesson; last != "" && !l.pages.course.Done(last) {
		return last
	}
	return l.pages.course.Next().ID
}

// View draws the lessons, and below or next to them the first paragraph of the cursor's.
func (l *list) View() string {
	t, main, side := l.pages.context.Theme, l.layout.Main, l.layout.Side
	if l.last != l.pages.last {
		l.last = l.pages.last
		l.table.To(l.nextLesson())
	}
	done := 0
	for _, each := range l.table.Rows() {
		if l.pages.course.Done(each.ID) {
			done++
		}
	}
	body := l.layout.Body()
	w, h := body.W, body.H
	if !side.Empty() {
		w = main.W
	}
	lines := append(widget.Wrapped(t, prose.Muted,
		"Each lesson is a page to read and a task on the real screens. "+l.pages.course.FolderNote(), w-widget.PaneW), "")
	lines = append(lines, l.table.Draw(t, w-widget.PaneW, max(1, h-widget.PaneH-len(lines)), true)...)
	pane := widget.Pane{
		Title: "Learn to build a REST API backend",
		Right: t.Muted.Render(fmt.Sprintf("%d of %d lessons done", done, l.table.Len())), Focused: true,
	}
	at, ok := l.table.Row()
	if !ok {
		return pane.Draw(t, lines, w, h)
	}
	if !side.Empty() {
		begins := widget.Pane{Title: at.Title}.Draw(t, drawText(t, firstParagraph(at), side.W-widget.PaneW), side.W, h)
		return layout.Beside(pane.Draw(t, lines, w, h), begins)
	}
	return pane.Draw(t, append(append(lines, ""), drawText(t, firstParagraph(at), w-widget.PaneW)...), w, h)
}

// firstParagraph is the first paragraph of a lesson's page.
func firstParagraph(l course.Lesson) string {
	text, _, _ := strings.Cut(l.Page, "\n\n")
	return text
}
