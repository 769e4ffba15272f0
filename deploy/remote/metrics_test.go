package remote

import (
	"testing"
	"time"
)

func TestMetricsAreAskedForInStepsThatAreStillKept(t *testing.T) {
	t.Parallel()
	now := time.Now()
	const day, minute, hour = 24 * time.Hour, 60, 3600
	for _, tt := range []struct {
		ago, span time.Duration
		fine      int
	}{
		{time.Hour, time.Hour, minute},
		{day - time.Hour, day - time.Hour, minute},
		{day + time.Hour, day + time.Hour, 5 * minute},
		{14*day - time.Hour, time.Hour, minute},
		{14*day + time.Hour, time.Hour, 5 * minute},
		{62*day - time.Hour, time.Hour, 5 * minute},
		{62*day + time.Hour, time.Hour, hour},
	} {
		since := now.Add(-tt.ago)
		until := since.Add(tt.span)
		q := newMetricQuery(since, until)
		step := time.Duration(q.fine) * time.Second
		if q.fine != tt.fine || q.since.After(since) || since.Sub(q.since) >= step || q.until.Before(until) || q.until.Sub(until) >= step || !q.since.Equal(q.since.Truncate(step)) {
			t.Errorf("%v ago, for %v: in steps of %d from %v to %v", tt.ago, tt.span, q.fine, q.since, q.until)
		}
	}
	for _, tt := range []struct{ since, until, fine, want int64 }{{0, 60, 60, 60}, {60, 120, 60, 60}, {60, 180, 60, 180}, {120, 240, 60, 120}, {300, 3900, 300, 3900}, {3540, 3660, 60, 420}} {
		if got := wholePeriod(tt.since, tt.until, tt.fine); int64(got) != tt.want {
			t.Errorf("from %d to %d in steps of %d it is %d, want %d", tt.since, tt.until, tt.fine, got, tt.want)
		}
	}
	q := &metricQuery{fine: 60, whole: 3600}
	for _, stat := range []string{"Sum", "p95"} {
		q.add("AWS/Lambda", "Duration", stat, []dimension{{"FunctionName", "f"}})
	}
	if q.queries[0].ID != "q0" || q.queries[0].Stat.Period != 60 || q.queries[1].ID != "q1" || q.queries[1].Stat.Period != 3600 {
		t.Errorf("the queries are %+v", q.queries)
	}
	q.values = [][]float64{{1, 2, 2.6}, {1.5, 4.25, 2}, nil}
	if q.count(0) != 6 || q.duration(1) != 4250*time.Microsecond || q.count(2) != 0 || q.duration(2) != 0 {
		t.Errorf("the counts are %d and %d, the times %v and %v", q.count(0), q.count(2), q.duration(1), q.duration(2))
	}
}
