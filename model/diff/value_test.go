package diff_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/modeltest"
)

func TestDiffExplainsAChangedUserPool(t *testing.T) {
	t.Parallel()
	eight, twelve, yes, no := 8, 12, true, false
	policy := func(p model.PasswordPolicy) model.Backend {
		return model.Backend{Auth: &model.Auth{PasswordPolicy: &p}}
	}
	groups := func(names ...string) model.Backend { return model.Backend{Groups: names} }
	attributes := func(names ...string) model.Backend {
		return model.Backend{Auth: &model.Auth{UsernameAttributes: names}}
	}
	for what, tt := range map[string]struct {
		was, now model.Backend
		want     []string
	}{
		"a password's length": {policy(model.PasswordPolicy{MinLength: &eight}), policy(model.PasswordPolicy{MinLength: &twelve}), []string{"password_policy.min_length: 8 -> 12"}},
		"the usual said":      {policy(model.PasswordPolicy{}), policy(model.PasswordPolicy{MinLength: &eight, RequireNumbers: &no}), nil},
		"a policy": {
			model.Backend{Auth: &model.Auth{}},
			policy(model.PasswordPolicy{}),
			[]string{`password_policy is new: {"min_length":8,"require_lowercase":false,"require_numbers":false,"require_symbo...`},
		},
		"guests":         {model.Backend{Auth: &model.Auth{}}, model.Backend{Auth: &model.Auth{UnauthenticatedIdentitiesEnabled: &no}}, []string{"unauthenticated_identities_enabled: true -> false"}},
		"guests said":    {model.Backend{Auth: &model.Auth{}}, model.Backend{Auth: &model.Auth{UnauthenticatedIdentitiesEnabled: &yes}}, nil},
		"attributes":     {attributes("email"), attributes("phone_number", "email"), []string{`username_attributes: "phone_number" is new`}},
		"their order":    {attributes("email", "username"), attributes("username", "email"), []string{`username_attributes: ["email","username"] -> ["username","email"]`}},
		"a new field":    {model.Backend{Auth: &model.Auth{}}, model.Backend{Auth: &model.Auth{MFAConfiguration: "NONE"}}, []string{`mfa_configuration is new: "NONE"`}},
		"a field less":   {model.Backend{Auth: &model.Auth{MFAConfiguration: "NONE"}}, model.Backend{Auth: &model.Auth{}}, []string{"mfa_configuration is gone"}},
		"no definition":  {model.Backend{Auth: &model.Auth{}}, model.Backend{Groups: []string{"A"}}, []string{"group A is new"}},
		"groups":         {groups("A", "B"), groups("C", "B"), []string{"group C is new", "group A is gone"}},
		"order":          {groups("A", "B"), groups("B", "A"), []string{"groups are in another order: B, A"}},
		"a group before": {groups("A", "B"), groups("C", "A", "B"), []string{"group C is new"}},
		"order and more": {groups("A", "B", "D"), groups("B", "C", "A"), []string{"group C is new", "group D is gone", "groups are in another order: B, C, A"}},
	} {
		same(t, what, reasons(t, &tt.was, &tt.now), tt.want)
	}
}

func TestAUserPoolIsCreatedAndDeletedWithItsFirstAndLastUse(t *testing.T) {
	t.Parallel()
	free, closed := modeltest.Backend(t, nil, accesstest.Open("/a", "f")), modeltest.Backend(t, nil, accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read)))
	same(t, "closed", lines(free, closed), []string{
		"Update API shop", "  /a: is no longer open to everybody", "  /a: guests lose create, read, update, delete", "  /a: signed-in users lose create, update, delete",
		"Create auth",
	})
	same(t, "opened", lines(closed, free), []string{"Update API shop", "  /a: is open to everybody now", "Delete auth"})
}

func TestDiffNamesAChangedValueByItsPointer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	for what, tt := range map[string]struct {
		was, now string
		want     []string
	}{
		"a number":            {`{"a": 1}`, `{"a": 2}`, []string{"/custom/a: 1 -> 2"}},
		"a number's form":     {`{"a": 1, "b": 150}`, `{"b": 1.5e2, "a": 1.0}`, nil},
		"a type":              {`{"a": 1}`, `{"a": "1"}`, []string{`/custom/a: 1 -> "1"`}},
		"null":                {`{"a": null}`, `{"a": {}}`, []string{"/custom/a: null -> {}"}},
		"null is a value":     {`{"a": null, "x": 1}`, `{"x": 1}`, []string{"/custom/a is gone"}},
		"a leaf":              {`{"a": {"b/c": {"d": true, "e": 1}}}`, `{"a": {"b/c": {"d": false, "e": 1}}}`, []string{"/custom/a/b~1c/d: true -> false"}},
		"an object":           {`{}`, `{"a": {"b": 1}}`, []string{`/custom/a is new: {"b":1}`}},
		"a long text":         {`{"a": "` + long + `1"}`, `{"a": "` + long + `2"}`, []string{"/custom/a changed its value"}},
		"a text to obey":      {`{"a": "x"}`, `{"a": "\u001b[2J\n"}`, []string{`/custom/a: "x" -> "\u001b[2J\n"`}},
		"a name to obey":      {`{}`, `{"\u001b": 1}`, []string{`"/custom/\x1b" is new: 1`}},
		"items":               {`{"a": [1, "b", 2]}`, `{"a": [2, "c", 1.0]}`, []string{`/custom/a: "c" is new`, `/custom/a: "b" is gone`}},
		"an item again":       {`{"a": [1]}`, `{"a": [1, 1]}`, []string{"/custom/a: [1] -> [1,1]"}},
		"items' form":         {`{"a": [1, 20]}`, `{"a": [1.0, 2e1]}`, nil},
		"objects in an array": {`{"a": [{"b": 1}, {"b": 2}]}`, `{"a": [{"b": 1}, {"b": 3}, 4]}`, []string{"/custom/a/1/b: 2 -> 3", "/custom/a/2 is new: 4"}},
		"an object less":      {`{"a": [{"b": 1}, {"b": 2}]}`, `{"a": [{"b": 1}]}`, []string{"/custom/a/1 is gone"}},
	} {
		given := func(text string) *model.Backend {
			values, err := model.ParseOutputs([]byte(`{"custom": ` + text + `}`))
			modeltest.Must(t, err)
			return &model.Backend{Outputs: []*model.Output{{Name: "o", Values: values}}}
		}
		same(t, what, reasons(t, given(tt.was), given(tt.now)), tt.want)
	}
}

func TestValuesOfAnyGoTypeAreComparedAsJSON(t *testing.T) {
	t.Parallel()
	given := func(value any) *model.Backend {
		return &model.Backend{Outputs: []*model.Output{{Name: "o", Values: model.Outputs{"custom": map[string]any{"a": value}}}}}
	}
	same(t, "the same", reasons(t, given([]int{1}), given([]any{json.Number("1.0")})), nil)
	same(t, "another", reasons(t, given(uint8(1)), given(2.5)), []string{"/custom/a: 1 -> 2.5"})
}

func TestDiffNamesChangesOfDataAndStorageByPointer(t *testing.T) {
	t.Parallel()
	one := &model.Data{URL: "https://a", ModelIntrospection: []byte(`{"models": {"Item": {"fields": 1}}, "version": 1}`)}
	two := &model.Data{URL: "https://b?x=1&y=<2>", ModelIntrospection: []byte(`{"version": 1.0, "models": {"Item": {"fields": 2}}}`), APIKey: model.APIKeyPlaceholder}
	same(t, "data", reasons(t, &model.Backend{Data: one}, &model.Backend{Data: two}), []string{
		`/api_key is new: "<API_KEY>"`, "/model_introspection/models/Item/fields: 1 -> 2", `/url: "https://a" -> "https://b?x=1&y=<2>"`,
	})
	same(t, "storage", reasons(t, &model.Backend{Storage: &model.Storage{BucketName: "a", Region: "r"}}, &model.Backend{Storage: &model.Storage{BucketName: "b"}}),
		[]string{`/bucket_name: "a" -> "b"`, "/cloud_region is gone"})
}
