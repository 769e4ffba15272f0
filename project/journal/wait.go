package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// WhenFree repeats try as long as another writer interferes, usually for milliseconds:
// while its error matches ErrLocked, a *StaleError or one of also, for at most two
// seconds or until ctx ends. It returns the last error of try.
func WhenFree(ctx context.Context, try func() error, also ...error) error {
	const patience, pause = 2 * time.Second, 20 * time.Millisecond
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
		case <-time.After(pause):
		}
	}
}
