package logs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

// Two invocations of a function write at the same time: what is folded leads to the heading of
// its own, and a text goes on with that of its own.
func TestEntriesOfInvocationsThatRunAtOnceAreToldApart(t *testing.T) {
	t.Parallel()
	line := func(request string, level logs.Level, text string) logs.Line {
		return logs.Line{Request: request, Function: "f", Environment: "dev", Level: level, Text: text}
	}
	var g entry.Log
	g.Add(entry.Read([]logs.Line{
		line("", logs.Platform, "the worker started"),
		line("a", logs.Platform, "START RequestId: a Version: $LATEST"),
		line("b", logs.Platform, "START RequestId: b Version: $LATEST"),
		line("a", "", "Traceback (most recent call last):"),
		line("b", "", "{"),
		line("a", "", "  File \"a.py\", line 1, in f"),
		line("b", "", "  one: 1"),
		line("a", logs.Error, "it failed"),
		line("b", logs.Platform, "b Task timed out after 3.00 seconds"),
		line("b", logs.Platform, "END RequestId: b"),
		line("b", logs.Platform, "REPORT RequestId: b\tDuration: 1.00 ms\tMemory Size: 128 MB\tMax Memory Used: 4 MB"),
		line("a", logs.Platform, "END RequestId: a"),
		line("c", logs.Platform, "END RequestId: c"),
		line("c", logs.Platform, "REPORT RequestId: c\tDuration: 1.00 ms\tStatus: timeout"),
	}))
	var b strings.Builder
	kept, end := g.Kept()
	for n, e := range kept {
		var words []string
		for _, row := range []struct {
			word string
			is   bool
		}{{"heading", e.Heading()}, {"folded", e.Folded()}, {"quiet", e.Quiet()}, {"fails", e.Fails()}} {
			if row.is {
				words = append(words, row.word)
			}
		}
		fmt.Fprintf(&b, "%d by %d: %s %q| %.12s\n", n, g.Shown(n), strings.Join(words, " "), g.More(n), e.Text)
	}
	want := `0 by 0: quiet []| the worker s
1 by 1: heading quiet []| START Reques
2 by 2: heading quiet fails []| START Reques
3 by 3: fails ["  File \"a.py\", line 1, in f"]| Traceback (m
4 by 4:  ["  one: 1"]| {
5 by 3: folded []|   File "a.py
6 by 4: folded []|   one: 1
7 by 7: fails []| it failed
8 by 2: folded quiet []| b Task timed
9 by 2: folded quiet []| END RequestI
10 by 2: folded quiet []| REPORT Reque
11 by 1: folded quiet []| END RequestI
12 by 13: folded quiet []| END RequestI
13 by 13: heading quiet []| REPORT Reque
`
	if diff := cmp.Diff(want, b.String()); diff != "" || end != 14 {
		t.Errorf("%d entries (-want +got):\n%s", end, diff)
	}
	for n := range kept {
		if n == 2 {
			break // and nothing comes after it
		}
	}
}
