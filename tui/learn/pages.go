// Package learn has the pages of the course: the list of lessons, and each lesson with
// its text and the progress of its task. Package course has the lessons and their checks.
package learn

import (
	"cmp"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/flow/session"
	"gatewright/tui/frame"
	"gatewright/tui/route"
	"gatewright/tui/wizard"
)

// lessonRoute is a lesson. Each time it is opened it gets a new round, and so a new page,
// because another lesson may have used the folder meanwhile.
type lessonRoute struct {
	lesson string
	round  int
}

// Title is the page's name.
func (r lessonRoute) Title() string {
	l, _ := course.FindLesson(r.lesson)
	return cmp.Or(l.Title, "lesson")
}

// wizardRoute is the wizard for a lesson's task.
type wizardRoute struct {
	route.Wizard
	lesson lessonRoute
}

// Pages is what the pages of one course share.
type Pages struct {
	context *frame.Context
	course  *course.Course
	session *session.Session
	// last is the lesson that was opened last: only its page checks the folder.
	last lessonRoute
}

// NewPages makes the pages of a course in the folder of a session. If the course is nil,
// there are none.
func NewPages(context *frame.Context, c *course.Course, s *session.Session) *Pages {
	return &Pages{context: context, course: c, session: s}
}

// Page makes the page of a route of the course; nil for any other route.
func (p *Pages) Page(to frame.Route) frame.Page {
	if p.course == nil {
		return nil
	}
	switch r := to.(type) {
	case route.Course:
		return newList(p, r.Lesson)
	case lessonRoute:
		if l, err := course.FindLesson(r.lesson); err == nil {
			return newPage(p, l, r)
		}
	case wizardRoute:
		lesson, _ := course.FindLesson(r.lesson.lesson)
		return &taskWizard{Page: wizard.New(p.context, p.session, r.Wizard, r.lesson), context: p.context, lesson: lesson}
	}
	return nil
}

// open is the route of a lesson in a new round.
func (p *Pages) open(id string) frame.Route {
	p.last = lessonRoute{id, p.last.round + 1}
	return p.last
}

// Open runs the course as a program of its own in this terminal, because its folder and
// project are not those of the open screens.
func Open(theme string) tea.Cmd {
	ended := func(err error) tea.Msg {
		if err == nil {
			return nil
		}
		return frame.Say(frame.Error, "the course failed: %v", err)()
	}
	program, err := os.Executable()
	if err != nil {
		return func() tea.Msg { return ended(err) }
	}
	return frame.Exec(exec.Command(program, "learn", "--theme", theme), ended)
}
