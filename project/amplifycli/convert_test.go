package amplifycli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/journal"
)

// oldProject is a project of the Amplify CLI with the environments dev and prod, and these files
// below amplify/backend.
func oldProject(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	fsys := afero.NewMemMapFs()
	put := func(name, text string) {
		if err := afero.WriteFile(fsys, name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("amplify/.config/local-env-info.json", `{"envName": "prod"}`)
	put("amplify/team-provider-info.json", `{
		"dev": {"awscloudformation": {"Region": "eu-west-1", "StackName": "amplify-shop-dev-11"}, "categories": {"function": {"f": {"level": "debug", "both": "same", "onlyDev": "1"}}}},
		"prod": {"awscloudformation": {"Region": "us-east-1", "StackName": "amplify-shop-prod-22"}, "categories": {"function": {"f": {"level": "warn", "both": "same"}}}}}`)
	put("amplify/backend/function/f/src/index.js", "exports.handler = async () => 1;")
	for name, text := range files {
		put("amplify/backend/"+name, text)
	}
	p, err := project.Load(fsys, project.Amplify)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// withTemplate is a project with the template of the function f with these properties, statements, and further
// resources.
func withTemplate(properties, statements, resources string) map[string]string {
	return map[string]string{
		"function/f/f-cloudformation-template.json": fmt.Sprintf(`{
			"Parameters": {"env": {"Type": "String"}, "level": {"Type": "String"}, "both": {"Type": "String"}, "onlyDev": {"Type": "String"}, "storageordersName": {"Type": "String"}, "storageordersArn": {"Type": "String"}, "authpoolUserPoolId": {"Type": "String"}},
			"Conditions": {"IsProd": {"Fn::Equals": [{"Ref": "env"}, "prod"]}},
			"Resources": {
				"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Runtime": "nodejs22.x", "Handler": "index.handler" %s}},
				"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [%s]}}} %s}}`, properties, statements, resources),
		"storage/orders/cli-inputs.json": `{"tableName": "ordersTable", "partitionKey": {"fieldName": "id", "fieldType": "string"}}`,
	}
}

func converted(t *testing.T, files map[string]string) *Converted {
	t.Helper()
	c, err := Convert(oldProject(t, files), Options{Name: "shop", ApplicationID: "d1", Provider: model.Local})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// left are the problems of what was not imported, in a line each.
func (c *Converted) left() string {
	var b strings.Builder
	for _, p := range c.Left {
		b.WriteString(p.Error() + "\n")
	}
	return b.String()
}

const everyRight = `{"Effect": "Allow", "Action": ["dynamodb:*"], "Resource": [{"Ref": "storageordersArn"}, {"Fn::Sub": "${storageordersArn}/index/*"}]}`

func TestVariablesReferToWhatTheNewProjectGives(t *testing.T) {
	t.Parallel()
	c := converted(t, withTemplate(`, "Environment": {"Variables": {
		"ENV": {"Ref": "env"}, "REGION": {"Ref": "AWS::Region"}, "STORAGE_ORDERS_NAME": {"Ref": "storageordersName"}, "STORAGE_ORDERS_ARN": {"Ref": "storageordersArn"},
		"INDEX": {"Fn::Sub": "${storageordersArn}/index/byOwner"}, "QUEUE": {"Fn::Sub": "https://sqs.${AWS::Region}.example/${env}-queue"}, "OTHER": {"Fn::Join": ["-", ["x", {"Ref": "storageordersName"}]]},
		"PLAIN": "a", "DOLLARS": "${MONEY} and ${ENV}", "LEVEL": {"Ref": "level"}, "BOTH": {"Ref": "both"}, "ONLY_DEV": {"Ref": "onlyDev"},
		"CHOSEN": {"Fn::If": ["IsProd", "live", "test"]}, "ACCOUNT": {"Fn::Sub": "${AWS::AccountId}"}, "NOBODY": {"Ref": "nobody"}}}`, everyRight, ""))
	want := []model.Variable{
		{Name: "STORAGE_ORDERS_NAME", Value: "${TABLE_ORDERSTABLE_NAME}"},
		{Name: "STORAGE_ORDERS_ARN", Value: "${TABLE_ORDERSTABLE_ARN}"},
		{Name: "INDEX", Value: "${TABLE_ORDERSTABLE_ARN}/index/byOwner"},
		{Name: "QUEUE", Value: "https://sqs.${REGION}.example/${ENV}-queue"},
		{Name: "OTHER", Value: "x-ordersTable-${ENV}"},
		{Name: "PLAIN", Value: "a"},
		{Name: "DOLLARS", Value: "$${MONEY} and $${ENV}"},
		{Name: "BOTH", Value: "same"},
	}
	f := c.Backend.Function("f")
	if diff := cmp.Diff(want, f.Environment); diff != "" {
		t.Error(diff)
	}
	if want := []string{"ACCOUNT", "NOBODY"}; !slices.Equal(f.Secrets, want) {
		t.Errorf("the secrets are %q, want %q", f.Secrets, want)
	}
	for env, want := range map[string][]model.Variable{
		"dev":  {{Name: "LEVEL", Value: "debug"}, {Name: "ONLY_DEV", Value: "1"}, {Name: "CHOSEN", Value: "test"}},
		"prod": {{Name: "LEVEL", Value: "warn"}, {Name: "CHOSEN", Value: "live"}},
	} {
		if diff := cmp.Diff([]model.FunctionVariables{{Function: "f", Values: want}}, c.Backend.Environment(env).Variables); diff != "" {
			t.Errorf("%s: %s", env, diff)
		}
	}
	for _, want := range []string{"the variable ONLY_DEV has no value in the environment prod", "the value of the variable ACCOUNT was not imported (it is the id of the account, which only a deployment knows)"} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
	// The project and the environment that was worked with have one region.
	if c.Backend.Project.Region != "us-east-1" || c.Backend.Environment("prod").Region != "" || c.Backend.Environment("dev").Region != "eu-west-1" {
		t.Errorf("the regions are %s, %v", c.Backend.Project.Region, c.Backend.Environments)
	}
}

func TestVariablesWithDynamicReferencesBecomeSecrets(t *testing.T) {
	t.Parallel()
	c := converted(t, withTemplate(`, "Environment": {"Variables": {"KEY": "{{resolve:ssm:/shop/key}}", "JOINED": {"Fn::Join": ["", ["{{resolve:ssm:/", {"Ref": "env"}, "/key}}"]]},
		"LEVEL": {"Fn::Sub": "{{resolve:secretsmanager:${level}}}"}, "PLAIN": "{{name}}"}}`, everyRight, ""))
	f := c.Backend.Function("f")
	if want := []model.Variable{{Name: "PLAIN", Value: "{{name}}"}}; !slices.Equal(f.Environment, want) || !slices.Equal(f.Secrets, []string{"KEY", "JOINED", "LEVEL"}) {
		t.Errorf("the variables are %v, the secrets %q:\n%s", f.Environment, f.Secrets, c.left())
	}
}

func TestVariablesThatAWSSetsAreLeft(t *testing.T) {
	t.Parallel()
	c := converted(t, withTemplate(`, "Environment": {"Variables": {"AWS_REGION": "x", "AWS_SESSION_TOKEN": {"Ref": "nobody"}, "AWS_DEFAULT_REGION": {"Ref": "level"}, "PLAIN": "a"}}`, everyRight, ""))
	f := c.Backend.Function("f")
	if want := []model.Variable{{Name: "PLAIN", Value: "a"}}; !slices.Equal(f.Environment, want) || len(f.Secrets) > 0 || len(c.Backend.Environment("dev").Variables) > 0 {
		t.Errorf("the variables are %v, the secrets %q, those of dev %v", f.Environment, f.Secrets, c.Backend.Environment("dev").Variables)
	}
	for _, name := range []string{"AWS_REGION", "AWS_SESSION_TOKEN", "AWS_DEFAULT_REGION"} {
		if want := "the variable " + name + " was not imported, because AWS sets it itself"; strings.Count(c.left(), want) != 1 {
			t.Errorf("%q is not said once:\n%s", want, c.left())
		}
	}
}

func TestPoliciesBecomeAccess(t *testing.T) {
	t.Parallel()
	table := func(action string) string {
		return `{"Effect": "Allow", "Action": ` + action + `, "Resource": [{"Ref": "storageordersArn"}]}`
	}
	for _, row := range []struct {
		name, statements string
		want             access.Actions
		said, unsaid     string
	}{
		{"everything", everyRight, access.EveryAction, "", "ordersTable"},
		{"as the Amplify CLI writes reading", table(`["dynamodb:Get*", "dynamodb:BatchGetItem", "dynamodb:List*", "dynamodb:Describe*", "dynamodb:Scan", "dynamodb:Query", "dynamodb:PartiQLSelect"]`), access.ActionSet(access.Read), "", "ordersTable"},
		{"one operation", table(`"dynamodb:GetItem"`), access.ActionSet(access.Read), "its access to the table ordersTable also allows BatchGetItem, Query, Scan, which its policies do not", ""},
		{"what is denied", everyRight + `, {"Effect": "Deny", "Action": "dynamodb:Delete*", "Resource": "*"}`, access.ActionSet(access.Create, access.Read, access.Update), "", "also allows"},
		{"what may be denied", everyRight + `, {"Effect": "Deny", "Action": "dynamodb:Delete*", "Resource": "*", "Condition": {"Bool": {}}}`, access.EveryAction, "", ""},
		{"only the keys", table(`"dynamodb:DescribeTable"`), 0, "", "also allows"},
		{"another table", `{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:eu-west-1:1:table/other"}`, 0, "", "names"},
		{"an unknown table", `{"Effect": "Allow", "Action": "dynamodb:*", "Resource": {"Ref": "unknown"}}`, access.EveryAction, "its policies have parts that only a deployment knows", ""},
		{"everything but", `{"Effect": "Allow", "NotAction": "dynamodb:*", "Resource": "*"}`, access.EveryAction, "its policies do not mention tables, but it names ordersTable, so it may now do everything with that table", ""},
		{"nothing", "", access.EveryAction, "its policies do not mention tables, but it names ordersTable", ""},
		{"another service", everyRight + `, {"Effect": "Allow", "Action": ["ses:SendEmail", "logs:PutLogEvents"], "Resource": "*"}`, access.EveryAction, "", "its policies"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := converted(t, withTemplate("", row.statements, ""))
			var have access.Actions
			for _, a := range c.Backend.Function("f").Access {
				if a.Resource != "table/ordersTable" {
					t.Errorf("it has access to %s", a.Resource)
				}
				have = a.Actions
			}
			if have != row.want {
				t.Errorf("it may %v, want %v", have, row.want)
			}
			if !strings.Contains(c.left(), row.said) || row.unsaid != "" && strings.Contains(c.left(), row.unsaid) {
				t.Errorf("it is said:\n%s", c.left())
			}
		})
	}
}

func TestTheFunctionOfATemplateWithSeveralIsTheOneOfTheTool(t *testing.T) {
	t.Parallel()
	const extra = `"%s": {"Type": "AWS::Lambda::Function", "Properties": {"Runtime": "python3.12", "Handler": "other.handler", "Timeout": 3}}`
	for _, name := range []string{"Another", "Zulu"} {
		// Another comes before the tool's in the file, Zulu behind it.
		files := withTemplate(`, "Timeout": 40`, "", "")
		at := "function/f/f-cloudformation-template.json"
		files[at] = strings.Replace(files[at], `"LambdaFunction"`, fmt.Sprintf(extra, "Another")+`, "LambdaFunction"`, 1)
		if name == "Zulu" {
			files = withTemplate(`, "Timeout": 40`, "", ", "+fmt.Sprintf(extra, "Zulu"))
		}
		f := converted(t, files).Backend.Function("f")
		if f.Runtime != "nodejs22.x" || f.Timeout != 40 {
			t.Errorf("with %s beside it, it runs on %s for %d s", name, f.Runtime, f.Timeout)
		}
	}
}

func TestPoliciesOfAFunctionLetItCallOthersAndAPIs(t *testing.T) {
	t.Parallel()
	files := withTemplate("", `{"Effect": "Allow", "Action": "lambda:Invoke*", "Resource": {"Fn::Sub": "arn:aws:lambda:${AWS::Region}:${AWS::AccountId}:function:g-${env}"}},
		{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": [{"Fn::Join": ["", ["arn:aws:execute-api:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":", {"Ref": "apishopApiId"}, "/", {"Ref": "env"}, "/GET/*"]]}]},
		{"Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": ["arn:aws:s3:::pics22-prod", "arn:aws:s3:::pics22-prod/*"]}, {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "none"}`, "")
	files["function/g/g-cloudformation-template.json"] = `{"Resources": {"LambdaFunction": {"Properties": {"Runtime": "nodejs22.x", "FunctionName": {"Fn::Sub": "g-${env}"}}}}}`
	files["api/shop/cli-inputs.json"] = `{"version": 1, "paths": {"/a": {"name": "/a", "lambdaFunction": "g", "permissions": {"setting": "open"}}}}`
	files["storage/pics/cli-inputs.json"] = `{"bucketName": "pics"}`
	c := converted(t, files)
	want := []model.ResourceAccess{
		{Resource: "function/g", Actions: access.ActionSet(access.Read)}, {Resource: "api/shop", Actions: access.ActionSet(access.Read)}, {Resource: "storage/pics", Actions: access.ActionSet(access.Read)},
	}
	if diff := cmp.Diff(want, c.Backend.Function("f").Access); diff != "" {
		t.Errorf("%s\n%s", diff, c.left())
	}
	if s, dev := c.Backend.Storage, c.Backend.Environment("dev").Storage; s.BucketName != "pics22-prod" || s.Region != "us-east-1" || dev == nil || dev.BucketName != "pics11-dev" || dev.Region != "eu-west-1" {
		t.Errorf("the buckets are %v and %v", s, dev)
	}
}

func TestPoliciesThatNoAccessHasStayPolicies(t *testing.T) {
	t.Parallel()
	files := withTemplate("", everyRight+`,
		{"Effect": "Allow", "Action": ["ses:SendEmail", "logs:PutLogEvents"], "Resource": "*"},
		{"Effect": "Allow", "Action": ["ssm:GetParameter", "ssm:GetParameters"], "Resource": {"Fn::Sub": "arn:aws:ssm:${AWS::Region}:${AWS::AccountId}:parameter/shop/${env}/*"}},
		{"Effect": "Allow", "Action": "appsync:GraphQL", "Resource": [{"Fn::Sub": "arn:aws:appsync:${AWS::Region}:${AWS::AccountId}:apis/abc/*"}], "Condition": {"Bool": {"aws:SecureTransport": "true"}}},
		{"Effect": "Allow", "Action": "cognito-idp:AdminAddUserToGroup", "Resource": {"Fn::Sub": "arn:aws:cognito-idp:${AWS::Region}:${AWS::AccountId}:userpool/${authpoolUserPoolId}"}},
		{"Effect": "Deny", "Action": "dynamodb:DeleteTable", "Resource": {"Ref": "storageordersArn"}},
		{"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "arn:aws:dynamodb:eu-west-1:123456789012:table/elsewhere"},
		{"Effect": "Allow", "Action": ["s3:GetObject", "s3:*"], "Resource": ["*", "arn:aws:s3:::elsewhere/*"]},
		{"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": {"Ref": "unknown"}},
		{"Effect": "Allow", "Action": "kms:Decrypt", "NotResource": "*"}`, "")
	files["function/f/custom-policies.json"] = `[{"Action": ["sns:Publish"], "Resource": ["arn:aws:sns:eu-west-1:123456789012:news-${env}"]}]`
	files["auth/pool/cli-inputs.json"] = `{"cognitoConfig": {"resourceName": "pool"}}`
	c := converted(t, files)
	want := []string{
		"ses:SendEmail on *",
		"ssm:GetParameter,ssm:GetParameters on arn:aws:ssm:${AWS::Region}:${AWS::AccountId}:parameter/shop/${ENV}/*",
		`appsync:GraphQL on arn:aws:appsync:${AWS::Region}:${AWS::AccountId}:apis/abc/* if {"Bool":{"aws:SecureTransport":"true"}}`,
		"cognito-idp:AdminAddUserToGroup on ${pool}",
		"deny dynamodb:DeleteTable on ${table/ordersTable}",
		"dynamodb:GetItem on arn:aws:dynamodb:eu-west-1:123456789012:table/elsewhere",
		"s3:GetObject,s3:* on *,arn:aws:s3:::elsewhere/*",
		"sns:Publish on arn:aws:sns:eu-west-1:123456789012:news-${ENV}",
	}
	if diff := cmp.Diff(want, diff.Policies(c.Backend.Function("f"))); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"its policies name sqs:SendMessage on resources that only a deployment knows", "its policies allow kms:Decrypt on everything but *"} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
}

func TestRightsOnEverythingStayPolicies(t *testing.T) {
	t.Parallel()
	files := withTemplate("", `{"Effect": "Allow", "Action": ["dynamodb:*", "lambda:Invoke*", "logs:PutLogEvents"], "Resource": "*"}`, "")
	f := converted(t, files).Backend.Function("f")
	if got := diff.Policies(f); len(f.Access) != 2 || !slices.Equal(got, []string{"dynamodb:*,lambda:Invoke* on *"}) {
		t.Errorf("it has the access %v and the policies %v", f.Access, got)
	}
}

func TestAFunctionGetsTheAWSSDKThatItsRuntimeHad(t *testing.T) {
	t.Parallel()
	const uses = `const AWS = require("aws-sdk/clients/s3");`
	for _, row := range []struct{ name, runtime, source, list, want string }{
		{"no list", "nodejs14.x", uses, "", `{"dependencies":{"aws-sdk":"^2.1693.0"}}`},
		{"a list", "nodejs16.x", uses, `{"name": "f", "dependencies": {"uuid": "1"}}`, `{"dependencies":{"aws-sdk":"^2.1693.0","uuid":"1"},"name":"f"}`},
		{"listed already", "nodejs16.x", uses, `{"dependencies": {"aws-sdk": "2.1.0"}}`, `{"dependencies":{"aws-sdk":"2.1.0"}}`},
		{"for development", "nodejs16.x", uses, `{"devDependencies": {"aws-sdk": "^2.9.0", "jest": "1"}}`, `{"dependencies":{"aws-sdk":"^2.9.0"},"devDependencies":{"jest":"1"}}`},
		{"an old runtime", "nodejs8.10", uses, `{}`, `{"dependencies":{"aws-sdk":"^2.1693.0"}}`},
		{"a newer runtime", "nodejs18.x", uses, `{}`, `{}`},
		{"no use", "nodejs14.x", `require("@aws-sdk/client-s3")`, `{}`, `{}`},
		{"a broken list", "nodejs14.x", uses, `{`, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			files := withTemplate("", everyRight, "")
			for name, text := range files {
				files[name] = strings.Replace(text, "nodejs22.x", row.runtime, 1)
			}
			files["function/f/src/index.js"] = row.source
			if row.list != "" {
				files["function/f/src/package.json"] = row.list
			}
			c := converted(t, files)
			at := slices.IndexFunc(c.Files, func(f journal.Change) bool { return f.Path == "backend/function/f/src/package.json" })
			if at < 0 {
				t.Fatal("there is no list of packages")
			}
			var have any
			if err := json.Unmarshal(c.Files[at].New, &have); err != nil {
				if row.want != "" {
					t.Fatal(err)
				}
				return
			}
			if text, _ := json.Marshal(have); string(text) != row.want {
				t.Errorf("the list is %s, want %s", text, row.want)
			}
		})
	}
}

func TestLayersBecomeFoldersOfTheProject(t *testing.T) {
	t.Parallel()
	files := withTemplate(`, "Layers": [{"Ref": "functionsharedArn"}, {"Fn::Sub": "arn:aws:lambda:${AWS::Region}:1:layer:shared-${env}:7"}, "arn:aws:lambda:eu-west-1:2:layer:theirs:1", {"Fn::Sub": "arn:aws:lambda:${AWS::Region}:2:layer:regional:1"}]`, everyRight, "")
	files["function/shared/layer-configuration.json"] = "{}"
	files["function/shared/lib/nodejs/package.json"] = "{}"
	files["function/shared/lib/both.txt"] = "lib"
	files["function/shared/opt/both.txt"] = "opt"
	files["function/shared/opt/nodejs/node_modules/x/index.js"] = ""
	c := converted(t, files)
	if want := []string{"backend/layer/shared", "arn:aws:lambda:eu-west-1:2:layer:theirs:1"}; !slices.Equal(c.Backend.Function("f").Layers, want) {
		t.Errorf("the layers are %q", c.Backend.Function("f").Layers)
	}
	have := make(map[string]string)
	for _, f := range c.Files {
		if strings.HasPrefix(f.Path, "backend/layer/") {
			have[f.Path] = string(f.New)
		}
	}
	if diff := cmp.Diff(map[string]string{"backend/layer/shared/nodejs/package.json": "{}", "backend/layer/shared/both.txt": "opt"}, have); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"a layer of the function was not imported, because its ARN differs in each environment", "shared/opt/nodejs/node_modules: the packages were not imported"} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
}

func TestWhatATemplateMakesBesidesIsNamed(t *testing.T) {
	t.Parallel()
	c := converted(t, withTemplate(`, "FunctionName": {"Fn::Join": ["", ["cashier", "-", {"Ref": "env"}]]}, "Timeout": 31, "MemorySize": {"Ref": "memory"}, "VpcConfig": {}, "Architectures": ["arm64"]`, everyRight, `,
		"Daily": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(1 day)"}},
		"Also": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(2 days)"}},
		"Pattern": {"Type": "AWS::Events::Rule", "Properties": {"EventPattern": {}}},
		"Allowed": {"Type": "AWS::Lambda::Permission", "Properties": {"Principal": "s3.amazonaws.com"}},
		"Queue": {"Type": "AWS::SQS::Queue"},
		"Role": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole", "arn:aws:iam::aws:policy/AmazonSESFullAccess"]}}`))
	f := c.Backend.Function("f")
	if f.FunctionName != "cashier" || f.Timeout != 31 || f.Memory != 0 || f.Schedule != "rate(1 day)" {
		t.Errorf("the function is %+v", f)
	}
	for _, want := range []string{
		"the property VpcConfig of the function", "the resource Also (AWS::Events::Rule)", "the resource Pattern (AWS::Events::Rule)",
		"the resource Allowed (AWS::Lambda::Permission)", "the resource Queue (AWS::SQS::Queue)", "its role has arn:aws:iam::aws:policy/AmazonSESFullAccess: those rights were not imported",
	} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
	for _, not := range []string{"Daily", "BasicExecution", "the property Timeout"} {
		if strings.Contains(c.left(), not) {
			t.Errorf("%q is said:\n%s", not, c.left())
		}
	}
}

func TestWhatCannotRunIsLeftWithThePathsThatNeedIt(t *testing.T) {
	t.Parallel()
	c := converted(t, map[string]string{
		"function/net/net-cloudformation-template.json": `{"Resources": {"LambdaFunction": {"Properties": {"Runtime": "dotnet8"}}}}`,
		"api/shop/cli-inputs.json": `{"version": 1, "paths": {
			"/a": {"name": "/a", "lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"Buyers": ["read"]}}},
			"/b": {"name": "/b", "lambdaFunction": "net", "permissions": {"setting": "open"}}}}`,
		"api/lost/cli-inputs.json": `{"version": 1, "paths": {"/c": {"name": "/c", "lambdaFunction": "gone", "permissions": {"setting": "open"}}}}`,
	})
	if c.Backend.Function("net") != nil || c.Backend.API("lost") != nil || len(c.Backend.API("shop").Paths) != 1 || !slices.Equal(c.Backend.Groups, []string{"Buyers"}) {
		t.Errorf("the backend is %+v", c.Backend)
	}
	for _, want := range []string{"the function net was not imported: the runtime dotnet8 is not supported", "the path /b was not imported", "the API lost was not imported: none of its paths was"} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
	for _, p := range check.Backend(c.Backend) {
		if p.Level == model.Error {
			t.Error(p)
		}
	}
}

func TestATriggerOfThePoolIsNotGivenThePool(t *testing.T) {
	t.Parallel()
	files := withTemplate(`, "Environment": {"Variables": {"POOL": {"Ref": "authpoolUserPoolId"}}}`, everyRight, "")
	files["auth/pool/cli-inputs.json"] = `{"cognitoConfig": {"triggers": {"PostConfirmation": ["custom"]}, "dependsOn": [{"category": "function", "resourceName": "f"}]}}`
	files["function/other/other-cloudformation-template.json"] = strings.ReplaceAll(files["function/f/f-cloudformation-template.json"], "level", "unused")
	files["function/poolPostConfirmation/src/index.js"] = ""
	files["function/poolPostConfirmation/poolPostConfirmation-cloudformation-template.json"] = files["function/other/other-cloudformation-template.json"]
	c := converted(t, files)
	if got := c.Backend.TriggerAt(model.PostConfirmation); got != "poolPostConfirmation" {
		t.Fatalf("the trigger is %q", got)
	}
	if got := c.Backend.Function("f").Environment; len(got) != 1 || got[0].Value != "${USER_POOL_ID}" {
		t.Errorf("a function that the pool does not call has %v", got)
	}
	if got := c.Backend.Function("poolPostConfirmation"); len(got.Environment) != 0 || !slices.Equal(got.Secrets, []string{"POOL"}) {
		t.Errorf("the function that the pool calls has %v and %v", got.Environment, got.Secrets)
	}
}

func TestNothingIsImportedWithoutWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"function/f/f-cloudformation-template.json", `{"Resources": {},}`, "amplify/backend/function/f/f-cloudformation-template.json:1:"},
		{"function/f/template.yaml", "Resources:\n  a: b: c\n", "amplify/backend/function/f/template.yaml:2:"},
		{"../team-provider-info.json", `{"dev": {},}`, "amplify/team-provider-info.json:1:"},
		{"../team-provider-info.json", `5`, "amplify/team-provider-info.json:1:1: has no environments"},
	} {
		_, err := Convert(oldProject(t, map[string]string{row.name: row.text}), Options{Name: "shop", ApplicationID: "d1", Provider: model.Local})
		if err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	p := oldProject(t, map[string]string{"function/f/f-cloudformation-template.json": `{"Resources": {},}`})
	if len(p.Problems) != 1 || p.Problems[0].Level != model.Warning || !strings.Contains(p.Problems[0].Text, "the template cannot be read") {
		t.Errorf("the old project has the problems %v", p.Problems)
	}
	gone := converted(t, map[string]string{"backend-config.json": `{"function": {"gone": {"service": "Lambda"}}}`}).left()
	if !strings.Contains(gone, "gone was not imported: it has neither a template nor a source; ") || strings.Contains(gone, "gone has no template") {
		t.Errorf("a function that is only listed is told so:\n%s", gone)
	}
	c := converted(t, map[string]string{"function/bare/src/index.js": "", "function/empty/empty-cloudformation-template.json": `{"Resources": {}}`, "function/empty/src/index.py": ""})
	if c.Backend.Function("bare") == nil || c.Backend.Function("empty") == nil || strings.Count(c.left(), "has no template, so only its source was imported") != 3 {
		t.Errorf("functions without a template are told so:\n%s", c.left())
	}
}

func TestATemplateIsReadWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"f-cloudformation-template.yml", "f-cloudformation-template.yaml", "template.json", "cloudformation-template.yml"} {
		c := converted(t, map[string]string{"function/f/" + name: `
Parameters:
  rt: {Type: String, Default: python3.12}
Resources:
  MyHandler: {Type: "AWS::Lambda::Function", Properties: {Runtime: {Ref: rt}, Handler: app.main, Timeout: 7, MemorySize: 512, Environment: {Variables: {A: b}}}}
`, "function/f/src/app.py": ""})
		want := &model.Function{Name: "f", Runtime: "python3.12", Handler: "app.main", Timeout: 7, Memory: 512, Environment: []model.Variable{{Name: "A", Value: "b"}}}
		if diff := cmp.Diff(want, c.Backend.Function("f")); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, c.left())
		}
		for _, f := range c.Files {
			if strings.HasSuffix(f.Path, name) {
				t.Errorf("%s came along", f.Path)
			}
		}
	}
}

func TestFunctionsWithOneDeployedNameComeAlong(t *testing.T) {
	t.Parallel()
	files := withTemplate(`, "FunctionName": {"Fn::Sub": "same-${env}"}`, everyRight, "")
	files["function/g/g-cloudformation-template.json"] = files["function/f/f-cloudformation-template.json"]
	c := converted(t, files)
	if f, g := c.Backend.Function("f"), c.Backend.Function("g"); f == nil || g == nil || f.DeployedName() != "same" || g.DeployedName() != "g" || !strings.Contains(c.left(), "the function is deployed as same, as another one is, so it is g here") {
		t.Errorf("the functions are %+v and %+v\n%s", f, g, c.left())
	}
}

func TestWhatHasAnotherMeaningHereIsTold(t *testing.T) {
	t.Parallel()
	files := withTemplate(`, "FunctionName": "fixed", "Environment": {"Variables": {"KEY": {"Ref": "key"}, "a b": "1", "ODD": "x\ue000ENV\ue001"}}`,
		`{"Effect": "Allow", "Action": "*", "Resource": "*"}`, `, "Second": {"Type": "AWS::Lambda::Function", "Properties": {}}`)
	const at = "function/f/f-cloudformation-template.json"
	files[at] = strings.Replace(files[at], `"Parameters": {`, `"Parameters": {"key": {"Type": "String", "NoEcho": true, "Default": "sk-secret"}, `, 1)
	files["function/f/function.json"] = "{}"
	c := converted(t, files)
	f := c.Backend.Function("f")
	if all := []string{"* on *"}; !slices.Equal(diff.Policies(f), all) {
		t.Errorf("the policies are %q", diff.Policies(f))
	}
	if !slices.Equal(f.Secrets, []string{"KEY"}) || len(f.Environment) != 1 || f.Environment[0].Value != "x\ue000ENV\ue001" || f.FunctionName != "" {
		t.Errorf("the function is %+v", f)
	}
	for _, want := range []string{
		"the function is deployed as fixed, and in this project as f-prod", "the parameter key is a secret", `the variable "a b" was not imported`, "the resource Second (AWS::Lambda::Function)",
		"function/f/function.json: the file was not imported, because a definition file has this name",
	} {
		if !strings.Contains(c.left(), want) {
			t.Errorf("%q is not said:\n%s", want, c.left())
		}
	}
	if strings.Contains(c.left(), "sk-secret") {
		t.Errorf("the secret is said:\n%s", c.left())
	}
}

func TestTheSameCallersMayDoTheSameAfterwards(t *testing.T) {
	t.Parallel()
	files := withTemplate("", "", "")
	delete(files, "storage/orders/cli-inputs.json")
	files["auth/userPoolGroups/user-pool-group-precedence.json"] = `[{"groupName": "Admins", "precedence": 1}, {"groupName": "Editors", "precedence": 2}]`
	files["api/shop/cli-inputs.json"] = `{"version": 1, "paths": {
		"/items": {"lambdaFunction": "f", "permissions": {"setting": "private", "auth": ["read"]}},
		"/items/admin": {"lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"Admins": ["delete"]}}},
		"/notes": {"lambdaFunction": "f", "permissions": {"setting": "protected", "auth": ["create", "read"], "guest": ["read"], "groups": {"Editors": ["update"]}}},
		"/status": {"lambdaFunction": "f", "permissions": {"setting": "open"}}}}`
	old := oldProject(t, files)
	c, err := Convert(old, Options{Name: "shop", ApplicationID: "d1", Provider: model.Local})
	if err != nil {
		t.Fatal(err)
	}
	was, is := old.Backend.Router("shop"), c.Backend.Router("shop")
	signed := func(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	for _, caller := range []access.Caller{{}, signed(), signed("Admins"), signed("Editors"), signed("Editors", "Admins")} {
		for _, raw := range []string{"/items", "/items/1", "/items/admin", "/items/admin/1", "/notes/1", "/status"} {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
				if before, after := was.Decide(caller, method, raw), is.Decide(caller, method, raw); before.Allowed != after.Allowed {
					t.Errorf("%+v %s %s: %s, then %s", caller, method, raw, before.Reason(), after.Reason())
				}
			}
		}
	}
	want := []string{
		"an entry without actions keeps members of Admins out of /items and /notes of the API shop: in the old project they act as their group only",
		"an entry without actions keeps members of Editors out of /items and /items/admin of the API shop: in the old project they act as their group only",
		"signed-in users may read under /items/admin of the API shop: in the old project callers of a path may call everything below it; revoke it if that is not meant",
		"callers who may send GET may now send HEAD too: the roles of the old project allow GET only",
	}
	if diff := cmp.Diff(want, c.Notes); diff != "" {
		t.Error(diff)
	}
	// Nothing keeps the project from being written and read again.
	if errs := slices.DeleteFunc(check.Backend(c.Backend), func(p *model.Problem) bool { return p.Level != model.Error }); len(errs) > 0 {
		t.Error(errs)
	}
}

func TestARequestThatOnlyThePatternOfAPathBesideItLetsInIsNamed(t *testing.T) {
	t.Parallel()
	notes := func(paths string) string {
		files := withTemplate("", "", "")
		files["api/shop/cli-inputs.json"] = `{"version": 1, "paths": {` + paths + `}}`
		c, err := Convert(oldProject(t, files), Options{Name: "shop", ApplicationID: "d1", Provider: model.Local})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(c.Notes, "\n")
	}
	path := func(name, auth string) string {
		return `"` + name + `": {"lambdaFunction": "f", "permissions": {"setting": "private", "auth": ["` + auth + `"]}}`
	}
	for above, want := range map[string]string{
		path("/a/{id}", "read"): "POST /a/1/1/b and the like of the API shop are refused now: in the old project callers of /a/{id}/b may send them, because * matches slashes too",
		path("/a/b", "read"):    "POST /a/b/b and the like of the API shop are refused now",
		path("/c", "read"):      "",
	} {
		got := notes(above + ", " + path("/a/{id}/b", "create"))
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "and the like") {
			t.Errorf("%s:\n%s", above, got)
		}
	}
}
