package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/secretfile"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox/live"
	"gatewright/test/symlink"
)

func TestTheVariablesOfAFunctionHaveItsEnvironmentAndResources(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddTable(b, &model.Table{Name: "my-items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	deploytest.Must(t, edit.SetStorage(b, &model.Storage{Region: "eu-north-1", BucketName: "uploads"}))
	deploytest.Must(t, edit.AddFunction(b, &model.Function{
		Name: "mail", FunctionName: "shop-mail", Runtime: model.NodeJS, Template: model.CRUD, Table: "my-items", Handler: "index.handler",
		Environment: []model.Variable{{Name: "LOG", Value: "info"}, {Name: "AWS_ENDPOINT_URL_DYNAMODB", Value: "http://127.0.0.1:8000"}},
		Access: []model.ResourceAccess{
			{Resource: "table/my-items", Actions: access.EveryAction},
			{Resource: "function/items", Actions: access.EveryAction},
			{Resource: "api/shop", Actions: access.EveryAction},
			{Resource: "storage/files", Actions: access.EveryAction},
		},
	}))
	env := *b.Environment("dev")
	env.Account = "123456789012"
	env.Variables = []model.FunctionVariables{{Function: "mail", Values: []model.Variable{{Name: "LOG", Value: "debug"}}}}
	deploytest.Must(t, edit.UpdateEnvironment(b, &env))
	p := deploytest.Made(t, t.TempDir(), b)
	spec, _, warnings, err := live.FunctionOf(p, p.Backend.Environment("dev"), "mail", live.Near{})
	deploytest.Must(t, err)
	id := strings.TrimSuffix(strings.TrimPrefix(spec.Variables["API_SHOP_URL"], "http://127.0.0.1:4280/"), "/dev")
	want := map[string]string{
		"ENV": "dev", "REGION": "eu-west-1", "LOG": "debug", "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:8000",
		"TABLE_NAME": "my-items-dev", "TABLE_REGION": "eu-west-1",
		"TABLE_MY_ITEMS_NAME": "my-items-dev", "TABLE_MY_ITEMS_REGION": "eu-west-1",
		"TABLE_MY_ITEMS_ARN":  "arn:aws:dynamodb:eu-west-1:123456789012:table/my-items-dev",
		"FUNCTION_ITEMS_NAME": "items", "FUNCTION_ITEMS_REGION": "eu-west-1",
		"FUNCTION_ITEMS_ARN": "arn:aws:lambda:eu-west-1:123456789012:function:items",
		"API_SHOP_NAME":      "shop", "API_SHOP_ID": id, "API_SHOP_URL": "http://127.0.0.1:4280/" + id + "/dev",
		"API_SHOP_REGION": "eu-west-1", "API_SHOP_ARN": "arn:aws:execute-api:eu-west-1:123456789012:" + id + "/dev",
		"STORAGE_FILES_NAME": "uploads", "STORAGE_FILES_ARN": "arn:aws:s3:::uploads", "STORAGE_FILES_REGION": "eu-north-1",
	}
	if diff := cmp.Diff(want, spec.Variables); diff != "" {
		t.Errorf("the variables differ (-want +got):\n%s", diff)
	}
	if len(id) != 10 || len(warnings) > 0 {
		t.Errorf("the id is %q, warnings are %q", id, warnings)
	}
	if spec.DeployedName != "shop-mail" || spec.Timeout != 25*time.Second || spec.Memory != 128 || spec.Folder != filepath.Join(p.Root, "backend/function/mail") {
		t.Errorf("the Spec is %+v", spec)
	}
}

func TestProblemsWithSecretsDoNotShowThem(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		text string
		mode os.FileMode
		want []string
	}{
		"no file":       {"", 0, []string{"runs without its secret KEY; write it into .gatewright/secrets/dev.json"}},
		"as it should":  {`{"KEY": "v"}`, 0o600, nil},
		"for everybody": {`{"KEY": "v"}`, 0o644, []string{"can be read by others; run: chmod 600"}},
		"broken":        {`{"KEY": topsecret}`, 0o600, []string{"is not a JSON object of strings"}},
		"of numbers":    {`{"KEY": 12345678}`, 0o600, []string{"is not a JSON object of strings"}},
		"null":          {`null`, 0o600, []string{"runs without its secret KEY"}},
	} {
		t.Run(what, func(t *testing.T) {
			b := deploytest.Shop(t)
			f := *b.Function("items")
			f.Secrets = []string{"KEY"}
			deploytest.Must(t, edit.UpdateFunction(b, &f))
			p := deploytest.Made(t, t.TempDir(), b)
			if tt.text != "" {
				file := filepath.Join(p.Root, secretfile.Name("dev"))
				deploytest.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
				deploytest.Must(t, os.WriteFile(file, []byte(tt.text), tt.mode))
				deploytest.Must(t, os.Chmod(file, tt.mode))
			}
			_, secrets, warnings, err := live.FunctionOf(p, p.Backend.Environment("dev"), "items", live.Near{})
			deploytest.Must(t, err)
			said := strings.Join(warnings, "\n")
			if len(warnings) != len(tt.want) {
				t.Errorf("warnings are %q", warnings)
			}
			for _, part := range tt.want {
				if !strings.Contains(said, part) {
					t.Errorf("warnings lack %q: %s", part, said)
				}
			}
			if strings.Contains(said, "topsecret") || strings.Contains(said, "12345678") {
				t.Errorf("a warning has the secret: %s", said)
			}
			if tt.mode != 0 && len(tt.want) < 2 && strings.Contains(tt.text, `"v"`) && (len(secrets) != 1 || secrets[0] != "v") {
				t.Errorf("there are %d secrets, want only v", len(secrets))
			}
		})
	}
}

func TestNoFunctionIsRunFromOutsideTheProject(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	deploytest.Must(t, os.Mkdir(filepath.Join(outside, "src"), 0o755))
	for what, link := range map[string]string{"the folder is a link": "backend/function/items", "its source is a link": "backend/function/items/src"} {
		t.Run(what, func(t *testing.T) {
			p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
			place := filepath.Join(p.Root, link)
			deploytest.Must(t, os.RemoveAll(place))
			symlink.Make(t, outside, place)
			if spec, _, _, err := live.FunctionOf(p, p.Backend.Environment("dev"), "items", live.Near{}); err == nil || !strings.Contains(err.Error(), "leads out of it") {
				t.Errorf("it is run from %s: %v", spec.Folder, err)
			}
		})
	}
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	for _, name := range []string{"../items", "..", ".", "a/b", `a\b`, ""} {
		bad := *p
		b := *p.Backend
		b.Functions = []*model.Function{{Name: name, Runtime: model.NodeJS}}
		bad.Backend = &b
		if spec, _, _, err := live.FunctionOf(&bad, p.Backend.Environment("dev"), name, live.Near{}); err == nil {
			t.Errorf("%q is run from %s", name, spec.Folder)
		}
	}
}

func TestALayerIsAFolderOfTheProject(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	f := *b.Function("items")
	f.Layers = []string{"layers/shared", "arn:aws:lambda:eu-west-1:123456789012:layer:x:1"}
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	p := deploytest.Made(t, t.TempDir(), b)
	spec, _, warnings, err := live.FunctionOf(p, p.Backend.Environment("dev"), "items", live.Near{})
	deploytest.Must(t, err)
	want := []string{filepath.Join(p.Root, "layers/shared"), "arn:aws:lambda:eu-west-1:123456789012:layer:x:1"}
	if diff := cmp.Diff(want, spec.Layers); diff != "" || len(warnings) != 0 {
		t.Errorf("warnings are %q, layers differ:\n%s", warnings, diff)
	}
	for _, outside := range []string{"../other", "/etc"} {
		p.Backend.Function("items").Layers = []string{outside}
		_, _, _, err := live.FunctionOf(p, p.Backend.Environment("dev"), "items", live.Near{})
		if err == nil || !strings.HasSuffix(err.Error(), "its layer "+outside+" (/layers/0) is not a folder of the project") {
			t.Errorf("with the layer %s: %v", outside, err)
		}
	}
}
