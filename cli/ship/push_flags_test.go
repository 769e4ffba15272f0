package ship_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

func TestFollowingAPushTakesNothingOver(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	for _, flag := range []string{"--adopt", "--adopt-pool=eu-central-1_AbCdEfGhI"} {
		if text := s.Run(2, "push", "--watch", flag); !strings.Contains(text, "--watch follows a running push, and adopts nothing") || strings.Count(text, "\n") > 1 {
			t.Errorf("with %s it says %q", flag, text)
		}
		if text := s.Run(2, "push", "--hot", flag); !strings.Contains(text, "--hot changes only the code of functions") {
			t.Errorf("with --hot and %s it says %q", flag, text)
		}
	}
	s.Run(0, "update", "env", "dev", "--provider", "local")
	if text := s.Run(2, "push", "--adopt-pool", "eu-central-1_AbCdEfGhI"); !strings.Contains(text, "are for environments of AWS") {
		t.Errorf("a push to this machine says %q", text)
	}
}

// keyOfCode is where the archive of a function is, by its hash.
var keyOfCode = regexp.MustCompile(`functions/([0-9a-f]{64})\.zip`)

// TestCodeAloneIsPushedToAWS changes the source of a function, and that of another in its definition too.
func TestCodeAloneIsPushedToAWS(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	var code atomic.Value
	deploys := func(text []byte) {
		hash, _ := hex.DecodeString(string(keyOfCode.FindSubmatch(text)[1]))
		code.Store(base64.StdEncoding.EncodeToString(hash))
	}
	fake.Serve("lambda", func(r awstest.Request) (any, error) {
		if strings.HasSuffix(r.Path, "/code") {
			deploys(r.Body)
		}
		if code.Load() == nil {
			return nil, awstest.ErrUnserved
		}
		return map[string]any{"CodeSha256": code.Load(), "State": "Active", "LastUpdateStatus": "Successful"}, nil
	})
	told(t, s, shopOnAWS+`$ 1 push --hot
gatewright: environment dev was never deployed; push it with: gatewright push --env dev
% push --yes
`)
	deploys(fake.Templates(fake.Stacks()[0].Name)[0])
	told(t, s, `$ 0 push --hot
environment dev, account 123456789012, eu-central-1: code alone
the code of every function is the deployed one; nothing is changed
$ 0 push --watch
the stack gatewright-d1shop-dev-branch-884c1f91c7 is pushed, since TIME
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is up to date, for environment dev
`+eachMade)
	s.Put("backend/function/books/src/index.js", "exports.handler = async () => ({ statusCode: 200, body: \"new\" });\n")
	told(t, s, `$ 0 push --hot --dry-run
environment dev, account 123456789012, eu-central-1: code alone
  function books would get its new code
% update function books --timeout 30
$ 0 push --hot
environment dev, account 123456789012, eu-central-1: code alone
  function books has its new code
TIME the next push brings the stack in line
waits for a push: function books changes (timeout 25 s -> 30 s)
function books: changing its code
$ 0 push --hot --json
{
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "account": "123456789012",
  "region": "eu-central-1",
  "dryRun": false,
  "functions": [],
  "same": [
    "books"
  ],
  "waiting": [
    "function books changes (timeout 25 s -> 30 s)"
  ],
  "took": 0
}
$ 0 push --watch --json
{
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "branch": "dev",
  "provider": "aws",
  "account": "123456789012",
  "region": "eu-central-1",
  "losses": [],
  "adopted": [],
  "dryRun": false,
  "changed": false,
  "pushed": "TIME",
  "changes": [],
  "access": [],
  "resources": [],
  "apis": [
    {
      "api": "shop",
      "id": "lr38orqrem",
      "endpoint": "https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev",
      "paths": [
        "https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev/books"
      ]
    }
  ],
  "clientFile": {
    "path": "client_config.json",
    "written": false
  },
  "warnings": [],
  "notes": []
}
$ 1 push --env prod --hot
gatewright: environment prod: is guarded, and --hot changes code without an update of its stack; push it with: gatewright push --env prod
% add function more --template plain
% update env dev --provider local
$ 2 push --hot
gatewright: environment dev is deployed to this machine, where a push ends at once; --hot is for AWS
`)
}

// adoption is what a push plans that takes over what AWS has kept.
const adoption = `environment prod, never pushed
stack gatewright-d1shop-prod-branch-32b0a5831e
account 123456789012, eu-west-1, as tester
access: 3 more open
  ▲ guests may now read under /books (GET /books)
  ▲ signed-in users may now read under /books (GET /books)
  ▲ members of Admins may now create, read, update and delete under /books (POST /books)
adopts the table loans, loans-prod: 0 items, made TIME
adopts the user pool, eu-west-1_N062WBi6a: 0 users, made TIME
adopts the group Admins, Admins: with its members
adopts the identity pool, eu-west-1:16043f89-2f26-4f86-8f24-efe6eed6ac9d: with the identities of users and guests
adopts the log group of the function books, /aws/lambda/books-prod: 0 B, made TIME
  Resource          Operation
  environment prod  Create
  API shop          Create
    /books is new, served by books (guests: read; signed-in users: read; members of Admins: all)
  function books    Create
  table loans       Create
  auth              Create
push: 5 to create
AWS: 5 resources to adopt, 23 to create, 0 to change, 0 to remove
in 2 updates, one after the other: update 1 adopts existing resources; update 2 creates the new resources
the user pool gets a new client: apps need its id from the new client configuration file
`

// TestWhatAWSHasAlreadyIsTakenOver makes an environment anew of which the account has kept the data.
func TestWhatAWSHasAlreadyIsTakenOver(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`% push --env prod --confirm prod
% remove env prod --confirm prod
% add env prod --provider aws --region eu-west-1 --guarded --api shop
$ 1 push --env prod --confirm prod
looking for existing resources in the account
in the way: the table loans, loans-prod: 0 items, made TIME
in the way: the user pool, eu-west-1_N062WBi6a: 0 users, made TIME
in the way: the group Admins, Admins: with its members
in the way: the identity pool, eu-west-1:16043f89-2f26-4f86-8f24-efe6eed6ac9d: with the identities of users and guests
in the way: the log group of the function books, /aws/lambda/books-prod: 0 B, made TIME
gatewright: environment prod would be created, but the account 123456789012, eu-west-1 already has the table loans, the user pool, the group Admins, the identity pool, 1 more; adopt all of that with: gatewright push --env prod --adopt; or remove it, or rename the environment
$ 0 push --env prod --adopt --dry-run
`+adoption+`  adopt  the table loans
  adopt  the user pool
  create the client of the user pool
  adopt  the group Admins
  adopt  the identity pool
  create the roles of the identity pool
  create the role of signed-in users
  create the role of guests
  create the role of members of Admins
  adopt  the log group of the function books
  create the role of the function books
  create the function books
  create the API shop
  create the resource /books of the API shop
  create ANY /books of the API shop
  create OPTIONS /books of the API shop
  create the resource /books/{proxy+} of the API shop
  create ANY /books/{proxy+} of the API shop
  create OPTIONS /books/{proxy+} of the API shop
  create the answer 4XX of the API shop
  create the answer 5XX of the API shop
  create the deployment of the API shop
  create the stage prod of the API shop
  create the permission to call the function books of the API shop
  create what guests may do with the API shop
  create what signed-in users may do with the API shop
  create what members of Admins may do with the API shop
  create the definition as deployed
dry run, nothing is written
looking for existing resources in the account
`)
	var planned struct {
		Updates         int
		Adopted, Losses []map[string]string
	}
	if err := json.Unmarshal([]byte(s.Run(0, "push", "--env", "prod", "--adopt", "--dry-run", "--json")), &planned); err != nil {
		t.Fatal(err)
	}
	var adopted []string
	for _, one := range planned.Adopted {
		adopted = append(adopted, times.ReplaceAllString(one["name"]+" | "+one["id"]+" | "+one["text"], "TIME"))
	}
	if diff := cmp.Diff([]string{
		"the table loans | loans-prod | 0 items, made TIME",
		"the user pool | eu-west-1_N062WBi6a | 0 users, made TIME",
		"the group Admins | Admins | with its members",
		"the identity pool | eu-west-1:16043f89-2f26-4f86-8f24-efe6eed6ac9d | with the identities of users and guests",
		"the log group of the function books | /aws/lambda/books-prod | 0 B, made TIME",
	}, adopted); diff != "" || planned.Updates != 2 || len(planned.Losses) > 0 {
		t.Errorf("%s\n%+v", diff, planned)
	}
	told(t, s, `$ 0 push --env prod --adopt --confirm prod
`+adoption+`pushed environment prod as the stack gatewright-d1shop-prod-branch-32b0a5831e
API shop
  REST API endpoint: https://dqino43we8.execute-api.eu-west-1.amazonaws.com/prod
  https://dqino43we8.execute-api.eu-west-1.amazonaws.com/prod/books
client configuration file client_config.json is written, for environment prod
looking for existing resources in the account
uploaded 1 file, 2 were there already
asking CloudFormation what would change
update 1 of 2 adopts existing resources
TIME  the table loans: adopted
TIME  the user pool: adopted
TIME  the group Admins: adopted
TIME  the identity pool: adopted
TIME  the log group of the function books: adopted
update 2 of 2 creates the new resources
TIME  the table loans: changed
TIME  the user pool: changed
TIME  the client of the user pool: made
TIME  the identity pool: changed
TIME  the role of signed-in users: made
TIME  the role of guests: made
TIME  the role of members of Admins: made
TIME  the log group of the function books: changed
TIME  the role of the function books: made
TIME  the function books: made
TIME  the API shop: made
TIME  the resource /books of the API shop: made
TIME  ANY /books of the API shop: made
TIME  OPTIONS /books of the API shop: made
TIME  the resource /books/{proxy+} of the API shop: made
TIME  ANY /books/{proxy+} of the API shop: made
TIME  OPTIONS /books/{proxy+} of the API shop: made
TIME  the answer 4XX of the API shop: made
TIME  the answer 5XX of the API shop: made
TIME  the deployment of the API shop: made
TIME  the stage prod of the API shop: made
TIME  the permission to call the function books of the API shop: made
TIME  what guests may do with the API shop: made
TIME  what signed-in users may do with the API shop: made
TIME  what members of Admins may do with the API shop: made
TIME  the definition as deployed: made
TIME  the group Admins: changed
TIME  the roles of the identity pool: made
note: the account 123456789012 is written into backend/environments/prod.json
note: client_config.json is now for environment prod; it was for dev
`)
}
