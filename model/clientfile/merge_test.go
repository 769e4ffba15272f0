package clientfile_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestTheAddressOfASchemaIsNoPartOfAnOutput(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"$schema": "x", "custom": map[string]any{"a": 1}}))
	if _, there := b.Outputs[0].Values["$schema"]; there {
		t.Error("the output holds $schema")
	}
	modeltest.Refused(t, "nothing else", edit.AddOutput(b, model.Outputs{"$schema": "x"}), "output: is empty; give a section of the client configuration file, or custom")
}

func TestAKeyReplacesItsPlaceholder(t *testing.T) {
	t.Parallel()
	data := &model.Data{Region: "eu-west-1", URL: "u", DefaultAuthorizationType: "API_KEY", AuthorizationTypes: []string{}}
	key := func(b *model.Backend, deployed model.Outputs) any {
		content, err := clientfile.Of(b, nil, deployed)
		modeltest.Must(t, err)
		return content.Values["data"].(map[string]any)["api_key"]
	}
	known := model.Outputs{"data": map[string]any{"api_key": "da2-abc"}}
	said := *data
	said.APIKey = model.APIKeyPlaceholder
	additional := *data
	additional.DefaultAuthorizationType, additional.AuthorizationTypes = "CLOUD_IAM", []string{"API_KEY"}
	for _, d := range []*model.Data{data, &said, &additional} {
		b := &model.Backend{}
		modeltest.Must(t, edit.SetData(b, d))
		if got := key(b, nil); got != model.APIKeyPlaceholder {
			t.Errorf("%+v: no key is known, the file holds %v", d, got)
		}
		if got := key(b, known); got != "da2-abc" {
			t.Errorf("%+v: the key is known, the file holds %v", d, got)
		}
	}
	b := &model.Backend{}
	modeltest.Must(t, edit.SetData(b, &model.Data{Region: "eu-west-1", URL: "u", DefaultAuthorizationType: "CLOUD_IAM", AuthorizationTypes: []string{}}))
	if got := key(b, nil); got != nil {
		t.Errorf("no key is wanted, the file holds %v", got)
	}
}

func TestAnOutputThatDiffersFromADefinitionIsAnError(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"storage": map[string]any{"bucket_name": "b1", "cloud_region": "eu-west-1"}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"mfa_configuration": "NONE", "cloud_region": "eu-west-1", "user_pool_id": "p", "user_pool_client_id": "c"}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"data": map[string]any{"url": "u", "cloud_region": "eu-west-1", "default_authorization_type": "CLOUD_IAM", "authorization_types": []any{}}}))
	modeltest.Refused(t, "storage", edit.SetStorage(b, &model.Storage{BucketName: "b2"}), `output storage: /storage/bucket_name is "b2" (generated) and "b1" (output storage); give it once, or the same value`)
	modeltest.Refused(t, "auth", edit.SetAuth(b, &model.Auth{MFAConfiguration: "OPTIONAL"}), `output auth: /auth/mfa_configuration is "OPTIONAL" (generated) and "NONE" (output auth); give it once, or the same value`)
	modeltest.Refused(t, "data", edit.SetData(b, &model.Data{URL: "v"}), `output data: /data/url is "v" (generated) and "u" (output data); give it once, or the same value`)
	prod := &model.Environment{Name: "prod", Provider: model.AWS, Storage: &model.Storage{BucketName: "b2"}}
	modeltest.Refused(t, "an environment", edit.AddEnvironment(b, prod), `output storage: /storage/bucket_name is "b2" (generated) and "b1" (output storage) in environment prod; give it once, or the same value`)
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("errors are %q", got)
	}
}

func TestAWarningDoesNotHideAConflict(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Storage: &model.Storage{BucketName: "b1"}, Outputs: []*model.Output{
		{Name: "odd name", Values: model.Outputs{"storage": map[string]any{"bucket_name": "b2"}}},
	}}
	problems := check.Backend(b)
	want := []string{`output "odd name": /storage/bucket_name is "b1" (generated) and "b2" (output "odd name"); give it once, or the same value`}
	if got := modeltest.Texts(problems, model.Error); !slices.Equal(got, want) {
		t.Errorf("errors are %q", got)
	}
}

func TestNullAndEmptyObjectsAreValuesLikeOthers(t *testing.T) {
	t.Parallel()
	give := func(values ...any) error {
		b := &model.Backend{}
		for _, v := range values {
			if err := edit.AddOutput(b, model.Outputs{"custom": map[string]any{"a": v}}); err != nil {
				return err
			}
		}
		return nil
	}
	empty, full := map[string]any{}, map[string]any{"y": 1, "x": 2}
	for _, tt := range []struct {
		first, second any
		want          string
	}{
		{nil, 1, "output custom-2: /custom/a is null (output custom) and 1 (output custom-2); give it once, or the same value"},
		{1, nil, "output custom-2: /custom/a is 1 (output custom) and null (output custom-2); give it once, or the same value"},
		{empty, 1, "output custom-2: /custom/a is {} (output custom) and 1 (output custom-2); give it once, or the same value"},
		{full, 1, `output custom-2: /custom/a is {"x":2,"y":1} (output custom) and 1 (output custom-2); give it once, or the same value`},
		{"1", 1, `output custom-2: /custom/a is "1" (output custom) and 1 (output custom-2); give it once, or the same value`},
	} {
		modeltest.Refused(t, "", give(tt.first, tt.second), tt.want)
	}
	modeltest.Must(t, give(nil, nil))
	modeltest.Must(t, give(empty, full, empty))
	b := &model.Backend{}
	for _, text := range []string{"1.5", "1.50", "15e-1", "0.15E1"} {
		values, err := model.ParseOutputs([]byte(`{"custom": {"n": ` + text + `, "big": 12345678901234567890}}`))
		modeltest.Must(t, err)
		modeltest.Must(t, edit.AddOutput(b, values))
	}
	values, err := model.ParseOutputs([]byte(`{"custom": {"big": 12345678901234567891}}`))
	modeltest.Must(t, err)
	if err := edit.AddOutput(b, values); err == nil {
		t.Error("numbers that differ in the last of twenty digits are equal")
	}
}

func TestAnIncompleteSectionDoesNotStopOtherWrites(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"storage": map[string]any{"cloud_region": "eu-west-1"}}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"a": 1}}))
	content, err := clientfile.Of(b, nil, nil)
	modeltest.Must(t, err)
	if content.Values["custom"] == nil || content.Values["storage"] != nil || strings.Join(content.Waiting["storage"], " ") != "bucket_name" {
		t.Errorf("the file is %v, waiting %v", content.Values, content.Waiting)
	}
}
