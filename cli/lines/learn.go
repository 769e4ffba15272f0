package lines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/course"
	"gatewright/flow"
	"gatewright/prose"
)

// learner takes somebody through the course.
type learner struct {
	asker
	course *course.Course
	// lesson is the one at hand, hints how many of its hints were given.
	lesson course.Lesson
	hints  int
	// done and node say whether it is, and whether there is Node.js to run its function.
	done, node bool
}

// errNext goes on with the next lesson; errBack goes to the list of lessons.
var errNext = errors.New("next")

// Learn is the course in plain lines. It begins with the lesson of an ID; with ""
// it asks which. It ends when the input does or "quit" is answered.
func Learn(in io.Reader, out io.Writer, c *course.Course, id string) error {
	x := &learner{asker: newAsker(in, out, ErrLeft), course: c}
	x.say("The course: six lessons. Each is a page to read and a task. Answer with a number; back or < goes back, quit leaves, ? explains.")
	x.say("%s", c.FolderNote())
	err := x.from(id)
	if errors.Is(err, ErrLeft) {
		return x.note("Left. Lessons that are done are remembered.")
	}
	return err
}

// from goes through lessons, beginning with one, or with the question which.
func (x *learner) from(id string) error {
	for {
		var err error
		if id == "" {
			if id, err = x.choose(); err != nil {
				return err
			}
		}
		l, err := course.FindLesson(id)
		if err != nil {
			return err
		}
		next := l.Next()
		id = ""
		switch err := x.teach(l); {
		case errors.Is(err, errNext) && next != nil:
			id = next.ID
		case errors.Is(err, errNext):
			x.say("\nThat was the last lesson.")
		case !errors.Is(err, errBack):
			return err
		}
	}
}

// choose asks for a lesson.
func (x *learner) choose() (string, error) {
	x.say("")
	var lessons []prose.Option
	for _, l := range course.Lessons() {
		lesson := prose.Option{Title: l.Title}
		if x.course.Done(l.ID) {
			lesson.Detail = "done"
		}
		lessons = append(lessons, lesson)
	}
	x.offer(lessons)
	chosen := x.course.Next()
	field := flow.Field{Label: "Which lesson?", Value: strconv.Itoa(chosen.Number)}
	for {
		err := x.ask(field, "Each lesson begins with what those before it would have left, so any may be the first. Empty takes the one that is said.", func(id string, _ []string) error {
			l, err := course.FindLesson(id)
			if err == nil {
				chosen = l
			}
			return err
		})
		if !errors.Is(err, errBack) {
			return chosen.ID, err
		}
		x.say("This is the first question.")
	}
}

// teach goes through one lesson.
func (x *learner) teach(l course.Lesson) error {
	if err := x.course.Prepare(l, false); err != nil {
		return err
	}
	x.lesson, x.hints, x.done = l, 0, false
	if err := cmp.Or(x.text(), x.check()); err != nil {
		return err
	}
	for {
		if err := x.next(); err != nil {
			return err
		}
	}
}

// text says what there is to read.
func (x *learner) text() error {
	x.say("\nLesson %d: %s\n", x.lesson.Number, x.lesson.Title)
	x.lines(x.lesson.Page)
	x.say("\nYour task\n")
	x.lines(x.lesson.Task)
	return x.note("\nThe task and its hints are written for the screens. Here, choice 1 below stands for enter; where a key opens something, the choices say what there is in its place. Commands are typed as they are.")
}

func (x *learner) lines(text string) {
	x.say("%s", strings.Join(course.PlainLines(text), "\n"))
}

// choices are what can be done in a lesson.
func (x *learner) choices() []choice {
	first := choice{title: "Do the task", do: x.task}
	switch x.lesson.Place {
	case course.InOutputs:
		first = choice{title: "Say the command that does it", do: func() error {
			return x.note("Type: %s", x.lesson.Command)
		}}
	case course.InConsole:
		first = choice{title: "Send a request from the console", do: x.send}
	}
	list := []choice{
		first,
		{title: "Check how far it has come", do: x.check},
		{title: "A hint", do: x.hint},
		{title: "Read the text again", do: x.text},
		{title: "The next lesson", do: func() error { return errNext }},
		{title: "All lessons", do: func() error { return errBack }},
		{title: "Begin the lesson anew", do: x.anew},
	}
	if x.lesson.Event != "" {
		list = append(list,
			choice{title: "Give the event of the function, as one line of JSON", do: x.event},
			choice{title: "Run the function with its event", do: x.mock})
	}
	return list
}

// next asks what to do, and does it.
func (x *learner) next() error {
	list := x.choices()
	options := asOptions(list)
	usual := 1
	if x.done {
		const next = 5
		usual = next
	}
	x.say("")
	x.offer(options)
	text, err := x.line(fmt.Sprintf("What now? a number, or a gatewright command (now %d)", usual))
	switch {
	case err != nil:
		return err
	case text == "?":
		return x.note("A command such as gatewright routes runs in the folder of the course: %s", x.course.Dir)
	case text == "":
		text = strconv.Itoa(usual)
	}
	if _, err := strconv.Atoi(text); err == nil {
		i, err := numbered(options, text)
		if err != nil {
			return x.note("%s", err)
		}
		return list[i].do()
	}
	if !strings.HasPrefix(text, "gatewright ") {
		return x.note("That is neither a number nor a command. A command begins with gatewright.")
	}
	x.run(text)
	return x.check()
}
