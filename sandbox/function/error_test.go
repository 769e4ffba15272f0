package function

import (
	"strings"
	"testing"
)

func TestAnErrorQuotesOneLineOfAFunction(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "a\nb\tc\r\x1b[31m": "a b c  [31m", "del\x7fc1\u0085x": "del c1 x", "a\u2028b\u2029c": "a b c", "\u202eabc\u202a\u2066\u2069": " abc   ",
		"\u2027\u202f\u2065\u00a0": "\u2027\u202f\u2065\u00a0", "n\xffo": "n?o", "ü": "ü",
		strings.Repeat("ü", longestText):       strings.Repeat("ü", longestText),
		strings.Repeat("ü", longestText) + "x": strings.Repeat("ü", longestText) + "...",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
