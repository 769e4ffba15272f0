package access_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestLintsSayWhatIsSurprisingInAnAccess(t *testing.T) {
	t.Parallel()
	order := []string{"Admins", "Editors"}
	for name, tt := range map[string]struct {
		path *access.Path
		want []string
	}{
		"nothing": {accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...)), nil},
		"open":    {accesstest.Open("/a", "f"), []string{"open-path <nil> is open to everybody in the world; restrict the path, or leave it if that is meant"}},
		"guests may more": {
			accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read, access.Create, access.Delete)),
			[]string{"guests-beyond-users guests lets guests create and delete, and not signed-in users; grant it to signed-in users too, or revoke it from guests"},
		},
		"guests alone": {
			accesstest.Restricted("/a", "f", accesstest.ToGuests(access.Read)),
			[]string{"guests-beyond-users guests lets guests read, and not signed-in users; grant it to signed-in users too, or revoke it from guests"},
		},
		"a group with less": {
			accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read, access.Update), accesstest.ToGroup("Editors", access.Create, access.Read)),
			[]string{
				"group-below-users members of Editors lets every signed-in user update, but not members of Editors; grant it to Editors too, or leave it if that is meant",
				"several-groups members of Admins members of both Admins and Editors act as Admins and lose create; order the groups, or grant it to Admins too",
			},
		},
		"an empty entry": {
			accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read), accesstest.ToGroup("Editors")),
			[]string{"empty-entry members of Editors lets members of Editors do nothing, and signed-in users read; grant an action, or leave it if that is meant"},
		},
		"nobody": {accesstest.Restricted("/a", "f"), []string{"nobody <nil> is restricted, and nobody may call it; grant actions to signed-in users, guests or a group"}},
	} {
		var got []string
		for _, l := range tt.path.Access.Lints(order, access.Terms{}) {
			got = append(got, fmt.Sprintf("%s %v %s; %s", l.Rule, l.Who, l.Text, l.Fix))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, tt.want)
		}
	}
}

// TestLintsAgreeWithDecide asks the router of an API with one path whether guests may more
// than signed-in users, and members of a group less.
func TestLintsAgreeWithDecide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := &access.Path{Name: "/a", Access: accesstest.Access(t)}
		b := &model.Backend{Groups: []string{"A", "B", "C"}, APIs: []*access.API{{Label: "shop", Paths: []*access.Path{path}}}}
		may := func(caller access.Caller) (set access.Actions) {
			for _, action := range access.AllActions {
				if decide(b, "shop", caller, (access.Terms{}).Methods(action)[0], "/a").Allowed {
					set |= access.Actions(action)
				}
			}
			return set
		}
		users := may(access.Caller{SignedIn: true})
		has := func(rule string, who access.Principal) bool {
			return slices.ContainsFunc(path.Access.Lints(b.Groups, access.Terms{}), func(l access.Lint) bool {
				return l.Rule == rule && l.Who != nil && *l.Who == who
			})
		}
		guest := access.Principal{Kind: access.Guest}
		if got, want := has(access.RuleGuestsBeyondUsers, guest), may(access.Caller{}).Without(users) != 0; got != want {
			t.Errorf("guests beyond users: %v, want %v", got, want)
		}
		for _, group := range b.Groups {
			who := access.Principal{Kind: access.Group, Group: group}
			less := users.Without(may(access.Caller{SignedIn: true, Groups: []string{group}})) != 0
			if got := has(access.RuleGroupBelowUsers, who) || has(access.RuleEmptyEntry, who) && users != 0; got != less {
				t.Errorf("%s below users: %v, want %v", group, got, less)
			}
		}
	})
}

func TestARuleIsSummedUpInASentence(t *testing.T) {
	t.Parallel()
	for want, paths := range map[string][]string{
		"1 path of the API shop is open to everybody in the world: /a":                              {"/a"},
		"3 paths of the API shop are open to everybody in the world: /a, /b and /c":                 {"/a", "/b", "/c"},
		"4 paths of the API shop are open to everybody in the world, such as /a, /b and \"/\\x1b\"": {"/a", "/b", "/\x1b", "/d"},
	} {
		if got, fix := access.RuleSentence(access.RuleOpen, "shop", paths); got != want || fix == "" {
			t.Errorf("%q; %q, want %q", got, fix, want)
		}
	}
	if got, _ := access.RuleSentence("no-such-rule", "shop", []string{"/a"}); got != "" {
		t.Errorf("an unknown rule says %q", got)
	}
}
