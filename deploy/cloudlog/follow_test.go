package cloudlog_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudlog"
	"gatewright/sandbox/logs"
)

// follow follows until n lines came, and then for some more calls.
func (s *shelf) follow(t *testing.T, r *cloudlog.Reader, q cloudlog.Query, n int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var texts []string
	before, done := s.before, 0
	s.before = func(call int) {
		before(call)
		if done > 0 && call > done+10 {
			cancel()
		}
	}
	err := r.Follow(ctx, q, func(l logs.Line) error {
		texts = append(texts, l.Function+" "+l.Text)
		if len(texts) == n {
			s.mu.Lock()
			done = len(s.asked)
			s.mu.Unlock()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("following ends with %v after %q", err, texts)
	}
	return strings.Join(texts, "; ")
}

func TestNewLinesAreFollowedOnceAndInOrderAlsoIfTheyComeLate(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.page = 2
	s.put("a", time.Minute, "old")
	now := time.Now()
	s.before = func(n int) {
		// In the round after an event, earlier ones of the same function and of another come.
		at := func(second int) time.Time { return now.Add(time.Duration(second) * time.Second) }
		switch n {
		case 3:
			s.add("a", "s1", at(3), "3")
		case 5:
			s.add("a", "s2", at(1), "1")
		case 6:
			s.add("b", "s1", at(2), "2")
		case 8:
			for n := range 5 {
				s.add("b", "s1", at(10+n), fmt.Sprint(10+n))
			}
		}
	}
	s.groups["b"] = nil
	r := s.reader(t, "a", "b")
	if got, want := s.follow(t, r, hourAgo(r), 9), "a old; a 1; b 2; a 3; b 10; b 11; b 12; b 13; b 14"; got != want {
		t.Errorf("followed is %s, want %s", got, want)
	}
}

func TestAFollowerAsksOnlyForWhatMayBeNew(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("f", 30*time.Minute, "old")
	s.before = func(n int) {
		if n == 3 {
			s.add("f", "s", time.Now(), "new")
		}
	}
	r := s.reader(t, "f")
	s.follow(t, r, hourAgo(r), 2)
	last := s.asked[len(s.asked)-1]
	if ago := time.Since(time.UnixMilli(last.Since)); ago > 5*time.Minute {
		t.Errorf("it asks for the last %v", ago)
	}
	if s.asked[0].Since > time.Now().Add(-59*time.Minute).UnixMilli() {
		t.Error("it did not ask for the last hour")
	}
}

func TestAFollowerOfManyFunctionsMakesOneCallForEachAndLeavesAGap(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var names []string
	for n := range 20 {
		name := fmt.Sprintf("f%d", n)
		s.put(name, time.Minute, "x")
		names = append(names, name)
	}
	r := s.reader(t, names...)
	r.Pace.Gap = 2 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	s.before = func(n int) {
		if n == 60 {
			cancel()
		}
	}
	_ = r.Follow(ctx, hourAgo(r), func(logs.Line) error { return nil })
	for n, call := range s.asked {
		if call.Group != names[n%20] {
			t.Fatalf("call %d asks for %s", n, call.Group)
		}
		if n > 0 && call.at.Sub(s.asked[n-1].at) < r.Pace.Gap {
			t.Errorf("call %d comes %v after the one before", n, call.at.Sub(s.asked[n-1].at))
		}
	}
}

func TestAFollowerGoesOnWhileItIsThrottledAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("f", time.Minute, "old")
	r := s.reader(t, "f")
	var told []string
	r.Tell = func(sentence string) { told = append(told, sentence) }
	s.Throttle("FilterLogEvents", 4)
	s.before = func(n int) {
		if n == 2 {
			s.add("f", "s", time.Now(), "new")
		}
	}
	if got := s.follow(t, r, hourAgo(r), 2); got != "f old; f new" {
		t.Errorf("followed is %s", got)
	}
	if len(told) != 1 || !strings.Contains(told[0], "none is lost") {
		t.Errorf("told is %q", told)
	}
}

func TestAFollowerWhoseCredentialsExpireSaysFromWhenLinesMayBeMissing(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("f", time.Minute, "old")
	s.put("g", 10*time.Second, "before")
	r := s.reader(t, "f", "g")
	s.ExpireTokensAfter(9)
	added := time.Now()
	s.before = func(n int) {
		switch n {
		case 5:
			s.add("g", "s", time.Now(), "last")
		case 8:
			added = time.Now()
			s.add("f", "s", added, "unread")
		}
	}
	var texts []string
	err := r.Follow(t.Context(), hourAgo(r), func(l logs.Line) error {
		texts = append(texts, l.Text)
		return nil
	})
	stopped, ok := errors.AsType[*cloudlog.Stopped](err)
	if !ok || !errors.Is(err, account.ErrCredentials) || !strings.Contains(err.Error(), "the credentials have expired") {
		t.Fatalf("it ends with %v", err)
	}
	if got := strings.Join(texts, "; "); !strings.HasPrefix(got, "old; before; last") {
		t.Errorf("followed is %s", got)
	}
	if stopped.Since.After(added) || stopped.Since.Before(added.Add(-5*time.Minute)) {
		t.Errorf("lines may be missing since %v, and one of %v is", stopped.Since, added)
	}
	// From there it goes on without a loss.
	s.NewTokens()
	if got := read(t, r, cloudlog.Query{Since: stopped.Since}); !strings.Contains(got, "unread") {
		t.Errorf("read from there is %s", got)
	}
}

func TestANetworkThatIsGoneForAWhileLosesNoLine(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("f", time.Minute, "old")
	r := s.reader(t, "f")
	calls := len(s.Calls())
	// Each question is asked three times.
	for n := range 5 {
		s.CutAt(calls+3+n, 1)
	}
	s.before = func(n int) {
		if n == 3 {
			s.add("f", "s", time.Now().Add(-time.Minute), "meanwhile")
		}
	}
	if got := s.follow(t, r, hourAgo(r), 2); got != "f old; f meanwhile" {
		t.Errorf("followed is %s", got)
	}
}

func TestTheLastLinesOfARequestAreFollowedThoughOthersCameAfterThem(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for i, text := range []string{
		"START RequestId: one Version: $LATEST", "first", "second", "END RequestId: one", "START RequestId: two Version: $LATEST", "other 1", "other 2", "other 3",
	} {
		s.put("f", time.Duration(20-i)*time.Minute, text)
	}
	r := s.reader(t, "f")
	q := hourAgo(r)
	q.Last, q.Request = 2, "one"
	if got, want := s.follow(t, r, q, 2), "f second; f END RequestId: one"; got != want {
		t.Errorf("followed is %s, want %s", got, want)
	}
}

func TestAGroupThatComesLaterIsAskedForRarelyAndThenFollowed(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("a", time.Minute, "old")
	r := s.reader(t, "a", "late")
	var told []string
	r.Tell = func(sentence string) { told = append(told, sentence) }
	asked := make(map[string]int)
	s.before = func(int) {
		last := s.asked[len(s.asked)-1].Group
		asked[last]++
		if last == "a" && asked["a"] == 40 {
			s.add("late", "s", time.Now(), "first")
		}
	}
	if got := s.follow(t, r, hourAgo(r), 2); got != "a old; late first" {
		t.Errorf("followed is %s", got)
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "late has no log in environment prod") || asked["a"] < 40 || asked["late"] > 20 {
		t.Errorf("told is %q, after %v calls", told, asked)
	}
}

func TestAFollowerWhoseLinesAreNotTakenEndsWithThatError(t *testing.T) {
	t.Parallel()
	own := errors.New("own")
	for _, ago := range []time.Duration{time.Minute, time.Second} {
		s := newShelf(t)
		s.put("f", ago, "x")
		s.put("f", ago, "y")
		r := s.reader(t, "f")
		used := 0
		err := r.Follow(t.Context(), hourAgo(r), func(logs.Line) error {
			used++
			return own
		})
		if err != own || used != 1 {
			t.Errorf("a line of %v ago: it ends with %v after %d", ago, err, used)
		}
	}
	s := newShelf(t)
	s.put("f", time.Second, "waits")
	s.Fail("FilterLogEvents", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: logs:FilterLogEvents", 1000)
	s.before = func(int) {}
	r := s.reader(t, "f")
	stopped, ok := errors.AsType[*cloudlog.Stopped](r.Follow(t.Context(), hourAgo(r), func(logs.Line) error { return nil }))
	if !ok || stopped.Error() != stopped.Err.Error() || !strings.Contains(stopped.Error(), "ann may not do logs:FilterLogEvents") {
		t.Errorf("it ends with %v", stopped)
	}
	// Nothing was read, so that all lines may be missing.
	if from := hourAgo(r).Since; stopped.Since.Sub(from).Abs() > time.Minute {
		t.Errorf("lines may be missing since %v, want %v", stopped.Since, from)
	}
}

func TestWhatWasReadBeforeANetworkWasGoneIsNotReadAgain(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.page = 2
	for n := range 5 {
		s.put("f", time.Duration(10-n)*time.Minute, fmt.Sprint(n))
	}
	r := s.reader(t, "f")
	calls := len(s.Calls())
	for n := range 3 {
		s.CutAt(calls+4+n, awstest.BeforeHandling)
	}
	if got := s.follow(t, r, hourAgo(r), 5); got != "f 0; f 1; f 2; f 3; f 4" {
		t.Errorf("followed is %s", got)
	}
}
