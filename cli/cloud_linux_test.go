package cli_test

import (
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/test/await"
)

func TestAPushToAWSInATerminalAsksAndSoDoesARemoval(t *testing.T) {
	t.Parallel()
	s, fake := clitest.New(t), awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-central-1", "update env dev --provider aws", "add table loans --partition-key id",
		"add api shop --path /books --function books --new-function plain --auth read", "add env prod --provider aws --region eu-west-1 --guarded",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	const belongs = "has no account yet; does it belong to the account 123456789012, eu-"
	for _, step := range []struct {
		asked
		want   string
		stacks int
	}{
		{asked{"push", [][2]string{{belongs, "n"}}}, "gatewright: nothing is pushed\n[exit code 1]\n", 0},
		{asked{"push", [][2]string{{belongs, "y"}, {"push environment dev", "n"}}}, "gatewright: nothing is pushed\n[exit code 1]\n", 0},
		{asked{"push", [][2]string{{belongs, "y"}, {"push environment dev", "y"}}}, "client configuration file client_config.json is written, for environment dev\n[exit code 0]\n", 1},
		{
			asked{"push --env prod", [][2]string{{belongs, "y"}, {"type prod to continue: ", "dev"}}},
			"gatewright: environment prod is guarded, and its name was not typed; nothing was changed\n[exit code 1]\n", 1,
		},
		{asked{"push --env prod", [][2]string{{belongs, "y"}, {"type prod to continue: ", "prod"}}}, "[exit code 0]\n", 2},
		{asked{"remove env dev", [][2]string{{"type dev to continue: ", "prod"}}}, "nothing was changed\n[exit code 1]\n", 2},
		{asked{"remove env dev", [][2]string{{"type dev to continue: ", "dev"}}}, "[exit code 0]\n", 1},
	} {
		got := story(t, s, step.asked)
		stacks := 0
		for _, one := range fake.Stacks() {
			if sets := fake.ChangeSets(one.Name); len(sets) > 0 && step.stacks == 0 {
				t.Errorf("%s leaves the change sets %q", step.line, sets)
			}
			if strings.HasSuffix(one.Status, "_COMPLETE") && one.Status != "DELETE_COMPLETE" {
				stacks++
			}
		}
		if block := lastBlock(got); step.stacks == 1 && stacks == 1 && step.line == "push" {
			if diff := cmp.Diff(`␛[32m✓␛[0m table loans  ␛[2m1/1␛[0m
␛[32m✓␛[0m auth  ␛[2m6/6␛[0m
␛[32m✓␛[0m function books  ␛[2m3/3␛[0m
␛[32m✓␛[0m API shop  ␛[2m7/7␛[0m
␛[32m✓␛[0m path /books of the API shop  ␛[2m6/6␛[0m
␛[32m✓␛[0m environment dev  ␛[2m1/1␛[0m
████████████████████ 24 of 24    1 ms
note: the account 123456789012 is written into backend/environments/dev.json
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
API shop
  REST API endpoint: https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev
  https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev/books
client configuration file client_config.json is written, for environment dev
[exit code 0]
`, block); diff != "" {
				t.Errorf("%s\n%s", diff, block)
			}
		}
		if !strings.HasSuffix(got, step.want) || stacks != step.stacks {
			t.Errorf("there are %d stacks, and it ends\n%s", stacks, got[max(0, len(got)-500):])
		}
	}
	s.Run(0, "update", "function", "books", "--timeout", "30")
	fake.FailResource("AWS::Lambda::Function", "the role is\nnot ready")
	failed := lastBlock(story(t, s, asked{"push --env prod --confirm prod", nil}))
	if diff := cmp.Diff(`␛[31m✗␛[0m function books  ␛[2m1/1␛[0m
␛[31m    the function books failed: the role is not ready␛[0m
█████░░░░░░░░░░░░░░░ 1 of 4  something failed; everything is being rolled back  1 ms
gatewright: function books: could not be changed: the role is not ready; everything is as before; fix it and push again
[exit code 1]
`, failed); diff != "" {
		t.Errorf("%s\n%s", diff, failed)
	}
}

// lastBlock is the progress of a push as it was drawn last, and what follows.
func lastBlock(shown string) string {
	if !strings.Contains(shown, "␛[J") {
		return ""
	}
	_, block, _ := strings.Cut(shown[strings.LastIndex(shown, "␛[J"):], "␛[J")
	return took.ReplaceAllString(block, "1 ms")
}

var took = regexp.MustCompile(`\b[\d.]+ m?s\b`)

// TestAnInterruptEndsTheFollowingOfAPushAndASecondOneOffersToCancelIt is not parallel to other tests, because
// the signals are those of their process too.
func TestAnInterruptEndsTheFollowingOfAPushAndASecondOneOffersToCancelIt(t *testing.T) {
	s, fake := clitest.New(t), awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	for _, line := range []string{"init --name shop --app-id d1shop --region eu-central-1", "update env dev --provider aws", "add table loans --partition-key id", "push --yes"} {
		s.Run(0, strings.Fields(line)...)
	}
	name := fake.Stacks()[0].Name
	for _, test := range []struct {
		answer  string
		cancels int
		want    string
	}{
		{"n", 0, "the push continues in AWS; follow it with: gatewright push --watch --env dev\n"},
		{"y", 1, "the push is cancelled and undone; to follow that: gatewright push --watch --env dev\n"},
	} {
		fake.Busy(name, "somebody", time.Now())
		term := inTerminal(t, s)
		ended := term.start("push", "--watch")
		term.shows("is being pushed")
		// What can be cancelled is known before it is followed.
		asked := len(fake.Calls())
		await.Until(t, "a question of how far the push is", func() bool { return len(fake.Calls()) > asked })
		interrupt(t)
		term.shows("press ctrl+c again now to cancel the push")
		interrupt(t)
		term.shows("and restore what was there? [y/N] ")
		term.press(test.answer + "\n")
		code, cancels := await.Next(t, "the end of the command", ended), fake.Count("CancelUpdateStack")
		if code != 130 || cancels != test.cancels {
			t.Errorf("after %q the exit code is %d, and %d pushes are cancelled", test.answer, code, cancels)
		}
		if _, end, _ := strings.Cut(term.all(), "[y/N] "); end != test.answer+"\n"+test.want {
			t.Errorf("after %q it says %q", test.answer, end)
		}
		fake.SetStatus(name, "UPDATE_COMPLETE")
	}
}

// TestAnInterruptAtTheQuestionForANameChangesNothing is not parallel either.
func TestAnInterruptAtTheQuestionForANameChangesNothing(t *testing.T) {
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--guarded")
	before := everything(t, s.Dir)
	for _, args := range [][]string{{"remove", "env", "dev"}, {"update", "env", "dev", "--branch", "other"}} {
		term := inTerminal(t, s)
		ended := term.start(args...)
		term.shows("type dev to continue: ")
		interrupt(t)
		code, all := await.Next(t, "the end of the command", ended), term.all()
		if code != 130 || !strings.HasSuffix(all, "type dev to continue: \n") {
			t.Errorf("%q ends with %d after %q", args, code, all)
		}
	}
	if after := everything(t, s.Dir); after != before {
		t.Errorf("the project is otherwise:\n%s", after)
	}
}

func interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
