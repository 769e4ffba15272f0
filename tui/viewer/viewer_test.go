package viewer_test

import (
	"testing"

	"pgregory.net/rapid"

	"gatewright/model/access"
	"gatewright/tui/viewer"
)

var groups = []string{"Admins", "Editors", "Readers"}

// TestAPathIsBrightIfDecideAllowsAnyMethod compares what a viewer may with the decisions on requests,
// in projects of our own and of the Amplify CLI.
func TestAPathIsBrightIfDecideAllowsAnyMethod(t *testing.T) {
	t.Parallel()
	names := []string{"/books", "/books/{isbn}", "/books/new", "/news", "/orders/{id}"}
	rapid.Check(t, func(t *rapid.T) {
		terms := access.Terms{NoGuests: rapid.Bool().Draw(t, "no guests")}
		if rapid.Bool().Draw(t, "amplify") {
			terms.GroupAlone, terms.GetAlone, terms.Below = true, true, true
		}
		api := &access.API{Label: "shop"}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, len(names), rapid.ID).Draw(t, "paths") {
			api.Paths = append(api.Paths, &access.Path{Name: name, Access: drawnAccess(t)})
		}
		order := rapid.Permutation(groups).Draw(t, "order")
		v := drawnViewer(t)
		router := access.NewRouter(api, order, terms)
		rules := access.NewRules(api, order, terms)
		for _, p := range api.Paths {
			raw := access.ExamplePath([]string{p.Name, "/new"})
			var want access.Actions
			for _, action := range access.AllActions {
				for _, method := range terms.Methods(action) {
					d := router.Decide(v.Caller, method, raw)
					if d.Route.Path != p {
						t.Fatalf("%s is served by %v and not by %s", raw, d.Route.Path, p.Name)
					}
					if d.Allowed {
						want |= access.Actions(action)
					}
				}
			}
			if may := v.May(rules, order, p); may != want {
				t.Errorf("%s may %s under %s, and Decide says %s", v.Name(), may, p.Name, want)
			}
			if may := (*viewer.Viewer)(nil).May(rules, order, p); may != access.EveryAction {
				t.Errorf("everybody is quiet under %s", p.Name)
			}
		}
	})
}

func user(name string, in ...string) *viewer.Viewer {
	v := viewer.SignedIn(in...)
	v.User = name
	return v
}

func drawnViewer(t *rapid.T) *viewer.Viewer {
	in := rapid.SliceOfNDistinct(rapid.SampledFrom(groups), 0, len(groups), rapid.ID).Draw(t, "member of")
	return rapid.SampledFrom([]*viewer.Viewer{
		new(viewer.Viewer), viewer.SignedIn(), viewer.SignedIn(in...), user("emma", in...),
	}).Draw(t, "viewer")
}

func drawnAccess(t *rapid.T) access.Access {
	of := access.Access{Setting: rapid.SampledFrom(access.Settings).Draw(t, "setting")}
	to := []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}}
	for _, group := range groups {
		to = append(to, access.Principal{Kind: access.Group, Group: group})
	}
	for _, who := range to {
		if rapid.Bool().Draw(t, "has an entry") {
			of.Grants = append(of.Grants, access.Grant{To: who, Actions: access.Actions(rapid.IntRange(0, 15).Draw(t, "actions"))})
		}
	}
	return of
}

func TestAViewerIsNamed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		v           *viewer.Viewer
		name, short string
		acts        string
	}{
		{nil, "everybody", "everybody", ""},
		{new(viewer.Viewer), "guests", "guests", "guests"},
		{viewer.SignedIn(), "signed-in users", "signed-in users", "signed-in users"},
		{viewer.SignedIn("Editors"), "members of Editors", "Editors", "members of Editors"},
		{viewer.SignedIn("Readers", "Admins"), "members of Readers and Admins", "Readers+Admins", "members of Admins"},
		{viewer.SignedIn("of no pool"), `members of "of no pool"`, "of no pool", "signed-in users"},
		{user("emma", "Editors"), "user emma (Editors)", "emma", "members of Editors"},
		{user("o\x1b[31m"), `user "o\x1b[31m" (in no group)`, "o␛[31m", "signed-in users"},
	} {
		if row.v.Name() != row.name || row.v.Short() != row.short {
			t.Errorf("%+v is %q, %q, want %q, %q", row.v, row.v.Name(), row.v.Short(), row.name, row.short)
		}
		if row.v != nil && row.v.Principal(groups).String() != row.acts {
			t.Errorf("%s act as %s, want %s", row.name, row.v.Principal(groups), row.acts)
		}
		if !row.v.Equal(row.v) || row.v.Equal(user("somebody else")) {
			t.Errorf("%s is not equal to itself alone", row.name)
		}
	}
}
