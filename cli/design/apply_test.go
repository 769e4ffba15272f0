package design_test

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

// TestFilesOfPublicProjectsAreAppliedOnce applies every file twice: the second time there is
// nothing to write.
func TestFilesOfPublicProjectsAreAppliedOnce(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../../../shared/real/cli-inputs/*.json", "../../../shared/real/api-params/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if files == nil {
		t.Skip("not tested: ../shared/real is not here")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			file, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			s := clitest.New(t)
			s.Run(0, "init", "--name", "real")
			s.Run(0, "add", "api", "real", "--from", file, "--create-functions", "plain")
			written := s.Read("backend/api/real/cli-inputs.json")
			if out := s.Run(0, "apply", "-f", file); out != "nothing to write: API real is as declared already\n" {
				t.Errorf("the second apply prints %q", out)
			}
			s.Run(0, "apply", "-f", file, "--name", "again", "--create-functions", "plain")
			if again := s.Read("backend/api/again/cli-inputs.json"); again != written {
				t.Errorf("apply wrote\n%s\nand add\n%s", again, written)
			}
			// Apply replaces an API that has other paths.
			s.Run(0, "remove", "api", "again")
			s.Run(0, "add", "api", "again", "--path", "/gone", "--function", "gone", "--new-function", "plain")
			s.Run(0, "apply", "-f", file, "--name", "again")
			if out := s.Run(0, "apply", "-f", file, "--name", "again"); !strings.HasPrefix(out, "nothing to write") {
				t.Errorf("after another API it prints %q", out)
			}
			s.Run(0, "validate")
		})
	}
}
