package model_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
)

func TestADifferenceHasEveryFieldOfItsRequests(t *testing.T) {
	t.Parallel()
	user, guest, group := model.Principal{Kind: model.Authenticated}, model.Principal{Kind: model.Guest}, model.Principal{Kind: model.Group, Group: "A"}
	was := &model.Backend{Groups: []string{"A"}, APIs: []*model.API{
		{Label: "one", Paths: []*model.Path{restricted(model.ProxyPath, "all", toAuth(model.Read)), restricted("/x", "x", toGuests(model.AllActions...))}},
		{Label: "gone", Paths: []*model.Path{open("/", "root")}},
	}}
	now := &model.Backend{Groups: []string{"A"}, APIs: []*model.API{
		{Label: "one", Paths: []*model.Path{restricted("/x", "y", toGuests(model.Update), toGroup("A", model.Read)), restricted(model.ProxyPath, "every", toAuth(model.Read, model.Create), toGroup("A", model.Read))}},
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
	was := &model.Backend{APIs: []*model.API{shop(restricted("/old", "f", toAuth(model.Read))), {Label: "two", Paths: []*model.Path{restricted("/a", "f")}}}}
	now := &model.Backend{APIs: []*model.API{
		shop(open("/old", "f"), open("/new", "f")),
		{Label: "two", Paths: []*model.Path{restricted("/a", "f", toAuth(model.Read)), restricted("/b", "f", toAuth(model.Read))}},
		{Label: "three", Paths: []*model.Path{open("/old", "f")}},
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
	was := &model.Backend{Groups: []string{"A", "B"}, APIs: []*model.API{shop(restricted("/a", "f", toAuth(model.Read, model.Create)), open("/b", "f"), restricted("/c", "f", toGroup("A", model.Read), toGroup("B", model.Delete)))}}
	now := &model.Backend{Groups: []string{"B", "A"}, APIs: []*model.API{shop(open("/a", "f"), restricted("/b", "f", toGuests(model.AllActions...), toAuth(model.AllActions...)), restricted("/c", "f", toGroup("A", model.Read), toGroup("B", model.Delete)))}}
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
			{Label: "one", Paths: []*model.Path{restricted("/a", "f", toGroup("A", model.Read), toGroup("B"), toGuests(model.Read))}},
			{Label: "two", Paths: []*model.Path{restricted("/a", "f", toGroup("A"), toGroup("B", model.Read), toGroup("C", model.Read))}},
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
