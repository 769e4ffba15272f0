package assertion_test

import (
	"fmt"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
)

// manyPaths returns the checker of an API with this many paths beside each other, which has decided one test.
func manyPaths(n int) *assertion.Checker {
	api := &access.API{Label: "shop"}
	for i := range n {
		api.Paths = append(api.Paths, accesstest.Open(fmt.Sprintf("/p%d", i), "f"))
	}
	c := assertion.NewChecker(&model.Backend{APIs: []*access.API{api}})
	c.Check("guests may GET /p1")
	return c
}

// It cannot be parallel: it counts allocations.
func TestATestOfOnePathReadsNoOther(t *testing.T) {
	for _, text := range []string{"guests may GET /p7", "guests never DELETE under /p7", "nobody but guests may GET /p7"} {
		few, many := manyPaths(100), manyPaths(10_000)
		small := testing.AllocsPerRun(5, func() { few.Check(text) })
		large := testing.AllocsPerRun(5, func() { many.Check(text) })
		if large > small+5 {
			t.Errorf("%s: %v allocations among 100 paths, %v among 10,000", text, small, large)
		}
	}
}

// BenchmarkPlaces decides a test about one path and one about all.
func BenchmarkPlaces(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		c := manyPaths(n)
		for _, text := range []string{"guests may GET /p7", "guests may GET"} {
			b.Run(fmt.Sprintf("paths=%d/%s", n, text), func(b *testing.B) {
				for b.Loop() {
					c.Check(text)
				}
			})
		}
	}
}
