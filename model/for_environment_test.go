package model_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestTheRegionIsTheEnvironmentsOrTheProjectsOrTheDefault(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	if got := b.Region(nil); got != "us-east-1" {
		t.Errorf("without a region in the project: %s", got)
	}
	b.Project.Region = "eu-west-1"
	for _, tt := range []struct {
		env  *model.Environment
		want string
	}{
		{nil, "eu-west-1"},
		{&model.Environment{Name: "dev"}, "eu-west-1"},
		{&model.Environment{Name: "prod", Region: "ap-south-1"}, "ap-south-1"},
	} {
		if got := b.Region(tt.env); got != tt.want {
			t.Errorf("%+v: the region is %s, want %s", tt.env, got, tt.want)
		}
	}
}

func TestAnEnvironmentDeploysItsOwnAPIsVariablesAndValues(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"), accesstest.Open("/b", "g"))
	modeltest.Must(t, edit.AddAPI(b, &access.API{Label: "admin", Paths: []*access.Path{accesstest.Open("/", "f")}}))
	f := modeltest.Function("f")
	f.Environment = []model.Variable{{Name: "LOG", Value: "info"}, {Name: "SIZE", Value: "1"}}
	modeltest.Must(t, edit.UpdateFunction(b, f))
	modeltest.Must(t, edit.SetData(b, &model.Data{Region: "eu-west-1", URL: "https://dev", AuthorizationTypes: []string{"API_KEY"}}))
	modeltest.Must(t, edit.SetStorage(b, &model.Storage{Region: "eu-west-1", BucketName: "dev-files"}))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{
		Name: "prod", Provider: model.AWS, APIs: []string{"shop"},
		Variables: []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "NEW", Value: "x"}, {Name: "LOG", Value: "error"}}}},
		Data:      &model.Data{URL: "https://prod", AuthorizationTypes: []string{}}, Storage: &model.Storage{BucketName: "files"},
	}))
	before := modeltest.Dump(t, b)
	prod := b.For(b.Environment("prod"))
	if modeltest.Dump(t, b) != before {
		t.Fatal("the backend changed")
	}
	if len(prod.Environments) != 1 || prod.Environments[0] != b.Environment("prod") {
		t.Errorf("environments are %v", prod.Environments)
	}
	if prod.API("admin") != nil || prod.API("shop") != b.API("shop") {
		t.Error("the APIs are not those of the environment")
	}
	want := []model.Variable{{Name: "LOG", Value: "error"}, {Name: "SIZE", Value: "1"}, {Name: "NEW", Value: "x"}}
	if got := prod.Function("f").Environment; !slices.Equal(got, want) {
		t.Errorf("variables are %v", got)
	}
	if prod.Function("g") != b.Function("g") {
		t.Error("a function without variables of its own was copied")
	}
	if d := prod.Data; d.URL != "https://prod" || d.Region != "eu-west-1" || d.AuthorizationTypes == nil || len(d.AuthorizationTypes) > 0 {
		t.Errorf("data is %+v", d)
	}
	if s := prod.Storage; *s != (model.Storage{Region: "eu-west-1", BucketName: "files"}) {
		t.Errorf("storage is %+v", s)
	}
}

func TestAnEnvironmentWithoutOverridesSharesEverything(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
	for _, env := range []*model.Environment{nil, {Name: "dev", Provider: model.Local}} {
		got := b.For(env)
		if &got.APIs[0] != &b.APIs[0] || &got.Functions[0] != &b.Functions[0] || got.Data != nil || got.Storage != nil {
			t.Errorf("%v: %+v", env, got)
		}
	}
	if got := b.For(nil).Environments; got != nil {
		t.Errorf("environments are %v", got)
	}
	env := &model.Environment{Name: "dev", Provider: model.Local, Storage: &model.Storage{BucketName: "files"}}
	if got := b.For(env).Storage; got == nil || got.BucketName != "files" {
		t.Errorf("the bucket that only the environment names is %v", got)
	}
}

// TestForGivesTheSameClientFile merges the file from the whole backend and from the backend
// of Backend.For.
func TestForGivesTheSameClientFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := modeltest.Draw(t)
		for _, env := range b.Environments {
			deploys := b.For(env)
			if again := deploys.For(env); modeltest.Dump(t, again) != modeltest.Dump(t, deploys) {
				t.Fatalf("a second time differs:\n%s\n%s", modeltest.Dump(t, deploys), modeltest.Dump(t, again))
			}
			whole, err := clientfile.Of(b, env, nil)
			modeltest.NoError(t, err)
			own, err := clientfile.Of(deploys, nil, nil)
			modeltest.NoError(t, err)
			if one, two := modeltest.DumpValue(t, whole), modeltest.DumpValue(t, own); one != two {
				t.Fatalf("the file is\n%s\nand of what is deployed\n%s", one, two)
			}
		}
	})
}

func TestABackendUsesAUserPoolIfSomethingNeedsOne(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		b    model.Backend
		want bool
	}{
		"nothing":           {model.Backend{}, false},
		"open paths":        {model.Backend{APIs: []*access.API{accesstest.Shop(accesstest.Open("/a", "f"))}}, false},
		"a restricted path": {model.Backend{APIs: []*access.API{accesstest.Shop(accesstest.Open("/a", "f"), accesstest.Restricted("/b", "f"))}}, true},
		"a group":           {model.Backend{Groups: []string{"Admins"}}, true},
		"a definition":      {model.Backend{Auth: &model.Auth{}}, true},
	} {
		if got := tt.b.UsesUserPool(); got != tt.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
