package schemas

// clientField is a field of the client configuration file: its pointer, whether its object
// must have it, valid values and invalid values.
type clientField struct {
	field            string
	required         bool
	accepts, refuses []string
}

const (
	required = true
	optional = false
)

// clientFields are all fields in the neutral dialect; for the amplify dialect the same rows
// are translated. streets is a map of the rich document.
var clientFields = []clientField{
	// Client configuration file (top-level object).
	{"/$schema", optional, []string{`"anything"`, `""`}, []string{`1`, `null`}},
	{"/version", required, []string{`"1"`}, []string{`"1.4"`, `"2"`, `1`, `""`, `null`}},
	{"/analytics", optional, []string{`{}`}, []string{`[]`, `null`, `{"other": 1}`}},
	{"/auth", optional, []string{`{"cloud_region": "r", "user_pool_id": "p", "user_pool_client_id": "c"}`}, []string{`{}`, `"pool"`, `[]`}},
	{"/data", optional, []string{`{"cloud_region": "r", "url": "u", "default_authorization_type": "API_KEY", "authorization_types": []}`}, []string{`{}`, `null`}},
	{"/geo", optional, []string{`{"cloud_region": "r"}`}, []string{`{}`, `null`}},
	{"/notifications", optional, []string{`{"cloud_region": "r", "messaging_app_id": "a", "channels": ["SMS"]}`}, []string{`{}`, `null`}},
	{"/storage", optional, []string{`{"cloud_region": "r", "bucket_name": "b"}`}, []string{`{}`, `null`}},
	{"/custom", optional, []string{`{}`, `{"a": {"b": [1, 1, null]}}`, `{"version": 2, "auth": {"x": 1}}`, `{"n": 1e400}`}, []string{`[]`, `null`, `"a"`}},

	// analytics.
	{"/analytics/messaging_app", optional, []string{`{"cloud_region": "r", "app_id": "a"}`}, []string{`{}`, `"a"`}},
	{"/analytics/messaging_app/cloud_region", required, []string{`""`, `"anywhere"`}, []string{`1`}},
	{"/analytics/messaging_app/app_id", required, []string{`"a"`}, []string{`1`, `null`}},

	// auth.
	{"/auth/cloud_region", required, []string{`"anywhere"`}, []string{`1`, `null`}},
	{"/auth/user_pool_id", required, []string{`"a"`}, []string{`1`}},
	{"/auth/user_pool_client_id", required, []string{`"a"`}, []string{`false`}},
	{"/auth/identity_pool_id", optional, []string{`"a"`}, []string{`{}`}},
	{"/auth/password_policy", optional, []string{`{}`, `{"min_length": 6}`}, []string{`[]`, `null`}},
	{"/auth/password_policy/min_length", optional, []string{`6`, `99`, `8.0`, `80e-1`}, []string{`5`, `100`, `8.5`, `"8"`, `null`, `-8`, `1e400`, `8.00000000000000000000001`}},
	{"/auth/password_policy/require_numbers", optional, []string{`true`, `false`}, []string{`"true"`, `1`, `null`, `"false"`, `"1"`, `"t"`}},
	{"/auth/password_policy/require_lowercase", optional, []string{`true`, `false`}, []string{`"true"`, `0`}},
	{"/auth/password_policy/require_uppercase", optional, []string{`true`, `false`}, []string{`"false"`, `[]`}},
	{"/auth/password_policy/require_symbols", optional, []string{`true`, `false`}, []string{`"T"`, `{}`}},
	{"/auth/oauth", optional, []string{`{"identity_providers": [], "domain": "", "scopes": [], "redirect_sign_in_uri": ["a"], "redirect_sign_out_uri": ["b"], "response_type": "code"}`}, []string{`{}`, `null`}},
	{"/auth/oauth/identity_providers", required, []string{`[]`, `["PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"]`}, []string{`["PROVIDER_C"]`, `["PROVIDER_A", "PROVIDER_A"]`, `"PROVIDER_A"`, `[1]`}},
	{"/auth/oauth/domain", required, []string{`""`, `"a"`}, []string{`1`}},
	{"/auth/oauth/scopes", required, []string{`[]`, `["anything", "goes"]`}, []string{`["a", "a"]`, `[1]`, `{}`}},
	{"/auth/oauth/redirect_sign_in_uri", required, []string{`["not an address"]`}, []string{`[]`, `["a", "b", "a"]`, `[null]`}},
	{"/auth/oauth/redirect_sign_out_uri", required, []string{`["a", "b"]`}, []string{`[]`, `["a", "a"]`, `"a"`}},
	{"/auth/oauth/response_type", required, []string{`"code"`, `"token"`}, []string{`"Code"`, `"cod"`, `1`}},
	{"/auth/standard_required_attributes", optional, []string{`[]`, `["address", "birthdate", "email", "family_name", "gender", "given_name", "locale", "middle_name", "name", "nickname", "phone_number", "picture", "preferred_username", "profile", "sub", "updated_at", "website", "zoneinfo"]`}, []string{`["phone"]`, `["email", "email"]`, `[1]`}},
	{"/auth/username_attributes", optional, []string{`["email"]`, `["email", "phone_number", "username"]`}, []string{`[]`, `["email", "email"]`, `["name"]`}},
	{"/auth/user_verification_types", optional, []string{`[]`, `["email", "phone_number", "email"]`}, []string{`["username"]`, `"email"`}},
	{"/auth/unauthenticated_identities_enabled", optional, []string{`true`, `false`}, []string{`"true"`, `null`}},
	{"/auth/mfa_configuration", optional, []string{`"NONE"`, `"OPTIONAL"`, `"REQUIRED"`}, []string{`"OFF"`, `"none"`, `false`}},
	{"/auth/mfa_methods", optional, []string{`[]`, `["SMS", "TOTP", "SMS"]`}, []string{`["EMAIL"]`, `[null]`, `"SMS"`}},

	// data.
	{"/data/cloud_region", required, []string{`"a"`}, []string{`1`}},
	{"/data/url", required, []string{`"not an address"`}, []string{`null`}},
	{"/data/model_introspection", optional, []string{`{}`, `{"any": ["thing", "thing"]}`}, []string{`[]`, `null`}},
	{"/data/api_key", optional, []string{`"<API_KEY>"`, `"da2-key"`}, []string{`1`}},
	{"/data/default_authorization_type", required, []string{`"IDENTITY_USER_POOLS"`, `"API_KEY"`, `"CLOUD_IAM"`, `"CLOUD_FUNCTION"`, `"OPENID_CONNECT"`}, []string{`"NONE"`, `1`}},
	{"/data/authorization_types", required, []string{`[]`, `["API_KEY", "API_KEY"]`, `["IDENTITY_USER_POOLS", "API_KEY", "CLOUD_IAM", "CLOUD_FUNCTION", "OPENID_CONNECT"]`}, []string{`["NONE"]`, `"API_KEY"`, `[1]`}},

	// geo.
	{"/geo/cloud_region", required, []string{`"a"`}, []string{`1`}},
	{"/geo/maps", optional, []string{`{"items": {}, "default": ""}`}, []string{`{}`, `null`}},
	{"/geo/maps/items", required, []string{`{}`, `{"a": {}}`, `{"": {"style": ""}}`}, []string{`[]`, `null`}},
	{"/geo/maps/items/streets", optional, []string{`{}`, `{"style": "a"}`}, []string{`{"name": "a"}`, `{"style": 1}`, `null`}},
	{"/geo/maps/items/streets/style", optional, []string{`"a"`, `""`}, []string{`1`, `null`}},
	{"/geo/maps/default", required, []string{`"not among the items"`}, []string{`1`}},
	{"/geo/search_indices", optional, []string{`{"items": ["a"], "default": "a"}`}, []string{`{}`}},
	{"/geo/search_indices/items", required, []string{`["a"]`, `["a", "b"]`}, []string{`[]`, `["a", "a"]`, `[1]`}},
	{"/geo/search_indices/default", required, []string{`"a"`}, []string{`null`}},
	{"/geo/geofence_collections", optional, []string{`{"items": ["a"], "default": "a"}`}, []string{`{}`}},
	{"/geo/geofence_collections/items", required, []string{`["a"]`}, []string{`[]`, `["a", "a"]`, `{}`}},
	{"/geo/geofence_collections/default", required, []string{`"a"`}, []string{`[]`}},

	// notifications.
	{"/notifications/cloud_region", required, []string{`"a"`}, []string{`1`}},
	{"/notifications/messaging_app_id", required, []string{`"a"`}, []string{`1`}},
	{"/notifications/channels", required, []string{`["IN_APP_MESSAGING", "PUSH_A", "PUSH_B", "EMAIL", "SMS"]`}, []string{`[]`, `["SMS", "SMS"]`, `["PUSH_C"]`}},

	// storage.
	{"/storage/cloud_region", required, []string{`"a"`}, []string{`1`}},
	{"/storage/bucket_name", required, []string{`"a"`}, []string{`1`}},
}
