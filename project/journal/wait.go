package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// WhenFree calls try again while another writer is in its way, which takes
// milliseconds: while its error is ErrLocked, a *StaleError or one of those also
// given, for two seconds or until ctx ends. It returns the last error of try.
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
