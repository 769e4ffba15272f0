package amplifystack

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// backend are the outputs of a complete backend of the second generation.
var backend = map[string]map[string]string{
	platformKey: {"deploymentType": "branch", "region": region},
	authKey: {
		"authRegion": region, "userPoolId": region + "_AbCdEfGhI", "webClientId": "1h57kf5cpq17m0eml12EXAMPLE",
		"identityPoolId": region + ":0a1b2c3d-0000-4000-8000-000000000000", "allowUnauthenticatedIdentities": "true",
		"signupAttributes": `["email"]`, "usernameAttributes": `["email","phone_number"]`, "verificationMechanisms": `["email"]`,
		"passwordPolicyMinLength": "10", "passwordPolicyRequirements": `["REQUIRES_NUMBERS","REQUIRES_SYMBOLS"]`,
		"mfaConfiguration": "OPTIONAL", "mfaTypes": `["TOTP","EMAIL"]`, "groups": `[{"Admins":{"precedence":0}}]`,
		"socialProviders": `["GOOGLE","Auth0"]`, "oauthCognitoDomain": "shop.auth.eu-central-1.amazoncognito.com", "oauthScope": `["openid","email"]`,
		"oauthRedirectSignIn": "https://shop.example/,http://localhost:3000/", "oauthRedirectSignOut": "https://shop.example/out",
		"oauthResponseType": "code", "oauthClientId": "1h57kf5cpq17m0eml12EXAMPLE",
	},
	dataKey: {
		"awsAppsyncApiId": "abcdefghij", "awsAppsyncApiEndpoint": "https://xyz.appsync-api.eu-central-1.amazonaws.com/graphql",
		"awsAppsyncAuthenticationType": "AMAZON_COGNITO_USER_POOLS", "awsAppsyncAdditionalAuthenticationTypes": "API_KEY,AWS_IAM",
		"awsAppsyncApiKey": "da2-EXAMPLE", "awsAppsyncRegion": region, "amplifyApiModelSchemaS3Uri": "s3://models/model-schema.graphql",
	},
	storageKey: {"storageRegion": region, "bucketName": "shop-drive", "buckets": `["{\"name\":\"drive\"}"]`},
	geoKey: {
		"geoRegion": region, "geofenceCollections": `{"default":"zone","items":["zone"]}`, "maps": `{"default":"m","items":[]}`,
	},
	customKey: {customOutput: `{"version":"1.4","custom":{"API":{"shop":{"endpoint":"https://abc.execute-api.eu-central-1.amazonaws.com/dev/",` +
		`"region":"eu-central-1","apiName":"shop"}}},"auth":{"username_attributes":["email"],"user_verification_types":["phone_number"]},` +
		`"notifications":{"amazon_connect":{"aws_region":"eu-central-1","endpoint":"https://c.example"}}}`},
	prefix + "Function":         {"definedFunctions": `["hello"]`},
	"AWS::Amplify::Hologram":    {"depth": "3"},
	"AWS::CloudFormation::Init": nil,
}

// templateOf makes a template, and the outputs of its stack.
func templateOf(t *testing.T, entries map[string]map[string]string) (template string, outputs map[string]string) {
	t.Helper()
	metadata, declared, outputs := map[string]any{}, map[string]any{}, map[string]string{}
	for key, values := range entries {
		metadata[key] = map[string]any{"version": "1", "stackOutputs": slices.Sorted(maps.Keys(values))}
		for name, value := range values {
			outputs[name] = value
			declared[name] = map[string]any{"Value": value}
		}
	}
	return asJSON(t, map[string]any{
		"Description": `{"createdOn":"Linux","createdBy":"AmplifyPipelineDeploy","createdWith":"1.25.1","stackType":"root","metadata":{}}`,
		"Metadata":    metadata, "Outputs": declared, "Resources": map[string]any{"auth179371D7": map[string]any{"Type": "AWS::CloudFormation::Stack"}},
	}), outputs
}

func TestAStackOfTheSecondGenerationGivesWhatTheAmplifyToolsWrite(t *testing.T) {
	t.Parallel()
	from := one(templateOf(t, backend))
	shop := from["shop"]
	shop.stack.Tags = map[string]string{applicationTag: "d123", branchTag: "main"}
	from["shop"] = shop
	got := mustRead(t, from)
	if got.Generation != 2 || got.Region != region || got.ApplicationID != "d123" || got.Branch != "main" {
		t.Errorf("it is %+v", got)
	}
	wantValues(t, got.Values, `{
  "version": "1",
  "auth": {
    "cloud_region": "eu-central-1", "user_pool_id": "eu-central-1_AbCdEfGhI", "user_pool_client_id": "1h57kf5cpq17m0eml12EXAMPLE",
    "identity_pool_id": "eu-central-1:0a1b2c3d-0000-4000-8000-000000000000", "mfa_methods": ["TOTP"],
    "standard_required_attributes": ["email"], "username_attributes": ["email", "phone_number"],
    "user_verification_types": ["email", "phone_number"], "mfa_configuration": "OPTIONAL",
    "password_policy": {"min_length": 10, "require_numbers": true, "require_lowercase": false, "require_uppercase": false, "require_symbols": true},
    "oauth": {"identity_providers": ["PROVIDER_A"], "domain": "shop.auth.eu-central-1.amazoncognito.com", "scopes": ["openid", "email"],
      "redirect_sign_in_uri": ["https://shop.example/", "http://localhost:3000/"], "redirect_sign_out_uri": ["https://shop.example/out"],
      "response_type": "code"},
    "unauthenticated_identities_enabled": true
  },
  "data": {"cloud_region": "eu-central-1", "url": "https://xyz.appsync-api.eu-central-1.amazonaws.com/graphql", "api_key": "da2-EXAMPLE",
    "default_authorization_type": "IDENTITY_USER_POOLS", "authorization_types": ["API_KEY", "CLOUD_IAM"]},
  "geo": {"cloud_region": "eu-central-1", "geofence_collections": {"default": "zone", "items": ["zone"]}},
  "storage": {"cloud_region": "eu-central-1", "bucket_name": "shop-drive"},
  "custom": {"API": {"shop": {"endpoint": "https://abc.execute-api.eu-central-1.amazonaws.com/dev/", "region": "eu-central-1", "apiName": "shop"}}}
}`)
	slices.Sort(got.Notes)
	if diff := cmp.Diff([]string{
		"left out /auth/mfa_methods/1: EMAIL exists only from version 1.4 on",
		"left out /auth/oauth/identity_providers/1: Auth0 is not known to version 1 of the amplify dialect",
		"left out /notifications/amazon_connect: exists only from version 1.5 on",
		"left out /notifications: lacks aws_region, amazon_pinpoint_app_id, channels, which version 1 requires",
		"left out AWS::Amplify::Hologram: version 1 of the file has no place for it",
		"left out data.model_introspection: its source is a file in a bucket, which is not read",
		"left out the output buckets of AWS::Amplify::Storage: version 1 of the file has no place for it",
		"left out the output groups of AWS::Amplify::Auth: version 1 of the file has no place for it",
		"left out the output maps of AWS::Amplify::Geo: version 1 of the file has no place for it",
	}, got.Notes); diff != "" {
		t.Error(diff)
	}
	for _, note := range got.Notes {
		if strings.Contains(note, "da2-") {
			t.Errorf("a note has the key: %s", note)
		}
	}
}

func TestATemplateMayBeYAML(t *testing.T) {
	t.Parallel()
	const template = `AWSTemplateFormatVersion: 2010-09-09
Metadata:
  AWS::Amplify::Storage:
    version: 1
    stackOutputs: [storageRegion, bucketName]
Resources:
  bucket: {Type: AWS::S3::Bucket}
Outputs:
  bucketName: {Value: !Ref bucket}
`
	got := mustRead(t, one(template, map[string]string{"storageRegion": region, "bucketName": "drive"}))
	wantValues(t, got.Values, `{"version":"1","storage":{"cloud_region":"eu-central-1","bucket_name":"drive"}}`)
}

func TestAnOutputMayBeMissingOnlyByItsCondition(t *testing.T) {
	t.Parallel()
	const template = `{"Metadata":{"AWS::Amplify::Storage":{"version":"1","stackOutputs":["storageRegion","bucketName","extra"]}},
"Conditions":{"Some":{"Fn::Equals":["a","b"]}},"Outputs":{"extra":{"Value":"x","Condition":"Some"}},"Resources":{}}`
	mustRead(t, one(template, map[string]string{"storageRegion": region, "bucketName": "drive"}))
}

func TestTheKeyOfADataAPIHasAPlaceholderIfNoOutputHasIt(t *testing.T) {
	t.Parallel()
	data := maps.Clone(backend[dataKey])
	delete(data, "awsAppsyncApiKey")
	got := mustRead(t, one(templateOf(t, map[string]map[string]string{dataKey: data})))
	if key := got.Values["data"].(map[string]any)["api_key"]; key != "<API_KEY>" {
		t.Errorf("the key is %v", key)
	}
	data["awsAppsyncAdditionalAuthenticationTypes"] = ""
	got = mustRead(t, one(templateOf(t, map[string]map[string]string{dataKey: data})))
	if key, exists := got.Values["data"].(map[string]any)["api_key"]; exists {
		t.Errorf("without such a type the key is %v", key)
	}
}

func TestWordsOfCognitoBecomeThoseOfTheFile(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"OFF": "NONE", "ON": "REQUIRED", "NONE": "NONE", "OPTIONAL": "OPTIONAL", "REQUIRED": "REQUIRED"} {
		auth := maps.Clone(backend[authKey])
		auth["mfaConfiguration"] = word
		got := mustRead(t, one(templateOf(t, map[string]map[string]string{authKey: auth})))
		if is := got.Values["auth"].(map[string]any)["mfa_configuration"]; is != want {
			t.Errorf("%s becomes %v", word, is)
		}
	}
}

func TestAddOutputTakesThePlaceOfWhatIsFalseOrEmpty(t *testing.T) {
	t.Parallel()
	auth := maps.Clone(backend[authKey])
	auth["allowUnauthenticatedIdentities"], auth["oauthCognitoDomain"] = "false", ""
	custom := fmt.Sprintf(`{"auth":{"unauthenticated_identities_enabled":true,"oauth":{"domain":"own.example"},"user_pool_id":%q}}`, auth["userPoolId"])
	got := mustRead(t, one(templateOf(t, map[string]map[string]string{authKey: auth, customKey: {customOutput: custom}})))
	section := got.Values["auth"].(map[string]any)
	if section["unauthenticated_identities_enabled"] != true || section["oauth"].(map[string]any)["domain"] != "own.example" {
		t.Errorf("it is %v", section)
	}
}

func TestAddOutputMayNameResourcesOfAnotherRegion(t *testing.T) {
	t.Parallel()
	const custom = `{"auth":{"aws_region":"us-east-1","user_pool_id":"us-east-1_Other","user_pool_client_id":"c"}}`
	got := mustRead(t, one(templateOf(t, map[string]map[string]string{platformKey: backend[platformKey], customKey: {customOutput: custom}})))
	if id := got.Values["auth"].(map[string]any)["user_pool_id"]; id != "us-east-1_Other" {
		t.Errorf("the pool is %v", id)
	}
}
