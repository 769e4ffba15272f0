package board

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/sandbox/traffic"
)

// TestWhatIsToldIsCountedOnce gives calls in batches of any size, from the beginning or from the middle, with gaps and a new
// sandbox, and counts them on its own.
func TestWhatIsToldIsCountedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &Board{Followed: true, Snap: &Snapshot{Backend: &model.Backend{}, Env: &Environment{Environment: &model.Environment{Name: "dev"}}}}
		now := time.Now()
		number := uint64(rapid.IntRange(0, 3).Draw(t, "before"))
		first, gap := number+1, false
		var want Sum
		for range rapid.IntRange(1, 8).Draw(t, "batches") {
			var batch Batch
			if batch.Anew = rapid.IntRange(0, 9).Draw(t, "anew") == 0; batch.Anew {
				want, gap, number, first = Sum{}, false, 0, 1
			}
			for range rapid.IntRange(0, 60).Draw(t, "calls") {
				number++
				if rapid.IntRange(0, 99).Draw(t, "gap") == 0 && number > first {
					number++
					gap = true
				}
				c := traffic.Call{
					Number: number, Time: now, Kind: rapid.SampledFrom(traffic.Kinds).Draw(t, "kind"), Environment: rapid.SampledFrom([]string{"dev", "qa", ""}).Draw(t, "environment"),
					Status: rapid.SampledFrom([]int{200, 403, 502}).Draw(t, "status"),
				}
				c.Failed = c.Status >= 500
				batch.Calls = append(batch.Calls, c)
				if c.Environment == "qa" {
					continue
				}
				switch {
				case c.IsRequest():
					want.Requests++
				default:
					want.Others++
				}
				if c.Refused() {
					want.Refused++
				}
				if c.Failed {
					want.Failed++
				}
			}
			b.Told.Take(&batch, now)
		}
		if got := b.Told.Sum("dev"); got != want {
			t.Fatalf("it counts %+v, want %+v", got, want)
		}
		if b.Told.missed != gap {
			t.Fatalf("it says that calls are missing: %v, want %v", b.Told.missed, gap)
		}
	})
}
