package cli_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/clitest"
	"gatewright/test/await"
)

// asked is a command in a terminal, with its questions, and what is typed after each.
type asked struct {
	line    string
	answers [][2]string
}

// varies is what differs from run to run.
var varies = regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC|\b\d\d:\d\d:\d\d UTC|(function \S+: its archive is [^\n]*\n)`)

// story runs commands in terminals, and returns all that the windows show, with the exit codes.
func story(t *testing.T, s *clitest.Session, steps ...asked) string {
	t.Helper()
	var b strings.Builder
	for _, step := range steps {
		term := inTerminal(t, s)
		ended := term.start(strings.Fields(step.line)...)
		for _, answer := range step.answers {
			term.shows(answer[0])
			term.press(answer[1] + "\n")
		}
		code := await.Next(t, "the end of "+step.line, ended)
		shown := varies.ReplaceAllString(term.all(), "TIME")
		fmt.Fprintf(&b, "$ %s\n%s[exit code %d]\n", step.line, strings.ReplaceAll(shown, "\x1b", "␛"), code)
	}
	return b.String()
}

// What a terminal shows of what a push would do.
const (
	planOfDev = `environment dev, never pushed
stack gatewright-d1shop-dev-branch-884c1f91c7
access: 2 more open
␛[33m  ▲ signed-in users may now read under /books (GET /books)␛[0m
␛[33m  ▲ members of Admins may now create, read, update and delete under /books (POST /books)␛[0m
  Resource         Operation
  environment dev  Create
  API shop         Create
    /books is new, served by books (signed-in users: read; members of Admins: all)
  function books   Create
  table loans      Create
  auth             Create
push: 5 to create
`
	planOfProd = `environment prod, never pushed
stack gatewright-d1shop-main-branch-12c75d3ae4
access: 2 more open
␛[33m  ▲ signed-in users may now read under /books (GET /books)␛[0m
␛[33m  ▲ members of Admins may now create, read, update and delete under /books (POST /books)␛[0m
  Resource          Operation
  environment prod  Create
  API shop          Create
    /books is new, served by books (signed-in users: read; members of Admins: all)
  function books    Create
  table loans       Create
  auth              Create
push: 5 to create
`
)

func TestAPushInATerminalAsksAfterItHasShownWhatItOpens(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-west-1", "add group Admins", "add table loans --partition-key id",
		"add api shop --path /books --function books --new-function plain --auth read --group Admins=all", "add env prod --branch main --guarded",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	question, guard := "push environment dev? [y/N] ", "type prod to continue: "
	got := story(t, s,
		asked{"push", [][2]string{{question, "no"}}}, asked{"push", [][2]string{{question, ""}}}, asked{"push", [][2]string{{question, " Yes "}}},
		asked{"push", nil}, asked{"push --env prod", [][2]string{{guard, "dev"}}}, asked{"push --env prod", [][2]string{{guard, "prod"}}}, asked{"status --env prod", nil},
	)
	if diff := cmp.Diff(`$ push
`+planOfDev+`push environment dev? [y/N] no
gatewright: nothing is pushed
[exit code 1]
$ push
`+planOfDev+`push environment dev? [y/N] 
gatewright: nothing is pushed
[exit code 1]
$ push
`+planOfDev+`push environment dev? [y/N]  Yes 
  create environment dev
  create API shop
  create path /books
  create API resource /books: ANY, OPTIONS
  create API resource /books/{proxy+}: ANY, OPTIONS
  create handler function books
  create log group /functions/books
  create table loans
  create user pool
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
API shop
  REST API endpoint: http://127.0.0.1:4280/nutgcu4vmh/dev
  http://127.0.0.1:4280/nutgcu4vmh/dev/books
user pool endpoint: http://127.0.0.1:4280/_user-pool
identity pool endpoint: http://127.0.0.1:4280/_identity-pool
  print the code that configures a client with: gatewright generate outputs --env dev --snippet
client configuration file client_config.json is written, for environment dev
[exit code 0]
$ push
environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
push: no change
API shop
  REST API endpoint: http://127.0.0.1:4280/nutgcu4vmh/dev
  http://127.0.0.1:4280/nutgcu4vmh/dev/books
user pool endpoint: http://127.0.0.1:4280/_user-pool
identity pool endpoint: http://127.0.0.1:4280/_identity-pool
  print the code that configures a client with: gatewright generate outputs --env dev --snippet
client configuration file client_config.json is up to date, for environment dev
[exit code 0]
$ push --env prod
`+planOfProd+`environment prod is guarded, and this command would push it
type prod to continue: dev
gatewright: environment prod is guarded, and its name was not typed; nothing was changed
[exit code 1]
$ push --env prod
`+planOfProd+`environment prod is guarded, and this command would push it
type prod to continue: prod
note: client_config.json is now for environment prod; it was for dev
  create environment prod
  create API shop
  create path /books
  create API resource /books: ANY, OPTIONS
  create API resource /books/{proxy+}: ANY, OPTIONS
  create handler function books
  create log group /functions/books
  create table loans
  create user pool
pushed environment prod as the stack gatewright-d1shop-main-branch-12c75d3ae4
API shop
  REST API endpoint: http://127.0.0.1:4280/qydp5y0q2y/prod
  http://127.0.0.1:4280/qydp5y0q2y/prod/books
user pool endpoint: http://127.0.0.1:4280/_user-pool
identity pool endpoint: http://127.0.0.1:4280/_identity-pool
  print the code that configures a client with: gatewright generate outputs --env prod --snippet
client configuration file client_config.json is written, for environment prod
[exit code 0]
$ status --env prod
environment prod, last pushed TIME
stack gatewright-d1shop-main-branch-12c75d3ae4
  Resource          Operation
  environment prod  No change
  API shop          No change
  function books    No change
  table loans       No change
  auth              No change
status: no change
[exit code 0]
`, got); diff != "" {
		t.Errorf("%s\n%s", diff, got)
	}
}
