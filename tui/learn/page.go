package learn

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/wizard"
)

// page is one lesson: its text, and beside it or behind it how far its task has
// come.
type page struct {
	desk   *Desk
	lesson course.Lesson
	route  at

	// ready says that the folder is one that the lesson can begin in, opening that
	// another page is about to be shown.
	ready, opening bool
	// waiting says that the folder is looked at again and again.
	waiting       bool
	standing      course.Standing
	missing, made []string
	// known says that the folder was looked at, done that the task was done then,
	// looking that it is looked at since something was done to it.
	known, done, looking bool
	// hints is how many are shown.
	hints int
	// running is what runs, so that it can be ended; nil for nothing.
	running *running
	// inState says that the keys are for the pane with the state.
	inState bool
	panes   [2]pane
	layout  layout.Layout
	drawn   drawn
}

// drawn is the page as it was last drawn.
type drawn struct {
	text  string
	stale bool
	// seen says that it was drawn since the last look at the folder: a page that
	// nobody sees does not look.
	seen bool
}

// pane is lines that can be scrolled.
type pane struct {
	lines []string
	// width is what the lines were drawn for; stale says that they say something
	// else by now.
	width int
	stale bool
	// top is the first line in view, rows how many are, as last drawn.
	top, rows int
}

// The panes.
const (
	textPane = iota
	statePane
)

var _ frame.Page = (*page)(nil)

func newPage(d *Desk, l course.Lesson, r at) *page {
	return &page{desk: d, lesson: l, route: r}
}

// pace is how often the folder is looked at.
const pace = time.Second

// Init makes the folder one that the lesson can begin in.
func (p *page) Init() tea.Cmd { return p.prepare(false) }

// SetSize keeps the rectangles that the page draws in.
func (p *page) SetSize(l layout.Layout) {
	p.layout = l
	p.drawn.stale = true
	for i := range p.panes {
		p.panes[i].stale = true
	}
}

// Dirty is false: nothing here is unsaved.
func (p *page) Dirty() bool { return false }

// Typing is false: dialogs have the text fields.
func (p *page) Typing() bool { return false }

// Cursor is nil: there is no text field.
func (p *page) Cursor() *tea.Cursor { return nil }

// current reports whether the page is of the lesson that was opened last: what
// another one says of the folder is not so any more.
func (p *page) current() bool { return p.desk.round == p.route.round }

// Update takes one message.
func (p *page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.drawn.stale = true
		return p.key(msg.String())
	case prepared:
		if msg.of == p {
			return p.takePrepared(msg)
		}
	case looked:
		if msg.of == p {
			return p.takeLook(msg)
		}
	case over:
		if msg.of == p && p.current() {
			return p.lookAgain()
		}
	case reread:
		if msg.of == p {
			return p.takeReread(msg)
		}
	case printed:
		if msg.of == p {
			return p.takePrinted(msg)
		}
	case saved:
		if msg.of == p {
			return p.takeSaved(msg)
		}
	case content:
		if msg.of == p && msg.err == nil {
			return frame.Open(dialog.Text(fileDialog, msg.name, msg.text))
		}
		if msg.of == p {
			return frame.Say(frame.Error, "%v", msg.err)
		}
	case wizard.Written:
		if p.current() && p.ready {
			p.inState = true
			return p.lookNow()
		}
	case dialog.Result:
		p.drawn.stale = true
		return p.answer(msg)
	}
	return nil
}

// changed marks the state as said anew.
func (p *page) changed() {
	p.drawn.stale = true
	p.panes[statePane].stale = true
}

func (p *page) takePrepared(msg prepared) tea.Cmd {
	if msg.err != nil {
		// A folder that could not be made anew is what it was.
		p.ready = p.waiting
		p.changed()
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.desk.session.Take(msg.project)
	first := !p.waiting
	p.waiting = true
	p.ready, p.known, p.done, p.hints = true, false, false, 0
	p.changed()
	if !first {
		return tea.Batch(p.lookNow(), frame.Say(frame.Good, "the folder is as the lesson begins"))
	}
	return tea.Batch(p.lookNow(), p.wait())
}

// lookNow looks at the folder after something was done to it.
func (p *page) lookNow() tea.Cmd {
	p.looking = true
	p.drawn.stale = true
	return p.look()
}

func (p *page) takeLook(msg looked) tea.Cmd {
	if p.looking {
		p.looking = false
		p.changed()
	}
	if msg.err != nil {
		return frame.Say(frame.Warn, "%v", msg.err)
	}
	finished := p.known && !p.done && len(msg.missing) == 0
	same := p.known && slices.Equal(p.missing, msg.missing) && slices.Equal(p.made, msg.made) && slices.Equal(lookOf(p.lesson, p.standing), lookOf(p.lesson, msg.standing))
	p.standing, p.missing, p.made = msg.standing, msg.missing, msg.made
	p.done, p.known = len(msg.missing) == 0, true
	if !same {
		p.changed()
	}
	if !finished {
		return nil
	}
	p.inState = true
	p.panes[statePane].top = 0
	return frame.Say(frame.Good, "lesson %d is done", course.LessonNumber(p.lesson.ID))
}

// lookOf is how what a lesson is about stands.
func lookOf(l course.Lesson, s course.Standing) []string {
	if l.Look == nil || s.Backend == nil {
		return nil
	}
	return l.Look(s.Backend)
}

// lookAgain looks at the folder where somebody sees the page.
func (p *page) lookAgain() tea.Cmd {
	if !p.drawn.seen {
		return p.wait()
	}
	p.drawn.seen = false
	return tea.Batch(p.look(), p.wait())
}
