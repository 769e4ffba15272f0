package facility

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// callingNode and callingPython are handlers that call the function in the query with the SDK
// that Lambda's runtime has, and answer with what they got.
const (
	callingNode = `const { LambdaClient, InvokeCommand, InvokeWithResponseStreamCommand } = require("@aws-sdk/client-lambda");
const client = new LambdaClient({});
exports.handler = async (event) => {
  const { name, type, stream } = event.queryStringParameters;
  const answer = (body) => ({ statusCode: 200, body: JSON.stringify(body) });
  try {
    const input = {
      FunctionName: name ?? process.env.FUNCTION_ORDERS_ARN, InvocationType: type, LogType: "Tail",
      ClientContext: Buffer.from(JSON.stringify({ custom: { from: "books" } })).toString("base64"), Payload: JSON.stringify({ number: 7 }),
    };
    if (stream) {
      const { EventStream } = await client.send(new InvokeWithResponseStreamCommand({ ...input, InvocationType: undefined }));
      let payload = "", log = "";
      for await (const part of EventStream) {
        payload += Buffer.from(part.PayloadChunk?.Payload ?? []).toString();
        log += Buffer.from(part.InvokeComplete?.LogResult ?? "", "base64").toString();
      }
      return answer({ payload, log });
    }
    const out = await client.send(new InvokeCommand(input));
    return answer({
      status: out.StatusCode, version: out.ExecutedVersion, error: out.FunctionError,
      payload: Buffer.from(out.Payload ?? []).toString(), log: Buffer.from(out.LogResult ?? "", "base64").toString(),
    });
  } catch (err) {
    return answer({ name: err.name, message: err.message, status: err.$metadata?.httpStatusCode });
  }
};`
	callingPython = `import base64, json, boto3
client = boto3.client("lambda")

def handler(event, context):
    query = event["queryStringParameters"]
    try:
        out = client.invoke(FunctionName=query["name"], InvocationType=query.get("type", "RequestResponse"), LogType="Tail", Payload=b'{"number": 7}')
        body = {
            "status": out["StatusCode"], "version": out.get("ExecutedVersion"), "error": out.get("FunctionError"),
            "payload": out["Payload"].read().decode(), "log": base64.b64decode(out.get("LogResult", "")).decode(),
        }
    except Exception as error:
        body = {"name": type(error).__name__, "message": str(error)}
    return {"statusCode": 200, "body": json.dumps(body)}
`
	called = `exports.handler = async (event, context) => {
  console.log("order", event.number);
  return { number: event.number, from: context.clientContext?.custom.from };
};`
)

// calledBody is what callingNode and callingPython answer.
type calledBody struct {
	Status                                      int
	Version, Error, Payload, Log, Name, Message string
}

func (f *facility) called(path string) calledBody {
	f.t.Helper()
	status, body, _ := f.request("GET", path, "")
	var c calledBody
	if err := json.Unmarshal([]byte(body), &c); err != nil || status != http.StatusOK {
		f.t.Fatalf("%s is answered %d %s\n%s", path, status, body, f.output())
	}
	return c
}

// TestFunctionsCallFunctionsWithTheSDKs runs the unmodified SDKs for Node.js and Python in
// functions, and the AWS CLI beside them if it is installed.
func TestFunctionsCallFunctionsWithTheSDKs(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/node", "--function", "books", "--new-function", "plain", "--open")
	f.run(0, "add", "function", "mail", "--template", "plain", "--runtime", "python")
	f.run(0, "add", "path", "shop", "/python", "--function", "mail", "--open")
	f.run(0, "add", "function", "orders", "--template", "plain")
	f.run(0, "update", "function", "books", "--access", "function/orders=read")
	writeFile(t, filepath.Join(f.dir, "backend/function/books/src/index.js"), callingNode)
	writeFile(t, filepath.Join(f.dir, "backend/function/orders/src/index.js"), called)
	source := filepath.Join(f.dir, "backend/function/mail/src")
	writeFile(t, filepath.Join(source, "index.py"), callingPython)
	f.serve()
	status, body, _ := f.request("GET", "/node?x=1", "")
	if status != http.StatusOK {
		if strings.Contains(f.output(), "no package registry is reachable") {
			depth.Lacks(t, "npm's registry", f.output())
		}
		t.Fatalf("the first request is answered %d %s\n%s", status, body, f.output())
	}

	c := f.called("/node?x=1")
	if c.Status != 200 || c.Version != "$LATEST" || c.Error != "" || c.Payload != `{"number":7,"from":"books"}` || !strings.Contains(c.Log, "\tINFO\torder 7\nEND RequestId: ") {
		t.Errorf("a call is answered %+v", c)
	}
	if c = f.called("/node?stream=1"); c.Payload != `{"number":7,"from":"books"}` || !strings.Contains(c.Log, "order 7") {
		t.Errorf("a call with a stream is answered %+v", c)
	}
	if c = f.called("/node?type=Event"); c.Status != 202 || c.Payload != "" {
		t.Errorf("a call that nobody waits for is answered %+v", c)
	}
	if c = f.called("/node?type=DryRun"); c.Status != 204 {
		t.Errorf("a dry run is answered %+v", c)
	}
	if c = f.called("/node?name=" + url.QueryEscape("orders:$LATEST")); c.Status != 200 {
		t.Errorf("a name with a version is answered %+v", c)
	}
	if c = f.called("/node?name=mail"); c.Name != "AccessDeniedException" || c.Status != 403 || !strings.HasSuffix(c.Message, "because no identity-based policy allows the lambda:InvokeFunction action") {
		t.Errorf("a function without access is answered %+v", c)
	}
	if log := f.run(0, "logs", "books"); !strings.Contains(log, "allow it with: gatewright update function books --access function/orders=read --access function/mail=read") {
		t.Errorf("the log does not say what allows it:\n%s", log)
	}

	// The access of the definition counts at once.
	if c = f.called("/python?name=orders"); c.Name != "ClientError" || !strings.Contains(c.Message, "AccessDeniedException") {
		t.Errorf("boto3 without access is answered %+v", c)
	}
	f.run(0, "update", "function", "mail", "--access", "function/orders=read")
	f.waitFor("/python?name=orders", `"status": 200`)
	if c = f.called("/python?name=orders-dev"); c.Status != 200 || c.Payload != `{"number":7}` || !strings.Contains(c.Log, "order 7") {
		t.Errorf("boto3 is answered %+v", c)
	}
	requests := f.run(0, "logs", "--requests", "kind:invoke", "as:function")
	for _, part := range []string{"invoke orders\tok", "function mail\torders", "function books\torders", "invoke mail\t403"} {
		if !strings.Contains(requests, part) {
			t.Errorf("the requests lack %q:\n%s", part, requests)
		}
	}

	t.Run("the AWS CLI", f.calledByTheAWSCLI)
}

// awsCLIVariable names the AWS CLI, else it is the one in PATH.
const awsCLIVariable = "GATEWRIGHT_AWS_CLI"

func (f *facility) calledByTheAWSCLI(t *testing.T) {
	aws, err := exec.LookPath(cmp.Or(os.Getenv(awsCLIVariable), "aws"))
	if err != nil {
		depth.Lacks(t, "aws", err)
	}
	out := filepath.Join(t.TempDir(), "out.json")
	cmd := exec.Command(aws, "--endpoint-url", f.address, "--region", "eu-west-1", "lambda", "invoke", "--function-name", "orders", "--payload", `{"number":9}`, out)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=anything", "AWS_SECRET_ACCESS_KEY=anything", "AWS_EC2_METADATA_DISABLED=true")
	// Version 2 of the AWS CLI takes payloads in base64 otherwise.
	cmd.Env = append(cmd.Env, "AWS_CONFIG_FILE="+filepath.Join(t.TempDir(), "config"))
	writeFile(t, strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "AWS_CONFIG_FILE="), "[default]\ncli_binary_format = raw-in-base64-out\n")
	if text, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(text), `"ExecutedVersion": "$LATEST"`) {
		t.Fatalf("the AWS CLI: %v %s", err, text)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != `{"number":9}` {
		t.Errorf("the AWS CLI wrote %s %v", text, err)
	}
}

// TestFunctionsOfTheAmplifyCLICallWhatTheirPoliciesAllow runs version 2 of the SDK, which
// knows no variable for its endpoint.
func TestFunctionsOfTheAmplifyCLICallWhatTheirPoliciesAllow(t *testing.T) {
	registry.Public(t)
	f := emptyFacility(t)
	for name, text := range map[string]string{
		"amplify/.config/project-config.json":      `{"projectName": "notes", "version": "3.1"}`,
		"amplify/.config/local-env-info.json":      `{"projectPath": "/x", "envName": "qa"}`,
		"amplify/team-provider-info.json":          `{"qa": {"awscloudformation": {"Region": "eu-west-1", "AmplifyAppId": "d1notes", "StackName": "amplify-notes-qa-1"}}}`,
		"amplify/backend/backend-config.json":      `{"api": {"shop": {"service": "API Gateway"}}, "function": {"notes": {"service": "Lambda"}, "mail": {"service": "Lambda"}, "other": {"service": "Lambda"}}}`,
		"amplify/backend/api/shop/cli-inputs.json": `{"version": 1, "paths": {"/notes": {"name": "/notes", "lambdaFunction": "notes", "permissions": {"setting": "open"}}}}`,
		"amplify/backend/function/notes/src/index.js": `const AWS = require("aws-sdk");
exports.handler = async (event) => {
  const call = (FunctionName) => new AWS.Lambda().invoke({ FunctionName, Payload: "{}" }).promise().then((out) => out.Payload, (err) => err.code + ": " + err.message);
  return { statusCode: 200, body: JSON.stringify({ allowed: await call(process.env.FUNCTION_MAIL_NAME), refused: await call("other-qa") }) };
};`,
		"amplify/backend/function/mail/src/index.js":  `exports.handler = async () => "mail";`,
		"amplify/backend/function/other/src/index.js": `exports.handler = async () => "other";`,
		"amplify/backend/function/notes/notes-cloudformation-template.json": ownersTemplate("nodejs16.x",
			`, "functionmailName": {"Type": "String"}, "functionmailArn": {"Type": "String"}`, `, "FUNCTION_MAIL_NAME": {"Ref": "functionmailName"}`,
			`{"Effect": "Allow", "Action": ["lambda:Get*", "lambda:InvokeFunction"], "Resource": {"Ref": "functionmailArn"}}`, ""),
		"amplify/backend/function/mail/mail-cloudformation-template.json":   strings.ReplaceAll(ownersTemplate("nodejs18.x", "", "", "", ""), `"fn"`, `"mail"`),
		"amplify/backend/function/other/other-cloudformation-template.json": strings.ReplaceAll(ownersTemplate("nodejs18.x", "", "", "", ""), `"fn"`, `"other"`),
	} {
		writeFile(t, filepath.Join(f.dir, filepath.FromSlash(name)), text)
	}
	f.serve()
	status, body, _ := f.request("GET", "/notes", "")
	if status != http.StatusOK && strings.Contains(f.output(), "no package registry is reachable") {
		depth.Lacks(t, "npm's registry", f.output())
	}
	var got struct{ Allowed, Refused string }
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
		t.Fatalf("it is answered %d %s\n%s", status, body, f.output())
	}
	if got.Allowed != `"mail"` || !strings.HasPrefix(got.Refused, "AccessDeniedException: User: arn:aws:sts::000000000000:assumed-role/") ||
		!strings.Contains(got.Refused, "on resource: arn:aws:lambda:eu-west-1:000000000000:function:other-qa because") {
		t.Errorf("it is answered %+v", got)
	}
	if log := f.run(0, "logs", "notes"); !strings.Contains(log, "the function may not call the function other-qa; allow the action lambda:InvokeFunction in custom-policies.json in its folder, or with: amplify update function") {
		t.Errorf("the log does not say what allows it:\n%s", log)
	}
}
