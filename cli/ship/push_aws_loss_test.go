package ship_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatAWSWouldLoseIsAskedAbout removes a table, and an environment that is guarded.
func TestWhatAWSWouldLoseIsAskedAbout(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	told(t, s, shopOnAWS+`% push --yes
% push --env prod --confirm prod
% remove table loans
$ 1 push --yes
environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1, as tester
LOSS: the table loans leaves the stack, but stays in the account with all its items
  Resource     Operation
  table loans  Delete
push: 1 to delete, 4 without change
AWS: 0 resources to create, 1 to change, 1 to remove
uploaded 1 file, 1 were there already
asking CloudFormation what would change
gatewright: table loans: the table loans leaves the stack, but stays in the account with all its items; keep it, or allow the loss with: --allow-destroy loans
$ 0 push --yes --allow-destroy loans
environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1, as tester
LOSS: the table loans leaves the stack, but stays in the account with all its items
  Resource     Operation
  table loans  Delete
push: 1 to delete, 4 without change
AWS: 0 resources to create, 1 to change, 1 to remove
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is written, for environment dev
uploaded 0 files, 2 were there already
asking CloudFormation what would change
TIME  the definition as deployed: changed
TIME  the table loans: kept
note: client_config.json is now for environment dev; it was for prod
$ 2 remove env prod
gatewright: environment prod would be removed from AWS too, with everything in it; to do that give --confirm prod; to keep it in AWS give --keep-stack
$ 0 remove env prod --confirm prod --dry-run
dry run, nothing is written: removed environment prod
  delete backend/environments/prod.json
note: the stack gatewright-d1shop-prod-branch-32b0a5831e is removed from the account 123456789012, eu-west-1
note: these stay in the account: the table loans, the user pool, the group Admins, the identity pool, the log group of the function books; push the environment with --adopt to take them over
$ 0 remove env prod --confirm prod
removed environment prod
  delete backend/environments/prod.json
the groups of the user pool are set to stay with it
TIME  the group Admins: changed
TIME  the group Admins: kept
TIME  the roles of the identity pool: removed
TIME  the definition as deployed: removed
TIME  what members of Admins may do with the API shop: removed
TIME  what signed-in users may do with the API shop: removed
TIME  what guests may do with the API shop: removed
TIME  the permission to call the function books of the API shop: removed
TIME  the stage prod of the API shop: removed
TIME  the deployment of the API shop: removed
TIME  the answer 5XX of the API shop: removed
TIME  the answer 4XX of the API shop: removed
TIME  OPTIONS /books/{proxy+} of the API shop: removed
TIME  ANY /books/{proxy+} of the API shop: removed
TIME  the resource /books/{proxy+} of the API shop: removed
TIME  OPTIONS /books of the API shop: removed
TIME  ANY /books of the API shop: removed
TIME  the resource /books of the API shop: removed
TIME  the API shop: removed
TIME  the function books: removed
TIME  the log group of the function books: kept
TIME  the role of the function books: removed
TIME  the role of members of Admins: removed
TIME  the role of guests: removed
TIME  the identity pool: kept
TIME  the user pool: kept
TIME  the table loans: kept
TIME  the role of signed-in users: removed
TIME  the client of the user pool: removed
kept in the account 123456789012: the group Admins, Admins
kept in the account 123456789012: the log group of the function books, /aws/lambda/books-prod
kept in the account 123456789012: the identity pool, eu-west-1:16043f89-2f26-4f86-8f24-efe6eed6ac9d
kept in the account 123456789012: the user pool, eu-west-1_N062WBi6a
kept in the account 123456789012: the table loans, loans-prod
note: the stack gatewright-d1shop-prod-branch-32b0a5831e is removed from the account 123456789012, eu-west-1
note: these stay in the account: the table loans, the user pool, the group Admins, the identity pool, the log group of the function books; push the environment with --adopt to take them over
note: gatewright forgets the deployment of environment prod, stack gatewright-d1shop-prod-branch-32b0a5831e
$ 0 env list
  Name  Provider  Region        Branch  Guarded  APIs  Last pushed
* dev   aws       eu-central-1  dev     no       all   TIME
`)
	var left []string
	for _, stack := range fake.Stacks() {
		left = append(left, stack.Region+" "+stack.Status)
	}
	if want := []string{"eu-central-1 UPDATE_COMPLETE", "eu-west-1 DELETE_COMPLETE"}; !slices.Equal(left, want) {
		t.Errorf("the stacks are %q, want %q", left, want)
	}
}

func TestAPushToAWSThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	fake.FailResource("AWS::Lambda::Function", "the role is not ready")
	told(t, s, shopOnAWS+`$ 1 push --yes
`+firstPlan+`looking for existing resources in the account
made the bucket gatewright-assets-123456789012-eu-central-1 for archives and templates
uploaded 2 files, 0 were there already
asking CloudFormation what would change
TIME  the table loans: made
TIME  the user pool: made
TIME  the client of the user pool: made
TIME  the identity pool: made
TIME  the role of signed-in users: made
TIME  the role of guests: made
TIME  the role of members of Admins: made
TIME  the log group of the function books: made
TIME  the role of the function books: made
TIME  the function books: could not be made: the role is not ready
TIME  the API shop: made
something failed; everything is being rolled back
TIME  the API shop: removed
TIME  the function books: removed
TIME  the role of the function books: removed
TIME  the log group of the function books: removed
TIME  the role of members of Admins: removed
TIME  the role of guests: removed
TIME  the role of signed-in users: removed
TIME  the identity pool: removed
TIME  the client of the user pool: removed
TIME  the user pool: removed
TIME  the table loans: removed
gatewright: function books: could not be made: the role is not ready; nothing is deployed; fix it and push again
$ 0 status
environment dev, never pushed
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1
the stack gatewright-d1shop-dev-branch-884c1f91c7 could not be made; the next push removes its remains and creates the stack again
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
client configuration file
  auth is left out until a push gives
    cloud_region, user_pool_id, user_pool_client_id
  custom is left out until a push gives
    API.shop
status: 5 to create
`)
}

// TestADryRunOfAPushToAWSLeavesNothingBehind tries a first push and a later one: in the project, in
// the account, and of the change set that says what would change.
func TestADryRunOfAPushToAWSLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	told(t, s, shopOnAWS)
	var executed []string // What a push leaves may be gone afterwards.
	leaves := func() string {
		text := s.Tree()
		for _, stack := range fake.Stacks() {
			sets := slices.DeleteFunc(fake.ChangeSets(stack.Name), func(set string) bool { return slices.Contains(executed, set) })
			text += fmt.Sprintln(stack.Name, stack.Status, sets, fake.Executed(stack.Name))
		}
		return text
	}
	for _, first := range []bool{true, false} {
		before := leaves()
		for _, more := range [][]string{nil, {"--json"}, {"--diff"}, {"--verbose"}} {
			s.Run(0, append([]string{"push", "--dry-run"}, more...)...)
			if after := leaves(); after != before {
				t.Errorf("a dry run with %v, as the first: %v, leaves\n%s", more, first, cmp.Diff(before, after))
			}
		}
		told(t, s, "% push --yes\n% update path shop /books --guest create\n% add function more"+map[bool]string{true: "", false: "2"}[first]+" --template plain\n")
		for _, stack := range fake.Stacks() {
			executed = append(executed, fake.ChangeSets(stack.Name)...)
		}
	}
}
