package aws

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/network"
	"gatewright/internal/text/phrase"
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
		&model.Problem{Text: "AWS Lambda does not complete the change", Fix: "check the function in the Lambda console"})
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
				Fix:  "fix it and push again",
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

// atOnce calls do for the numbers below n, a few at once, until one fails. Its error is the first one.
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

// marked lists the functions that hot pushes gave code since the last push.
func (c *session) marked(ctx context.Context, stack string) ([]string, error) {
	folder := hotFolder(stack)
	names, err := c.bucket.List(ctx, folder)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], folder)
	}
	return names, err
}

// forgetHot removes what hot pushes left about a stack.
func (c *session) forgetHot(ctx context.Context, stack string) error {
	keys, err := c.bucket.List(ctx, hotFolder(stack))
	for _, key := range keys {
		// The error is one line: the first.
		err = cmp.Or(err, c.bucket.Delete(ctx, key))
	}
	return err
}

// findHot finds the functions that have the code of a hot push, and would keep it: their
// archive is the one that the stack has already, so that no update changes it.
func (d *difference) findHot(ctx context.Context, changes []stack.Change) (hot []Change, err error) {
	if d.First() {
		return nil, nil
	}
	names, err := d.cloud.marked(ctx, d.Stack)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	reached, err := d.reach(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		of := model.Ref{Kind: model.KindFunction, Name: name}
		if slices.ContainsFunc(changes,
			func(c stack.Change) bool { return d.words.of[c.Logical] == of && c.Type == functionType }) {
			continue
		}
		deployed, err := d.otherCode(ctx, reached, name)
		if err != nil {
			return nil, err
		}
		if deployed != "" {
			hot = append(hot,
				Change{Kind: contract.Updated, Of: of, Name: "the code of " + of.String() + ", which a hot push changed"})
		}
	}
	return hot, nil
}

// otherCode returns the name of a deployed function if it has other code than this push brings. One
// that is not deployed, or that the push does not bring, has not.
func (d *difference) otherCode(ctx context.Context, reached *Reached, name string) (string, error) {
	key := d.keys[name]
	deployed, err := reached.Function(name)
	if err != nil || key == "" {
		return "", nil
	}
	state, err := d.cloud.codeOf(ctx, deployed)
	if err != nil || state.CodeSha256 == keyHash(key) {
		return "", err
	}
	return deployed, nil
}

// converge gives the functions that hot pushes gave code the code of this push. After a first
// push it forgets those of an earlier stack of the name.
func (d *difference) converge(ctx context.Context) error {
	if d.first {
		return d.cloud.forgetHot(ctx, d.Stack)
	}
	names, err := d.cloud.marked(ctx, d.Stack)
	if err != nil || len(names) == 0 {
		return err
	}
	reached, err := d.reach(ctx)
	if err != nil {
		return err
	}
	return atOnce(ctx, len(names), func(ctx context.Context, i int) error {
		deployed, err := d.otherCode(ctx, reached, names[i])
		if err == nil && deployed != "" {
			err = d.cloud.swap(ctx, deployed, d.keys[names[i]])
		}
		if err != nil {
			return fmt.Errorf("function %s: %w", phrase.Quote(names[i]), err)
		}
		return d.cloud.bucket.Delete(ctx, hotKey(d.Stack, names[i]))
	})
}
