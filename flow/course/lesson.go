// Package course is the course without a terminal: its lessons with their texts, the checks
// of their tasks, the folder that the tasks are done in, and the progress of the user.
//
// A new lesson is a text in the folder texts with its task, hints and command, a row in
// lessons.go, and a check of the task in check.go or a file next to it.
package course

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
)

// Lesson is one lesson. Its texts are in the file texts/ID.md.
type Lesson struct {
	// ID is its name on a command line, Number its place among the lessons, counted from
	// 1, and Title its name on the screen.
	ID     string
	Number int
	Title  string
	// Page is the text to read, Task says what to do, Recap what was learned. They are Markdown (see Lines).
	Page, Task, Recap string
	// Hints are shown one after another; each says more than the one before.
	Hints []string
	// Command is the command line that does the task.
	Command string
	// Recorded is the response of the lesson's function, recorded for machines that cannot run it; ""
	// if the lesson runs no function.
	Recorded string

	// Place is the screen that the task is done on.
	Place Place
	// WizardTask returns the task to open the wizard with, given the present backend; nil
	// if the task is not done in the wizard.
	WizardTask func(*model.Backend) flow.Task
	// Check returns a sentence about each thing that is missing or wrong; none if the task is done.
	Check func(*model.Backend, Facts) []string
	// Summarize describes the present state of what the lesson is about; nil for no summary.
	Summarize func(*model.Backend) []string
	// Event is the function whose event.json the task edits, and which it runs; "" for none.
	Event string

	// Solve returns a copy of the backend with the task done.
	Solve func(*model.Backend) (*model.Backend, error)
}

// Place is a screen, by its name within a sentence.
type Place string

// The screens that tasks are done on.
const (
	InWizard  Place = "the wizard"
	InOutputs Place = "the dashboard"
	InConsole Place = "the console"
)

// Lessons returns all lessons in their order, with their texts.
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

// read fills in the texts of a lesson. The files are embedded, and a test checks that they are complete.
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

// FindLesson returns the lesson with an ID or a number. The error is a *model.Problem that names the lessons.
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
	return Lesson{}, &model.Problem{Field: "lesson", Text: phrase.Quote(name) + " does not exist", Fix: fix}
}

// Next returns the lesson after this one; nil after the last.
func (l Lesson) Next() *Lesson {
	if lessons := Lessons(); l.Number < len(lessons) {
		return &lessons[l.Number]
	}
	return nil
}

// before returns the lessons before this one.
func (l Lesson) before() []Lesson { return Lessons()[:l.Number-1] }

// Seed returns the backend with the tasks of all earlier lessons done.
func (l Lesson) Seed() (b *model.Backend, err error) {
	b = &model.Backend{}
	for _, before := range l.before() {
		if b, err = before.Solve(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
