// Package dashboard is the screen that shows a project as it is, one tab for each
// way to look at it, and changes it where it was given a session. Without one it
// takes no lock, and finishes no write that was interrupted: beside any other
// program it only looks.
package dashboard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/wizard"
)

// Route is the dashboard. Environment is the one that it begins with; "" is the
// one chosen on this machine, else the first.
type Route struct{ Environment string }

// Title is the page's name.
func (Route) Title() string { return "dashboard" }

// Page is the dashboard.
type Page struct {
	context *frame.Context
	dir     string
	// writes is the session that changes go through; nil where nothing is changed.
	writes *session.Session
	// env is the environment that was switched to here; "" for none yet.
	env  string
	snap *snapshot
	// print is the fingerprint of the files as they were read, err why they
	// could not be.
	print string
	err   error
	// asked counts the readings that were begun: the answer to an earlier one is
	// dropped. answered is the last that came.
	asked, answered int
	// sandbox is what the sandbox said last; nil before it was asked. asking says
	// that an answer is awaited.
	sandbox *observed
	asking  bool
	tabs    []tab
	lists   []list
	// orders are the orders that the rows of the tabs stand in, for those that
	// have more than one.
	orders []int
	at     int
	typing bool
	mouse  bool
	// draft is what is kept of a walk of the wizard; nil for nothing.
	draft *draft.Draft
	// working is what runs and can be stopped; nil for nothing.
	working *working
	// busy says what is being done that takes a moment; "" for nothing.
	busy string
	// proposed is the change that the dialog on top asks about.
	proposed *proposal
	// beginning is the walk that the dialog on top asks about.
	beginning *toBegin
	// written are the changes that can be taken back, the last one last.
	written []writing
	links   []Link
	layout  layout.Layout
	drawn   drawn
}

// drawn is the page as it was last drawn.
type drawn struct {
	text   string
	stale  bool
	places places
	// seen says that it was drawn since the last look at the files: a page that
	// nobody sees does not look.
	seen bool
}

// none is the row where there is none.
const none = -1

var _ frame.Page = (*Page)(nil)

// Link is another page that can be gone to from here, with what a person reads of
// it.
type Link struct {
	Label string
	To    frame.Route
}

// New makes the page for the project that a folder belongs to. writes is the
// session that its changes go through; with nil it only reads.
func New(context *frame.Context, dir string, writes *session.Session, route Route, links ...Link) *Page {
	p := &Page{context: context, dir: dir, writes: writes, env: route.Environment, links: links}
	p.tabs = tabsOf(p)
	p.lists = make([]list, len(p.tabs))
	p.orders = make([]int, len(p.tabs))
	return p
}

// OnlyReads is why nothing can be changed where there is no session.
const OnlyReads = "this dashboard only reads: run gatewright without dashboard"

// readOnly is why nothing can be changed here; "" where it can.
func (p *Page) readOnly() string {
	if p.writes == nil {
		return OnlyReads
	}
	return ""
}

// Init reads the project and begins to look for changes.
func (p *Page) Init() tea.Cmd {
	var recovered tea.Cmd
	if p.writes != nil {
		if text := p.writes.Project.Recovered(); text != "" {
			recovered = frame.Say(frame.Info, "%s", text)
		}
	}
	return tea.Batch(p.load(), p.ask(), p.wait(pace), recovered)
}

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) {
	p.layout = l
	p.drawn.stale = true
}

// Dirty is false: nothing is written here.
func (p *Page) Dirty() bool { return false }

// Typing reports whether letters belong to the filter.
func (p *Page) Typing() bool { return p.typing }

// Cursor is nil: the filter draws its own.
func (p *Page) Cursor() *tea.Cursor { return nil }

// reading reports whether an answer is awaited.
func (p *Page) reading() bool { return p.asked != p.answered }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.pressed(msg)
	case tea.PasteMsg:
		p.drawn.stale = true
		if p.typing {
			p.list().typed(msg)
			return p.reach()
		}
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		return p.pointed(msg)
	case wasRead:
		if msg.of == p && msg.asked == p.asked {
			p.drawn.stale = true
			return p.takeAnswer(msg)
		}
	case over:
		if msg.of == p {
			return tea.Batch(p.ask(), p.look())
		}
	case looked:
		if msg.of == p {
			return p.takeLook(msg)
		}
	case observation:
		if msg.of == p {
			return p.takeObserved(msg.seen)
		}
	case wizard.Written, frame.DraftSaved:
		return p.load()
	default:
		return p.others(msg)
	}
	return nil
}

// others takes the messages of what the page does for its tabs, and gives the
// rest to the tab that takes it.
func (p *Page) others(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ticked:
		return p.tick(msg)
	case worked:
		return p.takeWorked(msg)
	case proposal:
		return p.takeProposal(msg)
	case writing:
		return p.takeWriting(msg)
	case edited:
		return p.takeEdited(msg)
	case toBegin:
		return p.begin(msg)
	case toEdit:
		return p.takeToEdit(msg)
	case dialog.Result:
		return p.concluded(msg)
	}
	return p.give(msg)
}

// give hands a message to the first tab that takes it.
func (p *Page) give(msg tea.Msg) tea.Cmd {
	for i, t := range p.tabs {
		if h, ok := t.(handling); ok {
			if cmd, taken := h.handle(msg); taken {
				return tea.Batch(cmd, p.again(i))
			}
		}
	}
	return nil
}

// again takes the rows of a tab that has changed.
func (p *Page) again(at int) tea.Cmd {
	p.drawn.stale = true
	p.lists[at].set(p.tabs[at].entries())
	if at == p.at {
		return p.reach()
	}
	return nil
}

// list is the list of the tab in front.
func (p *Page) list() *list { return &p.lists[p.at] }
