package lines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/flow/course"
	"gatewright/internal/text/prose"
)

// lessons takes a person through the course.
type lessons struct {
	asker
	course *course.Course
	// lesson is the current one, hints how many of its hints were given.
	lesson course.Lesson
	hints  int
	// done reports whether the lesson is done, hasNode whether Node.js can run its function.
	done, hasNode bool
}

// errNext asks for the next lesson; errBack asks for the list of lessons.
var errNext = errors.New("next")

// Learn runs the course in plain lines. It starts with the lesson id, or asks for one if id
// is "". It ends at the end of the input, or when quit is answered.
func Learn(in io.Reader, out io.Writer, c *course.Course, id string) error {
	x := &lessons{asker: newAsker(in, out, ErrLeft), course: c}
	x.say("The course: six lessons. Each is a page to read and a task. Answer with a number; back or < goes back, quit " +
		"leaves, ? explains.")
	x.say("%s", c.FolderNote())
	err := x.from(id)
	if errors.Is(err, ErrLeft) {
		return x.note("You left the course. Your finished lessons are saved.")
	}
	return err
}

// from runs lessons, starting with the lesson id, or with the list if id is "".
func (x *lessons) from(id string) error {
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
func (x *lessons) choose() (string, error) {
	x.say("")
	var options []prose.Option
	for _, l := range course.Lessons() {
		option := prose.Option{Title: l.Title}
		if x.course.Done(l.ID) {
			option.Detail = "done"
		}
		options = append(options, option)
	}
	x.offer(options)
	chosen := x.course.Next()
	field := flow.Field{Label: "Which lesson?", Value: strconv.Itoa(chosen.Number)}
	for {
		err := x.ask(field,
			"You can start with any lesson: each begins with the files that the earlier ones make. An empty answer takes the "+
				"proposed lesson.", func(id string, _ []string) error {
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

// teach runs one lesson.
func (x *lessons) teach(l course.Lesson) error {
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

// text prints the page of the lesson and its task.
func (x *lessons) text() error {
	x.say("\nLesson %d: %s\n", x.lesson.Number, x.lesson.Title)
	x.lines(x.lesson.Page)
	x.say("\nYour task\n")
	x.lines(x.lesson.Task)
	return x.note("\nThe task and its hints describe the screens. Here, use choice 1 below instead of enter, and the " +
		"other choices instead of keys. Type commands as they are.")
}

func (x *lessons) lines(text string) {
	x.say("%s", strings.Join(course.PlainLines(text), "\n"))
}

// choices returns what can be done in the lesson.
func (x *lessons) choices() []choice {
	first := choice{title: "Do the task", do: x.task}
	switch x.lesson.Place {
	case course.InOutputs:
		first = choice{title: "Show the command that does the task", do: func() error {
			return x.note("Type: %s", x.lesson.Command)
		}}
	case course.InConsole:
		first = choice{title: "Send a request from the console", do: x.send}
	}
	list := []choice{
		first,
		{title: "Check the task", do: x.check},
		{title: "Show a hint", do: x.hint},
		{title: "Read the lesson again", do: x.text},
		{title: "Go to the next lesson", do: func() error { return errNext }},
		{title: "List all lessons", do: func() error { return errBack }},
		{title: "Start the lesson over", do: x.restart},
	}
	if x.lesson.Event != "" {
		list = append(list,
			choice{title: "Enter the event of the function, as one line of JSON", do: x.event},
			choice{title: "Run the function with its event", do: x.mock})
	}
	return list
}

// next asks what to do, and does it.
func (x *lessons) next() error {
	list := x.choices()
	options := asOptions(list)
	proposed := 1
	if x.done {
		const nextLesson = 5
		proposed = nextLesson
	}
	x.say("")
	x.offer(options)
	text, err := x.line(fmt.Sprintf("What now? a number, or a gatewright command (now %d)", proposed))
	switch {
	case err != nil:
		return err
	case text == "?":
		return x.note("A command, such as gatewright routes, runs in the course's folder: %s", x.course.Dir)
	case text == "":
		text = strconv.Itoa(proposed)
	}
	if _, err := strconv.Atoi(text); err == nil {
		i, err := parseNumber(options, text)
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
