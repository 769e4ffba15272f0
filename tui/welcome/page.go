// Package welcome is the first screen: what there is in the project, or what can
// be made where there is none.
package welcome

import (
	"fmt"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/learn"
	"gatewright/tui/wizard"
)

// Route is the first screen.
type Route struct{}

// Title is the page's name.
func (Route) Title() string { return "welcome" }

// Page is the first screen.
type Page struct {
	context *frame.Context
	session *session.Session
	rows    []row
	row     int
	layout  layout.Layout
	draft   *draft.Draft
	// changed says that the project did since the draft was saved.
	changed bool
	// removal is what a yes in the dialog writes, begin where another leads.
	removal *removal
	begin   wizard.Route
}

// row is a line that the cursor can be on.
type row struct {
	kind      rowKind
	api, path string
	text      string
	detail    string
}

type rowKind uint8

const (
	resumeRow rowKind = iota
	newRow
	sampleRow
	learnRow
	apiRow
	pathRow
)

var _ frame.Page = (*Page)(nil)

// New makes the page for a session.
func New(context *frame.Context, s *session.Session) *Page {
	p := &Page{context: context, session: s}
	p.refresh()
	return p
}

// loaded is a project that was read anew, and the draft that is kept for it.
type loaded struct {
	project *project.Project
	draft   *draft.Draft
	changed bool
	err     error
}

// Init reads the draft, and the project if files were written before the page
// was there.
func (p *Page) Init() tea.Cmd { return p.load(p.session.Stale) }

// load reads the draft, and the project if it may have changed.
func (p *Page) load(again bool) tea.Cmd {
	s := p.session
	return func() tea.Msg {
		msg := loaded{project: s.Project}
		if again {
			msg.project, msg.err = s.Read()
		}
		kept, ok, err := s.Drafts.Load()
		if ok {
			msg.draft, msg.changed = &kept, msg.project != nil && kept.Read != msg.project.Fingerprint()
		}
		if msg.err == nil {
			msg.err = err
		}
		return msg
	}
}

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: nothing here is unsaved.
func (p *Page) Dirty() bool { return false }

// Typing is false: there is no text field.
func (p *Page) Typing() bool { return false }

// Cursor is nil: there is no text field.
func (p *Page) Cursor() *tea.Cursor { return nil }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.key(msg.String())
	case loaded:
		return p.take(msg)
	case wizard.Written:
		return p.load(true)
	case learn.Over:
		if msg.Err != nil {
			return frame.Say(frame.Error, "the course ended with: %v", msg.Err)
		}
	case planned:
		return p.askToRemove(msg)
	case removed:
		if msg.err != nil {
			return frame.Say(frame.Error, "nothing was removed: %v", msg.err)
		}
		return tea.Batch(p.load(true), frame.Say(frame.Good, "removed %s", msg.of))
	case dialog.Result:
		return p.answer(msg)
	}
	return nil
}

func (p *Page) take(msg loaded) tea.Cmd {
	if msg.project != nil {
		p.session.Take(msg.project)
	}
	offered := p.draft == nil && msg.draft != nil
	p.draft, p.changed = msg.draft, msg.changed
	p.refresh()
	if offered {
		p.row = 0
	}
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	if recovered := p.session.Project.Recovered(); recovered != "" {
		return frame.Say(frame.Info, "%s", recovered)
	}
	return nil
}

// refresh makes the rows of what there is, keeping the cursor on its row.
func (p *Page) refresh() {
	had := row{}
	if p.row < len(p.rows) {
		had = p.rows[p.row]
	}
	p.rows = p.rows[:0]
	if p.draft != nil {
		p.rows = append(p.rows, row{kind: resumeRow, text: "Go on with the draft", detail: draftDetail(p.draft, p.changed)})
	}
	b := p.session.Project.Backend
	switch {
	case p.session.New:
		p.rows = append(p.rows,
			row{kind: newRow, text: "Make a project with its first API", detail: "asks everything, writes at the end"},
			row{kind: sampleRow, text: "Open a sample", detail: "a bookshop, all questions answered; look around, change it, write it or leave it"},
			row{kind: learnRow, text: "Learn the flow", detail: "six lessons in a folder of their own, which is removed at the end"})
	case len(b.APIs) == 0:
		p.rows = append(p.rows, row{kind: newRow, text: "Design the first API", detail: "asks everything, writes at the end"})
	default:
		p.rows = append(p.rows, row{kind: newRow, text: "Design another API"})
	}
	for _, api := range b.APIs {
		p.rows = append(p.rows, row{kind: apiRow, api: api.Label, text: api.Label})
		for _, path := range api.Paths {
			p.rows = append(p.rows, row{kind: pathRow, api: api.Label, path: path.Name, text: path.Name})
		}
	}
	p.row = max(0, min(p.row, len(p.rows)-1))
	for i, r := range p.rows {
		if r == had {
			p.row = i
		}
	}
}

func draftDetail(d *draft.Draft, changed bool) string {
	text := "of " + d.Saved.Local().Format("2 Jan 15:04")
	if label := d.Answers.Label; d.Task.API == "" && label != "" {
		text += ", api " + model.Quote(label)
	}
	if changed {
		text += "; the project changed since"
	}
	return text
}

// at is the row that the cursor is on.
func (p *Page) at() row { return p.rows[p.row] }

// open is what enter does.
func (p *Page) open() tea.Cmd {
	switch r := p.at(); r.kind {
	case resumeRow:
		return frame.Go(p.resume())
	case newRow:
		return p.start(wizard.Route{})
	case sampleRow:
		return p.start(wizard.Route{Start: wizard.FromSample})
	case learnRow:
		return learn.Open(p.context.Theme.Kind.String())
	case apiRow:
		return p.start(wizard.Route{Task: flow.Task{API: r.api}})
	default:
		return p.start(wizard.Route{Task: flow.Task{API: r.api, Path: r.path}})
	}
}

func (p *Page) resume() wizard.Route {
	return wizard.Route{Task: p.draft.Task, Start: wizard.FromDraft}
}

const draftDialog = "draft"

// start begins a walk. The draft of another would be lost to it, so where there
// is one it asks first.
func (p *Page) start(route wizard.Route) tea.Cmd {
	if slices.Contains(p.session.Project.Legacy(), route.Task.API) {
		return frame.Say(frame.Warn, "%s is an older format, read and not edited; run: gatewright migrate", prose.Fit(route.Task.API))
	}
	if p.draft == nil {
		return frame.Go(route)
	}
	p.begin = route
	return frame.Open(dialog.Confirm(draftDialog, "There is a draft", "A new walk takes the place of the draft "+draftDetail(p.draft, p.changed)+".",
		dialog.Button{ID: "resume", Label: "Go on with the draft"}, dialog.Button{ID: "begin", Label: "Begin anew"}, dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}))
}

// summary says what the project has.
func (p *Page) summary() string {
	b := p.session.Project.Backend
	if p.session.New {
		return "no project in " + filepath.Base(p.session.Dir) + " yet"
	}
	name := b.Project.Name
	if name == "" {
		name = p.session.Root()
	}
	return fmt.Sprintf("%s: %s, %s, %s", name, model.Count(len(b.APIs), "API"), model.Count(len(b.Functions), "function"), model.Count(len(b.Environments), "environment"))
}
