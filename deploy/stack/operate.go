package stack

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

// ErrBusy is the error of an operation that cannot begin because another one goes on, or came in between.
var ErrBusy = errors.New("another operation of the stack came first")

// Execute begins to carry out a change set. The token makes it once, however often it is
// asked for, and all events of the operation have it.
func (c *Client) Execute(ctx context.Context, set *ChangeSet, token string) error {
	_, err := c.API.ExecuteChangeSet(ctx,
		&cloudformation.ExecuteChangeSetInput{ChangeSetName: &set.ARN, ClientRequestToken: &token})
	if code(err) == "InvalidChangeSetStatus" || code(err) == "ChangeSetNotFound" || isBusy(err) {
		// A lost answer looks alike: then the operation has the token.
		if o, found := c.Operation(ctx, set.StackARN); found == nil && o.Token == token {
			return nil
		}
		return fmt.Errorf("%w: %w", ErrBusy, c.explained(err))
	}
	return c.explained(err)
}

// isBusy reports whether the service refuses an update because of the state of the stack.
func isBusy(err error) bool {
	return code(err) == "ValidationError" && says(err, "state and can not be updated") ||
		code(err) == "OperationInProgressException"
}

// Delete begins to remove a stack.
func (c *Client) Delete(ctx context.Context, name, token string) error {
	in := &cloudformation.DeleteStackInput{StackName: &name}
	if token != "" {
		in.ClientRequestToken = &token
	}
	_, err := c.API.DeleteStack(ctx, in)
	return c.explained(err)
}

// Cancel cancels an update: the stack goes back to what it was. The token makes it once.
func (c *Client) Cancel(ctx context.Context, name, token string) error {
	_, err := c.API.CancelUpdateStack(ctx,
		&cloudformation.CancelUpdateStackInput{StackName: &name, ClientRequestToken: &token})
	return c.explained(err)
}

// ContinueRollback lets a stack go back to what it was, after that failed.
func (c *Client) ContinueRollback(ctx context.Context, name, token string) error {
	_, err := c.API.ContinueUpdateRollback(ctx,
		&cloudformation.ContinueUpdateRollbackInput{StackName: &name, ClientRequestToken: &token})
	return c.explained(err)
}

// Protect says whether a stack can be deleted.
func (c *Client) Protect(ctx context.Context, name string, protected bool) error {
	_, err := c.API.UpdateTerminationProtection(ctx,
		&cloudformation.UpdateTerminationProtectionInput{StackName: &name, EnableTerminationProtection: aws.Bool(protected)})
	return c.explained(err)
}

// SetPolicy sets the policy that says which resources an update may touch.
func (c *Client) SetPolicy(ctx context.Context, name, policy string) error {
	_, err := c.API.SetStackPolicy(ctx, &cloudformation.SetStackPolicyInput{StackName: &name, StackPolicyBody: &policy})
	return c.explained(err)
}
