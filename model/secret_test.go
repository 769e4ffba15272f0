package model_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/diff"
	"gatewright/model/modeltest"
)

func TestAReportedValueHasNoKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ pointer, value, want string }{
		{"/data/api_key", `"s3cret"`, `"<redacted>"`},
		{"/data/api_key", `"<API_KEY>"`, `"<API_KEY>"`},
		{"/data/api_key", `null`, `null`},
		{"/custom/x-api-key/0", `{"a": 1}`, `"<redacted>"`},
		{"", `{"data": {"API_KEY": "s3cret", "url": "u"}}`, `{"data":{"API_KEY":"<redacted>","url":"u"}}`},
		{"/custom", `[{"graphqlApiKey": ["s3cret"]}, 1.0]`, `[{"graphqlApiKey":"<redacted>"},1.0]`},
		{"/custom", `{"api_keys": "b", "key": "c", "a/b~api_key": "s3cret"}`, `{"a/b~api_key":"<redacted>","api_keys":"b","key":"c"}`},
	} {
		decoder := json.NewDecoder(strings.NewReader(tt.value))
		decoder.UseNumber()
		var value any
		modeltest.Must(t, decoder.Decode(&value))
		got, err := json.Marshal(model.WithoutSecrets(tt.pointer, value))
		modeltest.Must(t, err)
		if text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(got)); text != tt.want {
			t.Errorf("%s at %q is shown as %s", tt.value, tt.pointer, text)
		}
	}
}

func TestNoErrorAndNoReasonShowsAKey(t *testing.T) {
	t.Parallel()
	withKey := func(key string) *model.Backend {
		return &model.Backend{
			Outputs:   []*model.Output{{Name: "data", Values: model.Outputs{"data": map[string]any{"api_key": key, "url": "u"}, "custom": map[string]any{"api_key": key}}}},
			Functions: []*model.Function{{Name: "f", Environment: []model.Variable{{Name: "STRIPE_API_KEY", Value: key}}}},
		}
	}
	for name, was := range map[string]*model.Backend{"another": withKey("s3cret-1"), "none": {Outputs: []*model.Output{{Name: "data", Values: model.Outputs{}}}, Functions: []*model.Function{{Name: "f"}}}} {
		for _, d := range diff.Backends(was, withKey("s3cret-2")) {
			if reasons := strings.Join(d.Reasons, "\n"); strings.Contains(reasons, "s3cret") || d.Operation != diff.ToUpdate || reasons == "" {
				t.Errorf("%s before: %s: %s %s", name, d.Of, d.Operation, reasons)
			}
		}
	}
	b := withKey("s3cret-1")
	b.Outputs = append(b.Outputs, &model.Output{Name: "other", Values: model.Outputs{"data": map[string]any{"api_key": "s3cret-2"}}})
	if _, err := clientfile.Of(b, nil, nil); err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "/data/api_key is ") {
		t.Errorf("two keys: %v", err)
	}
}
