package access_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestTheCallersOfAnActionAreThoseWhomDecideAllows(t *testing.T) {
	t.Parallel()
	groups := []string{"A", "B", "C"}
	rapid.Check(t, func(t *rapid.T) {
		rules := drawnAccess(t, groups)
		guests := rapid.Bool().Draw(t, "guests have an identity")
		path := &access.Path{Name: "/a", Function: "f", Access: rules}
		router := access.NewRouter(accesstest.Shop(path), groups, access.Terms{NoGuests: !guests})
		for _, action := range access.AllActions {
			may := func(c access.Caller) bool { return router.Decide(c, access.Terms{}.Methods(action)[0], "/a").Allowed }
			want := access.Callers{Everybody: may(access.Caller{Stranger: true})}
			if !want.Everybody {
				want.Guests, want.Users = may(access.Caller{}), may(access.Caller{SignedIn: true})
				for _, g := range rules.Grants {
					switch allowed := may(access.Caller{SignedIn: true, Groups: []string{g.To.Group}}); {
					case g.To.Kind != access.Group:
					case allowed:
						want.Groups = append(want.Groups, g.To.Group)
					case want.Users:
						want.Barred = append(want.Barred, g.To.Group)
					}
				}
			}
			if diff := cmp.Diff(want, router.Rules().Callers(path, action)); diff != "" {
				t.Fatalf("%s under %s: %s", action, rules, diff)
			}
		}
	})
}

func TestCallersAreListedInASentence(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]access.Callers{
		"everybody":                           {Everybody: true, Guests: true},
		"nobody":                              {Barred: []string{"A"}},
		"guests":                              {Guests: true},
		"members of A and members of \"B C\"": {Groups: []string{"A", "B C"}},
		"guests, signed-in users and members of Editors, but not members of Interns and members of X": {
			Guests: true, Users: true, Groups: []string{"Editors"}, Barred: []string{"Interns", "X"},
		},
	} {
		if got := c.String(); got != want || c.Nobody() != (want == "nobody") {
			t.Errorf("%+v are %q, nobody: %v", c, got, c.Nobody())
		}
	}
}

func TestEverySetOfActionsHasItsWords(t *testing.T) {
	t.Parallel()
	want := []string{
		"---- nothing|nothing|do nothing",
		"C--- create|create|create",
		"-R-- read|read|read",
		"CR-- create, read|create and read|create and read",
		"--U- update|update|update",
		"C-U- create, update|create and update|create and update",
		"-RU- read, update|read and update|read and update",
		"CRU- create, read, update|everything but delete|do everything but delete",
		"---D delete|delete|delete",
		"C--D create, delete|create and delete|create and delete",
		"-R-D read, delete|read and delete|read and delete",
		"CR-D create, read, delete|everything but update|do everything but update",
		"--UD update, delete|update and delete|update and delete",
		"C-UD create, update, delete|everything but read|do everything but read",
		"-RUD read, update, delete|everything but create|do everything but create",
		"CRUD create, read, update, delete|everything|do everything",
	}
	var got []string
	for set := range access.EveryAction + 1 {
		got = append(got, set.Letters()+" "+set.String()+"|"+set.Phrase()+"|"+set.Verb())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestActionsAreReadFromWordsAndMethods(t *testing.T) {
	t.Parallel()
	words := []string{"create", "read", "update", "delete"}
	for i, action := range access.AllActions {
		if got, ok := access.ParseAction(words[i]); !ok || got != action || action.String() != words[i] {
			t.Errorf("%s is %v, %v", words[i], got, ok)
		}
	}
	for _, word := range []string{"", "Create", "none", "list", "creates"} {
		if got, ok := access.ParseAction(word); ok || got != 0 {
			t.Errorf("%q is %v", word, got)
		}
	}
	var methods []string
	for _, action := range append(slices.Clone(access.AllActions), access.Action(0)) {
		for _, method := range (access.Terms{}).Methods(action) {
			of, ok := access.Terms{}.ActionOf(method)
			if !ok || of != action {
				t.Errorf("%s needs %v", method, of)
			}
			methods = append(methods, method)
		}
	}
	if want := []string{"POST", "GET", "HEAD", "PUT", "PATCH", "DELETE"}; !slices.Equal(methods, want) {
		t.Errorf("the methods are %q", methods)
	}
	for _, method := range []string{"OPTIONS", "TRACE", "get", ""} {
		if of, ok := (access.Terms{}).ActionOf(method); ok || of != 0 {
			t.Errorf("%s needs %v", method, of)
		}
	}
	if got := access.Action(0).String(); got != "none" {
		t.Errorf("no action is %q", got)
	}
}
