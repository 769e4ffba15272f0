package assertion_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
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

func TestGroupsWithOddNamesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"guests", "and", "A,B", "x,", "group:x", "members", "/x", "because", "nobody", "no", "only", "the"} {
		b := &model.Backend{Groups: []string{group}, APIs: []*model.API{{Label: "a", Paths: []*model.Path{{Name: "/p", Access: model.Access{
			Setting: model.Private, Grants: []model.Grant{{To: model.Principal{Kind: model.Group, Group: group}, Actions: model.EveryAction}},
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
				row := []bool{router.Decide(model.Caller{}, method, raw).Allowed, router.Decide(model.Caller{SignedIn: true}, method, raw).Allowed}
				for _, group := range order {
					row = append(row, router.Decide(model.Caller{SignedIn: true, Groups: []string{group}}, method, raw).Allowed)
				}
				all = append(all, row)
			}
			return all
		}
		if d := b.Router(api.Label).Decide(model.Caller{}, "GET", strings.NewReplacer("{x}", "z").Replace(path.Name)); d.Route.Path != path {
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
