package live

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/secretfile"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
)

// amplifyMaker returns what makes the functions of a project of the Amplify CLI with the
// table notesTable and the function notes, whose template has these properties and
// policies.
func amplifyMaker(t *testing.T, properties, policies string, more map[string]string) *specMaker {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"amplify/team-provider-info.json":                          `{"dev": {"awscloudformation": {"Region": "eu-west-1", "AmplifyAppId": "d1", "StackName": "amplify-notes-dev-1234"}}}`,
		"amplify/backend/api/shop/cli-inputs.json":                 `{"version": 1, "paths": {"/notes": {"name": "/notes", "lambdaFunction": "notes", "permissions": {"setting": "open"}}}}`,
		"amplify/backend/storage/db/cli-inputs.json":               `{"resourceName": "db", "tableName": "notesTable", "partitionKey": {"fieldName": "id", "fieldType": "string"}}`,
		"amplify/backend/storage/covers/cli-inputs.json":           `{"resourceName": "covers", "bucketName": "covers"}`,
		"amplify/backend/api/graph/schema.graphql":                 "type Query { a: String }",
		"amplify/backend/function/shared/layer-configuration.json": "{}",
		"amplify/backend/function/shared/lib/nodejs/a.js":          "",
		"amplify/backend/function/shared/opt/b.js":                 "",
		"amplify/backend/function/notes/src/index.js":              "exports.handler = async () => 1",
		"amplify/backend/function/notes/notes-cloudformation-template.json": `{"Parameters": {` + declared("env", "unknown", "colour", "size", "storagedbName", "storagedbArn", "storagecoversBucketName", "functionsharedArn", "apigraphGraphQLAPIIdOutput", "apigraphGraphQLAPIEndpointOutput") + `, "unset": {"Type": "String", "Default": "unset"}},
			"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs16.x"` + properties + `}},
			"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [` + policies + `]}}}}}`,
	}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	env := p.Backend.Environment("dev")
	return &specMaker{
		project: p, backend: p.Backend.For(env), source: functionFolder(p),
		environment: sandbox.Environment{Name: "dev", Region: "eu-west-1", AccountID: "000000000000"},
		secrets:     secretfile.Secrets{File: secretfile.Name("dev"), Values: map[string]string{"TOKEN": "from the file"}},
	}
}

// declared declares parameters of a template.
func declared(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, `"`+name+`": {"Type": "String"}`)
	}
	return strings.Join(all, ", ")
}

func TestPoliciesOfATemplateSayWhatAFunctionMayDo(t *testing.T) {
	t.Parallel()
	const (
		table    = "arn:aws:dynamodb:eu-west-1:000000000000:table/notesTable-dev"
		itself   = "arn:aws:lambda:eu-west-1:000000000000:function:notes-dev"
		secret   = "arn:aws:ssm:eu-west-1:000000000000:parameter/amplify/d1/dev/AMPLIFY_notes_KEY"
		pool     = "arn:aws:cognito-idp:eu-west-1:000000000000:userpool/eu-west-1_a"
		onTable  = `{"Effect": "Allow", "Action": "dynamodb:Get*", "Resource": {"Ref": "storagedbArn"}}`
		everyOne = `{"Effect": "Allow", "Action": "*", "Resource": "*"}`
	)
	for _, row := range []struct {
		name, policies, custom, action, arn string
		want                                cfn.Permission
		certain                             bool
	}{
		{"a table", onTable, "", "dynamodb:GetItem", table, cfn.Granted, true},
		{"another action", onTable, "", "dynamodb:PutItem", table, cfn.Absent, true},
		{"no policy", "", "", "dynamodb:PutItem", table + "/index/a", cfn.Granted, false},
		{"no policy, a table of nobody", "", "", "dynamodb:PutItem", table + "s", cfn.Absent, true},
		{"only another service", onTable, "", "lambda:InvokeFunction", itself, cfn.Granted, false},
		{"a function", `{"Effect": "Allow", "Action": ["lambda:InvokeFunction", "s3:GetObject"], "Resource": {"Fn::GetAtt": ["LambdaFunction", "Arn"]}}`, "", "lambda:InvokeFunction", itself, cfn.Granted, true},
		{"everything", everyOne, "", "ssm:GetParameter", secret, cfn.Granted, true},
		{"an unknown resource", `{"Effect": "Allow", "Action": "dynamodb:*", "Resource": {"Ref": "unknown"}}`, "", "dynamodb:Scan", table, cfn.Granted, false},
		{"a resource whose parameter has its own name by default", `{"Effect": "Allow", "Action": "dynamodb:*", "Resource": {"Ref": "unset"}}`, "", "dynamodb:Scan", table, cfn.Granted, false},
		{"a refusal too", everyOne + `, {"Effect": "Deny", "Action": "dynamodb:DeleteTable", "Resource": "*"}`, "", "dynamodb:DeleteTable", table, cfn.Denied, true},
		{"a custom policy", "", `[{"Action": ["dynamodb:Scan"], "Resource": ["arn:aws:dynamodb:*:*:table/notesTable-${env}"]}]`, "dynamodb:Scan", table, cfn.Granted, true},
		{"a policy as the Amplify CLI leaves it", "", `[{"Action": [], "Resource": []}]`, "dynamodb:Scan", table, cfn.Granted, false},
		{"its secret", `{"Effect": "Allow", "Action": ["ssm:GetParameter", "ssm:GetParameters"], "Resource": {"Fn::Join": ["", ["arn:aws:ssm:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":parameter/amplify/d1/", {"Ref": "env"}, "/AMPLIFY_notes_*"]]}}`, "", "ssm:GetParameters", secret, cfn.Granted, true},
		{"another parameter", `{"Effect": "Allow", "Action": "ssm:Get*", "Resource": "arn:aws:ssm:*:*:parameter/other"}`, "", "ssm:GetParameter", secret, cfn.Absent, true},
		{"the users, unsaid", onTable, "", "cognito-idp:AdminGetUser", pool, cfn.Granted, false},
		{"the users, said", "", `[{"Action": ["cognito-idp:List*"], "Resource": ["*"]}]`, "cognito-idp:AdminGetUser", pool, cfn.Absent, true},
		{"an account", `{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:eu-west-1:123456789012:table/notesTable-dev"}`, "", "dynamodb:Scan", table, cfn.Granted, false},
		{"the end of a secret", "", `[{"Action": ["secretsmanager:*"], "Resource": ["arn:aws:secretsmanager:*:*:secret:pw-AbCdEf"]}]`, "secretsmanager:GetSecretValue", "arn:aws:secretsmanager:eu-west-1:000000000000:secret:pw-000000", cfn.Granted, false},
		{"custom policies that cannot be read", onTable, `[{`, "dynamodb:Scan", table, cfn.Granted, false},
		{"a secret, unsaid", onTable, "", "secretsmanager:GetSecretValue", "arn:aws:secretsmanager:eu-west-1:1:secret:a-000000", cfn.Granted, false},
	} {
		custom := make(map[string]string)
		if row.custom != "" {
			custom["amplify/backend/function/notes/custom-policies.json"] = row.custom
		}
		x := amplifyMaker(t, `, "FunctionName": {"Fn::Sub": "notes-${env}"}`, row.policies, custom)
		grants := x.grants(x.backend.Function("notes"))
		if got, certain := cfn.Judge(grants, row.action, row.arn); got != row.want || certain != row.certain {
			t.Errorf("%s: %d, certain %t: %+v", row.name, got, certain, grants)
		}
	}
}

func TestTheAccountThatATemplateNamesIsTheOneHere(t *testing.T) {
	t.Parallel()
	const policy = `{"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:a-*"}`
	for stack, want := range map[string]struct {
		permission cfn.Permission
		certain    bool
	}{
		"arn:aws:cloudformation:eu-west-1:123456789012:stack/amplify-notes-dev-1234/1": {cfn.Granted, true},
		"arn:aws:cloudformation:eu-west-1:210987654321:stack/amplify-notes-dev-1234/1": {cfn.Absent, true},
		"": {cfn.Granted, false},
	} {
		x := amplifyMaker(t, "", policy, map[string]string{"amplify/team-provider-info.json": `{"dev": {"awscloudformation": {"Region": "eu-west-1", "StackId": "` + stack + `"}}}`})
		got, certain := cfn.Judge(x.grants(x.backend.Function("notes")), "secretsmanager:GetSecretValue", "arn:aws:secretsmanager:eu-west-1:000000000000:secret:a-000000")
		if got != want.permission || certain != want.certain {
			t.Errorf("deployed as %q: %d, certain %t", stack, got, certain)
		}
	}
}

// A template may have roles beside that of its function, and that may be elsewhere, or have policies that are.
func TestOnlyWhatTheRoleOfAFunctionHasCounts(t *testing.T) {
	t.Parallel()
	const own = `{"Fn::GetAtt": ["Own", "Arn"]}`
	for _, row := range []struct {
		role, managed string
		want          cfn.Permission
	}{
		{own, `"arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"`, cfn.Absent},
		{own, `"arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess"`, cfn.Granted},
		{`{"Fn::ImportValue": "role"}`, "", cfn.Granted},
	} {
		statement := func(effect, action string) string {
			return `"PolicyDocument": {"Statement": {"Effect": "` + effect + `", "Action": "dynamodb:` + action + `", "Resource": "*"}}`
		}
		x := amplifyMaker(t, "", "", map[string]string{"amplify/backend/function/notes/notes-cloudformation-template.json": `{"Resources": {
			"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs16.x", "Role": ` + row.role + `}},
			"Own": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": [` + row.managed + `]}},
			"Other": {"Type": "AWS::IAM::Role", "Properties": {"Policies": [{` + statement("Allow", "*") + `}]}},
			"OwnPolicy": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "Own"}], ` + statement("Allow", "GetItem") + `}},
			"OtherPolicy": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "Other"}], ` + statement("Deny", "GetItem") + `}}}}`})
		grants := x.grants(x.backend.Function("notes"))
		if got, certain := cfn.Judge(grants, "dynamodb:PutItem", "arn:aws:dynamodb:eu-west-1:000000000000:table/a"); got != row.want || row.role == own && certain != (got == cfn.Absent) {
			t.Errorf("with %s and %s: %d, certain %t", row.role, row.managed, got, certain)
		}
		if got, _ := cfn.Judge(grants, "dynamodb:GetItem", "arn:aws:dynamodb:eu-west-1:000000000000:table/a"); got != cfn.Granted && row.role == own {
			t.Errorf("with %s: its own policy is not obeyed, or that of another role is", row.managed)
		}
	}
}

func TestATemplateIsWorkedOutWithTheLocalThings(t *testing.T) {
	t.Parallel()
	x := amplifyMaker(t, `, "FunctionName": {"Fn::Sub": "notes-${env}"}, "Layers": [{"Ref": "functionsharedArn"}, "arn:aws:lambda:eu-west-1:1:layer:theirs:3"],
		"Environment": {"Variables": {
			"TABLE": {"Ref": "storagedbName"}, "BUCKET": {"Ref": "storagecoversBucketName"}, "SELF": {"Fn::GetAtt": ["LambdaFunction", "Arn"]}, "COLOUR": {"Ref": "colour"}, "SIZE": {"Ref": "size"},
			"GRAPH": {"Ref": "apigraphGraphQLAPIEndpointOutput"}, "LIST": {"Fn::ImportValue": {"Fn::Sub": "${apigraphGraphQLAPIIdOutput}:GetAtt:NoteTable:Name"}},
			"TOKEN": {"Ref": "unknown"}, "OTHER": {"Ref": "unset"}, "GIVEN": {"Ref": "unknown"}, "no-name": "x",
			"KEY": {"Fn::Sub": "/amplify/d1/${env}/AMPLIFY_notes_KEY"}, "TOKENNAME": "/amplify/d1/dev/AMPLIFY_notes_TOKEN"}}`, "", map[string]string{
		"amplify/backend/function/notes/parameters.json": `{"colour": "red", "size": 3}`,
		"amplify/team-provider-info.json":                `{"dev": {"awscloudformation": {"StackName": "amplify-notes-dev-1234", "AmplifyAppId": "d1"}, "categories": {"function": {"notes": {"colour": "green"}}}}}`,
	})
	x.set = map[string]string{"GIVEN": "by hand"}
	spec, err := x.spec(x.backend.Function("notes"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"TABLE": "notesTable-dev", "BUCKET": "covers1234-dev", "SELF": "arn:aws:lambda:eu-west-1:000000000000:function:notes-dev", "COLOUR": "green", "SIZE": "3",
		"GRAPH": "https://graph.appsync-api.eu-west-1.amazonaws.com/graphql", "LIST": "Note-graph-dev", "TOKEN": "from the file", "GIVEN": "by hand", "ENV": "dev",
	} {
		if got := spec.Variables[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if spec.DeployedName != "notes-dev" || spec.RuntimeName != "nodejs16.x" || spec.Runtime != model.NodeJS {
		t.Errorf("the function is %+v", spec)
	}
	folder := filepath.Join(x.source, "shared")
	if want := []string{filepath.Join(folder, "lib"), filepath.Join(folder, "opt"), "arn:aws:lambda:eu-west-1:1:layer:theirs:3"}; !slices.Equal(spec.Layers, want) {
		t.Errorf("the layers are %q", spec.Layers)
	}
	const want = `runs without the variable OTHER (the parameter unset has no value); write it into .gatewright/secrets/dev.json as {"OTHER": "value"}, or give --set OTHER=VALUE`
	const secret = `reads the secret KEY, which has no local value; write it into .gatewright/secrets/dev.json as {"KEY": "value"}`
	if !slices.Equal(x.warnings, []string{want, secret}) {
		t.Errorf("the warnings are %s", strings.Join(x.warnings, "\n"))
	}
}

func TestATemplateIsReadOnceForAllThatIsAskedOfAFunction(t *testing.T) {
	t.Parallel()
	x := amplifyMaker(t, "", `{"Effect": "Allow", "Action": ["dynamodb:Get*", "lambda:*"], "Resource": "*"}`, nil)
	f := x.backend.Function("notes")
	if _, err := x.spec(f); err != nil {
		t.Fatal(err)
	}
	first := x.amplifyFunction(f)
	grants := x.grants(f)
	if again := x.amplifyFunction(f); first == nil || again != first {
		t.Error("the template is resolved again")
	}
	if len(grants) != 4 {
		t.Errorf("the grants are %+v", grants)
	}
}
