package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
)

// Comparison is what the service found when it compared the resources of stacks with what they are in the account.
type Comparison struct {
	// Compared is how many resources could be compared.
	Compared int
	// Drifted are those of them that are differently from their stack says.
	Drifted []Drift
	// Skipped are the resources that the service cannot compare, or could not.
	Skipped []Resource
	// Failed are the stacks of which the service could not compare all that it can, such as
	// without the rights to read it.
	Failed []Failure
}

// Failure is a stack of which not all could be compared.
type Failure struct {
	// Stack is the stack as it was given to Compare, Reason what the service says, which may be "".
	Stack, Reason string
}

// Drift is a resource that differs from its stack.
type Drift struct {
	Resource
	// Deleted says that it is gone; else Differences are the properties that differ.
	Deleted     bool
	Differences []Difference
}

// Difference is a property that differs.
type Difference struct {
	// Path is the property as a JSON pointer, such as /Environment/Variables/NAME.
	Path string
	// Want is its value in the stack, Is that in the account: a text, a number or JSON.
	Want, Is string
	// Added says that only the account has it, Removed that only the stack has it.
	Added, Removed bool
}

// ErrSlow is the error of a comparison that does not end in time.
var ErrSlow = errors.New("CloudFormation has not compared all resources in time; run the command again later")

// usualComparison is how long a comparison may take.
const usualComparison = 5 * time.Minute

// Compare has the service compare the resources of stacks with what they are in the account,
// and waits for the result. Nothing is changed. Stacks that are nested in them are not compared
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html).
// The error is ErrSlow if that takes longer than Pace.Comparison.
func (c *Client) Compare(ctx context.Context, stacks ...string) (*Comparison, error) {
	limit := c.Pace.Comparison
	if limit == 0 {
		limit = usualComparison
	}
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	found, err := c.compare(limited, stacks)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, ErrSlow
	}
	return found, err
}

func (c *Client) compare(ctx context.Context, stacks []string) (*Comparison, error) {
	begun := make([]string, len(stacks))
	for i, name := range stacks {
		var err error
		if begun[i], err = c.beginComparison(ctx, name); err != nil {
			return nil, err
		}
	}
	found := &Comparison{}
	for i, name := range stacks {
		ended, err := c.compared(ctx, begun[i])
		if err != nil {
			return nil, err
		}
		unknown, err := c.addDrifts(ctx, name, aws.ToTime(ended.Timestamp), found)
		if err != nil {
			return nil, err
		}
		reason := aws.ToString(ended.DetectionStatusReason)
		if unknown != nil {
			reason = cmp.Or(reason, aws.ToString(unknown.DriftStatusReason))
		}
		if unknown != nil || ended.DetectionStatus != types.StackDriftDetectionStatusDetectionComplete {
			found.Failed = append(found.Failed, Failure{name, reason})
		}
	}
	return found, nil
}

// beginComparison starts a comparison. One that somebody else has started is waited for.
func (c *Client) beginComparison(ctx context.Context, name string) (id string, err error) {
	for {
		out, err := c.API.DetectStackDrift(ctx, &cloudformation.DetectStackDriftInput{StackName: &name})
		switch {
		case err == nil:
			return aws.ToString(out.StackDriftDetectionId), nil
		case isMissing(err):
			return "", ErrNoStack
		case !isComparing(err):
			return "", c.explained(err)
		}
		if err := c.wait(ctx); err != nil {
			return "", err
		}
	}
}

// isComparing reports whether a stack is being compared already. The service has no code for it.
func isComparing(err error) bool {
	if code(err) != "ValidationError" {
		return false
	}
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "drift detection") && strings.Contains(text, "already in progress")
}

// compared waits for the end of a comparison, and returns how it ended and when it began. One
// that failed for some resources has results for the others
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackDriftDetectionStatus.html).
func (c *Client) compared(
	ctx context.Context, id string,
) (*cloudformation.DescribeStackDriftDetectionStatusOutput, error) {
	for {
		out, err := c.API.DescribeStackDriftDetectionStatus(ctx,
			&cloudformation.DescribeStackDriftDetectionStatusInput{StackDriftDetectionId: &id})
		if err != nil {
			return nil, c.explained(err)
		}
		if out.DetectionStatus != types.StackDriftDetectionStatusDetectionInProgress {
			return out, nil
		}
		if err := c.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// addDrifts reads the results for the resources of a stack. Those from before a time are of an
// earlier comparison, because this one has none for the resource. unknown is a resource that the
// service tried to compare and could not; nil if there is none.
func (c *Client) addDrifts(
	ctx context.Context, name string, since time.Time, found *Comparison,
) (unknown *types.StackResourceDrift, err error) {
	resources, err := c.Resources(ctx, name)
	if err != nil {
		return nil, err
	}
	checked := make(map[string]bool)
	pages := cloudformation.NewDescribeStackResourceDriftsPaginator(c.API,
		&cloudformation.DescribeStackResourceDriftsInput{StackName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, c.explained(err)
		}
		for i := range page.StackResourceDrifts {
			one := &page.StackResourceDrifts[i]
			status := one.StackResourceDriftStatus
			modified, deleted := status == types.StackResourceDriftStatusModified,
				status == types.StackResourceDriftStatusDeleted
			switch {
			case aws.ToTime(one.Timestamp).Before(since.Truncate(time.Second)):
				continue
			case status == types.StackResourceDriftStatusUnknown:
				unknown = one
				continue
			case !modified && !deleted && status != types.StackResourceDriftStatusInSync:
				continue
			}
			checked[aws.ToString(one.LogicalResourceId)] = true
			found.Compared++
			if modified || deleted {
				found.Drifted = append(found.Drifted, driftOf(one, deleted))
			}
		}
	}
	for _, r := range resources {
		if !checked[r.Logical] && r.Status != string(DeleteComplete) {
			found.Skipped = append(found.Skipped, r)
		}
	}
	return unknown, nil
}

func driftOf(one *types.StackResourceDrift, deleted bool) Drift {
	d := Drift{Deleted: deleted, Resource: Resource{
		Logical: aws.ToString(one.LogicalResourceId), Physical: aws.ToString(one.PhysicalResourceId),
		Type: aws.ToString(one.ResourceType),
	}}
	for _, p := range one.PropertyDifferences {
		d.Differences = append(d.Differences, Difference{
			Path: aws.ToString(p.PropertyPath), Want: aws.ToString(p.ExpectedValue), Is: aws.ToString(p.ActualValue),
			Added: p.DifferenceType == types.DifferenceTypeAdd, Removed: p.DifferenceType == types.DifferenceTypeRemove,
		})
	}
	return d
}

// String names the property and its two values, for errors and tests.
func (d Difference) String() string { return fmt.Sprintf("%s %q -> %q", d.Path, d.Want, d.Is) }
