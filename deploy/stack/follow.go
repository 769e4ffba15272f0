package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Follower follows an operation of a stack to its end.
type Follower struct {
	client *Client
	arn    string
	// after is the last event that was told, by stack.
	after map[string]string
	// going are the ARNs of nested stacks with which something goes on.
	going []string
	// began is the time of the operation's first event.
	began time.Time
	// Failures are the resources that failed by themselves, in order.
	Failures []Event
}

// Follow follows what goes on with a stack after one of its events; "" is its beginning.
func (c *Client) Follow(arn, after string) *Follower {
	return &Follower{client: c, arn: arn, after: map[string]string{arn: after}}
}

// FollowOperation follows an operation that was found.
func (c *Client) FollowOperation(arn string, o Operation) *Follower { return c.Follow(arn, o.before) }

// ErrLost is the error of a follower that the service did not answer for long. The operation goes on.
var ErrLost = errors.New("AWS did not respond for long")

// Wait follows the operation until it ends, and tells its events in order, each once. waiting,
// which may be nil, is called when the service does not answer and is asked again.
func (f *Follower) Wait(ctx context.Context, tell func(Event), waiting func(error)) (*Stack, error) {
	var silent time.Time
	for {
		s, err := f.look(ctx, tell)
		switch {
		case err == nil && s != nil:
			return s, nil
		case err == nil:
			silent = time.Time{}
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !passes(err):
			return nil, err
		case silent.IsZero():
			silent = time.Now()
			if waiting != nil {
				waiting(err)
			}
		case time.Since(silent) > f.client.patience():
			return nil, fmt.Errorf("%w: %w", ErrLost, err)
		}
		if err := f.client.wait(ctx); err != nil {
			return nil, err
		}
	}
}

func (c *Client) patience() time.Duration {
	if c.Pace.Patience == 0 {
		return usualPatience
	}
	return c.Pace.Patience
}

// passes reports whether an error may be gone at the next try: the service did not answer, or
// not now. What it answered otherwise stays.
func passes(err error) bool {
	switch code(err) {
	case "Throttling", "ThrottlingException", "RequestLimitExceeded", "ServiceUnavailable", "InternalFailure",
		"InternalError":
		return true
	case "":
		_, unsent := errors.AsType[*smithyhttp.RequestSendError](err)
		_, network := errors.AsType[net.Error](err)
		return unsent || network || errors.Is(err, io.ErrUnexpectedEOF)
	}
	return false
}

// Unanswered reports whether an error says that the service did not answer, so that it is not
// known whether it did what it was asked for.
func Unanswered(err error) bool {
	var canceled *aws.RequestCanceledError
	return code(err) == "" && passes(err) || errors.As(err, &canceled)
}

// look tells the new events, and returns the stack if the operation has ended.
func (f *Follower) look(ctx context.Context, tell func(Event)) (*Stack, error) {
	// The state comes first: an operation that has ended then has all its events.
	s, err := f.client.Describe(ctx, f.arn)
	if err != nil {
		return nil, err
	}
	if err := f.events(ctx, f.arn, tell); err != nil {
		return nil, err
	}
	nested := slices.Clone(f.going)
	if !s.Status.Busy() {
		// They remove what is gone after their own ends.
		nested = slices.DeleteFunc(slices.Sorted(maps.Keys(f.after)), func(arn string) bool { return arn == f.arn })
	}
	for _, nested := range nested {
		if err := f.nested(ctx, nested, tell); err != nil {
			return nil, err
		}
	}
	if s.Status.Busy() {
		return nil, nil
	}
	return s, nil
}

// events tells the new events of a stack and of its nested stacks.
func (f *Follower) events(ctx context.Context, arn string, tell func(Event)) error {
	events, err := f.client.newer(ctx, arn, f.after[arn], f.began)
	if err != nil {
		return err
	}
	for _, e := range events {
		e.Nested = arn != f.arn
		if f.began.IsZero() {
			f.began = e.Time
		}
		nested := e.Type == stackType && !e.Own() && e.Physical != ""
		if nested {
			// The stack's own events say more, and come before its end.
			if err := f.nested(ctx, e.Physical, tell); err != nil {
				return err
			}
			f.going = slices.DeleteFunc(f.going, func(arn string) bool { return arn == e.Physical })
			if e.Status.Busy() {
				f.going = append(f.going, e.Physical)
			}
		}
		// Only what was told is not told again: an error above may pass.
		f.after[arn] = e.ID
		if e.Failed() && !e.Own() && !nested {
			f.Failures = append(f.Failures, e)
		}
		// An event counts as told after those of its nested stack, which may have to be read again.
		f.after[arn] = e.ID
		if tell != nil {
			tell(e)
		}
	}
	return nil
}

// nested tells the new events of a nested stack, if it is there.
func (f *Follower) nested(ctx context.Context, arn string, tell func(Event)) error {
	if err := f.events(ctx, arn, tell); !errors.Is(err, ErrNoStack) {
		return err
	}
	return nil
}
