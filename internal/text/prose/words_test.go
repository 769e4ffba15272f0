package prose

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/test/await"
)

// marked puts brackets around the parts of a line.
func marked(line string, parts []Span) string {
	var b strings.Builder
	at := 0
	for _, part := range parts {
		b.WriteString(line[at:part.From] + "[" + line[part.From:part.To] + "]")
		at = part.To
	}
	return b.String() + line[at:]
}

func TestTheWordsThatChangedAreFound(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ old, now, wantOld, wantNow string }{
		{`"name": "Books"`, `"name": "Library"`, `"name": "[Books]"`, `"name": "[Library]"`},
		{`  }`, `  },`, `  }`, `  }[,]`},
		{"const a = 1;", "const a = get(1);", "const a = 1;", "const a = [get(]1[)];"},
		{"one two three four, end", "one 2 3 four, end", "one [two three] four, end", "one [2 3] four, end"},
		{"const x = größe", "const x = größen", "const x = [größe]", "const x = [größen]"},
		{"a(b)", "    a(b)", "a(b)", "[    ]a(b)"},
		{"same", "same", "same", "same"},
	} {
		removed, added, alike := ChangedWords(row.old, row.now)
		if !alike || marked(row.old, removed) != row.wantOld || marked(row.now, added) != row.wantNow {
			t.Errorf("alike %t: %s and %s, want %s and %s", alike, marked(row.old, removed), marked(row.now, added), row.wantOld, row.wantNow)
		}
	}
	for _, row := range []struct{ old, now string }{
		{`"a": 1`, `"b": 2`},
		{"}", "return a;"},
		{"", "a"},
		{"import os", "class Reader:"},
		{strings.Repeat("a", wordsLimit), "a"},
	} {
		if removed, added, alike := ChangedWords(row.old, row.now); alike || removed != nil || added != nil {
			t.Errorf("%q and %q are alike, with %v and %v", row.old, row.now, removed, added)
		}
	}
}

func TestWithoutTheWordsThatChangedTheLinesAreTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringMatching(`[ab1é名,(" ]{0,60}`), rapid.String())
		old, now := line.Draw(t, "old"), line.Draw(t, "now")
		removed, added, alike := ChangedWords(old, now)
		if alike && without(old, removed) != without(now, added) {
			t.Fatalf("%s and %s", marked(old, removed), marked(now, added))
		}
	})
}

// without is a line without some of its parts.
func without(line string, parts []Span) string {
	for i := len(parts) - 1; i >= 0; i-- {
		line = line[:parts[i].From] + line[parts[i].To:]
	}
	return line
}

func TestLongLinesAreComparedInABoundedTime(t *testing.T) {
	t.Parallel()
	old, now := strings.Repeat("a,b", wordsLimit/6), strings.Repeat("c b;", wordsLimit/8)
	start := time.Now()
	_, _, alike := ChangedWords(old, now)
	if took := time.Since(start); alike || took > await.Limit(t)/4 {
		t.Errorf("they are alike: %v, after %s", alike, took)
	}
}

func BenchmarkChangedWords(b *testing.B) {
	for b.Loop() {
		ChangedWords(`		return await documents().send(command, { wrapNumbers: true, limit: 100 });`, `		return await tables().send(command, { wrapNumbers: false, limit: 10 });`)
	}
}
