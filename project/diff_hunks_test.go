package project_test

import (
	"strings"
	"testing"

	"gatewright/project"
	"gatewright/project/journal"
)

// The first hunk has an equal line between its changes, and makes the text longer.
func TestEachHunkOfADiffHasItsOwnLines(t *testing.T) {
	t.Parallel()
	lines := strings.Split("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", " ")
	old := strings.Join(lines, "\n") + "\n"
	lines[1], lines[3], lines[16] = "two", "four\nand more", "seventeen"
	now := strings.Join(lines, "\n") + "\n"
	got := project.Diff(journal.Change{Path: "a.txt", Existed: true, Old: []byte(old), New: []byte(now)})
	want := "--- a/a.txt\n+++ b/a.txt\n" +
		"@@ -1,7 +1,8 @@\n 1\n-2\n+two\n 3\n-4\n+four\n+and more\n 5\n 6\n 7\n" +
		"@@ -14,7 +15,7 @@\n 14\n 15\n 16\n-17\n+seventeen\n 18\n 19\n 20\n"
	if got != want {
		t.Errorf("the diff is\n%s\nwant\n%s", got, want)
	}
}
