package ship_test

import (
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// TestAPushToAWSSaysWhatChanged tells a second push.
func TestAPushToAWSSaysWhatChanged(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Environ = awstest.New(t, awstest.Options{}).Env()
	told(t, s, shopOnAWS+`% push --yes
% update path shop /books --guest create
% add function more --template plain
$ 0 push --dry-run --json
$ 0 push --yes
`)
}
