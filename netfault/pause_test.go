package netfault_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gatewright/pause"
)

func TestAPauseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := pause.For(ctx, time.Hour); !errors.Is(err, why) {
		t.Errorf("it ends with %v", err)
	}
	if err := pause.For(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestAVariedPauseIsUpToAQuarterLonger(t *testing.T) {
	t.Parallel()
	seen := make(map[time.Duration]bool)
	for range 1000 {
		d := pause.Varied(time.Second)
		if d < time.Second || d > time.Second+time.Second/4 {
			t.Fatalf("it is %v", d)
		}
		seen[d] = true
	}
	if len(seen) < 2 {
		t.Error("it does not vary")
	}
}
