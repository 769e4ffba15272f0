package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testOutput = "\x16=== RUN   TestTheReadme\n\x16--- PASS: TestTheReadme (0.10s)\n" +
	"\x16=== RUN   TestSessions\n\x16=== RUN   TestSessions/push\n\x16=== RUN   TestSessions/links\n" +
	"\x16=== NAME  TestSessions/push\n    testscript.go:609: > exits 0 push\n        FAIL: ..\\push.txtar:3: no match\n" +
	"\x16=== NAME  TestSessions/links\n    testscript.go:609: > [!links] stop 'NOT TESTED: no link'\n        stop: NOT TESTED: no link can be made here\n" +
	"\x16=== RUN   TestSessions/permissions\n    testscript.go:380: NOT TESTED: everybody may write\n" +
	"\x16--- FAIL: TestSessions (1.00s)\n    \x16--- FAIL: TestSessions/push (0.10s)\n    \x16--- PASS: TestSessions/links (0.10s)\n    \x16--- SKIP: TestSessions/permissions (0.10s)\n\x16FAIL\n"

func TestEachSessionHasItsEndAndItsReasons(t *testing.T) {
	sessions, err := read(strings.NewReader(testOutput))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range sessions {
		got[s.name] = s.outcome()
	}
	for name, want := range map[string]string{
		"TheReadme": "runs", "push": "fails", "links": "runs in part: no link can be made here",
		"permissions": "cannot run: everybody may write",
	} {
		if got[name] != want {
			t.Errorf("%s %q, want %q", name, got[name], want)
		}
	}
	if len(got) != 4 {
		t.Errorf("there are %d sessions: %q", len(got), got)
	}
}

func TestTestsThatBreakOffAreAnError(t *testing.T) {
	broken, _, _ := strings.Cut(testOutput, "\x16--- FAIL: TestSessions (")
	if _, err := read(strings.NewReader(broken)); err == nil {
		t.Error("there is no error")
	}
}

func TestASessionThatRunsLessThanRecordedIsAnError(t *testing.T) {
	const before = "push   runs\nlinks  runs in part: no link\n"
	for now, want := range map[string]string{
		"push   runs\nlinks  runs in part: no link\n": "",
		"push   runs\nlinks  runs\nnew  runs\n":       "",
		"push   cannot run: x\nlinks  runs\n":         "push cannot run: x, but tools/wine/figures.txt records that it runs",
		"links  runs\n":                               "push is gone, but tools/wine/figures.txt records that it runs",
	} {
		got := ""
		if err := compare(before, now); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", now, got, want)
		}
	}
}

func TestAnotherNodeThanThePinnedOneIsRefused(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "node.tgz")
	if err := os.WriteFile(archive, []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unpackNode(archive, archive+".exe"); err == nil || !strings.Contains(err.Error(), "integrity") {
		t.Errorf("the error is %v", err)
	}
}
