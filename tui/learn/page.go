package learn

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// page is one lesson: its text, and beside it or behind it how far its task has
// come.
type page struct {
	desk   *Desk
	lesson course.Lesson
	// next is the lesson after this one; nil after the last.
	next   *course.Lesson
	route  at
	folder *folder
	job    frame.Job

	// ready says that the folder is one that the lesson can begin in, prepared that
	// it was one before, opening that another page is about to be shown.
	ready, prepared, opening bool
	found                    lookedMsg
	// known says that the folder was looked at, looking that it is looked at since
	// something was done to it.
	known, looking bool
	// hints is how many are shown.
	hints int
	panes [2]widget.Pager
	// front is the pane that the keys are for.
	front  int
	layout layout.Layout
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

func newPage(d *Desk, l course.Lesson, r at) *page {
	p := &page{desk: d, lesson: l, route: r, folder: &folder{course: d.course, lesson: l}}
	if lessons := course.Lessons(); l.Number < len(lessons) {
		p.next = &lessons[l.Number]
	}
	p.panes[textPane].ShowDrawn(p.textLines)
	p.changed()
	return p
}

// Init makes the folder one that the lesson can begin in.
func (p *page) Init() tea.Cmd { return p.prepare(false) }

// Watches has the folder looked at again and again.
func (p *page) Watches() []frame.Watch {
	return []frame.Watch{{Every: time.Second, Look: p.folder.news}}
}

// Job is the command that runs.
func (p *page) Job() *frame.Job { return &p.job }

// SetSize keeps the rectangles that the page draws in.
func (p *page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: nothing here is unsaved.
func (p *page) Dirty() bool { return false }

// Typing is false: dialogs have the text fields.
func (p *page) Typing() bool { return false }

// Update takes one message.
func (p *page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case preparedMsg:
		return p.takePrepared(msg)
	case lookedMsg:
		return p.takeLook(msg)
	case rereadMsg:
		return p.takeReread(msg)
	case printedMsg:
		return tea.Batch(p.lookNow(), frame.Open(dialog.Text(msg.line, msg.text)))
	case session.WrittenMsg:
		// What the page of another lesson says of the folder is not so any more.
		if p.desk.round == p.route.round && p.ready {
			p.front = statePane
			return p.lookNow()
		}
	case tea.MouseWheelMsg:
		p.panes[p.front].Wheel(msg)
	}
	return nil
}

// done reports whether the task was done when the folder was looked at.
func (p *page) done() bool { return p.known && len(p.found.missing) == 0 }

// changed has the state said anew.
func (p *page) changed() { p.panes[statePane].ShowDrawn(p.stateLines) }

func (p *page) takePrepared(msg preparedMsg) tea.Cmd {
	p.ready = p.prepared || msg.err == nil
	p.changed()
	if msg.err != nil {
		// A folder that could not be made anew is what it was.
		return failed(msg.err)
	}
	p.desk.session.Take(msg.project)
	p.found.count, p.known, p.hints = msg.count, false, 0
	if !p.prepared {
		p.prepared = true
		return p.lookNow()
	}
	return tea.Batch(p.lookNow(), frame.Say(frame.Good, "the folder is as the lesson begins"))
}

// lookNow looks at the folder after something was done to it.
func (p *page) lookNow() tea.Cmd {
	p.looking = true
	return p.folder.look
}

func (p *page) takeLook(msg lookedMsg) tea.Cmd {
	if msg.count <= p.found.count {
		return nil
	}
	p.looking = false
	p.changed()
	if msg.err != nil {
		p.found.count = msg.count
		return frame.Say(frame.Warn, "%v", msg.err)
	}
	wasKnown, wasDone := p.known, p.done()
	p.found, p.known = msg, true
	if !wasKnown || wasDone || !p.done() {
		return nil
	}
	p.front = statePane
	p.panes[statePane].ToTop()
	return frame.Say(frame.Good, "lesson %d is done", p.lesson.Number)
}
