package network_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gatewright/internal/network"
)

func TestAPauseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := network.Pause(ctx, time.Hour); !errors.Is(err, why) {
		t.Errorf("it ends with %v", err)
	}
	if err := network.Pause(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestAVariedPauseIsUpToAQuarterLonger(t *testing.T) {
	t.Parallel()
	seen := make(map[time.Duration]bool)
	for range 1000 {
		d := network.Varied(time.Second)
		if d < time.Second || d > time.Second+time.Second/4 {
			t.Fatalf("it is %v", d)
		}
		seen[d] = true
	}
	if len(seen) < 2 {
		t.Error("it does not vary")
	}
}
