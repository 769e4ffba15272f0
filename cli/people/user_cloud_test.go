package people_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/wire"
)

// TestUsersInAWSAreThoseOfThePoolOfTheirEnvironment reads and changes users of a pool that was
// pushed. Those of the sandbox are others.
func TestUsersInAWSAreThoseOfThePoolOfTheirEnvironment(t *testing.T) {
	t.Parallel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	fake := awstest.New(t, awstest.Options{})
	s := clitest.New(t)
	s.Environ = fake.Env()
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-central-1", "update env dev --provider aws --guarded", "add group Admins", "add group Editors",
		"add api shop --path /books --function books --new-function plain --auth read --group Admins=all", "push --confirm dev",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	p, err := project.Open(s.Dir)
	must(err)
	pool, err := outputs.PoolOf(p.Backend, &model.Environment{Name: "dev", Provider: model.Local})
	must(err)
	must(p.Close())
	record, err := project.ReadRecord(s.Dir, "dev")
	must(err)
	pool.UserPoolID = record.Outputs["auth"].(map[string]any)["user_pool_id"].(string)
	pool.Definition.UserPoolID = pool.UserPoolID
	users, err := sandbox.OpenUsers(t.Context(), t.TempDir(), *pool, "http://127.0.0.1:4280", nil)
	must(err)
	t.Cleanup(func() { must(users.Close()) })
	fake.Serve("cognito-idp", func(q awstest.Request) (any, error) {
		answer, err := users.Do(context.Background(), q.Action, q.Body)
		if refused := (*wire.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return answer, err
	})
	vary := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|20\d\d-\d\d-\d\d[ T][0-9:.]+(Z| UTC)`)
	for _, step := range []struct {
		code int
		line string
		want string
	}{
		{0, `user list --env dev`, `no user; add one with: gatewright user add NAME --env dev
`},
		{2, `user add emma --email emma@example.com --group Editors --password-stdin --env dev`, `gatewright: environment dev is guarded; to add user emma give --confirm dev
`},
		{0, `user add emma --email emma@example.com --group Editors --password-stdin --env dev --confirm dev`, `added user emma, in Editors
`},
		{0, `user groups emma --add Admins --env dev --confirm dev`, `groups of emma: Admins, Editors; acts as members of Admins, the first of them
note: sessions of emma keep the earlier groups until they are refreshed
`},
		{0, `user list --env dev`, `User  Status     Email             Groups
emma  confirmed  emma@example.com  Admins, Editors
`},
		{0, `user list --group Admins --env dev --json`, `{
  "environment": "dev",
  "users": [
    {
      "name": "emma",
      "status": "CONFIRMED",
      "enabled": true,
      "attributes": {
        "email": "emma@example.com",
        "email_verified": "true",
        "sub": "VARIES"
      },
      "groups": [
        "Admins",
        "Editors"
      ],
      "actsAs": "group:Admins",
      "mfaMethods": [],
      "preferredMfa": "",
      "created": "VARIES",
      "modified": "VARIES"
    }
  ]
}
`},
		{0, `user show emma --env dev`, `user            emma
status          confirmed
email           emma@example.com
email_verified  true
sub             VARIES
groups          Admins, Editors; acts as members of Admins, the first of them
MFA             no second factor
created         VARIES
changed         VARIES
`},
		{0, `can emma POST /books --env dev`, `yes: members of Admins may create under /books
  api       shop
  route     /books
  function  books
  user      emma, in Admins, Editors
  acts as   members of Admins, the first in order of the caller's groups; Editors has no effect here
`},
		{2, `user disable emma --env dev`, `gatewright: environment dev is guarded; to disable user emma give --confirm dev
`},
		{0, `user disable emma --env dev --confirm dev`, `user emma is disabled
note: AWS credentials that emma already has stay valid until they expire, an hour after they were given
`},
		{1, `can emma POST /books --env dev`, `no: /books is restricted, and user emma is disabled
  api       shop
  route     /books
  function  books
  user      emma, in Admins, Editors
this would allow it:
  gatewright user enable emma --env dev
`},
		{0, `user enable emma --env dev --confirm dev`, `user emma is enabled
`},
		{2, `user remove emma --env dev`, `gatewright: a removed user cannot be restored; confirm with --confirm emma
`},
		{2, `user remove emma --env dev --confirm dev`, `gatewright: a removed user cannot be restored; confirm with --confirm emma
`},
		{2, `user remove emma --env dev --confirm emma`, `gatewright: environment dev is guarded; to remove user emma give --confirm dev
`},
		{0, `user remove emma --env dev --confirm emma --confirm dev`, `removed user emma
note: AWS credentials that emma already has stay valid until they expire, an hour after they were given
`},
		{1, `user show emma --env dev`, `gatewright: user emma: not found in environment dev; list the users with: gatewright user list --env dev
`},
		{0, `user list`, `no user; add one with: gatewright user add NAME
note: these are the users of the sandbox; for the ones in AWS give --env dev
`},
	} {
		s.In = "Passw0rd.long\n"
		if got := vary.ReplaceAllString(s.Run(step.code, strings.Fields(step.line)...), "VARIES"); got != step.want {
			t.Errorf("%s prints\n%s\nwant\n%s", step.line, got, step.want)
		}
	}
}
