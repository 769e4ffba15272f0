package aws

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"gatewright/deploy/account"
	"gatewright/internal/network"
	"gatewright/model"
)

// functionState is what Lambda says of a function
// (https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html).
type functionState struct {
	CodeSha256                                                   string
	State, StateReason, LastUpdateStatus, LastUpdateStatusReason string
}

// busy reports whether the function is being made or changed, during which it takes no other
// change (https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html).
func (s functionState) busy() bool { return s.State == "Pending" || s.LastUpdateStatus == "InProgress" }

func functionPath(name, what string) string {
	return "/2015-03-31/functions/" + url.PathEscape(name) + "/" + what
}

// codeOf asks what code a deployed function has.
func (c *session) codeOf(ctx context.Context, name string) (state functionState, err error) {
	err = c.Send(ctx, account.Functions,
		account.Call{
			Operation: "GetFunctionConfiguration", Method: http.MethodGet,
			Path: functionPath(name, "configuration"),
		}, &state)
	return state, err
}

// swap gives a deployed function the code of an archive in the bucket, and waits until it has it.
func (c *session) swap(ctx context.Context, name, key string) error {
	const usual, patience = 500 * time.Millisecond, 5 * time.Minute
	pace := cmp.Or(c.provider.Pace.Poll, usual)
	ctx, cancel := context.WithTimeoutCause(ctx, patience,
		&model.Problem{Text: "AWS Lambda does not finish the change", Fix: "see the function in its console"})
	defer cancel()
	for {
		call := account.Call{
			Operation: "UpdateFunctionCode", Method: http.MethodPut, Path: functionPath(name, "code"),
			Input: map[string]string{"S3Bucket": c.bucket.Name(), "S3Key": key},
		}
		err := c.Send(ctx, account.Functions, call, nil)
		if err == nil {
			break
		}
		// An earlier change goes on.
		if account.Code(err) != "ResourceConflictException" {
			return ended(ctx, err)
		}
		if err := network.Pause(ctx, pace); err != nil {
			return err
		}
	}
	for {
		state, err := c.codeOf(ctx, name)
		switch {
		case err != nil:
			return ended(ctx, err)
		case state.LastUpdateStatus == "Failed":
			return &model.Problem{
				Text: "AWS Lambda could not change its code: " + shortly(state.LastUpdateStatusReason),
				Fix:  "correct it and push again",
			}
		case !state.busy():
			return nil
		}
		if err := network.Pause(ctx, pace); err != nil {
			return err
		}
	}
}

// ended is the reason why ctx ended if it has, else err.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// atOnce calls do for the numbers below n, a few at once, until one fails. Its error is the
// first one.
func atOnce(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	// AWS Lambda takes 15 calls a second that change or describe functions
	// (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
	const few = 6
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(few)
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return do(ctx, i)
		})
	}
	return group.Wait()
}
