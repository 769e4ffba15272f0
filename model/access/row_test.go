package access_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// TestAccessRowAgreesWithDecide compares with the router of an API with one path, for every
// principal.
func TestAccessRowAgreesWithDecide(t *testing.T) {
	t.Parallel()
	groups := []string{"Admins", "Editors", "Readers"}
	rapid.Check(t, func(t *rapid.T) {
		rules := drawnAccess(t, groups)
		enabled := rapid.Bool().Draw(t, "guests have an identity")
		b := &model.Backend{Groups: groups, Auth: &model.Auth{UnauthenticatedIdentitiesEnabled: &enabled}}
		path := &access.Path{Name: "/books", Function: "f", Access: rules}
		b.APIs = []*access.API{{Label: "shop", Paths: []*access.Path{path}}}
		router := b.Router("shop")
		asked := func(c access.Caller) (set access.Actions, rule access.Rule) {
			for _, action := range access.AllActions {
				for _, method := range (access.Terms{}).Methods(action) {
					d := router.Decide(c, method, "/books")
					if d.Allowed {
						set |= access.Actions(action)
					}
					rule = d.Rule
				}
			}
			return set, rule
		}
		row := b.AccessRow(path, groups)
		if want, _ := asked(access.Caller{}); row.Guest != want {
			t.Errorf("guests may %s, and Decide says %s", row.Guest, want)
		}
		if want, _ := asked(access.Caller{SignedIn: true}); row.Authenticated != want {
			t.Errorf("signed-in users may %s, and Decide says %s", row.Authenticated, want)
		}
		for i, group := range groups {
			want, rule := asked(access.Caller{SignedIn: true, Groups: []string{group}})
			if row.Groups[i].Actions != want || row.Groups[i].Own != (rule == access.ByGroup) {
				t.Errorf("members of %s: %+v, and Decide says %s by rule %d", group, row.Groups[i], want, rule)
			}
		}
	})
}

func drawnAccess(t *rapid.T, groups []string) access.Access {
	rules := access.Access{Setting: rapid.SampledFrom(access.Settings).Draw(t, "setting")}
	to := []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}}
	for _, group := range groups {
		to = append(to, access.Principal{Kind: access.Group, Group: group})
	}
	for _, principal := range to {
		if rapid.Bool().Draw(t, principal.String()) {
			rules.Grants = append(rules.Grants, access.Grant{To: principal, Actions: access.Actions(rapid.IntRange(0, int(access.EveryAction)).Draw(t, "actions"))})
		}
	}
	return rules
}

func TestAGrantLetsItsPrincipalInAndNobodyElse(t *testing.T) {
	t.Parallel()
	groups := []string{"Admins", "Editors"}
	rapid.Check(t, func(t *rapid.T) {
		was := drawnAccess(t, groups)
		kept := slices.Clone(was.Grants)
		to := rapid.SampledFrom([]access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}, {Kind: access.Group, Group: "Admins"}}).Draw(t, "to")
		now := was.Granted(access.Grant{To: to, Actions: access.EveryAction})
		if got := now.Allowed(to, access.Terms{}); got != access.EveryAction {
			t.Errorf("%s may %s", to, got)
		}
		if to.Kind != access.Guest && now.Allowed(access.Principal{Kind: access.Guest}, access.Terms{}) != 0 && was.Allowed(access.Principal{Kind: access.Guest}, access.Terms{}) == 0 {
			t.Errorf("an entry of %s lets guests in", to)
		}
		less := now.Without(to)
		if _, named := less.Grant(to); named {
			t.Errorf("%s still has an entry", to)
		}
		if to.Kind == access.Guest && less.Allowed(to, access.Terms{}) != 0 {
			t.Errorf("guests may %s without an entry", less.Allowed(to, access.Terms{}))
		}
		if !slices.Equal(was.Grants, kept) {
			t.Errorf("the original access became %v", was.Grants)
		}
	})
}

func TestGroupsMoveBeforeOneAnother(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Groups: []string{"A", "B", "C"}}
	order, err := edit.GroupBefore(b, "C", "A")
	if err != nil || !slices.Equal(order, []string{"C", "A", "B"}) {
		t.Errorf("C before A is %v, %v", order, err)
	}
	if order, err := edit.GroupBefore(b, "B", "B"); err != nil || !slices.Equal(order, b.Groups) {
		t.Errorf("B before itself is %v, %v", order, err)
	}
	if _, err := edit.GroupBefore(b, "D", "A"); err == nil {
		t.Error("an unknown group was moved")
	}
}

func TestAShellReadsAWordUnchanged(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"books": "books", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "/books/{isbn}": "'/books/{isbn}'"} {
		if got := model.ShellWord(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}
