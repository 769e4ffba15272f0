package template_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/accesstest"
	"gatewright/project"
	"gatewright/render/template"
)

// asDeployed reads the definition of a template as a project.
func asDeployed(t *testing.T, made *template.Template) (*model.Backend, *model.Environment) {
	t.Helper()
	metadata := made.Root.Get("Resources", template.DefinitionID, "Metadata").Minified()
	deployed, err := template.ReadDefinition(metadata)
	if err != nil {
		t.Fatal(err)
	}
	fsys := afero.NewMemMapFs()
	for file, content := range deployed.Files {
		if err := afero.WriteFile(fsys, "backend/"+file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Load(fsys, project.Native)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range p.Problems {
		t.Errorf("the definition has a problem: %v", problem)
	}
	return p.Backend, p.Backend.Environment(deployed.Environment)
}

func TestTheDefinitionAsDeployedGivesTheBackendBack(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Environments[0].APIs = []string{"shop"}
	b.Environments[0].Variables = []model.FunctionVariables{{Function: "orders", Values: []model.Variable{{Name: "CURRENCY", Value: "EUR"}}}}
	b.Environments[0].Parameters = []model.Variable{{Name: "currency", Value: "{{resolve:ssm:currency}}"}}
	b.APIs = append(b.APIs, api("inside", accesstest.Open("/", "items")))
	b.Auth = &model.Auth{UsernameAttributes: []string{"email"}, MFAConfiguration: "OPTIONAL"}
	b.Storage = &model.Storage{Region: "eu-central-1", BucketName: "files"}
	b.Outputs = []*model.Output{{Name: "map", Values: model.Outputs{"custom": map[string]any{"Ref": "Nothing", "list": []any{"a"}}}}}

	made := rendered(t, b, "dev")
	read, env := asDeployed(t, made)
	if env == nil {
		t.Fatal("the environment is not in the definition")
	}
	if diff := cmp.Diff(b.For(b.Environment("dev")), read.For(env)); diff != "" {
		t.Errorf("the definition gives another backend (-want +got):\n%s", diff)
	}
	again, err := template.Render(read, env, template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Key != made.Key {
		t.Error("the definition as deployed gives another template")
	}
}

func TestMetadataOfOtherStacksAreNoDefinition(t *testing.T) {
	t.Parallel()
	for _, metadata := range []string{"", "{}", "[]", `{"gatewright": {}}`, `{"gatewright": {"environment": "dev", "files": {"a": 1}}}`} {
		if _, err := template.ReadDefinition([]byte(metadata)); !errors.Is(err, template.ErrNoDefinition) {
			t.Errorf("%q is read with the error %v", metadata, err)
		}
	}
}

func TestALogicalIDIsReadableAndOfItsNameAlone(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, want := range map[string]string{
		"layers/shared": "LayersSharedLayer", "layers-shared": "LayersSharedLayer", "API_KEY": "ApiKeyLayer", "apiKey": "ApiKeyLayer",
		"2024/a": "Of2024ALayer", "é": "OfLayer", "": "OfLayer",
		strings.Repeat("a", 80): "A" + strings.Repeat("a", 79) + "Layer", strings.Repeat("a", 81): "A" + strings.Repeat("a", 79) + "Layer",
	} {
		id := template.LayerID(name)
		sum := sha256.Sum256([]byte("Layer\x00" + name))
		if id != want+hex.EncodeToString(sum[:3]) {
			t.Errorf("of %q it is %s, want %s and a hash", name, id, want)
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q have the logical id %s", name, other, id)
		}
		seen[id] = name
	}
}
