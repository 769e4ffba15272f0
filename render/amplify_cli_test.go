package render_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render"
)

// pools is a client configuration file with everything that the Amplify CLI has a key for.
const pools = `{
	"version": "1",
	"analytics": {"messaging_app": {"cloud_region": "us-west-2", "app_id": "pin"}},
	"auth": {
		"cloud_region": "eu-west-1", "user_pool_id": "eu-west-1_a", "user_pool_client_id": "web", "identity_pool_id": "eu-west-1:b",
		"username_attributes": ["email", "username"], "standard_required_attributes": ["given_name"], "user_verification_types": ["email"],
		"mfa_configuration": "REQUIRED", "mfa_methods": ["TOTP"], "unauthenticated_identities_enabled": false,
		"password_policy": {"min_length": 10, "require_numbers": true, "require_lowercase": true, "require_uppercase": false, "require_symbols": false},
		"oauth": {"identity_providers": ["PROVIDER_A", "LOGIN_WITH_VENDOR", "PROVIDER_D"], "domain": "shop.example.com", "scopes": ["openid"],
			"redirect_sign_in_uri": ["http://localhost/", "https://shop/"], "redirect_sign_out_uri": ["http://localhost/"], "response_type": "code"}
	},
	"data": {"cloud_region": "eu-west-1", "url": "https://data", "default_authorization_type": "IDENTITY_USER_POOLS", "authorization_types": []},
	"geo": {"cloud_region": "eu-west-1", "search_indices": {"items": ["places"], "default": "places"}},
	"notifications": {"cloud_region": "us-west-2", "messaging_app_id": "pin", "channels": ["IN_APP_MESSAGING", "PUSH_B"]},
	"storage": {"cloud_region": "eu-west-1", "bucket_name": "covers"},
	"custom": {"API": {
		"shop": {"endpoint": "http://127.0.0.1:4280/a/dev", "region": "eu-west-2", "apiName": "shop"},
		"__proto__": {"endpoint": "http://127.0.0.1:4280/p/dev"}, "none": {"endpoint": ""}, "odd": 7
	}, "mine": true}
}`

func outputsFrom(t *testing.T, text string) model.Outputs {
	t.Helper()
	values, err := model.ParseOutputs([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// canonical returns a JSON text in one form.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	form, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(form)
}

// flat has the keys of the Amplify CLI for pools.
const flat = `{
	"aws_project_region": "eu-north-1",
	"aws_cognito_identity_pool_id": "eu-west-1:b", "aws_cognito_region": "eu-west-1",
	"aws_user_pools_id": "eu-west-1_a", "aws_user_pools_web_client_id": "web",
	"oauth": {"domain": "shop.example.com", "scope": ["openid"], "redirectSignIn": "http://localhost/,https://shop/", "redirectSignOut": "http://localhost/", "responseType": "code"},
	"federationTarget": "COGNITO_USER_POOLS", "aws_mandatory_sign_in": "enable",
	"aws_cognito_username_attributes": ["EMAIL"], "aws_cognito_social_providers": ["GOOGLE", "AMAZON", "APPLE"],
	"aws_cognito_signup_attributes": ["GIVEN_NAME"], "aws_cognito_mfa_configuration": "ON", "aws_cognito_mfa_types": ["TOTP"],
	"aws_cognito_password_protection_settings": {"passwordPolicyMinLength": 10, "passwordPolicyCharacters": ["REQUIRES_LOWERCASE", "REQUIRES_NUMBERS"]},
	"aws_cognito_verification_mechanisms": ["EMAIL"],
	"aws_cloud_logic_custom": [
		{"name": "__proto__", "endpoint": "http://127.0.0.1:4280/p/dev"},
		{"name": "shop", "endpoint": "http://127.0.0.1:4280/a/dev", "region": "eu-west-2"}
	],
	"aws_appsync_graphqlEndpoint": "https://data", "aws_appsync_region": "eu-west-1", "aws_appsync_authenticationType": "AMAZON_COGNITO_USER_POOLS",
	"aws_user_files_s3_bucket": "covers", "aws_user_files_s3_bucket_region": "eu-west-1",
	"aws_mobile_analytics_app_id": "pin", "aws_mobile_analytics_app_region": "us-west-2",
	"geo": {"amazon_location_service": {"region": "eu-west-1", "search_indices": {"items": ["places"], "default": "places"}}},
	"Notifications": {
		"InAppMessaging": {"AWSPinpoint": {"appId": "pin", "region": "us-west-2"}},
		"Push": {"AWSPinpoint": {"appId": "pin", "region": "us-west-2"}}
	}
}`

const native = `{
	"UserAgent": "aws-amplify-cli/2.0", "Version": "1.0",
	"api": {"plugins": {"awsAPIPlugin": {
		"__proto__": {"endpointType": "REST", "endpoint": "http://127.0.0.1:4280/p/dev", "region": "eu-north-1", "authorizationType": "AWS_IAM"},
		"shop": {"endpointType": "REST", "endpoint": "http://127.0.0.1:4280/a/dev", "region": "eu-west-2", "authorizationType": "AWS_IAM"},
		"data": {"endpointType": "GraphQL", "endpoint": "https://data", "region": "eu-west-1", "authorizationType": "AMAZON_COGNITO_USER_POOLS"}
	}}},
	"auth": {"plugins": {"awsCognitoAuthPlugin": {
		"UserAgent": "aws-amplify-cli/0.1.0", "Version": "0.1.0", "IdentityManager": {"Default": {}},
		"CredentialsProvider": {"CognitoIdentity": {"Default": {"PoolId": "eu-west-1:b", "Region": "eu-west-1"}}},
		"CognitoUserPool": {"Default": {"PoolId": "eu-west-1_a", "AppClientId": "web", "Region": "eu-west-1"}},
		"Auth": {"Default": {
			"authenticationFlowType": "USER_SRP_AUTH",
			"OAuth": {"WebDomain": "shop.example.com", "AppClientId": "web", "Scopes": ["openid"], "SignInRedirectURI": "http://localhost/,https://shop/", "SignOutRedirectURI": "http://localhost/"},
			"usernameAttributes": ["EMAIL"], "socialProviders": ["GOOGLE", "AMAZON", "APPLE"], "signupAttributes": ["GIVEN_NAME"],
			"mfaConfiguration": "ON", "mfaTypes": ["TOTP"], "verificationMechanisms": ["EMAIL"],
			"passwordProtectionSettings": {"passwordPolicyMinLength": 10, "passwordPolicyCharacters": ["REQUIRES_LOWERCASE", "REQUIRES_NUMBERS"]}
		}}
	}}},
	"storage": {"plugins": {"awsS3StoragePlugin": {"bucket": "covers", "region": "eu-west-1", "defaultAccessLevel": "guest"}}},
	"analytics": {"plugins": {"awsPinpointAnalyticsPlugin": {
		"pinpointAnalytics": {"appId": "pin", "region": "us-west-2"}, "pinpointTargeting": {"region": "us-west-2"}
	}}}
}`

// fewer is a file whose pool has no region and gives no credentials, and in whose data an API has the name of the data API.
const fewer = `{
	"version": "1",
	"auth": {"user_pool_id": "a", "user_pool_client_id": "b", "mfa_configuration": "OPTIONAL", "unauthenticated_identities_enabled": true, "password_policy": {"require_uppercase": true, "require_symbols": true}},
	"data": {"cloud_region": "eu-west-2", "url": "https://data", "api_key": "da2", "default_authorization_type": "API_KEY", "model_introspection": {"aws_region": 1}},
	"geo": {"cloud_region": "eu-west-1", "maps": {"default": "m"}, "geofence_collections": {"default": "g"}},
	"notifications": {"cloud_region": "us-west-2", "messaging_app_id": "pin", "channels": ["PUSH_A", 7]},
	"storage": {"cloud_region": "eu-west-3", "bucket_name": "covers"},
	"custom": {"API": {"": {"endpoint": "http://nameless"}, "data": {"endpoint": "http://d"}}}
}`

const fewerFlat = `{
	"aws_project_region": "eu-west-2", "aws_user_pools_id": "a", "aws_user_pools_web_client_id": "b", "oauth": {},
	"aws_cognito_username_attributes": [], "aws_cognito_social_providers": [], "aws_cognito_signup_attributes": [], "aws_cognito_mfa_configuration": "OPTIONAL",
	"aws_cognito_mfa_types": [], "aws_cognito_verification_mechanisms": [],
	"aws_cognito_password_protection_settings": {"passwordPolicyCharacters": ["REQUIRES_UPPERCASE", "REQUIRES_SYMBOLS"]},
	"aws_cloud_logic_custom": [{"name": "data", "endpoint": "http://d"}],
	"aws_appsync_graphqlEndpoint": "https://data", "aws_appsync_region": "eu-west-2", "aws_appsync_apiKey": "da2", "aws_appsync_authenticationType": "API_KEY",
	"modelIntrospection": {"aws_region": 1}, "aws_user_files_s3_bucket": "covers", "aws_user_files_s3_bucket_region": "eu-west-3",
	"geo": {"amazon_location_service": {"region": "eu-west-1", "maps": {"default": "m"}, "geofenceCollections": {"default": "g"}}},
	"Notifications": {"Push": {"AWSPinpoint": {"appId": "pin", "region": "us-west-2"}}}
}`

const fewerNative = `{
	"UserAgent": "aws-amplify-cli/2.0", "Version": "1.0",
	"api": {"plugins": {"awsAPIPlugin": {"data": {"endpointType": "REST", "endpoint": "http://d", "region": "eu-west-2", "authorizationType": "AWS_IAM"}}}},
	"auth": {"plugins": {"awsCognitoAuthPlugin": {
		"UserAgent": "aws-amplify-cli/0.1.0", "Version": "0.1.0", "IdentityManager": {"Default": {}},
		"CognitoUserPool": {"Default": {"PoolId": "a", "AppClientId": "b", "Region": "eu-west-2"}},
		"Auth": {"Default": {
			"authenticationFlowType": "USER_SRP_AUTH", "usernameAttributes": [], "socialProviders": [], "signupAttributes": [],
			"mfaConfiguration": "OPTIONAL", "mfaTypes": [], "verificationMechanisms": [], "passwordProtectionSettings": {"passwordPolicyCharacters": ["REQUIRES_UPPERCASE", "REQUIRES_SYMBOLS"]}
		}}
	}}},
	"storage": {"plugins": {"awsS3StoragePlugin": {"bucket": "covers", "region": "eu-west-3", "defaultAccessLevel": "guest"}}}
}`

func TestFilesOfTheAmplifyCLIHaveItsKeys(t *testing.T) {
	for _, row := range []struct {
		format       render.Format
		given, want  string
		region, name string
	}{
		{render.AmplifyConfiguration, pools, flat, "eu-north-1", "amplifyconfiguration.json"},
		{render.NativeConfiguration, pools, native, "eu-north-1", "amplifyconfiguration.json"},
		{render.AmplifyConfiguration, fewer, fewerFlat, "", "amplifyconfiguration.json"},
		{render.NativeConfiguration, fewer, fewerNative, "", "amplifyconfiguration.json"},
		{render.AmplifyConfiguration, `{"version": "1"}`, `{"aws_project_region": "us-east-1"}`, "", "amplifyconfiguration.json"},
		{render.NativeConfiguration, `{"version": "1"}`, `{"UserAgent": "aws-amplify-cli/2.0", "Version": "1.0"}`, "", "amplifyconfiguration.json"},
		{
			render.AmplifyConfiguration, `{"version": "1", "custom": {"API": {"a": {"endpoint": "http://a", "region": "eu-west-3"}}}}`,
			`{"aws_project_region": "eu-west-3", "aws_cloud_logic_custom": [{"name": "a", "endpoint": "http://a", "region": "eu-west-3"}]}`, "", "amplifyconfiguration.json",
		},
		{
			// Without a policy there is nothing to say about passwords.
			render.AmplifyConfiguration, `{"version": "1", "auth": {"cloud_region": "eu-west-1", "user_pool_id": "a", "user_pool_client_id": "b", "mfa_configuration": ["odd"]}}`,
			`{"aws_project_region": "eu-west-1", "aws_cognito_region": "eu-west-1", "aws_user_pools_id": "a", "aws_user_pools_web_client_id": "b", "oauth": {},
			"aws_cognito_username_attributes": [], "aws_cognito_social_providers": [], "aws_cognito_signup_attributes": [], "aws_cognito_mfa_configuration": "OFF",
			"aws_cognito_mfa_types": [], "aws_cognito_verification_mechanisms": []}`, "", "amplifyconfiguration.json",
		},
	} {
		text := render.AmplifyCLIFile(outputsFrom(t, row.given), row.region, row.format)
		if err := render.Failed(text); err != nil {
			t.Error(err)
			continue
		}
		if got, want := canonical(t, string(text)), canonical(t, row.want); got != want {
			t.Errorf("%s: the file is\n%s\nwant\n%s", row.format, got, want)
		}
		if got := render.ClientFileNameIn(model.Amplify, row.format); got != row.name {
			t.Errorf("the file is named %s", got)
		}
	}
}

func TestAWSExportsIsAModuleWithTheSameValues(t *testing.T) {
	text := string(render.AmplifyCLIFile(outputsFrom(t, pools), "eu-north-1", render.AWSExports))
	head := "// Generated by gatewright, do not edit. To generate it again: gatewright generate outputs --format aws-exports\n/* eslint-disable */\n\nconst awsmobile = "
	value, begins := strings.CutPrefix(text, head)
	value, ends := strings.CutSuffix(value, ";\n\nexport default awsmobile;\n")
	if !begins || !ends || canonical(t, value) != canonical(t, flat) {
		t.Errorf("the module is\n%s", text)
	}
	var keys []string
	for line := range strings.Lines(value) {
		if key, is := strings.CutPrefix(line, "  \""); is {
			key, _, _ = strings.Cut(key, `"`)
			keys = append(keys, key)
		}
	}
	if got := strings.Join(keys, " "); got != "aws_project_region aws_cognito_identity_pool_id aws_cognito_region aws_user_pools_id aws_user_pools_web_client_id oauth federationTarget "+
		"aws_mandatory_sign_in aws_cognito_username_attributes aws_cognito_social_providers aws_cognito_signup_attributes aws_cognito_mfa_configuration aws_cognito_mfa_types "+
		"aws_cognito_password_protection_settings aws_cognito_verification_mechanisms aws_cloud_logic_custom Notifications aws_appsync_authenticationType aws_appsync_graphqlEndpoint "+
		"aws_appsync_region aws_mobile_analytics_app_id aws_mobile_analytics_app_region aws_user_files_s3_bucket aws_user_files_s3_bucket_region geo" {
		t.Errorf("the keys are %s", got)
	}
}

func TestAValueThatIsNotJSONFailsInEveryFormat(t *testing.T) {
	values := model.Outputs{"storage": map[string]any{"bucket_name": json.Number("one")}}
	for _, format := range []render.Format{render.AWSExports, render.AmplifyConfiguration, render.NativeConfiguration} {
		if text := render.AmplifyCLIFile(values, "eu-west-1", format); render.Failed(text) == nil {
			t.Errorf("%s: the rendering is %s", format, text)
		}
	}
}

func TestSnippetsForFilesOfTheAmplifyCLI(t *testing.T) {
	local := render.PoolEndpoints{User: "http://127.0.0.1:4280/_user-pool", Identity: "http://127.0.0.1:4280/_identity-pool"}
	values := outputsFrom(t, pools)
	for _, row := range []struct {
		format render.Format
		file   string
		pools  render.PoolEndpoints
		has    []string
		lacks  string
	}{
		{render.AWSExports, "aws-exports.js", render.PoolEndpoints{}, []string{"import awsmobile from './aws-exports';\n", "\nAmplify.configure(awsmobile);\n", "path: '/'"}, "parseAmplifyConfig"},
		{render.AWSExports, "aws-exports.js", local, []string{"const parsed = parseAmplifyConfig(awsmobile);\n", "userPoolId: awsmobile.aws_user_pools_id,\n", "userPoolEndpoint: '" + local.User + "',\n"}, "REST"},
		{render.AmplifyConfiguration, "amplifyconfiguration.json", local, []string{"import config from './amplifyconfiguration.json';\n", "identityPoolId: config.aws_cognito_identity_pool_id,\n"}, "awsmobile"},
		{render.NativeConfiguration, "amplifyconfiguration.json", local, []string{"// The libraries for Android, iOS and Flutter read", "gatewright token USER"}, "import"},
		{render.NativeConfiguration, "amplifyconfiguration.json", render.PoolEndpoints{}, []string{"no code names it.\n"}, "token"},
	} {
		code := render.Snippet(values, model.Amplify, row.format, row.file, map[string]string{"__proto__": "/"}, row.pools)
		for _, part := range row.has {
			if !strings.Contains(code, part) {
				t.Errorf("%s: the code lacks %q:\n%s", row.format, part, code)
			}
		}
		if strings.Contains(code, row.lacks) {
			t.Errorf("%s: the code has %q:\n%s", row.format, row.lacks, code)
		}
	}
}
