package assertion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
)

func TestTheAccessOfAPathIsDescribed(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"/books": {
			"Admins may create and delete under /books except under /books/{isbn}/lock",
			"nobody but Admins may create and delete under /books except under /books/{isbn}/lock",
			"everybody may read under /books except under /books/{isbn}/lock",
			"Admins and Editors may update under /books except under /books/{isbn}/lock",
			"nobody but Admins and Editors may update under /books except under /books/{isbn}/lock",
		},
		"/health": {"everybody may do anything under /health"},
		"/admin": {
			"Admins may do anything under /admin",
			"nobody but Admins may do anything under /admin",
		},
		"/none": nil,
	} {
		if got := assertion.Describe(shop(), "shop", path); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", path, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestCallersOfEachKindAreDescribed(t *testing.T) {
	t.Parallel()
	entry := func(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
	}
	path := func(name string, grants ...access.Grant) *access.Path {
		return &access.Path{Name: name, Function: "f", Access: access.Access{Setting: access.Protected, Grants: grants}}
	}
	all := access.AllActions
	shop := &access.API{Label: "shop", Paths: []*access.Path{
		path("/signed-in", entry(access.Authenticated, "", all...), entry(access.Group, "A", all...), entry(access.Group, "B", all...)),
		path("/mixed", entry(access.Guest, "", access.Read), entry(access.Authenticated, "", access.Create), entry(access.Group, "B", access.Read, access.Create, access.Delete)),
		path("/nobody"),
		path("/many", entry(access.Group, "A", all...)), path("/most", entry(access.Group, "A", all...)),
	}}
	// A test has at most 32 places.
	for n, name := range []string{"/many", "/most"} {
		for i := range 33 - n {
			shop.Paths = append(shop.Paths, path(fmt.Sprintf("%s/%d", name, i), entry(access.Guest, "", access.Read)))
		}
	}
	b := &model.Backend{Groups: []string{"A", "B"}, APIs: []*access.API{shop}}
	var got strings.Builder
	for _, name := range []string{"/signed-in", "/mixed", "/nobody", "/many", "/most"} {
		for _, text := range assertion.Describe(b, "shop", name) {
			got.WriteString(text + "\n")
		}
	}
	b.APIs = append(b.APIs, &access.API{Label: "staff"})
	for _, text := range assertion.Describe(b, "shop", "/nobody") {
		got.WriteString(text + "\n")
	}
	places := "/most/0"
	for i := range 31 {
		places += fmt.Sprintf(" and /most/%d", i+1)
	}
	want := `signed-in users may do anything under /signed-in
nobody but signed-in users may do anything under /signed-in
signed-in users may create under /mixed
nobody but signed-in users may create under /mixed
guests and B may read under /mixed
nobody but guests and B may read under /mixed
nobody may update under /mixed
B may delete under /mixed
nobody but B may delete under /mixed
nobody may do anything under /nobody
A may do anything /many
nobody but A may do anything /many
A may do anything under /most except under ` + places + `
nobody but A may do anything under /most except under ` + places + `
nobody may do anything under /nobody of API shop
`
	if got.String() != want {
		t.Errorf("the tests are\n%s\nwant\n%s", got.String(), want)
	}
}

func TestGroupsWithOddNamesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"guests", "and", "A,B", "x,", "group:x", "members", "/x", "because", "nobody", "no", "only", "the"} {
		b := &model.Backend{Groups: []string{group}, APIs: []*access.API{{Label: "a", Paths: []*access.Path{{Name: "/p", Access: access.Access{
			Setting: access.Private, Grants: []access.Grant{{To: access.Principal{Kind: access.Group, Group: group}, Actions: access.EveryAction}},
		}}}}}}
		if tests := assertion.Describe(b, "a", "/p"); len(tests) != 2 {
			t.Errorf("%s: %q", group, tests)
		}
	}
}

// TestADescriptionBreaksWhenTheAccessChanges describes a path of a random backend, gives the path
// another access, and wants a test to break if the access of the path is another one then.
func TestADescriptionBreaksWhenTheAccessChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, _ := accesstest.Sides(t)
		if len(b.APIs) == 0 || len(b.APIs[0].Paths) == 0 {
			t.Skip()
		}
		api := b.APIs[0]
		path := rapid.SampledFrom(api.Paths).Draw(t, "path")
		tests := assertion.Describe(b, api.Label, path.Name)
		for _, o := range assertion.CheckAll(b, tests) {
			if !o.Holds() {
				t.Fatalf("%s does not hold: %s", o.Text, o.Sentence())
			}
		}
		if tests == nil {
			return
		}
		order := b.RoleOrder()
		rights := func() (all [][]bool) {
			router := b.Router(api.Label)
			raw := strings.NewReplacer("{x}", "z").Replace(path.Name)
			for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
				row := []bool{router.Decide(access.Caller{}, method, raw).Allowed, router.Decide(access.Caller{SignedIn: true}, method, raw).Allowed}
				for _, group := range order {
					row = append(row, router.Decide(access.Caller{SignedIn: true, Groups: []string{group}}, method, raw).Allowed)
				}
				all = append(all, row)
			}
			return all
		}
		if d := b.Router(api.Label).Decide(access.Caller{}, "GET", strings.NewReplacer("{x}", "z").Replace(path.Name)); d.Route.Path != path {
			return
		}
		before := rights()
		path.Access = accesstest.Access(t)
		if !slices.EqualFunc(b.RoleOrder(), order, func(a, b string) bool { return a == b }) {
			return
		}
		changed := !slices.EqualFunc(before, rights(), slices.Equal[[]bool])
		broken := slices.ContainsFunc(assertion.CheckAll(b, tests), func(o assertion.Outcome) bool { return !o.Holds() })
		if changed != broken {
			t.Fatalf("the access of %s changed: %v, a test is broken: %v\n%s", path.Name, changed, broken, strings.Join(tests, "\n"))
		}
	})
}
