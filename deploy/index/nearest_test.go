package index

import (
	"slices"
	"testing"
)

func TestTheNearestStacksAreNamedFirstAndOnlyAFew(t *testing.T) {
	t.Parallel()
	var entries []Entry
	for _, name := range []string{"gatewright-far-away", "gatewright-shop-mainx", "gatewright-blog-main", "gatewright-shop-man", "gatewright-shop-xyz"} {
		entries = append(entries, Entry{Stack: name})
	}
	var got []string
	for _, e := range nearest(entries, "gatewright-shop-main") {
		got = append(got, e.Stack)
	}
	if want := []string{"gatewright-shop-mainx", "gatewright-shop-man", "gatewright-blog-main"}; !slices.Equal(got, want) || entries[0].Stack != "gatewright-far-away" {
		t.Errorf("the nearest are %q, want %q", got, want)
	}
}
