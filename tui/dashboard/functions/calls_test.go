package functions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
)

func TestADurationIsReadFromItsReport(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"REPORT RequestId: 4f1c\tDuration: 3.52 ms\tBilled Duration: 4 ms\tMemory Size: 128 MB":                           3520 * time.Microsecond,
		"REPORT RequestId: 4f1c\tInit Duration: 140.10 ms\tDuration: 12.00 ms\tBilled Duration: 12 ms\tMemory Size: 1 MB": 12 * time.Millisecond,
	} {
		if got, ok := reportDuration(text); got != want || !ok {
			t.Errorf("%q gives %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "START RequestId: 1", "REPORT", "REPORT RequestId: 1\tDuration: x ms", "REPORT RequestId: 1\tDuration: -3.00 ms", "REPORT RequestId: 1\tBilled Duration: 4 ms"} {
		if got, ok := reportDuration(text); ok {
			t.Errorf("%q gives %v", text, got)
		}
	}
}

func TestASparklineIsAsHighAsItsLongestCall(t *testing.T) {
	if got := sparkline([]time.Duration{0, 5, 10, 80, 40}); got != "▁▁▁█▄" {
		t.Errorf("it is %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.SliceOf(rapid.Map(rapid.Int64Min(0), func(n int64) time.Duration { return time.Duration(n) })).Draw(t, "durations")
		if got := []rune(sparkline(durations)); len(got) != len(durations) {
			t.Fatalf("%d calls have %d steps", len(durations), len(got))
		}
	})
}

// lineOf is a line of a function of dev, n seconds after the others.
func lineOf(n int, function, request string, level logs.Level, text string) logs.Line {
	return logs.Line{Time: time.Unix(1700000000+int64(n), 0), Environment: "dev", Function: function, Request: request, Level: level, Text: text}
}

func TestCallsAreCountedForEachFunctionAndFailuresOnce(t *testing.T) {
	all := callsIn([]logs.Line{
		lineOf(0, "f", "a", logs.Platform, "START RequestId: a"),
		lineOf(1, "f", "a", logs.Error, "first\n  second"),
		lineOf(2, "f", "a", logs.Error, "again"),
		lineOf(3, "f", "a", logs.Platform, "REPORT RequestId: a\tDuration: 8.00 ms"),
		lineOf(4, "g", "b", logs.Info, "\x1b[31mred"),
		lineOf(5, "g", "b", logs.Platform, "REPORT RequestId: b\tDuration: 2.00 ms"),
		lineOf(6, "f", "c", logs.Platform, "REPORT RequestId: c\tDuration: 1.00 ms"),
		lineOf(7, logs.Gateway, "c", logs.Warn, "GET /x 403: no"),
	})
	f, g := all[callKey{"dev", "f"}], all[callKey{"dev", "g"}]
	if len(all) != 2 || f == nil || g == nil {
		t.Fatalf("there are calls of %v", all)
	}
	if f.count != 2 || f.failed != 1 || g.count != 1 || g.failed != 0 {
		t.Errorf("f was called %d times and failed %d, g %d and %d", f.count, f.failed, g.count, g.failed)
	}
	if diff := cmp.Diff([]time.Duration{8 * time.Millisecond, time.Millisecond}, f.durations); diff != "" {
		t.Error(diff)
	}
	if tail := fmt.Sprint(g.tail); strings.Contains(tail, "\x1b") || !strings.Contains(tail, "red") {
		t.Errorf("the log of g is %q", tail)
	}
	var ends []string
	for _, entry := range f.tail {
		last := entry[len(entry)-1]
		ends = append(ends, strings.TrimSpace(last[len("15:04:05.000"):]))
	}
	if diff := cmp.Diff([]string{"second", "ERROR    again", "the call took 8.0 ms", "the call took 1.0 ms"}, ends); diff != "" {
		t.Errorf("the log of f is %q: %s", f.tail, diff)
	}
}
