package access_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

// differences are those of two backends.
func differences(was, now *model.Backend) []access.Difference {
	all, _ := access.Compare(was.Gate(), now.Gate())
	return all
}

// sentences compares two backends, and returns the differences in words.
func sentences(was, now *model.Backend) []string {
	return access.Sentences(differences(was, now), len(now.APIs))
}

func TestCompareSaysWhoMayDoWhatWhere(t *testing.T) {
	t.Parallel()
	no, groups := false, []string{"Admins", "Editors"}
	api := func(paths ...*access.Path) *model.Backend {
		return &model.Backend{Groups: groups, APIs: []*access.API{{Label: "shop", Paths: paths}}}
	}
	guestless := func(b *model.Backend) *model.Backend {
		b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &no}
		return b
	}
	ordered := func(b *model.Backend, groups ...string) *model.Backend {
		b.Groups = groups
		return b
	}
	books := accesstest.Restricted("/books", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Editors", access.AllActions...))
	everything := accesstest.Restricted("/all", "f", accesstest.ToGuests(access.AllActions...), accesstest.ToUsers(access.AllActions...))
	for name, tt := range map[string]struct {
		was, now *model.Backend
		want     []string
	}{
		"the same": {api(books), api(books), nil},
		"an entry": {
			api(books), api(accesstest.Restricted("/books", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read, access.Update), accesstest.ToGroup("Editors", access.Read, access.Create))),
			[]string{
				"guests may now update under /books (PUT /books)",
				"members of Editors may no longer update and delete under /books (PUT /books)",
			},
		},
		"another variable": {api(accesstest.Open("/books/{id}", "f")), api(accesstest.Open("/books/{isbn}", "f")), nil},
		"a new API": {
			&model.Backend{}, api(accesstest.Open("/books/{id}", "f")),
			[]string{"everybody may now do everything under /books/{id} (POST /books/1)"},
		},
		"a path that takes what is below another": {
			api(books), api(books, accesstest.Restricted("/books/{id}", "f", accesstest.ToUsers(access.Read))),
			[]string{
				"guests may no longer read under /books/{id} (GET /books/1)",
				"members of Editors may no longer create, update and delete under /books/{id} (POST /books/1)",
			},
		},
		"a path beside a variable": {
			api(accesstest.Restricted("/u/{id}", "f", accesstest.ToUsers(access.Read)), accesstest.Restricted("/u/{id}/secret", "f")),
			api(accesstest.Restricted("/u/{id}", "f", accesstest.ToUsers(access.Read)), accesstest.Restricted("/u/{id}/secret", "f"), accesstest.Restricted("/u/me", "f", accesstest.ToUsers(access.Read))),
			[]string{"signed-in users may now read under /u/me/secret (GET /u/me/secret)"},
		},
		"a path above a variable": {
			api(books, accesstest.Open("/books/{id}", "f")), api(accesstest.Open("/books", "f"), accesstest.Open("/books/{id}", "f")),
			[]string{"everybody may now do everything at /books (POST /books)"},
		},
		"what guests could do already is opened to those who sign nothing": {
			api(everything), api(accesstest.Open("/all", "f")),
			[]string{"everybody may now do everything under /all (POST /all)"},
		},
		"what is open is closed to those who sign nothing": {
			api(accesstest.Open("/all", "f")), api(everything),
			[]string{"callers without credentials may no longer create, read, update and delete under /all (POST /all)"},
		},
		"what is open is closed": {
			api(accesstest.Open("/all", "f")), api(accesstest.Restricted("/all", "f", accesstest.ToUsers(access.AllActions...))),
			[]string{"guests may no longer create, read, update and delete under /all (POST /all)"},
		},
		"guests without an identity": {api(books), guestless(api(books)), []string{"guests may no longer read under /books (GET /books)"}},
		"the reserved path": {
			api(), api(accesstest.Restricted(access.ProxyPath, "f", accesstest.ToGroup("Admins", access.Create))),
			[]string{"members of Admins may now create below / (POST /1)"},
		},
		"the order of groups": {
			api(books), ordered(api(books), "Editors", "Admins"),
			[]string{"members of both Editors and Admins may now create, update and delete under /books (POST /books)"},
		},
		"a group that leaves the pool": {
			api(books), ordered(api(books), "Editors"),
			[]string{"members of both Editors and Admins may now create, update and delete under /books (POST /books)"},
		},
		"a group at the end of the pool": {api(books), ordered(api(books), "Admins", "Editors", "Readers"), nil},
		"a name that a terminal might obey": {
			api(), api(accesstest.Restricted("/\x1b[2J", "f", accesstest.ToGroup("a b", access.Read))),
			[]string{`members of "a b" may now read under "/\x1b[2J" (GET "/\x1b[2J")`},
		},
	} {
		if got := sentences(tt.was, tt.now); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, tt.want)
		}
	}
}

func TestTheEffectOfADifferenceNamesTheRequestAndTheFunction(t *testing.T) {
	t.Parallel()
	api := func(groups []string, paths ...*access.Path) *model.Backend {
		return &model.Backend{Groups: groups, APIs: []*access.API{{Label: "shop", Paths: paths}}}
	}
	one, two := []string{"A", "B"}, []string{"B", "A"}
	books := accesstest.Restricted("/books", "books", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.AllActions...))
	for want, sides := range map[string][2]*model.Backend{
		"PUT /books by a guest: 403 before, served by books now": {
			api(one, books), api(one, accesstest.Restricted("/books", "books", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.AllActions...), accesstest.ToGuests(access.Update))),
		},
		"POST /books by a guest: served by books before, 403 now":                  {api(one, accesstest.Open("/books", "books")), api(one, accesstest.Restricted("/books", "f", accesstest.ToUsers(access.AllActions...)))},
		"POST /books by anybody: 403 before, served by books now":                  {api(one), api(one, accesstest.Open("/books", "books"))},
		"POST /books by a member of both B and A: 403 before, served by books now": {api(one, books), api(two, books)},
		"POST / by a signed-in user: 403 before, served by all now":                {api(one), api(one, accesstest.Restricted("/", "all", accesstest.ToUsers(access.Create)))},
		`PUT /x by a member of both "b b" and "a\a": 403 before, served by f now`: {
			api([]string{"a\a", "b b"}, accesstest.Restricted("/x", "f", accesstest.ToGroup("a\a"), accesstest.ToGroup("b b", access.Update))), api([]string{"b b", "a\a"}, accesstest.Restricted("/x", "f", accesstest.ToGroup("a\a"), accesstest.ToGroup("b b", access.Update))),
		},
		"DELETE /books by a member of B: served by books before, 403 now":            {api(one, books), api(one, accesstest.Restricted("/books", "books", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.Create, access.Read, access.Update)))},
		"POST /1 by a caller without credentials: served by books before, 403 now":   {api(one, accesstest.Open("/{x}", "books")), api(one, accesstest.Restricted("/{x}", "books", accesstest.ToGuests(access.AllActions...), accesstest.ToUsers(access.AllActions...)))},
		"POST /books/1 by a signed-in user: 403 before, served by \"two words\" now": {api(one), api(one, accesstest.Restricted("/books/{id}", "two words", accesstest.ToUsers(access.Create)))},
	} {
		found := differences(sides[0], sides[1])
		if len(found) != 1 || found[0].Effect() != want {
			t.Errorf("%s is the effect of %d differences, wanted %s", differenceEffects(found), len(found), want)
		}
	}
}

func differenceEffects(found []access.Difference) (all []string) {
	for _, d := range found {
		all = append(all, d.Effect())
	}
	return all
}

func TestCompareOfSeveralAPIsNamesThem(t *testing.T) {
	t.Parallel()
	was := &model.Backend{APIs: []*access.API{{Label: "a", Paths: []*access.Path{accesstest.Restricted("/x", "f", accesstest.ToUsers(access.Read))}}, {Label: "b"}}}
	now := &model.Backend{APIs: []*access.API{{Label: "a"}, {Label: "b", Paths: []*access.Path{accesstest.Restricted("/x", "f", accesstest.ToUsers(access.Read))}}}}
	want := []string{"API b: signed-in users may now read under /x (GET /x)", "API a: signed-in users may no longer read under /x (GET /x)"}
	if got := sentences(was, now); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := access.Count(differences(was, now)); got != "1 more open, 1 less open" {
		t.Errorf("the sum is %q", got)
	}
	if got := access.Count(nil); got != "" {
		t.Errorf("the sum of nothing is %q", got)
	}
}

func TestCompareWithNoBackendIsCompareWithAnEmptyOne(t *testing.T) {
	t.Parallel()
	b := accesstest.ManyPaths(12)
	if got, want := len(differences(nil, b)), len(differences(&model.Backend{}, b)); got != want || got == 0 {
		t.Errorf("%d differences, and %d from an empty one", got, want)
	}
	if got := access.Count(differences(b, nil)); got == "" {
		t.Error("nothing is lost")
	}
}

// manyGroups returns a backend of many paths, and groups of which each path names some.
func manyGroups(paths, groups int) *model.Backend {
	b := &model.Backend{}
	for i := range groups {
		b.Groups = append(b.Groups, fmt.Sprintf("group%d", i))
	}
	api := accesstest.Shop()
	for i := range paths {
		p := accesstest.Restricted(fmt.Sprintf("/area%d/{id}/thing%d", i%100, i), "f", accesstest.ToUsers(access.Read))
		for j := range 5 {
			p.Access.Grants = append(p.Access.Grants, accesstest.ToGroup(b.Groups[(i+j)%groups], access.AllActions[:1+(i+j)%4]...))
		}
		api.Paths = append(api.Paths, p)
	}
	b.APIs = []*access.API{api}
	return b
}

func TestOneChangedPathAndOneNewPathOfManyAreFound(t *testing.T) {
	t.Parallel()
	was, now := manyGroups(2000, 20), manyGroups(2000, 20)
	api := now.APIs[0]
	api.Paths[1000].Access = api.Paths[1000].Access.With(access.Principal{Kind: access.Authenticated}, access.ActionSet(access.Read, access.Delete))
	api.Paths = append(api.Paths, accesstest.Restricted("/area1/{id}/new", "f", accesstest.ToUsers(access.Read)))
	if got := differences(was, now); len(got) != 2 {
		t.Fatalf("%d differences: %.500s", len(got), differenceLines(got))
	}
}

// BenchmarkCompare compares two copies of a backend with many paths: one path changed, the
// order of groups changed, all new, or each path given another name.
func BenchmarkCompare(b *testing.B) {
	const paths, groups = 10_000, 20
	was, one, turned, renamed := manyGroups(paths, groups), manyGroups(paths, groups), manyGroups(paths, groups), manyGroups(paths, groups)
	one.APIs[0].Paths[paths/2].Access = accesstest.Restricted("", "", accesstest.ToGuests(access.Delete)).Access
	slices.Reverse(turned.Groups)
	for _, p := range renamed.APIs[0].Paths {
		p.Name = "/new" + p.Name
	}
	for name, now := range map[string]*model.Backend{"one path changed": one, "groups in another order": turned, "gone": {}, "renamed": renamed} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				access.Compare(was.Gate(), now.Gate())
			}
		})
	}
}

func TestDifferencesThatAreLeftOutAreTold(t *testing.T) {
	t.Parallel()
	backend := func(groups int, turned bool) *model.Backend {
		b := &model.Backend{}
		path := &access.Path{Name: "/books", Function: "books", Access: access.Access{Setting: access.Private}}
		for i := range groups {
			name := fmt.Sprintf("G%03d", i)
			b.Groups = append(b.Groups, name)
			action := access.AllActions[i%len(access.AllActions)]
			path.Access.Grants = append(path.Access.Grants, access.Grant{To: access.Principal{Kind: access.Group, Group: name}, Actions: access.Actions(action)})
		}
		if turned {
			slices.Reverse(b.Groups)
		}
		b.APIs = []*access.API{{Label: "shop", Paths: []*access.Path{path}}}
		return b
	}
	for groups, want := range map[int]bool{20: true, 200: false} {
		if found, complete := access.Compare(backend(groups, false).Gate(), backend(groups, true).Gate()); complete != want || len(found) == 0 {
			t.Errorf("with %d groups in the opposite order there are %d differences, complete: %v", groups, len(found), complete)
		}
	}
}

func TestWhatManyPathsHaveInCommonIsOneSentence(t *testing.T) {
	t.Parallel()
	backend := func(labels ...string) *model.Backend {
		b := &model.Backend{}
		for _, label := range labels {
			api := &access.API{Label: label}
			for i := range 4 {
				api.Paths = append(api.Paths, accesstest.Open(fmt.Sprintf("/p%d", i), "f"))
			}
			b.APIs = append(b.APIs, api)
		}
		return b
	}
	one := backend("shop")
	one.APIs[0].Paths = append(one.APIs[0].Paths, accesstest.Restricted("/alone", "f", accesstest.ToGuests(access.Read)))
	for _, tt := range []struct {
		now  *model.Backend
		want []string
	}{
		{one, []string{"guests may now read under /alone (GET /alone)", "everybody may now do everything on 4 paths: /p0, /p1, /p2 and /p3 (POST /p0)"}},
		{backend("a", "b"), []string{"everybody may now do everything on 8 paths of 2 APIs: /p0, /p1, /p2 and /p3 of a; /p0, /p1, /p2 and /p3 of b (POST /p0)"}},
	} {
		found := differences(nil, tt.now)
		alike := access.Grouped(found)
		if got := access.Words(alike, len(tt.now.APIs)); !slices.Equal(got, tt.want) {
			t.Errorf("%q\nwanted\n%q", got, tt.want)
		}
		n := 0
		for _, together := range alike {
			n += len(together)
		}
		if n != len(found) {
			t.Errorf("%d differences of %d are left", n, len(found))
		}
	}
	two := backend("shop")
	two.APIs[0].Paths = two.APIs[0].Paths[:3]
	if got := access.Words(access.Grouped(differences(nil, two)), 1); len(got) != 3 {
		t.Errorf("a few are told together: %q", got)
	}
}

func TestNoPathThatIsOpenedHidesAmongOthersThatAreAlike(t *testing.T) {
	t.Parallel()
	of := func(n int) *model.Backend {
		api := &access.API{Label: "shop"}
		for i := range n {
			api.Paths = append(api.Paths, accesstest.Open(fmt.Sprintf("/p%d", i), "f"))
		}
		return &model.Backend{APIs: []*access.API{api}}
	}
	const hundred = 100
	for _, n := range []int{4, 7, hundred} {
		words := access.Words(access.Grouped(differences(nil, of(n))), 1)
		for _, p := range of(n).APIs[0].Paths {
			if len(words) != 1 || !strings.Contains(words[0], p.Name+",") && !strings.Contains(words[0], p.Name+" ") {
				t.Errorf("of %d paths %s is not named: %q", n, p.Name, words)
			}
		}
	}
	want := []string{"everybody may now do everything on 101 paths, such as /p0, /p1 and /p2 (POST /p0)"}
	if words := access.Words(access.Grouped(differences(nil, of(hundred+1))), 1); !slices.Equal(words, want) {
		t.Errorf("of more than anybody reads it says %q", words)
	}
	lost := []string{"guests may no longer create, read, update and delete on 7 paths, such as /p0, /p1 and /p2 (POST /p0)"}
	if words := access.Words(access.Grouped(differences(of(7), nil)), 1); len(words) != 2 || words[0] != lost[0] {
		t.Errorf("of what is lost it says %q", words)
	}
}
