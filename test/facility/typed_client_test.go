package facility

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// typedContract is a contract whose books guests may read, and signed-in users change.
const typedContract = `openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /books/{title}:
    parameters: [{name: title, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getBook
      parameters:
        - {name: tag, in: query, schema: {type: array, items: {type: string}}}
        - {name: id, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: near, in: query, style: deepObject, schema: {type: object, properties: {lat: {type: number}}}}
        - {name: size, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: string}}}
        - {name: where, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: page, in: query, schema: {type: object, properties: {from: {type: integer}, to: {type: integer}}}}
        - {name: X-Trace, in: header, schema: {type: string}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Seen"}}}}}
    head: {operationId: hasBook, responses: {"200": {description: ok}}}
    put:
      operationId: putBook
      security: [{user: []}]
      responses: {"204": {description: done}}
  /news:
    post:
      operationId: addNews
      requestBody: {required: true, content: {application/merge-patch+json: {schema: {$ref: "#/components/schemas/News"}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Seen"}}}}}
components:
  securitySchemes: {user: {type: http, scheme: bearer}}
  schemas:
    News: {type: object, required: [id, text], properties: {id: {type: integer, readOnly: true}, text: {type: string}}}
    Seen:
      type: object
      required: [method, segment, query, type, body]
      properties:
        method: {type: string, enum: [GET, POST]}
        segment: {type: string}
        query: {type: object, additionalProperties: {type: array, items: {type: string}}}
        trace: {type: string}
        type: {type: string}
        body: {type: string, nullable: true}
`

// mirror is a handler function that returns what it sees of a request.
const mirror = `exports.handler = async (event) => {
  const headers = Object.fromEntries(Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return { statusCode: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify({
    method: event.httpMethod, segment: decodeURIComponent(event.pathParameters?.title ?? ""), query: event.multiValueQueryStringParameters ?? {},
    trace: headers["x-trace"], type: headers["content-type"] ?? "", body: event.body,
  }) };
};
`

// typedCalls calls each operation as a guest. What must not compile is marked.
const typedCalls = `import './config';
import { isCancelError } from 'aws-amplify/api';
import { addNews, getBook, hasBook, putBook, type News, type Seen } from './shop';

const title = "a/b (c)'!*~ü +%&?#";
const { statusCode, body } = await getBook({
  path: { title }, query: { tag: ['x y+', "a&b='c'"], id: [1, 2], near: { lat: 1.5 }, size: ['s', 'm'], where: { a: [1] }, page: { from: 1 } }, headers: { 'X-Trace': 'e', 'X-Other': 1 },
});
const seen: Seen = body;
const status: 200 = statusCode;
// @ts-expect-error A seen request has no such member.
body.methods;
// @ts-expect-error The path is required.
const incomplete = () => getBook({});
// @ts-expect-error The gateway makes the id.
const made = () => addNews({ body: { id: 1, text: 'x' } });
const news: News = { id: 1, text: 'x' };
// @ts-expect-error The id is not to be changed.
news.id = 2;
console.log(JSON.stringify(seen));
console.log(JSON.stringify((await addNews({ body: { text: '</script>' } })).body));
console.log(JSON.stringify((await hasBook({ path: { title: 'x' } })).statusCode));
for (const call of [
  () => getBook({ path: { title: '..' } }),
  () => getBook({ path: { title: '' } }),
  () => putBook({ path: { title: 'x' } }),
  () => getBook({ path: { title: 'x' }, signal: AbortSignal.abort() }),
]) {
  try {
    await call();
    console.log('"no error"');
  } catch (error) {
    const { name, response } = error as Error & { response?: { statusCode: number } };
    console.log(JSON.stringify(isCancelError(error) ? 'canceled' : name + ' ' + (response?.statusCode ?? '')));
  }
}
export { status, incomplete, made };
`

// TestATypedClientCallsTheSandbox makes the client of an API with a contract, compiles it with
// the types of the client library, and calls each operation, signed as a guest. The endpoints
// of the two dialects differ in the slash at their ends.
func TestATypedClientCallsTheSandbox(t *testing.T) {
	front := frontEnd(t)
	f := newFacility(t)
	f.run(0, "update", "auth", "--unauthenticated-identities-enabled", "--username-attributes", "email")
	f.run(0, "add", "function", "mirror", "--template", "plain")
	writeFile(t, filepath.Join(f.dir, "backend", "function", "mirror", "src", "index.js"), mirror)
	writeFile(t, filepath.Join(f.dir, "shop.yaml"), typedContract)
	f.run(0, "add", "api", "shop", "--from", "shop.yaml", "--function", "mirror")
	f.servePushed()
	var programs []string
	dialects := []string{"neutral", "amplify"}
	for _, dialect := range dialects {
		folder := filepath.Join(front, dialect)
		snippet := f.run(0, "generate", "outputs", "--env", "dev", "--out-dir", folder, "--dialect", dialect, "--format", "ts", "--snippet")
		_, code, _ := strings.Cut(snippet, "import ")
		writeFile(t, filepath.Join(folder, "config.ts"), "import "+code)
		f.run(0, "generate", "client", "shop", "--lang", "ts", "--out", filepath.Join(folder, "shop.ts"))
		writeFile(t, filepath.Join(folder, "main.ts"), typedCalls)
		programs = append(programs, dialect+"/main.ts")
	}
	checkTypes(t, front, programs...)
	for _, dialect := range dialects {
		t.Run(dialect, func(t *testing.T) {
			runTool(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
				dialect+"/main.ts", "--outfile="+dialect+"/main.mjs")
			cmd := exec.Command("node", dialect+"/main.mjs")
			cmd.Dir = front
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v %s %s\nthe sandbox prints\n%s", err, out, stderr.String(), f.output())
			}
			checkTypedCalls(t, string(out))
		})
	}
	f.stop(os.Interrupt, 0)
}

func checkTypedCalls(t *testing.T, out string) {
	t.Helper()
	want := []any{
		map[string]any{
			"method": "GET", "segment": "a/b (c)'!*~ü +%&?#", "type": "", "trace": "e", "body": nil,
			"query": map[string]any{"tag": []any{"x y+", "a&b='c'"}, "id": []any{"1,2"}, "near[lat]": []any{"1.5"}, "size": []any{"s|m"}, "where": []any{`{"a":[1]}`}, "from": []any{"1"}},
		},
		map[string]any{"method": "POST", "segment": "", "type": "application/merge-patch+json", "query": map[string]any{}, "body": `{"text":"</script>"}`},
		200.0,
		"RangeError ", "RangeError ", "AccessDeniedException 403", "canceled",
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, line := range lines {
		var got any
		if err := json.Unmarshal([]byte(line), &got); err != nil || i >= len(want) || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("line %d is %s, %v", i, line, err)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("the calls print %d lines, want %d:\n%s", len(lines), len(want), out)
	}
}

// TestClientsCompileWithTheTypesOfTheClientLibrary compiles the clients that the tests of render
// compare with.
func TestClientsCompileWithTheTypesOfTheClientLibrary(t *testing.T) {
	front := frontEnd(t)
	clients, err := filepath.Glob(filepath.Join("..", "..", "render", "client", "testdata", "client-*.golden.ts"))
	if err != nil || len(clients) < 3 {
		t.Fatalf("%d clients were found: %v", len(clients), err)
	}
	args := []string{"--noUnusedLocals", "--noUnusedParameters", "--verbatimModuleSyntax"}
	for _, file := range clients {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		writeFile(t, filepath.Join(front, name), string(text))
		args = append(args, name)
	}
	checkTypes(t, front, args...)
}
