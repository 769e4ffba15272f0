// Package course is the course without a terminal: its lessons with their pages
// of text, what a task leaves to do, the folder that it is done in, and how far
// somebody has come.
package course

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

// Lesson is one lesson. Its texts are Markdown (see Blocks).
type Lesson struct {
	// ID is what it is called on a command line, Title on screen.
	ID, Title string
	// Page says what is to be known, Task what is to be done, Recap what was
	// learned by it.
	Page, Task, Recap string
	// Hints are given one after another, each saying more than the one before.
	Hints []string
	// Place is the screen that the task is done on.
	Place Place
	// Begin is what the wizard is opened for, as far as the backend is now; nil
	// where the task is done elsewhere.
	Begin func(*model.Backend) flow.Task
	// Check says what is still missing, each in a sentence; nothing is done.
	Check func(*model.Backend, Facts) []string
	// Look says how what the lesson is about stands now; nil for nothing to say.
	Look func(*model.Backend) []string
	// Command does the task on a command line.
	Command string
	// Event is the function whose event.json the task edits and that it runs; ""
	// where it runs none.
	Event string
	// Recorded is what the function answered where it was run for the lesson.
	Recorded string

	// solve is what the task makes of a backend.
	solve func(*model.Backend) (*model.Backend, error)
}

// Place is a screen.
type Place uint8

// The screens that tasks are done on.
const (
	InWizard Place = iota
	InOutputs
	InConsole
)

// String is how a sentence names the screen.
func (p Place) String() string {
	switch p {
	case InOutputs:
		return "the dashboard"
	case InConsole:
		return "the console"
	}
	return "the wizard"
}

// Lessons are the lessons in their order.
func Lessons() []Lesson {
	lessons := []Lesson{firstAPI(), paths(), access(), environments(), outputs(), testAndPush()}
	for i := range lessons {
		lessons[i].read()
	}
	return lessons
}

// FindLesson is the lesson of an ID or a number, beginning with 1. The error is a
// *model.Problem that names the lessons there are.
func FindLesson(name string) (Lesson, error) {
	lessons := Lessons()
	ids := make([]string, len(lessons))
	for i, l := range lessons {
		if name == l.ID || name == string(rune('1'+i)) {
			return l, nil
		}
		ids[i] = l.ID
	}
	fix := "take one of " + strings.Join(ids, ", ")
	if near := model.Nearest(name, slices.Sorted(slices.Values(ids))); near != "" {
		fix = "did you mean " + near + "?"
	}
	return Lesson{}, &model.Problem{Field: "lesson", Text: model.Quote(name) + " is none", Fix: fix}
}

// LessonNumber is the place of a lesson among all, beginning with 1; 0 for none.
func LessonNumber(id string) int {
	return slices.IndexFunc(Lessons(), func(l Lesson) bool { return l.ID == id }) + 1
}

// Seed is the backend that the lessons before one leave.
func Seed(id string) (*model.Backend, error) {
	b := &model.Backend{}
	for _, l := range Lessons() {
		if l.ID == id {
			break
		}
		next, err := l.Solved(b)
		if err != nil {
			return nil, err
		}
		b = next
	}
	return b, nil
}

// Solved is a backend with the lesson's task done.
func (l Lesson) Solved(b *model.Backend) (*model.Backend, error) {
	if l.solve == nil {
		return b, nil
	}
	return l.solve(b)
}

// walked does a task as the wizard does, with these answers.
func walked(task flow.Task, answers flow.Answers) func(*model.Backend) (*model.Backend, error) {
	return func(b *model.Backend) (*model.Backend, error) {
		name := ""
		if b.Project.Name == "" {
			name = projectName
		}
		f := flow.New(b, task, name)
		f.Restore(answers)
		return f.Backend()
	}
}

// open is the answers for a path that serves everybody, with a function of its
// own.
func open(path, function string) flow.PathAnswer {
	return flow.PathAnswer{
		Path: path, Source: flow.NewFunction, Restrict: flow.No, Another: flow.No,
		Function: flow.FunctionAnswer{Name: function, Runtime: string(model.NodeJS), Template: string(model.Plain), Advanced: flow.No},
	}
}

// The names that the tasks give.
const (
	projectName = "bookshop"
	shop        = "shop"
	list        = "/books"
	book        = "/books/{isbn}"
	editors     = "Editors"
	stock       = "stock"
	development = "dev"
	quality     = "qa"
)
