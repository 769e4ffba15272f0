package prose

import (
	"slices"
	"testing"
)

func TestADiffIsReadFileByFile(t *testing.T) {
	t.Parallel()
	got := Diff("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+new\x1b[2J\r\n same\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-b\n")
	want := []Line{
		{Title, "--- a/x"},
		{Added, "+++ b/x"},
		{Changed, "@@ -1,2 +1,2 @@"},
		{Removed, "--- old"},
		{Added, "+new␛[2J"},
		{Plain, " same"},
		{Title, "--- a/y"},
		{Added, "+++ b/y"},
		{Changed, "@@ -1 +1 @@"},
		{Removed, "-b"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the diff is\n%v\nwant\n%v", got, want)
	}
}
