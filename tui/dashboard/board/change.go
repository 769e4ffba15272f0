package board

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// A Plan is what a change of the project's files would be, worked out away from
// Update for the project as its files are now.
type Plan func(*project.Project) (*project.Plan, error)

// A Proposal is a Plan with a warning of what goes with it.
type Proposal func(*project.Project) (plan *project.Plan, warning string, err error)

// written is a change of the project's files, and the project that it was planned for.
type written struct {
	done    string
	plan    *project.Plan
	project *project.Project
}

// close gives up what it takes to take the change back.
func (w written) close() {
	if w.project != nil {
		_ = w.project.Close()
	}
}

// Change edits the backend as the files have it now, and writes what that means.
// done says in the status line what was done.
func (b *Board) Change(done string, edit func(*model.Backend) error) tea.Cmd {
	return b.Commit(done, Edited(edit))
}

// Edited is the Plan of an edit of the backend.
func Edited(edit func(*model.Backend) error) Plan {
	return func(current *project.Project) (*project.Plan, error) {
		next, err := current.Backend.Edit(edit)
		if err != nil {
			return nil, err
		}
		return current.Plan(next)
	}
}

// Warn writes a plan after a yes to a warning; at once where there is none.
func (b *Board) Warn(warning, title, yes, done string, plan Plan) tea.Cmd {
	if warning == "" {
		return b.Commit(done, plan)
	}
	return b.Propose(title, yes, done, func(current *project.Project) (*project.Plan, string, error) {
		planned, err := plan(current)
		return planned, warning, err
	})
}

// Commit writes a plan for the project as its files are now.
func (b *Board) Commit(done string, plan Plan) tea.Cmd {
	return b.moment("writing", func() func() tea.Cmd {
		w := written{done: done}
		var err error
		if w.project, err = b.Writes.Read(); err == nil {
			w.plan, err = plan(w.project)
		}
		if err == nil {
			err = w.plan.Commit()
		}
		return func() tea.Cmd { return b.wrote(w, err) }
	})
}

// mostWritten is how many changes can be taken back.
const mostWritten = 50

// wrote says what was written, has every page read it, and keeps what it takes to take
// it back.
func (b *Board) wrote(w written, err error) tea.Cmd {
	if err != nil {
		w.close()
		return tea.Batch(b.Read(), frame.Say(frame.Error, "nothing was written: %v", err))
	}
	if w.plan.Empty() {
		w.close()
		return b.announce(frame.Info, "%s: no file had to change", w.done)
	}
	b.written = append(b.written, w)
	if len(b.written) > mostWritten {
		b.written[0].close()
		b.written = b.written[1:]
	}
	return b.announce(frame.Good, "%s: %s; u takes it back", w.done, filesOf(w.plan))
}

// announce has every page read the files, and says why.
func (b *Board) announce(level frame.StatusLevel, format string, args ...any) tea.Cmd {
	return tea.Batch(b.Written(), frame.Say(level, format, args...))
}

// Written has every page read the files.
func (b *Board) Written() tea.Cmd {
	b.Writes.Stale = true
	return frame.Announce(session.WrittenMsg{})
}

// filesOf says which files a plan writes.
func filesOf(plan *project.Plan) string {
	const few = 3
	if n := len(plan.Changes); n > few {
		return model.Count(n, "file") + " written"
	}
	return strings.Join(session.Changes(plan), ", ")
}

// Undo is the binding that takes the last change back.
func (b *Board) Undo() widget.Binding {
	n, about := len(b.written), "take the last change of this run back, file by file"
	if n > 0 {
		about += ": " + b.written[n-1].done
	}
	return widget.Undo.Does("undo", about, b.undo).Unless(b.ReadOnly(), widget.When(n == 0, "nothing was changed here yet"))
}

// undo takes the last change back. Files that have changed since refuse it.
func (b *Board) undo() tea.Cmd {
	last := b.written[len(b.written)-1]
	return b.moment("writing", func() func() tea.Cmd {
		err := last.plan.Reverse().Commit()
		return func() tea.Cmd {
			if err != nil {
				why := "nothing was written"
				if errors.As(err, new(*journal.StaleError)) {
					why = "nothing was taken back, since files have changed since"
				}
				return tea.Batch(b.Read(), frame.Say(frame.Error, "%s: %v", why, err))
			}
			last.close()
			b.written = b.written[:len(b.written)-1]
			return b.announce(frame.Good, "taken back: %s", last.done)
		}
	})
}

// Propose works out a change, shows what goes with it, and writes it when a person
// says yes. yes is the word on the button, in the past done says what was done.
func (b *Board) Propose(title, yes, done string, plan Proposal) tea.Cmd {
	return b.moment("working it out", func() func() tea.Cmd {
		w, warning := written{done: done}, ""
		var err error
		if w.project, err = b.Writes.Read(); err == nil {
			w.plan, warning, err = plan(w.project)
		}
		return func() tea.Cmd {
			if err != nil {
				w.close()
				return frame.Say(frame.Error, "%v", err)
			}
			return frame.Open(dialog.Confirm(title, session.Explain(w.plan, warning),
				dialog.Button{Label: "Cancel", Cancel: true, Do: widget.NoCmd(w.close)},
				dialog.Button{Label: yes, Do: func() tea.Cmd { return b.accepted(w) }}))
		}
	})
}

// accepted writes what was proposed.
func (b *Board) accepted(w written) tea.Cmd {
	if b.refuses() != "" {
		w.close()
	}
	return b.moment("writing", func() func() tea.Cmd {
		err := w.plan.Commit()
		return func() tea.Cmd { return b.wrote(w, err) }
	})
}

// Remove asks whether something is to go, with what goes with it.
func (b *Board) Remove(of model.Ref) tea.Cmd {
	name := prose.Short(of.String())
	return b.Propose("Remove "+name+"?", "Remove", "removed "+name, func(p *project.Project) (*project.Plan, string, error) {
		return session.PlanRemoval(p, of)
	})
}
