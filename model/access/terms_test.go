package access_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

// cliTerms are those of a project of the Amplify CLI.
var cliTerms = access.Terms{GroupAlone: true, GetAlone: true, Below: true}

// cliLayout is a layout with these terms.
type cliLayout struct{}

func (cliLayout) Defines(model.Kind) bool { return false }

func (cliLayout) HasMediaTypes() bool { return false }

func (cliLayout) Terms() access.Terms { return cliTerms }

// cliRoles decides as the roles do that the Amplify CLI makes of an API: each caller has one role, and
// that has, for each restricted path and method of an action, the path and the path with /* behind it.
func cliRoles(api *access.API, order []string, guests bool, c access.Caller, method, raw string) bool {
	principal := access.Principal{Kind: access.Guest}
	if c.SignedIn {
		principal = access.Principal{Kind: access.Authenticated}
		for _, group := range slices.Backward(order) {
			if slices.Contains(c.Groups, group) {
				principal = access.Principal{Kind: access.Group, Group: group}
			}
		}
	}
	if c.Stranger || principal.Kind == access.Guest && !guests {
		return false
	}
	methods := map[access.Action][]string{
		access.Create: {"POST"}, access.Read: {"GET"}, access.Update: {"PUT", "PATCH"}, access.Delete: {"DELETE"},
	}
	for _, p := range api.Paths {
		granted, _ := p.Access.Grant(principal)
		if p.Access.Setting == access.Open || principal.Kind == access.Guest && p.Access.Setting != access.Protected {
			continue
		}
		pattern := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(strings.TrimSuffix(p.Name, "/")), ".*")
		for action, names := range methods {
			if granted.Has(action) && slices.Contains(names, method) &&
				regexp.MustCompile("^"+pattern+"(/.*)?$").MatchString("/"+strings.Trim(raw, "/")) {
				return true
			}
		}
	}
	return false
}

func TestInAProjectOfTheAmplifyCLIDecisionsAreThoseOfItsRoles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api, caller := accesstest.API(t), accesstest.Caller(t)
		method, raw := accesstest.Request(t)
		if strings.Contains(raw, "//") || method == "OPTIONS" {
			t.Skip("requests with an empty segment, and the preflight, are not decided by roles")
		}
		order := rapid.Permutation([]string{"A", "B", "C"}).Draw(t, "order")
		terms := cliTerms
		terms.NoGuests = rapid.Bool().Draw(t, "no guests")
		d := access.NewRouter(api, order, terms).Decide(caller, method, raw)
		want := d.Rule == access.OpenToAll
		if route, served := access.NewRouter(api, order, terms).Match(method, raw); served && route.Path.Access.Setting != access.Open {
			want = cliRoles(api, order, !terms.NoGuests, caller, method, raw)
		}
		if d.Allowed != want {
			t.Fatalf("%+v %s %s is %v (%s), and its roles say %v", caller, method, raw, d.Allowed, d.Reason(), want)
		}
	})
}

func TestTheRowsAndCallersOfAPathAreThoseOfItsRoles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api, groups := accesstest.API(t), []string{"C", "A", "B"}
		router := access.NewRouter(api, groups, cliTerms)
		for _, p := range api.Paths {
			raw := access.ExamplePath([]string{p.Name})
			if route, _ := router.Match("GET", raw); route.Path != p || p.Access.Setting == access.Open || crossesVariables(api) {
				continue
			}
			row := router.Rules().Row(p, groups)
			for _, action := range access.AllActions {
				may := func(c access.Caller) bool {
					return cliRoles(api, groups, true, c, cliTerms.Methods(action)[0], raw)
				}
				who := router.Rules().Callers(p, action)
				if row.Guest.Has(action) != may(access.Caller{}) || who.Guests != may(access.Caller{}) {
					t.Fatalf("guests %s under %s: %v and %v", action, p.Name, row.Guest, who)
				}
				if user := (access.Caller{SignedIn: true}); row.Authenticated.Has(action) != may(user) || who.Users != may(user) {
					t.Fatalf("users %s under %s: %v and %v", action, p.Name, row.Authenticated, who)
				}
				for i, group := range groups {
					want := may(access.Caller{SignedIn: true, Groups: []string{group}})
					if row.Groups[i].Actions.Has(action) != want || slices.Contains(who.Groups, group) != want {
						t.Fatalf("%s %s under %s: %v and %v, the roles %v", group, action, p.Name, row.Groups[i], who, want)
					}
				}
			}
		}
	})
}

func TestExplicitAccessDecidesTheSameUnderOurTerms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api, groups := accesstest.API(t), rapid.Permutation([]string{"A", "B", "C"}).Draw(t, "order")
		if crossesVariables(api) {
			t.Skip("a pattern covers some requests of a path and not all")
		}
		terms := cliTerms
		terms.NoGuests = rapid.Bool().Draw(t, "no guests")
		router, own := access.NewRouter(api, groups, terms), &access.API{Label: api.Label}
		for _, p := range api.Paths {
			own.Paths = append(own.Paths, &access.Path{Name: p.Name, Access: router.Rules().Explicit(p, groups)})
		}
		ours := access.NewRouter(own, groups, access.Terms{NoGuests: terms.NoGuests})
		for _, caller := range accesstest.Callers() {
			for range 20 {
				method, raw := accesstest.Request(t)
				if method == "HEAD" {
					continue
				}
				if was, is := router.Decide(caller, method, raw), ours.Decide(caller, method, raw); was.Allowed != is.Allowed {
					t.Fatalf("%+v %s %s: %s, then %s", caller, method, raw, was.Reason(), is.Reason())
				}
			}
		}
	})
}

func TestCompareFindsEveryDecisionThatDiffersUnderOtherTerms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		for _, b := range []*model.Backend{was, now} {
			if rapid.IntRange(0, 3).Draw(t, "own") > 0 {
				b.Layout = cliLayout{}
			}
			b.APIs = slices.DeleteFunc(slices.Clone(b.APIs), crossesVariables)
		}
		found := differences(was, now)
		if unnamed := accesstest.Unnamed(accesstest.SomeRaws(t), was, now, found, false); unnamed != "" {
			t.Fatalf("%s; Compare says\n%s", unnamed, differenceLines(found))
		}
		for _, d := range found {
			for _, method := range d.Methods {
				if can := decide(now, d.API, d.Caller(), method, d.Raw).Allowed; can != d.Gained {
					t.Fatalf("%s: %s is %v", d, method, can)
				}
				if could := decide(was, d.API, d.Caller(), method, d.Raw).Allowed; could == d.Gained {
					t.Fatalf("%s: %s was %v", d, method, could)
				}
			}
		}
	})
}

func TestAHeadThatIsLostWithoutReadIsSaid(t *testing.T) {
	t.Parallel()
	with := func(path *access.Path) *model.Backend {
		b := &model.Backend{Layout: cliLayout{}, APIs: []*access.API{accesstest.Shop(path)}}
		b.Groups = []string{"Editors"}
		return b
	}
	got := sentences(
		with(accesstest.Open("/items", "items")),
		with(accesstest.Restricted("/items", "items", accesstest.ToGroup("Editors", access.Read, access.Delete))),
	)
	want := "members of Editors may no longer create and update, and send HEAD under /items (POST /items)"
	if !slices.Contains(got, want) {
		t.Errorf("it says\n%s", strings.Join(got, "\n"))
	}
}

// crossesVariables reports whether a path of an API has a variable before another segment: a pattern of a
// policy then covers some requests of another path and not all.
func crossesVariables(api *access.API) bool {
	return slices.ContainsFunc(api.Paths, func(p *access.Path) bool {
		return regexp.MustCompile(`\}/`).MatchString(p.Name)
	})
}

func TestDecisionsSayWhatASurprisedReaderAsks(t *testing.T) {
	t.Parallel()
	api := accesstest.Shop(
		accesstest.Restricted("/items", "items", accesstest.ToUsers(access.Read)),
		accesstest.Restricted("/items/admin", "items", accesstest.ToGroup("Editors", access.Delete)),
	)
	router := access.NewRouter(api, []string{"Editors"}, cliTerms)
	for _, tt := range []struct {
		who          access.Caller
		method, path string
		want         string
	}{
		{
			access.Caller{SignedIn: true, Groups: []string{"Editors"}},
			"GET", "/items/1",
			"members of Editors act as Editors only, and /items has no entry for that group",
		},
		{
			access.Caller{SignedIn: true},
			"GET", "/items/admin",
			"signed-in users may read under /items, and in this project callers of /items may call everything below it",
		},
		{
			access.Caller{SignedIn: true},
			"HEAD", "/items/1",
			"in this project read means GET only, and only an open path serves HEAD",
		},
		{access.Caller{SignedIn: true}, "GET", "/items/1", "signed-in users may read under /items"},
	} {
		if got := router.Decide(tt.who, tt.method, tt.path).Reason(); got != tt.want {
			t.Errorf("%s %s: %s\nwant %s", tt.method, tt.path, got, tt.want)
		}
	}
}

func TestAPatternReadBySegmentsCoversWhatTheRolesCover(t *testing.T) {
	t.Parallel()
	others := []*access.Path{accesstest.Restricted("/{x}", "f"), accesstest.Restricted("/a", "f"), accesstest.Restricted("/b", "f")}
	for _, name := range []string{"/a/{id}/b", "/{x}/a", "/a/{id}/{k}/a", "/{x}/{y}/b"} {
		path := accesstest.Restricted(name, "f", accesstest.ToUsers(access.Read))
		router := access.NewRouter(accesstest.Shop(append(others, path)...), nil, cliTerms)
		pattern, covered := router.Patterns()[0], 0
		for _, raw := range accesstest.Raws() {
			if strings.Contains(raw+"/", "//") {
				continue
			}
			state := uint64(1)
			for segment := range strings.SplitSeq(raw[1:], "/") {
				state = pattern.Next(state, segment)
			}
			may := router.Decide(access.Caller{SignedIn: true}, "GET", raw).Allowed
			if may {
				covered++
			}
			if pattern.Covers(state) != may {
				t.Errorf("%s and %s: %v, and %v is decided", name, raw, pattern.Covers(state), may)
			}
		}
		if covered == 0 {
			t.Errorf("%s covers nothing", name)
		}
	}
}
