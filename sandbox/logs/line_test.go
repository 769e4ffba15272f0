package logs_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"gatewright/internal/clock"
	"gatewright/sandbox/logs"
)

func TestALineForPeopleIsOneLine(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 11, 11, 12, 123999999, time.FixedZone("", 3600))
	tests := []struct {
		line logs.Line
		want string
	}{
		{logs.Line{Request: "r-1", Level: logs.Error, Text: "it failed"}, "r-1\tERROR\tit failed"},
		{logs.Line{Text: "plain"}, "-\t-\tplain"},
		{logs.Line{Text: "a\tb\nc\r\x1b[31m\x00\x7f"}, "-\t-\ta\tb\\nc\\r\\x1b[31m\\x00\\x7f"},
		{logs.Line{Text: "é 🙂 \u009b \u202e \u2028 \xff \ufffd <&> \\n"}, "-\t-\té 🙂 \\u009b \\u202e \\u2028 \\xff \ufffd <&> \\n"},
		{logs.Line{Request: "a\nb", Level: "\x1b", Text: ""}, "a\\nb\t\\x1b\t"},
	}
	for _, test := range tests {
		test.line.Time = at
		if got := test.line.String(); got != clock.Stamp(at)+"\t"+test.want {
			t.Errorf("it is %q, want %q", got, test.want)
		}
	}
}

func TestLinesHaveNoControlCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := logs.Line{Text: string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")}
		if at := strings.IndexFunc(l.String(), func(r rune) bool { return r != '\t' && unicode.IsControl(r) }); at >= 0 {
			t.Fatalf("%q has a control character at %d", l.String(), at)
		}
	})
}
