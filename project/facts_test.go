package project_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/project"
)

func TestFactsOfTwoEnvironmentsAreJoinedOnceEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b []project.Fact
		for _, name := range []string{"provider", "region", "account", "branch", "parameter a", "parameter b"} {
			for _, list := range []*[]project.Fact{&a, &b} {
				if rapid.Bool().Draw(t, "has") {
					*list = append(*list, project.NewFact(name, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "value")))
				}
			}
		}
		var gotA, gotB []project.Fact
		for _, f := range project.ShareFacts(a, b) {
			if f.Values[0] != nil {
				gotA = append(gotA, *f.Values[0])
			}
			if f.Values[1] != nil {
				gotB = append(gotB, *f.Values[1])
			}
			if same := f.Values[0] != nil && f.Values[1] != nil && *f.Values[0] == *f.Values[1]; f.Differs() == same {
				t.Fatalf("%s differs: %v", f.Name, f.Differs())
			}
		}
		if !slices.Equal(gotA, a) || !slices.Equal(gotB, b) {
			t.Fatalf("joined are %v and %v, of %v and %v", gotA, gotB, a, b)
		}
	})
}
