package cli_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

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
	// push is the last block, of lines without durations and colours.
	push := func(code int) []string {
		t.Helper()
		term := inTerminal(t, s)
		ended := term.start("push")
		term.shows("[y/N]")
		term.press("y\n")
		if got := await.Next(t, "the end of the push", ended); got != code {
			t.Fatalf("it ends with %d: %q", got, term.shown())
		}
		if code == 0 {
			term.shows(" 23 of 23")
		} else {
			term.shows("gatewright: ")
		}
		_, shown, _ := strings.Cut(term.shown(), "[y/N] y\r\n")
		up := regexp.MustCompile(`^\x1b\[(\d+)A$`)
		var last []string
		blocks := strings.Split(shown, "\r\x1b[J")
		for i, block := range blocks[1:] {
			lines := strings.Split(strings.ReplaceAll(block, "\r\n", "\n"), "\n")
			last = nil
			for n, line := range lines {
				line = ansi.Strip(line)
				last = append(last, timed.ReplaceAllString(line, ""))
				if timed.MatchString(line) {
					lines = lines[n+1:]
					break
				}
			}
			// What draws the next block begins at the first line of this one.
			if found := up.FindStringSubmatch(lines[0]); found != nil && found[1] != strconv.Itoa(len(last)) || found == nil && i < len(blocks)-2 && lines[0] != "" {
				t.Fatalf("block %d has %d lines, and the next one is drawn after %q", i, len(last), lines)
			}
		}
		return last
	}
	fake.FailResource("AWS::Lambda::Function", "the code is\x1b[31m damaged")
	want := []string{
		"✗ function books  3/3", "    the function books failed: the code is\ufffd[31m damaged", "✓ auth  5/5", "✓ API shop  1/1",
		"███████░░░░░░░░░░░░░ 9 of 23  something failed; everything goes back to what it was",
	}
	if diff := cmp.Diff(want, push(1)); diff != "" {
		t.Errorf("a push that fails ends with (-want +got)\n%s", diff)
	}
	want = []string{"✓ auth  6/6", "✓ function books  3/3", "✓ API shop  7/7", "✓ path /books of the API shop  6/6", "✓ environment dev  1/1", "████████████████████ 23 of 23  "}
	if diff := cmp.Diff(want, push(0)); diff != "" {
		t.Errorf("a push ends with (-want +got)\n%s", diff)
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
