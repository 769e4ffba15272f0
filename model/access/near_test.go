package access_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestABackendNearARequestDecidesItAsTheWholeBackendDoes(t *testing.T) {
	t.Parallel()
	fewer := 0
	rapid.Check(t, func(t *rapid.T) {
		b, _ := accesstest.Sides(t)
		raw := rapid.SampledFrom(accesstest.Raws()).Draw(t, "raw")
		near := b.Near(raw)
		if diff := cmp.Diff(b.RoleOrder(), near.RoleOrder()); diff != "" {
			t.Fatalf("the order of groups is another: %s", diff)
		}
		for _, api := range b.APIs {
			fewer += len(api.Paths) - len(near.API(api.Label).Paths)
			for _, caller := range []access.Caller{{}, {Stranger: true}, {SignedIn: true}, {SignedIn: true, Groups: b.RoleOrder()}} {
				for _, method := range access.Methods {
					if diff := cmp.Diff(decide(b, api.Label, caller, method, raw), decide(near, api.Label, caller, method, raw)); diff != "" {
						t.Fatalf("%s %s of %s by %+v: %s", method, raw, api.Label, caller, diff)
					}
				}
			}
		}
	})
	if fewer == 0 {
		t.Error("no path was left out")
	}
}
