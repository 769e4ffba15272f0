package assertion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/assertion"
)

// shop has books that everybody reads, Editors change and Admins delete, an area for Admins, and an
// open path.
func shop() *model.Backend {
	entry := func(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
	}
	return &model.Backend{
		Groups: []string{"Admins", "Editors", "Readers"},
		APIs: []*access.API{{Label: "shop", Paths: []*access.Path{
			{Name: "/books", Function: "books", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
				entry(access.Guest, "", access.Read), entry(access.Authenticated, "", access.Read),
				entry(access.Group, "Editors", access.Read, access.Update), entry(access.Group, "Admins", access.AllActions...),
			}}},
			{Name: "/books/{isbn}/lock", Function: "books", Access: access.Access{Setting: access.Private, Grants: []access.Grant{entry(access.Group, "Admins", access.Update)}}},
			{Name: "/admin", Function: "admin", Access: access.Access{Setting: access.Private, Grants: []access.Grant{entry(access.Group, "Admins", access.AllActions...)}}},
			{Name: "/health", Function: "health", Access: access.Access{Setting: access.Open}},
		}}},
	}
}

func TestTestsAreDecided(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"guests never DELETE /books", "holds"},
		{"guests never DELETE", "guests DELETE /health"},
		{"guests never DELETE except under /health", "holds"},
		{"Editors may PUT /books/*", "members of Editors PUT /books/1/lock"},
		{"Editors may PUT /books/*  except /books/{isbn}/lock and /books/{isbn}/lock/*", "holds"},
		{"Editors may PUT /books and /books/{isbn}", "holds"},
		{"Readers may PUT /books", "members of Readers PUT /books"},
		{"nobody but Admins under /admin", "holds"},
		{"nobody but Editors under /admin", "members of Admins GET /admin"},
		{"nobody but Admins may DELETE", "guests DELETE /health"},
		{"only Admins may DELETE /books", "holds"},
		{"no path is open but /health", "holds"},
		{"no path is open", "guests GET /health"},
		{"no path under /admin is open", "holds"},
		{"no path below /health is open", "guests GET /health/1"},
		{"no path below /health is open but /health", "holds"},
		{"signed-in users may GET /books", "holds"},
		{"signed-in users but Admins and Editors never update under /books", "holds"},
		{"signed-in users in no group never update /books", "holds"},
		{"guests may only read under /books and anything", "error: column 35"},
		{"guests may only read /books/* and /books and /health", "guests POST /health"},
		{"guests may only read under /books", "guests GET /health"},
		{"Editers never DELETE", "error: group Editers: not found; did you mean Editors?"},
		{"guests may GET /bokks", "error: no path serves a request of this test; did you mean /books?"},
		{"guests may GET /books of API shap", "error: API shap: not found; did you mean shop?"},
	} {
		o := assertion.NewChecker(shop()).Check(test.text)
		got := "holds"
		switch {
		case o.Err != nil:
			got = "error: " + o.Err.Error()
		case len(o.Broken) > 0:
			got = o.Broken[0].Who.String() + " " + o.Broken[0].Method + " " + o.Broken[0].Raw
		}
		if got != test.want && !(o.Err != nil && strings.HasPrefix(got, test.want)) {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

func TestAnOpenPathThatServesAnotherIsFound(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"/": "GET /secret", access.ProxyPath: "GET /secret", "/{x}": "GET /secret", "/{x}/{y}": "GET /secret/1"} {
		b := shop()
		b.APIs[0].Paths = append(b.APIs[0].Paths, &access.Path{Name: name, Access: access.Access{Setting: access.Open}})
		o := assertion.NewChecker(b).Check("no path under /secret is open")
		if len(o.Broken) != 1 || o.Broken[0].Method+" "+o.Broken[0].Raw != want || !o.Broken[0].Decision.Allowed {
			t.Errorf("%s: %+v, want %s", name, o, want)
		}
	}
}

func TestATestThatIsAboutNothingSaysSo(t *testing.T) {
	t.Parallel()
	o := assertion.NewChecker(shop()).Check("guests never GET /bokks")
	if !o.Holds() || len(o.Notes) != 1 || o.Notes[0] != "no path serves a request of this test, so it passes whatever the access rules are; did you mean /books?" {
		t.Errorf("%+v", o)
	}
}

func TestMembersOfTwoGroupsAreNoted(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Groups = []string{"Readers", "Admins", "Editors"}
	o := assertion.NewChecker(b).Check("Editors may update /books")
	want := []string{"members of both Editors and Readers act as Readers, and may not PUT /books"}
	if !o.Holds() || !slices.Equal(o.Notes, want) {
		t.Errorf("%q, want %q", o.Notes, want)
	}
}

func TestAWordThatIsAGroupTooIsRefused(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Groups = append(b.Groups, "guests")
	o := assertion.NewChecker(b).Check("guests never DELETE")
	if o.Err == nil || !strings.Contains(o.Err.Error(), "write group:guests for the group, or GUESTS") {
		t.Errorf("%v", o.Err)
	}
	for _, text := range []string{"group:guests never POST", `"guests" never POST`, "GUESTS never POST"} {
		if o := assertion.NewChecker(b).Check(text); o.Err != nil {
			t.Errorf("%s: %v", text, o.Err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	backend := &model.Backend{APIs: []*access.API{{Label: "large"}}}
	for i := range 10_000 {
		backend.APIs[0].Paths = append(backend.APIs[0].Paths, &access.Path{Name: fmt.Sprintf("/a%d/{x}/b%d", i%100, i), Access: access.Access{Setting: access.Private}})
	}
	for b.Loop() {
		if o := assertion.NewChecker(backend).Check("guests never DELETE under /a1"); !o.Holds() {
			b.Fatal(o)
		}
	}
}
