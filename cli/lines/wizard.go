package lines

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"gatewright/flow"
	"gatewright/flow/matrix"
	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/internal/clock"
	"gatewright/project/plan"
)

// wizard is one run of the wizard.
type wizard struct {
	asker
	session *session.Session
	flow    *flow.Flow
}

// Run asks for everything that the task needs, and writes it after a yes. It returns
// ErrLeft at the end of the input, or when quit is answered.
func Run(in io.Reader, out io.Writer, s *session.Session, task flow.Task) error {
	return runWizard(newAsker(in, out, ErrLeft), s, task)
}

// runWizard is Run for an asker that the caller goes on to use.
func runWizard(asker asker, s *session.Session, task flow.Task) error {
	w := &wizard{asker, s, flow.New(s.Project.Backend, task, s.NewName())}
	w.say("The wizard in plain lines. Answer with a number or a text. An empty answer keeps the value. back or < goes " +
		"back, quit leaves, ? explains.")
	if task.API == "" && !s.New {
		w.say("To make an API from an OpenAPI document instead, run: gatewright add api NAME --from FILE")
	}
	if draft, ok, err := s.Drafts.Load(); err == nil && ok && draft.Task == task {
		resume, err := w.yes("Go on with the draft of "+clock.Moment(draft.Saved)+"?",
			"You left the wizard, and your answers were saved. yes fills them in; no replaces them as "+
				"soon as another draft is saved.")
		if err != nil {
			return err
		}
		if resume {
			w.flow.Restore(draft.Answers)
		}
	}
	at := w.flow.Unanswered()
	for {
		err := w.step(at)
		before, after := w.flow.Around(at)
		switch {
		case errors.Is(err, errBack) && before != flow.ID{}:
			at = before
		case errors.Is(err, errBack):
			w.say("This is the first question.")
		case errors.Is(err, ErrLeft):
			return cmp.Or(w.keep(), err)
		case err != nil || at.Kind == flow.Review:
			return err
		default:
			w.flow.Pass(at)
			at = after
		}
	}
}

// step asks the questions of one step until its answers are valid.
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
			if f.Kind == flow.Access {
				if err := w.access(at, question.Help); err != nil {
					return err
				}
				continue
			}
			w.offer(f.Options)
			err := w.ask(f, strings.TrimSpace(question.Help+" "+f.Help), func(value string, chosen []string) error {
				w.flow.Set(at, f.Key, value, chosen)
				return cmp.Or(w.keep(), w.fault(at, f.Key))
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

// keep saves the answers as a draft, so that nothing is lost if the program is ended.
func (w *wizard) keep() error {
	return w.session.Drafts.Save(session.Draft(w.session.Project, w.flow))
}

// setMatrix stores an edit of the matrix of a step's path.
func (w *wizard) setMatrix(at flow.ID, m matrix.Matrix) error {
	w.flow.SetMatrix(at.Path, m)
	return w.keep()
}

// fault returns what is wrong with a field; nil if nothing is.
func (w *wizard) fault(at flow.ID, field string) error {
	for _, fault := range w.flow.Faults(at) {
		if fault.Field == field {
			return fault.Err
		}
	}
	return nil
}

// review prints what will be written, and writes it after a yes.
func (w *wizard) review() error {
	if _, err := w.flow.FirstOpen(); err != nil {
		w.say("Not yet: %s", err)
		return errBack
	}
	// The answer tests has the access kept as access tests too, or not any more.
	for tested := false; ; tested = !tested {
		plan, err := w.plan(tested)
		if err != nil {
			return err
		}
		more := "tests keeps this access as access tests too"
		if tested {
			more = "tests leaves them out again"
		}
		answer, err := w.decide("Write them (? shows every line, "+more+")?", strings.TrimRight(plan.Diff(), "\n"), "tests")
		switch {
		case err != nil:
			return err
		case answer == "yes":
			return w.write(plan)
		case answer == "no":
			return errBack
		}
	}
}

// plan plans the files and prints what they come to.
func (w *wizard) plan(tested bool) (*plan.Plan, error) {
	next, plan, err := session.Plan(w.session.Project, w.flow)
	if err != nil {
		return nil, err
	}
	overview := preview.OverviewOf(w.session.Project.Backend, next, w.flow.Task.Path)
	var tests []string
	if tested {
		tests = overview.AccessTests(next)
		if err := plan.AddAccessTests(tests...); err != nil {
			return nil, err
		}
	}
	w.say("\nReview. This will be:")
	for _, line := range overview.Lines() {
		w.say("  %s", line.Text)
	}
	w.points("Tests of this access:", " ", tests)
	w.points("Worth a look:", " ", append(overview.Warnings, plan.Notes...))
	w.points("These files will be written, all of them or none:", " ", session.Changes(plan))
	return plan, nil
}

// write writes the files, and prints what to do next.
func (w *wizard) write(plan *plan.Plan) error {
	if err := plan.CommitWhenFree(); err != nil {
		return err
	}
	w.say("Written.")
	w.say("What to do next:")
	steps, _ := w.session.NextSteps(w.flow)
	for _, step := range steps {
		w.say("  %s  (%s)", step.Command, step.About)
	}
	w.points("The same in another project:", " ", w.flow.Commands())
	return w.session.Drafts.Discard()
}
