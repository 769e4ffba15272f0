package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"gatewright/cli/clitest"
	"gatewright/test/await"
)

// TestANarrowTerminalGetsNarrowTables prints what is wider than a window of 64 cells.
func TestANarrowTerminalGetsNarrowTables(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-west-1", "add group Administrators", "add group Readers",
		"add api shop --path /books --function books --new-function plain --auth read --group Administrators=all",
		"add path shop /books/{isbn}/chapters/{number} --function chapters-of-books --new-function plain --guest read --group Readers=read",
		"add env production --branch main --guarded",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	var b strings.Builder
	for _, line := range []string{
		"routes", "routes --access", "can guest GET /books/1/chapters/2", "env show production", "env list", "status --env production", "help env", "validate",
	} {
		term := inTerminal(t, s)
		if err := unix.IoctlSetWinsize(int(term.keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 64}); err != nil {
			t.Fatal(err)
		}
		code := await.Next(t, "the end of "+line, term.start(strings.Fields(line)...))
		fmt.Fprintf(&b, "$ %s\n%s[exit code %d]\n", line, strings.ReplaceAll(term.all(), "\x1b", "␛"), code)
	}
	if diff := cmp.Diff(`$ routes
API shop
  /books
      Methods   ANY, OPTIONS
      Function  books
      Access    signed-in users: read; members of
                Administrators: all
  /books/{isbn}/chapters/{number}
  /books/{isbn}/chapters/{number}/{proxy+}
      Methods   ANY, OPTIONS
      Function  chapters-of-books
      Access    guests: read; members of Readers: read
  /books/{proxy+}
      Methods   ANY, OPTIONS
      Function  books
      Access    signed-in users: read; members of
                Administrators: all
  /books/1/chapters/1 and /books/1/chapters/1/1 go to
  /books/{isbn}/chapters/{number} and not to /books
[exit code 0]
$ routes --access
API shop
  /books
      Access           private
      guests           ----
      signed-in users  -R--
      Administrators   CRUD
      Readers          (-R--)
  /books/{isbn}/chapters/{number}
      Access           protected
      guests           -R--
      signed-in users  ----
      Administrators   (----)
      Readers          -R--
  under /books/{isbn}/chapters/{number} members of both
    Administrators and Readers act as Administrators and lose
    read

C create (POST), R read (GET, HEAD), U update (PUT, PATCH), D
  delete (DELETE)
in brackets: the path does not name the group, so its members
  act as signed-in users
[exit code 0]
$ can guest GET /books/1/chapters/2
yes: guests may read under /books/{isbn}/chapters/{number}
  api       shop
  route     /books/{isbn}/chapters/{number}
  function  chapters-of-books
  acts as   guests
[exit code 0]
$ env show production
environment production
  provider     local
  region       eu-west-1
  branch       main
  guarded      yes
  apis         all, later ones too
  API shop     yes
  last pushed  never
[exit code 0]
$ env list
* dev
    Provider     local
    Region       eu-west-1
    Branch       dev
    Guarded      no
    APIs         all
    Last pushed  never
  production
    Provider     local
    Region       eu-west-1
    Branch       main
    Guarded      yes
    APIs         all
    Last pushed  never
[exit code 0]
$ status --env production
environment production, never pushed
stack gatewright-d1shop-main-branch-12c75d3ae4
access: 4 more open
␛[33m  ▲ signed-in users may now read under /books (GET /books)␛[0m
␛[33m  ▲ members of Administrators may now create, read, update and␛[0m
␛[33m    delete under /books (POST /books)␛[0m
␛[33m  ▲ guests may now read under /books/{isbn}/chapters/{number}␛[0m
␛[33m    (GET /books/1/chapters/1)␛[0m
␛[33m  ▲ members of Readers may now read under␛[0m
␛[33m    /books/{isbn}/chapters/{number} (GET /books/1/chapters/1)␛[0m
  Resource                    Operation
  environment production      Create
  API shop                    Create
    /books is new, served by books (signed-in users: read;
      members of Administrators: all)
    /books/{isbn}/chapters/{number} is new, served by
      chapters-of-books (guests: read; members of Readers: read)
  function books              Create
  function chapters-of-books  Create
  auth                        Create
in AWS some requests under 2 paths would be refused although
  the project allows them; -v shows them
client configuration file
  auth is left out until a push gives
    cloud_region, user_pool_id, user_pool_client_id
  custom is left out until a push gives
    API.shop
status: 5 to create
what a push opens, as said above
␛[33m  ▲ signed-in users may now read under /books (GET /books)␛[0m
␛[33m  ▲ members of Administrators may now create, read, update and␛[0m
␛[33m    delete under /books (POST /books)␛[0m
␛[33m  ▲ guests may now read under /books/{isbn}/chapters/{number}␛[0m
␛[33m    (GET /books/1/chapters/1)␛[0m
␛[33m  ▲ members of Readers may now read under␛[0m
␛[33m    /books/{isbn}/chapters/{number} (GET /books/1/chapters/1)␛[0m
[exit code 0]
$ help env
Show environments, and choose one

Usage: gatewright env COMMAND

Examples:
  gatewright env list
  gatewright env show
  gatewright env use qa
  gatewright env diff dev prod

Commands:
  list  List the environments; * marks the chosen one
  show  Show everything about an environment
  use   Choose the environment that commands use on this machine
  diff  Show two environments side by side

Exit codes and environment variables: gatewright help
[exit code 0]
$ validate
backend/api/shop/cli-inputs.json:23:5: warning: /books/{isbn}/chapters/{number} has its own rule below /books, and its own rule applies: guests gain read, signed-in users lose read, members of Administrators lose create, read, update, delete (at /paths/~1books~1{isbn}~1chapters~1{number}); leave it if that is meant
backend/api/shop/cli-inputs.json:28:9: warning: /books/{isbn}/chapters/{number} lets guests read, and not signed-in users (at /paths/~1books~1{isbn}~1chapters~1{number}/permissions/guest); grant it to signed-in users too, or revoke it from guests
backend/api/shop/cli-inputs.json:31:9: warning: /books/{isbn}/chapters/{number} members of both Administrators and Readers act as Administrators and lose read (at /paths/~1books~1{isbn}~1chapters~1{number}/permissions/groups); order the groups, or grant it to Administrators too
valid: 0 errors, 3 warnings, 0 notes
[exit code 0]
`, b.String()); diff != "" {
		t.Errorf("%s\n%s", diff, b.String())
	}
}
