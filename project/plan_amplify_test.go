package project_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

func TestInAnAmplifyProjectAChangedFunctionChangesDependsOnAndNothingElse(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		copyIn(t, fsys, "../testdata/amplify")
		p := load(t, fsys, project.Amplify)
		plan := edited(t, p, func(b *model.Backend) error {
			path := *b.API("shop").Path("/book/{isbn}")
			path.Function = "AdminQueries1a2b3c4d"
			return edit.UpdatePath(b, "shop", "/book/{isbn}", &path)
		})
		diff := plan.Diff()
		if n := changedLines(diff); n != 4 || !strings.Contains(diff, `-          "resourceName": "books"`) || !strings.Contains(diff, `+          "resourceName": "AdminQueries1a2b3c4d"`) {
			t.Errorf("%d lines change:\n%s", n, diff)
		}
		if strings.Contains(get(t, fsys, "amplify/backend/api/shop/cli-inputs.json"), "$schema") {
			t.Error("a file that exists was given a schema")
		}
	})
}

func TestInAnAmplifyProjectAnAPIIsAddedAsTheAmplifyCLIWritesIt(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
		return edit.AddAPI(b, &access.API{Label: "new", Paths: []*access.Path{{Name: "/x", Function: "items", Access: access.Access{Setting: access.Open}}}})
	})
	got := get(t, fsys, "amplify/backend/api/new/cli-inputs.json")
	if strings.Contains(got, "$schema") || strings.HasSuffix(got, "\n") || !strings.HasPrefix(got, "{\n  \"version\": 1,\n  \"paths\": {\n    \"/x\": {\n      \"name\": \"/x\",") {
		t.Errorf("the file is\n%s", got)
	}
	if config := get(t, fsys, "amplify/backend/backend-config.json"); !strings.Contains(config, `    "new": {
      "dependsOn": [
        {
          "attributes": [
            "Name",
            "Arn"
          ],
          "category": "function",
          "resourceName": "items"
        }
      ],
      "providerPlugin": "awscloudformation",
      "service": "API Gateway"
    }`) {
		t.Errorf("backend-config.json is\n%s", config)
	}
}

func TestInAnAmplifyProjectOtherChangesAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	p := load(t, fsys, project.Amplify)
	for what, edit := range map[string]func(*model.Backend) error{
		"the functions": func(b *model.Backend) error {
			return edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS})
		},
		"the groups and the user pool": func(b *model.Backend) error { return edit.AddGroup(b, "New") },
		"the environments": func(b *model.Backend) error {
			return edit.AddEnvironment(b, &model.Environment{Name: "qa", Provider: model.Local})
		},
		"the tables": func(b *model.Backend) error {
			return edit.AddTable(b, &model.Table{Name: "abc", PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
		},
	} {
		_, err := plan.Of(p, mustEdit(t, p.Backend, edit))
		if !errors.Is(err, amplify.ErrKept) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error {
		path := *b.API("old").Path("/news")
		path.Function = "items"
		return edit.UpdatePath(b, "old", "/news", &path)
	}))
	if err == nil || !strings.Contains(err.Error(), "run: gatewright migrate") {
		t.Errorf("editing an older file: %v", err)
	}
}

func TestInAnAmplifyProjectAnAPIWithGroupsDependsOnThem(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	const config = "amplify/backend/backend-config.json"
	text := strings.Replace(get(t, fsys, config), "{", `{"auth": {"userPoolGroups": {"service": "Cognito-UserPool-Groups"}, "bookshop1": {"service": "Cognito"}},`, 1)
	if strings.Contains(get(t, fsys, config), `"auth": {`) {
		t.Fatal("the sample has a user pool of its own now: use it")
	}
	put(t, fsys, config, text)
	rules := access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Group, Group: "Admins"}, access.EveryAction)
	edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
		return edit.AddAPI(b, &access.API{Label: "new", Paths: []*access.Path{{Name: "/x", Function: "items", Access: rules}}})
	})
	got := strings.Join(strings.Fields(get(t, fsys, config)), "")
	want := `{"attributes":["Name","Arn"],"category":"function","resourceName":"items"},` +
		`{"attributes":["UserPoolId"],"category":"auth","resourceName":"bookshop1"},` +
		`{"attributes":["AdminsGroupRole"],"category":"auth","resourceName":"userPoolGroups"}]`
	if !strings.Contains(got, want) {
		t.Errorf("backend-config.json is %s", got)
	}
}

func TestInAnAmplifyProjectChangedGroupsChangeWhatAnAPIDependsOn(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	const config = "amplify/backend/backend-config.json"
	regroup := func(groups ...string) string {
		edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
			path := *b.API("shop").Path("/book/{isbn}")
			path.Access = access.Access{Setting: access.Private}
			for _, group := range groups {
				path.Access = path.Access.With(access.Principal{Kind: access.Group, Group: group}, access.EveryAction)
			}
			return edit.UpdatePath(b, "shop", path.Name, &path)
		})
		return strings.Join(strings.Fields(get(t, fsys, config)), "")
	}
	put(t, fsys, config, strings.Replace(get(t, fsys, config), `"dependsOn": [
        {`, `"dependsOn": [
        {"category": "auth", "resourceName": "userPoolGroups", "attributes": ["TheirsGroupRole"]},
        {`, 1))
	role := func(group string) string {
		return `{"attributes":["` + group + `GroupRole"],"category":"auth","resourceName":"userPoolGroups"}`
	}
	if got := regroup("Admins", "Editors"); strings.Count(got, role("Admins")) != 1 || strings.Count(got, role("Editors")) != 1 {
		t.Errorf("with two groups, backend-config.json is %s", got)
	}
	got := regroup("Admins")
	if strings.Contains(got, role("Editors")) || !strings.Contains(got, role("Admins")) || !strings.Contains(got, "TheirsGroupRole") {
		t.Errorf("with one group less, backend-config.json is %s", got)
	}
}

// TestAnAPIThatIsNotRegisteredIsRegisteredWhole has an API that backend-config.json lacks:
// an edit registers it with all that the Amplify CLI needs.
func TestAnAPIThatIsNotRegisteredIsRegisteredWhole(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/backend-config.json", `{"function": {"items": {"service": "Lambda"}, "more": {"service": "Lambda"}}}`)
	const file = "amplify/backend/api/shop/cli-inputs.json"
	put(t, fsys, file, `{"version": 1, "paths": {"/items": {"lambdaFunction": "items", "permissions": {"setting": "open"}}}}`)
	p := load(t, fsys, project.Amplify)
	if got := lines(p.Problems); !strings.Contains(got, "does not register the API shop, so the Amplify CLI does not deploy it") {
		t.Errorf("problems are %s", got)
	}
	plan := edited(t, p, func(b *model.Backend) error {
		return edit.AddPath(b, "shop", &access.Path{Name: "/more", Function: "more", Access: access.Access{Setting: access.Open}})
	})
	var config struct {
		API map[string]struct {
			Service, ProviderPlugin string
			DependsOn               []struct{ Category, ResourceName string }
		}
	}
	for _, change := range plan.Changes {
		switch change.Path {
		case file:
			if strings.Contains(string(change.New), `"name"`) {
				t.Errorf("the new path repeats its name, and the others do not: %s", change.New)
			}
		case "amplify/backend/backend-config.json":
			if err := json.Unmarshal(change.New, &config); err != nil {
				t.Fatal(err)
			}
		}
	}
	if shop := config.API["shop"]; shop.Service != "API Gateway" || shop.ProviderPlugin != "awscloudformation" || len(shop.DependsOn) != 2 {
		t.Errorf("it is registered as %+v", config)
	}
}
