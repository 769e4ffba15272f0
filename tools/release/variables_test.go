package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A linker sets a variable that is not there without a word.
func TestTheVariablesThatAReleaseSetsAreThere(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../cli/version.go")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	set := regexp.MustCompile(`-X gatewright/cli\.(\w+)=`).FindAllStringSubmatch(string(settings), -1)
	if len(set) != 3 {
		t.Errorf("a release sets %q, want three variables", set)
	}
	for _, name := range set {
		if !strings.Contains(string(source), "\t"+name[1]+" ") {
			t.Errorf("cli/version.go has no variable %s", name[1])
		}
	}
}
