package people

import (
	"strings"
	"testing"

	"gatewright/model"
)

func TestThePolicyIsSaidWithAllThatItRequires(t *testing.T) {
	t.Parallel()
	yes, ten := true, 10
	for _, of := range []struct {
		definition *model.Auth
		want       string
	}{
		{nil, "at least 8 characters"},
		{&model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &ten}}, "at least 10 characters"},
		{
			&model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &ten, RequireUppercase: &yes, RequireNumbers: &yes, RequireSymbols: &yes}},
			"at least 10 characters, among them an uppercase letter, a number, a symbol",
		},
	} {
		if got := PolicyWords(of.definition); got != of.want {
			t.Errorf("the words are %q, not %q", got, of.want)
		}
	}
}

func TestAMadePasswordHasEveryKindOfCharacter(t *testing.T) {
	t.Parallel()
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
	twenty := 20
	if text := NewPassword(&model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &twenty}}); len(text) != twenty {
		t.Errorf("of a pool that asks for %d it has %d characters", twenty, len(text))
	}
}
