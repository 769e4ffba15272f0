package clientfile_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// olderDeployment returns the values of a deployment of a whole backend.
func olderDeployment() model.Outputs {
	return model.Outputs{
		"auth": map[string]any{
			"cloud_region": "eu-west-1", "user_pool_id": "p", "user_pool_client_id": "c", "mfa_configuration": "NONE", "mfa_methods": []string{"SMS"},
			"username_attributes": []string{"email"}, "password_policy": map[string]any{"min_length": 8, "require_numbers": true},
		},
		"data": map[string]any{
			"cloud_region": "eu-west-1", "url": "https://old", "default_authorization_type": "CLOUD_IAM", "authorization_types": []string{},
			"model_introspection": map[string]any{"version": 1, "models": map[string]any{"Old": map[string]any{}}},
		},
		"storage": map[string]any{"cloud_region": "eu-west-1", "bucket_name": "old"},
		"custom":  map[string]any{"API": map[string]any{"shop": map[string]any{"endpoint": "http://127.0.0.1:4280/a/dev"}}},
	}
}

func TestADefinitionWinsOverAnOlderDeployment(t *testing.T) {
	t.Parallel()
	length := 12
	b := &model.Backend{}
	modeltest.Must(t, edit.SetAuth(b, &model.Auth{MFAConfiguration: "OPTIONAL", MFAMethods: []string{"TOTP"}, PasswordPolicy: &model.PasswordPolicy{MinLength: &length}}))
	modeltest.Must(t, edit.SetData(b, &model.Data{URL: "https://new", ModelIntrospection: []byte(`{"version": 2}`)}))
	modeltest.Must(t, edit.SetStorage(b, &model.Storage{BucketName: "new"}))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Storage: &model.Storage{Region: "ap-south-1"}}))
	content, err := clientfile.Of(b, b.Environment("dev"), olderDeployment())
	modeltest.Must(t, err)
	for section, want := range map[string]string{
		"auth": `{"cloud_region":"eu-west-1","mfa_configuration":"OPTIONAL","mfa_methods":["TOTP"],` +
			`"password_policy":{"min_length":12,"require_lowercase":false,"require_numbers":false,"require_symbols":false,"require_uppercase":false},` +
			`"unauthenticated_identities_enabled":true,"user_pool_client_id":"c","user_pool_id":"p","username_attributes":["email"]}`,
		"data":    `{"authorization_types":[],"cloud_region":"eu-west-1","default_authorization_type":"CLOUD_IAM","model_introspection":{"version":2},"url":"https://new"}`,
		"storage": `{"bucket_name":"new","cloud_region":"ap-south-1"}`,
		"custom":  `{"API":{"shop":{"endpoint":"http://127.0.0.1:4280/a/dev"}}}`,
	} {
		if got := modeltest.DumpValue(t, content.Values[section]); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", section, got, want)
		}
	}
	for pointer, origin := range content.Origins {
		if origin != clientfile.Generated {
			t.Errorf("%s comes from %s", pointer, origin)
		}
	}
}

func TestADeploymentAddsWhatNoDefinitionSets(t *testing.T) {
	t.Parallel()
	content, err := clientfile.Of((&model.Backend{}), nil, olderDeployment())
	modeltest.Must(t, err)
	want := olderDeployment()
	want["version"] = "1"
	if got := modeltest.DumpValue(t, content.Values); got != modeltest.DumpValue(t, want) {
		t.Errorf("the file is\n%s\nwant\n%s", got, modeltest.DumpValue(t, want))
	}
	if got := content.Origins["/custom/API/shop/endpoint"]; got != clientfile.Generated {
		t.Errorf("the endpoint comes from %q", got)
	}
}

func TestAnOutputThatDiffersFromADeploymentIsAConflict(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"storage": map[string]any{"bucket_name": "mine"}}))
	_, err := clientfile.Of(b, nil, olderDeployment())
	modeltest.Refused(t, "a deployed value", err, `output storage: /storage/bucket_name is "old" (generated) and "mine" (output storage); give it once, or the same value`)
	modeltest.Must(t, edit.UpdateOutput(b, "storage", model.Outputs{"storage": map[string]any{"bucket_name": "new"}}))
	modeltest.Must(t, edit.SetStorage(b, &model.Storage{BucketName: "new"}))
	if _, err := clientfile.Of(b, nil, olderDeployment()); err != nil {
		t.Errorf("the definition and the output say the same: %v", err)
	}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"mfa_methods": []string{"TOTP"}}}))
	content, err := clientfile.Of(b, nil, olderDeployment())
	modeltest.Must(t, err)
	if got := modeltest.DumpValue(t, content.Values["auth"].(map[string]any)["mfa_methods"]); got != `["SMS","TOTP"]` {
		t.Errorf("an output joins the deployed list to %s", got)
	}
}

func TestAFileFromADeploymentIsACopy(t *testing.T) {
	t.Parallel()
	before := modeltest.DumpValue(t, olderDeployment())
	content, err := clientfile.Of((&model.Backend{}), nil, olderDeployment())
	modeltest.Must(t, err)
	content.Values["custom"].(map[string]any)["API"].(map[string]any)["shop"] = "changed"
	if got := modeltest.DumpValue(t, olderDeployment()); got != before {
		t.Errorf("what is deployed is now %s", got)
	}
}

func TestAConflictShowsValuesAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"a": "x<y&z"}}))
	modeltest.Refused(t, "a difference", edit.AddOutput(b, model.Outputs{"custom": map[string]any{"a": "<API_KEY>"}}),
		`output custom-2: /custom/a is "x<y&z" (output custom) and "<API_KEY>" (output custom-2); give it once, or the same value`)
}
