package access_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAPathBesideAVariableIsReportedWithItsRequests(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Restricted("/users/{id}/secret", "secret", accesstest.ToGroup("Admins", access.Read)), accesstest.Open("/users/me", "me"))
	want := []string{"path /users/me of the API shop: serves /users/me/secret instead of /users/{id}/secret, and its own rule applies: function me gets it, not secret, guests gain create, read, update, delete, signed-in users gain create, read, update, delete, members of Admins gain create, update, delete; add that path with its own rule, or leave it if that is meant"}
	if got := modeltest.Texts(check.Backend(b), model.Warning, access.RuleOpen); !slices.Equal(got, want) {
		t.Errorf("warnings are %q", got)
	}
	modeltest.Must(t, edit.AddPath(b, "shop", accesstest.Restricted("/users/me/secret", "secret", accesstest.ToGroup("Admins", access.Read))))
	if got := modeltest.Texts(check.Backend(b), model.Warning); slices.Contains(got, want[0]) {
		t.Errorf("the path has its own rule now: %q", got)
	}
}

func TestARequestThatAThirdPathServesIsNoExample(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/book", "list"), accesstest.Open("/book/{isbn}", "one"), accesstest.Open("/book/object", "object"), accesstest.Open("/book/1", "first"))
	want := "path /book/{isbn} of the API shop: serves everything below /book: /book/11 goes to function one, no longer to list; leave it if that is meant"
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Contains(got, want) {
		t.Errorf("warnings are %q", got)
	}
}

func TestEveryExampleOfATakeoverChangesHands(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		for _, takeover := range api.Takeovers() {
			without := &access.API{Label: api.Label, Paths: slices.DeleteFunc(slices.Clone(api.Paths), func(p *access.Path) bool { return p == takeover.Below })}
			for _, raw := range takeover.Examples {
				now, _ := access.NewRouter(api, nil, access.Terms{}).Match("GET", raw)
				otherwise, _ := access.NewRouter(without, nil, access.Terms{}).Match("GET", raw)
				if now.Path != takeover.Below || otherwise.Path != takeover.Above {
					t.Fatalf("%s goes to %v, and without it to %v; the takeover is %+v", raw, now.Path, otherwise.Path, takeover)
				}
			}
			if len(takeover.Examples) == 0 {
				t.Fatalf("no example for %+v", takeover)
			}
		}
	})
}

// TestEveryTakeoverIsFound removes each path and matches requests to it again: if another
// path serves them, there is a takeover.
func TestEveryTakeoverIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		_, raw := accesstest.Request(t)
		now, ok := access.NewRouter(api, nil, access.Terms{}).Match("GET", raw)
		if !ok {
			return
		}
		without := &access.API{Label: api.Label, Paths: slices.DeleteFunc(slices.Clone(api.Paths), func(p *access.Path) bool { return p == now.Path })}
		otherwise, ok := access.NewRouter(without, nil, access.Terms{}).Match("GET", raw)
		if ok && !slices.ContainsFunc(api.Takeovers(), func(t access.Takeover) bool { return t.Below == now.Path && t.Above == otherwise.Path }) {
			t.Fatalf("%s is served by %s, and by %s without that; there is no takeover", raw, now.Path.Name, otherwise.Path.Name)
		}
	})
}

func TestCheckAndDecideOrderGroupsAlikeWithoutAPool(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Layout: modeltest.Kept, Functions: []*model.Function{modeltest.Function("f")}}
	modeltest.Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B", access.Update))}}))
	for _, groups := range [][]string{{"A", "B"}, {"B", "A"}} {
		d := b.Router("shop").Decide(access.Caller{SignedIn: true, Groups: groups}, "GET", "/a")
		if !d.Allowed || d.As.Group != "A" {
			t.Errorf("members of %v act as %s", groups, d.As)
		}
	}
	want := "path /a of the API shop: members of both A and B act as A and lose update; order the groups, or grant it to A too"
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Contains(got, want) {
		t.Errorf("warnings are %q", got)
	}
}
