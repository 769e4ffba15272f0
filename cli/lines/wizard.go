package lines

import (
	"errors"
	"io"
	"strings"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/prose"
)

// wizard asks one walk.
type wizard struct {
	asker
	session *session.Session
	flow    *flow.Flow
}

// Run asks everything that a task needs and writes it after a yes. It returns
// ErrLeft when the input ends or "quit" is answered.
func Run(in io.Reader, out io.Writer, s *session.Session, task flow.Task) error {
	return walk(newAsker(in, out, ErrLeft), s, task)
}

// walk is Run for input that others read from too.
func walk(asker asker, s *session.Session, task flow.Task) error {
	w := &wizard{asker, s, flow.New(s.Project.Backend, task, s.NewName())}
	w.say("Plain questions. Answer with a number or a text; empty keeps what is said. back or < goes back, quit leaves, ? explains.")
	if kept, ok, err := s.Drafts.Load(); err == nil && ok && kept.Task == task {
		again, err := w.yes("Go on with the draft of "+kept.Saved.Local().Format("2 Jan 15:04")+"?",
			"These questions were left then. With yes your answers are what is said now; with no they are dropped as soon as others are kept.")
		if err != nil {
			return err
		}
		if again {
			w.flow.Restore(kept.Answers)
		}
	}
	at := w.flow.Steps()[0]
	for {
		err := w.step(at)
		before, after := w.flow.Around(at)
		switch {
		case errors.Is(err, errBack) && before != flow.ID{}:
			at = before
		case errors.Is(err, errBack):
			w.say("This is the first question.")
		case errors.Is(err, ErrLeft):
			if kept := s.Drafts.Save(session.Draft(s.Project, w.flow)); kept != nil {
				return kept
			}
			return err
		case err != nil || at.Kind == flow.Review:
			return err
		default:
			at = after
		}
	}
}

// step asks one step until its answers are good.
func (w *wizard) step(at flow.ID) error {
	if at.Kind == flow.Review {
		return w.review()
	}
	for {
		question := w.flow.Ask(at)
		w.say("\n%s", question.Title)
		// An answer may change which fields follow.
		for i := 0; i < len(question.Fields); i++ {
			f := question.Fields[i]
			w.offer(f.Options)
			err := w.ask(f, strings.TrimSpace(question.Help+" "+f.Help), func(value string, chosen []string) error {
				w.flow.Set(at, f.Key, value, chosen)
				return nil
			})
			if err != nil {
				return err
			}
			question = w.flow.Ask(at)
		}
		err := w.flow.Check(at)
		if err == nil {
			return nil
		}
		w.say("Not yet: %s", err)
	}
}

// review says what will be written, and writes it after a yes.
func (w *wizard) review() error {
	if _, err := w.flow.FirstOpen(); err != nil {
		w.say("Not yet: %s", err)
		return errBack
	}
	was := w.session.Project.Backend
	next, plan, err := session.Plan(w.session.Project, w.flow)
	if err != nil {
		return err
	}
	w.say("\nReview. These files will be written, all or none:")
	for _, text := range append(session.Changes(plan), prose.Texts(preview.Resources(was, next))...) {
		w.say("  %s", text)
	}
	w.points("Worth a look:", " ", append(preview.Problems(was, next), plan.Notes...))
	ok, err := w.yes("Write them (? says every line)?", strings.TrimRight(plan.Diff(), "\n"))
	switch {
	case err != nil:
		return err
	case !ok:
		return errBack
	}
	if err := plan.Commit(); err != nil {
		return err
	}
	w.say("Written.")
	return w.session.Drafts.Discard()
}
