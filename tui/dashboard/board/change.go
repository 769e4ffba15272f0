package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/outside"
)

// Plan makes the plan of a change for the project as its files are now. It is called outside
// Update.
type Plan func(*project.Project) (*plan.Plan, error)

// Proposal is a Plan that also warns of side effects.
type Proposal func(*project.Project) (plan *plan.Plan, warning string, err error)

// writtenChange is a change of the project's files, and the project that it was planned for;
// or a deed, which is not about files.
type writtenChange struct {
	done    string
	plan    *plan.Plan
	project *project.Project
	deed    *Deed
	// again, which may be nil, opens the form of the change again if it is not written.
	again func() tea.Cmd
	// anew plans the change for the files as they are then, and asks again; nil for a change that
	// is written at once.
	anew func() tea.Cmd
	// renews says that its review is open, of files as they were before.
	renews bool
}

// cancel is what happens if the change is not agreed to.
func (w writtenChange) cancel() tea.Cmd {
	w.close()
	if w.again == nil {
		return nil
	}
	return w.again()
}

// close closes the project; the change cannot be undone any more.
func (w writtenChange) close() {
	if w.project != nil {
		_ = w.project.Close()
	}
}

// Change edits the backend as its files are now, and writes the result. done is what the
// status line says then.
func (b *Board) Change(done string, edit func(*model.Backend) error) tea.Cmd {
	return b.Commit(done, Edited(edit))
}

// Edited is the Plan of an edit of the backend.
func Edited(edit func(*model.Backend) error) Plan {
	return func(current *project.Project) (*plan.Plan, error) {
		next, err := current.Backend.Edit(edit)
		if err != nil {
			return nil, err
		}
		return plan.Of(current, next)
	}
}

// Warn writes a plan after a yes to a warning; without a warning at once.
func (b *Board) Warn(warning, title, yes, done string, planned Plan) tea.Cmd {
	if warning == "" {
		return b.Commit(done, planned)
	}
	return b.Propose(title, yes, done, func(current *project.Project) (*plan.Plan, string, error) {
		planned, err := planned(current)
		return planned, warning, err
	})
}

// Commit writes a plan for the project as its files are now.
func (b *Board) Commit(done string, plan Plan) tea.Cmd {
	return b.runBusy("writing", func() func() tea.Cmd {
		w := writtenChange{done: done}
		var err error
		if w.project, err = b.Session.Read(); err == nil {
			w.plan, err = plan(w.project)
		}
		if err == nil {
			err = w.plan.CommitWhenFree()
		}
		return func() tea.Cmd {
			if open := (*merge.OpenError)(nil); errors.As(err, &open) {
				w.close()
				return outside.Ask(open, func() tea.Cmd { return b.Commit(done, plan) }, nil)
			}
			return b.afterWrite(w, err)
		}
	})
}

// readAnd reads the files again, and then calls then inside Update, unless it is nil.
func (b *Board) readAnd(then func() tea.Cmd) tea.Cmd {
	if then == nil {
		return b.Read()
	}
	return tea.Sequence(b.Read(), func() tea.Msg { return frame.ThenMsg(then) })
}

// mostWritten is how many changes can be undone.
const mostWritten = 50

// afterWrite says what was written, has every page read it, and keeps the change for undo.
func (b *Board) afterWrite(w writtenChange, err error) tea.Cmd {
	if err != nil {
		w.close()
		return tea.Batch(b.readAnd(w.again), frame.Say(frame.Error, "nothing was written: %v", err))
	}
	if w.plan.Empty() {
		w.close()
		return b.announce(frame.Info, "%s: no file had to change", w.done)
	}
	b.keep(w)
	return b.announce(frame.Good, "%s: %s; u undoes it", w.done, filesOf(w.plan))
}

// keep keeps a change for undo.
func (b *Board) keep(w writtenChange) {
	b.written = append(b.written, w)
	if len(b.written) > mostWritten {
		b.written[0].close()
		b.written = b.written[1:]
	}
}

// announce has every page read the files again, and shows a status line.
func (b *Board) announce(level frame.StatusLevel, format string, args ...any) tea.Cmd {
	return tea.Batch(b.Written(), frame.Say(level, format, args...))
}

// Written has every page read the files again.
func (b *Board) Written() tea.Cmd {
	b.Session.Stale = true
	return frame.Announce(session.WrittenMsg{})
}

// filesOf says which files a plan writes.
func filesOf(plan *plan.Plan) string {
	const few = 3
	if n := len(plan.Changes); n > few {
		return phrase.Count(n, "file") + " written"
	}
	return strings.Join(session.Changes(plan), ", ")
}

// Undo is the binding that undoes the last change.
func (b *Board) Undo() keys.Binding {
	n, about := len(b.written), "undo the last change of this run"
	if n > 0 {
		about += ": " + b.written[n-1].done
	}
	return keys.Undo.Does("undo", about, b.undo).Unless(b.ReadOnly(), keys.When(n == 0, "nothing was changed here yet"))
}

// undo undoes the last change, unless its files have changed since.
func (b *Board) undo() tea.Cmd {
	last := b.written[len(b.written)-1]
	if last.deed != nil {
		return b.undoDeed(last)
	}
	return b.runBusy("writing", func() func() tea.Cmd {
		err := last.plan.Reverse().CommitWhenFree()
		return func() tea.Cmd {
			if err != nil {
				return tea.Batch(b.Read(), b.notUndone(last, whyNotUndone(err)))
			}
			b.forget(last)
			return b.announce(frame.Good, "undid: %s", last.done)
		}
	})
}

// whyNotUndone says why files were not changed back.
func whyNotUndone(err error) string {
	var stale *journal.StaleError
	if !errors.As(err, &stale) {
		return fmt.Sprintf("nothing was written: %v", err)
	}
	var files []string
	for _, f := range stale.Files {
		files = append(files, prose.PrintableStart(f.Path))
	}
	return "nothing was undone: files have changed since, and stay as they are: " + strings.Join(files, ", ")
}

// notUndone says why a change was not undone. If it is not the first of this run, it also asks
// whether to leave it as it is: else no earlier change could ever be undone.
func (b *Board) notUndone(last writtenChange, why string) tea.Cmd {
	if len(b.written) < 2 {
		return frame.Say(frame.Error, "%s", why)
	}
	text := last.done + "\n\n" + prose.PrintableStart(why) + "\n\nIf it stays as it is, u undoes the change before it: " +
		b.written[len(b.written)-2].done
	return frame.Open(dialog.Sure("Leave this change as it is?", text, "Leave it", func() tea.Cmd {
		b.forget(last)
		return frame.Say(frame.Info, "left as it is: %s", last.done)
	}))
}

// forget drops a change that was undone, or that stays as it is.
func (b *Board) forget(last writtenChange) {
	last.close()
	b.written = slices.DeleteFunc(b.written,
		func(w writtenChange) bool { return w.deed == last.deed && w.plan == last.plan })
}

// planned plans a change outside Update, and asks about it with what plan returns. again, which may
// be nil, opens the form of the change again if it is not written.
func (b *Board) planned(
	done string, again func() tea.Cmd, plan func(*project.Project) (*plan.Plan, func(writtenChange) tea.Cmd, error),
) tea.Cmd {
	anew := func() tea.Cmd { return b.planned(done, again, plan) }
	renews := b.renews
	b.renews = false
	return b.runBusy("planning", func() func() tea.Cmd {
		var ask func(writtenChange) tea.Cmd
		w := writtenChange{done: done, again: again, anew: anew, renews: renews}
		var err error
		if w.project, err = b.Session.Read(); err == nil {
			w.plan, ask, err = plan(w.project)
		}
		return func() tea.Cmd {
			if open := (*merge.OpenError)(nil); errors.As(err, &open) {
				w.close()
				return outside.Ask(open, func() tea.Cmd {
					b.renews = renews
					return anew()
				}, again)
			}
			if err != nil {
				w.close()
				return tea.Batch(b.readAnd(again), frame.Say(frame.Error, "%v", err))
			}
			return ask(w)
		}
	})
}

// Propose plans a change, shows it with its side effects, and writes it after a yes. yes is
// the label of the button; done is what the status line says then.
func (b *Board) Propose(title, yes, done string, planned Proposal) tea.Cmd {
	return b.planned(done, nil, func(current *project.Project) (*plan.Plan, func(writtenChange) tea.Cmd, error) {
		planned, warning, err := planned(current)
		if err != nil {
			return nil, nil, err
		}
		text := session.Explain(planned, warning)
		return planned, func(w writtenChange) tea.Cmd {
			return b.show(dialog.Confirm(title, text,
				dialog.Button{Label: "Cancel", Cancel: true, Do: func() tea.Cmd { return b.cancel(w) }},
				dialog.Button{Label: yes, Do: func() tea.Cmd { return b.commitPlanned(w, nil) }}), w.renews, w.anew)
		}, nil
	})
}

// agree shows lines about a planned change, and writes it after a yes. written, which may be
// nil, is called inside Update then.
func (b *Board) agree(title, yes string, lines []prose.Line, written func() tea.Cmd) func(writtenChange) tea.Cmd {
	return func(w writtenChange) tea.Cmd {
		return b.show(dialog.AgreeWords(title, lines, yes, nil, func() tea.Cmd { return b.commitPlanned(w, written) },
			func() tea.Cmd { return b.cancel(w) }), w.renews, w.anew)
	}
}

// commitPlanned writes a planned change, or asks again if somebody else changed the files after it
// was planned. written, which may be nil, is called inside Update when it is written.
func (b *Board) commitPlanned(w writtenChange, written func() tea.Cmd) tea.Cmd {
	b.review = nil
	if b.refusal() != "" {
		w.close()
	}
	return b.runBusy("writing", func() func() tea.Cmd {
		_, news, err := b.Session.Commit(w.project, w.plan)
		return func() tea.Cmd {
			if news.Changed || errors.As(err, new(*journal.StaleError)) {
				w.close()
				return tea.Sequence(outside.Say("nothing was written yet: ", news), w.anew())
			}
			after := b.afterWrite(w, err)
			if err != nil || written == nil {
				return after
			}
			return tea.Batch(written(), after)
		}
	})
}

// Remove removes something, with what refers to it, after asking.
func (b *Board) Remove(of model.Ref) tea.Cmd {
	name := prose.PrintableStart(of.String())
	return b.Propose("Remove "+name+"?", "Remove", "removed "+name,
		func(p *project.Project) (*plan.Plan, string, error) {
			return session.PlanRemoval(p, of)
		})
}
