package diff_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestDiffReportsEveryEdit(t *testing.T) {
	t.Parallel()
	ref := func(kind model.Kind, name string) model.Ref { return model.Ref{Kind: kind, Name: name} }
	path := model.Ref{Kind: model.KindPath, API: "shop", Name: "/free"}
	changedFunction, changedTable := modeltest.Function("f"), table("items", model.Index{Name: "by-at", PartitionKey: model.Key{Name: "at", Type: model.NumberKey}})
	changedFunction.Timeout = 30
	for what, tt := range map[string]struct {
		edit func(b *model.Backend) error
		want []string
	}{
		"SetProject": {
			func(b *model.Backend) error {
				return edit.SetProject(b, model.Project{Name: "p", ApplicationID: "a", Dialect: model.Neutral, Region: "eu-west-1"})
			},
			[]string{"Update environment dev", "  region us-east-1 -> eu-west-1"},
		},
		"AddFunction":    {func(b *model.Backend) error { return edit.AddFunction(b, modeltest.Function("g")) }, []string{"Create function g"}},
		"UpdateFunction": {func(b *model.Backend) error { return edit.UpdateFunction(b, changedFunction) }, []string{"Update function f", "  timeout 25 s -> 30 s"}},
		"AddTable":       {func(b *model.Backend) error { return edit.AddTable(b, table("new")) }, []string{"Create table new"}},
		"UpdateTable":    {func(b *model.Backend) error { return edit.UpdateTable(b, changedTable) }, []string{"Update table items", "  index by-at is new"}},
		"AddEnvironment": {
			func(b *model.Backend) error {
				return edit.AddEnvironment(b, &model.Environment{Name: "qa", Provider: model.Local})
			},
			[]string{"Create environment qa"},
		},
		"UpdateEnvironment": {
			func(b *model.Backend) error {
				return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.AWS})
			},
			[]string{"Update environment dev", "  provider local -> aws"},
		},
		"AddGroup":     {func(b *model.Backend) error { return edit.AddGroup(b, "New") }, []string{"Update auth", "  group New is new"}},
		"AddReadGroup": {func(b *model.Backend) error { return edit.AddReadGroup(b, "é") }, []string{"Update auth", `  group é is new`}},
		"OrderGroups": {
			func(b *model.Backend) error { return edit.OrderGroups(b, []string{"Editors", "Admins"}) },
			[]string{"Update auth", "  groups are in another order: Editors, Admins"},
		},
		"SetAuth": {
			func(b *model.Backend) error { return edit.SetAuth(b, nil) },
			[]string{"Update auth", "  mfa_configuration is gone", "  password_policy is gone", "  username_attributes is gone"},
		},
		"SetData":    {func(b *model.Backend) error { return edit.SetData(b, nil) }, []string{"Delete data"}},
		"SetStorage": {func(b *model.Backend) error { return edit.SetStorage(b, &model.Storage{BucketName: "b"}) }, []string{"Update storage", `  /bucket_name: "files" -> "b"`}},
		"AddAPI": {
			func(b *model.Backend) error {
				return edit.AddAPI(b, &access.API{Label: "new", Paths: []*access.Path{accesstest.Open("/n", "f")}})
			},
			[]string{"Create API new", "  /n is new, served by f (open to everybody)"},
		},
		"UpdateAPI": {
			func(b *model.Backend) error { return edit.UpdateAPI(b, accesstest.Shop(accesstest.Open("/free", "f"))) },
			[]string{"Update API shop", "  /items is gone"},
		},
		"SetProject to another application and port": {
			func(b *model.Backend) error {
				return edit.SetProject(b, model.Project{Name: "p", ApplicationID: "b", Dialect: model.Neutral, SandboxPort: 9000})
			},
			[]string{"Update environment dev", "  application id a -> b", "  sandbox port 4280 -> 9000"},
		},
		"UpdateEnvironment to another branch": {
			func(b *model.Backend) error {
				return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "main"})
			},
			[]string{"Update environment dev", "  branch dev -> main"},
		},
		"AddPath": {func(b *model.Backend) error { return edit.AddPath(b, "shop", accesstest.Open("/n", "f")) }, []string{"Update API shop", "  /n is new, served by f (open to everybody)"}},
		"UpdatePath": {func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/free", accesstest.Open("/free", "items"))
		}, []string{"Update API shop", "  /free: served by items instead of f"}},
		"RemovePath": {func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/free") }, []string{"Update API shop", "  /free is gone"}},
		"AddNamedOutput": {
			func(b *model.Backend) error {
				return edit.AddNamedOutput(b, "more", model.Outputs{"custom": map[string]any{"more": 1}})
			},
			[]string{"Create output more"},
		},
		"AddOutput": {
			func(b *model.Backend) error {
				return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"more": 1}})
			},
			[]string{"Create output custom-2"},
		},
		"UpdateOutput": {
			func(b *model.Backend) error {
				return edit.UpdateOutput(b, "custom", model.Outputs{"custom": map[string]any{"limit": 2, "list": []string{"a", "b"}}})
			},
			[]string{"Update output custom", "  /custom/limit: 1 -> 2"},
		},
		"Remove an environment": {func(b *model.Backend) error { return edit.Remove(b, ref(model.KindEnvironment, "dev"), false) }, []string{"Delete environment dev"}},
		"Remove a function":     {func(b *model.Backend) error { return edit.Remove(b, ref(model.KindFunction, "spare"), false) }, []string{"Delete function spare"}},
		"Remove a table":        {func(b *model.Backend) error { return edit.Remove(b, ref(model.KindTable, "orders"), false) }, []string{"Delete table orders"}},
		"Remove a group": {
			func(b *model.Backend) error { return edit.Remove(b, ref(model.KindGroup, "Admins"), true) },
			[]string{"Update API shop", "  /items: members of Admins lose update, delete", "Update auth", "  group Admins is gone"},
		},
		"Remove an output": {func(b *model.Backend) error { return edit.Remove(b, ref(model.KindOutput, "custom"), false) }, []string{"Delete output custom"}},
		"Remove an API":    {func(b *model.Backend) error { return edit.Remove(b, ref(model.KindAPI, "shop"), false) }, []string{"Delete API shop", "  /free is gone", "  /items is gone"}},
		"Rename a path":    {func(b *model.Backend) error { return edit.Rename(b, path, "/n") }, []string{"Update API shop", "  /n is new, served by f (open to everybody)", "  /free is gone"}},
		"Rename a function": {
			func(b *model.Backend) error { return edit.Rename(b, ref(model.KindFunction, "f"), "g") },
			[]string{"Update API shop", "  /free: served by g instead of f", "Delete function f", "Create function g"},
		},
		"Rename a group": {
			func(b *model.Backend) error { return edit.Rename(b, ref(model.KindGroup, "Editors"), "E") },
			[]string{"Update auth", "  group E is new", "  group Editors is gone"},
		},
	} {
		b := wholeBackend(t)
		next := changed(t, b, tt.edit)
		same(t, what, lines(b, next), tt.want)
		if got := lines(b, b); got != nil {
			t.Errorf("%s: the backend before it differs from itself by %q", what, got)
		}
	}
}

func TestAnEditWithoutEffectOnADeploymentIsNoChange(t *testing.T) {
	t.Parallel()
	b := wholeBackend(t)
	for what, edit := range map[string]func(b *model.Backend) error{
		"the branch": func(b *model.Backend) error {
			return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "dev", Guarded: true})
		},
		"the name and the dialect": func(b *model.Backend) error {
			return edit.SetProject(b, model.Project{Name: "q", ApplicationID: "a", Dialect: model.Amplify})
		},
		"an order of grants": func(b *model.Backend) error {
			p := *b.API("shop").Path("/items")
			p.Access.Grants = slices.Clone(p.Access.Grants)
			slices.Reverse(p.Access.Grants)
			return edit.UpdatePath(b, "shop", "/items", &p)
		},
	} {
		same(t, what, lines(b, changed(t, b, edit)), nil)
	}
}
