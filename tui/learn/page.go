package learn

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// page is one lesson: its text, and beside it or behind it how far its task has
// come.
type page struct {
	sheet
	lesson course.Lesson
	next   *course.Lesson // nil after the last
	route  at
	folder *folder
	job    frame.Job

	// ready says that the folder is one that the lesson can begin in, opening that
	// another page is about to be shown.
	ready, opening bool
	found          course.Report
	// known says that the folder was looked at, looking that it is looked at since
	// something was done to it.
	known, looking bool
	// hints is how many are shown.
	hints int
	panes [2]widget.Pager
	// front is the pane that the keys are for.
	front int
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

func newPage(d *Pages, l course.Lesson, r at) *page {
	p := &page{sheet: sheet{desk: d}, lesson: l, next: l.Next(), route: r, folder: &folder{course: d.course, lesson: l}}
	p.panes[textPane].ShowDrawn(p.textLines)
	return p
}

// Init makes the folder one that the lesson can begin in.
func (p *page) Init() tea.Cmd { return p.prepare(false) }

// Watches has the folder looked at again and again.
func (p *page) Watches() []frame.Watch {
	return []frame.Watch{{Every: time.Second, Poll: func() tea.Msg { return p.folder.look(false) }}}
}

// Job is the command that runs.
func (p *page) Job() *frame.Job { return &p.job }

// Typing is false: dialogs have the text fields.
func (p *page) Typing() bool { return false }

// Update takes one message.
func (p *page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *lookedMsg:
		return p.takeLook(msg)
	case session.WrittenMsg:
		// What the page of another lesson says of the folder is not so any more.
		if p.desk.last == p.route && p.ready {
			p.front = statePane
			return p.lookNow()
		}
	case tea.MouseWheelMsg:
		p.panes[p.front].Wheel(msg)
	}
	return nil
}

// done reports whether the task was done when the folder was looked at.
func (p *page) done() bool { return p.known && p.found.Done() }

// prepared goes on when the folder was made. One that could not be made anew is what
// it was.
func (p *page) prepared(anew bool, read *project.Project, err error) tea.Cmd {
	p.ready = anew || err == nil
	if err != nil {
		return failed(err)
	}
	p.desk.session.Take(read)
	p.known, p.hints = false, 0
	if !anew {
		return p.lookNow()
	}
	return tea.Batch(p.lookNow(), frame.Say(frame.Good, "the folder is as the lesson begins"))
}

// lookNow looks at the folder after something was done to it.
func (p *page) lookNow() tea.Cmd {
	p.looking = true
	return func() tea.Msg { return p.folder.look(true) }
}

// takeLook shows what a look found; where a later one found anything else, that comes.
func (p *page) takeLook(msg *lookedMsg) tea.Cmd {
	if msg != p.folder.seen.Load() {
		return nil
	}
	p.looking = false
	if msg.err != nil {
		return frame.Say(frame.Warn, "%v", msg.err)
	}
	wasKnown, wasDone := p.known, p.done()
	p.found, p.known = msg.Report, true
	if !wasKnown || wasDone || !p.done() {
		return nil
	}
	p.front = statePane
	p.panes[statePane].ToTop()
	return frame.Say(frame.Good, "lesson %d is done", p.lesson.Number)
}
