package facility

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gatewright/test/registry"
)

// amplifyTodos are the files of a project of the Amplify CLI, with most of what one can have.
var amplifyTodos = map[string]string{
	"package.json":                        `{"name": "app", "scripts": {"amplify:report": "echo built"}}`,
	"amplify/.config/project-config.json": `{"projectName": "todos", "version": "3.1"}`,
	"amplify/.config/local-env-info.json": `{"envName": "qa"}`,
	"amplify/team-provider-info.json": `{
		"prod": {"awscloudformation": {"Region": "us-east-1", "AmplifyAppId": "d1todos", "StackName": "amplify-todos-prod-8888"},
			"categories": {"function": {"todos": {"colour": "red"}}}},
		"qa": {"awscloudformation": {"Region": "eu-west-1", "AmplifyAppId": "d1todos", "StackName": "amplify-todos-qa-7777"},
			"categories": {"function": {"todos": {"colour": "green"}}}}
	}`,
	"amplify/backend/backend-config.json": `{
		"api": {"shop": {"service": "API Gateway"}, "AdminQueries": {"service": "API Gateway"}, "graph": {"service": "AppSync"}},
		"auth": {"pool": {"service": "Cognito", "dependsOn": [{"category": "function", "resourceName": "poolPreSignup", "attributes": ["Arn", "Name"]}]}, "userPoolGroups": {"service": "Cognito-UserPool-Groups"}},
		"function": {"todos": {"service": "Lambda"}, "mailer": {"service": "Lambda"}, "report": {"service": "Lambda"}, "audit": {"service": "Lambda"}, "poolPreSignup": {"service": "Lambda"}, "shared": {"service": "LambdaLayer"}},
		"storage": {"todosdb": {"service": "DynamoDB"}, "auditdb": {"service": "DynamoDB"}, "pics": {"service": "S3"}}
	}`,
	"amplify/backend/api/shop/cli-inputs.json": `{"version": 1, "paths": {
		"/todos": {"name": "/todos", "lambdaFunction": "todos", "permissions": {"setting": "open"}},
		"/mine": {"name": "/mine", "lambdaFunction": "todos", "permissions": {"setting": "private", "auth": ["create", "read"], "groups": {"Admins": ["create", "read", "update", "delete"], "Editors": ["read", "update"]}}},
		"/shared/{id}": {"name": "/shared/{id}", "lambdaFunction": "todos", "permissions": {"setting": "protected", "auth": ["read", "update"], "guest": ["read"]}},
		"/report": {"name": "/report", "lambdaFunction": "report", "permissions": {"setting": "open"}},
		"/old": {"name": "/old", "lambdaFunction": "java", "permissions": {"setting": "open"}}
	}}`,
	"amplify/backend/api/AdminQueries/cli-inputs.json": `{"version": 1, "paths": {"/{proxy+}": {"name": "/{proxy+}", "lambdaFunction": "AdminQueries12", "permissions": {"setting": "private", "auth": ["create", "read", "update", "delete"]}}}}`,
	"amplify/backend/api/graph/schema.graphql":         `type Todo @model { id: ID! }`,
	"amplify/backend/auth/pool/cli-inputs.json": `{"version": "1", "cognitoConfig": {
		"usernameAttributes": ["email"], "requiredAttributes": ["email"], "autoVerifiedAttributes": ["email"], "allowUnauthenticatedIdentities": true,
		"passwordPolicyMinLength": 10, "passwordPolicyCharacters": ["Requires Numbers"], "hostedUI": true,
		"triggers": {"PreSignup": ["custom"]}}}`,
	"amplify/backend/auth/pool/override.ts":                               `export function override() {}`,
	"amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json": `[{"groupName": "Admins", "precedence": 1}, {"groupName": "Editors", "precedence": 2}]`,
	"amplify/backend/storage/todosdb/cli-inputs.json": `{"resourceName": "todosdb", "tableName": "todosTable", "partitionKey": {"fieldName": "id", "fieldType": "string"},
		"gsi": [{"name": "byOwner", "partitionKey": {"fieldName": "owner", "fieldType": "string"}}], "triggerFunctions": ["audit"]}`,
	"amplify/backend/storage/auditdb/cli-inputs.json": `{"resourceName": "auditdb", "tableName": "auditdb", "partitionKey": {"fieldName": "id", "fieldType": "string"}}`,
	"amplify/backend/storage/pics/cli-inputs.json":    `{"resourceName": "pics", "bucketName": "todospics"}`,
	"amplify/backend/geo/map1/parameters.json":        `{}`,
	"amplify/hooks/pre-push.js":                       `console.log("hook")`,
	"amplify/hooks/post-push.js.sample":               ``,

	"amplify/backend/function/shared/layer-configuration.json": `{"permissions": [], "runtimes": []}`,
	"amplify/backend/function/shared/opt/words.js":             `exports.word = "from the layer";`,
	"amplify/backend/function/todos/src/package.json":          `{"name": "todos"}`,
	"amplify/backend/function/todos/src/index.js": `
const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocumentClient, PutCommand, GetCommand, QueryCommand, ScanCommand, DeleteCommand, UpdateCommand } = require("@aws-sdk/lib-dynamodb");
const { LambdaClient, InvokeCommand } = require("@aws-sdk/client-lambda");
const { SSMClient, GetParameterCommand } = require("@aws-sdk/client-ssm");
const { word } = require("/opt/words");
const tables = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env.STORAGE_TODOSDB_NAME;
const said = (promise) => promise.catch((err) => ({ error: err.name }));
const answer = (body, statusCode = 200) => ({ statusCode, headers: { "X-Word": word }, body: JSON.stringify(body) });
exports.handler = async (event) => {
  const id = event.pathParameters?.proxy ?? event.pathParameters?.id ?? "none";
  const query = event.queryStringParameters ?? {};
  switch (event.httpMethod + " " + (query.do ?? "")) {
    case "POST ":
      await tables.send(new PutCommand({ TableName, Item: { id, ...JSON.parse(event.body ?? "{}") } }));
      return answer({ kept: id }, 201);
    case "PUT ":
      return answer(await said(tables.send(new UpdateCommand({ TableName, Key: { id }, UpdateExpression: "SET done = :d", ExpressionAttributeValues: { ":d": true }, ReturnValues: "ALL_NEW" })).then((r) => r.Attributes)));
    case "DELETE ":
      return answer(await said(tables.send(new DeleteCommand({ TableName, Key: { id } })).then(() => ({ gone: id }))));
    case "GET mail":
      return answer(await said(new LambdaClient().send(new InvokeCommand({ FunctionName: process.env.FUNCTION_MAILER_NAME, Payload: JSON.stringify({ to: query.to }) })).then((r) => JSON.parse(Buffer.from(r.Payload).toString()))));
    case "GET owner":
      return answer((await tables.send(new QueryCommand({ TableName, IndexName: "byOwner", KeyConditionExpression: "#o = :o", ExpressionAttributeNames: { "#o": "owner" }, ExpressionAttributeValues: { ":o": query.owner } }))).Items);
    case "GET audit":
      return answer(await said(tables.send(new ScanCommand({ TableName: "auditdb-" + process.env.ENV })).then((r) => r.Count)));
    case "GET secret":
      return answer((await new SSMClient().send(new GetParameterCommand({ Name: process.env.token, WithDecryption: true }))).Parameter.Value);
    case "GET env": {
      const { ENV, REGION, COLOUR, PLAIN, STORAGE_TODOSDB_NAME, STORAGE_TODOSDB_ARN, STORAGE_PICS_BUCKETNAME } = process.env;
      return answer({ ENV, REGION, COLOUR, PLAIN, STORAGE_TODOSDB_NAME, STORAGE_TODOSDB_ARN, STORAGE_PICS_BUCKETNAME });
    }
    case "GET who":
      return answer({ path: event.path, resource: event.resource, stage: event.requestContext.stage, parameters: event.pathParameters, query, signed: Boolean(event.requestContext.identity.cognitoIdentityId) });
    case "GET ":
      return answer((await tables.send(new GetCommand({ TableName, Key: { id } }))).Item ?? null);
  }
  throw new Error("unknown " + event.httpMethod);
};
`,
	"amplify/backend/function/todos/todos-cloudformation-template.json": named("todos", "nodejs18.x",
		`, "storagetodosdbName": {"Type": "String"}, "storagetodosdbArn": {"Type": "String"}, "storagepicsBucketName": {"Type": "String"}, "functionsharedArn": {"Type": "String"}, "functionmailerName": {"Type": "String"}, "functionmailerArn": {"Type": "String"}, "colour": {"Type": "String"}, "secretsPathAmplifyAppId": {"Type": "String"}`,
		`, "STORAGE_TODOSDB_NAME": {"Ref": "storagetodosdbName"}, "STORAGE_TODOSDB_ARN": {"Ref": "storagetodosdbArn"}, "STORAGE_PICS_BUCKETNAME": {"Ref": "storagepicsBucketName"}, "FUNCTION_MAILER_NAME": {"Ref": "functionmailerName"}, "COLOUR": {"Ref": "colour"}, "PLAIN": "costs ${money}",
		 "token": {"Fn::Join": ["", [{"Fn::Sub": ["/amplify/${appId}/${env}/AMPLIFY_${functionName}_", {"appId": {"Ref": "secretsPathAmplifyAppId"}, "env": {"Ref": "env"}, "functionName": "todos"}]}, "token"]]}`,
		`{"Effect": "Allow", "Action": ["dynamodb:Put*", "dynamodb:Create*", "dynamodb:BatchWriteItem", "dynamodb:Get*", "dynamodb:BatchGetItem", "dynamodb:List*", "dynamodb:Describe*", "dynamodb:Scan", "dynamodb:Query", "dynamodb:Update*"],
		  "Resource": [{"Ref": "storagetodosdbArn"}, {"Fn::Join": ["/", [{"Ref": "storagetodosdbArn"}, "index/*"]]}]},
		 {"Effect": "Allow", "Action": ["lambda:Get*", "lambda:Invoke*"], "Resource": [{"Ref": "functionmailerArn"}]},
		 {"Effect": "Allow", "Action": ["ssm:GetParameter"], "Resource": "*"}`,
		`{"Ref": "functionsharedArn"}`),
	"amplify/backend/function/todos/custom-policies.json": `[{"Action": ["ses:SendEmail"], "Resource": ["*"]}]`,

	"amplify/backend/function/mailer/src/index.ts":                        `export const handler = async (event: { to?: string }): Promise<{ sent: string }> => ({ sent: event.to ?? "nobody" });`,
	"amplify/backend/function/mailer/src/package.json":                    `{"name": "mailer"}`,
	"amplify/backend/function/mailer/mailer-cloudformation-template.json": named("mailer", "nodejs20.x", "", "", "", ""),
	"amplify/backend/function/mailer/dist/latest-build.zip":               "PK",
	"amplify/backend/function/report/src/index.py":                        "def handler(event, context):\n    return {'statusCode': 200, 'body': event['path'] + ' ' + str(event['queryStringParameters'])}\n",
	"amplify/backend/function/report/report-cloudformation-template.json": `{
		"Parameters": {"env": {"Type": "String"}, "CloudWatchRule": {"Type": "String", "Default": "rate(1 day)"}},
		"Resources": {
			"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "python3.11", "MemorySize": 256, "ReservedConcurrentExecutions": 3}},
			"CloudWatchEvent": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": {"Ref": "CloudWatchRule"}}},
			"PermissionForEventsToInvokeLambda": {"Type": "AWS::Lambda::Permission", "Properties": {"Principal": "events.amazonaws.com"}},
			"Url": {"Type": "AWS::Lambda::Url", "Properties": {"AuthType": "NONE"}}}}`,
	"amplify/backend/function/java/java-cloudformation-template.json":                     `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "x.Y", "Runtime": "java17"}}}}`,
	"amplify/backend/function/AdminQueries12/AdminQueries12-cloudformation-template.json": `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs18.x"}}}}`,
	"amplify/backend/function/AdminQueries12/src/index.js":                                `exports.handler = async () => ({ statusCode: 200 });`,
	"amplify/backend/function/audit/src/index.mjs": `
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
const client = new DynamoDBClient();
export const handler = async (event) => {
  for (const record of event.Records) await client.send(new PutItemCommand({ TableName: process.env.STORAGE_AUDITDB_NAME, Item: { id: record.dynamodb.Keys.id } }));
};
`,
	"amplify/backend/function/audit/audit-cloudformation-template.json": named("audit", "nodejs20.x",
		`, "storageauditdbName": {"Type": "String"}, "storageauditdbArn": {"Type": "String"}`, `, "STORAGE_AUDITDB_NAME": {"Ref": "storageauditdbName"}`,
		`{"Effect": "Allow", "Action": "dynamodb:*", "Resource": {"Ref": "storageauditdbArn"}}, {"Effect": "Allow", "Action": ["dynamodb:DescribeStream", "dynamodb:GetRecords"], "Resource": "*"}`, ""),
	"amplify/backend/function/poolPreSignup/src/index.js":                               `exports.handler = async (event) => { if (event.request.userAttributes.email === "nobody@example.com") throw new Error("not you"); event.response.autoConfirmUser = true; return event; };`,
	"amplify/backend/function/poolPreSignup/poolPreSignup-cloudformation-template.json": named("poolPreSignup", "nodejs20.x", `, "authpoolUserPoolId": {"Type": "String"}`, `, "AUTH_POOL_USERPOOLID": {"Ref": "authpoolUserPoolId"}`, "", ""),
}

// named is ownersTemplate for a function of that name.
func named(name, runtime, parameters, variables, policy, layers string) string {
	return strings.ReplaceAll(ownersTemplate(runtime, parameters, variables, policy, layers), `"fn"`, `"`+name+`"`)
}

// importedRequests are what the old project and the new one are asked: who, method, path with
// query, body.
var importedRequests = [][4]string{
	{"", "GET", "/todos?do=env", ""},
	{"", "GET", "/todos?do=secret", ""},
	{"", "GET", "/todos?do=who&x=1&x=2", ""},
	{"", "GET", "/todos/a/b?do=who", ""},
	{"", "POST", "/todos/1", `{"owner": "emma", "text": "read"}`},
	{"", "POST", "/todos/2", `{"owner": "anne"}`},
	{"", "POST", "/todos/3", `{"owner": "emma"}`},
	{"", "GET", "/todos/1", ""},
	{"", "GET", "/todos/9", ""},
	{"", "GET", "/todos?do=owner&owner=emma", ""},
	{"", "GET", "/todos?do=owner&owner=nobody", ""},
	{"", "PUT", "/todos/2", `{}`},
	{"", "DELETE", "/todos/2", ""},
	{"", "GET", "/todos/2", ""},
	{"", "GET", "/todos?do=mail&to=emma", ""},
	{"", "GET", "/todos?do=mail", ""},
	{"", "GET", "/todos?do=audit", ""},
	{"", "PATCH", "/todos/2", ""},
	{"", "GET", "/report?a=1", ""},
	{"", "GET", "/report/x/y", ""},
	{"", "GET", "/nothing", ""},
	{"", "GET", "/mine?do=who", ""},
	{"guest", "GET", "/mine?do=who", ""},
	{"authenticated", "GET", "/mine?do=who", ""},
	{"authenticated", "POST", "/mine/4", `{"owner": "me"}`},
	{"authenticated", "DELETE", "/mine/4", ""},
	{"group:Admins", "GET", "/mine/4", ""},
	{"group:Admins", "PUT", "/mine/4", "{}"},
	{"group:Admins", "DELETE", "/mine/4", ""},
	{"group:Editors", "GET", "/mine/4", ""},
	{"group:Editors", "PUT", "/mine/4", "{}"},
	{"group:Editors", "POST", "/mine/5", "{}"},
	{"guest", "GET", "/shared/7?do=who", ""},
	{"guest", "PUT", "/shared/7", "{}"},
	{"authenticated", "GET", "/shared/7?do=who", ""},
	{"authenticated", "PUT", "/shared/7", "{}"},
	{"authenticated", "POST", "/shared/7", "{}"},
	{"", "GET", "/shared/7", ""},
	{"group:Editors", "GET", "/shared/7/more?do=who", ""},
	{"guest", "GET", "/todos?do=who", ""},
}

// TestAnImportedProjectAnswersAsTheOldOne asks a project of the Amplify CLI and what import
// amplify makes of it the same.
func TestAnImportedProjectAnswersAsTheOldOne(t *testing.T) {
	registry.Public(t)
	old := emptyFacility(t)
	for name, text := range amplifyTodos {
		writeFile(t, filepath.Join(old.dir, filepath.FromSlash(name)), text)
	}
	writeFile(t, filepath.Join(old.dir, ".gatewright/.gitignore"), "*\n")
	secrets := filepath.Join(old.dir, ".gatewright/secrets/qa.json")
	writeFile(t, secrets, `{"token": "t-of-emma"}`)
	if err := os.Chmod(secrets, 0o600); err != nil {
		t.Fatal(err)
	}
	was := snapshotOf(t, filepath.Join(old.dir, "amplify"))

	fresh := emptyFacility(t)
	fresh.dir = filepath.Join(t.TempDir(), "made", "native")
	report := old.run(0, "import", "amplify", "--into", fresh.dir)
	checkLeft(t, report)
	if now := snapshotOf(t, filepath.Join(old.dir, "amplify")); now != was {
		t.Error("the import changed the old project")
	}
	if text := fresh.run(0, "validate", "-v"); strings.Contains(text, "refers to") {
		t.Errorf("the new project has references that lead nowhere:\n%s", text)
	}
	if text := fresh.run(0, "env", "list"); !strings.Contains(text, "qa") {
		t.Errorf("the environments are\n%s", text)
	}

	old.serve()
	fresh.serve()
	// What a group without an entry may not is said in the words of each layout.
	why := regexp.MustCompile(`; members of \w+ may nothing|members of \w+ (act as \w+ only, and \S+ has no entry for that group|may not \w+ under [^\s;]+)`)
	for i, r := range importedRequests {
		before, after := old.ask(r), fresh.ask(r)
		if why.ReplaceAllString(before, "") != why.ReplaceAllString(after, "") {
			t.Errorf("%d. %v is answered\n%s\nin the old project, and in the new one\n%s", i, r, before, after)
		}
	}
	if t.Failed() {
		t.Logf("the sandbox of the old project prints\n%s\nthat of the new one\n%s", old.output(), fresh.output())
	}
	for _, f := range []*facility{old, fresh} {
		if text := f.run(1, "user", "add", "nobody@example.com"); !strings.Contains(text, "PreSignUp failed with error not you") {
			t.Errorf("nobody is refused with %s", text)
		}
	}

	// Who may do what is the same for all callers and paths.
	questions := [][]string{{"routes", "shop", "--access"}}
	for _, who := range []string{"guest", "authenticated", "group:Editors,Admins"} {
		for _, path := range []string{"/todos", "/mine", "/shared/7", "/report"} {
			questions = append(questions, []string{"can", who, "PUT", path, "--api", "shop"})
		}
	}
	// The layouts explain themselves differently: below a table, after yes or no, and as whom somebody acts. Of a change
	// that would let a request through, the Amplify CLI has fewer.
	explained := regexp.MustCompile(`(?m)^[A-Z] \w+ \([A-Z, ]*\), .*\n|^a member of groups acts .*\n|(yes|no): .*|^  acts as .*\n|^(this|any of these) would (.*:)\n|^  gatewright update path .*\n`)
	for _, question := range questions {
		// The path of the function that was not imported is in the old project only.
		before, after := regexp.MustCompile(`(?m)^  /old .*\n`).ReplaceAllString(old.said(question...), ""), fresh.said(question...)
		if before, after := explained.ReplaceAllString(before, "$1"), explained.ReplaceAllString(after, "$1"); before != after {
			t.Errorf("%v says\n%s\nin the old project, and in the new one\n%s", question, before, after)
		}
	}

	// A push of another environment is served too, with its own variables.
	fresh.run(0, "push", "--env", "prod")
	fresh.stop(os.Interrupt, 0)
	fresh.serve()
	if got := fresh.said("call", "GET", "/todos?do=env", "--env", "prod"); !strings.Contains(got, `"COLOUR":"red"`) || !strings.Contains(got, `"STORAGE_PICS_BUCKETNAME":"todospics8888-prod"`) || !strings.Contains(got, `"REGION":"us-east-1"`) {
		t.Errorf("the pushed environment answers %s", got)
	}
	old.stop(os.Interrupt, 0)
	fresh.stop(os.Interrupt, 0)
}

// ask sends a request, and returns its answer: what is printed, and the exit code.
func (f *facility) ask(r [4]string) string {
	args := []string{"call", r[1], r[2], "--api", "shop"}
	if r[0] != "" {
		args = append(args, "--as", r[0])
	}
	if r[3] != "" {
		args = append(args, "--data", r[3])
	}
	return f.said(args...)
}

// said runs a command, and returns what it prints, with its exit code.
func (f *facility) said(args ...string) string {
	cmd := f.command(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	text := strings.ReplaceAll(out.String(), f.endpoint, "ENDPOINT")
	return fmt.Sprintf("%d %s", cmd.ProcessState.ExitCode(), strings.ReplaceAll(text, f.address, "ADDRESS"))
}

// checkLeft checks that everything that cannot come along is named with its place.
func checkLeft(t *testing.T, report string) {
	t.Helper()
	for _, want := range []string{
		"amplify/backend/api/graph: warning: the GraphQL API was not imported",
		"amplify/backend/api/AdminQueries/cli-inputs.json: warning: the API AdminQueries was not imported",
		"amplify/backend/api/shop/cli-inputs.json: warning: the path /old was not imported: ",
		"java-cloudformation-template.json: warning: the function java was not imported: the runtime java17 is not supported",
		"amplify/backend/geo/map1: warning: the category geo was not imported",
		"amplify/hooks/pre-push.js: warning: ",
		"amplify/backend/auth/pool/override.ts: warning: ",
		"amplify/backend/auth/pool/cli-inputs.json: warning: sign-in at the pool's own pages (hostedUI) was not imported",
		`report-cloudformation-template.json:4:`,
		`the property ReservedConcurrentExecutions of the function was not imported`,
		`the resource Url (AWS::Lambda::Url) was not imported`,
		`package.json: warning: the script amplify:report was not imported`,
		`the value of the variable AUTH_POOL_USERPOOLID was not imported`,
		"note: the table todosdb is called todosTable",
		"note: the values of secrets in qa come along",
		"imported the project todos into ",
		"create backend/function/todos/src/index.js",
		"create backend/layer/shared/words.js",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for _, not := range []string{"latest-build", "t-of-emma", "post-push", "cloudformation-template.json\n"} {
		if strings.Contains(report, not) {
			t.Errorf("the report has %q", not)
		}
	}
	if t.Failed() {
		t.Log(report)
	}
}

// snapshotOf is the names and the contents of the files in a folder.
func snapshotOf(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s\n%s\n", name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
