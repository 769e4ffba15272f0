package lines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/course"
)

// learner takes somebody through the course.
type learner struct {
	asker
	course *course.Course
	// hints is how many were given of the lesson at hand.
	hints int
	done  bool
}

// errNext goes on with the next lesson, errList to the list of lessons.
var (
	errNext = errors.New("next")
	errList = errors.New("list")
)

// Learn is the course in plain lines. It begins with the lesson of an ID; with ""
// it asks which. It ends when the input does or "quit" is answered.
func Learn(in io.Reader, out io.Writer, c *course.Course, id string) error {
	x := &learner{asker: asker{in: bufio.NewScanner(in), out: out}, course: c}
	x.in.Buffer(nil, longestLine)
	x.say("The course: six lessons. Each is a page to read and a task. Answer with a number; back or < goes back, quit leaves, ? explains.")
	if c.Private {
		x.say("All of it happens in a folder of its own, which is removed when you leave.")
	} else {
		x.say("All of it happens in %s, which stays when you leave.", c.Dir)
	}
	err := x.from(id)
	if errors.Is(err, ErrLeft) {
		x.say("Left. Lessons that are done are remembered.")
		return nil
	}
	return err
}

// from goes through lessons, beginning with one, or with the question which.
func (x *learner) from(id string) error {
	for {
		if id == "" {
			l, err := x.choose()
			if err != nil {
				return err
			}
			id = l.ID
		}
		l, err := course.FindLesson(id)
		if err != nil {
			return err
		}
		switch err := x.teach(l); {
		case errors.Is(err, errNext) && course.LessonNumber(id) < len(course.Lessons()):
			id = course.Lessons()[course.LessonNumber(id)].ID
		case errors.Is(err, errNext):
			x.say("\nThat was the last lesson.")
			id = ""
		case errors.Is(err, errList), errors.Is(err, errBack):
			id = ""
		default:
			return err
		}
	}
}

// choose asks for a lesson.
func (x *learner) choose() (course.Lesson, error) {
	x.say("")
	for i, l := range course.Lessons() {
		done := ""
		if x.course.Done(l.ID) {
			done = " (done)"
		}
		x.say("  %d. %s%s", i+1, l.Title, done)
	}
	next := x.course.Next()
	for {
		text, err := x.line(fmt.Sprintf("Which lesson? (now %d)", course.LessonNumber(next.ID)))
		switch {
		case errors.Is(err, errBack):
			x.say("This is the first question.")
			continue
		case err != nil:
			return course.Lesson{}, err
		case text == "":
			return next, nil
		case text == "?":
			x.say("Each lesson begins with what those before it would have left, so any may be the first. Empty takes the one that is said.")
			continue
		}
		l, err := course.FindLesson(text)
		if err == nil {
			return l, nil
		}
		x.say("%s", err)
	}
}

// teach goes through one lesson.
func (x *learner) teach(l course.Lesson) error {
	if err := x.course.Prepare(l, false); err != nil {
		return err
	}
	x.hints, x.done = 0, false
	x.text(l)
	if err := x.check(l); err != nil {
		return err
	}
	for {
		if err := x.ask(l); err != nil {
			return err
		}
	}
}

// text says what there is to read.
func (x *learner) text(l course.Lesson) {
	x.say("\nLesson %d: %s\n", course.LessonNumber(l.ID), l.Title)
	x.lines(l.Page)
	x.say("\nYour task\n")
	x.lines(l.Task)
	x.say("\nThe task and its hints are written for the screens. Here, choice 1 below stands for enter; where a key opens something, the choices say what there is in its place. Commands are typed as they are.")
}

func (x *learner) lines(text string) {
	for _, line := range course.PlainLines(text) {
		x.say("%s", line)
	}
}

// choice is something that can be done in a lesson.
type choice struct {
	title string
	do    func() error
}

func (x *learner) choices(l course.Lesson) []choice {
	first := choice{"Do the task", func() error { return x.task(l) }}
	switch l.Place {
	case course.InOutputs:
		first = choice{"Say the command that does it", func() error {
			x.say("Type: %s", l.Command)
			return nil
		}}
	case course.InConsole:
		first = choice{"Send a request from the console", func() error { return x.send(l) }}
	}
	list := []choice{
		first,
		{"Check how far it has come", func() error { return x.check(l) }},
		{"A hint", func() error { return x.hint(l) }},
		{"Read the text again", func() error { x.text(l); return nil }},
		{"The next lesson", func() error { return errNext }},
		{"All lessons", func() error { return errList }},
		{"Begin the lesson anew", func() error { return x.anew(l) }},
	}
	if l.Event != "" {
		list = append(list,
			choice{"Give the event of the function, as one line of JSON", func() error { return x.event(l) }},
			choice{"Run the function with its event", func() error { return x.mock(l) }})
	}
	return list
}

// ask asks what to do, and does it.
func (x *learner) ask(l course.Lesson) error {
	list := x.choices(l)
	usual := 1
	if x.done {
		const next = 5
		usual = next
	}
	x.say("")
	for i, c := range list {
		x.say("  %d. %s", i+1, c.title)
	}
	text, err := x.line(fmt.Sprintf("What now? a number, or a gatewright command (now %d)", usual))
	switch {
	case err != nil:
		return err
	case text == "?":
		x.say("A command such as gatewright routes runs in the folder of the course: %s", x.course.Dir)
		return nil
	case text == "":
		text = strconv.Itoa(usual)
	}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > len(list) {
			x.say("%d is not one of the numbers 1 to %d", n, len(list))
			return nil
		}
		return list[n-1].do()
	}
	if !strings.HasPrefix(text, "gatewright ") {
		x.say("That is neither a number nor a command. A command begins with gatewright.")
		return nil
	}
	x.run(text)
	return x.check(l)
}
