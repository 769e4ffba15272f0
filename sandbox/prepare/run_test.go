package prepare

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/file"
	"gatewright/sandbox/prepare/preparetest"
)

// TestWhatPreparesASourceInheritsAllVariables is about npm, pip and go: a registry may be named in
// any variable.
func TestWhatPreparesASourceInheritsAllVariables(t *testing.T) {
	t.Setenv("GATEWRIGHT_TEST_MARK", "of the sandbox")
	t.Setenv("GATEWRIGHT_TEST_OTHER", "of the sandbox")
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "new", "tool.log")
	var heard []string
	lines, err := tool{
		command: []string{preparetest.TestProgram()}, dir: folder, log: log, env: []string{preparetest.ProgramVariable + "=inherits", "GATEWRIGHT_TEST_MARK=of the tool"},
		onLine: func(line string) { heard = append(heard, line) },
	}.run(t.Context())
	if err != nil || len(lines) != 1 {
		t.Fatalf("it says %q, %v", lines, err)
	}
	var got preparetest.Inheritance
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatalf("%s: %v", lines[0], err)
	}
	for _, want := range []string{"GATEWRIGHT_TEST_MARK=of the tool", "GATEWRIGHT_TEST_OTHER=of the sandbox", "PATH=" + os.Getenv("PATH")} {
		if !slices.Contains(got.Environment, want) {
			t.Errorf("it lacks %s: %q", want, got.Environment)
		}
	}
	if got.Folder != file.RealPath(folder) || got.Input != "" {
		t.Errorf("it runs in %s and reads %q", got.Folder, got.Input)
	}
	if runtime.GOOS == "linux" && !slices.Equal(got.Files, []string{"0", "1", "2"}) {
		t.Errorf("its files are %q", got.Files)
	}
	text, err := os.ReadFile(log)
	if err != nil || string(text) != lines[0]+"\n" || !slices.Equal(heard, lines) {
		t.Errorf("its log has %q, %v; heard was %q", text, err, heard)
	}
}

func TestTheFirstWordOfAMissingNetworkIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\nnpm error code ENOTFOUND\nno such host": "ENOTFOUND", "dial tcp: lookup x: no such host": "no such host", "ok\nfine": "", "": "", "x: connect: connection refused": "connection refused",
	} {
		if got := offline(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := howItEnded(os.ErrNotExist); got != "file does not exist" {
		t.Errorf("an end that is none is %q", got)
	}
}
