package lines

import (
	"context"
	"errors"
	"strings"

	"gatewright/flow/request"
	"gatewright/flow/session"
)

// task runs the wizard on the lesson's task.
func (x *lessons) task() error {
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
	err = runWizard(x.asker, s, x.lesson.WizardTask(s.Project.Backend))
	switch {
	case errors.Is(err, ErrLeft):
		return x.note("You left the wizard. Nothing was written; your answers are saved.")
	case err != nil:
		return x.note("Nothing was written: %s", err)
	}
	return x.check()
}

// send opens the console for the list of books.
func (x *lessons) send() error {
	start := request.Form{API: "shop", Path: "/books", Method: "GET", Environment: "dev"}
	if err := console(asker{in: x.in, out: x.out, ended: errEnded}, x.course.Dir, start); err != nil {
		x.say("%s", err)
	}
	return x.check()
}

// check prints what the task still needs, or the recap if the lesson is done.
func (x *lessons) check() error {
	report, err := x.course.Report(x.lesson)
	if err != nil {
		return err
	}
	wasDone := x.done
	x.done, x.hasNode = report.Done(), report.Node
	x.points("\nStill missing:", "-", report.Missing)
	x.points("\nThe project now:", "-", report.Summary)
	if x.lesson.Event != "" && !x.hasNode {
		x.say("\nNode.js is not on this machine, so the function cannot run here. The task does not ask for a request then.")
	}
	if !x.done || wasDone {
		return nil
	}
	// The lesson is done even if that cannot be saved.
	if err := x.course.Finish(x.lesson.ID); err != nil {
		x.say("%s", err)
	}
	x.say("\nDone.\n")
	x.lines(x.lesson.Recap)
	x.points("\nThe files of this lesson:", " ", report.ChangedFiles)
	return x.note("\nThe same on a command line:\n  %s", x.lesson.Command)
}

func (x *lessons) hint() error {
	if x.hints == len(x.lesson.Hints) {
		x.say("There is no other hint. The first one again:")
		x.hints = 0
	}
	x.lines(x.lesson.Hints[x.hints])
	x.hints++
	return nil
}

func (x *lessons) restart() error {
	ok, err := x.yes("This removes what you made in the folder. Start over?",
		"The folder becomes what it was at the start of the lesson.")
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

// event saves the event of the lesson's function.
func (x *lessons) event() error {
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

// mock runs the lesson's function, or prints a recorded answer if Node.js is missing.
func (x *lessons) mock() error {
	if !x.hasNode {
		return x.note("Node.js is not on this machine. This answer was recorded on another one:\n%s", x.lesson.Recorded)
	}
	x.run("gatewright mock function " + x.lesson.Event)
	return nil
}

// run runs a gatewright command and prints its output.
func (x *lessons) run(line string) {
	text, err := x.course.Run(context.Background(), line)
	if text = strings.TrimRight(text, "\n"); text != "" {
		x.say("%s", text)
	}
	if err != nil {
		x.say("%s", err)
	}
}
