package logs_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/logs"
	"gatewright/test/await"
)

// next is the next line.
func next(t *testing.T, lines <-chan logs.Line) logs.Line {
	t.Helper()
	return await.Next(t, "the next line", lines)
}

func TestFollowSendsNewLinesThatMatchTheQuery(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, logs.Small{})
	s.Append(line(0))
	following := s.Follow(t.Context(), logs.Query{Function: "items", Last: 5})
	s.Append(line(1))
	s.Append(logs.Line{Environment: "dev", Function: "users", Text: "another"})
	s.Append(line(2))
	for n := 1; n <= 2; n++ {
		if got := next(t, following); got != line(n) {
			t.Errorf("%+v comes, want %+v", got, line(n))
		}
	}
}

func TestFollowEndsWithItsContextAndWithTheStore(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, logs.Small{})
	ctx, cancel := context.WithCancel(t.Context())
	first, second := s.Follow(ctx, logs.Query{}), s.Follow(t.Context(), logs.Query{})
	cancel()
	for range first {
		t.Error("a line comes though none was appended")
	}
	s.Append(line(0))
	must(t, s.Close())
	if got := next(t, second); got != line(0) {
		t.Errorf("%+v comes", got)
	}
	for range second {
		t.Error("a second line comes")
	}
	for range s.Follow(t.Context(), logs.Query{}) {
		t.Error("a line comes after the end")
	}
}

func TestASlowReaderIsToldHowManyLinesItLost(t *testing.T) {
	t.Parallel()
	const room, all = 10, 1000
	s, _ := openStore(t, logs.Small{Follow: room})
	following := s.Follow(t.Context(), logs.Query{Environment: "dev"})
	for n := range all {
		s.Append(line(n))
	}
	got, lost := 0, 0
	for got+lost < all {
		l := next(t, following)
		if l.Level == logs.Platform {
			var n int
			if _, err := fmt.Sscanf(l.Text, "%d lines are left out here", &n); err != nil {
				t.Fatalf("%v: %q", err, l.Text)
			}
			lost += n
			continue
		}
		if l.Text != line(got+lost).Text {
			t.Fatalf("%q comes after %d lines and %d lost ones", l.Text, got, lost)
		}
		got++
	}
	if lost == 0 || got < room {
		t.Errorf("%d lines came, %d were lost", got, lost)
	}
	s.Append(line(all))
	if l := next(t, following); l != line(all) {
		t.Errorf("then %+v comes", l)
	}
}

func TestReadAndFollowGivesEachLineOnce(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	s.Append(line(0))
	s.Append(line(1))
	must(t, s.Close())
	s = reopenStore(t, folder, logs.Small{})
	const all = 2000
	written := make(chan struct{})
	go func() {
		defer close(written)
		for n := 2; n < all; n++ {
			s.Append(line(n))
		}
	}()
	for range 5 {
		before, following := s.ReadAndFollow(t.Context(), logs.Query{})
		got := texts(before)
		for len(got) < all {
			got = append(got, next(t, following).Text)
		}
		if diff := cmp.Diff(lineTexts(0, all), got); diff != "" {
			t.Fatal(diff)
		}
	}
	<-written
	if last, _ := s.ReadAndFollow(t.Context(), logs.Query{Last: 2}); cmp.Diff(lineTexts(all-2, all), texts(last)) != "" {
		t.Errorf("the last two are %q", texts(last))
	}
}

func TestWhatMemoryLacksIsReadFromDiskBeforeFollowing(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{Lines: 20})
	for n := range 100 {
		s.Append(line(n))
	}
	must(t, s.Close())
	s = reopenStore(t, folder, logs.Small{Lines: 20, Follow: 10000})
	const end = 3000
	go func() {
		for n := 100; n < end; n++ {
			s.Append(line(n))
		}
	}()
	for range 20 {
		before, following := s.ReadAndFollow(t.Context(), logs.Query{Environment: "dev", Function: "items"})
		got := texts(before)
		for len(got) < end {
			got = append(got, next(t, following).Text)
		}
		if diff := cmp.Diff(lineTexts(0, end), got); diff != "" {
			t.Fatalf("with %d lines read and the rest followed: %s", len(before), diff)
		}
	}
	before, _ := s.ReadAndFollow(t.Context(), logs.Query{Last: 70})
	if diff := cmp.Diff(lineTexts(end-70, end), texts(before)); diff != "" {
		t.Errorf("of the last 70: %s", diff)
	}
	before, _ = s.ReadAndFollow(t.Context(), logs.Query{Request: "request-7"})
	if diff := cmp.Diff(lineTexts(21, 24), texts(before)); diff != "" {
		t.Errorf("of a request: %s", diff)
	}
}
