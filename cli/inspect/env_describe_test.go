package inspect

import "testing"

func TestAValueThatHidesSomethingIsQuoted(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"": `""`, "two words": "two words", " a": `" a"`, "a\n": `"a\n"`, "a\x1b[2J": `"a\x1b[2J"`, "a\u200bb": `"a\u200bb"`, "a\u202eb": `"a\u202eb"`,
		"a\u00a0b": `"a\u00a0b"`, "a\xffb": `"a\xffb"`, `say "é"`: `say "é"`,
	} {
		if got := plainValue(value); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
}
