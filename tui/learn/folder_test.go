package learn

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/flow/course"
)

func TestACheckReportsOnlyChanges(t *testing.T) {
	t.Parallel()
	c, err := course.Begin("", t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	lesson, err := course.FindLesson("paths")
	if err != nil {
		t.Fatal(err)
	}
	f := &folder{course: c, lesson: lesson}
	if f.check(false) != nil {
		t.Error("a folder that was not prepared is reported")
	}
	if err := f.prepare(false); err != nil {
		t.Fatal(err)
	}
	if f.check(false) == nil || f.check(false) != nil {
		t.Error("the first check must report, the second must not")
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "backend", "notes.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f.check(false) == nil || f.check(false) != nil {
		t.Error("a new file must be reported, and only once")
	}
}
