package build

import (
	"os"
	"strings"
	"testing"
)

func TestTheVariablesThatAReleaseSetsAreThere(t *testing.T) {
	source, err := os.ReadFile("../../../cli/version.go")
	if err != nil {
		t.Fatal(err)
	}
	for flag := range strings.SplitSeq(flags(Stamp{}), "-X gatewright/cli.") {
		name, _, set := strings.Cut(flag, "=")
		if !set || strings.HasPrefix(flag, "-s") {
			continue
		}
		if !strings.Contains(string(source), name) {
			t.Errorf("cli/version.go has no variable %s", name)
		}
	}
}
