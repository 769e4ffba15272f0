package network

import (
	"context"
	"math/rand/v2"
	"time"
)

// Pause waits, at most until ctx ends. The error is the cause of that end.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Varied is a pause that is up to a quarter longer, so that programs that began together do not
// ask together.
func Varied(d time.Duration) time.Duration { return d + rand.N(d/4+1) }
