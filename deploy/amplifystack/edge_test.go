package amplifystack

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatIsMissingOrEmptyIsLeftOutOfItsSection has entries that lack what the complete one has, and the notes on them.
func TestWhatIsMissingOrEmptyIsLeftOutOfItsSection(t *testing.T) {
	t.Parallel()
	pool := map[string]string{"authRegion": region, "userPoolId": region + "_A", "webClientId": "c"}
	auth := func(more map[string]string) map[string]map[string]string {
		values := maps.Clone(pool)
		maps.Copy(values, more)
		return map[string]map[string]string{authKey: values}
	}
	want := func(more string) string {
		return `{"version":"1","auth":{"cloud_region":"eu-central-1","user_pool_id":"eu-central-1_A","user_pool_client_id":"c"` + more + `}}`
	}
	custom := func(text string) map[string]map[string]string {
		return map[string]map[string]string{authKey: pool, customKey: {customOutput: text}}
	}
	for name, tt := range map[string]struct {
		entries map[string]map[string]string
		want    string
		notes   []string
	}{
		"a pool alone": {auth(nil), want(``), nil},
		"requirements without a length": {
			auth(map[string]string{"passwordPolicyRequirements": `["REQUIRES_LOWERCASE","REQUIRES_UPPERCASE","REQUIRES_MOON"]`}),
			want(`,"password_policy":{"min_length":8,"require_numbers":false,"require_lowercase":true,"require_uppercase":true,"require_symbols":false}`),
			[]string{"left out REQUIRES_MOON of the output passwordPolicyRequirements: not known to version 1 of the file"},
		},
		"a length without requirements": {
			auth(map[string]string{"passwordPolicyMinLength": "009"[1:]}),
			want(`,"password_policy":{"min_length":9,"require_numbers":false,"require_lowercase":false,"require_uppercase":false,"require_symbols":false}`), nil,
		},
		"empty lists": {
			auth(map[string]string{"usernameAttributes": `[]`, "signupAttributes": `[]`, "mfaTypes": `["SMS","SMS","TOTP"]`}),
			want(`,"standard_required_attributes":[],"mfa_methods":["SMS","TOTP"]`), nil,
		},
		"guests that are refused": {auth(map[string]string{"allowUnauthenticatedIdentities": "false"}), want(`,"unauthenticated_identities_enabled":false`), nil},
		"a sign-in page without a way out": {
			auth(map[string]string{"oauthRedirectSignIn": "https://a", "oauthCognitoDomain": "d", "oauthResponseType": "code"}), want(``), nil,
		},
		"a sign-in page without a way in": {
			auth(map[string]string{"oauthRedirectSignOut": "https://a", "oauthCognitoDomain": "d", "oauthResponseType": "code"}), want(``), nil,
		},
		"outputs of later versions": {
			auth(map[string]string{"groups": "[]", "others": "{}", "passwordless": "x"}), want(``),
			[]string{"left out the output passwordless of AWS::Amplify::Auth: version 1 of the file has no place for it"},
		},
		"a place without collections": {map[string]map[string]string{authKey: pool, geoKey: {"geoRegion": region}}, want(``), nil},
		"nothing from addOutput":      {custom(""), want(``), nil},
		"addOutput in a later version": {
			custom(`{"$schema":"https://x","version":"1.9","custom":{"a":[1,1]}}`), strings.TrimSuffix(want(``), "}") + `,"custom":{"a":[1,1]}}`, nil,
		},
		"addOutput with the same": {custom(`{"version":"1","auth":{"user_pool_client_id":"c"}}`), want(``), nil},
		"a data API with keys": {
			map[string]map[string]string{dataKey: {"awsAppsyncApiEndpoint": "https://u", "awsAppsyncAuthenticationType": "API_KEY", "awsAppsyncRegion": region}},
			`{"version":"1","data":{"cloud_region":"eu-central-1","url":"https://u","api_key":"<API_KEY>","default_authorization_type":"API_KEY","authorization_types":[]}}`,
			[]string{"data.api_key is <API_KEY>: the stack has no output with the key"},
		},
		"types of a data API": {
			map[string]map[string]string{dataKey: {
				"awsAppsyncApiEndpoint": "https://u", "awsAppsyncAuthenticationType": "AWS_IAM", "awsAppsyncRegion": region,
				"awsAppsyncAdditionalAuthenticationTypes": "API_KEY,,AWS_IAM,API_KEY",
			}},
			`{"version":"1","data":{"cloud_region":"eu-central-1","url":"https://u","api_key":"<API_KEY>","default_authorization_type":"CLOUD_IAM","authorization_types":["API_KEY","CLOUD_IAM"]}}`,
			[]string{"data.api_key is <API_KEY>: the stack has no output with the key"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustRead(t, one(templateOf(t, tt.entries)))
			wantValues(t, got.Values, tt.want)
			if diff := cmp.Diff(tt.notes, got.Notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWhatAStackOfTheFirstGenerationLacksIsLeftOut has nested stacks whose outputs are fewer, or say that there is nothing.
func TestWhatAStackOfTheFirstGenerationLacksIsLeftOut(t *testing.T) {
	t.Parallel()
	from := firstGeneration()
	shop := from["shop"]
	shop.nested = map[string]string{"apigraph": "arn:data", "authshop1a2b": "arn:auth", "storagedrive": "arn:drive", "analyticsshop": "arn:pinpoint", "functionitems": "arn:function"}
	from["shop"] = shop
	data := from["arn:data"].stack.Outputs
	data["GraphQLAPIKeyOutput"] = "null"
	auth := from["arn:auth"].stack.Outputs
	auth["OAuthMetadata"] = `{"AllowedOAuthFlows":["code"],"CallbackURLs":["https://shop.example/"],"LogoutURLs":[]}`
	delete(auth, "AppClientIDWeb")
	delete(from["arn:drive"].stack.Outputs, "Region")
	delete(from["arn:pinpoint"].stack.Outputs, "Region")
	got := mustRead(t, from)
	wantValues(t, got.Values, `{
  "version": "1",
  "analytics": {"messaging_app": {"cloud_region": "eu-central-1", "app_id": "p1"}},
  "auth": {"cloud_region": "eu-central-1", "user_pool_id": "eu-central-1_AbCdEfGhI", "user_pool_client_id": "native", "identity_pool_id": "eu-central-1:0a1b"},
  "data": {"cloud_region": "eu-central-1", "url": "https://xyz.appsync-api.eu-central-1.amazonaws.com/graphql", "api_key": "<API_KEY>",
    "default_authorization_type": "API_KEY", "authorization_types": ["CLOUD_IAM"]},
  "storage": {"cloud_region": "eu-central-1", "bucket_name": "drive-dev"}
}`)
	if diff := cmp.Diff([]string{"left out data.model_introspection: no output has it", absent, "data.api_key is <API_KEY>: the stack has no output with the key"}, got.Notes); diff != "" {
		t.Error(diff)
	}
	from["arn:drive"].stack.Outputs["x"] = strings.Repeat("x", largest)
	if _, err := Read(t.Context(), from, "shop"); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "shop storagedrive") {
		t.Errorf("a large nested stack: %v", err)
	}
}

func TestAStatusSaysWhetherOutputsAreThoseOfADeployment(t *testing.T) {
	t.Parallel()
	const earlier = ": its outputs may be those of an earlier deployment"
	for status, want := range map[string]string{
		"CREATE_COMPLETE": "", "UPDATE_COMPLETE": "", "UPDATE_ROLLBACK_COMPLETE": "", "IMPORT_COMPLETE": "", "IMPORT_ROLLBACK_COMPLETE": "",
		"UPDATE_FAILED": earlier, "UPDATE_ROLLBACK_FAILED": earlier, "IMPORT_ROLLBACK_FAILED": earlier,
		"CREATE_FAILED": "was never deployed completely (CREATE_FAILED); see its events for the reason, and deploy it again", "ROLLBACK_FAILED": "was never deployed completely (ROLLBACK_FAILED)",
		"DELETE_COMPLETE": "is deleted, or partly so (DELETE_COMPLETE); deploy it again, or name another stack", "DELETE_IN_PROGRESS": "is deleted",
		"IMPORT_IN_PROGRESS": "is being deployed (IMPORT_IN_PROGRESS); try again when that is done", "REVIEW_IN_PROGRESS": "was never deployed (REVIEW_IN_PROGRESS); deploy it first",
		"WELL": "is WELL, which is not a known status of a deployed stack; deploy it again",
	} {
		from := one(templateOf(t, backend))
		shop := from["shop"]
		shop.stack.Status = status
		from["shop"] = shop
		got, err := Read(t.Context(), from, "shop")
		switch {
		case want == "" && (err != nil || slices.ContainsFunc(got.Notes, func(note string) bool { return strings.Contains(note, "outputs may") })):
			t.Errorf("%s: %q, %v", status, got.Notes, err)
		case want == earlier && (err != nil || got.Notes[0] != "the stack is "+status+earlier):
			t.Errorf("%s: %q, %v", status, got.Notes, err)
		case want != "" && want != earlier && (err == nil || !strings.Contains(err.Error(), "stack shop "+want) && !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", status, err, want)
		}
	}
}

// TestAStackMayHaveJustSoMuch has each limit, and one more.
func TestAStackMayHaveJustSoMuch(t *testing.T) {
	t.Parallel()
	entries := func(n int) deployed {
		all := map[string]map[string]string{authKey: backend[authKey]}
		for i := range n - 1 {
			all[fmt.Sprint(prefix, "X", i)] = map[string]string{"x": "[]"}
		}
		return one(templateOf(t, all))
	}
	names := func(n int) deployed {
		auth := maps.Clone(backend[authKey])
		for i := 0; len(auth) < n; i++ {
			auth[fmt.Sprint("x", i)] = "[]"
		}
		return one(templateOf(t, map[string]map[string]string{authKey: auth}))
	}
	size := func(n int) deployed {
		from := one(templateOf(t, map[string]map[string]string{authKey: backend[authKey]}))
		outputs := from["shop"].stack.Outputs
		for name, value := range outputs {
			n -= len(name) + len(value)
		}
		outputs["x"] = strings.Repeat("x", n-1)
		return from
	}
	nested := func(n int) deployed {
		from := firstGeneration()
		shop := from["shop"]
		shop.nested = maps.Clone(shop.nested)
		for i := 0; len(shop.nested) < n; i++ {
			shop.nested[fmt.Sprint("function", i)] = "arn"
		}
		from["shop"] = shop
		return from
	}
	for name, tt := range map[string]struct {
		of    func(n int) deployed
		most  int
		cause error
	}{
		"entries": {entries, 100, ErrTooLarge}, "names": {names, 200, ErrMalformed}, "bytes": {size, 1 << 20, ErrTooLarge}, "nested stacks": {nested, 200, ErrTooLarge},
	} {
		mustRead(t, tt.of(tt.most))
		if _, err := Read(t.Context(), tt.of(tt.most+1), "shop"); !errors.Is(err, tt.cause) {
			t.Errorf("%d %s: %v", tt.most+1, name, err)
		}
	}
}
