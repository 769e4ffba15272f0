package review_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

// beside is a project of the Amplify CLI with something of each kind beside REST APIs and functions.
var beside = map[string]string{
	"backend-config.json":                                 `{"auth": {"pool": {"service": "Cognito"}}, "api": {"graph": {"service": "AppSync"}}}`,
	"auth/pool/cli-inputs.json":                           `{"cognitoConfig": {"allowUnauthenticatedIdentities": true, "userpoolClientWriteAttributes": ["email"], "authProviders": [], "permissions": []}}`,
	"auth/userPoolGroups/user-pool-group-precedence.json": `[{"groupName": "Editors", "precedence": 1}]`,
	"storage/images/cli-inputs.json":                      `{"resourceName": "images", "bucketName": "images", "storageAccess": "authAndGuest", "guestAccess": ["READ"], "authAccess": ["READ", "CREATE_AND_UPDATE"], "groupAccess": {"Editors": ["READ"]}}`,
	"api/graph/cli-inputs.json":                           `{"serviceConfiguration": {"defaultAuthType": {"mode": "AMAZON_COGNITO_USER_POOLS"}, "conflictResolution": {}}}`,
	"api/graph/schema.graphql":                            "# models\ntype Post @model @auth(rules: [\n  {allow: owner}\n  {allow: private\n   operations: [read]}\n]) {\n  id: ID!\n  title: String\n  secret: String @auth(rules: [{allow: owner}])\n}\n",
	"custom/alerts/alerts-cloudformation-template.json":   `{"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {}}}}`,
}

const stub = "import { AmplifyProjectInfo } from '@aws-amplify/cli-extensibility-helper';\n\n// Nothing yet.\nexport function override(resources: any) {}\n"

func TestWhatAProjectOfTheAmplifyCLIOpensBesideItsAPIsIsSaid(t *testing.T) {
	t.Parallel()
	const (
		schema, bucket   = "api/graph/schema.graphql", "storage/images/cli-inputs.json"
		pool, groups     = "auth/pool/cli-inputs.json", "auth/userPoolGroups/user-pool-group-precedence.json"
		custom, override = "custom/alerts/alerts-cloudformation-template.json", "storage/images/override.ts"
		root             = "awscloudformation/override.ts"
	)
	in := func(file, old, new string) []string {
		if !strings.Contains(beside[file], old) {
			t.Fatalf("%s has no %s", file, old)
		}
		return []string{file, strings.Replace(beside[file], old, new, 1)}
	}
	unread := func(files ...string) []string {
		for i, file := range files {
			files[i] = "amplify/backend/" + file
		}
		return []string{"changed, but not reviewed: " + strings.Join(files, ", ") + "; what they allow is unknown"}
	}
	const images, answers = " at amplify/backend/storage/images", " at amplify/backend/auth/pool"
	for name, tt := range map[string]struct {
		before, changes []string
		want            []string
	}{
		"nothing":                              {nil, nil, nil},
		"guests write in a bucket":             {nil, in(bucket, `["READ"], "auth`, `["READ", "DELETE", "CREATE_AND_UPDATE"], "auth`), []string{"users: guests may now delete and write in bucket images" + images}},
		"signed-in users delete":               {nil, in(bucket, `"CREATE_AND_UPDATE"]`, `"CREATE_AND_UPDATE", "DELETE"]`), []string{"users: signed-in users may now delete in bucket images" + images}},
		"a group more":                         {nil, in(bucket, `{"Editors"`, `{"Admins": ["DELETE"], "Editors"`), []string{"users: members of Admins may now delete in bucket images" + images}},
		"a type without access in a schema":    {nil, in(schema, "# models", "enum Kind { A B }\ninput Filter { kind: Kind }\ntype Page { posts: [Post] }"), nil},
		"a model more in a schema":             {nil, in(schema, "# models", "type Page @model { id: ID! }"), unread(schema)},
		"less, and in another order":           {nil, in(bucket, `["READ"], "authAccess": ["READ", "CREATE_AND_UPDATE"]`, `[], "authAccess": ["CREATE_AND_UPDATE", "READ"]`), nil},
		"guests of a pool without any":         {[]string{pool, `{"cognitoConfig": {"allowUnauthenticatedIdentities": false}}`}, []string{pool, `{"cognitoConfig": {"allowUnauthenticatedIdentities": false}}`, bucket, strings.Replace(beside[bucket], `["READ"], "auth`, `["DELETE"], "auth`, 1)}, nil},
		"a bucket of older files":              {[]string{bucket, "", "storage/images/parameters.json", `{"bucketName": "images", "s3PermissionsGuestPublic": "s3:GetObject", "authPolicyName": "x"}`}, []string{bucket, "", "storage/images/parameters.json", `{"bucketName": "images", "s3PermissionsGuestPublic": "s3:GetObject,s3:PutObject", "authPolicyName": "y"}`}, []string{"users: guests may now write in bucket images" + images}},
		"a right of a trigger":                 {nil, in(pool, `"permissions": []`, `"permissions": ["{\"trigger\": \"PostConfirmation\", \"effect\": \"Allow\", \"actions\": [\"cognito-idp:AdminAddUserToGroup\"]}"]`), []string{"users: the function at PostConfirmation may now use cognito-idp:AdminAddUserToGroup on the user pool" + answers}},
		"an attribute of their own":            {nil, in(pool, `["email"]`, `["email", "name", "custom:role"]`), []string{"users: users may now change their own custom:role" + answers}},
		"another provider":                     {nil, in(pool, `"authProviders": []`, `"authProviders": ["graph.facebook.com"]`), []string{"users: people may now sign in with an identity of graph.facebook.com" + answers}},
		"administration of users":              {nil, in(pool, `"authProviders": []`, `"authProviders": [], "adminQueryGroup": "Editors"`), []string{"users: members of Editors may now administer users" + answers}},
		"a policy of a group":                  {nil, in(groups, `1}`, `1, "customPolicies": [{"PolicyName": "p", "PolicyDocument": {}}]}`), unread(groups)},
		"a group without policies":             {nil, in(groups, `1}`, `1}, {"groupName": "Admins", "precedence": 2}`), nil},
		"an override":                          {nil, []string{override, stub + "more()"}, unread(override)},
		"overrides of two":                     {nil, []string{override, "x()", root, "x()"}, unread(root, override)},
		"an override that does nothing":        {nil, []string{override, stub}, nil},
		"one that sets media types":            {nil, []string{override, strings.Replace(stub, "{}", "{ resources.restApi.binaryMediaTypes = ['image/png']; }", 1)}, nil},
		"an override, written otherwise":       {[]string{root, "a(1)"}, []string{root, "// why\na( 1 )"}, nil},
		"an override less":                     {[]string{root, "a(1)"}, nil, unread(root)},
		"an override that does nothing more":   {[]string{override, "a(1)"}, []string{override, stub}, unread(override)},
		"a bucket gone with its override":      {[]string{override, "a(1)"}, []string{bucket, ""}, nil},
		"a field more in a schema":             {nil, in(schema, "title: String", "title: String!\n  body: String @index(name: \"byBody\")"), nil},
		"a comment more in a schema":           {nil, in(schema, "# models", "\"\"\"the models\"\"\""), nil},
		"a rule that allows more":              {nil, in(schema, "[read]", "[update]"), unread(schema)},
		"a field whose rule is gone":           {nil, in(schema, " @auth(rules: [{allow: owner}])", ""), unread(schema)},
		"a model more":                         {nil, in(schema, "# models", "type Note @model @auth(rules: [{allow: public}]) {\n  id: ID!\n}"), unread(schema)},
		"an operation more":                    {nil, in(schema, "# models", "type Query {\n  all: String\n}"), unread(schema)},
		"a schema less":                        {nil, []string{schema, "", "api/graph/cli-inputs.json", ""}, nil},
		"another way to sign in":               {nil, in("api/graph/cli-inputs.json", "AMAZON_COGNITO_USER_POOLS", "API_KEY"), unread("api/graph/cli-inputs.json")},
		"the same way to sign in":              {nil, in("api/graph/cli-inputs.json", `"conflictResolution": {}`, `"conflictResolution": {"x": 1}`), nil},
		"a resolver":                           {nil, []string{"api/graph/resolvers/Query.a.req.vtl", "#set($a = 1)"}, unread("api/graph/resolvers/Query.a.req.vtl")},
		"a custom policy":                      {nil, in(custom, `"Queue"`, `"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": []}}}, "Queue"`), unread(custom)},
		"a custom template, written otherwise": {nil, in(custom, `{"Resources": `, `{"Description": "x",  "Resources": `), nil},
		"a custom queue":                       {nil, in(custom, `"Queue"`, `"Other": {"Type": "AWS::SQS::Queue", "Properties": {"FifoQueue": true}}, "Queue"`), nil},
		"what a custom stack of CDK reads":     {nil, []string{"custom/more/src/door.ts", "a()", "custom/more/policy.json", "{}", "custom/more/types/b.js", "b()"}, unread("custom/more/policy.json", "custom/more/src/door.ts", "custom/more/types/b.js")},
		"a custom stack with any name":         {nil, []string{"custom/types/cdk-stack.ts", "new Stack()"}, unread("custom/types/cdk-stack.ts")},
		"what an override reads":               {nil, []string{"storage/images/more.ts", "x()"}, unread("storage/images/more.ts")},
		"a category of a plugin":               {nil, []string{"video/stream/props.json", "{}"}, unread("video/stream/props.json")},
		"a stack in a custom template":         {nil, in(custom, `"Queue"`, `"Other": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://a.example/b.json"}}, "Queue"`), unread(custom)},
		"a macro in a custom template":         {nil, in(custom, `{"Resources": `, `{"Transform": "Own", "Resources": `), unread(custom)},
		"resources that a macro makes":         {nil, in(custom, `"Queue"`, `"Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "s3://a/b"}}, "Queue"`), unread(custom)},
		"a custom resource of CDK":             {nil, []string{"custom/more/cdk-stack.ts", "new Stack()", "custom/more/package.json", "{}"}, unread("custom/more/cdk-stack.ts")},
		"another category":                     {nil, []string{"geo/map/parameters.json", `{"accessType": "AuthorizedAndGuestUsers"}`}, unread("geo/map/parameters.json")},
		"a layer for everybody":                {nil, []string{"function/lib/layer-configuration.json", `{"permissions": [{"type": "Public"}]}`}, unread("function/lib/layer-configuration.json")},
		"a private layer":                      {nil, []string{"function/lib/layer-configuration.json", `{"permissions": [{"type": "Private"}]}`}, nil},
		"custom stacks without resources":      {nil, []string{"api/graph/stacks/CustomResources.json", `{"Resources": {"Empty": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}`}, nil},
		"the source of a container":            {nil, []string{"api/box/src/index.js", "x()"}, nil},
		"what the Amplify CLI generates":       {nil, []string{"storage/images/build/override.js", "x", "types/a.ts", "x", "tags.json", "[]", "awscloudformation/build/root-cloudformation-stack.json", "{}"}, nil},
	} {
		r := of(t, state(t, project.Amplify, with(beside, tt.before...)), state(t, project.Amplify, with(beside, tt.changes...)), "")
		if diff := cmp.Diff(tt.want, slices.Concat(openings(r), r.Why)); diff != "" || r.Widened() != (tt.want != nil) {
			t.Errorf("%s: widened %v\n%s", name, r.Widened(), diff)
		}
	}
}

func TestACustomTemplateIsComparedWithTheParametersOfEachEnvironment(t *testing.T) {
	t.Parallel()
	at := func(who string) map[string]string {
		return with(beside, "custom/alerts/alerts-cloudformation-template.json", `{"Parameters": {"who": {"Type": "String"}}, "Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": [{"Effect": "Allow", "Principal": {"AWS": {"Ref": "who"}}, "Action": "sts:AssumeRole"}]}}}}}`,
			"../team-provider-info.json", `{"dev": {"categories": {"custom": {"alerts": {"who": "`+who+`"}}}}}`)
	}
	was, now := state(t, project.Amplify, at("123456789012")), state(t, project.Amplify, at("*"))
	if r := of(t, was, now, ""); !r.Widened() {
		t.Errorf("%q, %q", openings(r), r.Why)
	}
	if r := of(t, was, state(t, project.Amplify, at("123456789012")), ""); r.Widened() {
		t.Errorf("the same: %q, %q", openings(r), r.Why)
	}
}

func TestATemplateThatIsMadeOfAnswersIsLookedAtByThem(t *testing.T) {
	t.Parallel()
	const template = "auth/pool/pool-cloudformation-template.yml"
	at := func(role string) []string {
		return []string{template, "Resources:\n  Role:\n    Type: AWS::IAM::Role\n    Properties: {RoleName: " + role + "}\n"}
	}
	was := with(beside, at("a")...)
	if r := of(t, state(t, project.Amplify, was), state(t, project.Amplify, with(was, at("b")...)), ""); len(r.Why) != 1 || !strings.Contains(r.Why[0], template) {
		t.Errorf("a template that somebody changed: %q", r.Why)
	}
	now := with(with(was, at("b")...), "auth/pool/cli-inputs.json", strings.Replace(beside["auth/pool/cli-inputs.json"], "email", "name", 1))
	if r := of(t, state(t, project.Amplify, was), state(t, project.Amplify, now), ""); r.Widened() {
		t.Errorf("one that changed with its answers: %q", r.Why)
	}
}

func TestAResourceInATemplateOfAFunctionThatIsNotReadIsNamed(t *testing.T) {
	t.Parallel()
	const template = "function/books/books-cloudformation-template.json"
	more := func(resource string) map[string]string {
		files := withPolicy("")
		return with(files, template, strings.Replace(files[template], `"Resources": {`, `"Resources": {`+resource, 1))
	}
	was := state(t, project.Amplify, more(""))
	topic := more(`"Topic": {"Type": "AWS::SNS::TopicPolicy", "Properties": {"Topics": ["x"]}}, `)
	if r := of(t, was, state(t, project.Amplify, topic), ""); len(r.Why) != 1 || !strings.Contains(r.Why[0], template) {
		t.Errorf("a policy of a topic: %q", r.Why)
	}
	role := more(`"Other": {"Type": "AWS::Lambda::Function", "Properties": {"Role": "arn:aws:iam::1:role/admin"}}, `)
	if r := of(t, was, state(t, project.Amplify, role), ""); len(r.Why) != 1 || !strings.Contains(r.Why[0], template) {
		t.Errorf("a role of another template: %q", r.Why)
	}
	if r := of(t, was, state(t, project.Amplify, more(`"Rule": {"Type": "AWS::Events::Rule", "Properties": {}}, `)), ""); r.Widened() {
		t.Errorf("a schedule: %q", r.Why)
	}
}

func TestASecretOrATableMoreOfAFunctionIsWidened(t *testing.T) {
	t.Parallel()
	function := func(more string) map[string]string {
		return with(shop, "table/items/table.json", `{"version": 1, "partitionKey": {"name": "id", "type": "string"}}`,
			"function/books/function.json", "{\"version\": 1, \"runtime\": \"nodejs\""+more+"}")
	}
	const at = " at backend/function/books/function.json"
	for more, want := range map[string]string{
		`, "secrets": ["ONE"]`:                       "function: function books may now read the secret ONE" + at + ":1:",
		`, "template": "crud", "table": "items"`:     "function: function books may now create, read, update, delete table items" + at + ":1:",
		`, "timeout": 20, "environment": {"a": "b"}`: "",
	} {
		was, now := state(t, project.Native, function("")), state(t, project.Native, function(more))
		got := strings.Join(openings(of(t, was, now, "")), "\n")
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q", more, got)
		}
		if back := of(t, now, was, ""); back.Widened() {
			t.Errorf("%s: the way back opens %q", more, openings(back))
		}
	}
}
