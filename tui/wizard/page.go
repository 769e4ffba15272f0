// Package wizard is the page that designs an API: it asks the questions of package flow
// one step at a time, previews the result beside them, and shows a review before
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

// Page is the wizard. Its answers are in flow.
type Page struct {
	context *frame.Context
	session *session.Session
	// project is the project as it was when the wizard was opened.
	project *project.Project
	start   route.Start
	home    frame.Route
	layout  layout.Layout
	flow    *flow.Flow

	// step is the current step, question its question with the present answers.
	step     flow.ID
	question flow.Question
	rows     []row
	row      int
	input    widget.Field
	// typed says that the text of the field was stored once: more characters amend it.
	typed  bool
	error  string
	review review
	done   *outcome
	// version counts changes of the answers, saved is the version of the draft.
	version, saved int
}

// row is a line for the cursor: a text field, or an option of a field.
type row struct{ field, option int }

const noOption = -1

var (
	_ frame.Page      = (*Page)(nil)
	_ frame.SaveDraft = (*Page)(nil)
)

// New makes the wizard for a route. home is the page to go to after everything is
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

// Init reads the draft if the wizard starts with it, and goes to the review of a sample.
func (p *Page) Init() tea.Cmd {
	switch p.start {
	case route.FromDraft:
		return p.readDraft()
	case route.FromSample:
		return p.toReview()
	}
	return nil
}

// restore replaces the answers.
func (p *Page) restore(answers flow.Answers) {
	p.flow.Restore(answers)
	p.version++
}

// SetSize keeps the layout for View.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty reports whether quitting would lose answers.
func (p *Page) Dirty() bool { return p.done == nil && p.version > 0 }

// Typing reports whether a text field has the focus.
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
