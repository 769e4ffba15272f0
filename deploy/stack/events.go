package stack

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

// Event is a step of an operation: what happened to one resource, or to the stack itself.
type Event struct {
	ID string
	// Stack is the ARN of the stack, Nested says that it is a nested one.
	Stack                   string
	Nested                  bool
	Logical, Physical, Type string
	Status                  Status
	Reason, Token           string
	Time                    time.Time
}

// Own reports whether the event is about the stack itself.
func (e Event) Own() bool { return e.Type == stackType && e.Physical == e.Stack }

// Failed reports whether something failed by itself: not because something else failed.
func (e Event) Failed() bool {
	return strings.HasSuffix(string(e.Status), "_FAILED") && !isFollowing(e.Reason)
}

const stackType = "AWS::CloudFormation::Stack"

// isFollowing reports whether a resource failed only because another one did. The service
// says that in the reason alone.
func isFollowing(reason string) bool {
	reason = strings.ToLower(reason)
	return strings.Contains(reason, "cancelled") || strings.Contains(reason, "canceled") ||
		strings.HasPrefix(reason, "the following resource(s) failed to")
}

// Operation is what goes on with a stack, or went on last.
type Operation struct {
	// Token is the token that it was begun with; "" if it was begun elsewhere.
	Token string
	// Began is when it began.
	Began time.Time
	// before is the last event before it.
	before string
}

// Operation finds the last operation of a stack.
func (c *Client) Operation(ctx context.Context, name string) (Operation, error) {
	var (
		o     Operation
		ended bool
	)
	err := c.eachEvent(ctx, name, func(e Event) bool {
		if e.Own() {
			over := !e.Status.Busy()
			if over && ended {
				o.before = e.ID
				return false
			}
			if over && !o.Began.IsZero() {
				o.before = e.ID
				return false
			}
			ended = ended || over
		}
		o.Began = e.Time
		if e.Token != "" {
			o.Token = e.Token
		}
		return true
	})
	return o, err
}

// LastEvent returns the id of a stack's last event, "" if it has none.
func (c *Client) LastEvent(ctx context.Context, name string) (id string, err error) {
	err = c.eachEvent(ctx, name, func(e Event) bool {
		id = e.ID
		return false
	})
	return id, err
}

// eachEvent calls do with the events of a stack, the newest first, until it returns false.
func (c *Client) eachEvent(ctx context.Context, name string, do func(Event) bool) error {
	in := &cloudformation.DescribeStackEventsInput{StackName: &name}
	for {
		out, err := c.API.DescribeStackEvents(ctx, in)
		if isMissing(err) {
			return ErrNoStack
		}
		if err != nil {
			return c.explained(err)
		}
		for _, e := range out.StackEvents {
			if !do(Event{
				ID: aws.ToString(e.EventId), Stack: aws.ToString(e.StackId), Logical: aws.ToString(e.LogicalResourceId),
				Physical: aws.ToString(e.PhysicalResourceId), Type: aws.ToString(e.ResourceType), Status: Status(e.ResourceStatus),
				Reason: oneLine(aws.ToString(e.ResourceStatusReason)), Token: aws.ToString(e.ClientRequestToken),
				Time: aws.ToTime(e.Timestamp),
			}) {
				return nil
			}
		}
		if aws.ToString(out.NextToken) == "" {
			return nil
		}
		in.NextToken = out.NextToken
	}
}

// newer returns the events of a stack that came after one, the oldest first. Events before from are left out.
func (c *Client) newer(ctx context.Context, name, after string, from time.Time) ([]Event, error) {
	var events []Event
	err := c.eachEvent(ctx, name, func(e Event) bool {
		if e.ID == after || e.Time.Before(from) {
			return false
		}
		events = append(events, e)
		return true
	})
	slices.Reverse(events)
	return events, err
}
