package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/project/disk"
	"gatewright/project/read"
)

// library has an API whose paths differ in who may call them, and an open one.
func library(t *testing.T) *project.Project {
	t.Helper()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	edited(t, p, func(b *model.Backend) error {
		for _, group := range []string{"Admins", "Editors", "Interns"} {
			must(t, edit.AddGroup(b, group))
		}
		must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
		grant := func(to access.Principal, actions ...access.Action) access.Grant {
			return access.Grant{To: to, Actions: access.ActionSet(actions...)}
		}
		group := func(name string) access.Principal { return access.Principal{Kind: access.Group, Group: name} }
		users, guests := access.Principal{Kind: access.Authenticated}, access.Principal{Kind: access.Guest}
		return edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
			{Name: "/books", Function: "f", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
				grant(users, access.Read, access.Create), grant(guests, access.Read), grant(group("Admins"), access.AllActions...), grant(group("Editors"), access.Read),
			}}},
			{Name: "/open", Function: "f", Access: access.Access{Setting: access.Open}},
		}})
	})
	return load(t, fsys, project.Native)
}

// TestNobodyIsGivenAnEntryThatAllowsNothing takes the only action away from a group that has it as signed-in
// users do.
func TestNobodyIsGivenAnEntryThatAllowsNothing(t *testing.T) {
	t.Parallel()
	p := library(t)
	users := access.Principal{Kind: access.Authenticated}
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		return edit.AddPath(b, "shop", &access.Path{Name: "/notes", Function: "f", Access: access.Access{
			Setting: access.Protected, Grants: []access.Grant{
				{To: users, Actions: access.ActionSet(access.Read)}, {To: access.Principal{Kind: access.Guest}, Actions: access.ActionSet(access.Read)},
			},
		}})
	})
	r := answer.Tests(p, next, []project.AccessTest{{Text: "group:Interns never GET at /notes", Line: 3, Column: 5}})
	if got := r.Tests[0].Commands(); r.Tests[0].Holds || got != "gatewright update path shop /notes --no-auth" {
		t.Errorf("it is mended with %q", got)
	}
}

// TestAMendHasAsManyStepsAsAreTried takes the guests' entry from each of a few paths, and from none of many.
func TestAMendHasAsManyStepsAsAreTried(t *testing.T) {
	t.Parallel()
	p := library(t)
	read := access.Access{Setting: access.Protected, Grants: []access.Grant{
		{To: access.Principal{Kind: access.Authenticated}, Actions: access.ActionSet(access.Read)},
		{To: access.Principal{Kind: access.Guest}, Actions: access.ActionSet(access.Read)},
	}}
	b := p.Backend
	for n, want := range []int{0, 1, 2, 3, 4, 5, 0, 0} {
		r := answer.Tests(p, b, []project.AccessTest{{Text: "guests never GET under /shelves"}})
		if got := len(r.Tests[0].Mend); got != want || len(r.Tests[0].Cases) != n {
			t.Errorf("%d paths are mended with %q", n, r.Tests[0].Mend)
		}
		b = mustEdit(t, b, func(b *model.Backend) error {
			return edit.AddPath(b, "shop", &access.Path{Name: "/shelves/" + strings.Repeat("a", n+1), Function: "f", Access: read})
		})
	}
}

func TestATestThatIsBrokenHasItsCasesPlacesAndTheCommandsThatMendIt(t *testing.T) {
	t.Parallel()
	p := library(t)
	const file = "backend/api/shop/cli-inputs.json"
	r := answer.Tests(p, p.Backend, []project.AccessTest{
		{Text: "group:Admins may GET at /books", Line: 3, Column: 5},
		{Text: "guests never GET at /books", Line: 4, Column: 5},
		{Text: "group:Interns never GET at /books", Line: 5, Column: 5},
		{Text: "group:Admins never GET at /books", Line: 6, Column: 5},
		{Text: "group:Editors never GET at /books", Line: 7, Column: 5},
		{Text: "group:Editors may POST at /books", Line: 8, Column: 5},
		{Text: "nobody but group:Admins may GET at /open", Line: 9, Column: 5},
		{Text: "guests may", Line: 10, Column: 5},
	})
	var got []string
	for _, tested := range r.Tests {
		got = append(got, tested.Place()+" "+tested.Test+": "+strings.Join([]string{map[bool]string{true: "holds", false: "does not hold"}[tested.Holds], tested.Commands()}, ", "))
		for _, c := range tested.Cases {
			allowed := map[bool]string{true: "yes", false: "no"}[c.Allowed]
			got = append(got, "  "+strings.Join([]string{c.Who, c.Method, c.Path, c.API, c.Resource, c.Function, allowed, c.Rule, c.Reason}, "|"))
			if c.File != file || c.Line == 0 || c.Place() != (&read.Problem{File: c.File, Line: c.Line, Column: c.Column}).Place() {
				t.Errorf("%s is decided at %s", tested.Test, c.Place())
			}
		}
	}
	want := []string{
		"access.test.json:3:5 group:Admins may GET at /books: holds, ",
		"access.test.json:4:5 guests never GET at /books: does not hold, gatewright update path shop /books --no-guest",
		"  guest|GET|/books|shop|/books|f|yes|guest|guests may read under /books",
		"access.test.json:5:5 group:Interns never GET at /books: does not hold, gatewright update path shop /books --group Interns=create",
		"  group:Interns|GET|/books|shop|/books|f|yes|authenticated|signed-in users may read under /books",
		// Another test wants it.
		"access.test.json:6:5 group:Admins never GET at /books: does not hold, ",
		"  group:Admins|GET|/books|shop|/books|f|yes|group|members of Admins may read under /books",
		// Without their entry they would read as any signed-in user does.
		"access.test.json:7:5 group:Editors never GET at /books: does not hold, ",
		"  group:Editors|GET|/books|shop|/books|f|yes|group|members of Editors may read under /books",
		"access.test.json:8:5 group:Editors may POST at /books: does not hold, gatewright update path shop /books --group Editors=create,read",
		"  group:Editors|POST|/books|shop|/books|f|no|group|members of Editors may not create under /books",
		"access.test.json:9:5 nobody but group:Admins may GET at /open: does not hold, gatewright update path shop /open --group Admins=all",
		"  guest|GET|/open|shop|/open|f|yes|open|/open is open to everybody",
		"  authenticated|GET|/open|shop|/open|f|yes|open|/open is open to everybody",
		"  group:Editors|GET|/open|shop|/open|f|yes|open|/open is open to everybody",
		"  group:Interns|GET|/open|shop|/open|f|yes|open|/open is open to everybody",
		"access.test.json:10:5 guests may: does not hold, gatewright update path shop /books --guest all",
		"  guest|POST|/books|shop|/books|f|no|guest|guests may not create under /books",
		"  guest|PUT|/books|shop|/books|f|no|guest|guests may not update under /books",
		"  guest|DELETE|/books|shop|/books|f|no|guest|guests may not delete under /books",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s", diff)
	}
	if got, want := r.Summary(), "8 access tests: 1 holds, 7 are broken"; got != want || r.Holds() {
		t.Errorf("the sum is %q, want %q", got, want)
	}
	for want, r := range map[string]answer.TestReport{
		"no access tests":         {},
		"1 access test passes":    {Held: 1, Tests: make([]answer.Tested, 1)},
		"all 3 access tests hold": {Held: 3, Tests: make([]answer.Tested, 3)},
		"4 access tests: 1 holds, 2 are broken, 1 cannot be decided": {Held: 1, Broken: 2, Unclear: 1, Tests: make([]answer.Tested, 4)},
		"1 access test: 1 cannot be decided":                         {Unclear: 1, Tests: make([]answer.Tested, 1)},
		"3 access tests: 2 hold, 1 is broken":                        {Held: 2, Broken: 1, Tests: make([]answer.Tested, 3)},
	} {
		if got := r.Summary(); got != want {
			t.Errorf("the sum is %q, want %q", got, want)
		}
	}
}

func TestAnAnswerHasEveryFieldOfItsDecision(t *testing.T) {
	t.Parallel()
	b := library(t).Backend
	for _, tt := range []struct {
		who, method, path string
		want              answer.Answer
		sentence, facts   string
	}{
		{
			"group:Editors,Admins", "GET", "/books/1",
			answer.Answer{
				Allowed: true, Rule: "group", Reason: "members of Admins may read under /books", API: "shop", Path: "/books", Resource: "/books/{proxy+}", Function: "f", Action: "read",
				Groups: []string{"Admins", "Editors"}, ActsAs: "group:Admins", IdleGroups: []string{"Editors"}, Changes: [][]string{}, Nearest: []string{}, Notes: []string{},
			},
			"yes: members of Admins may read under /books",
			"api=shop|route=/books/{proxy+}, of the path /books|function=f|acts as=members of Admins, the first in order of the caller's groups; Editors has no effect here",
		},
		{
			"group:Interns", "DELETE", "/books",
			answer.Answer{
				Rule: "authenticated", Reason: "signed-in users may not delete under /books", API: "shop", Path: "/books", Resource: "/books", Function: "f", Action: "delete",
				Groups: []string{"Interns"}, ActsAs: "authenticated", IdleGroups: []string{}, Nearest: []string{}, Notes: []string{},
				Changes: [][]string{{"gatewright update path shop /books --group Interns=create,read,delete"}, {"gatewright update path shop /books --auth create,read,delete"}},
			},
			"no: signed-in users may not delete under /books",
			"api=shop|route=/books|function=f|acts as=signed-in users: the path has no entry for Interns",
		},
		{
			"guest", "PURGE", "/books",
			answer.Answer{
				Rule: "noRoute", Reason: "no path serves the method PURGE; there is DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
				Groups: []string{}, IdleGroups: []string{}, Changes: [][]string{}, Nearest: []string{}, Notes: []string{},
			},
			"no: no path serves the method PURGE; there is DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT", "",
		},
		{
			"authenticated", "OPTIONS", "/open",
			answer.Answer{
				Allowed: true, Rule: "preflight", Reason: "the CORS preflight needs no grant", API: "shop", Path: "/open", Resource: "/open", Function: "f",
				Groups: []string{}, IdleGroups: []string{}, Changes: [][]string{}, Nearest: []string{}, Notes: []string{},
			},
			"yes: the CORS preflight needs no grant", "api=shop|route=/open|function=f",
		},
	} {
		who, err := answer.ParseWho(tt.who, b)
		must(t, err)
		a, err := answer.Question{Backend: b, Caller: answer.CallerOf(who, b), Method: tt.method, Path: tt.path, APIs: b.APIs}.Answer()
		must(t, err)
		if diff := cmp.Diff(tt.want, a, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "decision" }, cmp.Ignore())); diff != "" {
			t.Errorf("%s %s %s: %s", tt.who, tt.method, tt.path, diff)
		}
		w := a.Words()
		var facts []string
		for _, fact := range w.Facts {
			facts = append(facts, strings.Join(fact, "="))
		}
		if got := strings.Join(facts, "|"); w.Sentence != tt.sentence || got != tt.facts {
			t.Errorf("%s\n%s\nwant %s\n%s", w.Sentence, got, tt.sentence, tt.facts)
		}
	}
}

func TestAUserInSeveralGroupsIsToldTheMembershipsThatWork(t *testing.T) {
	t.Parallel()
	b := library(t).Backend
	for _, tt := range []struct {
		groups             []string
		name               string
		enabled, confirmed bool
		want               string
	}{
		{nil, "emma", true, true, "gatewright user groups emma --add Admins --env qa|gatewright update path shop /books --auth create,read,delete"},
		{
			[]string{"Editors", "Interns"},
			"-emma", true, true,
			"gatewright update path shop /books --group Editors=read,delete|gatewright user groups --add Admins --env qa -- -emma",
		},
		{[]string{"Admins"}, "emma", true, false, "gatewright user confirm emma --env qa"},
		{[]string{"Admins"}, "emma", false, false, "gatewright user enable emma --env qa"},
		{[]string{"Interns"}, "emma", false, true, "gatewright user enable emma --env qa && gatewright update path shop /books --group Interns=create,read,delete|" +
			"gatewright user enable emma --env qa && gatewright user groups emma --add Admins --env qa|gatewright user enable emma --env qa && gatewright update path shop /books --auth create,read,delete"},
	} {
		who, err := answer.ParseWho("user:"+tt.name, b)
		must(t, err)
		a, err := answer.Question{
			Backend: b, Caller: answer.UserCaller(who, tt.groups, tt.enabled, tt.confirmed, "qa"), Method: "DELETE", Path: "/books", APIs: b.APIs, Environment: "qa",
		}.Answer()
		must(t, err)
		if got := strings.Join(a.Words().Commands, "|"); got != tt.want {
			t.Errorf("%s in %q:\n%s\nwant\n%s", tt.name, tt.groups, got, tt.want)
		}
	}
}
