package frame

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnInboxKeepsTheLatestItemsAndThenEnds(t *testing.T) {
	t.Parallel()
	b := NewInbox[int](3)
	for n := range 5 {
		b.Put(n)
	}
	items, ended, _ := b.Take()
	if diff := cmp.Diff([]int{2, 3, 4}, items); diff != "" || ended {
		t.Errorf("it ended: %v; %s", ended, diff)
	}
	broke := errors.New("it broke")
	b.Put(5)
	b.End(broke)
	items, ended, err := b.Take()
	if diff := cmp.Diff([]int{5}, items); diff != "" || !ended || !errors.Is(err, broke) {
		t.Errorf("it ended: %v, with %v; %s", ended, err, diff)
	}
}

func TestPutIntoAnInboxNeverBlocks(t *testing.T) {
	t.Parallel()
	b := NewInbox[int](10)
	taken, all := 0, make(chan struct{})
	go func() {
		defer close(all)
		for ended := false; !ended; {
			var items []int
			items, ended, _ = b.Take()
			taken += len(items)
		}
	}()
	for n := range 100_000 {
		b.Put(n)
	}
	b.End(nil)
	<-all
	if taken == 0 || taken > 100_000 {
		t.Errorf("%d were taken", taken)
	}
}
