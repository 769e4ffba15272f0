package traffic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/sandbox/traffic"
	"gatewright/test/await"
	"gatewright/test/depth"
)

var begun = time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC)

func call(function string, at time.Time, took time.Duration, status int) traffic.Detail {
	return traffic.Detail{Call: traffic.Call{
		Time: at, Kind: traffic.Request, Environment: "dev", API: "shop", Path: "/" + function, Function: function,
		Status: status, Failed: status >= 500, Took: took, Ran: took / 2,
	}}
}

func TestTheLastCallsAreKeptInTheirOrder(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	const more = 250
	for range traffic.MostCalls + more {
		s.Add(call("books", begun, time.Millisecond, 200))
	}
	calls := s.Calls(traffic.Query{})
	if len(calls) != traffic.MostCalls || calls[0].Number != more+1 || calls[len(calls)-1].Number != traffic.MostCalls+more {
		t.Fatalf("%d calls from %d to %d are kept", len(calls), calls[0].Number, calls[len(calls)-1].Number)
	}
	for i, c := range calls {
		if c.Number != calls[0].Number+uint64(i) {
			t.Fatalf("call %d is at place %d", c.Number, i)
		}
	}
	if got := s.Calls(traffic.Query{After: traffic.MostCalls + more - 3, Last: 2}); len(got) != 2 || got[1].Number != traffic.MostCalls+more {
		t.Errorf("the last two after the third last are %v", got)
	}
	for number, kept := range map[uint64]bool{0: false, more: false, more + 1: true, traffic.MostCalls + more: true, traffic.MostCalls + more + 1: false} {
		if d, ok := s.Detail(number); ok != kept || ok && d.Number != number {
			t.Errorf("call %d: kept is %v, want %v; its number is %d", number, ok, kept, d.Number)
		}
	}
	if report := s.Report(traffic.All, begun); report.Whole[0].Calls != traffic.MostCalls+more {
		t.Errorf("%d calls are counted", report.Whole[0].Calls)
	}
}

func TestCallsAreSelectedByTheirEnvironment(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	for _, environment := range []string{"dev", "qa", "", "dev"} {
		d := call("books", begun, 0, 200)
		d.Environment = environment
		s.Add(d)
	}
	var numbers []uint64
	for _, c := range s.Calls(traffic.Query{Environment: "dev", Last: 2}) {
		numbers = append(numbers, c.Number)
	}
	if !slices.Equal(numbers, []uint64{3, 4}) {
		t.Errorf("the last two of dev, with those of no environment, are %v", numbers)
	}
}

func TestDetailsTakeAtMostTheirShareOfMemory(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	const n, size, most = 3000, 64 << 10, 64 << 20
	for range n {
		d := call("books", begun, 0, 200)
		d.AnswerBody = strings.Repeat("x", size)
		s.Add(d)
	}
	kept := 0
	for number := uint64(1); number <= n; number++ {
		d, ok := s.Detail(number)
		if !ok || d.Function != "books" {
			t.Fatalf("call %d is not kept", number)
		}
		if d.Gone == (d.AnswerBody != "") {
			t.Fatalf("call %d: gone is %v, with %d bytes", number, d.Gone, len(d.AnswerBody))
		}
		if !d.Gone {
			kept++
		} else if kept > 0 {
			t.Fatalf("the detail of call %d is gone, of an earlier one it is not", number)
		}
	}
	if kept*size > most || (kept+2)*size < most {
		t.Errorf("%d details of %d bytes are kept", kept, size)
	}
	if report := s.Report(traffic.All, begun); report.Bytes < kept*size || report.Bytes > most+n*1000 || report.Kept != n {
		t.Errorf("the report says %d calls and %d bytes", report.Kept, report.Bytes)
	}
}

// What is kept of old details is counted as long as their calls are there, and no longer.
func TestTheBytesOfDetailsAreThoseOfTheCallsThatAreKept(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	held := func() int { return s.Report(traffic.All, begun).Bytes }
	bare := func(n int) int {
		other := traffic.New(begun)
		for range n {
			other.Add(call("books", begun, 0, 200))
		}
		return other.Report(traffic.All, begun).Bytes
	}
	d := call("books", begun, 0, 200)
	d.Headers, d.AnswerHeaders = []traffic.Header{{"A", "1234"}}, []traffic.Header{{"B", "12"}, {"C", "1"}}
	d.Event, d.Result, d.AnswerBody, d.Left = "event", "result", "body", []string{"left"}
	s.Add(d)
	if got, want := held()-bare(1), (1+4+32)+(1+2+32)+(1+1+32)+5+6+4+(4+16); got != want {
		t.Errorf("a detail has %d bytes, want %d", got, want)
	}
	for range traffic.MostCalls {
		s.Add(call("books", begun, 0, 200))
	}
	if got, want := held(), bare(traffic.MostCalls); got != want {
		t.Errorf("after it is gone %d bytes are held, want %d", got, want)
	}
}

func TestAFollowerGetsEveryCallOnce(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	s.Add(call("before", begun, 0, 200))
	const n = 2000
	var got []uint64
	followed := make(chan error)
	go func() {
		followed <- s.Follow(context.Background(), traffic.Query{}, func(calls []traffic.Call) error {
			for _, c := range calls {
				got = append(got, c.Number)
			}
			return nil
		})
	}()
	var adding sync.WaitGroup
	for range 4 {
		adding.Go(func() {
			for range n / 4 {
				s.Add(call("books", begun, 0, 200))
			}
		})
	}
	adding.Wait()
	s.Close()
	if err := <-followed; err != nil {
		t.Fatal(err)
	}
	if len(got) != n+1 || got[0] != 1 || !slices.IsSorted(got) || got[n] != n+1 {
		t.Errorf("%d calls came, want %d", len(got), n+1)
	}
}

// Each call that comes while a follower takes the one before it wakes the follower too.
func TestAFollowerMissesNoCallThatComesWhileItTakesAnother(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	came := make(chan uint64, 10)
	go func() {
		_ = s.Follow(t.Context(), traffic.Query{}, func(calls []traffic.Call) error {
			for _, c := range calls {
				came <- c.Number
			}
			return nil
		})
	}()
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit(t))
	defer cancel()
	for n := range depth.Rounds(20_000, 500_000, 500_000) {
		const pair = 2
		for range pair {
			s.Add(call("books", begun, 0, 200))
			for range n % 9 {
				runtime.Gosched()
			}
		}
		for range pair {
			select {
			case <-came:
			case <-ctx.Done():
				t.Fatalf("a call of pair %d did not come", n)
			}
		}
	}
}

func TestAFollowerEndsWithItsContextOrItsOwnError(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Follow(ctx, traffic.Query{}, func([]traffic.Call) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	full := errors.New("full")
	if err := s.Follow(t.Context(), traffic.Query{}, func([]traffic.Call) error { return full }); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}

// TestReportsCountWhatWasAdded compares reports with an independent count, at moments between
// random calls.
func TestReportsCountWhatWasAdded(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s := traffic.New(begun)
	var all []traffic.Call
	now := begun
	for range 400 {
		now = now.Add(time.Duration(random.IntN(40)) * time.Second)
		for range random.IntN(12) {
			function := []string{"books", "orders", "health"}[random.IntN(3)]
			took := time.Duration(random.ExpFloat64() * 40 * float64(time.Millisecond))
			d := call(function, now.Add(-took), took, []int{200, 200, 200, 404, 500, 502}[random.IntN(6)])
			if random.IntN(8) == 0 {
				d.Function, d.Status, d.Failed, d.Ran = "", 403, false, 0
			}
			s.Add(d)
			all = append(all, d.Call)
		}
		if random.IntN(10) > 0 {
			continue
		}
		for _, w := range []traffic.Window{traffic.FiveMinutes, traffic.Hour, traffic.All} {
			r := s.Report(w, now)
			compare(t, w, r.Functions, all, r.From, func(c traffic.Call) (string, time.Duration) { return c.Function, c.Ran })
			compare(t, w, r.Paths, all, r.From, func(c traffic.Call) (string, time.Duration) { return c.Path, c.Took })
			compare(t, w, r.Whole, all, r.From, func(c traffic.Call) (string, time.Duration) { return "dev", c.Took })
			if age := now.Sub(r.From); w == traffic.FiveMinutes && age > 5*time.Minute || w == traffic.Hour && age > time.Hour {
				t.Fatalf("%s begins %v ago", w, age)
			}
		}
	}
}

func compare(t *testing.T, w traffic.Window, got []traffic.Counts, all []traffic.Call, from time.Time, of func(traffic.Call) (string, time.Duration)) {
	t.Helper()
	type sum struct {
		calls, failed, refused int
		took                   []time.Duration
		last, lastFailed       time.Time
	}
	want := map[string]*sum{}
	for _, c := range all {
		name, took := of(c)
		end := c.Time.Add(c.Took)
		if name == "" || end.Before(from) {
			continue
		}
		if want[name] == nil {
			want[name] = new(sum)
		}
		s := want[name]
		s.calls++
		s.took = append(s.took, took)
		if c.Status >= 500 {
			s.failed++
			if end.After(s.lastFailed) {
				s.lastFailed = end
			}
		}
		if c.Status == 403 && c.Function == "" {
			s.refused++
		}
		if end.After(s.last) {
			s.last = end
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d subjects are counted, want %d", w, len(got), len(want))
	}
	for _, c := range got {
		name := c.Function + c.Path
		if name == "" {
			name = c.Environment
		}
		s := want[name]
		if s == nil || c.Calls != s.calls || c.Failed != s.failed || c.Refused != s.refused || !c.Last.Equal(s.last) || w == traffic.All && !c.LastFailed.Equal(s.lastFailed) {
			t.Fatalf("%s: of %s it counts %+v, want %+v", w, name, c, s)
		}
		slices.Sort(s.took)
		for percent, is := range map[int]time.Duration{50: c.P50, 95: c.P95, 100: c.Most} {
			exact := s.took[(len(s.took)*percent+99)/100-1]
			if off := max(is-exact, exact-is); off > exact/32+time.Microsecond {
				t.Fatalf("%s: percentile %d of %s is %v, want %v", w, percent, name, is, exact)
			}
		}
		calls, failed := 0, 0
		for i, step := range c.Spread() {
			if step.At != i {
				t.Fatalf("step %d says that it is %d", i, step.At)
			}
			calls, failed = calls+step.Calls, failed+step.Failed
		}
		if w != traffic.All && (calls != c.Calls || failed != c.Failed) {
			t.Fatalf("%s: the steps of %s have %d calls and %d failed of %+v", w, name, calls, failed, c)
		}
	}
}

func TestOnlyCallsThatWereAddedHaveADetail(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	s.Add(call("books", begun, 0, 200))
	for _, number := range []uint64{0, 2} {
		if d, kept := s.Detail(number); kept {
			t.Errorf("there is no call %d: %+v", number, d)
		}
	}
}

func TestACallAfterTheEndIsDropped(t *testing.T) {
	t.Parallel()
	s := traffic.New(begun)
	s.Close()
	s.Add(call("books", begun, 0, 200))
	if calls := s.Calls(traffic.Query{}); len(calls) != 0 {
		t.Errorf("it is kept: %+v", calls)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := traffic.New(begun)
	d := call("books", begun, time.Millisecond, 200)
	d.Event = strings.Repeat("x", 1500)
	b.ReportAllocs()
	for i := range b.N {
		d.Took = time.Duration(i%5000) * time.Microsecond
		s.Add(d)
	}
}

func BenchmarkReportOfTenThousandPaths(b *testing.B) {
	s := traffic.New(begun)
	for i := range 100_000 {
		d := call("books", begun.Add(time.Duration(i)*3*time.Millisecond), time.Duration(i%5000)*time.Microsecond, 200)
		d.Path = "/" + string(rune('a'+i%26)) + strings.Repeat("x", i%400)
		s.Add(d)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Report(traffic.FiveMinutes, begun.Add(5*time.Minute))
	}
}
