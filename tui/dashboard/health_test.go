package dashboard

import (
	"strings"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/tui/dashboard/board"
)

// counts makes a fake of AWS answer that each metric counts or lasts 40, and returns how often
// it is asked.
func counts(fake *awstest.Server) func() int {
	fake.Serve("monitoring", func(r awstest.Request) (any, error) {
		var in struct{ MetricDataQueries []struct{ Id string } }
		if err := r.Read(&in); err != nil {
			return nil, err
		}
		results := []map[string]any{}
		for _, q := range in.MetricDataQueries {
			results = append(results, map[string]any{"Id": q.Id, "StatusCode": "Complete", "Values": []float64{40}, "Timestamps": []float64{1}})
		}
		return map[string]any{"MetricDataResults": results}, nil
	})
	return func() int { return fake.Count("GetMetricData") + fake.Count("DetectStackDrift") }
}

func TestHowTheEnvironmentsAreInAWSIsAskedWithAKeyOnly(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	fake.ServeInForce()
	asked := counts(fake)
	d := inCloud(t, dir)
	pushedOnce(d)
	for _, r := range fake.Stacks()[0].Resources {
		if r.Type == "AWS::Lambda::Function" {
			fake.Drift(r.LogicalID, "/MemorySize", "1024")
		}
	}
	d.to("environments")
	if n := asked(); n > 0 {
		t.Fatalf("AWS was asked %d times before anybody wanted that", n)
	}
	d.press("C")
	d.shows("this is how the environments are in AWS", "checked in AWS", "as of ", "last hour", "40 calls, 40", "drift", "1 part")
	// The cursor goes to what was asked for, and the details of the row say in what it differs.
	d.shows("memory 128 MB in the stack", "1024 MB in the cloud")
}

func TestWhyItIsNotKnownHowAnEnvironmentIsInAWSIsToldInOneLine(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	fake.ServeInForce()
	counts(fake)
	d := inCloud(t, dir)
	pushedOnce(d)
	fake.Fail("DetectStackDrift", "AccessDenied", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: cloudformation:DetectStackDrift on resource: x", 1)
	d.to("environments")
	d.press("C")
	d.shows("ann may not do cloudformation:DetectStackDrift")
	// What was counted is known anyway.
	d.shows("40 calls, 40", "not known")
	d.press("/", "drift", "enter")
	d.shows("not known: ", "ann may not do cloudformation:DetectStackDrift")
}

func TestAnEnvironmentThatWasNotComparedWholeIsNotSaidToBeAsPushed(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	fake.ServeInForce()
	counts(fake)
	d := inCloud(t, dir)
	pushedOnce(d)
	fake.FailComparisons("ann may not read it")
	d.to("environments")
	d.press("C")
	d.shows("this is how the environments are in AWS", "not all compared")
	if strings.Contains(d.shown(), "none found") {
		t.Error("it says that nothing differs")
	}
	d.press("/", "drift", "enter")
	d.shows("CloudFormation could not compare all", "ann may not read it")
}

func TestADashboardThatOnlyReadsDoesNotAskHowTheEnvironmentsAre(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	fake.ServeInForce()
	asked := counts(fake)
	pushedOnce(inCloud(t, dir))
	d := openLive(t, dir, false)
	d.to("environments")
	d.press("C")
	d.shows(board.AsksNothing)
	if n := asked(); n > 0 || strings.Contains(d.shown(), "last hour") {
		t.Errorf("AWS was asked %d times", n)
	}
}
