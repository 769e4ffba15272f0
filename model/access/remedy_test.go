package access_test

import (
	"testing"

	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestARuleSaysWhoMayDoWhatUnderAPath(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*access.Path{
		"/a is open: nobody may call it":    accesstest.Open("/a", "f"),
		"/a is private: nobody may call it": accesstest.Restricted("/a", "f"),
		`"/a b" is protected: members of Admins may create, delete; guests may read; signed-in users may nothing`: accesstest.Restricted("/a b", "f", accesstest.ToGroup("Admins", access.Create, access.Delete), accesstest.ToGuests(access.Read), accesstest.ToUsers()),
	} {
		if got := p.Rule(); got != want {
			t.Errorf("the rule is %s, want %s", got, want)
		}
	}
}

func TestARemedyNamesEveryWayToBeAllowed(t *testing.T) {
	t.Parallel()
	api := accesstest.Shop(
		accesstest.Restricted("/users", "f", accesstest.ToUsers(access.Create)),
		accesstest.Restricted("/guests", "f", accesstest.ToGuests(access.Read), accesstest.ToUsers(access.Read)),
		accesstest.Restricted("/groups", "f", accesstest.ToUsers(access.Read), accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.AllActions...), accesstest.ToGroup("D", access.AllActions...)),
		accesstest.Restricted("/one", "f", accesstest.ToGroup("B", access.Create)),
		accesstest.Restricted("/nobody", "f"),
	)
	groups := []string{"A", "B", "C", "D"}
	user := func(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	for _, tt := range []struct {
		who          access.Caller
		method, path string
		guestless    bool
		want         string
	}{
		{access.Caller{}, "POST", "/users", false, "sign in, or make /users protected and let guests create there"},
		{access.Caller{}, "POST", "/users", true, "sign in, or give guests an identity (unauthenticated_identities_enabled) and let them create under /users"},
		{access.Caller{}, "GET", "/guests", true, "sign in, or give guests an identity (unauthenticated_identities_enabled)"},
		{access.Caller{}, "DELETE", "/guests", false, "let guests delete under /guests"},
		{access.Caller{}, "DELETE", "/groups", false, "sign in as a member of one of B, D, or make /groups protected and let guests delete there"},
		{access.Caller{}, "POST", "/one/more", false, "sign in as a member of B, or make /one protected and let guests create there"},
		{user(), "DELETE", "/groups", false, "become a member of one of B, D, or let signed-in users delete under /groups"},
		// A comes first, and B and D do not help a member of A.
		{user("A"), "DELETE", "/groups", false, "let members of A delete under /groups"},
		{user("C"), "DELETE", "/groups", false, "become a member of B, or let signed-in users delete under /groups"},
		{user("D", "B"), "DELETE", "/one", false, "let members of B delete under /one"},
		{user("D"), "PATCH", "/nobody", false, "let signed-in users update under /nobody"},
	} {
		router := access.NewRouter(api, groups, access.Terms{NoGuests: tt.guestless})
		if router.Decide(tt.who, tt.method, tt.path).Allowed {
			t.Errorf("%+v may %s %s", tt.who, tt.method, tt.path)
		}
		if got := router.Remedy(tt.who, groups, tt.method, tt.path); got != tt.want {
			t.Errorf("%+v %s %s: %s\nwant %s", tt.who, tt.method, tt.path, got, tt.want)
		}
	}
}
