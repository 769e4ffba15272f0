package lines

import (
	"context"
	"errors"
	"strings"

	"gatewright/flow/session"
	"gatewright/request"
)

// task asks the wizard's questions.
func (x *learner) task() error {
	s, err := session.Open(x.course.Dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return x.course.State
		}
		return ""
	})
	if err != nil {
		return err
	}
	defer func() { _ = s.Project.Close() }()
	err = walk(x.asker, s, x.lesson.WizardTask(s.Project.Backend))
	switch {
	case errors.Is(err, ErrLeft):
		return x.note("The questions are left; the answers are kept. Nothing was written.")
	case err != nil:
		return x.note("Nothing was written: %s", err)
	}
	return x.check()
}

// send opens the console for the list of books.
func (x *learner) send() error {
	start := request.Form{API: "shop", Path: "/books", Method: "GET", Environment: "dev"}
	if err := console(asker{x.in, x.out, errEnded}, x.course.Dir, start); err != nil {
		x.say("%s", err)
	}
	return x.check()
}

// check says what is missing, or what the lesson came to.
func (x *learner) check() error {
	report, err := x.course.Report(x.lesson)
	if err != nil {
		return err
	}
	was := x.done
	x.done, x.node = report.Done(), report.Node
	x.points("\nStill missing:", "-", report.Missing)
	x.points("\nAs it stands:", "-", report.Summary)
	if x.lesson.Event != "" && !x.node {
		x.say("\nNode.js is not on this machine, so functions that are written for it do not run here. A request is not asked for then.")
	}
	if !x.done || was {
		return nil
	}
	// A lesson that cannot be noted is done all the same.
	if err := x.course.Finish(x.lesson.ID); err != nil {
		x.say("%s", err)
	}
	x.say("\nDone.\n")
	x.lines(x.lesson.Recap)
	x.points("\nThe files of this lesson:", " ", report.ChangedFiles)
	return x.note("\nThe same on a command line:\n  %s", x.lesson.Command)
}

func (x *learner) hint() error {
	if x.hints == len(x.lesson.Hints) {
		x.say("There is no other hint. They were:")
		x.hints = 0
	}
	x.lines(x.lesson.Hints[x.hints])
	x.hints++
	return nil
}

func (x *learner) anew() error {
	ok, err := x.yes("What you made in the folder goes. Begin anew?", "The folder becomes what it was when the lesson began.")
	if errors.Is(err, errBack) || err == nil && !ok {
		return nil
	}
	if err != nil {
		return err
	}
	if err := x.course.Prepare(x.lesson, true); err != nil {
		return x.note("%s", err)
	}
	x.hints, x.done = 0, false
	return x.check()
}

// event takes the event of a lesson's function.
func (x *learner) event() error {
	text, err := x.line("The event")
	switch {
	case errors.Is(err, errBack), err == nil && text == "":
		return nil
	case err != nil:
		return err
	}
	if err := x.course.SaveEvent(x.lesson, text); err != nil {
		return x.note("%s", err)
	}
	return x.check()
}

// mock runs a lesson's function, or says what it answered where it could be run.
func (x *learner) mock() error {
	if !x.node {
		return x.note("Node.js is not on this machine. This answer was recorded on another one, for the lesson:\n%s", x.lesson.Recorded)
	}
	x.run("gatewright mock function " + x.lesson.Event)
	return nil
}

// run carries out a line of commands, and says what they print.
func (x *learner) run(line string) {
	text, err := x.course.Run(context.Background(), line)
	if text = strings.TrimRight(text, "\n"); text != "" {
		x.say("%s", text)
	}
	if err != nil {
		x.say("%s", err)
	}
}
