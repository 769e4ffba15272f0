package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMistakesAreNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, doc string
		want        []Problem
	}{
		{"storage", `[]`, []Problem{{"", `expected an object, found an array`, `write an object: {...}`}}},
		{"storage", `{}`, []Problem{{"", `missing "version"`, `add "version": 1`}}},
		{"storage", `{"version": "1"}`, []Problem{{"/version", `expected 1, found the string "1"`, `write 1`}}},
		{"storage", `{"version": 2}`, []Problem{{"/version", `expected 1, found the number 2`, `write 1`}}},
		{"storage", `{"version": 1, "bucket": "a"}`, []Problem{{"/bucket", `unknown field "bucket"`, `remove it; allowed here: cloud_region, bucket_name`}}},
		{"storage", `{"version": 1, "bucketName": "a"}`, []Problem{{"/bucketName", `unknown field "bucketName"`, `did you mean "bucket_name"?`}}},
		{"storage", `{"version": 1, "cloud_region": "a", "bucket_name": "b", "bucket_nam": "c"}`, []Problem{{"/bucket_nam", `unknown field "bucket_nam"`, `remove it`}}},
		{"storage", `{"version": 1, "bucket_name": 5}`, []Problem{{"/bucket_name", `expected a string, found the number 5`, `put it into quotes: "5"`}}},
		{"storage", `{"version": 1, "bucket_name": null}`, []Problem{{"/bucket_name", `expected a string, found null`, `write a string`}}},
		{"storage", `{"version": 1, "bucket_name": {"a": 1}}`, []Problem{{"/bucket_name", `expected a string, found an object`, `write a string`}}},
		{"storage", `{"version": 1, "a~/b": 1}`, []Problem{{"/a~0~1b", `unknown field "a~/b"`, `remove it; allowed here: cloud_region, bucket_name`}}},
		{"auth", `{"version": 1, "oath": {}}`, []Problem{{"/oath", `unknown field "oath"`, `did you mean "oauth"?`}}},
		{"auth", `{"version": 1, "password_policy": {"min_length": 5}}`, []Problem{{"/password_policy/min_length", `expected at least 6, found the number 5`, `write a whole number from 6 to 99`}}},
		{"auth", `{"version": 1, "password_policy": {"min_length": 1e400}}`, []Problem{{"/password_policy/min_length", `expected at most 99, found the number 1e400`, `write a whole number from 6 to 99`}}},
		{"auth", `{"version": 1, "password_policy": {"min_length": 8.5}}`, []Problem{{"/password_policy/min_length", `expected a whole number, found the number 8.5`, `write a whole number from 6 to 99`}}},
		{"auth", `{"version": 1, "password_policy": {"min_length": "8"}}`, []Problem{{"/password_policy/min_length", `expected a whole number, found the string "8"`, `write 8 without quotes`}}},
		{"auth", `{"version": 1, "password_policy": {"require_numbers": "True"}}`, []Problem{{"/password_policy/require_numbers", `expected true or false, found the string "True"`, `write true without quotes`}}},
		{"auth", `{"version": 1, "password_policy": {"require_numbers": 1}}`, []Problem{{"/password_policy/require_numbers", `expected true or false, found the number 1`, `write true or false`}}},
		{"auth", `{"version": 1, "mfa_configuration": "off"}`, []Problem{{"/mfa_configuration", `unknown value "off"`, `one of: NONE, OPTIONAL, REQUIRED`}}},
		{"auth", `{"version": 1, "mfa_configuration": "optional"}`, []Problem{{"/mfa_configuration", `unknown value "optional"`, `did you mean "OPTIONAL"?`}}},
		{"auth", `{"version": 1, "mfa_configuration": false}`, []Problem{{"/mfa_configuration", `expected a string, found false`, `one of: NONE, OPTIONAL, REQUIRED`}}},
		{"auth", `{"version": 1, "mfa_methods": "SMS"}`, []Problem{{"/mfa_methods", `expected an array, found the string "SMS"`, `put it into brackets: ["SMS"]`}}},
		{"auth", `{"version": 1, "username_attributes": []}`, []Problem{{"/username_attributes", `expected at least 1 entry, found 0`, `add an entry, one of: email, phone_number, username`}}},
		{"auth", `{"version": 1, "username_attributes": ["email", "username", "email"]}`, []Problem{{"/username_attributes/2", `"email" repeats entry 0`, `remove it: entries must be unique`}}},
		{"auth", `{"version": 1, "groups": ["Our Admins"]}`, []Problem{{"/groups/0", `expected 1 to 128 printable characters without space, found the string "Our Admins"`, `write it like "Admins"`}}},
		{"auth", `{"version": 1, "groups": [""]}`, []Problem{{"/groups/0", `expected at least 1 character, found 0`, `fill it in or remove the field`}}},
		{"auth", `{"version": 1, "oauth": {"identity_providers": [], "domain": "", "scopes": [], "redirect_sign_in_uri": ["a"], "response_type": "cod"}}`, []Problem{
			{"/oauth", `missing "redirect_sign_out_uri"`, `add "redirect_sign_out_uri", an array`},
			{"/oauth/response_type", `unknown value "cod"`, `did you mean "code"?`},
		}},
		{"data", `{"version": 1, "api_key": "da2-abcdef"}`, []Problem{{"/api_key", `expected "<API_KEY>", found another string`, `write "<API_KEY>": do not commit keys`}}},
		{"client-config", `{"version": "1.4"}`, []Problem{{"/version", `expected "1", found the string "1.4"`, `write "1"`}}},
		{"client-config", `{"version": "1", "data": {"api_key": 5}}`, []Problem{
			{"/data", `missing "cloud_region"`, `add "cloud_region", a string`},
			{"/data", `missing "url"`, `add "url", a string`},
			{"/data", `missing "default_authorization_type"`, `add "default_authorization_type", one of: IDENTITY_USER_POOLS, API_KEY, CLOUD_IAM, CLOUD_FUNCTION, OPENID_CONNECT`},
			{"/data", `missing "authorization_types"`, `add "authorization_types", an array`},
			{"/data/api_key", `expected a string, found a number`, `write a string`},
		}},
		{"client-config", `{"version": "1", "geo": {"cloud_region": "a", "maps": {"default": "a", "items": {"a": {"name": "b"}}}}}`, []Problem{{"/geo/maps/items/a/name", `unknown field "name"`, `remove it; allowed here: style`}}},
		{"project", `{"version": 1, "name": "my shop", "applicationId": "a"}`, []Problem{{"/name", `expected 1 to 64 letters, digits, _ or -, the first a letter or digit, found the string "my shop"`, `write it like "items"`}}},
		{"environment", `{"version": 1, "provider": "AWS"}`, []Problem{{"/provider", `unknown value "AWS"`, `did you mean "aws"?`}}},
		{"function", `{"version": 1, "environment": {"TABLE-NAME": 1}}`, []Problem{
			{"", `missing "runtime"`, `add "runtime", one of: nodejs24.x, nodejs22.x, nodejs20.x, nodejs18.x, python3.14, python3.13, python3.12, python3.11, python3.10, python3.9, provided.al2023, nodejs, python, go`},
			{"/environment/TABLE-NAME", `expected a letter, then letters, digits or _, found the name "TABLE-NAME"`, `write it like "TABLE_NAME"`},
			{"/environment/TABLE-NAME", `expected a string, found the number 1`, `put it into quotes: "1"`},
		}},
		{"function", `{"version": 1, "runtime": "nodejs", "schedule": "every 5 minutes"}`, []Problem{{"/schedule", `expected rate(N minutes|hours|days), with the unit in the singular for 1, or cron(...) with six fields, found the string "every 5 minutes"`, `write it like "rate(5 minutes)"`}}},
		{"function", `{"version": 1, "runtime": "nodejs", "layers": ["a", "b", "c", "d", "e", "f", "g"]}`, []Problem{{"/layers", `expected at most 5 entries, found 7`, `remove 2 entries`}}},
		{"table", `{"version": 1, "partitionKey": {"name": "", "type": "text"}}`, []Problem{
			{"/partitionKey/name", `expected at least 1 character, found 0`, `fill it in or remove the field`},
			{"/partitionKey/type", `unknown value "text"`, `one of: string, number, binary`},
		}},
		{"cli-inputs", `{"version": 1, "paths": {"/a": {"lambdaFunction": "a", "permissions": {"setting": "open", "groups": {"A": ["reed"]}}}, "/b": {"permissions": {"auth": [1]}}}}`, []Problem{
			{"/paths/~1a/permissions/groups/A/0", `unknown value "reed"`, `did you mean "read"?`},
			{"/paths/~1b", `missing "lambdaFunction"`, `add "lambdaFunction", a string`},
			{"/paths/~1b/permissions", `missing "setting"`, `add "setting", one of: open, private, protected`},
			{"/paths/~1b/permissions/auth/0", `expected a string, found the number 1`, `one of: create, read, update, delete`},
		}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, problems(t, test.schema, []byte(test.doc))); diff != "" {
			t.Errorf("%s %s\n%s", test.schema, test.doc, diff)
		}
	}
}

func TestTheErrorOfInvalidJSONHasItsPlace(t *testing.T) {
	t.Parallel()
	tests := []struct{ doc, want string }{
		{``, `line 1, column 1: not JSON: the document is empty`},
		{"{\n  \"version\": tru}", `line 2, column 17: not JSON: invalid character '}' in literal true (expecting 'e') at /version`},
		{`{"a": 1, "a": 2}`, `line 1, column 10: not JSON: duplicate object member name at /a`},
		{`{"a": 1} {}`, `line 1, column 11: not JSON: there is more text after the end of the value`},
		{"\"\xff\"", `line 1, column 2: not JSON: invalid UTF-8`},
		{`{"a": [1,`, `line 1, column 10: not JSON: unexpected EOF at /a`},
	}
	for _, test := range tests {
		found, err := Validate("auth", []byte(test.doc))
		if err == nil || err.Error() != test.want || found != nil {
			t.Errorf("%q: problems %v, error %v\nwant %s", test.doc, found, err, test.want)
		}
	}
}

func TestMessagesRepeatLittleOfTheDocument(t *testing.T) {
	t.Parallel()
	long := quoted("é", 5000)
	doc := `{"version": ` + long + `, ` + long + `: 1, "groups": [` + long + `, ` + long + `], "mfa_configuration": ` + long +
		`, "username_attributes": ` + long + `, "user_pool_id": 1` + strings.Repeat("0", 5000) + `}`
	found := problems(t, "auth", []byte(doc))
	if len(found) != 8 {
		t.Errorf("%d problems, want 8", len(found))
	}
	for _, problem := range found {
		if len(problem.Text) > 300 || len(problem.Fix) > 300 {
			t.Errorf("text of %d and fix of %d bytes", len(problem.Text), len(problem.Fix))
		}
	}
}
