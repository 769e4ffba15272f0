package prose_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatewright/internal/text/prose"
)

func TestPrintableReplacesControlCharacters(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"/items/{id}", "/items/{id}"},
		{"naïve 名前 👩‍💻", "naïve 名前 👩‍💻"},
		{"\x1b[2J", "␛[2J"},
		{"a\nb\r", "a␊b␍"},
		{"\ta", "    a"},
		{"\x7f\u0085", "␡\ufffd"},
		{"\u202egpj.exe", "\ufffdgpj.exe"},
		{"a\xffb", "a\ufffdb"},
		{"a\u2028b", "a\ufffdb"},
		{"\u26a0\ufe0f low, \u2714\ufe0f done", "\u26a0 low, \u2714 done"},
	}
	for _, test := range tests {
		if got := prose.Printable(test.text); got != test.want {
			t.Errorf("Printable(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzPrintableHasNoControlCharacters(f *testing.F) {
	for _, seed := range []string{"", "a\tb", "\x1b]0;title\x07", "\xff\xfe", "\u202e", "\u009b31m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		safe := prose.Printable(text)
		if !utf8.ValidString(safe) || strings.ContainsFunc(safe, unicode.IsControl) {
			t.Errorf("Printable(%q) = %q", text, safe)
		}
		if again := prose.Printable(safe); again != safe {
			t.Errorf("Printable(%q) is %q once and %q twice", text, safe, again)
		}
	})
}

func TestWhetherATextWasCutIsSeen(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 4000)
	for text, want := range map[string]bool{prose.PrintableStart(long): true, prose.PrintableStart("x" + long): true, "short…": false, strings.Repeat("x", 4096): false} {
		if prose.IsStart(text) != want {
			t.Errorf("%.10s of %d bytes: %v", text, len(text), !want)
		}
	}
}
