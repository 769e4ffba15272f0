package ship_test

import (
	"regexp"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// times are those that a fake of AWS says.
var times = regexp.MustCompile(`(20\d\d-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(Z| UTC)|\bin [\d.]+ m?s;`)

// told tells a story (see [clitest.Session.Told]).
func told(t *testing.T, s *clitest.Session, story string) {
	t.Helper()
	s.Told(story, func(printed string) string {
		return archives.ReplaceAllString(times.ReplaceAllString(printed, "TIME"), "")
	})
}

// archives are made in any order, and are those of an earlier test with the same sources or new.
var archives = regexp.MustCompile(`(?m)^function \S+: its archive is .*
`)

const shopOnAWS = `% init --name shop --app-id d1shop --region eu-central-1
% update env dev --provider aws
% add group Admins
% add table loans --partition-key id
% add api shop --path /books --function books --new-function plain --auth read --guest read --group Admins=all
% add env prod --provider aws --region eu-west-1 --guarded --api shop
% env use dev
`

// Parts of stories: what a first push plans and makes, where the API is found, and the status of a
// project that has not changed since its push.
const (
	firstPlan = `environment dev, never pushed
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1, as tester
access: 3 more open
  ▲ guests may now read under /books (GET /books)
  ▲ signed-in users may now read under /books (GET /books)
  ▲ members of Admins may now create, read, update and delete under /books (POST /books)
  Resource         Operation
  environment dev  Create
  API shop         Create
    /books is new, served by books (guests: read; signed-in users: read; members of Admins: all)
  function books   Create
  table loans      Create
  auth             Create
push: 5 to create
AWS: 28 resources to create, 0 to change, 0 to remove
`

	eachMade = `TIME  the table loans: made
TIME  the user pool: made
TIME  the client of the user pool: made
TIME  the identity pool: made
TIME  the role of signed-in users: made
TIME  the role of guests: made
TIME  the role of members of Admins: made
TIME  the log group of the function books: made
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
TIME  the stage dev of the API shop: made
TIME  the permission to call the function books of the API shop: made
TIME  what guests may do with the API shop: made
TIME  what signed-in users may do with the API shop: made
TIME  what members of Admins may do with the API shop: made
TIME  the definition as deployed: made
TIME  the group Admins: made
TIME  the roles of the identity pool: made
`

	firstMade = `looking for existing resources in the account
made the bucket gatewright-assets-123456789012-eu-central-1 for archives and templates
uploaded 2 files, 0 were there already
asking CloudFormation what would change
` + eachMade + `note: the account 123456789012 is written into backend/environments/dev.json
`

	shopAddresses = `API shop
  REST API endpoint: https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev
  https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev/books
`

	nothingChanged = `environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1
  Resource         Operation
  environment dev  No change
  API shop         No change
  function books   No change
  table loans      No change
  auth             No change
`
)

// onAWS is a session with an account of AWS.
func onAWS(t *testing.T) (*clitest.Session, *awstest.Server) {
	t.Helper()
	s, fake := clitest.New(t), awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	return s, fake
}

// TestAPushToAWSSaysWhatItDoes tells the first push of an environment.
func TestAPushToAWSSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`$ 0 push --dry-run
`+firstPlan+`  create the table loans
  create the user pool
  create the client of the user pool
  create the group Admins
  create the identity pool
  create the roles of the identity pool
  create the role of signed-in users
  create the role of guests
  create the role of members of Admins
  create the log group of the function books
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
  create the stage dev of the API shop
  create the permission to call the function books of the API shop
  create what guests may do with the API shop
  create what signed-in users may do with the API shop
  create what members of Admins may do with the API shop
  create the definition as deployed
dry run, nothing is written
looking for existing resources in the account
$ 2 push
gatewright: a push to AWS needs your consent, and there is no terminal to ask in; look at it with --dry-run, then give --yes
$ 2 push --env prod --yes
gatewright: environment prod is guarded; to push it give --confirm prod
$ 0 push --yes
`+firstPlan+`pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is written, for environment dev
`+firstMade+`$ 0 push --yes
environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1, as tester
AWS is up to date
`+shopAddresses+`client configuration file client_config.json is up to date, for environment dev
uploaded 0 files, 2 were there already
asking CloudFormation what would change
$ 0 status
`+nothingChanged+`status: no change
$ 0 env show
environment dev (chosen)
  provider       aws
  region         eu-central-1
  account        123456789012
  branch         dev
  guarded        no
  apis           all, later ones too
  API shop       yes
  last pushed    TIME
  stack          gatewright-d1shop-dev-branch-884c1f91c7
  endpoint shop  https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev
`)
}
