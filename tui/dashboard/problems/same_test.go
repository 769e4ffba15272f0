package problems_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"gatewright/cli/clitest"
	"gatewright/flow/validation"
	"gatewright/project"
	"gatewright/tui/dashboard/problems"
)

// same holds the rows of the tab against what validate prints for the project in the session's
// folder, and returns how many problems that is.
func same(t *testing.T, name string, s *clitest.Session) int {
	t.Helper()
	out, _ := s.Output("validate", "-v")
	printed := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	summary := printed[len(printed)-1]
	printed = slices.Sorted(slices.Values(printed[:len(printed)-1]))
	report := validation.New(s.Dir, time.Now).Check()
	shown := slices.Sorted(slices.Values(problems.LinesOf(report)))
	if diff := cmp.Diff(printed, shown); diff != "" && len(printed)+len(shown) > 0 {
		t.Errorf("%s: - validate, + the tab\n%s", name, diff)
	}
	if counts := fmt.Sprintf("%d error", report.Errors); !strings.Contains(summary, ": "+counts) {
		t.Errorf("%s: validate ends with %q, and the tab counts %s", name, summary, counts)
	}
	return len(printed)
}

func TestTheTabShowsWhatValidateFindsInTheSamples(t *testing.T) {
	total := 0
	for _, name := range []string{"amplify"} {
		s := clitest.New(t)
		if err := os.CopyFS(s.Dir, os.DirFS("../../../testdata/"+name)); err != nil {
			t.Fatal(err)
		}
		total += same(t, name, s)
	}
	scripts, err := filepath.Glob("../../../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("there is no script: %v", err)
	}
	for _, name := range scripts {
		script, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := clitest.New(t)
		for _, f := range script.Files {
			if !filepath.IsLocal(f.Name) {
				continue
			}
			s.Put(f.Name, string(f.Data))
		}
		for _, root := range projectsIn(t, s.Dir) {
			if _, err := os.Stat(filepath.Join(root, ".gatewright/journal")); err == nil {
				continue // a dashboard finishes such a write before it shows anything
			}
			in := *s
			in.Dir = root
			total += same(t, filepath.Base(name)+" "+strings.TrimPrefix(root, s.Dir), &in)
		}
	}
	if total < 20 {
		t.Errorf("the samples have only %d problems", total)
	}
}

// projectsIn are the folders below a folder that are projects.
func projectsIn(t *testing.T, dir string) (roots []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if root, _, err := project.Find(name); err == nil && root == name {
			roots = append(roots, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return roots
}

func TestTheTabShowsWhatValidateFindsInRealFiles(t *testing.T) {
	apis, _ := filepath.Glob("../../../../shared/real/cli-inputs/*.json")
	outputs, _ := filepath.Glob("../../../../shared/real/outputs/*.json")
	if len(apis) == 0 {
		t.Skip("the folder of real files is not here: ../shared/real")
	}
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	total := 0
	for _, name := range apis {
		s := clitest.New(t)
		s.Put("amplify/backend/api/real/cli-inputs.json", read(name))
		total += same(t, name, s)
	}
	for _, name := range outputs {
		s := clitest.New(t)
		s.Put("backend/project.json", `{"version": 1, "name": "real", "applicationId": "a", "dialect": "amplify"}`)
		s.Put("amplify_outputs.json", read(name))
		total += same(t, name, s)
	}
	if total < 20 {
		t.Errorf("the real files have only %d problems", total)
	}
}

func TestTheTabShowsWhatValidateFindsInABrokenProject(t *testing.T) {
	s := clitest.New(t)
	s.Put("backend/project.json", `{"version": 1, "name": "shop", "applicationId": "a", "colour": 1}`)
	s.Put("backend/auth.json", `{"version": 1, "groups": ["Admins"]`)
	s.Put("backend/function/f/function.json", `{"version": 1, "timeout": 4000}`)
	s.Put("backend/api/shop/cli-inputs.json", `{"version": 1, "paths": {
  "/a": {"name": "/a", "lambdaFunction": "gone", "permissions": {"setting": "open"}},
  "/b": {"name": "/b", "lambdaFunction": "f", "permissions": {"setting": "open"}},
  "/b/\u001b[2J": {"name": "/b/\u001b[2J", "lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"Gone": ["read"]}}}}}`)
	s.Put("client_config.json", `{"version": "1", "auth": {"aws_region": "eu-west-1"}}`)
	if n := same(t, "broken", s); n < 6 {
		t.Errorf("only %d problems were found", n)
	}
}
