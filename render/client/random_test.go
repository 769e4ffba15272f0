package client_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gatewright/render/client"
	"gatewright/render/rendertest"
)

// clientLibrary are the types of the client library that a client uses. test/facility compiles
// clients with the library itself.
const clientLibrary = `declare module 'aws-amplify' {
  export const Amplify: { getConfig(): { API?: { REST?: Record<string, { endpoint: string }> } } };
}
declare module 'aws-amplify/api' {
  type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
  type Input = { apiName: string; path: string; options?: { headers?: Record<string, string>; body?: Value | FormData } };
  type Answer = { statusCode: number; headers: Record<string, string>; body: { text(): Promise<string>; blob(): Promise<Blob> } };
  type Call<A> = (input: Input) => { response: Promise<A>; cancel(message?: string): void };
  export const get: Call<Answer>, post: Call<Answer>, put: Call<Answer>, patch: Call<Answer>, del: Call<Answer>;
  export const head: Call<Omit<Answer, 'body'>>;
}
`

// exported finds what a client declares for others.
var exported = regexp.MustCompile(`(?m)^(?:export (?:async function|interface|type|const)|async function|function|interface) ([^ (<:]+)`)

func TestClientsOfRandomContractsCompileStrictly(t *testing.T) {
	folder := rendertest.TypeScript(t)
	rendertest.Write(t, folder, "library.d.ts", []byte(clientLibrary))
	files := []string{"--noEmit", "--noUnusedLocals", "--noUnusedParameters", "--exactOptionalPropertyTypes", "--verbatimModuleSyntax", "library.d.ts"}
	add := func(name string, client client.Client) {
		rendertest.Write(t, folder, name, client.Text)
		files = append(files, name)
	}
	for seed := range uint64(40) {
		contract := randomContract(rand.New(rand.NewPCG(seed, 23)))
		add(fmt.Sprintf("random%d.ts", seed), clientOf(t, contractOf(t, contract)))
	}
	// Schemas and operations with each name that a client has itself.
	names := regexp.MustCompile(`[A-Za-z]\w+`).FindAllString(string(clientOf(t, contractOf(t, clientContract)).Text), -1)
	add("own.ts", clientOf(t, contractOf(t, contractWithNames(t, names))))
	deepest := strings.Repeat(`{"type": "array", "items": `, 80) + `{}` + strings.Repeat("}", 80)
	add("deep.ts", clientOf(t, contractOf(t, `{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"deep": `+deepest+`}}}`)))
	add("empty.ts", clientOf(t, contractOf(t, `{"openapi": "3.1.0", "paths": {}}`)))
	rendertest.Compile(t, folder, files...)
}

// contractWithNames writes a contract that has names for operations and for schemas.
func contractWithNames(t testing.TB, names []string) string {
	paths, schemas := make(map[string]any), make(map[string]any)
	for i, name := range names {
		paths[fmt.Sprintf("/%d", i)] = map[string]any{"get": map[string]any{"operationId": name, "responses": map[string]any{"200": map[string]any{
			"description": "ok", "content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/" + name}}},
		}}}}
		schemas[name] = map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string"}}}
	}
	text, err := json.Marshal(map[string]any{"openapi": "3.0.3", "paths": paths, "components": map[string]any{"schemas": schemas}})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(text)
}

func TestNothingInAClientSharesAName(t *testing.T) {
	words := []string{"get", "Get", "list-books", "listBooks", "list.books", "books", "Books", "book_s", "delete", "call", "Answer", "3d", "", "бук", "a b", "a*b", "__proto__", "then"}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 5))
		names := make([]string, 1+random.IntN(30))
		for i := range names {
			names[i] = words[random.IntN(len(words))]
			if random.IntN(3) == 0 {
				names[i] += words[random.IntN(len(words))]
			}
		}
		client := clientOf(t, contractOf(t, contractWithNames(t, names)))
		seen := make(map[string]bool)
		for _, match := range exported.FindAllSubmatch(client.Text, -1) {
			if name := string(match[1]); seen[name] {
				t.Fatalf("%s comes twice, of %q:\n%s", name, names, client.Text)
			} else {
				seen[name] = true
			}
		}
		if functions := strings.Count(string(client.Text), "\nexport async function "); functions != len(names) {
			t.Fatalf("%d functions for %q", functions, names)
		}
	}
}

func TestAnOperationKeepsItsNameWhenOthersComeAndGo(t *testing.T) {
	client := string(clientOf(t, contractOf(t, `{"openapi": "3.0.3", "paths": {
		"/a": {"get": {"operationId": "list-books"}}, "/b": {"get": {"operationId": "listBooks"}}, "/c": {"get": {"operationId": "list.books"}}}}`)).Text)
	alone := string(clientOf(t, contractOf(t, `{"openapi": "3.0.3", "paths": {
		"/c": {"get": {"operationId": "list.books"}}, "/b": {"get": {"operationId": "listBooks"}}}}`)).Text)
	functionFor := func(client, path string) string {
		_, rest, _ := strings.Cut(client, "/** GET "+path+" */\nexport async function ")
		name, _, _ := strings.Cut(rest, "(")
		return name
	}
	if got := functionFor(client, "/b"); got != "listBooks" {
		t.Errorf("the operation listBooks is called %q", got)
	}
	if got, want := functionFor(alone, "/c"), functionFor(client, "/c"); got != want || got == "" {
		t.Errorf("the operation list.books is called %q, and with another beside it %q", got, want)
	}
}

// randomContract writes a contract whose schemas refer to each other, in circles too.
func randomContract(random *rand.Rand) string {
	names := []string{"A", "b", "c-d", "Promise", "E.F", "Ж"}
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	var schema func(depth int) any
	list := func(depth int) []any {
		schemas := make([]any, 1+random.IntN(3))
		for i := range schemas {
			schemas[i] = schema(depth + 1)
		}
		return schemas
	}
	schema = func(depth int) any {
		if depth > 5 || random.IntN(3) == 0 {
			return map[string]any{"$ref": "#/components/schemas/" + pick(names...), "description": pick("x", "*/ }", "@ts-expect-error")}
		}
		s := map[string]any{}
		for range 1 + random.IntN(2) {
			switch random.IntN(10) {
			case 0, 1, 2:
				s["type"] = "object"
				properties := map[string]any{}
				for range random.IntN(5) {
					properties[pick("a", "b", "c d", "it's", "constructor", "new", "")] = schema(depth + 1)
				}
				s["properties"], s["required"] = properties, []string{pick("a", "z"), pick("a", "new", "z")}
			case 3:
				s["type"], s["items"] = "array", schema(depth+1)
			case 4:
				s[pick("allOf", "oneOf", "anyOf")] = list(depth)
			case 5:
				s["enum"] = []any{1, "a", nil, -1.5, "'\\\n", true}[:1+random.IntN(6)]
			case 6:
				s["additionalProperties"] = []any{true, false, schema(depth + 1)}[random.IntN(3)]
			case 7:
				s["type"] = []string{pick("string", "object"), pick("integer", "null", "array")}
			case 8:
				s[pick("readOnly", "writeOnly", "nullable", "deprecated")] = true
			case 9:
				s["type"], s["description"] = pick("string", "boolean"), pick("two\nlines", "*/ x", "@ts-ignore", "\u2028@ts-expect-error")
			}
		}
		return s
	}
	schemas := map[string]any{}
	for _, name := range names {
		schemas[name] = schema(0)
	}
	media := func() map[string]any {
		return map[string]any{pick("application/json", "text/plain", "*/*", "image/png", "application/hal+json"): map[string]any{"schema": schema(1)}}
	}
	operation := func() map[string]any {
		o := map[string]any{
			"summary":   pick("Read", "*/ alert(1)", "@ts-expect-error", ""),
			"responses": map[string]any{pick("200", "201", "default", "404"): map[string]any{"description": "", "content": media()}, "204": map[string]any{"description": ""}},
			"parameters": []any{
				map[string]any{"in": "query", "name": pick("q", "__proto__", "a-b"), "schema": schema(3), "required": random.IntN(2) == 0, "style": pick("form", "deepObject"), "explode": random.IntN(2) == 0},
				map[string]any{"in": "header", "name": pick("X-A", "x"), "schema": schema(3), "required": random.IntN(2) == 0},
			},
		}
		if random.IntN(2) == 0 {
			o["requestBody"] = map[string]any{"content": media(), "required": random.IntN(2) == 0}
		}
		return o
	}
	paths := map[string]any{}
	for _, path := range []string{"/", "/a/{id}", "/a/{id}/{id}.json", "/b?x={y}#z", "/{c d}/{proxy+}", "/it's/{open"} {
		paths[path] = map[string]any{"get": operation(), "post": operation(), "delete": operation(), "head": operation(), "x-amazon-apigateway-any-method": operation()}
	}
	text, err := json.Marshal(map[string]any{"openapi": pick("3.0.3", "3.1.0"), "paths": paths, "components": map[string]any{"schemas": schemas}})
	if err != nil {
		panic(err)
	}
	return string(text)
}
