package stack

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gatewright/internal/network"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"
)

// Client works with the stacks of one account and region.
type Client struct {
	// API is the service's client. It retries what is throttled.
	API *cloudformation.Client
	// Pace says how often the service is asked; the zero value is the pace for people.
	Pace Pace
	// Explain makes one line of an error of the service. It may be nil.
	Explain func(error) error
}

// Pace says how often the service is asked while something goes on there.
type Pace struct {
	// Poll is the time between two questions.
	Poll time.Duration
	// Patience is for how long a follower bears that the service does not answer.
	Patience time.Duration
	// Comparison is how long the service may take to compare resources with the account; 0 is 5 minutes.
	Comparison time.Duration
}

const (
	usualPoll     = 2 * time.Second
	usualPatience = 10 * time.Minute
)

// ErrNoStack is the error of a stack that does not exist.
var ErrNoStack = errors.New("there is no such stack")

// wait waits for the time between two questions, which varies.
func (c *Client) wait(ctx context.Context) error {
	return network.Pause(ctx, network.Varied(cmp.Or(c.Pace.Poll, usualPoll)))
}

// explained makes one line of an error of the service.
func (c *Client) explained(err error) error {
	if err == nil || c.Explain == nil {
		return err
	}
	return c.Explain(err)
}

// code returns the code of an error of the service, "" if it is none.
func code(err error) string {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode()
	}
	return ""
}

// says reports whether an error of the service has a text. The service has one code,
// ValidationError, for nearly all its refusals.
func says(err error, text string) bool {
	e, ok := errors.AsType[smithy.APIError](err)
	return ok && strings.Contains(e.ErrorMessage(), text)
}

// isMissing reports whether an error is about a stack that does not exist.
func isMissing(err error) bool {
	return code(err) == "ValidationError" && says(err, "does not exist") || code(err) == "StackNotFoundException"
}

// Stack is a stack as it was at one moment.
type Stack struct {
	Name, ARN string
	Status    Status
	// Reason is why it has the status; it may be empty.
	Reason string
	// Created is when it was made, Updated when its last update began: zero without one.
	Created, Updated time.Time
	Outputs          map[string]string
	Tags             map[string]string
	// Parameters are the values of its parameters; that of a secret is hidden.
	Parameters map[string]string
	// Protected says that it cannot be deleted before that is allowed.
	Protected bool
}

// Since is when the stack's last operation began.
func (s *Stack) Since() time.Time {
	if s.Updated.After(s.Created) {
		return s.Updated
	}
	return s.Created
}

// Describe describes a stack by its name or ARN. A deleted stack has only its ARN. The error
// matches ErrNoStack if there is none.
func (c *Client) Describe(ctx context.Context, name string) (*Stack, error) {
	out, err := c.API.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if isMissing(err) || err == nil && len(out.Stacks) == 0 {
		return nil, ErrNoStack
	}
	if err != nil {
		return nil, c.explained(err)
	}
	one := out.Stacks[0]
	s := &Stack{
		Name: aws.ToString(one.StackName), ARN: aws.ToString(one.StackId), Status: Status(one.StackStatus),
		Reason:  aws.ToString(one.StackStatusReason),
		Created: aws.ToTime(one.CreationTime), Updated: aws.ToTime(one.LastUpdatedTime),
		Protected: aws.ToBool(one.EnableTerminationProtection),
		Outputs:   make(map[string]string), Tags: make(map[string]string), Parameters: make(map[string]string),
	}
	for _, o := range one.Outputs {
		s.Outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	for _, t := range one.Tags {
		s.Tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	for _, p := range one.Parameters {
		s.Parameters[aws.ToString(p.ParameterKey)] = aws.ToString(p.ParameterValue)
	}
	return s, nil
}

// Metadata returns the metadata of a resource of a stack, a JSON text; "" if it has none or
// there is no such resource. The error matches ErrNoStack if there is no such stack.
func (c *Client) Metadata(ctx context.Context, name, logicalID string) (string, error) {
	out, err := c.API.DescribeStackResource(ctx,
		&cloudformation.DescribeStackResourceInput{StackName: &name, LogicalResourceId: &logicalID})
	switch {
	case err == nil && out.StackResourceDetail != nil:
		return aws.ToString(out.StackResourceDetail.Metadata), nil
	case err == nil || says(err, "Resource "+logicalID+" does not exist"):
		return "", nil
	case isMissing(err):
		return "", ErrNoStack
	}
	return "", c.explained(err)
}

// Template returns the template of a stack as it was sent.
func (c *Client) Template(ctx context.Context, name string) ([]byte, error) {
	out, err := c.API.GetTemplate(ctx, &cloudformation.GetTemplateInput{StackName: &name, TemplateStage: "Original"})
	if isMissing(err) {
		return nil, ErrNoStack
	}
	if err != nil {
		return nil, c.explained(err)
	}
	return []byte(aws.ToString(out.TemplateBody)), nil
}

// Resource is a resource of a stack.
type Resource struct{ Logical, Physical, Type, Status string }

// Resources lists the resources of a stack.
func (c *Client) Resources(ctx context.Context, name string) ([]Resource, error) {
	var all []Resource
	pages := cloudformation.NewListStackResourcesPaginator(c.API,
		&cloudformation.ListStackResourcesInput{StackName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if isMissing(err) {
			return nil, ErrNoStack
		}
		if err != nil {
			return nil, c.explained(err)
		}
		for _, r := range page.StackResourceSummaries {
			all = append(all, Resource{
				Logical: aws.ToString(r.LogicalResourceId), Physical: aws.ToString(r.PhysicalResourceId),
				Type: aws.ToString(r.ResourceType), Status: string(r.ResourceStatus),
			})
		}
	}
	return all, nil
}

// Owner returns the ARN of the stack that a resource belongs to, by its physical id; "" if it
// belongs to none. A deleted stack owns nothing, although the service still knows what it had
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResources.html).
func (c *Client) Owner(ctx context.Context, kind, physical string) (string, error) {
	out, err := c.API.DescribeStackResources(ctx,
		&cloudformation.DescribeStackResourcesInput{PhysicalResourceId: &physical})
	if isMissing(err) {
		return "", nil
	}
	if err != nil {
		return "", c.explained(err)
	}
	for _, r := range out.StackResources {
		gone := r.ResourceStatus == types.ResourceStatusDeleteComplete ||
			r.ResourceStatus == types.ResourceStatusDeleteSkipped
		if aws.ToString(r.ResourceType) != kind || aws.ToString(r.PhysicalResourceId) != physical || gone {
			continue
		}
		s, err := c.Describe(ctx, aws.ToString(r.StackId))
		if err == nil && s.Status != DeleteComplete {
			return s.ARN, nil
		}
		if err != nil && !errors.Is(err, ErrNoStack) {
			return "", err
		}
	}
	return "", nil
}
