package lines

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/request"
)

// task asks the wizard's questions.
func (x *learner) task(l course.Lesson) error {
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
	err = walk(x.in, x.out, s, l.Begin(s.Project.Backend))
	switch {
	case errors.Is(err, ErrLeft):
		x.say("The questions are left; the answers are kept. Nothing was written.")
		return nil
	case err != nil:
		x.say("Nothing was written: %s", err)
		return nil
	}
	return x.check(l)
}

// send opens the console for the list of books.
func (x *learner) send(l course.Lesson) error {
	start := request.Start{API: "shop", Path: "/books", Method: "GET", Environment: "dev"}
	if err := Console(&oneLine{from: x.in}, x.out, x.course.Dir, start); err != nil {
		x.say("%s", err)
	}
	return x.check(l)
}

// oneLine gives each line of an input alone, so that who reads it takes no more
// than is read.
type oneLine struct {
	from *bufio.Scanner
	rest []byte
}

func (o *oneLine) Read(p []byte) (int, error) {
	if len(o.rest) == 0 {
		if !o.from.Scan() {
			if err := o.from.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		o.rest = append(append([]byte(nil), o.from.Bytes()...), '\n')
	}
	n := copy(p, o.rest)
	o.rest = o.rest[n:]
	return n, nil
}

// check says what is missing, or what the lesson came to.
func (x *learner) check(l course.Lesson) error {
	standing, err := course.Stand(x.course.Dir)
	if err != nil {
		return err
	}
	missing := standing.Missing(l)
	was := x.done
	x.done = len(missing) == 0
	if !x.done {
		x.say("\nStill missing:")
		for _, text := range missing {
			x.say("- %s", text)
		}
	}
	if l.Look != nil {
		if look := l.Look(standing.Backend); len(look) > 0 {
			x.say("\nAs it stands:")
			for _, text := range look {
				x.say("- %s", text)
			}
		}
	}
	if l.Event != "" && !standing.Facts.Node {
		x.say("\nNode.js is not on this machine, so functions that are written for it do not run here. A request is not asked for then.")
	}
	if !x.done || was {
		return nil
	}
	return x.recap(l)
}

func (x *learner) recap(l course.Lesson) error {
	// A lesson that cannot be noted is done all the same.
	if err := x.course.Finish(l.ID); err != nil {
		x.say("%s", err)
	}
	made, err := x.course.Made(l.ID)
	if err != nil {
		return err
	}
	x.say("\nDone.\n")
	x.lines(l.Recap)
	if len(made) > 0 {
		x.say("\nThe files of this lesson:")
		for _, name := range made {
			x.say("  %s", name)
		}
	}
	x.say("\nThe same on a command line:\n  %s", l.Command)
	return nil
}

func (x *learner) hint(l course.Lesson) error {
	if x.hints == len(l.Hints) {
		x.say("There is no other hint. They were:")
		x.hints = 0
	}
	x.lines(l.Hints[x.hints])
	x.hints++
	return nil
}

func (x *learner) anew(l course.Lesson) error {
	ok, err := x.yes("What you made in the folder goes. Begin anew?", func() string {
		return "The folder becomes what it was when the lesson began."
	})
	if errors.Is(err, errBack) || err == nil && !ok {
		return nil
	}
	if err != nil {
		return err
	}
	if err := x.course.Prepare(l, true); err != nil {
		x.say("%s", err)
		return nil
	}
	x.hints, x.done = 0, false
	return x.check(l)
}

// event takes the event of a lesson's function.
func (x *learner) event(l course.Lesson) error {
	text, err := x.line("The event")
	switch {
	case errors.Is(err, errBack), err == nil && text == "":
		return nil
	case err != nil:
		return err
	}
	if err := x.course.SaveEvent(l, text); err != nil {
		x.say("%s", err)
		return nil
	}
	return x.check(l)
}

// mock runs a lesson's function, or says what it answered where it could be run.
func (x *learner) mock(l course.Lesson) error {
	standing, err := course.Stand(x.course.Dir)
	if err != nil {
		return err
	}
	if !standing.Facts.Node {
		x.say("Node.js is not on this machine. This answer was recorded on another one, for the lesson:\n%s", l.Recorded)
		return nil
	}
	x.run("gatewright mock function " + l.Event)
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
