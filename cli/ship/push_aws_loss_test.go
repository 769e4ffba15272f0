package ship_test

import (
	"slices"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// TestWhatAWSWouldLoseIsAskedAbout removes a table, and an environment that is guarded.
func TestWhatAWSWouldLoseIsAskedAbout(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	fake := awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	told(t, s, shopOnAWS+`% push --yes
% push --env prod --confirm prod
% remove table loans
$ 1 push --yes
$ 0 push --yes --allow-destroy loans
$ 2 remove env prod
$ 0 remove env prod --confirm prod --dry-run
$ 0 remove env prod --confirm prod
$ 0 env list
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
	s := clitest.New(t)
	fake := awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	fake.FailResource("AWS::Lambda::Function", "the role is not ready")
	told(t, s, shopOnAWS+`$ 1 push --yes
$ 0 status
`)
}
