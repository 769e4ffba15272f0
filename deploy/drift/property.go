package drift

import (
	"strings"

	"gatewright/internal/text/phrase"
)

// property says what a property of a resource is for people.
type property struct {
	// path is its JSON pointer; a * stands for one segment, whose name is put into the words.
	// What is below the property belongs to it.
	path, words, unit string
	// access says that the property decides who may do what, opaque that its value says
	// nothing to people, variable that it is a variable of a function.
	access, opaque, variable bool
	values                   []meaning
}

// meaning is what a value means.
type meaning struct{ is, means string }

var onOff = []meaning{{"true", "on"}, {"false", "off"}}

// properties are those that this program sets, by the type of the resource. Earlier ones come
// first. The types are described in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
var properties = map[string][]property{
	"AWS::Lambda::Function": {
		{path: "/MemorySize", words: "memory", unit: "MB"},
		{path: "/Timeout", words: "timeout", unit: "s"},
		{path: "/Handler", words: "handler"},
		{path: "/Runtime", words: "runtime"},
		{path: "/Environment/Variables/*", words: "variable %s", variable: true},
		{path: "/Environment", words: "its variables", opaque: true},
		{path: "/Role", words: "its role", access: true},
		{path: "/Code", words: "its code", opaque: true},
		{path: "/ReservedConcurrentExecutions", words: "reserved concurrency"},
		{path: "/Layers", words: "its layers", opaque: true},
		{path: "/Architectures", words: "its processor", opaque: true},
		{path: "/LoggingConfig", words: "where its log goes", opaque: true},
		{path: "/FunctionName", words: "name"},
	},
	"AWS::Logs::LogGroup": {{path: "/RetentionInDays", words: "logs are kept for", unit: "days"}},
	"AWS::IAM::Role": {
		{path: "/AssumeRolePolicyDocument", words: "who may take the role", access: true, opaque: true},
		{path: "/Policies", words: "what the role may do", access: true, opaque: true},
		{path: "/ManagedPolicyArns", words: "the policies attached to the role", access: true, opaque: true},
		{path: "/PermissionsBoundary", words: "the permissions boundary of the role", access: true, opaque: true},
		{path: "/MaxSessionDuration", words: "longest session", unit: "s"},
	},
	"AWS::IAM::Policy": {
		{path: "/PolicyDocument", words: "what the policy allows", access: true, opaque: true},
		{path: "/Roles", words: "who has the policy", access: true, opaque: true},
	},
	"AWS::IAM::ManagedPolicy": {
		{path: "/PolicyDocument", words: "what the policy allows", access: true, opaque: true},
		{path: "/Roles", words: "who has the policy", access: true, opaque: true},
	},
	"AWS::Lambda::Permission": {{path: "", words: "who may call the function", access: true, opaque: true}},
	"AWS::ApiGateway::Method": {
		{
			path: "/AuthorizationType", words: "callers", access: true,
			values: []meaning{
				{"NONE", "need not sign in"},
				{"AWS_IAM", "need credentials"},
				{"COGNITO_USER_POOLS", "need a token"},
				{"CUSTOM", "are judged by an authorizer"},
			},
		},
		{path: "/AuthorizerId", words: "its authorizer", access: true, opaque: true},
		{path: "/ApiKeyRequired", words: "the need of an API key", access: true, values: onOff},
		{path: "/Integration/Uri", words: "its target", opaque: true},
		{path: "/Integration", words: "its integration", opaque: true},
		{path: "/MethodResponses", words: "its answers", opaque: true},
	},
	"AWS::ApiGateway::RestApi": {
		{path: "/Policy", words: "the resource policy", access: true, opaque: true},
		{path: "/BinaryMediaTypes", words: "binary media types", opaque: true},
		{path: "/DisableExecuteApiEndpoint", words: "its default endpoint is disabled", values: onOff},
		{path: "/Name", words: "name"},
		{path: "/EndpointConfiguration", words: "kind of endpoint", opaque: true},
	},
	"AWS::ApiGateway::Resource": {
		{path: "/PathPart", words: "part of the path"},
		{path: "/ParentId", words: "its parent resource", opaque: true},
	},
	"AWS::ApiGateway::Stage": {
		{path: "/DeploymentId", words: "the deployment that it serves", opaque: true},
		{path: "/MethodSettings", words: "settings such as throttling and logs", opaque: true},
		{path: "/Variables", words: "stage variables", opaque: true},
		{path: "/TracingEnabled", words: "tracing", values: onOff},
	},
	"AWS::ApiGateway::GatewayResponse": {{path: "", words: "the response of the gateway", opaque: true}},
	"AWS::DynamoDB::Table": {
		{path: "/BillingMode", words: "billing"},
		{path: "/KeySchema", words: "its key", opaque: true},
		{path: "/AttributeDefinitions", words: "the types of its keys", opaque: true},
		{path: "/GlobalSecondaryIndexes", words: "its indexes", opaque: true},
		{path: "/StreamSpecification/StreamViewType", words: "stream of changes"},
		{path: "/StreamSpecification", words: "its stream of changes", opaque: true},
		{
			path: "/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled", words: "point-in-time backups", values: onOff,
		},
		{path: "/PointInTimeRecoverySpecification", words: "point-in-time backups", opaque: true},
		{path: "/DeletionProtectionEnabled", words: "protection from deletion", values: onOff},
		{path: "/TimeToLiveSpecification/AttributeName", words: "items expire by"},
		{path: "/TimeToLiveSpecification/Enabled", words: "the expiry of items", values: onOff},
		{path: "/TimeToLiveSpecification", words: "the expiry of items", opaque: true},
		{path: "/ProvisionedThroughput/ReadCapacityUnits", words: "read capacity", unit: "units"},
		{path: "/ProvisionedThroughput/WriteCapacityUnits", words: "write capacity", unit: "units"},
		{path: "/ProvisionedThroughput", words: "its throughput", opaque: true},
		{path: "/SSESpecification", words: "its encryption", opaque: true},
		{path: "/TableName", words: "name"},
	},
	"AWS::Cognito::UserPool": {
		{path: "/Policies/PasswordPolicy/*", words: "password policy, %s"},
		{path: "/LambdaConfig/*", words: "trigger %s", opaque: true},
		{path: "/LambdaConfig", words: "its triggers", opaque: true},
		{path: "/MfaConfiguration", words: "second factor"},
		{path: "/EnabledMfas", words: "kinds of second factors", opaque: true},
		{path: "/VerificationMessageTemplate", words: "texts of messages with codes", opaque: true},
		{path: "/SmsAuthenticationMessage", words: "text of messages at sign-in"},
		{path: "/AdminCreateUserConfig/InviteMessageTemplate", words: "texts of messages to new users", opaque: true},
		{path: "/AdminCreateUserConfig", words: "who may add users", access: true, opaque: true},
		{path: "/AutoVerifiedAttributes", words: "what is verified", opaque: true},
		{path: "/UsernameAttributes", words: "what users sign in with", opaque: true},
		{path: "/Schema", words: "attributes of users", opaque: true},
		{path: "/AccountRecoverySetting", words: "how passwords are recovered", opaque: true},
		{path: "/DeletionProtection", words: "protection from deletion"},
		{path: "/UserPoolTags/*", words: "tag %s"},
	},
	"AWS::Cognito::UserPoolClient": {
		{path: "/ExplicitAuthFlows", words: "ways of signing in", access: true, opaque: true},
		{path: "/AllowedOAuthFlows", words: "OAuth flows", access: true, opaque: true},
		{path: "/AllowedOAuthScopes", words: "OAuth scopes", access: true, opaque: true},
		{path: "/CallbackURLs", words: "URLs after a sign-in", access: true, opaque: true},
		{path: "/LogoutURLs", words: "URLs after a sign-out", opaque: true},
		{path: "/SupportedIdentityProviders", words: "identity providers", access: true, opaque: true},
		{path: "/*Validity", words: "how long tokens are valid"},
		{path: "/TokenValidityUnits", words: "how long tokens are valid, the units", opaque: true},
	},
	"AWS::Cognito::UserPoolGroup": {
		{path: "/RoleArn", words: "the role of the group", access: true, opaque: true},
		{path: "/Precedence", words: "precedence", access: true},
	},
	"AWS::Cognito::IdentityPool": {{
		path: "/AllowUnauthenticatedIdentities", words: "guests are let in", access: true,
		values: []meaning{{"true", "yes"}, {"false", "no"}},
	}, {
		path:  "/CognitoIdentityProviders",
		words: "the user pools that it accepts", access: true, opaque: true,
	}},
	"AWS::Cognito::UserPoolDomain": {{path: "/Domain", words: "domain"}},
	"AWS::Lambda::EventSourceMapping": {
		{path: "/Enabled", words: "calls of the function", values: onOff},
		{path: "/BatchSize", words: "items a call"},
	},
	"AWS::Events::Rule": {
		{path: "/ScheduleExpression", words: "schedule"},
		{path: "/State", words: "state"},
		{path: "/Targets", words: "what it calls", opaque: true},
	},
	"AWS::CloudFormation::Stack": {
		{path: "/TemplateURL", words: "its template", opaque: true},
		{path: "/Parameters", words: "its parameters", opaque: true},
	},
	"AWS::Cognito::IdentityPoolRoleAttachment": {
		{path: "/Roles/authenticated", words: "the role of signed-in users", access: true, opaque: true},
		{path: "/Roles/unauthenticated", words: "the role of guests", access: true, opaque: true},
		{path: "/RoleMappings", words: "role mapping of groups", access: true, opaque: true},
	},
	"AWS::Cognito::UserPoolIdentityProvider": {
		{path: "/ProviderDetails/*", words: "setting %s of the provider"},
		{path: "/AttributeMapping", words: "attributes from the provider", opaque: true},
	},
}

// everywhere are properties that many types have.
var everywhere = []property{
	{path: "/Tags", words: "tags", opaque: true},
	{path: "/DeletionPolicy", words: "what happens to it when the stack is deleted"},
	{path: "/UpdateReplacePolicy", words: "what happens to it when it is replaced"},
	// Nothing else of a resource is known here.
	{path: "", words: "%s"},
}

// propertyOf finds a property by its JSON pointer, and the name for its words.
func propertyOf(kind, path string) (p property, name string) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, list := range [][]property{properties[kind], everywhere} {
		for _, p := range list {
			if name, ok := p.has(parts); ok {
				return p, name
			}
		}
	}
	return property{}, ""
}

// has reports whether a pointer with these parts is the property, or below it.
func (p property) has(parts []string) (name string, ok bool) {
	name = unescaped(strings.Join(parts, "/"))
	if p.path == "" {
		return name, true
	}
	for i, segment := range strings.Split(strings.TrimPrefix(p.path, "/"), "/") {
		switch {
		case i >= len(parts):
			return "", false
		case segment == "*":
			name = unescaped(strings.Join(parts[i:], "/"))
		case segment != parts[i] && (len(segment) < 2 || segment[0] != '*' || !strings.HasSuffix(parts[i], segment[1:])):
			return "", false
		default:
			name = unescaped(parts[i])
		}
	}
	return name, true
}

// unescaped reads a part of a JSON pointer (RFC 6901).
func unescaped(text string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(text)
}

// kinds are what people call several resources of a type.
var kinds = map[string]string{
	"AWS::ApiGateway::Deployment": "deployments of APIs", "AWS::ApiGateway::GatewayResponse": "gateway responses",
	"AWS::ApiGateway::Method":   "methods of APIs",
	"AWS::ApiGateway::Resource": "resources of APIs", "AWS::ApiGateway::RestApi": "APIs",
	"AWS::ApiGateway::Stage":     "stages of APIs",
	"AWS::Cognito::IdentityPool": "identity pools", "AWS::Cognito::IdentityPoolRoleAttachment": "roles of identity pools",
	"AWS::Cognito::UserPool":       "user pools",
	"AWS::Cognito::UserPoolClient": "clients of user pools", "AWS::Cognito::UserPoolDomain": "domains of user pools",
	"AWS::Cognito::UserPoolGroup":            "groups",
	"AWS::Cognito::UserPoolIdentityProvider": "identity providers", "AWS::DynamoDB::Table": "tables",
	"AWS::Events::Rule":       "schedules",
	"AWS::IAM::ManagedPolicy": "managed policies", "AWS::IAM::Policy": "policies of roles", "AWS::IAM::Role": "roles",
	"AWS::Lambda::EventSourceMapping": "triggers of tables", "AWS::Lambda::Function": "functions",
	"AWS::Lambda::LayerVersion": "layers",
	"AWS::Lambda::Permission":   "permissions to call functions", "AWS::Logs::LogGroup": "log groups",
}

// Kinds names several resources of a type for people.
func Kinds(kind string) string {
	if words := kinds[kind]; words != "" {
		return words
	}
	return phrase.Quote(kind)
}
