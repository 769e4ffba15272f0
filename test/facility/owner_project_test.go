package facility

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/registry"
)

// ownersTemplate is the template of a function in the manner of the Amplify CLI: its
// parameters are named after what they come from.
func ownersTemplate(runtime, parameters, variables, policy, layers string) string {
	return `{
  "Parameters": {"env": {"Type": "String"}, "s3Key": {"Type": "String"}` + parameters + `},
  "Conditions": {"ShouldNotCreateEnvResources": {"Fn::Equals": [{"Ref": "env"}, "NONE"]}},
  "Resources": {
    "LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {
      "Handler": "index.handler", "Runtime": "` + runtime + `", "Layers": [` + layers + `], "Timeout": 25,
      "FunctionName": {"Fn::If": ["ShouldNotCreateEnvResources", "fn", {"Fn::Join": ["", ["fn", "-", {"Ref": "env"}]]}]},
      "Environment": {"Variables": {"ENV": {"Ref": "env"}, "REGION": {"Ref": "AWS::Region"}` + variables + `}}
    }},
    "Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [` + policy + `]}}}
  }
}`
}

// counting counts look-ups and connections below everything that the sandbox changes.
const counting = `
const lookups = [], connects = [];
const cares = process.binding("cares_wrap"), { TCP } = process.binding("tcp_wrap");
const look = cares.getaddrinfo;
cares.getaddrinfo = function (req, host, ...rest) { lookups.push(host); return look.call(this, req, host, ...rest); };
for (const name of ["connect", "connect6"]) {
  const connect = TCP.prototype[name];
  TCP.prototype[name] = function (req, address, ...rest) { connects.push(address); return connect.call(this, req, address, ...rest); };
}
const answer = (body) => ({ statusCode: 200, body: JSON.stringify({ ...body, lookups, connects: connects.filter((a) => a !== "127.0.0.1") }) });
`

// ownersFiles is a project of the Amplify CLI with a table, a layer, secrets, and
// functions for old and new runtimes.
var ownersFiles = map[string]string{
	".gitignore":                          "node_modules/\n",
	"amplify/.config/project-config.json": `{"projectName": "notes", "version": "3.1"}`,
	"amplify/.config/local-env-info.json": `{"projectPath": "/x", "envName": "qa"}`,
	"amplify/team-provider-info.json": `{
		"prod": {"awscloudformation": {"Region": "us-east-1", "AmplifyAppId": "d1notes", "StackName": "amplify-notes-prod-1"}},
		"qa": {"awscloudformation": {"Region": "eu-west-1", "AmplifyAppId": "d1notes", "StackName": "amplify-notes-qa-77-1234"},
			"categories": {"function": {"notes": {"secretsPathAmplifyAppId": "d1notes", "colour": "green"}}}}
	}`,
	"amplify/backend/backend-config.json": `{
		"api": {"shop": {"service": "API Gateway", "providerPlugin": "awscloudformation"}},
		"function": {"notes": {"service": "Lambda"}, "cloud": {"service": "Lambda"}, "shared": {"service": "LambdaLayer"}},
		"storage": {"notesdb": {"service": "DynamoDB"}}
	}`,
	"amplify/backend/api/shop/cli-inputs.json": `{"version": 1, "paths": {
		"/notes": {"name": "/notes", "lambdaFunction": "notes", "permissions": {"setting": "open"}},
		"/cloud": {"name": "/cloud", "lambdaFunction": "cloud", "permissions": {"setting": "open"}}
	}}`,
	"amplify/backend/storage/notesdb/cli-inputs.json": `{
		"resourceName": "notesdb", "tableName": "notesTable", "partitionKey": {"fieldName": "id", "fieldType": "string"},
		"sortKey": {"fieldName": "at", "fieldType": "number"},
		"gsi": [{"name": "byOwner", "partitionKey": {"fieldName": "owner", "fieldType": "string"}}]
	}`,
	"amplify/backend/function/shared/layer-configuration.json": `{"permissions": [], "runtimes": []}`,
	"amplify/backend/function/shared/lib/nodejs/package.json":  `{"version": "1.0.0", "dependencies": {"ms": "2.1.3"}}`,
	"amplify/backend/function/shared/opt/words.js":             `exports.word = "from the layer";`,
	// aws-sdk is neither in package.json nor in the project: Lambda's old runtimes have it.
	"amplify/backend/function/notes/src/package.json": `{"name": "notes", "dependencies": {"uuid": "^8.0.0"}, "devDependencies": {"@types/aws-lambda": "^8.10.92"}}`,
	"amplify/backend/function/notes/src/yarn.lock": `# yarn lockfile v1


uuid@^8.0.0:
  version "8.3.0"
  resolved "https://registry.yarnpkg.com/uuid/-/uuid-8.3.0.tgz#ab738085ca22dc9a8c92725e459b1d507df5d6ea"
  integrity sha512-fX6Z5o4m6XsXBdli9g7DtWgAx+osMsRRZFKma1mIUsLCz6vRvv+pz5VNbyu9UEDzpMWulZfvpgb/cmDXVulYFQ==
`,
	"amplify/backend/function/notes/src/index.js": counting + `
const AWS = require("aws-sdk");
const { word } = require("/opt/words");
const client = new AWS.DynamoDB.DocumentClient();
const TableName = "notesTable-" + process.env.ENV;
exports.handler = async () => {
  await client.put({ TableName, Item: { id: "a", at: 1, owner: "emma" } }).promise();
  const { Items } = await client.query({ TableName, IndexName: "byOwner", KeyConditionExpression: "#o = :o", ExpressionAttributeNames: { "#o": "owner" }, ExpressionAttributeValues: { ":o": "emma" } }).promise();
  const refused = await client.delete({ TableName, Key: { id: "a", at: 1 } }).promise().catch((err) => err.code);
  const { Parameters } = await new AWS.SSM().getParameters({ Names: [process.env.apiKey], WithDecryption: true }).promise();
  return answer({
    Items, refused, word, secret: Parameters[0].Value, version: AWS.VERSION, uuid: require("uuid/package.json").version, ms: require("ms")("2 days"),
    env: { table: process.env.STORAGE_NOTESDB_NAME, arn: process.env.STORAGE_NOTESDB_ARN, colour: process.env.COLOUR, given: process.env.GIVEN, other: process.env.FUNCTION_CLOUD_NAME },
  });
};
`,
	"amplify/backend/function/notes/notes-cloudformation-template.json": ownersTemplate("nodejs14.x",
		`, "storagenotesdbName": {"Type": "String"}, "storagenotesdbArn": {"Type": "String"}, "functionsharedArn": {"Type": "String"}, "functioncloudName": {"Type": "String"}, "colour": {"Type": "String"}, "given": {"Type": "String"}, "secretsPathAmplifyAppId": {"Type": "String"}`,
		`, "STORAGE_NOTESDB_NAME": {"Ref": "storagenotesdbName"}, "STORAGE_NOTESDB_ARN": {"Ref": "storagenotesdbArn"}, "COLOUR": {"Ref": "colour"}, "GIVEN": {"Ref": "given"}, "FUNCTION_CLOUD_NAME": {"Ref": "functioncloudName"},
		 "apiKey": {"Fn::Join": ["", [{"Fn::Sub": ["/amplify/${appId}/${env}/AMPLIFY_${functionName}_", {"appId": {"Ref": "secretsPathAmplifyAppId"}, "env": {"Ref": "env"}, "functionName": "notes"}]}, "apiKey"]]}`,
		`{"Effect": "Allow", "Action": ["dynamodb:Put*", "dynamodb:Get*", "dynamodb:Query"], "Resource": [{"Ref": "storagenotesdbArn"}, {"Fn::Join": ["/", [{"Ref": "storagenotesdbArn"}, "index/*"]]}]}`,
		`{"Ref": "functionsharedArn"}`),
	"amplify/backend/function/cloud/cloud-cloudformation-template.json": ownersTemplate("nodejs18.x", "", "", "", ""),
	"amplify/backend/function/cloud/src/package.json":                   `{"type": "module"}`,
	"amplify/backend/function/cloud/src/index.js": strings.ReplaceAll(counting, "const cares", "\nconst cares") + `
import https from "node:https";
import net from "node:net";
import { SESClient, SendEmailCommand } from "@aws-sdk/client-ses";
import { S3Client, PutObjectCommand } from "@aws-sdk/client-s3";
import { SQSClient, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SecretsManagerClient, GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
const said = (promise) => promise.then(() => "done", (err) => err.message || err.code);
const get = (host) => new Promise((done, fail) => https.get({ host, path: "/x" }, (res) => { let text = ""; res.on("data", (d) => (text += d)); res.on("end", () => fail(new Error(res.statusCode + text))); }).on("error", fail));
const socket = (host) => new Promise((done, fail) => net.connect(443, host).on("error", fail).on("connect", done));
export const handler = async (event) => {
  if (event.queryStringParameters?.other) {
    return answer({ other: await said(get("example.invalid")) });
  }
  const started = Date.now();
  const mail = { Source: "a@b.c", Destination: { ToAddresses: ["d@e.f"] }, Message: { Subject: { Data: "x" }, Body: { Text: { Data: "x" } } } };
  const refused = {
    ses: await said(new SESClient().send(new SendEmailCommand(mail))),
    s3: await said(new S3Client({ endpoint: "https://s3.eu-west-1.amazonaws.com" }).send(new PutObjectCommand({ Bucket: "covers", Key: "a.jpg", Body: "x" }))),
    sqs: await said(new SQSClient({ region: "eu-west-1" }).send(new SendMessageCommand({ QueueUrl: "https://sqs.eu-west-1.amazonaws.com/1/q", MessageBody: "x" }))),
    https: await said(get("covers.s3.amazonaws.com")),
    fetch: await fetch("https://x.appsync-api.eu-west-1.amazonaws.com/graphql", { method: "POST", body: "{}" }).then((r) => r.text()),
    socket: await said(socket("kinesis.eu-west-1.amazonaws.com")),
  };
  const secret = (await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: "arn:aws:secretsmanager:eu-west-1:1:secret:mail/key-a1B2c3" }))).SecretString;
  return answer({ refused, secret, took: Date.now() - started });
};
`,
}

// ownersProject makes the project in a git repository, and returns it with its sandbox
// running.
func ownersProject(t *testing.T, args ...string) *facility {
	t.Helper()
	f := emptyFacility(t)
	for name, text := range ownersFiles {
		writeFile(t, filepath.Join(f.dir, filepath.FromSlash(name)), text)
	}
	f.git("init", "-q")
	f.git("add", "-A", "-f")
	f.git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all")
	writeFile(t, filepath.Join(f.dir, ".gatewright/.gitignore"), "*\n")
	writeFile(t, filepath.Join(f.dir, ".gatewright/secrets/qa.json"), `{"apiKey": "sk-of-emma", "mail/key": "mail-secret"}`)
	if err := os.Chmod(filepath.Join(f.dir, ".gatewright/secrets/qa.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.serve(args...)
	return f
}

func (f *facility) git(args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %q: %v %s", args, err, out)
	}
	return string(out)
}

// get requests a path of the API and reads the answer.
func (f *facility) get(path string, into any) {
	f.t.Helper()
	response, err := http.Get(f.endpoint + path)
	if err != nil {
		f.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || json.Unmarshal(body, into) != nil {
		f.t.Fatalf("%s answers %d %s\nthe sandbox prints\n%s", path, response.StatusCode, body, f.output())
	}
}

// TestAProjectOfTheAmplifyCLIRunsAsItIs runs a project with its owner's own code, real
// SDKs and real package managers, and checks that its git tree is as it was.
func TestAProjectOfTheAmplifyCLIRunsAsItIs(t *testing.T) {
	registry.Public(t)
	f := ownersProject(t, "--set", "GIVEN=by-hand")
	var notes struct {
		Items                                []map[string]any
		Refused, Word, Secret, Version, UUID string
		MS                                   int
		Env                                  map[string]string
		Lookups, Connects                    []string
	}
	f.get("/notes", &notes)
	if len(notes.Items) != 1 || notes.Items[0]["owner"] != "emma" || notes.Refused != "AccessDeniedException" {
		t.Errorf("the table gives %v, and a deletion %q", notes.Items, notes.Refused)
	}
	if notes.Word != "from the layer" || notes.MS != 172800000 || notes.UUID != "8.3.0" || !strings.HasPrefix(notes.Version, "2.") || notes.Secret != "sk-of-emma" {
		t.Errorf("modules and secrets: %+v", notes)
	}
	want := map[string]string{"table": "notesTable-qa", "arn": "arn:aws:dynamodb:eu-west-1:000000000000:table/notesTable-qa", "colour": "green", "given": "by-hand", "other": "fn-qa"}
	for name, value := range want {
		if notes.Env[name] != value {
			t.Errorf("the variable %s is %q, want %q", name, notes.Env[name], value)
		}
	}
	if len(notes.Lookups)+len(notes.Connects) != 0 {
		t.Errorf("it looked up %q and connected to %q", notes.Lookups, notes.Connects)
	}
	if out := f.git("status", "--porcelain"); out != "" {
		t.Errorf("git status prints %s", out)
	}
	if out := f.run(0, "table", "scan", "notesdb"); !strings.Contains(out, "emma") {
		t.Errorf("table scan prints %s", out)
	}
	f.stop(os.Interrupt, 0)
}

// TestNoCallLeavesForTheCloud calls services in every way that a function can, and counts
// look-ups and connections below the sandbox's own changes.
func TestNoCallLeavesForTheCloud(t *testing.T) {
	registry.Public(t)
	f := ownersProject(t)
	var cloud struct {
		Refused           map[string]string
		Secret            string
		Took              int
		Lookups, Connects []string
	}
	f.get("/cloud", &cloud)
	for name, words := range map[string][]string{
		"ses": {"ses (SendEmail)"}, "s3": {"s3 (PUT /a.jpg)"}, "sqs": {"sqs (SendMessage)"}, "https": {"s3 (GET /x)"},
		"fetch": {"appsync-api (POST /graphql)"}, "socket": {"a connection to the cloud (kinesis.eu-west-1.amazonaws.com)"},
	} {
		for _, word := range append(words, "--allow-cloud") {
			if !strings.Contains(cloud.Refused[name], word) {
				t.Errorf("%s is refused with %q, which lacks %q", name, cloud.Refused[name], word)
			}
		}
	}
	if cloud.Secret != "mail-secret" {
		t.Errorf("the secret is %q", cloud.Secret)
	}
	if len(cloud.Lookups)+len(cloud.Connects) != 0 {
		t.Errorf("it looked up %q and connected to %q", cloud.Lookups, cloud.Connects)
	}
	if out := f.output(); !strings.Contains(out, "warning: function cloud of qa: refused: the sandbox does not serve the cloud service ses (SendEmail)") {
		t.Errorf("the sandbox prints %s", out)
	}
	if log := f.run(0, "logs", "cloud"); !strings.Contains(log, "refused: the cloud service sqs (SendMessage)") || strings.Contains(log, "mail-secret") {
		t.Errorf("the log has %s", log)
	}
	// Other hosts are the function's own business, and are counted: the count is not blind.
	var other struct {
		Other   string
		Lookups []string
	}
	f.get("/cloud?other=1", &other)
	if !slices.Contains(other.Lookups, "example.invalid") {
		t.Errorf("a look-up of another host: %+v", other)
	}
	f.stop(os.Interrupt, 0)
}
