package project_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/project"
)

func TestFactsOfEnvironmentsAreJoinedOnceEach(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lists := make([][]project.Fact, rapid.IntRange(1, 4).Draw(t, "environments"))
		for _, name := range []string{"provider", "region", "account", "branch", "parameter a", "parameter b"} {
			for i := range lists {
				if rapid.Bool().Draw(t, "has") {
					lists[i] = append(lists[i], project.NewFact(name, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "value")))
				}
			}
		}
		got, names := make([][]project.Fact, len(lists)), make(map[string]bool)
		for _, f := range project.ShareFacts(lists...) {
			if names[f.Name] {
				t.Fatalf("%s is there twice", f.Name)
			}
			names[f.Name] = true
			same := true
			for i, value := range f.Values {
				if value != nil {
					got[i] = append(got[i], *value)
				}
				first := f.Values[0]
				same = same && (value == nil) == (first == nil) && (value == nil || *value == *first)
			}
			if f.Differs() == same {
				t.Fatalf("%s differs: %v", f.Name, f.Differs())
			}
		}
		for i := range lists {
			if len(lists) > 2 {
				// The first lists may leave open what comes first, and a later one decides too late.
				byName := func(a, b project.Fact) int { return strings.Compare(a.Name, b.Name) }
				slices.SortFunc(got[i], byName)
				slices.SortFunc(lists[i], byName)
			}
			if !slices.Equal(got[i], lists[i]) {
				t.Fatalf("the facts of environment %d are %v, want %v", i, got[i], lists[i])
			}
		}
	})
}
