package project_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/render"
)

// clean is a file without problems in the amplify dialect, with every section of
// version 1.
const clean = `{
  "auth": {
    "aws_region": "eu-west-1", "user_pool_id": "eu-west-1_Ab12Cd34E", "user_pool_client_id": "c", "identity_pool_id": "eu-west-1:0000-4000",
    "password_policy": {"min_length": 8, "require_numbers": true, "require_lowercase": true, "require_uppercase": true, "require_symbols": true},
    "oauth": {
      "identity_providers": ["GOOGLE"], "domain": "login.example.org", "scopes": [], "response_type": "code",
      "redirect_sign_in_uri": ["https://a.example/"], "redirect_sign_out_uri": ["https://a.example/"]
    },
    "username_attributes": ["email", "phone_number"], "user_verification_types": ["email", "phone_number"], "mfa_methods": ["SMS", "TOTP"],
    "unauthenticated_identities_enabled": false
  },
  "data": {
    "aws_region": "eu-west-1", "url": "https://a.example/graphql", "api_key": "<API_KEY>",
    "default_authorization_type": "API_KEY", "authorization_types": ["AWS_IAM", "OPENID_CONNECT"]
  },
  "geo": {
    "aws_region": "eu-west-1", "maps": {"items": {"streets": {"style": "s"}}, "default": "streets"},
    "search_indices": {"items": ["hills", "places"], "default": "places"}, "geofence_collections": {"items": ["parks"], "default": "parks"}
  },
  "notifications": {"aws_region": "eu-west-1", "amazon_pinpoint_app_id": "a", "channels": ["IN_APP_MESSAGING", "EMAIL"]},
  "storage": {"aws_region": "eu-west-1", "bucket_name": "b"},
  "custom": {"API": {"shop": {"endpoint": "https://a.example/dev", "region": "eu-west-1", "apiName": "shop"}}}
}`

// inEveryVersion checks the clean file with one change, in each dialect and version:
// the value at the pointer is replaced by the JSON value given, or removed.
func inEveryVersion(t *testing.T, at, value string, check func(t *testing.T, region string, got []*read.Problem)) {
	t.Helper()
	for _, version := range []string{"neutral 1", "amplify 1", "amplify 1.1", "amplify 1.2", "amplify 1.3", "amplify 1.4", "amplify 1.5"} {
		dialect, number, _ := strings.Cut(version, " ")
		values, err := model.ParseOutputs([]byte(clean))
		must(t, err)
		if at != "" {
			change(t, values, at, value)
		}
		values["version"] = number
		region := "aws_region"
		if dialect == "neutral" {
			region, values = "cloud_region", render.Translate(values, model.Amplify, model.Neutral)
		}
		text, err := json.MarshalIndent(values, "", "  ")
		must(t, err)
		t.Run(version, func(t *testing.T) { check(t, region, validate.File("f.json", text)) })
	}
}

func change(t *testing.T, object map[string]any, at, value string) {
	t.Helper()
	tokens := strings.Split(at, "/")[1:]
	for _, token := range tokens[:len(tokens)-1] {
		object = object[token].(map[string]any)
	}
	last := tokens[len(tokens)-1]
	if value == "" {
		delete(object, last)
		return
	}
	var parsed any
	must(t, json.Unmarshal([]byte(value), &parsed))
	object[last] = parsed
}

func TestCommonClientFilesHaveNoWarnings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ at, value string }{
		{"", ""},
		{"/auth", ""},
		{"/auth/identity_pool_id", ""},
		{"/auth/oauth", ""},
		{"/auth/mfa_methods", `[]`},
		{"/auth/unauthenticated_identities_enabled", `true`},
		{"/data/api_key", ""},
		{"/data/authorization_types", `[]`},
		{"/data/authorization_types", `["API_KEY"]`},
		{"/data/url", `"http://127.0.0.1:4280/graphql"`},
		{"/geo/maps", ""},
		{"/notifications/channels", `["FCM"]`},
		{"/custom", `{}`},
		{"/custom/API", `"https://a.example"`},
		{"/custom/API", `{}`},
		{"/custom/API/shop/apiName", ""},
		{"/custom/API/shop/further", `1`},
		{"/custom/API/shop/endpoint", `"http://127.0.0.1:4280/a1b2c3/dev"`},
		{"/custom/API/shop/endpoint", `"http://[::1]:4280"`},
		{"/custom/API/shop/endpoint", `"https://x.execute-api.eu-west-1.amazonaws.com/dev"`},
	} {
		t.Run(tt.at+tt.value, func(t *testing.T) {
			inEveryVersion(t, tt.at, tt.value, func(t *testing.T, _ string, got []*read.Problem) {
				if len(got) > 0 {
					t.Errorf("problems are\n%s", lines(got))
				}
			})
		})
	}
}

func TestEachMisreadValueIsOneWarningInEveryDialectAndVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ at, value, place, text string }{
		{"/auth/user_pool_id", `"pool"`, "/auth/user_pool_id", "has no region before a _, and the JavaScript client then fails"},
		{"/auth/user_pool_id", `"_pool"`, "/auth/user_pool_id", "has no region before a _"},
		{"/auth/user_pool_id", `""`, "/auth/user_pool_id", "has no region before a _"},
		{"/auth/user_pool_id", `"us-east-1_pool"`, "/auth/user_pool_id", "begins with the region us-east-1, and {region} is eu-west-1"},
		{"/auth/identity_pool_id", `"0000-4000"`, "/auth/identity_pool_id", "has no region before a :"},
		{"/auth/identity_pool_id", `"us-east-1:0000-4000"`, "/auth/identity_pool_id", "begins with the region us-east-1, and {region} is eu-west-1"},
		{"/auth/unauthenticated_identities_enabled", "", "/auth/unauthenticated_identities_enabled", "the JavaScript client then refuses guests, and the other clients let them in"},
		{"/auth/oauth/domain", `""`, "/auth/oauth/domain", "is empty"},
		{"/auth/oauth/domain", `"https://login.example.org"`, "/auth/oauth/domain", "is more than a domain"},
		{"/auth/username_attributes", `["email", "username"]`, "/auth/username_attributes/1", "the Swift client does not know username"},
		{"/auth/user_verification_types", `["email", "email", "email"]`, "/auth/user_verification_types/1", "repeats email, which is also entry 0"},
		{"/auth/mfa_methods", `["SMS", "TOTP", "SMS"]`, "/auth/mfa_methods/2", "repeats SMS, which is also entry 0"},
		{"/data/authorization_types", `["OPENID_CONNECT", "OPENID_CONNECT"]`, "/data/authorization_types/1", "repeats OPENID_CONNECT, which is also entry 0"},
		{"/data/url", `"graphql"`, "/data/url", "is not an address that a request can be sent to"},
		{"/data/api_key", `"da2-secret"`, "/data/api_key", "has an API key"},
		{"/geo/maps/items", `{"streets": {}, "hills": {"style": "s"}}`, "/geo/maps/items/streets", "has no style, and the Swift client then cannot read the file"},
		{"/geo/maps/default", `"hills"`, "/geo/maps/default", "is not one of the items: if client code names none, the clients ask for hills"},
		{"/geo/maps/items", `{}`, "/geo/maps/default", "is not one of the items"},
		{"/geo/search_indices/default", `"place"`, "/geo/search_indices/default", "is not one of the items"},
		{"/geo/geofence_collections/default", `""`, "/geo/geofence_collections/default", "is not one of the items"},
		{"/notifications/channels", `["SMS"]`, "/notifications/channels", "has only EMAIL and SMS, for which the JavaScript client sets up nothing"},
		{"/custom/API/shop", `"https://a.example/dev"`, "/custom/API/shop", "is a string, but client code needs objects"},
		{"/custom/API/shop/endpoint", "", "/custom/API/shop", "has no endpoint"},
		{"/custom/API/shop", `{}`, "/custom/API/shop", "has no endpoint"},
		{"/custom/API/shop/endpoint", `1`, "/custom/API/shop/endpoint", "expected a string, found a number"},
		{"/custom/API/shop/endpoint", `"a.example/dev"`, "/custom/API/shop/endpoint", "is not an address that a request can be sent to"},
		{"/custom/API/shop/endpoint", `"wss://a.example"`, "/custom/API/shop/endpoint", "is not an address that a request can be sent to"},
		{"/custom/API/shop/endpoint", `"https:///dev"`, "/custom/API/shop/endpoint", "is not an address that a request can be sent to"},
		{"/custom/API/shop/endpoint", `"https://a.example/dev?x=1"`, "/custom/API/shop/endpoint", "has a query or a fragment"},
		{"/custom/API/shop/endpoint", `"https://a.example/dev/"`, "/custom/API/shop/endpoint", "ends with /, but clients append the path of a request to it, so /items becomes //items"},
		{"/custom/API/shop/region", "", "/custom/API/shop/region", "the JavaScript client then signs requests for us-east-1"},
		{"/custom/API/shop/region", `""`, "/custom/API/shop/region", "the JavaScript client then signs requests for us-east-1"},
		{"/custom/API/shop/region", `null`, "/custom/API/shop/region", "expected a string, found null"},
		{"/custom/API/shop/endpoint", `"https://x.execute-api.us-east-1.amazonaws.com/dev"`, "/custom/API/shop/region", "is eu-west-1, but the endpoint is in us-east-1"},
		{"/custom/API/shop/apiName", `"Shop"`, "/custom/API/shop/apiName", "is Shop, but the key is shop, and clients find the API by its key"},
	} {
		t.Run(tt.at+tt.value, func(t *testing.T) {
			inEveryVersion(t, tt.at, tt.value, func(t *testing.T, region string, got []*read.Problem) {
				text := strings.ReplaceAll(tt.text, "{region}", region)
				if len(got) != 1 || got[0].Level != model.Warning || got[0].Pointer != tt.place || !strings.Contains(got[0].Text, text) {
					t.Fatalf("problems are\n%s", lines(got))
				}
				if p := got[0]; p.Line < 2 || p.Column < 2 || p.Fix == "" || strings.Contains(p.Error(), "da2-secret") {
					t.Errorf("%+v", p)
				}
			})
		})
	}
}

func TestAPartialPasswordPolicyIsAWarningInVersion1AndAnErrorLater(t *testing.T) {
	t.Parallel()
	inEveryVersion(t, "/auth/password_policy/require_symbols", "", func(t *testing.T, _ string, got []*read.Problem) {
		want := `error: f.json:23:5: missing "require_symbols" (at /auth/password_policy); add "require_symbols", true or false` + "\n"
		if strings.HasSuffix(t.Name(), "_1") {
			want = "warning: f.json:23:5: lacks require_symbols, and the Swift client then cannot read the file (at /auth/password_policy); write all five fields\n"
		}
		if lines(got) != want {
			t.Errorf("problems are\n%s", lines(got))
		}
	})
}

func TestAMissingRegionThatIsInTheEndpointIsNoted(t *testing.T) {
	t.Parallel()
	inEveryVersion(t, "/custom/API/shop", `{"endpoint": "https://x.execute-api.us-east-1.amazonaws.com/dev"}`, func(t *testing.T, _ string, got []*read.Problem) {
		if len(got) != 1 || got[0].Level != model.Note || got[0].Pointer != "/custom/API/shop/region" || got[0].Fix != "write us-east-1" {
			t.Errorf("problems are\n%s", lines(got))
		}
	})
}

func TestAbsenceOfGuestsIsNotedOnlyWhereThereIsNoIdentityPool(t *testing.T) {
	t.Parallel()
	got := validate.File("f.json", []byte(`{"version": "1.4", "auth": {"aws_region": "r", "user_pool_id": "r_1", "user_pool_client_id": "c"}}`))
	if len(got) != 1 || got[0].Level != model.Note || got[0].Pointer != "/auth/unauthenticated_identities_enabled" || got[0].Column != 20 {
		t.Errorf("problems are\n%s", lines(got))
	}
}

func TestAPlaceholderOfThePublicGeneratorConfiguresNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"version": "1"}`, `{"version": "1.4"}`, `{"$schema": "x", "version": "1.5"}`} {
		want := "note: amplify_outputs.json:1:1: configures nothing, since it has no section; generate it once there is a deployment\n"
		if got := lines(validate.File("amplify_outputs.json", []byte(text))); got != want {
			t.Errorf("%s: problems are %s", text, got)
		}
	}
	for _, text := range []string{`{"version": "1"}`, `{"$schema": "urn:gatewright:2024-02:client-config", "version": "1"}`} {
		if got := lines(validate.File("client_config.json", []byte(text))); got != "" {
			t.Errorf("%s: problems are %s", text, got)
		}
	}
}

func TestBucketsOfOneNameAreAWarning(t *testing.T) {
	t.Parallel()
	const bucket = `{"name": "%s", "bucket_name": "b", "aws_region": "r"}`
	named := func(names ...string) string {
		buckets := make([]string, len(names))
		for i, name := range names {
			buckets[i] = fmt.Sprintf(bucket, name)
		}
		return `{"version": "1.3", "storage": {"aws_region": "r", "bucket_name": "b", "buckets": [` + strings.Join(buckets, ", ") + `]}}`
	}
	if got := lines(validate.File("f.json", []byte(named("a", "b")))); got != "" {
		t.Errorf("problems are %s", got)
	}
	want := "(at /storage/buckets/2/name); give each bucket a name of its own"
	got := lines(validate.File("f.json", []byte(named("a", "b", "a"))))
	if !strings.Contains(got, "is a, as is the name of bucket 0: the JavaScript client fails with Duplicate friendly name found") || !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("problems are %s", got)
	}
}

func TestSMSWithAmazonConnectHasNoWarning(t *testing.T) {
	t.Parallel()
	text := `{"version": "1.5", "notifications": {"aws_region": "r", "amazon_pinpoint_app_id": "a", "channels": ["SMS"], "amazon_connect": {"aws_region": "r", "endpoint": "e"}}}`
	if got := lines(validate.File("f.json", []byte(text))); got != "" {
		t.Errorf("problems are %s", got)
	}
}

func TestAnErrorIsNotAlsoAWarning(t *testing.T) {
	t.Parallel()
	for at, value := range map[string]string{
		"/auth/user_pool_id": `1`, "/auth/oauth/domain": `null`, "/auth/mfa_methods": `[1, 1]`, "/data/api_key": `7`, "/data/url": `{}`,
		"/geo/maps/items": `[]`, "/geo/search_indices/items": `[]`, "/notifications/channels": `[]`, "/auth": `[]`, "/custom": `[]`,
	} {
		inEveryVersion(t, at, value, func(t *testing.T, _ string, got []*read.Problem) {
			for _, p := range got {
				if p.Level != model.Error && strings.HasPrefix(p.Pointer, at) {
					t.Errorf("%s at %s: %s", value, at, p)
				}
			}
			if read.FirstError(got) == nil {
				t.Errorf("%s at %s is no error", value, at)
			}
		})
	}
}

func TestOfManySimilarProblemsTheFirstAreReportedAndTheRestCounted(t *testing.T) {
	t.Parallel()
	var items strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&items, `"m%d": {}, `, i)
	}
	text := `{"version": "1", "geo": {"aws_region": "r", "maps": {"items": {` + items.String() + `"z": {"style": "s"}}, "default": "z"}}}`
	got := validate.File("f.json", []byte(text))
	if len(got) != 21 || !strings.Contains(lines(got), "note: f.json:1:54: has 49980 more problems like the last (at /geo/maps/items)\n") {
		t.Errorf("%d problems, the first %s", len(got), lines(got[:1]))
	}
}
