// Package lines is the wizard, the test console and the course as plain lines: for
// screen readers, and for whoever wants no screen. It draws nothing, moves no cursor
// and uses no colour; every choice has a number.
package lines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/prose"
)

// ErrLeft says that the questions were left before the end. The answers are kept
// as a draft.
var ErrLeft = errors.New("left; the answers are kept as a draft")

// asker asks one walk.
type asker struct {
	in      *bufio.Scanner
	out     io.Writer
	session *session.Session
	flow    *flow.Flow
}

// errBack goes to the step before.
var errBack = errors.New("back")

// Run asks everything that a task needs and writes it after a yes. It returns
// ErrLeft when the input ends or "quit" is answered.
func Run(in io.Reader, out io.Writer, s *session.Session, task flow.Task) error {
	return walk(bufio.NewScanner(in), out, s, task)
}

// walk is Run for input that others read from too.
func walk(in *bufio.Scanner, out io.Writer, s *session.Session, task flow.Task) error {
	a := &asker{in: in, out: out, session: s, flow: flow.New(s.Project.Backend, task, s.NewName())}
	a.say("Plain questions. Answer with a number or a text; empty keeps what is said. back or < goes back, quit leaves, ? explains.")
	if kept, ok, err := s.Drafts.Load(); err == nil && ok && kept.Task == task {
		if again, err := a.yes("Go on with the draft of "+kept.Saved.Local().Format("2 Jan 15:04")+"?", func() string {
			return "These questions were left then. With yes your answers are what is said now; with no they are dropped as soon as others are kept."
		}); err != nil {
			return err
		} else if again {
			a.flow.Restore(kept.Answers)
		}
	}
	at := a.flow.Steps()[0]
	for {
		err := a.step(at)
		before, after, hasBefore, hasAfter := a.flow.Around(at)
		switch {
		case errors.Is(err, errBack) && hasBefore:
			at = before
		case errors.Is(err, errBack):
			a.say("This is the first question.")
		case err != nil:
			return a.leave(err)
		case hasAfter:
			at = after
		default:
			return nil
		}
	}
}

// leave keeps the answers.
func (a *asker) leave(err error) error {
	if !errors.Is(err, ErrLeft) {
		return err
	}
	if kept := a.session.Drafts.Save(session.Draft(a.session.Project, a.flow)); kept != nil {
		return kept
	}
	return err
}

func (a *asker) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for line := range strings.SplitSeq(text, "\n") {
		_, _ = fmt.Fprintln(a.out, prose.Fit(line))
	}
}

// line reads an answer. back and quit are errors.
func (a *asker) line(prompt string) (string, error) {
	_, _ = fmt.Fprint(a.out, prose.Fit(prompt)+": ")
	if !a.in.Scan() {
		_, _ = fmt.Fprintln(a.out)
		if err := a.in.Err(); err != nil {
			return "", fmt.Errorf("reading an answer: %w", err)
		}
		return "", ErrLeft
	}
	text := strings.TrimSpace(a.in.Text())
	switch text {
	case "back", "<":
		return "", errBack
	case "quit":
		return "", ErrLeft
	}
	return text, nil
}

// yes asks for a yes or a no; explained is what ? says.
func (a *asker) yes(question string, explained func() string) (bool, error) {
	for {
		text, err := a.line(question + " yes or no")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "yes", "y":
			return true, nil
		case "no", "n":
			return false, nil
		case "?":
			a.say("%s", explained())
			continue
		}
		a.say("Please answer yes or no.")
	}
}

// step asks one step until its answers are good.
func (a *asker) step(at flow.ID) error {
	if at.Kind == flow.Review {
		return a.review()
	}
	for {
		question := a.flow.Ask(at)
		a.say("\n%s", question.Title)
		for i := 0; i < len(question.Fields); i++ {
			if err := a.field(at, question.Fields[i], question.Help); err != nil {
				return err
			}
			question = a.flow.Ask(at)
		}
		err := a.flow.Check(at)
		if err == nil {
			return nil
		}
		a.say("Not yet: %s", err)
	}
}

func (a *asker) field(at flow.ID, f flow.Field, help string) error {
	for i, o := range f.Options {
		note := o.Detail
		if o.Disabled != "" {
			note = "not available: " + o.Disabled
		}
		a.say("  %d. %s%s", i+1, o.Title, withNote(note))
	}
	for {
		text, err := a.line(promptOf(f))
		if err != nil {
			return err
		}
		if text == "?" {
			a.say("%s", strings.TrimSpace(help+" "+f.Help))
			continue
		}
		if text == "" {
			return nil
		}
		value, chosen, err := answer(f, text)
		if err != nil {
			a.say("%s", err)
			continue
		}
		a.flow.Set(at, f.Key, value, chosen)
		return nil
	}
}

func withNote(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}
