package phrase_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/test/depth"
)

func TestANameIsShownAsItWasTypedIfItIsPrintable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"items", "items"},
		{"/bücher/{größe}", "/bücher/{größe}"},
		{"名前", "名前"},
		{"🙂", "🙂"},
		{"❤️", "❤️"},
		{"two words", `"two words"`},
		{"a,b", `"a,b"`},
		{"a;b", `"a;b"`},
		{"", `""`},
		{`say "hi"`, `"say \"hi\""`},
		{`C:\shop`, `C:\shop`},
		{`a\b`, `a\b`},
		{`a\b "c"`, `"a\\b \"c\""`},
		{`C:\my shop`, `"C:\my shop"`},
		{"C:\\my\nshop", `"C:\\my\nshop"`},
		{"\x1b[2J", `"\x1b[2J"`},
		{"a\nb", `"a\nb"`},
		{"\u009b1m", `"\u009b1m"`},
		{"\u202egpj.exe", `"\u202egpj.exe"`},
		{"ad\u200dmin", `"ad\u200dmin"`},
		{"ad\u00admin", `"ad\u00admin"`},
		{"a\u00a0b", `"a\u00a0b"`},
		{"a\u3164ü", `"a\u3164\u00fc"`},
		{"\ufeffa", `"\ufeffa"`},
		{"a\xffb", `"a\xffb"`},
		{strings.Repeat("ü", 80), strings.Repeat("ü", 80)},
		{strings.Repeat("ü", 81), strings.Repeat("ü", 80) + "..."},
	}
	for _, test := range tests {
		if got := phrase.Quote(test.name); got != test.want {
			t.Errorf("%+q is shown as %s, want %s", test.name, got, test.want)
		}
		// Paths are shown in the same way, but for spaces and what parts a list, and whole.
		want := test.want
		if want == `"`+test.name+`"` || strings.HasSuffix(want, "...") {
			want = test.name
		}
		if got := phrase.QuotePath(test.name); got != want {
			t.Errorf("the path %+q is shown as %s, want %s", test.name, got, want)
		}
	}
}

func TestAQuotedNameIsPrintable(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r > 0x3000 && int(r%101) > depth.Rounds(0, 100, 100) {
			continue // of the many letters that are alike
		}
		// What asks for the picture of a sign is left to commands: screens draw the sign.
		if shown := phrase.Quote("a" + string(r)); prose.Printable(shown) != strings.TrimSuffix(shown, "\ufe0f") {
			t.Errorf("%U is shown as %q", r, shown)
		}
	}
}
