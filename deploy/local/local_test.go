package local_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/schemas"
)

// clientFile returns the client configuration file of a project, which must be valid.
func clientFile(t testing.TB, p *project.Project) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.Root, "client_config.json"))
	deploytest.Must(t, err)
	problems, err := schemas.Validate("client-config", text)
	deploytest.Must(t, err)
	for _, problem := range problems {
		t.Errorf("the client configuration file: %s %s", problem.Pointer, problem.Text)
	}
	var values map[string]any
	deploytest.Must(t, json.Unmarshal(text, &values))
	return values
}

func TestAPushNeedsNoRunningProcess(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	record, told := deploytest.Pushed(t, stacks, p, "dev")

	if record.Stack != index.StackName("app1", "dev") || record.ApplicationID != "app1" || record.Branch != "dev" || record.Environment != "dev" ||
		record.Region != "eu-west-1" || record.Provider != model.Local || !record.Deployed.Equal(deploytest.Noon) {
		t.Errorf("the record is %+v", record)
	}
	if len(record.APIs) != 1 || !regexp.MustCompile(`^http://127\.0\.0\.1:4280/[a-z0-9]{10}/dev$`).MatchString(record.APIs[0].URL) ||
		!strings.Contains(record.APIs[0].URL, "/"+record.APIs[0].ID+"/") || record.APIs[0].API != "shop" {
		t.Errorf("the endpoints are %+v", record.APIs)
	}
	want := map[string]any{"endpoint": record.APIs[0].URL, "region": "eu-west-1", "apiName": "shop"}
	file := clientFile(t, p)
	if diff := cmp.Diff(want, deploytest.At(file, "custom", "API", "shop")); diff != "" {
		t.Error(diff)
	}
	if file["auth"] != nil {
		t.Errorf("there is an unneeded user pool: %v", file["auth"])
	}
	e, err := stacks.Find(record.Stack)
	if err != nil || e.Root != p.Root || e.Environment != "dev" || e.ApplicationID != "app1" || e.Branch != "dev" || !e.Deployed.Equal(deploytest.Noon) {
		t.Errorf("the index has %+v, %v", e, err)
	}
	wantTold := []string{
		"create: environment dev",
		"create: API shop",
		"create: path /items",
		`create: API resource /items: ANY, OPTIONS`,
		`create: API resource /items/{proxy+}: ANY, OPTIONS`,
		"create: handler function items",
		"create: log group /functions/items",
		"update: client configuration file client_config.json",
	}
	if diff := cmp.Diff(wantTold, told); diff != "" {
		t.Error(diff)
	}
	status, err := status.Of(deploytest.Opened(t, p.Root), "dev")
	if err != nil || status.Changed() {
		t.Errorf("after the push status says %+v, %v", status.Resources, err)
	}
}

func TestASecondPushChangesNothingButTheTime(t *testing.T) {
	t.Parallel()
	index := index.Open(t.TempDir())
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	p := deploytest.Made(t, t.TempDir(), b)
	first, _ := deploytest.Pushed(t, index, p, "dev")
	again, told := deploytest.Pushed(t, index, deploytest.Opened(t, p.Root), "dev")
	if len(told) != 0 {
		t.Errorf("the events are %v", told)
	}
	again.Snapshot = first.Snapshot
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
}

func TestAPushReportsItsChanges(t *testing.T) {
	t.Parallel()
	index := index.Open(t.TempDir())
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	deploytest.Pushed(t, index, p, "dev")
	p = deploytest.Edited(t, p, func(b *model.Backend) error {
		return errors.Join(
			edit.AddFunction(b, deploytest.Function("orders")), edit.AddFunction(b, &model.Function{Name: "lonely", FunctionName: "alone", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}),
			edit.AddPath(b, "shop", deploytest.Open("/orders", "orders")), edit.AddPath(b, "shop", deploytest.Open("/more", "orders")), edit.AddAPI(b, &access.API{Label: "back", Paths: []*access.Path{deploytest.Open("/items", "items")}}))
	})
	deploytest.Put(t, filepath.Join(p.Root, "backend/function/items/src/index.js"), "exports.handler = async () => ({statusCode: 204})\n")
	_, told := deploytest.Pushed(t, index, p, "dev")
	want := []string{
		"create: API back", "create: path /items", "create: API resource /items: ANY, OPTIONS", "create: API resource /items/{proxy+}: ANY, OPTIONS",
		"update: API shop: /orders is new, served by orders (open to everybody); /more is new, served by orders (open to everybody)",
		"create: path /orders", "create: API resource /orders: ANY, OPTIONS", "create: API resource /orders/{proxy+}: ANY, OPTIONS",
		"create: handler function orders", "create: log group /functions/orders",
		"create: path /more", "create: API resource /more: ANY, OPTIONS", "create: API resource /more/{proxy+}: ANY, OPTIONS",
		"update: handler function items: src/index.js changed",
		"create: handler function lonely",
		"update: client configuration file client_config.json",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	p = deploytest.Edited(t, deploytest.Opened(t, p.Root), func(b *model.Backend) error {
		return errors.Join(edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "back"}, true), edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "orders"}, true))
	})
	_, told = deploytest.Pushed(t, index, p, "dev")
	want = []string{
		"delete: API back", "delete: path /items", "delete: API resource /items: ANY, OPTIONS", "delete: API resource /items/{proxy+}: ANY, OPTIONS",
		"update: API shop: /orders is gone; /more is gone",
		"delete: path /orders", "delete: API resource /orders: ANY, OPTIONS", "delete: API resource /orders/{proxy+}: ANY, OPTIONS",
		"delete: handler function orders", "delete: log group /functions/orders",
		"delete: path /more", "delete: API resource /more: ANY, OPTIONS", "delete: API resource /more/{proxy+}: ANY, OPTIONS",
		"update: client configuration file client_config.json",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if apis := deploytest.At(clientFile(t, p), "custom", "API"); len(apis.(map[string]any)) != 1 {
		t.Errorf("the client configuration file has the APIs %v", apis)
	}
}

func TestEnvironmentsAreDeployedSeparately(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	b := deploytest.Shop(t)
	project := b.Project
	project.SandboxPort = 4999
	deploytest.Must(t, edit.SetProject(b, project))
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "back", Paths: []*access.Path{deploytest.Open("/items", "items")}}))
	deploytest.Must(t, edit.UpdateEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Branch: "main", Region: "us-west-2", APIs: []string{"shop"}}))
	p := deploytest.Made(t, t.TempDir(), b)
	dev, _ := deploytest.Pushed(t, stacks, p, "dev")
	prod, _ := deploytest.Pushed(t, stacks, p, "prod")
	if len(dev.APIs) != 2 || len(prod.APIs) != 1 || prod.APIs[0].API != "shop" || prod.Stack != index.StackName("app1", "main") {
		t.Errorf("dev has %v, prod %v", dev.APIs, prod.APIs)
	}
	if got := prod.APIs[0].URL; got != "http://127.0.0.1:4999/"+prod.APIs[0].ID+"/prod" {
		t.Errorf("the endpoint of prod is %s", got)
	}
	ids := []any{dev.APIs[0].ID, dev.APIs[1].ID, prod.APIs[0].ID}
	for _, field := range []string{"user_pool_id", "user_pool_client_id", "identity_pool_id"} {
		ids = append(ids, deploytest.At(dev.Outputs, "auth", field), deploytest.At(prod.Outputs, "auth", field))
	}
	for i, id := range ids {
		if id == nil || slices.Contains(ids[:i], id) {
			t.Errorf("%v is twice in %v", id, ids)
		}
	}
	if got := deploytest.At(clientFile(t, p), "auth", "cloud_region"); got != "us-west-2" {
		t.Errorf("the client configuration file is of the region %v", got)
	}
	if status, err := status.Of(p, "dev"); err != nil || status.Deployed.Stack != dev.Stack {
		t.Errorf("dev is %+v, %v", status.Deployed, err)
	}
}

func TestTheUserPoolOfADeployment(t *testing.T) {
	t.Parallel()
	type fields map[string]any
	pool := regexp.MustCompile(`^eu-west-1_[A-Za-z0-9]{9}$`)
	client := regexp.MustCompile(`^[a-z0-9]{26}$`)
	identity := regexp.MustCompile(`^eu-west-1:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	off := false
	for name, tt := range map[string]struct {
		edit func(*model.Backend) error
		want fields
	}{
		"a restricted path": {
			func(b *model.Backend) error { return edit.AddPath(b, "shop", deploytest.SignedIn("/orders", "items")) },
			fields{"cloud_region": "eu-west-1", "user_pool_id": pool, "user_pool_client_id": client, "identity_pool_id": identity, "unauthenticated_identities_enabled": true},
		},
		"a definition": {
			func(b *model.Backend) error {
				return edit.SetAuth(b, &model.Auth{MFAConfiguration: "NONE", UnauthenticatedIdentitiesEnabled: &off})
			},
			fields{
				"cloud_region": "eu-west-1", "user_pool_id": pool, "user_pool_client_id": client, "identity_pool_id": identity,
				"mfa_configuration": "NONE", "unauthenticated_identities_enabled": false,
			},
		},
		"a pool that is there": {
			func(b *model.Backend) error {
				return edit.SetAuth(b, &model.Auth{Region: "eu-west-1", UserPoolID: "eu-west-1_own", UserPoolClientID: "own", UnauthenticatedIdentitiesEnabled: &off})
			},
			fields{"cloud_region": "eu-west-1", "user_pool_id": "eu-west-1_own", "user_pool_client_id": "own", "identity_pool_id": identity, "unauthenticated_identities_enabled": false},
		},
		"a pool that an output gives": {
			func(b *model.Backend) error {
				return errors.Join(edit.AddPath(b, "shop", deploytest.SignedIn("/orders", "items")), edit.AddOutput(b, model.Outputs{"auth": map[string]any{
					"cloud_region": "eu-west-1", "user_pool_id": "eu-west-1_own", "user_pool_client_id": "own", "identity_pool_id": "eu-west-1:own",
				}}))
			},
			fields{"cloud_region": "eu-west-1", "user_pool_id": "eu-west-1_own", "user_pool_client_id": "own", "identity_pool_id": "eu-west-1:own"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := deploytest.Shop(t)
			deploytest.Must(t, tt.edit(b))
			p := deploytest.Made(t, t.TempDir(), b)
			deploytest.Pushed(t, index.Open(t.TempDir()), p, "dev")
			got, _ := deploytest.At(clientFile(t, p), "auth").(map[string]any)
			for field, want := range tt.want {
				text, _ := got[field].(string)
				pattern, isPattern := want.(*regexp.Regexp)
				if isPattern && !pattern.MatchString(text) || !isPattern && got[field] != want {
					t.Errorf("%s is %v, want %v", field, got[field], want)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("the section is %v", got)
			}
		})
	}
}

func TestARefusedPushDeploysNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit   func(*model.Backend) error
		damage func(t *testing.T, root string)
		env    string
		words  []string
	}{
		"one error": {
			damage: func(t *testing.T, root string) {
				deploytest.Put(t, filepath.Join(root, "backend/storage.json"), `{"version": 1, "bucket": 1}`)
			},
			words: []string{"backend/storage.json:1:16", "an error"},
		},
		"several errors": {
			damage: func(t *testing.T, root string) {
				deploytest.Put(t, filepath.Join(root, "backend/storage.json"), `{"version": 1, "bucket": 1}`)
				deploytest.Must(t, os.Remove(filepath.Join(root, "backend/function/items/function.json")))
			},
			words: []string{"backend/api/shop/cli-inputs.json", "1 more", "gatewright validate"},
		},
		"an output that says otherwise": {
			edit: func(b *model.Backend) error {
				return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"API": map[string]any{"shop": map[string]any{"endpoint": "https://own.example"}}}})
			},
			words: []string{"output custom", "/custom/API/shop/endpoint", "https://own.example", "http://127.0.0.1:4280/"},
		},
		"no application id": {
			damage: func(t *testing.T, root string) {
				deploytest.Put(t, filepath.Join(root, "backend/project.json"), `{"version": 1, "name": "shop", "applicationId": ""}`)
			},
			words: []string{"application id", "gatewright update project --app-id a"},
		},
		"the cloud": {
			edit: func(b *model.Backend) error {
				return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.AWS})
			},
			words: []string{"environment dev", "provider aws", "gatewright push --env dev"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := deploytest.Shop(t)
			if tt.edit != nil {
				deploytest.Must(t, tt.edit(b))
			}
			p := deploytest.Made(t, t.TempDir(), b)
			if tt.damage != nil {
				tt.damage(t, p.Root)
				p = deploytest.Opened(t, p.Root)
			}
			state := t.TempDir()
			before := deploytest.Files(t, p.Root)
			record, told, err := deploytest.Pushing(index.Open(state), p, "dev")
			if err == nil || record.Stack != "" || len(told) != 0 {
				t.Fatalf("it was deployed: %+v, %v, %v", record, told, err)
			}
			for _, words := range tt.words {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("the error lacks %q: %v", words, err)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has more than one line: %v", err)
			}
			if diff := cmp.Diff(before, deploytest.Files(t, p.Root)); diff != "" {
				t.Error(diff)
			}
			if left := deploytest.Files(t, state); len(left) != 0 {
				t.Errorf("the index has %v", left)
			}
		})
	}
}
