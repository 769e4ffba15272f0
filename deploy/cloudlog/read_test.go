package cloudlog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudlog"
	"gatewright/sandbox/logs"
)

func TestTheLogsOfSeveralFunctionsAreReadInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var want []string
	for n := range 40 {
		name := []string{"a", "b", "c"}[n%3]
		s.put(name, time.Duration(50-n)*time.Second, fmt.Sprint(n))
		want = append(want, fmt.Sprintf("%s %d", name, n))
	}
	s.put("a", 2*time.Hour, "too old")
	s.page = 3
	r := s.reader(t, "a", "b", "c")
	if got := read(t, r, hourAgo(r)); got != strings.Join(want, "; ") {
		t.Errorf("read is %s", got)
	}
	last := hourAgo(r)
	last.Last = 4
	if got := read(t, r, last); got != strings.Join(want[36:], "; ") {
		t.Errorf("the last four are %s", got)
	}
}

func TestAnEventOnTwoPagesIsReadOnceAndOneOnAWrongPageInItsOrder(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	event := func(id string, at int) map[string]any {
		return map[string]any{"eventId": id, "logStreamName": "s", "timestamp": at, "ingestionTime": at, "message": id}
	}
	pages := map[string]map[string]any{
		"":      {"events": []any{event("1", 1), event("3", 3)}, "nextToken": "two"},
		"two":   {"events": []any{event("2", 2), event("3", 3), event("5", 5)}, "nextToken": "three"},
		"three": {"events": []any{}, "nextToken": "four"},
		"four":  {"events": []any{event("4", 4), event("6", 6)}},
	}
	s.Serve("logs", func(call awstest.Request) (any, error) {
		var in asked
		err := call.Read(&in)
		return pages[in.Token], err
	})
	if got := read(t, s.reader(t, "f"), cloudlog.Query{}); got != "f 1; f 2; f 3; f 4; f 5; f 6" {
		t.Errorf("read is %s", got)
	}
}

func TestTheLinesOfARequestAreReadAlsoIfTheyDoNotNameIt(t *testing.T) {
	t.Parallel()
	const id, other = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11", "77aa0d3e-8a52-4c6e-9b07-2f7d1f0f6c12"
	s := newShelf(t)
	for i, text := range []string{"START RequestId: " + other, "printed for another", "REPORT RequestId: " + other, "START RequestId: " + id, "printed", "END RequestId: " + id, "REPORT RequestId: " + id, "START RequestId: " + other, "printed later"} {
		s.putIn("f", "one", time.Duration(100-i)*time.Second, text)
		s.putIn("f", "two", time.Duration(100-i)*time.Second, "in another stream")
	}
	s.put("g", time.Second, "START RequestId: "+other)
	r := s.reader(t, "f", "g")
	q := hourAgo(r)
	q.Request = id
	want := "f START RequestId: " + id + "; f printed; f END RequestId: " + id + "; f REPORT RequestId: " + id
	if got := read(t, r, q); got != want {
		t.Errorf("read is %s", got)
	}
	for _, call := range s.asked {
		if call.Pattern != `"`+id+`"` && len(call.Streams) != 1 {
			t.Errorf("all of a group was read: %+v", call)
		}
	}
}

func TestOnlyLinesOfTheRequestAreReadWhereItMeetsOthers(t *testing.T) {
	t.Parallel()
	const id, other = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11", "77aa0d3e-8a52-4c6e-9b07-2f7d1f0f6c12"
	s := newShelf(t)
	now := time.Now().Add(-time.Minute)
	// A worker ends one call and begins the next in the same millisecond.
	for i, text := range []string{"START RequestId: " + other, "REPORT RequestId: " + other, "START RequestId: " + id, "printed", "REPORT RequestId: " + id, "START RequestId: " + other} {
		s.add("f", "one", now.Add([]time.Duration{0, 1, 1, 2, 3, 3}[i]*time.Millisecond), text)
	}
	// Another worker has not ended it.
	s.add("f", "two", now.Add(5*time.Millisecond), "START RequestId: "+id)
	s.add("f", "two", now.Add(9*time.Millisecond), "still there")
	r := s.reader(t, "f")
	q := hourAgo(r)
	q.Request = id
	want := "f START RequestId: " + id + "; f printed; f REPORT RequestId: " + id + "; f START RequestId: " + id + "; f still there"
	if got := read(t, r, q); got != want {
		t.Errorf("read is %s\nwant %s", got, want)
	}
	q.Last = 2
	if got := read(t, r, q); got != "f START RequestId: "+id+"; f still there" {
		t.Errorf("the last two are %s", got)
	}
	own := errors.New("own")
	if err := r.Read(t.Context(), q, func(logs.Line) error { return own }); !errors.Is(err, own) {
		t.Errorf("it ends with %v", err)
	}
}

func TestALineHasItsPlaceAndTheWholeOfItsTime(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	at := time.Now().Add(-time.Minute).Truncate(time.Millisecond)
	s.add("f", "one", at, "[WARN]\t"+at.UTC().Format("2006-01-02T15:04:05.000Z")+"\tid\tlow")
	r := s.reader(t, "f")
	var got []logs.Line
	if err := r.Read(t.Context(), hourAgo(r), func(l logs.Line) error {
		got = append(got, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []logs.Line{{Time: at.UTC(), Environment: "prod", Function: "f", Request: "id", Level: logs.Warn, Text: "low"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAGroupThatIsNotThereIsToldOnceAndTheOthersAreRead(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("a", time.Second, "there")
	r := s.reader(t, "gone", "a")
	var told []string
	r.Tell = func(sentence string) { told = append(told, sentence) }
	if got := read(t, r, hourAgo(r)); got != "a there" {
		t.Errorf("read is %s", got)
	}
	want := []string{"gone has no log in environment prod: AWS has no log group gone (the function was never called, or the group was removed)"}
	if !slices.Equal(told, want) {
		t.Errorf("told is %q, want %q", told, want)
	}
}

func TestAWrongClockOfThisMachineLosesNoLine(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-50 * time.Minute, 50 * time.Minute} {
		s := newShelf(t)
		s.Skew(skew)
		for _, ago := range []time.Duration{59 * time.Minute, time.Second} {
			s.put("f", ago-skew, ago.String())
		}
		r := s.reader(t, "f")
		if got := read(t, r, hourAgo(r)); got != "f 59m0s; f 1s" {
			t.Errorf("with a clock that is %v wrong, read is %q", skew, got)
		}
	}
}

func TestARefusedCallIsToldInOneLine(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.put("f", time.Second, "x")
	s.Fail("FilterLogEvents", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: logs:FilterLogEvents on resource: arn:aws:logs:eu-central-1:123456789012:log-group:f", 1)
	r := s.reader(t, "f")
	err := r.Read(t.Context(), hourAgo(r), func(logs.Line) error { return nil })
	if err == nil || account.Passes(err) || !strings.Contains(err.Error(), "ann may not do logs:FilterLogEvents") {
		t.Errorf("it ends with %v", err)
	}
	own := errors.New("own")
	if err := r.Read(t.Context(), hourAgo(r), func(logs.Line) error { return own }); !errors.Is(err, own) {
		t.Errorf("it ends with %v", err)
	}
}
