package amplifystack

import (
	"strings"
	"testing"
)

// firstGeneration is a project of the Amplify CLI with a REST API, a data API, auth with a
// sign-in page, storage and Pinpoint.
func firstGeneration() deployed {
	nested := func(name, template string, outputs map[string]string) deployedStack {
		return deployedStack{template: template, stack: Stack{Name: name, Status: "CREATE_COMPLETE", Region: region, Outputs: outputs, Parent: "shop"}}
	}
	root := deployedStack{
		template: `{"Description":"Root Stack for AWS Amplify CLI","Resources":{"DeploymentBucket":{"Type":"AWS::S3::Bucket"},"AuthRole":{"Type":"AWS::IAM::Role"}}}`,
		stack: Stack{
			Name: "amplify-shop-dev-12345", Status: "UPDATE_COMPLETE", Region: region,
			Outputs: map[string]string{"Region": region, "AuthRoleName": "amplify-shop-dev-12345-authRole"},
			Tags:    map[string]string{"user:Stack": "dev", "user:Application": "shop"},
		},
		nested: map[string]string{
			"apishop": "arn:api", "apigraph": "arn:data", "authshop1a2b": "arn:auth", "authuserPoolGroups": "arn:groups",
			"storagedrive": "arn:drive", "storagetable": "arn:table", "functionitems": "arn:function", "analyticsshop": "arn:pinpoint",
			"UpdateRolesWithIDPFunctionOutputs": "arn:none",
		},
	}
	return deployed{
		"shop": root,
		"arn:api": nested("arn:api", "", map[string]string{
			"RootUrl": "https://abc123.execute-api.eu-central-1.amazonaws.com/dev/", "ApiName": "shop", "ApiId": "abc123",
		}),
		"arn:data": nested("arn:data", `{"Resources":{"GraphQLAPI":{"Type":"AWS::AppSync::GraphQLApi","Properties":{
"AuthenticationType":"API_KEY","AdditionalAuthenticationProviders":[{"AuthenticationType":"AWS_IAM"}]}}}}`, map[string]string{
			"GraphQLAPIIdOutput": "graph", "GraphQLAPIKeyOutput": "da2-EXAMPLE",
			"GraphQLAPIEndpointOutput": "https://xyz.appsync-api.eu-central-1.amazonaws.com/graphql",
		}),
		"arn:auth": nested("arn:auth", "", map[string]string{
			"UserPoolId": region + "_AbCdEfGhI", "AppClientIDWeb": "web", "AppClientID": "native", "IdentityPoolId": region + ":0a1b",
			"HostedUIDomain": "shop-dev",
			"OAuthMetadata": `{"AllowedOAuthFlows":["code"],"AllowedOAuthScopes":["openid"],"CallbackURLs":["https://shop.example/"],` +
				`"LogoutURLs":["https://shop.example/"],"SupportedIdentityProviders":["COGNITO"]}`,
		}),
		"arn:groups":   nested("arn:groups", "", map[string]string{"AdminsGroupRole": "arn:aws:iam::123456789012:role/Admins"}),
		"arn:drive":    nested("arn:drive", "", map[string]string{"BucketName": "drive-dev", "Region": region}),
		"arn:table":    nested("arn:table", "", map[string]string{"Name": "table-dev", "Arn": "arn:t", "Region": region}),
		"arn:pinpoint": nested("arn:pinpoint", "", map[string]string{"Id": "p1", "Region": "us-east-1", "appName": "shop-dev"}),
	}
}

func TestAStackOfTheFirstGenerationGivesWhatItsNestedStacksHave(t *testing.T) {
	t.Parallel()
	got := mustRead(t, firstGeneration())
	if got.Generation != 1 || got.Region != region {
		t.Errorf("it is %+v", got)
	}
	wantValues(t, got.Values, `{
  "version": "1",
  "analytics": {"messaging_app": {"cloud_region": "us-east-1", "app_id": "p1"}},
  "auth": {"cloud_region": "eu-central-1", "user_pool_id": "eu-central-1_AbCdEfGhI", "user_pool_client_id": "web", "identity_pool_id": "eu-central-1:0a1b",
    "oauth": {"identity_providers": [], "domain": "shop-dev.auth.eu-central-1.amazoncognito.com", "scopes": ["openid"],
      "redirect_sign_in_uri": ["https://shop.example/"], "redirect_sign_out_uri": ["https://shop.example/"], "response_type": "code"}},
  "data": {"cloud_region": "eu-central-1", "url": "https://xyz.appsync-api.eu-central-1.amazonaws.com/graphql", "api_key": "da2-EXAMPLE",
    "default_authorization_type": "API_KEY", "authorization_types": ["CLOUD_IAM"]},
  "storage": {"cloud_region": "eu-central-1", "bucket_name": "drive-dev"},
  "custom": {"API": {"shop": {"endpoint": "https://abc123.execute-api.eu-central-1.amazonaws.com/dev", "region": "eu-central-1", "apiName": "shop"}}}
}`)
	notes := strings.Join(got.Notes, "\n")
	for _, about := range []string{"password_policy", "authuserPoolGroups", "storagetable", "identity_providers is empty", "model_introspection"} {
		if !strings.Contains(notes, about) {
			t.Errorf("no note is about %s: %s", about, notes)
		}
	}
	if strings.Contains(notes, "da2-") {
		t.Errorf("a note has the key: %s", notes)
	}
}

func TestADataAPIWithoutTypesOfAuthorizationIsLeftOut(t *testing.T) {
	t.Parallel()
	from := firstGeneration()
	data := from["arn:data"]
	data.template = `{"Resources":{"GraphQLAPI":{"Type":"AWS::AppSync::GraphQLApi","Properties":{"AuthenticationType":{"Ref":"Auth"}}}}}`
	from["arn:data"] = data
	got := mustRead(t, from)
	if got.Values["data"] != nil || !strings.Contains(strings.Join(got.Notes, "\n"), "left out data: ") {
		t.Errorf("it is %v with the notes %q", got.Values["data"], got.Notes)
	}
}

func TestAnAPIWithoutANameHasThatOfItsResource(t *testing.T) {
	t.Parallel()
	from := firstGeneration()
	delete(from["arn:api"].stack.Outputs, "ApiName")
	custom := mustRead(t, from).Values["custom"].(map[string]any)
	if custom["API"].(map[string]any)["shop"] == nil {
		t.Errorf("it is %v", custom)
	}
}
