package inspect

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFactsOfTwoEnvironmentsAreJoinedOnceEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b []fact
		for _, name := range []string{"provider", "region", "account", "branch", "parameter a", "parameter b"} {
			for _, list := range []*[]fact{&a, &b} {
				if rapid.Bool().Draw(t, "has") {
					*list = append(*list, newFact(name, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "value")))
				}
			}
		}
		var gotA, gotB []fact
		for _, f := range joinFacts(a, b) {
			if f.A != nil {
				gotA = append(gotA, newFact(f.Name, *f.A))
			}
			if f.B != nil {
				gotB = append(gotB, newFact(f.Name, *f.B))
			}
			if same := f.A != nil && f.B != nil && *f.A == *f.B; f.Differ == same {
				t.Fatalf("%s differs: %v", f.Name, f.Differ)
			}
		}
		if !slices.Equal(gotA, a) || !slices.Equal(gotB, b) {
			t.Fatalf("joined are %v and %v, of %v and %v", gotA, gotB, a, b)
		}
	})
}
