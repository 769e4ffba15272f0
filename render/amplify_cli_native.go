package render

import (
	"encoding/json"
	"strings"
)

// nativeOrder is the order of the keys of the native amplifyconfiguration.json.
var nativeOrder = fieldsNamed("UserAgent", "Version")

// native returns the values of amplifyconfiguration.json for an app of Android, iOS or Flutter, in the words of
// https://github.com/aws-amplify/amplify-cli/blob/dev/packages/amplify-frontend-ios/lib/amplify-config-helper.js. It
// has the categories api, auth, storage and analytics.
func (f cliFile) native(region string) map[string]any {
	file := map[string]any{"UserAgent": "aws-amplify-cli/2.0", "Version": "1.0"}
	add := func(category, plugin string, values map[string]any) {
		if len(values) > 0 {
			file[category] = map[string]any{"plugins": map[string]any{plugin: values}}
		}
	}
	add("api", "awsAPIPlugin", f.nativeAPIs(region))
	add("auth", "awsCognitoAuthPlugin", f.nativeAuth(region))
	storage := make(map[string]any)
	copied(storage, f.section("storage"), map[string]string{"bucket": "bucket_name", "region": "aws_region"})
	if len(storage) > 0 {
		storage["defaultAccessLevel"] = "guest"
	}
	add("storage", "awsS3StoragePlugin", storage)
	if pinpoint, given := f.section("analytics")["amazon_pinpoint"].(map[string]any); given {
		add("analytics", "awsPinpointAnalyticsPlugin", map[string]any{
			"pinpointAnalytics": map[string]any{"appId": pinpoint["app_id"], "region": pinpoint["aws_region"]},
			"pinpointTargeting": map[string]any{"region": pinpoint["aws_region"]},
		})
	}
	return file
}

// nativeAPIs returns the REST APIs, and the data API as "data" if no REST API has that name.
func (f cliFile) nativeAPIs(region string) map[string]any {
	apis := make(map[string]any)
	if data := f.section("data"); data != nil {
		api := map[string]any{"endpointType": "GraphQL"}
		copied(api, data, map[string]string{
			"endpoint": "url", "region": "aws_region", "authorizationType": "default_authorization_type", "apiKey": "api_key",
		})
		apis["data"] = api
	}
	for _, rest := range f.restAPIs() {
		name, _ := rest["name"].(string)
		api := map[string]any{
			"endpointType": "REST", "endpoint": rest["endpoint"], "region": region,
			"authorizationType": "AWS_IAM",
		}
		if own, given := rest["region"]; given {
			api["region"] = own
		}
		apis[name] = api
	}
	return apis
}

// nativeAuth returns what the plugin of Cognito reads; nil if there is no user pool.
func (f cliFile) nativeAuth(region string) map[string]any {
	auth := f.section("auth")
	if auth == nil {
		return nil
	}
	if own, given := auth["aws_region"].(string); given {
		region = own
	}
	byDefault := func(values map[string]any) map[string]any { return map[string]any{"Default": values} }
	settings := signIn(auth)
	settings["authenticationFlowType"] = "USER_SRP_AUTH"
	if oauth, given := auth["oauth"].(map[string]any); given {
		settings["OAuth"] = map[string]any{
			"WebDomain": oauth["domain"], "AppClientId": auth["user_pool_client_id"], "Scopes": oauth["scopes"],
			"SignInRedirectURI":  joined(oauth["redirect_sign_in_uri"]),
			"SignOutRedirectURI": joined(oauth["redirect_sign_out_uri"]),
		}
	}
	plugin := map[string]any{
		"UserAgent": "aws-amplify-cli/0.1.0", "Version": "0.1.0", "IdentityManager": byDefault(map[string]any{}),
		"Auth": byDefault(settings),
	}
	if id := auth["identity_pool_id"]; id != nil {
		plugin["CredentialsProvider"] = map[string]any{"CognitoIdentity": byDefault(map[string]any{
			"PoolId": id,
			"Region": region,
		})}
	}
	if id := auth["user_pool_id"]; id != nil {
		plugin["CognitoUserPool"] = byDefault(map[string]any{
			"PoolId": id, "AppClientId": auth["user_pool_client_id"],
			"Region": region,
		})
	}
	return plugin
}

// signIn returns how users sign up and in, in the words that both shapes share
// (https://docs.amplify.aws/gen1/javascript/build-a-backend/auth/set-up-auth/). A pool whose users have names of
// their own lists no attribute. A section without a password policy has none here either.
func signIn(auth map[string]any) map[string]any {
	mfa := "OFF"
	switch auth["mfa_configuration"] {
	case "OPTIONAL":
		mfa = "OPTIONAL"
	case "REQUIRED":
		mfa = "ON"
	}
	oauth, _ := auth["oauth"].(map[string]any)
	values := map[string]any{
		"usernameAttributes":     upper(auth["username_attributes"], "username"),
		"signupAttributes":       upper(auth["standard_required_attributes"]),
		"verificationMechanisms": upper(auth["user_verification_types"]), "mfaTypes": upper(auth["mfa_methods"]),
		"mfaConfiguration": mfa,
		"socialProviders":  socialProviders(oauth["identity_providers"]),
	}
	if policy, given := auth["password_policy"].(map[string]any); given {
		values["passwordProtectionSettings"] = passwordSettings(policy)
	}
	return values
}

func passwordSettings(policy map[string]any) map[string]any {
	characters := []any{}
	for _, required := range []struct{ field, word string }{
		{"require_lowercase", "REQUIRES_LOWERCASE"},
		{"require_uppercase", "REQUIRES_UPPERCASE"},
		{"require_numbers", "REQUIRES_NUMBERS"},
		{"require_symbols", "REQUIRES_SYMBOLS"},
	} {
		if policy[required.field] == true {
			characters = append(characters, required.word)
		}
	}
	settings := map[string]any{"passwordPolicyCharacters": characters}
	if length, given := policy["min_length"].(json.Number); given {
		settings["passwordPolicyMinLength"] = length
	}
	return settings
}

// upper returns the words of a list in capitals, without one of them.
func upper(list any, without ...string) []any {
	words := []any{}
	for _, word := range textsIn(list) {
		if len(without) == 0 || word != without[0] {
			words = append(words, strings.ToUpper(word))
		}
	}
	return words
}

// socialProviders returns the Amplify CLI's words for identity providers of the amplify dialect.
func socialProviders(list any) []any {
	shorter := map[string]string{"LOGIN_WITH_AMAZON": "AMAZON", "SIGN_IN_WITH_APPLE": "APPLE"}
	providers := []any{}
	for _, word := range textsIn(list) {
		if short, given := shorter[word]; given {
			word = short
		}
		providers = append(providers, word)
	}
	return providers
}
