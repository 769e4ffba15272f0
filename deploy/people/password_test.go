package people

import (
	"strings"
	"testing"
)

func TestAMadePasswordHasEveryKindOfCharacter(t *testing.T) {
	for range 500 {
		text := NewPassword(nil)
		for _, kind := range []string{lowercase, uppercase, numbers, symbols} {
			if !strings.ContainsAny(text, kind) {
				t.Fatalf("%s has none of %s", text, kind)
			}
		}
		if strings.ContainsAny(text[:1], symbols) || len(text) != 16 {
			t.Fatalf("%s begins with a symbol, or has another length", text)
		}
	}
}
