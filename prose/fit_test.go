package prose_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatewright/prose"
)

func TestTextFromOutsideIsMadeFit(t *testing.T) {
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
	}
	for _, test := range tests {
		if got := prose.Printable(test.text); got != test.want {
			t.Errorf("Fit(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzFitHoldsNoControl(f *testing.F) {
	for _, seed := range []string{"", "a\tb", "\x1b]0;title\x07", "\xff\xfe", "\u202e", "\u009b31m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fit := prose.Printable(text)
		if !utf8.ValidString(fit) || strings.ContainsFunc(fit, unicode.IsControl) {
			t.Errorf("Fit(%q) = %q", text, fit)
		}
		if again := prose.Printable(fit); again != fit {
			t.Errorf("Fit(%q) is %q once and %q twice", text, fit, again)
		}
	})
}
