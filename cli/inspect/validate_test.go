package inspect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/test/depth"
)

// manyPaths makes a project with an API of many paths, each with one of a few accesses.
func manyPaths(t *testing.T, s *clitest.Session, paths int) {
	t.Helper()
	accesses := []string{
		`{"setting": "open"}`,
		`{"setting": "private", "auth": ["read", "update"], "groups": {"Admins": ["create", "read", "update", "delete"], "Editors": ["read"]}}`,
		`{"setting": "protected", "auth": ["read"], "guest": ["read", "update"]}`,
		`{"setting": "private", "groups": {"Editors": ["read"]}}`,
		`{"setting": "private", "auth": []}`,
	}
	var entries []string
	for i := range paths {
		name := fmt.Sprintf("/area%d/thing%d%s", i/2%100, i/2, []string{"", "/{id}"}[i%2])
		entries = append(entries, fmt.Sprintf("%q: {\"lambdaFunction\": \"f\", \"permissions\": %s}", name, accesses[i%len(accesses)]))
	}
	for name, text := range map[string]string{
		"backend/project.json":             `{"version": 1, "name": "shop", "applicationId": "a"}`,
		"backend/auth.json":                `{"version": 1, "groups": ["Admins", "Editors"]}`,
		"backend/function/f/function.json": `{"version": 1, "runtime": "nodejs", "handler": "index.handler"}`,
		"backend/function/f/src/index.js":  "exports.handler = async () => {}\n",
		"backend/api/shop/cli-inputs.json": "{\"version\": 1, \"paths\": {\n" + strings.Join(entries, ",\n") + "}}\n",
	} {
		file := filepath.Join(s.Dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestValidateSumsUpTheWarningsOfALargeProject(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	s := clitest.New(t)
	manyPaths(t, s, 10_000)
	short, long := s.Run(0, "validate"), s.Run(0, "validate", "-v")
	if n := strings.Count(short, "\n"); n < 5 || n > 12 {
		t.Errorf("%d lines:\n%.3000s", n, short)
	}
	for _, want := range []string{
		"backend/api/shop/cli-inputs.json:2:42: warning: open-path: 2000 paths of the API shop are open to everybody in the world, such as /area0/thing0, /area2/thing2/{id} and /area5/thing5; " +
			"restrict them, or leave them if that is meant (validate -v lists each)\n",
		"warning: group-below-users: 2000 paths of the API shop let every signed-in user do what members of a group may not, such as ",
		"warning: guests-beyond-users: 2000 paths of the API shop let guests do what signed-in users may not, such as ",
	} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is not in\n%.3000s", want, short)
		}
	}
	var report struct {
		Warnings int
		Problems []struct{ Rule, Level string }
	}
	if err := json.Unmarshal([]byte(s.Run(0, "validate", "--json")), &report); err != nil {
		t.Fatal(err)
	}
	summary := fmt.Sprintf("valid: 0 errors, %d warnings, 0 notes\n", report.Warnings)
	if !strings.HasSuffix(short, summary) || !strings.HasSuffix(long, summary) || len(report.Problems) != report.Warnings || strings.Count(long, "\n") != report.Warnings+1 {
		t.Errorf("%d problems, %d lines with -v, and %q", len(report.Problems), strings.Count(long, "\n"), short[strings.LastIndex(short, "valid:"):])
	}
	for _, p := range report.Problems {
		if p.Rule == "" || p.Level != "warning" {
			t.Fatalf("a problem without a rule: %+v", p)
		}
	}
	s.Run(1, "validate", "--strict")
}

func TestValidatePrintsARuleThatIsBrokenOnceInFull(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	manyPaths(t, s, 1)
	want := "backend/api/shop/cli-inputs.json:2:42: warning: /area0/thing0 is open to everybody in the world (at /paths/~1area0~1thing0/permissions); " +
		"restrict the path, or leave it if that is meant\nvalid: 0 errors, 1 warning, 0 notes\n"
	if got := s.Run(0, "validate"); got != want {
		t.Errorf("it prints\n%s", got)
	}
}
