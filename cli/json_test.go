package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gatewright/cli"
	"gatewright/cli/clitest"
	"gatewright/cli/command"
)

// TestReportsAsJSONHaveNoNull runs every command with --json, in a small project and in a
// larger one.
func TestReportsAsJSONHaveNoNull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	streams := clitest.Streams(dir, t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		var out, errors bytes.Buffer
		streams.Out, streams.Err = &out, &errors
		code := cli.Run(append(args, "--json"), streams)
		if code != 0 || errors.Len() > 0 {
			t.Fatalf("%v exits %d: %s", args, code, errors.String())
		}
		return out.String()
	}
	camelCase := regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	var checkValue func(t *testing.T, at string, value any)
	checkValue = func(t *testing.T, at string, value any) {
		switch v := value.(type) {
		case nil:
			t.Errorf("%s is null", at)
		case map[string]any:
			for name, member := range v {
				if !camelCase.MatchString(name) {
					t.Errorf("%s has the member %s, which is not in camelCase", at, name)
				}
				checkValue(t, at+"/"+name, member)
			}
		case []any:
			for _, item := range v {
				checkValue(t, at+"/0", item)
			}
		}
	}
	check := func(args ...string) {
		t.Helper()
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var report any
			if err := json.Unmarshal([]byte(run(args...)), &report); err != nil {
				t.Fatal(err)
			}
			checkValue(t, "", report)
		})
	}
	everything := func() {
		t.Helper()
		for _, args := range [][]string{
			{"status"},
			{"status", "-v"},
			{"routes"},
			{"routes", "--access"},
			{"env", "list"},
			{"env", "show"},
			{"env", "use", "dev"},
			{"validate"},
			{"schema"},
			{"version"},
			{"push", "--dry-run"},
			{"push"},
			{"push"},
			{"pipeline-deploy", "--branch", "dev"},
			{"update", "project", "--name", "shop"},
		} {
			check(args...)
		}
	}
	check("init", "--name", "shop", "--app-id", "app1")
	everything()
	run("add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "express", "--auth", "all")
	run("add", "env", "qa", "--parameter", "pool=small", "--variable", "books.level=debug")
	everything()
	check("pipeline-deploy", "--branch", "dev", "--out-dir", "web")
	check("generate", "outputs", "--env", "dev", "--check")
	check("generate", "outputs", "--env", "dev", "--out-dir", "other", "--format", "ts", "--snippet")
	check("migrate")
	check("prove")
	check("review", "--against", "deployed")
	check("generate", "openapi", "shop")
	check("generate", "client", "shop")
	check("add", "table", "books", "--partition-key", "id", "--dry-run")
	check("user", "list")
	check("version", "--licenses")
	if _, err := os.Stat(filepath.Join(dir, "other")); err != nil {
		t.Error(err)
	}
}

// TestAFailureWithJSONPrintsOneLineAndNoReport checks that a program which reads standard
// output cannot take a failure for a report.
func TestAFailureWithJSONPrintsOneLineAndNoReport(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	streams := func(out, errors io.Writer) command.Streams {
		s := clitest.Streams(dir, state)
		s.Out, s.Err = out, errors
		return s
	}
	if code := cli.Run([]string{"init", "--name", "shop"}, streams(io.Discard, io.Discard)); code != 0 {
		t.Fatalf("init exits %d", code)
	}
	for _, line := range []string{
		"init --name again", "status --env nope", "routes nope", "env show nope", "env use nope", "env diff dev nope", "schema nope",
		"validate --nope", "push --env nope", "pipeline-deploy --branch nope", "generate outputs --stack nope", "generate outputs --from nope",
		"add env a/b", "update path shop /a --open", "rename api a b", "remove api a", "apply -f nope", "update auth",
	} {
		var out, errors bytes.Buffer
		code := cli.Run(append(strings.Fields(line), "--json"), streams(&out, &errors))
		if code != 1 && code != 2 || out.Len() > 0 || strings.Count(errors.String(), "\n") != 1 {
			t.Errorf("%s exits %d: %s%s", line, code, out.String(), errors.String())
		}
	}
}

// TestListsOfReportsAreAlwaysThere reads the sources: no list of a report may have omitempty.
// The access of a route is an exception: it has the form of cli-inputs.json.
func TestListsOfReportsAreAlwaysThere(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "../project/answer/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	leftOut := regexp.MustCompile(`(?m)^\s+(\w+) +(\[\]|map\[).*json:"[^"]*,.*$`)
	seen := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen += bytes.Count(text, []byte("`json:\""))
		for _, field := range leftOut.FindAll(text, -1) {
			if name != filepath.Join("inspect", "routes.go") {
				t.Errorf("%s leaves out an empty list: %s", name, bytes.TrimSpace(field))
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d fields of reports were found, want 100 or more", seen)
	}
}
