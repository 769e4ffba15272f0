package schemas

import (
	"strings"
	"testing"
)

// The client configuration file, row by row as specification.md has it
// ("Resources and their fields", "Limits"). The rows are in the specification's
// words; the other dialect is judged by the same rows in its words.
var clientFields = []struct {
	field   string
	accepts []string
	refuses []string
}{
	{"/$schema", []string{`"anything"`, `""`}, []string{`1`, `null`}},
	{"/version", []string{`"1"`}, []string{`"1.4"`, `"2"`, `1`, `""`, `null`}},
	{"/analytics", []string{`{}`}, []string{`[]`, `null`, `{"other": 1}`}},
	{"/auth", nil, []string{`{}`, `"pool"`, `[]`}},
	{"/data", nil, []string{`{}`, `null`}},
	{"/geo", nil, []string{`{}`, `null`}},
	{"/notifications", nil, []string{`{}`, `null`}},
	{"/storage", nil, []string{`{}`, `null`}},
	{"/custom", []string{`{}`, `{"a": {"b": [1, 1, null]}}`, `{"version": 2, "auth": {"x": 1}}`, `{"n": 1e400}`}, []string{`[]`, `null`, `"a"`}},

	{"/analytics/messaging_app", nil, []string{`{}`, `"a"`}},
	{"/analytics/messaging_app/cloud_region", []string{`""`, `"anywhere"`}, []string{`1`}},
	{"/analytics/messaging_app/app_id", []string{`"a"`}, []string{`1`, `null`}},

	{"/auth/cloud_region", []string{`"anywhere"`}, []string{`1`, `null`}},
	{"/auth/user_pool_id", []string{`"a"`}, []string{`1`}},
	{"/auth/user_pool_client_id", []string{`"a"`}, []string{`false`}},
	{"/auth/identity_pool_id", []string{`"a"`}, []string{`{}`}},
	{"/auth/password_policy", []string{`{}`, `{"min_length": 6}`}, []string{`[]`, `null`}},
	{"/auth/password_policy/min_length", []string{`6`, `99`, `8.0`, `80e-1`}, []string{`5`, `100`, `8.5`, `"8"`, `null`, `-8`, `1e400`, `8.00000000000000000000001`}},
	{"/auth/password_policy/require_numbers", []string{`true`, `false`}, []string{`"true"`, `1`, `null`, `"false"`, `"1"`, `"t"`}},
	{"/auth/password_policy/require_lowercase", []string{`true`, `false`}, []string{`"true"`, `0`}},
	{"/auth/password_policy/require_uppercase", []string{`true`, `false`}, []string{`"false"`, `[]`}},
	{"/auth/password_policy/require_symbols", []string{`true`, `false`}, []string{`"T"`, `{}`}},
	{"/auth/oauth", nil, []string{`{}`, `null`}},
	{"/auth/oauth/identity_providers", []string{`[]`, `["PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"]`}, []string{`["PROVIDER_C"]`, `["PROVIDER_A", "PROVIDER_A"]`, `"PROVIDER_A"`, `[1]`}},
	{"/auth/oauth/domain", []string{`""`, `"a"`}, []string{`1`}},
	{"/auth/oauth/scopes", []string{`[]`, `["anything", "goes"]`}, []string{`["a", "a"]`, `[1]`, `{}`}},
	{"/auth/oauth/redirect_sign_in_uri", []string{`["not an address"]`}, []string{`[]`, `["a", "b", "a"]`, `[null]`}},
	{"/auth/oauth/redirect_sign_out_uri", []string{`["a", "b"]`}, []string{`[]`, `["a", "a"]`, `"a"`}},
	{"/auth/oauth/response_type", []string{`"code"`, `"token"`}, []string{`"Code"`, `"cod"`, `1`}},
	{"/auth/standard_required_attributes", []string{`[]`, `["address", "birthdate", "email", "family_name", "gender", "given_name", "locale", "middle_name", "name", "nickname", "phone_number", "picture", "preferred_username", "profile", "sub", "updated_at", "website", "zoneinfo"]`}, []string{`["phone"]`, `["email", "email"]`, `[1]`}},
	{"/auth/username_attributes", []string{`["email"]`, `["email", "phone_number", "username"]`}, []string{`[]`, `["email", "email"]`, `["name"]`}},
	{"/auth/user_verification_types", []string{`[]`, `["email", "phone_number", "email"]`}, []string{`["username"]`, `"email"`}},
	{"/auth/unauthenticated_identities_enabled", []string{`true`, `false`}, []string{`"true"`, `null`}},
	{"/auth/mfa_configuration", []string{`"NONE"`, `"OPTIONAL"`, `"REQUIRED"`}, []string{`"OFF"`, `"none"`, `false`}},
	{"/auth/mfa_methods", []string{`[]`, `["SMS", "TOTP", "SMS"]`}, []string{`["EMAIL"]`, `[null]`, `"SMS"`}},

	{"/data/cloud_region", []string{`"a"`}, []string{`1`}},
	{"/data/url", []string{`"not an address"`}, []string{`null`}},
	{"/data/model_introspection", []string{`{}`, `{"any": ["thing", "thing"]}`}, []string{`[]`, `null`}},
	{"/data/api_key", []string{`"<API_KEY>"`, `"da2-key"`}, []string{`1`}},
	{"/data/default_authorization_type", []string{`"IDENTITY_USER_POOLS"`, `"API_KEY"`, `"CLOUD_IAM"`, `"CLOUD_FUNCTION"`, `"OPENID_CONNECT"`}, []string{`"NONE"`, `1`}},
	{"/data/authorization_types", []string{`[]`, `["API_KEY", "API_KEY"]`, `["IDENTITY_USER_POOLS", "API_KEY", "CLOUD_IAM", "CLOUD_FUNCTION", "OPENID_CONNECT"]`}, []string{`["NONE"]`, `"API_KEY"`, `[1]`}},

	{"/geo/cloud_region", []string{`"a"`}, []string{`1`}},
	{"/geo/maps", nil, []string{`{}`, `null`}},
	{"/geo/maps/items", []string{`{}`, `{"a": {}}`, `{"": {"style": ""}}`}, []string{`[]`, `null`}},
	{"/geo/maps/items/streets", []string{`{}`, `{"style": "a"}`}, []string{`{"name": "a"}`, `{"style": 1}`, `null`}},
	{"/geo/maps/default", []string{`"not among the items"`}, []string{`1`}},
	{"/geo/search_indices", nil, []string{`{}`}},
	{"/geo/search_indices/items", []string{`["a"]`, `["a", "b"]`}, []string{`[]`, `["a", "a"]`, `[1]`}},
	{"/geo/search_indices/default", []string{`"a"`}, []string{`null`}},
	{"/geo/geofence_collections", nil, []string{`{}`}},
	{"/geo/geofence_collections/items", []string{`["a"]`}, []string{`[]`, `["a", "a"]`, `{}`}},
	{"/geo/geofence_collections/default", []string{`"a"`}, []string{`[]`}},

	{"/notifications/cloud_region", []string{`"a"`}, []string{`1`}},
	{"/notifications/messaging_app_id", []string{`"a"`}, []string{`1`}},
	{"/notifications/channels", []string{`["IN_APP_MESSAGING", "PUSH_A", "PUSH_B", "EMAIL", "SMS"]`}, []string{`[]`, `["SMS", "SMS"]`, `["PUSH_C"]`}},

	{"/storage/cloud_region", []string{`"a"`}, []string{`1`}},
	{"/storage/bucket_name", []string{`"a"`}, []string{`1`}},
}

// requiredFields and optionalFields are the "required" column.
const (
	requiredFields = `/version
		/analytics/messaging_app/cloud_region /analytics/messaging_app/app_id
		/auth/cloud_region /auth/user_pool_id /auth/user_pool_client_id
		/auth/oauth/identity_providers /auth/oauth/domain /auth/oauth/scopes
		/auth/oauth/redirect_sign_in_uri /auth/oauth/redirect_sign_out_uri /auth/oauth/response_type
		/data/cloud_region /data/url /data/default_authorization_type /data/authorization_types
		/geo/cloud_region /geo/maps/items /geo/maps/default
		/geo/search_indices/items /geo/search_indices/default
		/geo/geofence_collections/items /geo/geofence_collections/default
		/notifications/cloud_region /notifications/messaging_app_id /notifications/channels
		/storage/cloud_region /storage/bucket_name`
	optionalFields = `/$schema /analytics /auth /data /geo /notifications /storage /custom
		/analytics/messaging_app
		/auth/identity_pool_id /auth/password_policy /auth/oauth /auth/standard_required_attributes
		/auth/username_attributes /auth/user_verification_types /auth/unauthenticated_identities_enabled
		/auth/mfa_configuration /auth/mfa_methods
		/auth/password_policy/min_length /auth/password_policy/require_numbers
		/auth/password_policy/require_lowercase /auth/password_policy/require_uppercase
		/auth/password_policy/require_symbols
		/data/model_introspection /data/api_key
		/geo/maps /geo/search_indices /geo/geofence_collections /geo/maps/items/streets/style`
	closedObjects = `/ /analytics/ /analytics/messaging_app/ /auth/ /auth/password_policy/ /auth/oauth/ /data/
		/geo/ /geo/maps/ /geo/maps/items/streets/ /geo/search_indices/ /geo/geofence_collections/
		/notifications/ /storage/`
	freeObjects = `/custom/ /custom/API/ /data/model_introspection/`
)

// dialects are the schemas of the client file, each with what turns the rows
// above into its words.
func dialects() map[string]func(string) string {
	return map[string]func(string) string{
		"client-config": func(text string) string { return text },
		"client-config-amplify": func(text string) string {
			if strings.HasPrefix(text, "/") {
				names := strings.Split(text, "/")
				for i, name := range names {
					names[i] = strings.Trim(publicWords.Replace(`"`+name+`"`), `"`)
				}
				return strings.Join(names, "/")
			}
			return publicWords.Replace(text)
		},
	}
}

func TestClientFileFieldsFollowTheSpecification(t *testing.T) {
	for schema, say := range dialects() {
		for _, row := range clientFields {
			field := say(row.field)
			for _, value := range row.accepts {
				accepts(t, schema, with(t, rich(t, schema), field, say(value)))
			}
			for _, value := range row.refuses {
				doc := with(t, rich(t, schema), field, say(value))
				if len(problems(t, schema, doc)) == 0 {
					t.Errorf("%s accepts %s at %s", schema, value, field)
				}
			}
		}
	}
}

func TestClientFileRequiresWhatTheSpecificationRequires(t *testing.T) {
	for schema, say := range dialects() {
		for _, field := range strings.Fields(requiredFields) {
			field = say(field)
			refuses(t, schema, field[:strings.LastIndex(field, "/")], without(t, rich(t, schema), field))
		}
		for _, field := range strings.Fields(optionalFields) {
			accepts(t, schema, without(t, rich(t, schema), say(field)))
		}
	}
}

func TestClientFileForbidsFurtherFieldsButInFreeObjects(t *testing.T) {
	for schema, say := range dialects() {
		for _, object := range strings.Fields(closedObjects) {
			for _, name := range []string{"further", "style", ""} {
				at := say(object) + name
				if at == "/geo/maps/items/streets/style" {
					continue
				}
				refuses(t, schema, at, with(t, rich(t, schema), at, `{"a": 1}`))
			}
		}
		for _, object := range strings.Fields(freeObjects) {
			accepts(t, schema, with(t, rich(t, schema), say(object)+"further", `{"a": [1, 1]}`))
		}
	}
}

func TestAnEmptyClientFileIsOneWithAVersion(t *testing.T) {
	for schema := range dialects() {
		accepts(t, schema, []byte(`{"version": "1"}`))
		refuses(t, schema, "", []byte(`{}`))
		refuses(t, schema, "", []byte(`[]`))
	}
}
