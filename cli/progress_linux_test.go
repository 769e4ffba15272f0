package cli_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/test/await"
)

// timed is how long a push goes on, as it shows that.
var timed = regexp.MustCompile(`  \d+(\.\d+)? (ms|s)$`)

func TestAPushInATerminalIsOneBlockThatIsDrawnAgain(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	s := clitest.New(t)
	s.Environ = fake.Env()
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1", "--account", "123456789012")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "all")
	fake.FailResource("AWS::Lambda::Function", "the code is\x1b[31m damaged")
	term := inTerminal(t, s)
	ended := term.start("push")
	term.shows("[y/N]")
	term.press("y\n")
	if code := await.Next(t, "the end of the push", ended); code != 1 {
		t.Fatalf("it ends with %d: %q", code, term.shown())
	}
	term.shows("gatewright: ")
	_, shown, _ := strings.Cut(term.shown(), "[y/N] y\r\n")
	if !strings.Contains(shown, "the code is\ufffd[31m damaged") || strings.Contains(shown, "\x1b[31m damaged") {
		t.Errorf("the reason commands the terminal: %q", shown)
	}
	up := regexp.MustCompile(`^\x1b\[(\d+)A$`)
	blocks := strings.Split(shown, "\r\x1b[J")[1:]
	for i, block := range blocks {
		lines := strings.Split(strings.ReplaceAll(block, "\r\n", "\n"), "\n")
		height := 1 + slices.IndexFunc(lines, func(line string) bool { return timed.MatchString(ansi.Strip(line)) })
		// What draws the next block begins at the first line of this one.
		if found := up.FindStringSubmatch(lines[height]); i < len(blocks)-1 && (found == nil || found[1] != strconv.Itoa(height)) {
			t.Fatalf("block %d has %d lines, and the next one is drawn after %q", i, height, lines[height:])
		}
	}
	if len(blocks) < 10 {
		t.Errorf("it is drawn %d times", len(blocks))
	}
}

func TestTheNameOfAGuardedEnvironmentIsTypedAsItIs(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "env", "prod", "--provider", "aws", "--region", "eu-central-1", "--guarded")
	before := s.Tree()
	for _, test := range []struct {
		typed string
		code  int
		want  string
	}{
		{"Prod\n", 1, "environment prod is guarded, and its name was not typed; nothing was changed"},
		{"pro\n", 1, "its name was not typed"},
		{"\n", 1, "its name was not typed"},
		{" prod \n", 0, "updated environment prod"},
	} {
		term := inTerminal(t, s)
		ended := term.start("update", "env", "prod", "--guarded=false")
		term.shows("environment prod is guarded, and this command would ")
		term.shows("type prod to continue: ")
		if s.Tree() != before {
			t.Error("something is written before the answer")
		}
		term.press(test.typed)
		if code := await.Next(t, "the end of the command", ended); code != test.code {
			t.Errorf("%q: the exit code is %d", test.typed, code)
		}
		term.shows(test.want)
		if changed := s.Tree() != before; changed != (test.code == 0) {
			t.Errorf("%q: the project is changed: %v", test.typed, changed)
		}
	}
}
