package model

import (
	"strings"
	"testing"
)

func TestSemicolonsDivideAQueryAsAmpersandsDo(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                    "()",
		"a=1":                 "(a=1)",
		"a=1;b=2&c":           "(a=1);(b=2)&(c)",
		";a=1&&b=%3B%26;":     "();(a=1)&()&(b=%3B%26);()",
		"filter=x=y;limit=10": "(filter=x=y);(limit=10)",
	} {
		var got strings.Builder
		for part, divider := range QueryParts(query) {
			got.WriteString("(" + part + ")" + divider)
		}
		if got.String() != want {
			t.Errorf("%q has the parts %s, want %s", query, got.String(), want)
		}
	}
	for part := range QueryParts("a;b") {
		if part != "a" {
			t.Errorf("after a break comes %q", part)
		}
		break
	}
}
