package model_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAddOutputMergesSetsAppendsAndRefusesConflicts(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Storage: &model.Storage{Region: "eu-west-1"}}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"storage": map[string]any{"bucket_name": "files"}, "custom": map[string]any{"list": []int{1}}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"storage": map[string]any{"bucket_name": "files", "cloud_region": "eu-west-1"}, "custom": map[string]any{"list": []int{1}}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"mfa_methods": []string{"SMS"}}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"mfa_methods": []string{"SMS", "TOTP"}, "cloud_region": "r", "user_pool_id": "p", "user_pool_client_id": "c"}}))
	content, err := clientfile.Of(b, nil, nil)
	modeltest.Must(t, err)
	text, err := json.Marshal(content.Values)
	modeltest.Must(t, err)
	want := `{"auth":{"cloud_region":"r","mfa_methods":["SMS","TOTP"],"user_pool_client_id":"c","user_pool_id":"p"},"custom":{"list":[1,1]},"storage":{"bucket_name":"files","cloud_region":"eu-west-1"},"version":"1"}`
	if string(text) != want {
		t.Errorf("the file is\n%s\nwant\n%s", text, want)
	}
	for _, tt := range []struct {
		values model.Outputs
		want   string
	}{
		{model.Outputs{"storage": map[string]any{"cloud_region": "us-east-1"}}, `output storage-3: /storage/cloud_region is "eu-west-1" (generated) and "us-east-1" (output storage-3); give it once, or the same value`},
		{model.Outputs{"storage": map[string]any{"bucket_name": "other"}}, `output storage-3: /storage/bucket_name is "files" (output storage) and "other" (output storage-3); give it once, or the same value`},
		{model.Outputs{"custom": map[string]any{"list": "x"}}, `output storage: /custom/list is "x" (output custom) and [1] (output storage); give it once, or the same value`},
		{model.Outputs{"storge": map[string]any{}}, `output output: unknown field storge; did you mean storage?`},
		{model.Outputs{"auth": map[string]any{"password_policy": map[string]any{"min_length": 5}}}, `output auth-3: auth/password_policy/min_length is 5; give a whole number from 6 to 99`},
		{model.Outputs{"version": "2"}, `output output: version is 2; use one of 1`},
		{model.Outputs{}, `output: is empty; give a section of the client configuration file, or custom`},
	} {
		err := edit.AddOutput(b, tt.values)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v:\n got %v\nwant %s", tt.values, err, tt.want)
		}
	}
}

func TestASectionWithADefinitionWaitsForAPush(t *testing.T) {
	t.Parallel()
	length := 12
	b := &model.Backend{Auth: &model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &length}}}
	content, err := clientfile.Of(b, nil, nil)
	modeltest.Must(t, err)
	if content.Values["auth"] != nil || strings.Join(content.Waiting["auth"], " ") != "cloud_region user_pool_id user_pool_client_id" {
		t.Fatalf("auth is %v, waiting for %v", content.Values["auth"], content.Waiting)
	}
	content, err = clientfile.Of(b, nil, model.Outputs{"auth": map[string]any{"cloud_region": "r", "user_pool_id": "p", "user_pool_client_id": "c"}})
	modeltest.Must(t, err)
	text, err := json.Marshal(content.Values["auth"])
	modeltest.Must(t, err)
	want := `{"cloud_region":"r","password_policy":{"min_length":12,"require_lowercase":false,"require_numbers":false,"require_symbols":false,"require_uppercase":false},"unauthenticated_identities_enabled":true,"user_pool_client_id":"c","user_pool_id":"p"}`
	if string(text) != want {
		t.Errorf("auth is\n%s\nwant\n%s", text, want)
	}
}

func TestAnIncompleteSectionIsLeftOutAndReported(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"geo": map[string]any{"maps": map[string]any{"default": "m"}}}))
	content, err := clientfile.Of(b, nil, nil)
	modeltest.Must(t, err)
	if content.Values["geo"] != nil || !slices.Equal(content.Waiting["geo"], []string{"maps/items", "cloud_region"}) || len(content.Origins) > 0 {
		t.Errorf("geo is %v, waiting for %v, origins %v", content.Values["geo"], content.Waiting, content.Origins)
	}
	problems := check.Backend(b)
	want := []string{
		"output geo: geo/maps/items is missing, so the client configuration file has no geo; give it here or in another output",
		"output geo: geo/cloud_region is missing, so the client configuration file has no geo; give it here or in another output",
	}
	if got := modeltest.Texts(problems, model.Error); !slices.Equal(got, want) {
		t.Errorf("errors are\n%q\nwant\n%q", got, want)
	}
	if p := problems[0]; p.Pointer != "/geo/maps" || !errors.Is(p, check.ErrIncomplete) {
		t.Errorf("the place is %q, the cause %v", p.Pointer, p.Cause)
	}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"geo": map[string]any{"cloud_region": "r", "maps": map[string]any{"items": map[string]any{}}}}))
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("after it is completed: %q", got)
	}
}

func TestAKeyInAnOutputIsAWarning(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	data := map[string]any{"cloud_region": "r", "url": "u", "api_key": "s3cret", "default_authorization_type": "API_KEY", "authorization_types": []any{}}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"data": data}))
	want := "output data: holds a key, and outputs are committed; write <API_KEY> here, and the key into the client configuration file, where it stays"
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Equal(got, []string{want}) {
		t.Errorf("warnings are %q", got)
	}
	data["api_key"] = model.APIKeyPlaceholder
	modeltest.Must(t, edit.UpdateOutput(b, "data", model.Outputs{"data": data}))
	if got := check.Backend(b); len(got) > 0 {
		t.Errorf("with the placeholder problems are %v", got)
	}
}

func TestAPushCompletesAUserPoolThatAnOutputDescribesInPart(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"user_pool_id": "eu-west-1_own"}}))
	if got := modeltest.Texts(check.Backend(b), model.Error); len(got) != 1 {
		t.Errorf("without anything that uses a pool errors are %q", got)
	}
	modeltest.Must(t, edit.AddGroup(b, "Admins"))
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("with a group errors are %q", got)
	}
}

func TestAnEnvironmentOverridesSingleValues(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Storage: &model.Storage{Region: "eu-west-1", BucketName: "dev-files"}}
	content, err := clientfile.Of(b, &model.Environment{Name: "prod", Storage: &model.Storage{BucketName: "files"}}, nil)
	modeltest.Must(t, err)
	if got := content.Values["storage"].(map[string]any); got["bucket_name"] != "files" || got["cloud_region"] != "eu-west-1" {
		t.Errorf("storage is %v", got)
	}
}
