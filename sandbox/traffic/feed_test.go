package traffic_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/test/await"
)

// nothing is around the calls of a store without functions.
var nothing = traffic.Around{
	Open:      func() ([]traffic.Open, bool) { return nil, false },
	Functions: func() []traffic.FunctionState { return nil },
}

func TestAReaderThatIsFarBehindKnowsWhatItLostAndHasTheCounts(t *testing.T) {
	t.Parallel()
	s := traffic.New(time.Now())
	add := func(n, uses int) {
		for range n {
			f := &function.Flight{Began: time.Now(), Environment: "dev", Function: "books"}
			for i := range uses {
				f.Use(traffic.Use{Resource: "table/books", Operation: "GetItem", Failed: i%2 == 1, Why: "no"}, time.Now())
			}
			c := traffic.Call{Environment: "dev", Function: "books"}
			s.AddRefused(c, c.End(f), func(text string) string { return text })
		}
	}
	const before, later = 700, traffic.MostCalls + 300
	add(before, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var reads, last, calls, lost, counted, failed, idle atomic.Uint64
	proceed := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- s.Feed(ctx, 10, nothing, func(m traffic.Moment) error {
			if len(m.Calls) > 500 {
				t.Errorf("a moment has %d calls", len(m.Calls))
			}
			at := max(last.Load(), 10)
			for _, c := range m.Calls {
				lost.Add(c.Number - at - 1)
				calls.Add(1)
				at = c.Number
			}
			if at != m.Last || m.Calls == nil && m.Totals == nil && m.Open == nil && m.Functions == nil {
				idle.Add(1)
			}
			last.Store(at)
			for _, total := range m.Totals {
				counted.Store(uint64(total.Calls))
				failed.Store(uint64(total.Failed))
			}
			if reads.Add(1) == 2 {
				<-proceed
			}
			return nil
		})
	}()
	await.Until(t, "the calls before", func() bool { return reads.Load() == 2 })
	add(later, 3)
	for range 5 {
		s.AddLoose(traffic.LooseUse{Environment: "dev", Function: "books", Use: traffic.Use{Resource: "table/books", Operation: "GetItem"}})
	}
	close(proceed)
	await.Until(t, "all counts", func() bool { return last.Load() == before+later && counted.Load() == before+3*later+5 })
	if lost.Load() != later-traffic.MostCalls || calls.Load() != before-10+traffic.MostCalls || failed.Load() != later || idle.Load() > 0 {
		t.Errorf("%d calls, %d lost, %d uses failed, %d moments said nothing or where to go on wrongly", calls.Load(), lost.Load(), failed.Load(), idle.Load())
	}
	// Nothing is told while nothing happens.
	quiet := reads.Load()
	s.Stir()
	time.Sleep(100 * time.Millisecond)
	if reads.Load() != quiet {
		t.Error("a moment came in which nothing happened")
	}
	s.Close()
	if err := <-ended; err != nil {
		t.Errorf("the feed ended with %v", err)
	}
}

func TestNamesThatFunctionsMakeUpDoNotFillTheMemory(t *testing.T) {
	t.Parallel()
	s := traffic.New(time.Now())
	const names = 6000
	for i := range names {
		s.AddLoose(traffic.LooseUse{Function: "books", Use: traffic.Use{Resource: "table/" + strconv.Itoa(i), Operation: "GetItem"}})
	}
	uses, sum := s.Report(traffic.All, time.Now()).Uses, 0
	for _, u := range uses {
		sum += u.Calls
	}
	if sum != names || len(uses) > 5001 {
		t.Errorf("%d uses in %d counts", sum, len(uses))
	}
}
