package project_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/project/validate"
)

func TestRealFilesLoadWithoutAProblemAndAreNotWrittenAgain(t *testing.T) {
	t.Parallel()
	for _, name := range realAPIs(t, "cli-inputs") {
		data, err := os.ReadFile(name)
		must(t, err)
		if problems := validate.File(filepath.Base(name), data); read.FirstError(problems) != nil {
			t.Errorf("%s: %s", name, lines(problems))
		}
		fsys := disk.Memory()
		put(t, fsys, "amplify/backend/api/shop/cli-inputs.json", string(data))
		before := tree(t, fsys)
		p := load(t, fsys, project.Amplify)
		if len(p.Backend.APIs) != 1 || len(p.Backend.APIs[0].Paths) == 0 || read.FirstError(p.Problems) != nil {
			t.Errorf("%s: %d APIs, %s", name, len(p.Backend.APIs), lines(p.Problems))
			continue
		}
		plan, err := plan.Of(p, p.Backend)
		must(t, err)
		if !plan.Empty() {
			t.Errorf("%s: an unchanged project plans %s", name, plan.Diff())
		}
		if !maps.Equal(tree(t, fsys), before) {
			t.Errorf("%s: loading wrote something", name)
		}
	}
}

func TestAnAmplifyProjectOpensAsItIs(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		copyIn(t, fsys, "../testdata/amplify")
		before := tree(t, fsys)
		p := load(t, fsys, project.Amplify)
		b := p.Backend
		if b.Project.Name != "bookshop" || b.Project.ApplicationID != "d1234567890abc" || b.Project.Dialect != model.Amplify {
			t.Errorf("project is %+v", b.Project)
		}
		var apis, functions, environments []string
		for _, api := range b.APIs {
			apis = append(apis, api.Label)
		}
		for _, f := range b.Functions {
			functions = append(functions, f.Name+":"+string(f.Runtime))
		}
		for _, e := range b.Environments {
			environments = append(environments, e.Name+":"+e.Region)
		}
		if !slices.Equal(apis, []string{"AdminQueries", "old", "shop"}) {
			t.Errorf("apis are %v", apis)
		}
		if !slices.Equal(functions, []string{"AdminQueries1a2b3c4d:", "books:", "items:nodejs22.x"}) {
			t.Errorf("functions are %v", functions)
		}
		if !slices.Equal(environments, []string{"dev:eu-west-1", "prod:eu-west-1"}) || !slices.Equal(b.Groups, []string{"Admins", "Editors"}) {
			t.Errorf("environments are %v, groups %v", environments, b.Groups)
		}
		if table := b.Table("items"); table == nil || table.PartitionKey != (model.Key{Name: "id", Type: model.StringKey}) || table.SortKey.Type != model.NumberKey {
			t.Errorf("table is %+v", table)
		}
		if route, ok := b.Router("AdminQueries").Match("POST", "/addUserToGroup"); !ok || route.Path.Name != access.ProxyPath {
			t.Errorf("the reserved path serves %q", route.Resource)
		}
		want := "note: amplify/backend/api/graph/cli-inputs.json:1:1: is not a REST API and is left alone\n" +
			"warning: amplify/backend/api/old/api-params.json:1:1: is an older format, read and not edited; run: gatewright migrate\n" +
			"warning: amplify/backend/backend-config.json:2:3: does not register the API old, so the Amplify CLI does not deploy it (at /api); run: amplify update api\n"
		if got := lines(p.Problems); got != want {
			t.Errorf("problems are\n%s", got)
		}
		if !maps.Equal(tree(t, fsys), before) {
			t.Error("loading wrote something")
		}
	})
}

func TestOlderFilesAreReadByTheirOwnRules(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	api := load(t, fsys, project.Amplify).Backend.API("old")
	orders, news := api.Path("/orders").Access, api.Path("/news").Access
	admins := access.Principal{Kind: access.Group, Group: "Admins"}
	if orders.Setting != access.Protected || orders.Allowed(access.Principal{Kind: access.Guest}, access.Terms{}) != access.ActionSet(access.Read) ||
		orders.Allowed(admins, access.Terms{}) != access.EveryAction || orders.Allowed(access.Principal{}, access.Terms{}) != access.ActionSet(access.Create, access.Read, access.Update) {
		t.Errorf("/orders is %+v", orders)
	}
	if news.Setting != access.Open {
		t.Errorf("/news is %+v", news)
	}
	for _, name := range realAPIs(t, "api-params") {
		data, err := os.ReadFile(name)
		must(t, err)
		api, problems, err := plan.ReadAPI(name, "old", data)
		if err != nil || len(api.Paths) == 0 || len(problems) > 0 {
			t.Errorf("%s: %v %s", name, err, lines(problems))
		}
	}
}

func TestMigrateTurnsOlderFilesIntoNewOnes(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		copyIn(t, fsys, "../testdata/amplify")
		before := tree(t, fsys)
		p := load(t, fsys, project.Amplify)
		plan, err := plan.Migrate(p)
		must(t, err)
		if !strings.Contains(plan.Diff(), "+++ b/amplify/backend/api/old/cli-inputs.json") || !strings.Contains(plan.Diff(), "+++ /dev/null") {
			t.Errorf("the diff is %s", plan.Diff())
		}
		must(t, plan.Commit())
		after := tree(t, fsys)
		delete(before, "amplify/backend/api/old/api-params.json")
		delete(after, ".gatewright/.gitignore")
		want := `{
  "version": 1,
  "paths": {
    "/orders": {
      "name": "/orders",
      "lambdaFunction": "items",
      "permissions": {
        "setting": "protected",
        "auth": [
          "create",
          "read",
          "update"
        ],
        "guest": [
          "read"
        ],
        "groups": {
          "Admins": [
            "create",
            "read",
            "update",
            "delete"
          ]
        }
      }
    },
    "/news": {
      "name": "/news",
      "lambdaFunction": "books",
      "permissions": {
        "setting": "open"
      }
    }
  }
}`
		if got := after["amplify/backend/api/old/cli-inputs.json"]; got != want {
			t.Errorf("the new file is\n%s", got)
		}
		delete(after, "amplify/backend/api/old/cli-inputs.json")
		if !maps.Equal(before, after) {
			t.Error("migrating changed other files")
		}
		was, now := p.Backend.API("old"), load(t, fsys, project.Amplify).Backend.API("old")
		for i := range was.Paths {
			if len(access.Changes(was.Paths[i].Access, now.Paths[i].Access, access.Terms{})) > 0 || was.Paths[i].Name != now.Paths[i].Name {
				t.Errorf("%+v became %+v", was.Paths[i], now.Paths[i])
			}
		}
	})
}
