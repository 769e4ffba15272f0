package learn

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// list is the page with all lessons.
type list struct {
	desk    *Desk
	route   Route
	lessons []course.Lesson
	at      int
	// round is the one that the cursor was put for.
	round  int
	layout layout.Layout
	// drawn is the page as it was last drawn, for the lesson at the cursor and as
	// many that are done; "" where that is not known.
	drawn    string
	drawnFor [2]int
}

var _ frame.Page = (*list)(nil)

func newList(d *Desk, r Route) *list {
	l := &list{desk: d, route: r, lessons: course.Lessons()}
	l.at = course.LessonNumber(d.course.Next().ID) - 1
	return l
}

// Init opens the lesson that the route names.
func (l *list) Init() tea.Cmd {
	if n := course.LessonNumber(l.route.Lesson); n > 0 {
		l.at = n - 1
		return frame.Go(l.desk.open(l.route.Lesson))
	}
	return nil
}

// SetSize keeps the rectangles that the page draws in.
func (l *list) SetSize(to layout.Layout) { l.layout, l.drawn = to, "" }

// Dirty is false: nothing here is unsaved.
func (l *list) Dirty() bool { return false }

// Typing is false: there is no text field.
func (l *list) Typing() bool { return false }

// Cursor is nil: there is no text field.
func (l *list) Cursor() *tea.Cursor { return nil }

// Keys are the page's keys as they are now.
func (l *list) Keys() []frame.Binding {
	return []frame.Binding{
		{Keys: []string{"enter"}, Label: "begin", Help: "open the lesson at the cursor", Footer: true, Group: "course"},
		{Keys: []string{"down", "j"}, Label: "down", Help: "move the cursor down", Footer: true, Group: "course"},
		{Keys: []string{"up", "k"}, Label: "up", Help: "move the cursor up", Footer: true, Group: "course"},
		{Keys: []string{"1", "2", "3", "4", "5", "6"}, Label: "lesson", Help: "open the lesson of that number", Group: "course"},
	}
}

// Update takes one message.
func (l *list) Update(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch name := key.String(); name {
	case "down", "j":
		l.at = min(l.at+1, len(l.lessons)-1)
	case "up", "k":
		l.at = max(l.at-1, 0)
	case "enter":
		return frame.Go(l.desk.open(l.lessons[l.at].ID))
	case "1", "2", "3", "4", "5", "6":
		l.at = int(name[0] - '1')
		return frame.Go(l.desk.open(l.lessons[l.at].ID))
	}
	return nil
}

// View draws the lessons, and below or beside them how the one at the cursor
// begins.
func (l *list) View() string {
	if l.round != l.desk.round {
		l.round = l.desk.round
		l.at = course.LessonNumber(l.mostWanted()) - 1
	}
	done := 0
	for _, each := range l.lessons {
		if l.desk.course.Done(each.ID) {
			done++
		}
	}
	if from := [2]int{l.at, done}; l.drawn == "" || l.drawnFor != from {
		l.drawn, l.drawnFor = l.draw(done), from
	}
	return l.drawn
}

// mostWanted is the lesson to go on with: the one that was left, where it is not
// done, else the first that is not.
func (l *list) mostWanted() string {
	if l.desk.opened != "" && !l.desk.course.Done(l.desk.opened) {
		return l.desk.opened
	}
	return l.desk.course.Next().ID
}

func (l *list) draw(done int) string {
	t, main := l.desk.context.Theme, l.layout.Main
	if main.Empty() {
		return ""
	}
	lines := []string{
		margin + t.Title.Render("Learn to build a REST API backend") + t.Muted.Render(fmt.Sprintf("  %d of %d lessons done", done, len(l.lessons))),
	}
	about := "Each lesson is a page to read and a task on the real screens. " + folderText(l.desk.course)
	for _, line := range layout.Wrap(about, max(1, main.W-2)) {
		lines = append(lines, margin+t.Muted.Render(line))
	}
	lines = append(lines, "")
	for i, each := range l.lessons {
		mark, pointer, style := "[ ]", "  ", t.Base
		if l.desk.course.Done(each.ID) {
			mark = "[x]"
		}
		if i == l.at {
			pointer, style = t.BorderFocused.Render("> "), t.Selected
		}
		lines = append(lines, layout.Cut(margin+pointer+style.Render(fmt.Sprintf("%s %d %s", mark, i+1, each.Title)), main.W))
	}
	begins := drawnText(t, firstParagraph(l.lessons[l.at]))
	if l.layout.Side.Empty() {
		lines = append(append(lines, ""), indented(begins(main.W-2), margin)...)
		return layout.Block(strings.Join(lines, "\n"), main.W, main.H)
	}
	side := append([]string{t.Title.Render(l.lessons[l.at].Title), ""}, begins(l.layout.Side.W-4)...)
	return layout.Beside(layout.Block(strings.Join(lines, "\n"), main.W, main.H), beside(t, side, l.layout.Side.W, l.layout.Side.H))
}

// folderText says where the lessons are done.
func folderText(c *course.Course) string {
	if c.Private {
		return "All of it happens in a folder of its own, which is removed when you leave."
	}
	return "All of it happens in " + project.QuotePath(c.Dir) + ", which stays when you leave."
}

// firstParagraph is how a lesson's page begins.
func firstParagraph(l course.Lesson) string {
	text, _, _ := strings.Cut(l.Page, "\n\n")
	return text
}

// missingWord counts what is missing.
func missingWord(n int) string { return model.Count(n, "thing") + " missing" }
