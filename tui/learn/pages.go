// Package learn is the course on screens: the list of its lessons, and each lesson
// with its text beside how far its task has come. What a lesson is, and whether it
// is done, is known by package course.
package learn

import (
	"cmp"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/tui/frame"
	"gatewright/tui/route"
	"gatewright/tui/wizard"
)

// at is a lesson. Each time it is opened is a round of its own: its folder may
// have been another one in between.
type at struct {
	lesson string
	round  int
}

// Title is the page's name.
func (r at) Title() string {
	l, _ := course.FindLesson(r.lesson)
	return cmp.Or(l.Title, "lesson")
}

// walk is the wizard for a lesson's task.
type walk struct {
	route.Wizard
	lesson at
}

// Pages is what the pages of one course share. Its folder is that of the session.
type Pages struct {
	context *frame.Context
	course  *course.Course
	session *session.Session
	// last is the lesson that was opened last: only its page looks at the folder.
	last at
}

// NewPages is the desk of a course. A course that is nil has no pages.
func NewPages(context *frame.Context, c *course.Course, s *session.Session) *Pages {
	return &Pages{context: context, course: c, session: s}
}

// Page makes the page of a route of the course; nil for every other route.
func (d *Pages) Page(to frame.Route) frame.Page {
	if d.course == nil {
		return nil
	}
	switch r := to.(type) {
	case route.Course:
		return newList(d, r.Lesson)
	case at:
		if l, err := course.FindLesson(r.lesson); err == nil {
			return newPage(d, l, r)
		}
	case walk:
		return undrafted{wizard.New(d.context, d.session, r.Wizard, r.lesson)}
	}
	return nil
}

// open shows a lesson in a new round.
func (d *Pages) open(id string) frame.Route {
	d.last = at{id, d.last.round + 1}
	return d.last
}

// undrafted is a wizard that offers no draft: the folder that it is about is gone
// at the next start.
type undrafted struct{ frame.Page }

// Open runs the course as a program of its own, in the terminal of this one, in a
// theme. Its folder and its project are other ones than those of the screens that
// it is opened from.
func Open(theme string) tea.Cmd {
	over := func(err error) tea.Msg {
		if err == nil {
			return nil
		}
		return frame.Say(frame.Error, "the course ended with: %v", err)()
	}
	program, err := os.Executable()
	if err != nil {
		return func() tea.Msg { return over(err) }
	}
	return frame.Exec(exec.Command(program, "learn", "--theme", theme), over)
}
