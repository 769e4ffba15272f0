package drift_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/drift"
	"gatewright/deploy/stack"
)

func TestWhatDiffersIsToldInTheWordsOfTheModel(t *testing.T) {
	t.Parallel()
	secrets := func(variable string) bool { return variable == "MAIL" }
	for _, of := range []struct {
		kind string
		in   stack.Difference
		want string
	}{
		{"AWS::Lambda::Function", stack.Difference{Path: "/MemorySize", Want: "128", Is: "512"}, "memory 128 MB in the stack, 512 MB in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/PAGE", Want: "10", Is: "20"}, "variable PAGE 10 in the stack, 20 in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/MAIL", Want: "hush-1", Is: "hush-2"}, "variable MAIL, another in the cloud than in the stack"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/DB_PASSWORD", Want: "hush-1", Is: "hush-2"}, "variable DB_PASSWORD, another in the cloud than in the stack"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/OTHER", Is: "hush-3", Added: true}, "variable OTHER, only in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/LINK", Want: "x", Is: "Bearer hush-eyJabc"}, "variable LINK x in the stack, <redacted> in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables", Want: `{"A":"1","B":"2"}`, Is: `{"B":"3","MAIL":"hush"}`}, "variable A, only in the stack|variable B 2 in the stack, 3 in the cloud|variable MAIL, only in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment", Want: `{"Variables":{"A":"hush"}}`, Removed: true}, "variable A, only in the stack"},
		{"AWS::Logs::LogGroup", stack.Difference{Path: "/RetentionInDays", Want: "30", Is: "null", Removed: true}, "logs are kept for 30 days, only in the stack"},
		{"AWS::IAM::Role", stack.Difference{Path: "/Policies/0/PolicyDocument/Statement/0/Resource", Want: "a", Is: "b"}, "access: what the role may do, another in the cloud than in the stack"},
		{"AWS::ApiGateway::Method", stack.Difference{Path: "/AuthorizationType", Want: "AWS_IAM", Is: "NONE"}, "access: callers need credentials in the stack, need not sign in in the cloud"},
		{"AWS::Cognito::UserPoolIdentityProvider", stack.Difference{Path: "/ProviderDetails/client_secret", Want: "hush-1", Is: "hush-2"}, "setting client_secret of the provider, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Some/Value~1x", Want: "1", Is: "2\x1b[31m"}, `Some/Value/x 1 in the stack, "2\x1b[31m" in the cloud`},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Want: strings.Repeat("é", 60), Is: strings.Repeat("é", 61)}, "Note " + strings.Repeat("é", 60) + " in the stack, " + strings.Repeat("é", 60) + "... in the cloud"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Want: strings.Repeat("a", 60) + "b", Is: strings.Repeat("a", 60) + "c"}, "Note, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Want: "", Is: "b"}, "Note, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Want: "b", Is: ""}, "Note, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Is: "b", Added: true}, "Note b, only in the cloud"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Added: true}, "Note, only in the cloud"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Want: "b", Removed: true}, "Note b, only in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Note", Removed: true}, "Note, only in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Api~0Key", Want: "b", Removed: true}, "Api~Key b, only in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Password", Want: "hush", Removed: true}, "Password, only in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Of", Want: `{"a/b":1,"c":null,"d":[1]}`, Is: `{"a/b":2,"c":null,"d":[2]}`}, "Of/a/b 1 in the stack, 2 in the cloud|Of/d [1] in the stack, [2] in the cloud"},
		{"AWS::New::Thing", stack.Difference{Path: "/Of", Want: `{"a":1}`, Is: `{"a": 1}`}, `Of "{\"a\":1}" in the stack, "{\"a\": 1}" in the cloud`},
		{"AWS::New::Thing", stack.Difference{Path: "/Of", Want: `{"a":1}`, Is: `text`}, `Of "{\"a\":1}" in the stack, text in the cloud`},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Timeout", Want: "3", Is: "5"}, "timeout 3 s in the stack, 5 s in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/FREE", Want: "a", Removed: true}, "variable FREE, only in the stack"},
		{"AWS::ApiGateway::RestApi", stack.Difference{Path: "/DisableExecuteApiEndpoint", Want: "false", Is: "true"}, "its default endpoint is disabled off in the stack, on in the cloud"},
		{"AWS::Cognito::IdentityPool", stack.Difference{Path: "/AllowUnauthenticatedIdentities", Want: "false", Is: "true"}, "access: guests are let in no in the stack, yes in the cloud"},
		{"AWS::Cognito::UserPool", stack.Difference{Path: "/Policies/PasswordPolicy/MinimumLength", Want: "8", Is: "6"}, "password policy, MinimumLength 8 in the stack, 6 in the cloud"},
		{"AWS::Cognito::UserPoolClient", stack.Difference{Path: "/AccessTokenValidity", Want: "1", Is: "24"}, "how long tokens are valid 1 in the stack, 24 in the cloud"},
		{"AWS::DynamoDB::Table", stack.Difference{Path: "/Tags/0/Value", Want: "1", Is: "2"}, "tags, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Token", Want: "hush-1", Is: "hush-2"}, "Token, another in the cloud than in the stack"},
	} {
		got := strings.Join(drift.Words(of.kind, []stack.Difference{of.in}, drift.CloudAgainstStack, secrets), "|")
		if got != of.want {
			t.Errorf("%v of %s is\n%s\nand should be\n%s", of.in, of.kind, got, of.want)
		}
		if strings.Contains(got, "hush") {
			t.Errorf("a secret is shown: %s", got)
		}
	}
}

func TestOneLineIsSaidOnce(t *testing.T) {
	t.Parallel()
	all := []stack.Difference{{Path: "/Policies/0/PolicyName", Want: "a", Is: "b"}, {Path: "/Policies/1/PolicyName", Want: "a", Is: "b"}}
	if got := drift.Words("AWS::IAM::Role", all, drift.CloudAgainstStack, nil); !slices.Equal(got, []string{"access: what the role may do, another in the cloud than in the stack"}) {
		t.Errorf("it is %q", got)
	}
}

// TestEachPropertyIsToldInItsOwnWords has all that are known, marked if they decide access, with values that are shown where
// that says something.
func TestEachPropertyIsToldInItsOwnWords(t *testing.T) {
	t.Parallel()
	const all = `AWS::Lambda::Function /MemorySize: memory true MB|7 MB in the cloud
AWS::Lambda::Function /Timeout: timeout true s|7 s in the cloud
AWS::Lambda::Function /Handler: handler true|7 in the cloud
AWS::Lambda::Function /Runtime: runtime true|7 in the cloud
AWS::Lambda::Function /Environment/Variables/some: variable some true|7 in the cloud
AWS::Lambda::Function /Environment: its variables; another
AWS::Lambda::Function /Role: access: its role true|7 in the cloud
AWS::Lambda::Function /Code: its code; another
AWS::Lambda::Function /ReservedConcurrentExecutions: reserved concurrency true|7 in the cloud
AWS::Lambda::Function /Layers: its layers; another
AWS::Lambda::Function /Architectures: its processor; another
AWS::Lambda::Function /LoggingConfig: where its log goes; another
AWS::Lambda::Function /FunctionName: name true|7 in the cloud
AWS::Logs::LogGroup /RetentionInDays: logs are kept for true days|7 days in the cloud
AWS::IAM::Role /AssumeRolePolicyDocument: access: who may take the role; another
AWS::IAM::Role /Policies: access: what the role may do; another
AWS::IAM::Role /ManagedPolicyArns: access: the policies attached to the role; another
AWS::IAM::Role /PermissionsBoundary: access: the permissions boundary of the role; another
AWS::IAM::Role /MaxSessionDuration: longest session true s|7 s in the cloud
AWS::IAM::Policy /PolicyDocument: access: what the policy allows; another
AWS::IAM::Policy /Roles: access: who has the policy; another
AWS::IAM::ManagedPolicy /PolicyDocument: access: what the policy allows; another
AWS::IAM::ManagedPolicy /Roles: access: who has the policy; another
AWS::Lambda::Permission /Some: access: who may call the function; another
AWS::ApiGateway::Method /AuthorizationType: access: callers true|7 in the cloud
AWS::ApiGateway::Method /AuthorizerId: access: its authorizer; another
AWS::ApiGateway::Method /ApiKeyRequired: access: the need of an API key on|7 in the cloud
AWS::ApiGateway::Method /Integration/Uri: its target; another
AWS::ApiGateway::Method /Integration: its integration; another
AWS::ApiGateway::Method /MethodResponses: its answers; another
AWS::ApiGateway::RestApi /Policy: access: the resource policy; another
AWS::ApiGateway::RestApi /BinaryMediaTypes: binary media types; another
AWS::ApiGateway::RestApi /DisableExecuteApiEndpoint: its default endpoint is disabled on|7 in the cloud
AWS::ApiGateway::RestApi /Name: name true|7 in the cloud
AWS::ApiGateway::RestApi /EndpointConfiguration: kind of endpoint; another
AWS::ApiGateway::Resource /PathPart: part of the path true|7 in the cloud
AWS::ApiGateway::Resource /ParentId: its parent resource; another
AWS::ApiGateway::Stage /DeploymentId: the deployment that it serves; another
AWS::ApiGateway::Stage /MethodSettings: settings such as throttling and logs; another
AWS::ApiGateway::Stage /Variables: stage variables; another
AWS::ApiGateway::Stage /TracingEnabled: tracing on|7 in the cloud
AWS::ApiGateway::GatewayResponse /Some: the response of the gateway; another
AWS::DynamoDB::Table /BillingMode: billing true|7 in the cloud
AWS::DynamoDB::Table /KeySchema: its key; another
AWS::DynamoDB::Table /AttributeDefinitions: the types of its keys; another
AWS::DynamoDB::Table /GlobalSecondaryIndexes: its indexes; another
AWS::DynamoDB::Table /StreamSpecification: its stream of changes; another
AWS::DynamoDB::Table /PointInTimeRecoverySpecification: point-in-time backups; another
AWS::DynamoDB::Table /DeletionProtectionEnabled: protection from deletion on|7 in the cloud
AWS::DynamoDB::Table /TimeToLiveSpecification: the expiry of items; another
AWS::DynamoDB::Table /ProvisionedThroughput: its throughput; another
AWS::DynamoDB::Table /SSESpecification: its encryption; another
AWS::DynamoDB::Table /TableName: name true|7 in the cloud
AWS::Cognito::UserPool /Policies/PasswordPolicy/some: password policy, some true|7 in the cloud
AWS::Cognito::UserPool /LambdaConfig/some: trigger some; another
AWS::Cognito::UserPool /LambdaConfig: its triggers; another
AWS::Cognito::UserPool /MfaConfiguration: second factor true|7 in the cloud
AWS::Cognito::UserPool /EnabledMfas: kinds of second factors; another
AWS::Cognito::UserPool /AdminCreateUserConfig: access: who may add users; another
AWS::Cognito::UserPool /AutoVerifiedAttributes: what is verified; another
AWS::Cognito::UserPool /UsernameAttributes: what users sign in with; another
AWS::Cognito::UserPool /Schema: attributes of users; another
AWS::Cognito::UserPool /AccountRecoverySetting: how passwords are recovered; another
AWS::Cognito::UserPool /DeletionProtection: protection from deletion true|7 in the cloud
AWS::Cognito::UserPool /UserPoolTags/some: tag some true|7 in the cloud
AWS::Cognito::UserPoolClient /ExplicitAuthFlows: access: ways of signing in; another
AWS::Cognito::UserPoolClient /AllowedOAuthFlows: access: OAuth flows; another
AWS::Cognito::UserPoolClient /AllowedOAuthScopes: access: OAuth scopes; another
AWS::Cognito::UserPoolClient /CallbackURLs: access: URLs after a sign-in; another
AWS::Cognito::UserPoolClient /LogoutURLs: URLs after a sign-out; another
AWS::Cognito::UserPoolClient /SupportedIdentityProviders: access: identity providers; another
AWS::Cognito::UserPoolClient /IdTokenValidity: how long tokens are valid true|7 in the cloud
AWS::Cognito::UserPoolGroup /RoleArn: access: the role of the group; another
AWS::Cognito::UserPoolGroup /Precedence: access: precedence true|7 in the cloud
AWS::Cognito::IdentityPool /AllowUnauthenticatedIdentities: access: guests are let in yes|7 in the cloud
AWS::Cognito::IdentityPool /CognitoIdentityProviders: access: the user pools that it accepts; another
AWS::Cognito::UserPoolDomain /Domain: domain true|7 in the cloud
AWS::Lambda::EventSourceMapping /Enabled: calls of the function on|7 in the cloud
AWS::Lambda::EventSourceMapping /BatchSize: items a call true|7 in the cloud
AWS::Events::Rule /ScheduleExpression: schedule true|7 in the cloud
AWS::Events::Rule /State: state true|7 in the cloud
AWS::Events::Rule /Targets: what it calls; another
AWS::CloudFormation::Stack /TemplateURL: its template; another
AWS::CloudFormation::Stack /Parameters: its parameters; another
AWS::Cognito::IdentityPoolRoleAttachment /Roles/authenticated: access: the role of signed-in users; another
AWS::Cognito::IdentityPoolRoleAttachment /Roles/unauthenticated: access: the role of guests; another
AWS::Cognito::IdentityPoolRoleAttachment /RoleMappings: access: role mapping of groups; another
AWS::Cognito::UserPoolIdentityProvider /ProviderDetails/some: setting some of the provider true|7 in the cloud
AWS::Cognito::UserPoolIdentityProvider /AttributeMapping: attributes from the provider; another
AWS::New::Thing /Tags: tags; another
AWS::New::Thing /DeletionPolicy: what happens to it when the stack is deleted true|7 in the cloud
AWS::New::Thing /UpdateReplacePolicy: what happens to it when it is replaced true|7 in the cloud
AWS::New::Thing /Some: Some true|7 in the cloud
AWS::IAM::Role /AssumeRolePolicyDocument/Statement: access: who may take the role; another
AWS::IAM::Role /ManagedPolicyArns/0: access: the policies attached to the role; another
AWS::ApiGateway::Method /Integration/Type: its integration; another
AWS::Cognito::IdentityPoolRoleAttachment /RoleMappings/x: access: role mapping of groups; another`
	short := strings.NewReplacer(", another in the cloud than in the stack", "; another", " in the stack, 7", "|7")
	var got []string
	for want := range strings.SplitSeq(all, "\n") {
		of, _, _ := strings.Cut(want, ": ")
		kind, path, _ := strings.Cut(of, " ")
		words := strings.Join(drift.Words(kind, []stack.Difference{{Path: path, Want: "true", Is: "7"}}, drift.CloudAgainstStack, nil), "|")
		got = append(got, of+": "+short.Replace(words))
	}
	if got := strings.Join(got, "\n"); got != all {
		t.Errorf("it says\n%s\nwant\n%s", got, all)
	}
}
