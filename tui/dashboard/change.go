package dashboard

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

// writing is a change of the project's files that was made, or why it was not.
type writing struct {
	of   *Page
	done string
	// plan is what was written, project what it was planned for.
	plan    *project.Plan
	project *project.Project
	err     error
	// back says that a change was taken back.
	back bool
}

// change edits the backend as the files have it now, and writes what that means.
// done says in the status line what was done.
func (p *Page) change(done string, edit func(*model.Backend) error) tea.Cmd {
	return p.commit(done, func(current *project.Project) (*project.Plan, error) {
		next, err := current.Backend.Edit(edit)
		if err != nil {
			return nil, err
		}
		return current.Plan(next)
	})
}

// doing begins what takes a moment, and is named by a word until it has ended. It
// is refused while something else is, and where nothing may be written.
func (p *Page) doing(word string) (refused tea.Cmd) {
	if why := p.readOnly(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	if p.busy != "" {
		return frame.Say(frame.Warn, "wait: %s", p.busy)
	}
	p.busy = word
	p.drawn.stale = true
	return nil
}

// commit writes a plan for the project as its files are now, in a command.
func (p *Page) commit(done string, plan func(*project.Project) (*project.Plan, error)) tea.Cmd {
	if refused := p.doing("writing"); refused != nil {
		return refused
	}
	s := p.writes
	return func() tea.Msg {
		msg := writing{of: p, done: done}
		if msg.project, msg.err = s.Read(); msg.err != nil {
			return msg
		}
		if msg.plan, msg.err = plan(msg.project); msg.err == nil {
			msg.err = msg.plan.Commit()
		}
		return msg
	}
}

// mostWritten is how many changes can be taken back.
const mostWritten = 50

// takeWriting says what was written, has every page read it, and keeps what it
// takes to take it back.
func (p *Page) takeWriting(msg writing) tea.Cmd {
	if msg.of != p {
		return nil
	}
	p.busy, p.drawn.stale = "", true
	var stale *journal.StaleError
	switch {
	case msg.back && errors.As(msg.err, &stale):
		return tea.Batch(p.load(), frame.Say(frame.Error, "nothing was taken back, since files have changed since: %v", msg.err))
	case msg.err != nil:
		closed(msg.project)
		return tea.Batch(p.load(), frame.Say(frame.Error, "nothing was written: %v", msg.err))
	}
	p.writes.Stale = true
	announce := func() tea.Msg { return wizard.Written{} }
	if msg.back {
		p.written = p.written[:len(p.written)-1]
		closed(msg.project)
		return tea.Batch(announce, frame.Say(frame.Good, "taken back: %s", msg.done))
	}
	if msg.plan.Empty() {
		closed(msg.project)
		return tea.Batch(announce, frame.Say(frame.Info, "%s: no file had to change", msg.done))
	}
	p.written = append(p.written, msg)
	if len(p.written) > mostWritten {
		closed(p.written[0].project)
		p.written = p.written[1:]
	}
	return tea.Batch(announce, frame.Say(frame.Good, "%s: %s; u takes it back", msg.done, filesOf(msg.plan)))
}

func closed(p *project.Project) {
	if p != nil {
		_ = p.Close()
	}
}

// filesOf says which files a plan writes.
func filesOf(plan *project.Plan) string {
	const few = 3
	if n := len(plan.Changes); n > few {
		return model.Count(n, "file") + " written"
	}
	var parts []string
	for _, c := range plan.Changes {
		parts = append(parts, project.Kind(c)+" "+prose.Fit(c.Path))
	}
	return strings.Join(parts, ", ")
}

// undoing is the binding of undo.
func (p *Page) undoing() frame.Binding {
	b := frame.Binding{Keys: []string{"u"}, Label: "undo", Help: "take the last change of this run back, file by file", Disabled: p.readOnly(), Group: "files"}
	if n := len(p.written); n > 0 {
		b.Help += ": " + p.written[n-1].done
	} else if b.Disabled == "" {
		b.Disabled = "nothing was changed here yet"
	}
	return b
}

// undo takes the last change back. Files that have changed since refuse it.
func (p *Page) undo() tea.Cmd {
	if len(p.written) == 0 {
		return nil
	}
	if refused := p.doing("writing"); refused != nil {
		return refused
	}
	last := p.written[len(p.written)-1]
	return func() tea.Msg {
		return writing{of: p, done: last.done, project: last.project, back: true, err: last.plan.Reverse().Commit()}
	}
}

// proposal is a change that waits for a yes.
type proposal struct {
	of               *Page
	title, yes, done string
	plan             *project.Plan
	project          *project.Project
	warning          string
	err              error
}

const proposalDialog = "page/propose"

// propose works out a change, shows what goes with it, and writes it when a
// person says yes. yes is the word on the button, in the past done says what was
// done.
func (p *Page) propose(title, yes, done string, plan func(*project.Project) (plan *project.Plan, warning string, err error)) tea.Cmd {
	if refused := p.doing("working it out"); refused != nil {
		return refused
	}
	s := p.writes
	return func() tea.Msg {
		msg := proposal{of: p, title: title, yes: yes, done: done}
		if msg.project, msg.err = s.Read(); msg.err == nil {
			msg.plan, msg.warning, msg.err = plan(msg.project)
		}
		return msg
	}
}

// takeProposal asks.
func (p *Page) takeProposal(msg proposal) tea.Cmd {
	if msg.of != p {
		return nil
	}
	p.busy, p.drawn.stale = "", true
	if msg.err != nil {
		closed(msg.project)
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.proposed = &msg
	var b strings.Builder
	if msg.warning != "" {
		b.WriteString(msg.warning + "\n\n")
	}
	for _, c := range msg.plan.Changes {
		b.WriteString(project.Kind(c) + " " + prose.Fit(c.Path) + "\n")
	}
	for _, note := range msg.plan.Notes {
		b.WriteString(prose.Fit(note) + "\n")
	}
	return frame.Open(dialog.Confirm(proposalDialog, msg.title, strings.TrimRight(b.String(), "\n"),
		dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "yes", Label: msg.yes}))
}

// answerProposal writes what was proposed, after a yes.
func (p *Page) answerProposal(action dialog.Action) tea.Cmd {
	if p.proposed == nil {
		return nil
	}
	of := *p.proposed
	p.proposed = nil
	if action != dialog.Pressed("yes") {
		closed(of.project)
		return nil
	}
	if refused := p.doing("writing"); refused != nil {
		closed(of.project)
		return refused
	}
	return func() tea.Msg {
		return writing{of: p, done: of.done, plan: of.plan, project: of.project, err: of.plan.Commit()}
	}
}
