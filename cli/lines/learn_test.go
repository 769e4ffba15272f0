package lines_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/lines"
	"gatewright/flow/course"
)

// runCourse returns what the course prints for the given answers.
func runCourse(t *testing.T, c *course.Course, id string, answers ...string) string {
	t.Helper()
	var out strings.Builder
	if err := lines.Learn(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, c, id); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("there are escape sequences in plain lines")
	}
	return out.String()
}

func beginCourse(t *testing.T, into string) *course.Course {
	t.Helper()
	c, err := course.Begin(into, t.TempDir(), filepath.Join(t.TempDir(), "no-program"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func says(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in\n%s", w, text)
		}
	}
}

func TestALessonIsDoneByPlainAnswers(t *testing.T) {
	t.Parallel()
	c := beginCourse(t, "")
	text := runCourse(t, c, "", "", "1", "", "", "shop", "", "", "/books", "", "", "", "", "", "", "1", "", "", "", "yes", "quit")
	says(t, text,
		"1. A first API", "Which lesson? (now 1)", "Lesson 1: A first API", "Your task", "- There is no project yet.", "1. Do the task",
		"create backend/api/shop/cli-inputs.json", "Written.", "\nDone.\n", "The files of this lesson:", "backend/function/books/src/index.js",
		"The same on a command line:", "What now? a number, or a gatewright command (now 5)", "You left the course. Your finished lessons are saved.")
	if !c.Done("first-api") {
		t.Error("the lesson is not saved as done")
	}
}

func TestALessonIsDoneEvenIfThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	c, err := course.Begin("", state, filepath.Join(t.TempDir(), "no-program"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	// The progress cannot be saved: a folder has the name of its file.
	if err := os.MkdirAll(filepath.Join(state, "learn.json", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := runCourse(t, c, "first-api", "1", "", "", "shop", "", "", "/books", "", "", "", "", "", "", "1", "", "", "", "yes", "quit")
	says(t, text, "saving the progress of the course", "\nDone.\n", "The same on a command line:", "What now?")
}

func TestAWrongResultIsNamedInPlainLines(t *testing.T) {
	t.Parallel()
	c := beginCourse(t, "")
	text := runCourse(t, c, "paths", "3", "3", "1", "/books/{id}", "2", "1", "", "", "", "", "yes", "2", "7", "yes", "2", "6", "<", "?", "4", "5", "quit")
	says(t, text,
		"The braces are part of the path", "The wizard proposes a name that no function has yet", "but it is /books/{id}", "Start over? yes or no",
		"/books/978 still goes to the function books", "This is the first question.", "An empty answer takes the proposed lesson.", "Lesson 4: Environments", "Lesson 5: Outputs and addOutput")
	if c.Done("paths") {
		t.Error("a wrong result counts as done")
	}
}

func TestTheEndOfTheInputEndsTheCourse(t *testing.T) {
	t.Parallel()
	into := filepath.Join(t.TempDir(), "mine")
	says(t, runCourse(t, beginCourse(t, into), "", ""), "The course works in "+into, "You left the course.")
	if entries, err := os.ReadDir(into); err != nil || len(entries) > 0 {
		t.Errorf("something was written: %v %v", entries, err)
	}
}

func TestTheConsoleOfALessonNeedsASandboxAndLeavesLaterAnswers(t *testing.T) {
	t.Parallel()
	text := runCourse(t, beginCourse(t, ""), "testing", "1", "3", "quit")
	says(t, text, "1. Send a request from the console", "no sandbox", "The event is: ")
}

func TestWithoutNodeARecordedAnswerIsPrinted(t *testing.T) {
	t.Setenv("PATH", "")
	c := beginCourse(t, "")
	text := runCourse(t, c, "testing", `8`, `{"httpMethod": "GET", "path": "/books", "queryStringParameters": {"limit": 5}}`, "9", "0", "nonsense", "gatewright learn", "quit")
	says(t, text, "has the limit 5, which is a number", "This answer was recorded on another one", `"statusCode": 200`, "Node.js is not on this machine", "0 is not one of the numbers 1 to 9", "neither a number nor a command", "does not end by itself")
	if strings.Contains(text, "No request for /books") {
		t.Error("the task asks for a request that no function can answer")
	}
}
