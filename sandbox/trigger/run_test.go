package trigger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/schedule"
	"gatewright/sandbox/trigger"
)

// running is Run under the clock of synctest, which starts on January 1, 2000, at 00:00.
type running struct {
	changed chan struct{}
	mu      sync.Mutex
	entries []trigger.Entry
	fired   []string
}

func start(t *testing.T, entries ...trigger.Entry) *running {
	t.Helper()
	r := &running{changed: make(chan struct{}), entries: entries}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		trigger.Run(ctx, func() []trigger.Entry {
			r.mu.Lock()
			defer r.mu.Unlock()
			return slices.Clone(r.entries)
		}, r.changed, func(e trigger.Entry, at time.Time) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.fired = append(r.fired, fmt.Sprintf("%s %s", e.Function, at.Format("02 15:04:05")))
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	synctest.Wait()
	return r
}

// change replaces the entries.
func (r *running) change(entries ...trigger.Entry) {
	r.mu.Lock()
	r.entries = entries
	r.mu.Unlock()
	r.changed <- struct{}{}
	synctest.Wait()
}

// after is what fired within a wait.
func (r *running) after(wait time.Duration) []string {
	time.Sleep(wait)
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	fired := r.fired
	r.fired = nil
	slices.Sort(fired)
	return fired
}

func (r *running) wants(t *testing.T, wait time.Duration, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, r.after(wait)); diff != "" {
		t.Error(diff)
	}
}

func entry(t *testing.T, function, expression string) trigger.Entry {
	t.Helper()
	s, err := schedule.Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	return trigger.Entry{Environment: "dev", Function: function, Schedule: s}
}

func TestEntriesFireWhenTheirTimesCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := start(t, entry(t, "noon", "cron(0 12 * * ? *)"), entry(t, "often", "rate(5 hours)"), entry(t, "never", "cron(0 0 31 2 ? *)"))
		r.wants(t, 5*time.Hour-time.Second)
		r.wants(t, time.Second, "often 01 05:00:00")
		r.wants(t, 7*time.Hour, "noon 01 12:00:00", "often 01 10:00:00")
		r.wants(t, 24*time.Hour, "noon 02 12:00:00", "often 01 15:00:00", "often 01 20:00:00", "often 02 01:00:00", "often 02 06:00:00", "often 02 11:00:00")
	})
}

func TestARateCountsFromItsStartAndAChangeOfOthersDoesNotMoveIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		often := entry(t, "often", "rate(10 minutes)")
		r := start(t)
		r.wants(t, 3*time.Minute+20*time.Second)
		r.change(often)
		r.wants(t, 6*time.Minute)
		r.change(often, entry(t, "other", "rate(1 minute)"))
		r.wants(t, 5*time.Minute, "often 01 00:13:20", "other 01 00:10:20", "other 01 00:11:20", "other 01 00:12:20", "other 01 00:13:20", "other 01 00:14:20")
		r.change(entry(t, "often", "rate(2 minutes)"))
		r.wants(t, 3*time.Minute, "often 01 00:16:20")
		r.change()
		r.wants(t, time.Hour)
		r.change(often)
		r.wants(t, 10*time.Minute-time.Second)
		r.wants(t, time.Second, "often 01 01:27:20")
	})
}

func TestASlowCallDelaysNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		entries := []trigger.Entry{entry(t, "slow", "rate(1 minute)")}
		var mu sync.Mutex
		calls, ended := 0, make(chan struct{})
		go func() {
			defer close(ended)
			changed := make(chan struct{})
			close(changed)
			trigger.Run(ctx, func() []trigger.Entry { return entries }, changed, func(trigger.Entry, time.Time) {
				mu.Lock()
				calls++
				mu.Unlock()
				<-ctx.Done()
			})
		}()
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		mu.Lock()
		if calls != 3 {
			t.Errorf("the slow function was called %d times, want 3", calls)
		}
		mu.Unlock()
		cancel()
		<-ended
	})
}

func TestTheEventIsThatOfEventBridge(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 11, 21, 13, 5, 0, 0, time.FixedZone("", 3600))
	var got, want map[string]any
	text := trigger.Event("dev", "items", "eu-west-1", "123456789012", when)
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	const cloud = `{"version": "0", "id": "", "detail-type": "Scheduled Event", "source": "aws.events", "account": "123456789012",
		"time": "2026-11-21T12:05:00Z", "region": "eu-west-1", "resources": ["arn:aws:events:eu-west-1:123456789012:rule/items-dev"], "detail": {}}`
	if err := json.Unmarshal([]byte(cloud), &want); err != nil {
		t.Fatal(err)
	}
	id, _ := got["id"].(string)
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("the id %q is not a random UUID", id)
	}
	got["id"] = ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if string(text) == string(trigger.Event("dev", "items", "eu-west-1", "123456789012", when)) {
		t.Error("two events have the same id")
	}
}
