package diff_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/diff"
)

// manyPaths returns a backend with n paths of every shape of access.

// BenchmarkDiff compares two copies of a backend with many paths: one path changed, one
// removed, or all new. For comparison it marshals one of them to JSON.
func BenchmarkDiff(b *testing.B) {
	const n = 10_000
	was, text := accesstest.ManyPaths(n), []byte(nil)
	one := accesstest.ManyPaths(n)
	one.APIs[0].Paths[n/2].Access = accesstest.Restricted("", "", accesstest.ToGuests(access.Delete)).Access
	fewer := accesstest.ManyPaths(n)
	fewer.APIs[0].Paths = fewer.APIs[0].Paths[1:]
	for _, bench := range []struct {
		name     string
		was, now *model.Backend
		reasons  int
	}{{"one path changed", was, one, 3}, {"one path gone", was, fewer, 1}, {"never pushed", nil, was, n + 1}} {
		b.Run(fmt.Sprintf("%s/%d", bench.name, n), func(b *testing.B) {
			for b.Loop() {
				if got := diff.Backends(bench.was, bench.now)[0].Reasons; len(got) != bench.reasons {
					b.Fatalf("%d reasons: %.200q", len(got), got)
				}
			}
		})
	}
	b.Run(fmt.Sprintf("marshal/%d", n), func(b *testing.B) {
		for b.Loop() {
			var err error
			if text, err = json.Marshal(was); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
		}
	})
}

// BenchmarkAPIResources lists the resources of many paths, and for comparison finds the
// takeovers of the API.
func BenchmarkAPIResources(b *testing.B) {
	const n = 10_000
	backend := accesstest.ManyPaths(n)
	api := backend.APIs[0]
	b.Run(fmt.Sprintf("resources/%d", n), func(b *testing.B) {
		for b.Loop() {
			backend.APIResources(api)
		}
	})
	b.Run(fmt.Sprintf("takeovers/%d", n), func(b *testing.B) {
		for b.Loop() {
			api.Takeovers()
		}
	})
}
