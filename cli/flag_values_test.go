package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

func TestAValueOfAFlagIsKeptAsItIsGivenOrRefused(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "function", "f", "--template", "plain")
	s.Run(0, "update", "function", "f", "--env", "LINES=one\r\ntwo", "--env", `LIST=a,"b"`)
	var f struct{ Environment map[string]string }
	if err := json.Unmarshal([]byte(s.Read("backend/function/f/function.json")), &f); err != nil {
		t.Fatal(err)
	}
	if f.Environment["LINES"] != "one\r\ntwo" || f.Environment["LIST"] != `a,"b"` {
		t.Errorf("the variables are %q", f.Environment)
	}
	for want, args := range map[string][]string{
		`--env takes NAME=VALUE, not ""`:             {"update", "function", "f", "--env", ""},
		`--parameter takes NAME=VALUE, not ""`:       {"update", "env", "dev", "--parameter", ""},
		"--handler: \"a\\xff\" is not valid UTF-8":   {"update", "function", "f", "--handler", "a\xff"},
		"--branch: \"a\\xff\" is not valid UTF-8":    {"update", "env", "dev", "--branch", "a\xff"},
		"--index takes NAME:KEY:TYPE":                {"add", "table", "items", "--partition-key", "id", "--index", ""},
		"--api and --all-apis contradict each other": {"update", "env", "dev", "--all-apis", "--api", "shop"},
		"--trigger takes":                            {"add", "table", "items", "--partition-key", "id", "--trigger", ""},
	} {
		if got := s.Run(2, args...); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

func TestAnEmptyPathIsAnsweredWithExamples(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "api", "shop", "--path", "/items", "--function", "f", "--new-function", "plain", "--open")
	if got := s.Run(1, "rename", "path", "shop", "/items", ""); !strings.Contains(got,
		"is empty; give one such as /items or /book/{isbn}") {
		t.Errorf("an empty path is answered with %s", got)
	}
}
