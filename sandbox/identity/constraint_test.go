package identity_test

import (
	"strings"
	"testing"

	"gatewright/sandbox/constraint"
)

func TestViolationsAreReportedInOneSentence(t *testing.T) {
	t.Parallel()
	word, n := "X", int64(0)
	violate := func(v *constraint.Violations) string {
		v.Require(false, "key")
		v.Enum(&word, "mode", "A", "B")
		v.AtLeast(&n, "limit", 1)
		return v.Message()
	}
	for want, v := range map[string]*constraint.Violations{
		"3 validation errors detected: Value null at 'key' failed to satisfy constraint: Member must not be null; " +
			"Value 'X' at 'mode' failed to satisfy constraint: Member must satisfy enum value set: [A, B]; " +
			"Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1": {},
		"3 validation errors detected: Value at 'key' failed to satisfy constraint: Member must not be null; " +
			"Value at 'mode' failed to satisfy constraint: Member must satisfy enum value set: [A, B]; " +
			"Value at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1": {HideValues: true},
	} {
		if got := violate(v); got != want {
			t.Errorf("%+v:\n got %s\nwant %s", v, got, want)
		}
	}
}

func TestInputThatBreaksNoConstraintHasNoMessage(t *testing.T) {
	t.Parallel()
	var v constraint.Violations
	v.Enum(nil, "mode", "A")
	v.AtLeast(nil, "limit", 1)
	v.AtMost(nil, "limit", 1)
	if !v.Require(true, "key") || !v.Length("bücher", "name", 6, 6) || v.Message() != "" {
		t.Errorf("the message is %q", v.Message())
	}
}

func TestTenViolationsAreReportedUnlessAllAreWanted(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]*constraint.Violations{"10": {}, "12": {All: true}} {
		for range 12 {
			v.Length("long", "name", 0, 3)
		}
		if got := v.Message(); !strings.HasPrefix(got, want+" validation errors detected: Value 'long' at 'name'") {
			t.Errorf("not %s are reported: %s", want, got)
		}
	}
}

func TestAWordIsLettersDigitsAndTheBytesGiven(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "aZ09": true, "a_b-c": true, "a.b": false, "ü": false, "@": false, "[": false, "{": false, "`": false} {
		if got := constraint.IsWord(text, "_-"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
