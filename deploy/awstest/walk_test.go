package awstest_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"pgregory.net/rapid"

	"gatewright/deploy/awstest"
	"gatewright/test/depth"
)

// TestEveryHistoryEnds runs random histories: each operation comes to an end, a failed one
// leaves the outputs and the resources as before, and after each the next can begin.
func TestEveryHistoryEnds(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := start(t, awstest.Options{Speed: rapid.IntRange(1, 5).Draw(rt, "speed"), EventsPerPage: 7})
		defer c.fake.Close()
		c.create("shop", shop("id", "0", ""))
		for i := range rapid.IntRange(1, 5).Draw(rt, "updates") {
			before, _ := c.fake.Stack("shop")
			resource := rapid.SampledFrom([]string{"", "Items", "Handler", "Role", "AWS::DynamoDB::Table"}).Draw(rt, "fails")
			if resource != "" {
				c.fake.FailResource(resource, "failed")
			}
			template := shop(rapid.SampledFrom([]string{"id", "isbn"}).Draw(rt, "key"), strconv.Itoa(i+1), rapid.SampledFrom([]string{"", role}).Draw(rt, "more"))
			c.begin("shop", "u"+strconv.Itoa(i), update, template)
			if rapid.Bool().Draw(rt, "cancel") {
				c.fake.Step("shop")
				_, _ = c.cfn.CancelUpdateStack(c.ctx, &cloudformation.CancelUpdateStackInput{StackName: aws.String("shop")})
			}
			rollbackFails := rapid.Bool().Draw(rt, "rollback fails")
			if rollbackFails {
				c.fake.FailRollback("Items", "failed")
			}
			s := c.wait("shop")
			for s.StackStatus == types.StackStatusUpdateRollbackFailed {
				if _, err := c.cfn.ContinueUpdateRollback(c.ctx, &cloudformation.ContinueUpdateRollbackInput{StackName: aws.String("shop")}); err != nil {
					rt.Fatal(err)
				}
				s = c.wait("shop")
			}
			c.fake.Clear()
			after, _ := c.fake.Stack("shop")
			switch s.StackStatus {
			case types.StackStatusUpdateComplete:
			case types.StackStatusUpdateRollbackComplete:
				if got, want := ids(after), ids(before); got != want {
					rt.Fatalf("after the rollback there is\n%s\nbefore it was\n%s", got, want)
				}
			default:
				rt.Fatalf("the stack is %s", s.StackStatus)
			}
		}
	})
}

func ids(s awstest.Stack) string {
	var b strings.Builder
	for _, r := range s.Resources {
		b.WriteString(r.LogicalID + "=" + r.PhysicalID + " ")
	}
	return b.String() + s.Outputs["Table"]
}
