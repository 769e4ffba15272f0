package project_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/amplify"
	"gatewright/project/definition"
)

// leaves returns the fields of all sections whose values are one line of text.
func leaves() map[model.Kind][]definition.Field {
	all := make(map[model.Kind][]definition.Field)
	for _, kind := range definition.Kinds {
		for _, f := range definition.Fields(kind) {
			if f.Leaf() {
				all[kind] = append(all[kind], f)
			}
		}
	}
	return all
}

func TestParseReadsWhatTextWrites(t *testing.T) {
	t.Parallel()
	all := leaves()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(definition.Kinds).Draw(t, "kind")
		f := rapid.SampledFrom(all[kind]).Draw(t, "field")
		var value any
		switch f.Type {
		case model.ArrayField:
			items := []any{}
			for _, item := range rapid.SliceOfN(rapid.SampledFrom([]string{"email", "a b", " x", "a,b", "", "[x]", `"q"`}), 0, 4).Draw(t, "items") {
				items = append(items, item)
			}
			value = items
		case model.BooleanField:
			value = rapid.Bool().Draw(t, "truth")
		case model.MapField:
			read, err := f.Parse(rapid.SampledFrom([]string{"plan=string:1..20:fixed, n=number:..9", "since=dateTime"}).Draw(t, "attributes"))
			if err != nil {
				t.Fatal(err)
			}
			value = read
		case model.IntegerField:
			read, err := f.Parse("12")
			if err != nil {
				t.Fatal(err)
			}
			value = read
		default:
			value = rapid.SampledFrom([]string{"x", "a b", "[x]", "true"}).Draw(t, "text")
		}
		text := f.Text(value)
		again, err := f.Parse(text)
		if err != nil || !model.SameValue(again, value) {
			t.Fatalf("%s: %v is written %q and read as %v, %v", f, value, text, again, err)
		}
	})
}

func TestAnEditChangesOnlyItsFieldAndNotTheOldBackend(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	if err := edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}); err != nil {
		t.Fatal(err)
	}
	url, _ := definition.Called(definition.Fields(model.KindData), "url")
	region, _ := definition.Called(definition.Fields(model.KindData), "cloud-region")
	edit := func(b *model.Backend, env string, settings ...definition.Setting) *model.Backend {
		t.Helper()
		next, err := b.Edit(func(next *model.Backend) error { return definition.Edit(next, model.KindData, env, settings...) })
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	first := edit(b, "", definition.Setting{Field: url, Value: "https://a"}, definition.Setting{Field: region, Value: "eu-west-1"})
	second := edit(first, "dev", definition.Setting{Field: url, Value: "https://b"})
	third := edit(second, "dev", definition.Setting{Field: url})
	if b.Data != nil || first.Data.URL != "https://a" || first.Data.Region != "eu-west-1" || first.Environments[0].Data != nil {
		t.Errorf("before and after the first edit: %+v, %+v", b.Data, first.Data)
	}
	if second.Data.URL != "https://a" || second.Environments[0].Data.URL != "https://b" || third.Environments[0].Data != nil {
		t.Errorf("of the environment: %+v, then %+v", second.Environments[0].Data, third.Environments[0].Data)
	}
}

func TestAnObjectHasAllRequiredFieldsOrNone(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	domain, _ := definition.Called(definition.Fields(model.KindAuth), "oauth.domain")
	err := definition.Edit(b, model.KindAuth, "", definition.Setting{Field: domain, Value: "x"})
	if err == nil || !strings.Contains(err.Error(), "is incomplete") || !strings.Contains(err.Error(), "oauth.scopes") {
		t.Errorf("a part of oauth is refused with %v", err)
	}
	if b.Auth != nil {
		t.Errorf("the definition became %+v", b.Auth)
	}
}

func TestAValueIsTracedToItsOutput(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	if err := edit.AddNamedOutput(b, "bucket", model.Outputs{"storage": map[string]any{"bucket_name": "uploads", "cloud_region": "eu-west-1"}}); err != nil {
		t.Fatal(err)
	}
	traced, err := definition.Trace(b, model.KindStorage, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range traced {
		if f.From != definition.ByOutput || f.SourceName != "bucket" || f.Value == nil {
			t.Errorf("%s is %v by %d %s", f, f.Value, f.From, f.SourceName)
		}
	}
}

// sources says of each field of a section with a value where that comes from.
func sources(t *testing.T, b *model.Backend, kind model.Kind, env *model.Environment, deployed model.Outputs) string {
	t.Helper()
	traced, err := definition.Trace(b, kind, env, deployed)
	if err != nil {
		t.Fatal(err)
	}
	names := map[definition.Source]string{
		definition.Unset: "unset", definition.ByEnvironment: "environment", definition.ByDefinition: "definition", definition.ByDeployment: "deployment",
		definition.ByOutput: "output", definition.ByDefault: "default",
	}
	var lines []string
	for _, f := range traced {
		if f.From == definition.Unset && f.Value == nil {
			continue
		}
		line := fmt.Sprintf("%s %v: %s %s", f, f.Value, names[f.From], f.SourceName)
		if f.Defined != nil && !model.SameValue(f.Defined, f.Value) {
			line += fmt.Sprintf(", not %v", f.Defined)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

func TestTheFirstSourceOfAValueCounts(t *testing.T) {
	t.Parallel()
	env := &model.Environment{Name: "prod", Storage: &model.Storage{BucketName: "by-environment"}}
	deployed := model.Outputs{"storage": map[string]any{"bucket_name": "by-deployment", "cloud_region": "eu-north-1"}}
	b := &model.Backend{}
	output := model.Outputs{"storage": map[string]any{"bucket_name": "by-output", "cloud_region": "eu-south-1"}}
	if err := edit.AddNamedOutput(b, "files", output); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		env      *model.Environment
		defined  *model.Storage
		deployed model.Outputs
		want     string
	}{
		{"an output alone", nil, nil, nil, "cloud_region eu-south-1: output files\nbucket_name by-output: output files"},
		{"a deployment", nil, nil, deployed, "cloud_region eu-north-1: deployment\nbucket_name by-deployment: deployment"},
		{"a definition", nil, &model.Storage{BucketName: "own"}, deployed, "cloud_region eu-north-1: deployment\nbucket_name own: definition"},
		{
			"an environment", env, &model.Storage{BucketName: "own", Region: "us-east-1"}, deployed,
			"cloud_region us-east-1: definition\nbucket_name by-environment: environment prod, not own",
		},
	} {
		b := *b
		b.Storage = c.defined
		if got := sources(t, &b, model.KindStorage, c.env, c.deployed); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestDefaultsAreThoseOfWhatNothingSays(t *testing.T) {
	t.Parallel()
	keys := &model.Data{DefaultAuthorizationType: "AWS_IAM", AuthorizationTypes: []string{model.APIKeyAuthorization}}
	for name, c := range map[string]struct {
		data *model.Data
		want string
	}{
		"no key":                {&model.Data{DefaultAuthorizationType: "AWS_IAM"}, "default_authorization_type AWS_IAM: definition"},
		"a key by default":      {&model.Data{DefaultAuthorizationType: model.APIKeyAuthorization}, "api_key <API_KEY>: default\ndefault_authorization_type API_KEY: definition"},
		"a key beside a role's": {keys, "api_key <API_KEY>: default\ndefault_authorization_type AWS_IAM: definition\nauthorization_types [API_KEY]: definition"},
	} {
		if got := sources(t, &model.Backend{Data: c.data}, model.KindData, nil, nil); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	if got := sources(t, &model.Backend{Layout: amplify.Layout}, model.KindAuth, nil, nil); got != "" {
		t.Errorf("the Amplify CLI is said to have the defaults\n%s", got)
	}
	const auth = `password_policy.min_length 8: default
password_policy.require_numbers false: default
password_policy.require_lowercase false: default
password_policy.require_uppercase false: default
password_policy.require_symbols false: default
unauthenticated_identities_enabled true: default
mfa_configuration NONE: default`
	if got := sources(t, &model.Backend{}, model.KindAuth, nil, nil); got != auth {
		t.Errorf("the defaults are\n%s\nwant\n%s", got, auth)
	}
}
