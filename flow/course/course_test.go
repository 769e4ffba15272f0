package course_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/flow/course"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
)

// TestMain lets the test binary stand for the program that a course runs.
func TestMain(m *testing.M) {
	if os.Getenv("COURSE_PROGRAM") == "" {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "sandbox":
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		fmt.Println("preparing\nlistening on http://127.0.0.1:1")
		<-interrupted
		_ = os.WriteFile("ended", nil, 0o644)
	case "fail":
		fmt.Fprintln(os.Stderr, "gatewright: it went wrong")
		os.Exit(3)
	case "wait":
		time.Sleep(time.Minute)
	default:
		dir, _ := os.Getwd()
		fmt.Printf("%s %q %s\n", filepath.Base(dir), os.Args[1:], filepath.Base(os.Getenv("GATEWRIGHT_STATE")))
	}
}

// temporary sets the folder for temporary files, and returns the name of its variable.
func temporary(t *testing.T, folder string) string {
	t.Helper()
	name := "TMPDIR"
	if runtime.GOOS == "windows" {
		name = "TMP"
	}
	t.Setenv(name, folder)
	return name
}

// newCourse returns a course in a temporary folder.
func newCourse(t *testing.T) *course.Course {
	t.Helper()
	temporary(t, t.TempDir())
	c, err := course.Begin("", t.TempDir(), os.Args[0])
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// commit edits the project in a course's folder.
func commit(t *testing.T, c *course.Course, edit func(*model.Backend) error) {
	t.Helper()
	p, err := project.Open(c.Dir)
	must(t, err)
	defer func() { _ = p.Close() }()
	plan, err := plan.Of(p, edited(t, p.Backend, edit))
	must(t, err)
	must(t, plan.Commit())
}

func missing(t *testing.T, c *course.Course, id string) []string {
	t.Helper()
	snapshot, err := course.ReadSnapshot(c.Dir)
	must(t, err)
	return snapshot.Missing(find(t, id))
}

func TestCloseRemovesATemporaryFolder(t *testing.T) {
	c := newCourse(t)
	must(t, c.Prepare(find(t, "outputs"), false))
	if _, err := os.Stat(filepath.Join(c.Dir, "backend", "project.json")); err != nil {
		t.Fatal(err)
	}
	must(t, c.Close())
	if entries, err := os.ReadDir(os.TempDir()); err != nil || len(entries) > 0 {
		t.Errorf("files are left: %v %v", entries, err)
	}
	must(t, c.Close())
}

func TestCloseKeepsANamedFolder(t *testing.T) {
	into := filepath.Join(t.TempDir(), "new", "folder")
	c, err := course.Begin(into, t.TempDir(), "")
	must(t, err)
	must(t, c.Prepare(find(t, "paths"), false))
	must(t, c.Close())
	if _, err := os.Stat(filepath.Join(into, "backend", "api", "shop", "cli-inputs.json")); err != nil {
		t.Error(err)
	}
}

func TestAFolderThatIsNotEmptyIsRefusedAndLeftAlone(t *testing.T) {
	full := t.TempDir()
	must(t, os.WriteFile(filepath.Join(full, "mine.txt"), []byte("mine"), 0o644))
	file := filepath.Join(full, "mine.txt")
	inProject := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(inProject, "backend"), 0o755))
	must(t, os.WriteFile(filepath.Join(inProject, "backend", "project.json"), []byte(`{"version": 1, "name": "mine", "applicationId": "mine"}`), 0o644))
	for into, want := range map[string]string{
		full: "is not empty (it has mine.txt)", file: "cannot be the folder of the course", filepath.Join(inProject, "sub"): "is inside the project",
	} {
		if _, err := course.Begin(into, t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", into, err, want)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q %v", text, err)
	}
}

func TestTheErrorAboutAMissingTemporaryFolderSaysWhatToDo(t *testing.T) {
	name := temporary(t, filepath.Join(t.TempDir(), "gone"))
	if _, err := course.Begin("", t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "set "+name+" to") {
		t.Errorf("the error is %v", err)
	}
}

func TestALessonBeginsWithTheResultOfTheEarlierOnes(t *testing.T) {
	c := newCourse(t)
	for _, l := range course.Lessons() {
		must(t, c.Prepare(l, true))
		snapshot, err := course.ReadSnapshot(c.Dir)
		must(t, err)
		if len(snapshot.Missing(l)) == 0 {
			t.Errorf("%s is done when it begins", l.ID)
		}
		for _, before := range course.Lessons()[:l.Number-1] {
			if missing := snapshot.Missing(before); len(missing) > 0 {
				t.Errorf("%s begins, and %s misses %q", l.ID, before.ID, missing)
			}
		}
		if l.Number == 1 {
			continue
		}
		p, err := project.Open(c.Dir)
		must(t, err)
		if env := p.CurrentEnvironment(); env == nil || env.Name != "dev" {
			t.Errorf("%s begins in the environment %v", l.ID, env)
		}
		must(t, p.Close())
	}
}

func TestPrepareKeepsTheFilesOfTheLessonBefore(t *testing.T) {
	c := newCourse(t)
	must(t, c.Prepare(find(t, "paths"), false))
	commit(t, c, func(b *model.Backend) error {
		must(t, edit.AddGroup(b, "Mine"))
		must(t, edit.AddFunction(b, &model.Function{Name: "single", Runtime: model.Python, Template: model.Plain, Handler: "index.handler"}))
		return edit.AddPath(b, "shop", path("/books/{isbn}", "single", everybody))
	})
	must(t, c.Prepare(find(t, "access"), false))
	snapshot, err := course.ReadSnapshot(c.Dir)
	must(t, err)
	if !slices.Contains(snapshot.Backend.Groups, "Mine") {
		t.Error("the added group is gone")
	}
	must(t, c.Prepare(find(t, "outputs"), false))
	snapshot, err = course.ReadSnapshot(c.Dir)
	must(t, err)
	if slices.Contains(snapshot.Backend.Groups, "Mine") || snapshot.Backend.API("stock") == nil {
		t.Error("two lessons later, the folder does not have the result of the lessons between")
	}
}

func TestPrepareWithResetReplacesTheFiles(t *testing.T) {
	c := newCourse(t)
	must(t, c.Prepare(find(t, "paths"), false))
	commit(t, c, func(b *model.Backend) error { return edit.AddPath(b, "shop", path("/books/{id}", "books", everybody)) })
	must(t, c.Prepare(find(t, "paths"), true))
	if got := missing(t, c, "paths"); len(got) != 1 || !strings.Contains(got[0], "no path /books/{isbn} yet") {
		t.Errorf("after the reset it misses %q", got)
	}
}

func TestChangedFilesAreThoseOfTheLesson(t *testing.T) {
	c := newCourse(t)
	must(t, c.Prepare(find(t, "outputs"), false))
	made, err := c.ChangedFiles("outputs")
	must(t, err)
	if len(made) != 0 {
		t.Errorf("before anything is done these are changed: %q", made)
	}
	commit(t, c, func(b *model.Backend) error {
		return edit.AddNamedOutput(b, "mine", model.Outputs{"custom": map[string]any{"a": 1}})
	})
	must(t, c.Prepare(find(t, "outputs"), false))
	made, err = c.ChangedFiles("outputs")
	must(t, err)
	if want := []string{"backend/outputs/mine.json", "client_config.json"}; !slices.Equal(made, want) {
		t.Errorf("the changed files are %q, want %q", made, want)
	}
}

func TestASavedEventIsRead(t *testing.T) {
	c := newCourse(t)
	l := find(t, "testing")
	must(t, c.Prepare(l, false))
	must(t, c.SaveEvent(l, goodEvent))
	for _, m := range missing(t, c, "testing") {
		if strings.Contains(m, "event") {
			t.Error(m)
		}
	}
	must(t, c.SaveEvent(l, "{"))
	if got := strings.Join(missing(t, c, "testing"), "\n"); !strings.Contains(got, "is not valid JSON") {
		t.Errorf("a broken event: %s", got)
	}
}

func TestProgressIsSavedAndReadAgain(t *testing.T) {
	state := t.TempDir()
	p, err := course.ReadProgress(state)
	must(t, err)
	if next := p.Next().ID; next != "first-api" {
		t.Errorf("the first is %s", next)
	}
	must(t, p.Finish("first-api"))
	must(t, p.Finish("access"))
	again, err := course.ReadProgress(state)
	must(t, err)
	if !again.Done("first-api") || again.Done("paths") || !again.Done("access") || again.Next().ID != "paths" {
		t.Errorf("read again the next is %s", again.Next().ID)
	}
	for text, want := range map[string]string{"{": "remove the file to start over", `{"version": 2}`: "its version is 2"} {
		must(t, os.WriteFile(filepath.Join(state, "learn.json"), []byte(text), 0o600))
		if _, err := course.ReadProgress(state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// A folder in place of the file cannot be read either, but should not be removed.
	must(t, os.Remove(filepath.Join(state, "learn.json")))
	must(t, os.Mkdir(filepath.Join(state, "learn.json"), 0o700))
	if _, err := course.ReadProgress(state); err == nil || strings.Contains(err.Error(), "remove the file") || !strings.Contains(err.Error(), "GATEWRIGHT_STATE") {
		t.Errorf("a folder in its place: %v", err)
	}
}

func TestCommandsRunInTheFolderOfTheCourse(t *testing.T) {
	t.Setenv("COURSE_PROGRAM", "1")
	c := newCourse(t)
	for line, want := range map[string]string{
		"gatewright routes": `bookshop ["routes"] state` + "\n",
		"add path shop '/books/{isbn}' --function \"a b\"": `bookshop ["add" "path" "shop" "/books/{isbn}" "--function" "a b"] state` + "\n",
		"gatewright a && gatewright b c":                   "bookshop [\"a\"] state\nbookshop [\"b\" \"c\"] state\n",
	} {
		if got, err := c.Run(context.Background(), line); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", line, got, err, want)
		}
	}
	if got, err := c.Run(context.Background(), "gatewright a && gatewright fail && gatewright b"); err == nil || got != "bookshop [\"a\"] state\ngatewright: it went wrong\n" {
		t.Errorf("a command that fails: %q %v", got, err)
	}
	for line, want := range map[string]string{
		"": "it is empty", "routes | less": "the course runs it without a shell", "add 'x": "a quote is not closed", "a && && b": "a command is missing",
		"gatewright learn": "does not end by itself", "logs books -f": "does not end by itself", "dashboard": "does not end by itself",
	} {
		if _, err := c.Run(context.Background(), line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

func TestACommandEndsWithItsContext(t *testing.T) {
	t.Setenv("COURSE_PROGRAM", "1")
	c := newCourse(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Run(ctx, "wait"); err == nil {
		t.Error("a command that was stopped gives no error")
	}
}

func TestASandboxRunsUntilTheCourseEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not tested: Windows interrupts no single process, so the sandbox is killed there")
	}
	t.Setenv("COURSE_PROGRAM", "1")
	into := filepath.Join(t.TempDir(), "kept")
	c, err := course.Begin(into, t.TempDir(), os.Args[0])
	must(t, err)
	got, err := c.Run(context.Background(), "gatewright sandbox")
	if err != nil || !strings.Contains(got, "listening on http://127.0.0.1:1\nIt runs until the course ends.") {
		t.Fatalf("%q %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(into, "ended")); !errors.Is(err, os.ErrNotExist) {
		t.Fatal("it ended before the course did")
	}
	must(t, c.Close())
	if _, err := os.Stat(filepath.Join(into, "ended")); err != nil {
		t.Error("it was not interrupted")
	}
}
