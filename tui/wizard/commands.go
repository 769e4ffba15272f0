package wizard

import (
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/frame"
)

// planned is what the answers mean for the files.
// The pages that are kept get every message; of says whose it is.
type planned struct {
	of        *Page
	version   int
	plan      *project.Plan
	diff      []string
	resources []prose.Line
	warnings  []string
	err       error
}

// outcome is what writing did.
type outcome struct {
	of      *Page
	plan    *project.Plan
	command string
	// source is a file of a new function; "" for none.
	source string
	err    error
}

type edited struct{ err error }

// makePlan works out what the answers mean, away from Update.
func (p *Page) makePlan() tea.Cmd {
	version, current, walk := p.version, p.project, p.flow.Copy()
	return func() tea.Msg {
		msg := planned{of: p, version: version}
		var next *model.Backend
		if next, msg.plan, msg.err = session.Plan(current, walk); msg.err != nil {
			return msg
		}
		msg.diff = strings.Split(strings.TrimRight(msg.plan.Diff(), "\n"), "\n")
		msg.resources = preview.Resources(current.Backend, next)
		msg.warnings = preview.Problems(current.Backend, next)
		return msg
	}
}

// write commits the plan and forgets the draft.
func (p *Page) write() tea.Cmd {
	current, drafts, plan, walk := p.project, p.session.Drafts, p.review.plan, p.flow.Copy()
	return func() tea.Msg {
		msg := outcome{of: p, plan: plan}
		if msg.err = plan.Commit(); msg.err != nil {
			return msg
		}
		msg.command = walk.Command(current.Layout.APIFile(walk.Label()))
		for _, c := range plan.Changes {
			name := filepath.Base(c.Path)
			if !c.Existed && (name == "app.js" || msg.source == "" && strings.HasPrefix(name, "index.") || name == "main.go") {
				msg.source = c.Path
			}
		}
		_ = drafts.Discard()
		return msg
	}
}

// save keeps the answers as a draft.
func (p *Page) save() tea.Cmd {
	if p.version == p.saved || p.done != nil {
		return nil
	}
	p.saved = p.version
	store, current, walk := p.session.Drafts, p.project, p.flow.Copy()
	return func() tea.Msg {
		err := store.Save(session.Draft(current, walk))
		return frame.DraftSaved{Where: store.Path(), Err: err}
	}
}

// SaveDraft keeps the answers; the frame asks for it before a quit.
func (p *Page) SaveDraft() tea.Cmd {
	p.saved = -1
	return p.save()
}

// SaveNow is SaveDraft for a program that is about to end; it returns where the
// draft is.
func (p *Page) SaveNow() (string, error) {
	err := p.session.Drafts.Save(session.Draft(p.project, p.flow))
	return p.session.Drafts.Path(), err
}

// DiscardDraft forgets the answers.
func (p *Page) DiscardDraft() tea.Cmd {
	store := p.session.Drafts
	return func() tea.Msg { return frame.DraftSaved{Err: store.Discard()} }
}

// openEditor opens a file of the project and comes back when the editor ends.
func (p *Page) openEditor(file string) tea.Cmd {
	words := strings.Fields(p.session.Editor)
	command := exec.Command(words[0], append(words[1:], filepath.Join(p.session.Root(), filepath.FromSlash(file)))...)
	return frame.Exec(command, func(err error) tea.Msg { return edited{err} })
}
