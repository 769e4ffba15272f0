package access_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/modeltest"
)

func TestDecideNamesTheRule(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins", "Editors"},
		accesstest.Open("/free", "f"),
		accesstest.Restricted("/items", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Editors", access.Read, access.Update), accesstest.ToGroup("Admins", access.Delete)),
		accesstest.Restricted("/items/secret", "f", accesstest.ToGroup("Admins", access.Create, access.Read, access.Update, access.Delete)),
		accesstest.Restricted("/mine", "f", accesstest.ToUsers(access.Create)),
	)
	guest, user := access.Caller{}, access.Caller{SignedIn: true}
	editor := access.Caller{SignedIn: true, Groups: []string{"Editors"}}
	both := access.Caller{SignedIn: true, Groups: []string{"Editors", "Admins"}}
	stranger := access.Caller{SignedIn: true, Groups: []string{"Unknown"}}
	foreigner := access.Caller{Stranger: true}
	r := b.Router("shop")
	for _, tt := range []struct {
		caller      access.Caller
		method, raw string
		allowed     bool
		rule        access.Rule
		reason      string
	}{
		{guest, "DELETE", "/free/1", true, access.OpenToAll, "/free is open to everybody"},
		{guest, "GET", "/items", true, access.ByGuest, "guests may read under /items"},
		{guest, "HEAD", "/items/1", true, access.ByGuest, "guests may read under /items"},
		{guest, "POST", "/items", false, access.ByGuest, "guests may not create under /items"},
		{guest, "OPTIONS", "/items/secret", true, access.Preflight, "the CORS preflight needs no grant"},
		{guest, "OPTIONS", "/nowhere", false, access.NoRoute, "no path serves this request"},
		{guest, "GET", "/mine", false, access.ByGuest, "guests may not read under /mine"},
		{user, "GET", "/items", true, access.ByAuthenticated, "signed-in users may read under /items"},
		{user, "GET", "/items/secret/1", false, access.ByAuthenticated, "signed-in users may not read under /items/secret"},
		{editor, "PATCH", "/items", true, access.ByGroup, "members of Editors may update under /items"},
		{editor, "POST", "/mine", true, access.ByAuthenticated, "signed-in users may create under /mine"},
		{both, "PUT", "/items", false, access.ByGroup, "members of Admins may not update under /items"},
		{both, "DELETE", "/items", true, access.ByGroup, "members of Admins may delete under /items"},
		{stranger, "GET", "/items", true, access.ByAuthenticated, "signed-in users may read under /items"},
		{foreigner, "GET", "/items", false, access.ByStranger, "/items is restricted, and the caller is unknown"},
		{foreigner, "DELETE", "/free", true, access.OpenToAll, "/free is open to everybody"},
		{foreigner, "OPTIONS", "/items", true, access.Preflight, "the CORS preflight needs no grant"},
		{foreigner, "GET", "/nowhere", false, access.NoRoute, "no path serves this request"},
	} {
		d := r.Decide(tt.caller, tt.method, tt.raw)
		if d.Allowed != tt.allowed || d.Rule != tt.rule || d.Reason() != tt.reason {
			t.Errorf("%+v %s %s: %v by %v: %q", tt.caller, tt.method, tt.raw, d.Allowed, d.Rule, d.Reason())
		}
	}
}

func TestGuestsWithoutAnIdentityReachOnlyOpenPaths(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/free", "f"), accesstest.Restricted("/items", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read)))
	no := false
	b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &no}
	r := b.Router("shop")
	if d := r.Decide(access.Caller{}, "GET", "/items"); d.Allowed || d.Rule != access.GuestsOff ||
		d.Reason() != "/items is restricted, and guests have no identity (unauthenticated_identities_enabled is false)" {
		t.Errorf("a guest: %+v %q", d, d.Reason())
	}
	if d := r.Decide(access.Caller{}, "GET", "/free"); !d.Allowed {
		t.Errorf("a guest of an open path: %+v", d)
	}
	if d := r.Decide(access.Caller{SignedIn: true}, "GET", "/items"); !d.Allowed {
		t.Errorf("a user: %+v", d)
	}
}

// allowedByHand returns a second implementation of Decide, from its description.
func allowedByHand(p *access.Path, order []string, guests bool, c access.Caller, method string) bool {
	entries := map[access.Principal]access.Actions{}
	for _, g := range p.Access.Grants {
		entries[g.To] = g.Actions
	}
	need := map[string]access.Action{"POST": access.Create, "GET": access.Read, "HEAD": access.Read, "PUT": access.Update, "PATCH": access.Update, "DELETE": access.Delete}
	if method == "OPTIONS" || p.Access.Setting == access.Open {
		return true
	}
	if c.Stranger {
		return false
	}
	if !c.SignedIn {
		return guests && p.Access.Setting == access.Protected && entries[access.Principal{Kind: access.Guest}].Has(need[method])
	}
	for _, group := range order {
		if slices.Contains(c.Groups, group) {
			if entry, named := entries[access.Principal{Kind: access.Group, Group: group}]; named {
				return entry.Has(need[method])
			}
			break
		}
	}
	if !slices.ContainsFunc(order, func(g string) bool { return slices.Contains(c.Groups, g) }) && len(c.Groups) > 0 {
		if entry, named := entries[access.Principal{Kind: access.Group, Group: c.Groups[0]}]; named {
			return entry.Has(need[method])
		}
	}
	return entries[access.Principal{Kind: access.Authenticated}].Has(need[method])
}

func TestDecideAgreesWithASecondImplementation(t *testing.T) {
	t.Parallel()
	order := []string{"B", "A", "C"}
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		guests := rapid.Bool().Draw(t, "guests")
		r := access.NewRouter(api, order, access.Terms{NoGuests: !guests})
		caller := accesstest.Caller(t)
		method, raw := accesstest.Request(t)
		d := r.Decide(caller, method, raw)
		route, served := r.Match(method, raw)
		if !served {
			if d.Allowed || d.Rule != access.NoRoute {
				t.Fatalf("no path serves %s %s, and Decide gives %+v", method, raw, d)
			}
			return
		}
		if want := allowedByHand(route.Path, order, guests, caller, method); d.Allowed != want {
			t.Fatalf("%+v %s %s under %+v: %v, want %v", caller, method, raw, route.Path, d.Allowed, want)
		}
	})
}

func TestAMemberOfSeveralGroupsActsAsTheFirstWhateverTheOrderOfMembership(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		order := []string{"A", "B", "C"}
		r := access.NewRouter(accesstest.API(t), order, access.Terms{})
		groups := rapid.SliceOfNDistinct(rapid.SampledFrom(order), 1, 3, rapid.ID).Draw(t, "groups")
		method, raw := accesstest.Request(t)
		first := slices.MinFunc(groups, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
		several := r.Decide(access.Caller{SignedIn: true, Groups: groups}, method, raw)
		one := r.Decide(access.Caller{SignedIn: true, Groups: []string{first}}, method, raw)
		if several.Allowed != one.Allowed || several.Rule != one.Rule || several.As != one.As {
			t.Fatalf("members of %v: %+v, of %s alone: %+v", groups, several, first, one)
		}
	})
}

func TestLossesAreExactlyWhatTheSecondGroupAloneCouldDo(t *testing.T) {
	t.Parallel()
	order := []string{"A", "B", "C"}
	rapid.Check(t, func(t *rapid.T) {
		rules := accesstest.Access(t)
		r := access.NewRouter(&access.API{Paths: []*access.Path{{Name: "/p", Function: "f", Access: rules}}}, order, access.Terms{})
		lost := map[[2]string]access.Actions{}
		for _, l := range rules.Losses(order, access.Terms{}) {
			lost[[2]string{l.ActsAs, l.AlsoIn}] = l.Actions
		}
		for i, first := range order {
			for _, second := range order[i+1:] {
				var want access.Actions
				for _, action := range access.AllActions {
					method := access.Terms{}.Methods(action)[0]
					alone := r.Decide(access.Caller{SignedIn: true, Groups: []string{second}}, method, "/p").Allowed
					both := r.Decide(access.Caller{SignedIn: true, Groups: []string{second, first}}, method, "/p").Allowed
					if alone && !both {
						want |= access.Actions(action)
					}
				}
				if lost[[2]string{first, second}] != want {
					t.Fatalf("members of %s and %s lose %v, Losses says %v", first, second, want, lost[[2]string{first, second}])
				}
			}
		}
	})
}
