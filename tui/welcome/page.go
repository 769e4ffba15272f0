// Package welcome is the first page in a folder without a project: it lists what can be
// made there. In a project it lists the APIs and their paths.
package welcome

import (
	"cmp"
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/outside"
	"gatewright/tui/widget"
)

// Page is the welcome page.
type Page struct {
	context *frame.Context
	session *session.Session
	table   widget.Table[row]
	layout  layout.Layout
	draft   *session.SavedDraft
	// lessonsDone are the IDs of the lessons of the course that are done.
	lessonsDone []string
}

var _ frame.Page = (*Page)(nil)

// New makes the page for a session.
func New(context *frame.Context, s *session.Session) *Page {
	p := &Page{context: context, session: s, table: newTable()}
	p.table.SetRows(p.rows())
	return p
}

// Init reads the draft, and the project too if files were written since it was read.
func (p *Page) Init() tea.Cmd { return p.load(p.session.Stale) }

// Watches look at the files.
func (p *Page) Watches() []frame.Watch {
	return []frame.Watch{outside.Watch(p.session.Dir, func(string) tea.Cmd { return p.load(true) })}
}

// load reads the draft, and with again the project too, and says what somebody else changed in
// it.
func (p *Page) load(again bool) tea.Cmd {
	s, read := p.session, p.session.Project
	return func() tea.Msg {
		var (
			failed error
			news   session.News
		)
		if again {
			read, news, failed = s.Since(read)
		}
		saved, err := s.SavedDraft(read)
		done := lessonsDone(s.State)
		return frame.ThenMsg(func() tea.Cmd {
			if s.Stale { // this program wrote
				news.Text = ""
			}
			p.lessonsDone = done
			return tea.Batch(outside.Say("", news), p.takeProject(read, saved, cmp.Or(failed, err)))
		})
	}
}

// lessonsDone are the lessons that are done; none if that cannot be read, which the course
// itself says.
func lessonsDone(state string) []string {
	progress, err := course.ReadProgress(state)
	if err != nil {
		return nil
	}
	var done []string
	for _, lesson := range course.Lessons() {
		if progress.Done(lesson.ID) {
			done = append(done, lesson.ID)
		}
	}
	return done
}

// SetSize keeps the layout for View.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: the page has no unsaved work.
func (p *Page) Dirty() bool { return false }

// Typing reports whether a filter is being typed.
func (p *Page) Typing() bool { return p.table.Typing() }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if p.Typing() {
			return p.table.Type(msg)
		}
	case tea.MouseWheelMsg:
		return p.table.Wheel(msg)
	case session.WrittenMsg:
		p.session.Stale = true
		return p.load(true)
	case session.DraftedMsg:
		return p.load(false)
	}
	return nil
}

// takeProject shows the project and the draft that were read.
func (p *Page) takeProject(read *project.Project, saved *session.SavedDraft, err error) tea.Cmd {
	if read != nil {
		p.session.Take(read)
	}
	offered := p.draft == nil && saved != nil
	p.draft = saved
	p.table.SetRows(p.rows())
	if offered {
		p.table.To(draftID)
	}
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	if recovered := p.session.Project.Recovered(); recovered != "" {
		return frame.Say(frame.Info, "%s", recovered)
	}
	return nil
}

// summary is the name of the project and the number of its parts.
func (p *Page) summary() string {
	b := p.session.Project.Backend
	if p.session.New {
		return "no project in " + filepath.Base(p.session.Dir) + " yet: choose, then press enter"
	}
	return fmt.Sprintf("%s: %s, %s, %s", cmp.Or(b.Project.Name, p.session.Root()),
		phrase.Count(len(b.APIs), "API"), phrase.Count(len(b.Functions), "function"),
		phrase.Count(len(b.Environments), "environment"))
}
