package course_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatewright/flow/course"
	"gatewright/model"
	"gatewright/model/check"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, id string) course.Lesson {
	t.Helper()
	l, err := course.FindLesson(id)
	must(t, err)
	return l
}

// solved returns the backend with a lesson's task done.
func solved(t testing.TB, id string) *model.Backend {
	t.Helper()
	l := find(t, id)
	b, err := l.Seed()
	must(t, err)
	b, err = l.Solve(b)
	must(t, err)
	return b
}

// edited returns a copy of the backend after an edit that must succeed.
func edited(t testing.TB, b *model.Backend, edit func(*model.Backend) error) *model.Backend {
	t.Helper()
	next, err := b.Edit(edit)
	must(t, err)
	return next
}

const goodEvent = `{"httpMethod": "GET", "path": "/books", "queryStringParameters": {"limit": "5"}, "headers": {}}`

// goodFacts are the facts of a folder in which everything was tried and pushed.
func goodFacts() course.Facts {
	return course.Facts{
		Project: true, Node: true, Events: map[string]string{"books": goodEvent}, Called: map[string]bool{"dev/books": true},
		Pushed: map[string]course.Push{"dev": {}, "qa": {Never: true}},
	}
}

func TestALessonIsDoneOnceItsTaskIs(t *testing.T) {
	t.Parallel()
	for _, l := range course.Lessons() {
		seed, err := l.Seed()
		must(t, err)
		if missing := l.Check(seed, course.Facts{Project: seed.Project.Name != "", Node: true}); len(missing) == 0 {
			t.Errorf("%s is done before it begins", l.ID)
		}
		if missing := l.Check(solved(t, l.ID), goodFacts()); len(missing) > 0 {
			t.Errorf("%s, with its task done, still misses %q", l.ID, missing)
		}
	}
}

func TestALessonStaysDoneThroughTheLaterOnes(t *testing.T) {
	t.Parallel()
	lessons := course.Lessons()
	for i, l := range lessons {
		for _, later := range lessons[i:] {
			if missing := l.Check(solved(t, later.ID), goodFacts()); len(missing) > 0 {
				t.Errorf("after %s, %s misses %q", later.ID, l.ID, missing)
			}
		}
	}
}

func TestTheResultOfTheLessonsIsAValidProject(t *testing.T) {
	t.Parallel()
	b := solved(t, "outputs")
	for _, p := range check.Backend(b) {
		if p.Level == model.Error {
			t.Error(p)
		}
	}
}

func TestLessonsAreFoundByNameAndByNumber(t *testing.T) {
	t.Parallel()
	for i, l := range course.Lessons() {
		byName, err := course.FindLesson(l.ID)
		must(t, err)
		byNumber, err := course.FindLesson(string(rune('1' + i)))
		must(t, err)
		if byName.ID != l.ID || byNumber.ID != l.ID || l.Number != i+1 {
			t.Errorf("%s is found as %s and %s", l.ID, byName.ID, byNumber.ID)
		}
	}
	for name, want := range map[string]string{"enviroments": "did you mean environments?", "0": "take one of first-api, paths", "\x1b[2J": "does not exist"} {
		_, err := course.FindLesson(name)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// words are the terms that the lessons must explain.
var words = []string{
	"project", "backend", "environment", "API", "path", "handler function", "table", "user pool", "group", "guest", "access", "action",
	"output", "client configuration file", "dialect", "stack", "sandbox", "push",
}

func TestEveryTermIsExplainedAtItsFirstUse(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, l := range course.Lessons() {
		all.WriteString(l.Page + "\n" + l.Task + "\n" + strings.Join(l.Hints, "\n") + "\n" + l.Recap + "\n")
	}
	text := all.String()
	for _, word := range words {
		at := regexp.MustCompile(`(?i)\b` + word + `s?\b`).FindStringIndex(text)
		if at == nil {
			t.Errorf("no lesson has the term %s", word)
			continue
		}
		before, after := text[max(0, at[0]-2):at[0]], text[at[1]:min(len(text), at[1]+2)]
		if before != "**" || after != "**" {
			t.Errorf("the first use of %q is in %q, which does not explain it", word, text[max(0, at[0]-40):min(len(text), at[1]+40)])
		}
	}
}

func TestEveryLessonHasAllItsParts(t *testing.T) {
	t.Parallel()
	for _, l := range course.Lessons() {
		if len(l.Hints) < 2 || len(l.Page) < 400 || len(l.Task) < 200 || len(l.Recap) < 100 || l.Command == "" || l.Title == "" {
			t.Errorf("%s lacks a part: %d hints", l.ID, len(l.Hints))
		}
		for _, text := range append([]string{l.Page, l.Task, l.Recap}, l.Hints...) {
			for _, line := range course.PlainLines(text) {
				if strings.ContainsAny(line, "`\x1b") || strings.Contains(line, "**") {
					t.Errorf("%s: %q still has a mark", l.ID, line)
				}
			}
		}
	}
}

func TestTheSummaryFollowsTheBackend(t *testing.T) {
	t.Parallel()
	l := find(t, "paths")
	seed, err := l.Seed()
	must(t, err)
	before, after := strings.Join(l.Summarize(seed), "\n"), strings.Join(l.Summarize(solved(t, "paths")), "\n")
	if !strings.Contains(before, "GET /books/978: books, by /books/{proxy+}, proxy is 978") {
		t.Errorf("before:\n%s", before)
	}
	for _, want := range []string{
		"GET /books: books, by /books", "GET /books/978: book, by /books/{isbn}, isbn is 978",
		"GET /books/978/reviews/4: book, by /books/{isbn}/{proxy+}, isbn is 978, proxy is reviews/4",
	} {
		if !slices.Contains(l.Summarize(solved(t, "paths")), want) {
			t.Errorf("nothing says %q in\n%s", want, after)
		}
	}
	for _, l := range course.Lessons() {
		if l.Summarize != nil {
			l.Summarize(&model.Backend{})
		}
	}
}
