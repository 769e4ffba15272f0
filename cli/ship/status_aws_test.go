package ship_test

import (
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// TestWhatSomebodyChangedInAWSIsTold changes a function, a method and a log group behind the back of the
// project.
func TestWhatSomebodyChangedInAWSIsTold(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	fake := awstest.New(t, awstest.Options{})
	inForce := fake.ServeInForce()
	s.Environ = fake.Env()
	told(t, s, shopOnAWS+`% push --yes
$ 0 status --drift --exit-code
% status --drift --json
`)
	for _, r := range fake.Stacks()[0].Resources {
		switch r.Type {
		case "AWS::Lambda::Function":
			fake.Drift(r.LogicalID, "/Timeout", "99")
		case "AWS::Logs::LogGroup":
			fake.Vanish(r.LogicalID)
		}
	}
	inForce.Methods["/books ANY"] = "NONE"
	told(t, s, `$ 3 status --drift --exit-code
$ 3 status --drift --json --exit-code
`)
}
