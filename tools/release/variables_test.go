package main

import (
	"os"
	"strings"
	"testing"

	"gatewright/tools/release/build"
)

func TestTheVariablesThatAReleaseSetsAreThere(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../cli/version.go")
	if err != nil {
		t.Fatal(err)
	}
	for flag := range strings.SplitSeq(build.Flags(build.Stamp{}), "-X gatewright/cli.") {
		name, _, set := strings.Cut(flag, "=")
		if !set || strings.HasPrefix(flag, "-s") {
			continue
		}
		if !strings.Contains(string(source), name) {
			t.Errorf("cli/version.go has no variable %s", name)
		}
	}
}
