package artifact

import (
	"strings"
	"testing"
)

func TestFilesOfTheGoCommandAreNotStored(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"go.mod": true, "go.sum": true, "in/go.mod": true, "go.work": true, "go.work.sum": true, "main.go": true, "in/a_test.go": true, "vendor/a/LICENSE": true,
		"testdata/a.txt": true, "in/testdata/deep/a.txt": true, "data/go.txt": false, "vendor.txt": false, "in/vendor/a.txt": false, "testdata": false, "a.gox": false,
	} {
		if got := isGo(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWindowsKnowsProgramsOfLinuxByTheirBeginning(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"#!/bin/sh\n": true, "\x7fELF\x02": true, "": false, "#": false, "exports.handler = 1": false, "MZ\x90": false, "\x7fEL": false,
	} {
		if got := beginsAsProgram(strings.NewReader(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
