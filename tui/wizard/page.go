// Package wizard is the screen that designs an API: the questions of flow, one
// step at a time, with what they make beside them, and the review before
// anything is written.
package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// Route is the wizard for a task.
type Route struct {
	Task  flow.Task
	Start Start
}

// Start is which answers the wizard begins with.
type Start uint8

// The usual ones, those of the draft, those of the sample.
const (
	Fresh Start = iota
	FromDraft
	FromSample
)

// Written is sent to every page when files were written.
type Written struct{}

// Title is the page's name.
func (r Route) Title() string {
	switch {
	case r.Task.Path != "":
		return "change a path"
	case r.Task.API != "":
		return "add a path"
	}
	return "new API"
}

// Page is the wizard. Its answers live in flow; the page knows where the cursor
// is and what was drawn.
type Page struct {
	context *frame.Context
	session *session.Session
	// project is the project as it was when the walk began.
	project *project.Project
	start   Start
	home    frame.Route
	flow    *flow.Flow
	at      flow.ID
	rows    []row
	row     int
	input   dialog.Field
	// typed says that the field at hand has an entry in the history already.
	typed  bool
	error  string
	layout layout.Layout
	review review
	done   *outcome
	// question and side are what is drawn, made anew when version changes.
	question flow.Question
	side     cached
	version  int
	// saved is the version that the draft has.
	saved int
}

// row is a line that the cursor can be on: a text field, or an option of a field.
type row struct{ field, option int }

const noOption = -1

var _ frame.Page = (*Page)(nil)

// New makes the wizard for a route. home is where it goes when everything is
// written.
func New(context *frame.Context, s *session.Session, route Route, home frame.Route) *Page {
	p := &Page{context: context, session: s, project: s.Project, start: route.Start, home: home}
	p.flow = flow.New(s.Project.Backend, route.Task, s.NewName())
	if route.Start == FromSample {
		p.restore(flow.Sample())
	}
	p.goTo(p.flow.Steps()[0])
	return p
}

// drafted is a draft that was read.
type drafted struct {
	of    *Page
	draft draft.Draft
	ok    bool
	// changed says that the project did since the draft was saved.
	changed bool
	err     error
}

// Init reads the draft, where the walk is to begin with it, and plans a sample.
func (p *Page) Init() tea.Cmd {
	switch p.start {
	case FromDraft:
		store, current := p.session.Drafts, p.project
		return func() tea.Msg {
			d, ok, err := store.Load()
			return drafted{p, d, ok, ok && d.Read != current.Fingerprint(), err}
		}
	case FromSample:
		return p.toReview()
	}
	return nil
}

// restore takes answers that were given before.
func (p *Page) restore(answers flow.Answers) {
	p.flow.Restore(answers)
	p.version++
}

// takeDraft goes on where the draft ended: at the first step that is open.
func (p *Page) takeDraft(msg drafted) tea.Cmd {
	switch {
	case msg.err != nil:
		return frame.Say(frame.Error, "%v", msg.err)
	case !msg.ok:
		return frame.Say(frame.Warn, "the draft is gone")
	}
	p.start = Fresh
	p.restore(msg.draft.Answers)
	p.saved = p.version
	cmd := p.toReview()
	if msg.changed {
		return tea.Batch(cmd, frame.Say(frame.Warn, "the project changed since the draft was saved"))
	}
	return cmd
}

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) {
	p.layout = l
	p.side.stale = true
}

// Dirty reports whether answers would be lost.
func (p *Page) Dirty() bool { return p.done == nil && (p.version > 0 || p.flow.Changed()) }

// Typing reports whether letters belong to a text field.
func (p *Page) Typing() bool { return p.done == nil && p.onText() }

// Cursor is nil: the text field draws its own.
func (p *Page) Cursor() *tea.Cursor { return nil }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.key(msg)
	case tea.PasteMsg:
		return p.paste(msg)
	case drafted:
		if msg.of == p {
			return p.takeDraft(msg)
		}
	case planned:
		return p.takePlan(msg)
	case dialog.Result:
		return p.takeStep(msg)
	case outcome:
		if msg.of == p {
			return p.takeOutcome(msg)
		}
	case edited:
		if msg.err != nil {
			return frame.Say(frame.Error, "the editor ended with: %v", msg.err)
		}
	case frame.DraftSaved:
		if msg.Err != nil {
			return frame.Say(frame.Error, "%v", msg.Err)
		}
	}
	return nil
}
