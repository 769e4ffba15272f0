package function

import (
	"strings"
	"testing"
)

func TestAnIDThatIsSafeInAPathIsKept(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"a-Z09": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "": false, "a/b": false, "a b": false, "a\n": false, "ä": false, "a_b": false, "a{": false, "a@": false, "a[": false, "a`": false, "a:": false,
	} {
		if got := IsRequestID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}
