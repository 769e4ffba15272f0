package model_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/accesstest"
)

func TestADifferenceHasEveryFieldOfItsRequests(t *testing.T) {
	t.Parallel()
	user, guest, group := model.Principal{Kind: model.Authenticated}, model.Principal{Kind: model.Guest}, model.Principal{Kind: model.Group, Group: "A"}
	was := &model.Backend{Groups: []string{"A"}, APIs: []*model.API{
		{Label: "one", Paths: []*model.Path{accesstest.Restricted(model.ProxyPath, "all", accesstest.ToUsers(model.Read)), accesstest.Restricted("/x", "x", accesstest.ToGuests(model.AllActions...))}},
		{Label: "gone", Paths: []*model.Path{accesstest.Open("/", "root")}},
	}}
	now := &model.Backend{Groups: []string{"A"}, APIs: []*model.API{
		{Label: "one", Paths: []*model.Path{accesstest.Restricted("/x", "y", accesstest.ToGuests(model.Update), accesstest.ToGroup("A", model.Read)), accesstest.Restricted(model.ProxyPath, "every", accesstest.ToUsers(model.Read, model.Create), accesstest.ToGroup("A", model.Read))}},
	}}
	want := []model.AccessDifference{
		{API: "one", Path: "/x", Below: true, Who: group, Gained: true, Actions: model.ActionSet(model.Read), Methods: []string{"GET", "HEAD"}, Raw: "/x", Function: "y"},
		{API: "one", Path: "/{proxy+}", Who: user, Gained: true, Actions: model.ActionSet(model.Create), Methods: []string{"POST"}, Raw: "/1", Function: "every"},
		{API: "one", Path: "/x", Below: true, Who: guest, Actions: model.ActionSet(model.Create, model.Read, model.Delete), Methods: []string{"POST", "GET", "HEAD", "DELETE"}, Raw: "/x", Function: "x"},
		{API: "gone", Path: "/", Below: true, Who: guest, Actions: model.EveryAction, Methods: []string{"POST", "GET", "HEAD", "PUT", "PATCH", "DELETE"}, Raw: "/", Function: "root"},
		{API: "gone", Path: "/", Below: true, Who: user, Actions: model.EveryAction, Methods: []string{"POST", "GET", "HEAD", "PUT", "PATCH", "DELETE"}, Raw: "/", Function: "root"},
	}
	found, complete := model.Compare(was.Gate(), now.Gate())
	if diff := cmp.Diff(want, found); diff != "" || !complete {
		t.Errorf("complete: %v\n%s", complete, diff)
	}
}

func TestDifferencesOfWhatWasServedAreKept(t *testing.T) {
	t.Parallel()
	was := &model.Backend{APIs: []*model.API{accesstest.Shop(accesstest.Restricted("/old", "f", accesstest.ToUsers(model.Read))), {Label: "two", Paths: []*model.Path{accesstest.Restricted("/a", "f")}}}}
	now := &model.Backend{APIs: []*model.API{
		accesstest.Shop(accesstest.Open("/old", "f"), accesstest.Open("/new", "f")),
		{Label: "two", Paths: []*model.Path{accesstest.Restricted("/a", "f", accesstest.ToUsers(model.Read)), accesstest.Restricted("/b", "f", accesstest.ToUsers(model.Read))}},
		{Label: "three", Paths: []*model.Path{accesstest.Open("/old", "f")}},
	}}
	all := differences(was, now)
	var served []string
	for _, d := range model.OfServed(all, was.Gate()) {
		served = append(served, d.String())
	}
	want := []string{
		"API shop: everybody may now do everything under /old (POST /old)",
		"API two: signed-in users may now read under /a (GET /a)",
	}
	if len(all) != 5 || !slices.Equal(served, want) {
		t.Errorf("of %d differences these are of what was served:\n%q\nwant\n%q", len(all), served, want)
	}
	if got := model.OfServed(all, model.Gate{Guests: true}); got != nil {
		t.Errorf("nothing was served, but for %v", got)
	}
}

func TestADifferenceIsSaidBetweenTwoPlaces(t *testing.T) {
	t.Parallel()
	was := &model.Backend{Groups: []string{"A", "B"}, APIs: []*model.API{accesstest.Shop(accesstest.Restricted("/a", "f", accesstest.ToUsers(model.Read, model.Create)), accesstest.Open("/b", "f"), accesstest.Restricted("/c", "f", accesstest.ToGroup("A", model.Read), accesstest.ToGroup("B", model.Delete)))}}
	now := &model.Backend{Groups: []string{"B", "A"}, APIs: []*model.API{accesstest.Shop(accesstest.Open("/a", "f"), accesstest.Restricted("/b", "f", accesstest.ToGuests(model.AllActions...), accesstest.ToUsers(model.AllActions...)), accesstest.Restricted("/c", "f", accesstest.ToGroup("A", model.Read), accesstest.ToGroup("B", model.Delete)))}}
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
		APIs: []*model.API{
			{Label: "one", Paths: []*model.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A", model.Read), accesstest.ToGroup("B"), accesstest.ToGuests(model.Read))}},
			{Label: "two", Paths: []*model.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A"), accesstest.ToGroup("B", model.Read), accesstest.ToGroup("C", model.Read))}},
		},
	}
	routers := b.Routers()
	if routers("three") != nil || b.Router("three") != nil {
		t.Error("an API that is not there has a router")
	}
	for range 2 {
		for _, label := range []string{"one", "two"} {
			for _, caller := range []model.Caller{{}, {SignedIn: true}, {SignedIn: true, Groups: []string{"A", "B"}}, {SignedIn: true, Groups: []string{"C", "A"}}} {
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
