package access_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestADifferenceHasEveryFieldOfItsRequests(t *testing.T) {
	t.Parallel()
	user, guest, group := access.Principal{Kind: access.Authenticated}, access.Principal{Kind: access.Guest}, access.Principal{Kind: access.Group, Group: "A"}
	was := &model.Backend{Groups: []string{"A"}, APIs: []*access.API{
		{Label: "one", Paths: []*access.Path{accesstest.Restricted(access.ProxyPath, "all", accesstest.ToUsers(access.Read)), accesstest.Restricted("/x", "x", accesstest.ToGuests(access.AllActions...))}},
		{Label: "gone", Paths: []*access.Path{accesstest.Open("/", "root")}},
	}}
	now := &model.Backend{Groups: []string{"A"}, APIs: []*access.API{
		{Label: "one", Paths: []*access.Path{accesstest.Restricted("/x", "y", accesstest.ToGuests(access.Update), accesstest.ToGroup("A", access.Read)), accesstest.Restricted(access.ProxyPath, "every", accesstest.ToUsers(access.Read, access.Create), accesstest.ToGroup("A", access.Read))}},
	}}
	want := []access.Difference{
		{API: "one", Path: "/x", Below: true, Who: group, Gained: true, Actions: access.ActionSet(access.Read), Methods: []string{"GET", "HEAD"}, Raw: "/x", Function: "y"},
		{API: "one", Path: "/{proxy+}", Who: user, Gained: true, Actions: access.ActionSet(access.Create), Methods: []string{"POST"}, Raw: "/1", Function: "every"},
		{API: "one", Path: "/x", Below: true, Who: guest, Actions: access.ActionSet(access.Create, access.Read, access.Delete), Methods: []string{"POST", "GET", "HEAD", "DELETE"}, Raw: "/x", Function: "x"},
		{API: "gone", Path: "/", Below: true, Who: guest, Actions: access.EveryAction, Methods: []string{"POST", "GET", "HEAD", "PUT", "PATCH", "DELETE"}, Raw: "/", Function: "root"},
		{API: "gone", Path: "/", Below: true, Who: user, Actions: access.EveryAction, Methods: []string{"POST", "GET", "HEAD", "PUT", "PATCH", "DELETE"}, Raw: "/", Function: "root"},
	}
	found, complete := access.Compare(was.Gate(), now.Gate())
	if diff := cmp.Diff(want, found); diff != "" || !complete {
		t.Errorf("complete: %v\n%s", complete, diff)
	}
}

func TestDifferencesOfWhatWasServedAreKept(t *testing.T) {
	t.Parallel()
	was := &model.Backend{APIs: []*access.API{accesstest.Shop(accesstest.Restricted("/old", "f", accesstest.ToUsers(access.Read))), {Label: "two", Paths: []*access.Path{accesstest.Restricted("/a", "f")}}}}
	now := &model.Backend{APIs: []*access.API{
		accesstest.Shop(accesstest.Open("/old", "f"), accesstest.Open("/new", "f")),
		{Label: "two", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read)), accesstest.Restricted("/b", "f", accesstest.ToUsers(access.Read))}},
		{Label: "three", Paths: []*access.Path{accesstest.Open("/old", "f")}},
	}}
	all := differences(was, now)
	var served []string
	for _, d := range access.OfServed(all, was.Gate()) {
		served = append(served, d.String())
	}
	want := []string{
		"API shop: everybody may now do everything under /old (POST /old)",
		"API two: signed-in users may now read under /a (GET /a)",
	}
	if len(all) != 5 || !slices.Equal(served, want) {
		t.Errorf("of %d differences these are of what was served:\n%q\nwant\n%q", len(all), served, want)
	}
	if got := access.OfServed(all, access.Gate{}); got != nil {
		t.Errorf("nothing was served, but for %v", got)
	}
}

func TestADifferenceIsSaidBetweenTwoPlaces(t *testing.T) {
	t.Parallel()
	was := &model.Backend{Groups: []string{"A", "B"}, APIs: []*access.API{accesstest.Shop(accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read, access.Create)), accesstest.Open("/b", "f"), accesstest.Restricted("/c", "f", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.Delete)))}}
	now := &model.Backend{Groups: []string{"B", "A"}, APIs: []*access.API{accesstest.Shop(accesstest.Open("/a", "f"), accesstest.Restricted("/b", "f", accesstest.ToGuests(access.AllActions...), accesstest.ToUsers(access.AllActions...)), accesstest.Restricted("/c", "f", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.Delete)))}}
	var got []string
	for _, d := range differences(was, now) {
		got = append(got, d.Between("dev", "prod"))
	}
	want := []string{
		"everybody may do everything under /a in prod and not in dev (POST /a)",
		"members of both B and A may delete under /c in prod and not in dev (DELETE /c)",
		"callers without credentials may create, read, update and delete under /b in dev and not in prod (POST /b)",
		"members of both B and A may read under /c in dev and not in prod (GET /c)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheRoutersOfABackendAreThoseOfItsAPIs(t *testing.T) {
	t.Parallel()
	no := false
	b := &model.Backend{
		Groups: []string{"B", "A"}, Auth: &model.Auth{UnauthenticatedIdentitiesEnabled: &no},
		APIs: []*access.API{
			{Label: "one", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B"), accesstest.ToGuests(access.Read))}},
			{Label: "two", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A"), accesstest.ToGroup("B", access.Read), accesstest.ToGroup("C", access.Read))}},
		},
	}
	routers := b.Routers()
	if routers("three") != nil || b.Router("three") != nil {
		t.Error("an API that is not there has a router")
	}
	for range 2 {
		for _, label := range []string{"one", "two"} {
			for _, caller := range []access.Caller{{}, {SignedIn: true}, {SignedIn: true, Groups: []string{"A", "B"}}, {SignedIn: true, Groups: []string{"C", "A"}}} {
				got, want := routers(label).Decide(caller, "GET", "/a"), b.Router(label).Decide(caller, "GET", "/a")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %+v: %s", label, caller, diff)
				}
			}
		}
	}
	if first, second := routers("one"), routers("one"); first != second {
		t.Error("the router is made twice")
	}
}
