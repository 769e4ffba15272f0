package check_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestCheckExplainsEveryMistakeInAccess(t *testing.T) {
	t.Parallel()
	private := accesstest.Restricted("/private", "a", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read))
	private.Access.Setting = access.Private
	free := accesstest.Restricted("/free", "b", accesstest.ToUsers(access.Read))
	free.Access.Setting = access.Open
	api := &access.API{Label: "shop", Paths: []*access.Path{
		private, free,
		accesstest.Restricted("/nobody", "c"),
		accesstest.Restricted("/nothing", "d", accesstest.ToUsers()),
		accesstest.Restricted("/one", "e", accesstest.ToGroup("Editors", access.Read)),
		accesstest.Restricted("/two", "e", accesstest.ToUsers(access.Read)),
		accesstest.Restricted("/both", "f", accesstest.ToGroup("Admins", access.Read), accesstest.ToGroup("Editors", access.Read, access.Update)),
	}}
	b := &model.Backend{Groups: []string{"Admins", "Editors"}}
	for _, f := range api.Functions() {
		modeltest.Must(t, edit.AddFunction(b, modeltest.Function(f)))
	}
	modeltest.Must(t, edit.AddAPI(b, api))
	want := []string{
		"path /private of the API shop: has an entry for guests that does nothing while the setting is private; use the setting protected, or remove the entry",
		"path /free of the API shop: is open to everybody, so its grants do nothing; restrict the path, or remove its grants",
		"path /nobody of the API shop: is restricted, and nobody may call it; grant actions to signed-in users, guests or a group",
		"path /nothing of the API shop: lets signed-in users do nothing; grant an action, or remove the entry",
		"path /one of the API shop: members of both Admins and Editors act as Admins and lose read; order the groups, or grant it to Admins too",
		"path /both of the API shop: members of both Admins and Editors act as Admins and lose update; order the groups, or grant it to Admins too",
		"path /one of the API shop: is restricted to the group Editors, but its function e serves /two too; give it a function of its own",
	}
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Equal(got, want) {
		t.Errorf("warnings are\n%q\nwant\n%q", got, want)
	}
}

func TestCheckFindsReferencesToMissingThings(t *testing.T) {
	t.Parallel()
	b := &model.Backend{
		APIs:         []*access.API{{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/a", "itms", accesstest.ToGroup("Admin", access.Read))}}},
		Functions:    []*model.Function{{Name: "items", Runtime: model.NodeJS, Table: "gone", Access: []model.ResourceAccess{{Resource: "bucket/x", Actions: access.EveryAction}}}},
		Groups:       []string{"Admins"},
		Environments: []*model.Environment{{Name: "dev", Provider: model.Local, APIs: []string{"shp"}}, {Name: "prod", Provider: "cloud", Branch: "dev"}},
	}
	want := []string{
		"environment dev: names the API shp, which does not exist; did you mean shop?",
		"environment prod: cloud is not a provider; use local or aws",
		"environment prod: has the same branch dev as environment dev; give each environment a branch of its own",
		"path /a of the API shop: names the function itms, which does not exist; did you mean items?",
		"path /a of the API shop: names the group Admin, which does not exist; did you mean Admins?",
		"function items: names the table gone, which does not exist; make it, or name another",
		"function items: bucket/x is not a resource; write table/NAME, api/NAME, function/NAME, storage/NAME, pool, parameter/NAME, secret/NAME or mail",
	}
	if got := modeltest.Texts(check.Backend(b), model.Error); !slices.Equal(got, want) {
		t.Errorf("errors are\n%q\nwant\n%q", got, want)
	}
	b.Layout = modeltest.Kept
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Contains(got, want[3]) || !slices.Contains(got, want[4]) {
		t.Errorf("in a project of the Amplify CLI these are warnings: %q", got)
	}
}

func TestTheKeysOfATableCannotChange(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	table := &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	modeltest.Must(t, edit.AddTable(b, table))
	changed := *table
	changed.SortKey = model.Key{Name: "at", Type: model.NumberKey}
	if err := edit.UpdateTable(b, &changed); err == nil || err.Error() != "table items: the keys of a table cannot change; make a new table and move the items" {
		t.Errorf("changing keys: %v", err)
	}
	indexed := *table
	indexed.Indexes = []model.Index{{Name: "byAuthor", PartitionKey: model.Key{Name: "author", Type: model.StringKey}}}
	modeltest.Must(t, edit.UpdateTable(b, &indexed))
}
