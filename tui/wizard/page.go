// Package wizard is the screen that designs an API: the questions of flow, one
// step at a time, with what they make beside them, and the review before
// anything is written.
package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Page is the wizard. Its answers live in flow; the page knows where the cursor is.
type Page struct {
	context *frame.Context
	session *session.Session
	// project is the project as it was when the walk began.
	project *project.Project
	start   route.Start
	home    frame.Route
	layout  layout.Layout
	flow    *flow.Flow

	// at is the step at hand, question the same as it is asked now.
	at       flow.ID
	question flow.Question
	rows     []row
	row      int
	input    widget.Field
	// typed says that the field at hand has an entry in the history already.
	typed  bool
	error  string
	review review
	done   *outcome
	// version counts the changes of the answers, saved is the one that the draft has.
	version, saved int
}

// row is a line that the cursor can be on: a text field, or an option of a field.
type row struct{ field, option int }

const noOption = -1

var (
	_ frame.Page      = (*Page)(nil)
	_ frame.SaveDraft = (*Page)(nil)
)

// New makes the wizard for a route. home is where it goes when everything is
// written.
func New(context *frame.Context, s *session.Session, to route.Wizard, home frame.Route) *Page {
	p := &Page{context: context, session: s, project: s.Project, start: to.Start, home: home}
	p.flow = flow.New(s.Project.Backend, to.Task, s.NewName())
	if to.Start == route.FromSample {
		p.restore(flow.Sample())
	}
	p.goTo(p.flow.Steps()[0])
	return p
}

// Init reads the draft, where the walk is to begin with it, and plans a sample.
func (p *Page) Init() tea.Cmd {
	switch p.start {
	case route.FromDraft:
		return p.readDraft()
	case route.FromSample:
		return p.toReview()
	}
	return nil
}

// restore takes answers that were given before.
func (p *Page) restore(answers flow.Answers) {
	p.flow.Restore(answers)
	p.version++
}

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty reports whether answers would be lost.
func (p *Page) Dirty() bool { return p.done == nil && p.version > 0 }

// Typing reports whether letters belong to a text field.
func (p *Page) Typing() bool { return p.done == nil && p.onText() }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if p.Typing() {
			p.typeInto(msg)
		}
	case frame.DraftSavedMsg:
		if msg.Err != nil {
			return frame.Say(frame.Error, "%v", msg.Err)
		}
		return frame.Announce(session.DraftedMsg{})
	}
	return nil
}
