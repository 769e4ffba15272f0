package learn

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// page is one lesson: its text, and the progress of its task next to or behind it.
type page struct {
	pageBase
	lesson course.Lesson
	next   *course.Lesson // nil after the last
	route  lessonRoute
	folder *folder
	job    frame.Job

	// ready says that the folder is ready for the lesson, opening that another page is
	// about to be shown.
	ready, opening bool
	report         course.Report
	// known says that the folder was checked, checking that it is being checked after an
	// action.
	known, checking bool
	// hints is the number of hints that are shown.
	hints int
	panes [2]widget.Pager
	// shownPane is the index of the pane that has the keys.
	shownPane int
}

// The panes.
const (
	textPane = iota
	statePane
)

var (
	_ frame.Page    = (*page)(nil)
	_ frame.Worker  = (*page)(nil)
	_ frame.Watcher = (*page)(nil)
)

func newPage(pages *Pages, l course.Lesson, r lessonRoute) *page {
	p := &page{
		pageBase: pageBase{pages: pages}, lesson: l, next: l.Next(), route: r,
		folder: &folder{course: pages.course, lesson: l},
	}
	p.panes[textPane].ShowDrawn(p.textLines)
	return p
}

// Init makes the folder ready for the lesson.
func (p *page) Init() tea.Cmd { return p.prepare(false) }

// Watches checks the folder every second.
func (p *page) Watches() []frame.Watch {
	return []frame.Watch{{Every: time.Second, Poll: func() tea.Msg { return p.folder.check(false) }}}
}

// Job is the command that runs.
func (p *page) Job() *frame.Job { return &p.job }

// Typing is false: only dialogs have text fields.
func (p *page) Typing() bool { return false }

// Update takes one message.
func (p *page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *reportMsg:
		return p.takeReport(msg)
	case session.WrittenMsg:
		// Only the page of the open lesson checks the folder.
		if p.pages.last == p.route && p.ready {
			p.shownPane = statePane
			return p.checkNow()
		}
	case tea.MouseWheelMsg:
		p.panes[p.shownPane].Wheel(msg)
	}
	return nil
}

// done reports whether the task was done at the last check.
func (p *page) done() bool { return p.known && p.report.Done() }

// prepared is called after prepare. If starting over has failed, the folder is unchanged.
func (p *page) prepared(reset bool, read *project.Project, err error) tea.Cmd {
	p.ready = reset || err == nil
	if err != nil {
		return failed(err)
	}
	p.pages.session.Take(read)
	p.known, p.hints = false, 0
	if !reset {
		return p.checkNow()
	}
	return tea.Batch(p.checkNow(), frame.Say(frame.Good, "the folder is as it was when the lesson began"))
}

// checkNow checks the folder after an action.
func (p *page) checkNow() tea.Cmd {
	p.checking = true
	return func() tea.Msg { return p.folder.check(true) }
}

// takeReport shows the result of a check, unless a later one has another result.
func (p *page) takeReport(msg *reportMsg) tea.Cmd {
	if msg != p.folder.latest.Load() {
		return nil
	}
	p.checking = false
	if msg.err != nil {
		return frame.Say(frame.Warn, "%v", msg.err)
	}
	wasKnown, wasDone := p.known, p.done()
	p.report, p.known = msg.Report, true
	if !wasKnown || wasDone || !p.done() {
		return nil
	}
	p.shownPane = statePane
	p.panes[statePane].ToTop()
	return frame.Say(frame.Good, "lesson %d is done", p.lesson.Number)
}
