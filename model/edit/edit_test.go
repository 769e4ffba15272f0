package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAPathIsAddedChangedInPlaceAndRemoved(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"), accesstest.Open("/b", "f"))
	modeltest.Must(t, edit.AddPath(b, "shop", accesstest.Open("/c", "f")))
	modeltest.Must(t, edit.UpdatePath(b, "shop", "/b", accesstest.Open("/b2", "f")))
	if got := modeltest.PathNames(b.API("shop")); !slices.Equal(got, []string{"/a", "/b2", "/c"}) {
		t.Fatalf("paths are %v", got)
	}
	modeltest.Must(t, edit.RemovePath(b, "shop", "/a"))
	modeltest.Must(t, edit.RemovePath(b, "shop", "/b2"))
	err := edit.RemovePath(b, "shop", "/c")
	if !errors.Is(err, model.ErrLastPath) || err.Error() != "path /c of the API shop: is the only path of its API; remove the API shop instead" {
		t.Fatalf("removing the last path: %v", err)
	}
}

func TestConflictsAreRefusedInBothDirections(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, second, want string }{
		{"/u/{id}/x", "/u/{name}/y", "path %s of the API shop: has the variable {%s} where %s has {%s}; write {%s} in both"},
		{"/u/{id}", "/u/{name}", ""},
		{"/book/{isbn}", "/book/{id}/pages", ""},
	} {
		for _, order := range [][2]string{{tt.first, tt.second}, {tt.second, tt.first}} {
			b := modeltest.Backend(t, nil, accesstest.Open(order[0], "f"))
			err := edit.AddPath(b, "shop", accesstest.Open(order[1], "f"))
			if err == nil {
				t.Errorf("%s beside %s is accepted", order[1], order[0])
				continue
			}
			if line := err.Error(); !strings.Contains(line, order[0]) || !strings.Contains(line, order[1]) || !strings.Contains(line, "in both") {
				t.Errorf("the error does not name both paths and a fix: %s", line)
			}
		}
	}
	b := modeltest.Backend(t, nil, accesstest.Open("/items", "f"))
	for path, want := range map[string]string{
		"/items": "path: /items exists already; choose another name, or update the existing one",
		"/Items": "path: /Items differs from /items only in case; choose another name, or update the existing one",
	} {
		if err := edit.AddPath(b, "shop", accesstest.Open(path, "f")); err == nil || err.Error() != want {
			t.Errorf("adding %s: %v", path, err)
		}
	}
}

func TestAPathForAListBesideAPathForAnItemIsExplained(t *testing.T) {
	t.Parallel()
	for _, paths := range [][]*access.Path{
		{accesstest.Open("/book", "list"), accesstest.Open("/book/{isbn}", "one")},
		{accesstest.Open("/book/{isbn}", "one"), accesstest.Open("/book", "list")},
	} {
		b := modeltest.Backend(t, nil, paths...)
		want := []string{"path /book/{isbn} of the API shop: serves everything below /book: /book/1 and /book/object/1 go to function one, no longer to list; leave it if that is meant"}
		if got := modeltest.Texts(check.Backend(b), model.Warning, access.RuleOpen); !slices.Equal(got, want) {
			t.Errorf("warnings are %q", got)
		}
	}
}

func TestTheOwnAccessOfALowerPathIsAWarning(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"},
		accesstest.Restricted("/admin", "f", accesstest.ToGroup("Admins", access.AllActions...)),
		accesstest.Restricted("/admin/news", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...)))
	want := []string{"path /admin/news of the API shop: has its own rule below /admin, and its own rule applies: guests gain read, signed-in users gain read; leave it if that is meant"}
	if got := modeltest.Texts(check.Backend(b), model.Warning, access.RuleSharedFunction); !slices.Equal(got, want) {
		t.Errorf("warnings are %q", got)
	}
}

func TestAnEditThatFailsChangesNothing(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Open("/a", "f"))
	for name, edit := range map[string]func(*model.Backend) error{
		"unknown api":      func(b *model.Backend) error { return edit.AddPath(b, "shp", accesstest.Open("/b", "f")) },
		"unknown function": func(b *model.Backend) error { return edit.AddPath(b, "shop", accesstest.Open("/b", "g")) },
		"no action": func(b *model.Backend) error {
			return edit.AddPath(b, "shop", accesstest.Restricted("/b", "f", accesstest.ToUsers()))
		},
		"nobody": func(b *model.Backend) error { return edit.AddPath(b, "shop", accesstest.Restricted("/b", "f")) },
		"unknown group": func(b *model.Backend) error {
			return edit.AddPath(b, "shop", accesstest.Restricted("/b", "f", accesstest.ToGroup("Admin", access.Read)))
		},
		"guest under private": func(b *model.Backend) error {
			p := accesstest.Restricted("/b", "f", accesstest.ToGuests(access.Read))
			p.Access.Setting = access.Private
			return edit.AddPath(b, "shop", p)
		},
		"second api":   func(b *model.Backend) error { return edit.AddAPI(b, &access.API{Label: "SHOP"}) },
		"second group": func(b *model.Backend) error { return edit.AddGroup(b, "admins") },
		"function in use": func(b *model.Backend) error {
			return edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "f"}, false)
		},
		"bad timeout": func(b *model.Backend) error {
			f := modeltest.Function("g")
			f.Timeout = 901
			return edit.AddFunction(b, f)
		},
		"conflicting output": func(b *model.Backend) error {
			return edit.AddOutput(b, model.Outputs{"storage": map[string]any{"bucket": "x"}})
		},
	} {
		before := modeltest.Dump(t, b)
		err := edit(b)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if line := err.Error(); strings.Contains(line, "\n") || !strings.Contains(line, "; ") {
			t.Errorf("%s: the error is not one line with a fix: %q", name, line)
		}
		if modeltest.Dump(t, b) != before {
			t.Errorf("%s: the failed edit changed the backend", name)
		}
	}
}

func TestRenamingRewritesEveryReference(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Restricted("/a", "f", accesstest.ToGroup("Admins", access.Read)), accesstest.Open("/b", "g"))
	modeltest.Must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	user := modeltest.Function("user")
	user.Table = "items"
	user.Access = []model.ResourceAccess{{Resource: "table/items", Actions: access.EveryAction}, {Resource: "api/shop", Actions: access.EveryAction}, {Resource: "function/f", Actions: access.EveryAction}}
	modeltest.Must(t, edit.AddFunction(b, user))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{
		Name: "dev", Provider: model.Local, APIs: []string{"shop"},
		Variables: []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "A", Value: "1"}}}},
	}))
	for _, r := range []struct {
		of model.Ref
		to string
	}{
		{model.Ref{Kind: model.KindFunction, Name: "f"}, "f2"},
		{model.Ref{Kind: model.KindGroup, Name: "Admins"}, "Chiefs"},
		{model.Ref{Kind: model.KindTable, Name: "items"}, "things"},
		{model.Ref{Kind: model.KindAPI, Name: "shop"}, "store"},
		{model.Ref{Kind: model.KindPath, API: "store", Name: "/a"}, "/a2"},
		{model.Ref{Kind: model.KindEnvironment, Name: "dev"}, "test"},
	} {
		modeltest.Must(t, edit.Rename(b, r.of, r.to))
	}
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Fatalf("after the renames: %q", got)
	}
	text := modeltest.Dump(t, b)
	for _, old := range []string{`"f"`, "Admins", "table/items", `"items"`, "shop", `"/a"`, "dev", "function/f\""} {
		if strings.Contains(text, old) {
			t.Errorf("%s is still named in %s", old, text)
		}
	}
}

func TestRemovingNamesTheUsesAndCascades(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Restricted("/a", "f", accesstest.ToGroup("Admins", access.Read)), accesstest.Open("/b", "g"))
	of := model.Ref{Kind: model.KindFunction, Name: "f"}
	err := edit.Remove(b, of, false)
	if !errors.Is(err, model.ErrInUse) || !strings.Contains(err.Error(), "is used by path /a of the API shop") {
		t.Fatalf("removing a function in use: %v", err)
	}
	modeltest.Must(t, edit.Remove(b, of, true))
	if got := modeltest.PathNames(b.API("shop")); !slices.Equal(got, []string{"/b"}) || b.Function("f") != nil {
		t.Fatalf("paths are %v", got)
	}
	modeltest.Must(t, edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "g"}, true))
	if b.API("shop") != nil {
		t.Fatal("an API without paths was not removed")
	}
}
