package edit_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAnUpdatedAPIKeepsUnchangedPathsInPlace(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"), accesstest.Open("/b", "f"), accesstest.Open("/c", "f"), accesstest.Open("/d", "g"))
	a, d := b.API("shop").Path("/a"), b.API("shop").Path("/d")
	modeltest.Must(t, edit.UpdateAPI(b, accesstest.Shop(accesstest.Open("/new", "f"), accesstest.Open("/d", "g"), accesstest.Open("/c", "g"), accesstest.Open("/a", "f"), accesstest.Open("/another", "g"))))
	api := b.API("shop")
	if got := modeltest.PathNames(api); !slices.Equal(got, []string{"/a", "/c", "/d", "/new", "/another"}) {
		t.Errorf("paths are %v", got)
	}
	if api.Path("/a") != a || api.Path("/d") != d {
		t.Error("a path that does not change was replaced")
	}
	if got := api.Path("/c").Function; got != "g" {
		t.Errorf("/c is served by %s", got)
	}
}

func TestAnUpdateWithoutADifferenceChangesNothing(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Open("/a", "f"), accesstest.Restricted("/b", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.Delete)))
	before := *b
	modeltest.Must(t, edit.UpdateAPI(b, accesstest.Shop(accesstest.Restricted("/b", "f", accesstest.ToGroup("Admins", access.Delete), accesstest.ToGuests(access.Read), accesstest.ToUsers(access.Read)), accesstest.Open("/a", "f"))))
	if &b.APIs[0] != &before.APIs[0] || b.API("shop") != before.API("shop") {
		t.Error("another order of paths and grants is a difference")
	}
}

func TestAnUpdateOfAnAPIRefusesNewErrors(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"), accesstest.Open("/u/{id}", "f"))
	before := modeltest.Dump(t, b)
	for _, tt := range []struct {
		what, want string
		api        *access.API
	}{
		{"another API", "API shp: not found; did you mean shop?", &access.API{Label: "shp", Paths: []*access.Path{accesstest.Open("/a", "f")}}},
		{"no paths", "API shop: would have no paths; remove the API shop instead", accesstest.Shop()},
		{"a bad path", "path: a does not start with /; write /a", accesstest.Shop(accesstest.Open("/a", "f"), accesstest.Open("a", "f"))},
		{"an unknown function", "path /a of the API shop: names the function h, which does not exist; make it, or name another", accesstest.Shop(accesstest.Open("/a", "h"))},
		{"an unknown group", "path /a of the API shop: names the group Admins, which does not exist; make it, or name another", accesstest.Shop(accesstest.Restricted("/a", "f", accesstest.ToGroup("Admins", access.Read)))},
		{"two of a name", "path /a of the API shop: is the same route as /a; remove one, or give it another path", accesstest.Shop(accesstest.Open("/a", "f"), accesstest.Open("/a", "f"))},
		{"two new of a name", "path /n of the API shop: is the same route as /n; remove one, or give it another path", accesstest.Shop(accesstest.Open("/n", "f"), accesstest.Open("/n", "f"))},
		{"two names of a variable", "path /u/{name}/x of the API shop: has the variable {name} where /u/{id} has {id}; write {id} in both", accesstest.Shop(accesstest.Open("/u/{id}", "f"), accesstest.Open("/u/{name}/x", "f"))},
		{"a grant twice", "path /a of the API shop: has two entries for signed-in users; give it once", accesstest.Shop(accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read), accesstest.ToUsers(access.Read)))},
	} {
		modeltest.Refused(t, tt.what, edit.UpdateAPI(b, tt.api), tt.want)
	}
	if err := edit.UpdateAPI(b, accesstest.Shop()); !errors.Is(err, model.ErrLastPath) {
		t.Errorf("the cause is %v", err)
	}
	if modeltest.Dump(t, b) != before {
		t.Error("a refused update changed the backend")
	}
}

func TestAnAPIWithErrorsIsRepairedStepByStep(t *testing.T) {
	t.Parallel()
	b := &model.Backend{
		Functions: []*model.Function{modeltest.Function("f")},
		APIs:      []*access.API{accesstest.Shop(accesstest.Open("/bad path", "f"), accesstest.Open("/u/{id}", "f"), accesstest.Open("/u/{name}/x", "f"), accesstest.Open("/{proxy+}", "gone"))},
	}
	modeltest.Must(t, edit.UpdateAPI(b, accesstest.Shop(accesstest.Open("/bad path", "f"), accesstest.Open("/u/{id}", "f"), accesstest.Open("/u/{name}/x", "f"), accesstest.Open("/{proxy+}", "gone"), accesstest.Open("/new", "f"))))
	modeltest.Must(t, edit.UpdateAPI(b, accesstest.Shop(accesstest.Open("/bad path", "f"), accesstest.Open("/u/{id}", "f"))))
	if got := modeltest.PathNames(b.API("shop")); !slices.Equal(got, []string{"/bad path", "/u/{id}"}) {
		t.Errorf("paths are %v", got)
	}
}

// TestAnUpdatedAPIHasExactlyThePathsGiven updates a random API to another. The same update
// again changes nothing.
func TestAnUpdatedAPIHasExactlyThePathsGiven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from, to := accesstest.API(t), accesstest.API(t)
		b := &model.Backend{Layout: modeltest.Kept, APIs: []*access.API{from}}
		if len(to.Paths) == 0 {
			t.Skip("no path was drawn")
		}
		modeltest.NoError(t, edit.UpdateAPI(b, to))
		got := b.API("shop")
		if len(got.Paths) != len(to.Paths) {
			t.Fatalf("paths are %v, want %v", modeltest.PathNames(got), modeltest.PathNames(to))
		}
		for _, want := range to.Paths {
			p := got.Path(want.Name)
			if p == nil || p.Function != want.Function || p.Access.Setting != want.Access.Setting || len(p.Access.Grants) != len(want.Access.Grants) || len(access.Changes(p.Access, want.Access, access.Terms{})) > 0 {
				t.Fatalf("%s is %+v, want %+v", want.Name, p, want)
			}
		}
		place := -1
		for _, p := range got.Paths {
			was := slices.Index(modeltest.PathNames(from), p.Name)
			if was >= 0 && was < place {
				t.Fatalf("%s lost its place: %v, before %v", p.Name, modeltest.PathNames(got), modeltest.PathNames(from))
			}
			if place = was; was < 0 {
				place = len(from.Paths)
			}
		}
		before := b.APIs
		shuffled := &access.API{Label: to.Label, Paths: rapid.Permutation(to.Paths).Draw(t, "order")}
		if err := edit.UpdateAPI(b, shuffled); err != nil || &b.APIs[0] != &before[0] || b.APIs[0] != got {
			t.Fatalf("the second update changed something: %v", err)
		}
	})
}
