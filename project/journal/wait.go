package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// between is how long WhenFree waits between two tries on average. It varies, so that of many
// that wait each has its turn.
const between = 20 * time.Millisecond

// WhenFree repeats try as long as another writer interferes, usually for milliseconds:
// while its error matches ErrLocked, a *StaleError or one of also, for at most two
// seconds or until ctx ends. It returns the last error of try.
func WhenFree(ctx context.Context, try func() error, also ...error) error {
	return WhenFreeWithin(ctx, 2*time.Second, try, also...)
}

// WhenFreeWithin is [WhenFree] with another limit than two seconds.
func WhenFreeWithin(ctx context.Context, patience time.Duration, try func() error, also ...error) error {
	for start := time.Now(); ; {
		err := try()
		inTheWay := errors.Is(err, ErrLocked) || errors.As(err, new(*StaleError)) ||
			slices.ContainsFunc(also, func(other error) bool { return errors.Is(err, other) })
		if !inTheWay || time.Since(start) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (%w)", err, ctx.Err())
		case <-time.After(between/2 + rand.N(between)):
		}
	}
}
