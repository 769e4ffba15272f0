package logs_test

import (
	"strings"
	"testing"
	"time"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

func TestALogInLinesHasTheToneOfEachSeverityAndIsSafeForTheScreen(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	lines := entry.InLines(
		logs.Line{Time: at, Level: logs.Error, Text: "first\n  second\x1b[31m\n"},
		logs.Line{Time: at, Level: logs.Warn, Text: "slow"},
		logs.Line{Time: at, Text: "plain"},
		logs.Line{Time: at},
		logs.Line{Time: at, Level: logs.Platform, Text: "START RequestId: 1"},
	)
	want := []prose.Line{
		{Tone: prose.Bad, Text: "12:00:00.000 ERROR first"},
		{Tone: prose.Bad, Text: "                     second␛[31m"},
		{Tone: prose.Warning, Text: "12:00:00.000 WARN  slow"},
		{Text: "12:00:00.000       plain"},
		{Text: "12:00:00.000"},
		{Tone: prose.Muted, Text: "12:00:00.000       START RequestId: 1"},
	}
	if len(lines) != len(want) {
		t.Fatalf("%q", prose.Texts(lines))
	}
	for i := range lines {
		if lines[i] != want[i] {
			t.Errorf("line %d is %+v, want %+v", i+1, lines[i], want[i])
		}
	}
	if long := entry.InLines(logs.Line{Text: strings.Repeat("x", 1<<20)}); len(long) != 1 || len(long[0].Text) > 8<<10 {
		t.Errorf("%d lines, the first with %d bytes", len(long), len(long[0].Text))
	}
}
