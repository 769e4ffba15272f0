// Package course is the course without a terminal: its lessons with their pages
// of text, what a task leaves to do, the folder that it is done in, and how far
// somebody has come.
package course

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/spelling"
)

// Lesson is one lesson. What is written of it is in texts/ID.md; the rest says what
// its task is.
type Lesson struct {
	// ID is what it is called on a command line, Number its place among all lessons,
	// beginning with 1, and Title what it is called on screen.
	ID     string
	Number int
	Title  string
	// Page says what is to be known, Task what is to be done, Recap what was
	// learned by it. They are Markdown (see Lines).
	Page, Task, Recap string
	// Hints are given one after another, each saying more than the one before.
	Hints []string
	// Command does the task on a command line.
	Command string
	// Recorded is what the function answered where it was run for the lesson; ""
	// where it runs none.
	Recorded string

	// Place is the screen that the task is done on.
	Place Place
	// WizardTask is what the wizard is opened for, as far as the backend is now; nil
	// where the task is done elsewhere.
	WizardTask func(*model.Backend) flow.Task
	// Check says what is still missing, each in a sentence; nothing is done.
	Check func(*model.Backend, Facts) []string
	// Summarize says how what the lesson is about stands now; nil for nothing to say.
	Summarize func(*model.Backend) []string
	// Event is the function whose event.json the task edits and that it runs; ""
	// where it runs none.
	Event string

	// Solve is a backend with the task done.
	Solve func(*model.Backend) (*model.Backend, error)
}

// Place is a screen, as a sentence names it.
type Place string

// The screens that tasks are done on.
const (
	InWizard  Place = "the wizard"
	InOutputs Place = "the dashboard"
	InConsole Place = "the console"
)

// Lessons are the lessons in their order, with their texts.
func Lessons() []Lesson {
	lessons := lessonTable()
	for i := range lessons {
		lessons[i].Number = i + 1
		lessons[i].read()
	}
	return lessons
}

//go:embed texts/*.md
var texts embed.FS

// read fills in the texts of a lesson. They are part of the program, which has a test
// that none lacks a part.
func (l *Lesson) read() {
	data, err := texts.ReadFile("texts/" + l.ID + ".md")
	if err != nil {
		panic(err)
	}
	parts := make(map[string]string)
	for part := range strings.SplitSeq(string(data), "\n## ") {
		heading, text, _ := strings.Cut(part, "\n")
		if title, ok := strings.CutPrefix(heading, "# "); ok {
			heading, l.Title = "", title
		}
		parts[heading] = strings.TrimSpace(text)
	}
	l.Page, l.Task, l.Recap = parts[""], parts["Your task"], parts["Recap"]
	l.Command, l.Recorded = strings.Trim(parts["On a command line"], "`\n"), strings.Trim(parts["Recorded"], "`\n")
	for line := range strings.Lines(parts["Hints"]) {
		_, hint, _ := strings.Cut(strings.TrimSpace(line), ". ")
		l.Hints = append(l.Hints, hint)
	}
}

// FindLesson is the lesson of an ID or a number, beginning with 1. The error is a
// *model.Problem that names the lessons there are.
func FindLesson(name string) (Lesson, error) {
	var ids []string
	for _, l := range Lessons() {
		if name == l.ID || name == strconv.Itoa(l.Number) {
			return l, nil
		}
		ids = append(ids, l.ID)
	}
	fix := "take one of " + strings.Join(ids, ", ")
	if near := spelling.Nearest(name, slices.Sorted(slices.Values(ids))); near != "" {
		fix = "did you mean " + near + "?"
	}
	return Lesson{}, &model.Problem{Field: "lesson", Text: model.Quote(name) + " is none", Fix: fix}
}

// Next is the lesson after this one; nil after the last.
func (l Lesson) Next() *Lesson {
	if lessons := Lessons(); l.Number < len(lessons) {
		return &lessons[l.Number]
	}
	return nil
}

// before are the lessons before this one.
func (l Lesson) before() []Lesson { return Lessons()[:l.Number-1] }

// Seed is the backend that the lessons before this one leave.
func (l Lesson) Seed() (b *model.Backend, err error) {
	b = &model.Backend{}
	for _, before := range l.before() {
		if b, err = before.Solve(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
