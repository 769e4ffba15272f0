// Package wizard is the page that designs an API: it asks the questions of package flow one step at a time,
// previews the result next to them, and shows a review before anything is written.
package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/merge"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Page is the wizard. Its answers are in flow.
type Page struct {
	context *frame.Context
	session *session.Session
	// project is the project as the answers were laid on it.
	project *project.Project
	// merging has what was decided about values that somebody else changed too.
	merging *merge.Merge
	// renewProposal plans the API of a document again, if that is asked about.
	renewProposal func() tea.Cmd
	start         route.Start
	home          frame.Route
	layout        layout.Layout
	flow          *flow.Flow

	// step is the current step, form its question with the present answers.
	step flow.ID
	form form
	// entered are the answers when the step was entered: the preview marks what differs.
	entered *flow.Flow
	// previewing says that the preview has the place of the question in a small window.
	previewing bool
	// whole is all of the preview, for who scrolls through it; previewed are the lines of the file in it.
	whole     widget.Pager
	previewed []string
	// landed is where the last undo led to. As long as nothing else was done there, its key
	// goes on undoing although a text field has the focus.
	landed place
	rail   rail
	review review
	// keepsTests says that the access of the paths is written as access tests too.
	keepsTests bool
	done       *outcome
	draft      draftState
}

var (
	_ frame.Page      = (*Page)(nil)
	_ frame.SaveDraft = (*Page)(nil)
	_ frame.Keeper    = (*Page)(nil)
	_ dialog.Asker    = (*Page)(nil)
)

// New makes the wizard for a route. home is the page to go to after everything is
// written.
func New(context *frame.Context, s *session.Session, to route.Wizard, home frame.Route) *Page {
	p := &Page{context: context, session: s, project: s.Project, start: to.Start, home: home, merging: merge.New()}
	p.flow = flow.New(s.Project.Backend, to.Task, s.NewName())
	if to.Start == route.FromSample {
		p.flow.Restore(flow.Sample())
	}
	p.form.change = p.changed
	p.goTo(p.flow.Steps()[0])
	return p
}

// Init reads the files, or the draft if the wizard starts with it.
func (p *Page) Init() tea.Cmd {
	if p.start == route.FromDraft {
		return p.readDraft()
	}
	return p.follow()
}

// SetSize keeps the layout for View.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty reports whether quitting would lose answers.
func (p *Page) Dirty() bool { return p.done == nil && p.draft.version > 0 }

// Typing reports whether a text field has the focus.
func (p *Page) Typing() bool {
	return p.done == nil && p.step.Kind != flow.Review && !p.onPreview() && p.form.typing()
}

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.Typing() {
			return p.form.typeKey(msg)
		}
	case tea.PasteMsg:
		if p.Typing() {
			return p.form.paste(msg)
		}
	case tea.MouseClickMsg:
		if at, ok := p.rail.at(msg.X, msg.Y); ok {
			return p.visit(at)
		}
	case tea.MouseWheelMsg:
		if p.step.Kind == flow.Review {
			p.review.wheel(msg)
		} else {
			p.whole.Wheel(msg)
		}
	case session.WrittenMsg:
		return p.follow()
	case frame.DraftSavedMsg:
		return p.draftSaved(msg)
	}
	return nil
}

// changed is called after an answer has changed: it saves the draft.
func (p *Page) changed() tea.Cmd {
	p.draft.version++
	return tea.Batch(p.save(), p.plan())
}
