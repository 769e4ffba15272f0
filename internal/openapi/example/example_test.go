package example_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/check"
	"gatewright/internal/openapi/example"
	"gatewright/internal/openapi/judge/judgetest"
)

func read(t rapid.TB, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read("api.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return d
}

// of returns the example of the only operation of a document, as `STATUS TYPE BODY`.
func of(t rapid.TB, d *openapi.Document) string {
	t.Helper()
	return inWords(example.Of(d, d.Items[0].Operations[0]))
}

func inWords(a example.Answer, err error) string {
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%d %s %s", a.Status, a.ContentType, a.Body)
	if a.Generated {
		text = "made " + text
	}
	return strings.TrimSpace(text)
}

// compact removes the white space of a body of JSON.
func compact(text string) string {
	return strings.NewReplacer("\n", "", "  ", "", ": ", ":", ", ", ",").Replace(text)
}

func TestTheAnswerIsTheOneThatAllWentWell(t *testing.T) {
	t.Parallel()
	for answers, want := range map[string]string{
		`{'404': {}, '201': {}, '200': {}}`:                "200",
		`{'404': {}, 2XX: {}, '202': {}}`:                  "200",
		`{'404': {}, default: {}}`:                         "204",
		`{default: {content: {text/plain: {example: a}}}}`: "200 text/plain a",
		`{x-a: {}, 4XX: {}, '500': {}}`:                    "400",
		`{'204': {}}`:                                      "204",
		`{}`:                                               "204",
		`{'200': {content: {text/plain: {example: a}, application/vnd.a+json: {example: {a: 1}}}}}`: `200 application/vnd.a+json {"a":1}`,
		`{'200': {content: {'*/*': {example: [1]}}}}`:                                               `200 application/json [1]`,
		`{'200': {content: {text/csv: {example: "a,b\n"}}}}`:                                        "200 text/csv a,b",
		`{'200': {content: {text/plain: {schema: {type: string, minLength: 8}}}}}`:                  "made 200 text/plain stringst",
		`{'200': {content: {application/json: {}}}}`:                                                "made 200 application/json {}",
		`{'200': {content: {application/json: {examples: {a: {value: 1}, b: {value: 2}}}}}}`:        "200 application/json 1",
		`{'200': {content: {application/json: {schema: {example: {a: b}}}}}}`:                       `200 application/json {"a":"b"}`,
		`{'200': {content: {application/json: {schema: {default: a}}}}}`:                            `200 application/json "a"`,
		`{'200': {content: {application/json: {schema: {type: object, example: '{"a": 1}'}}}}}`:     `200 application/json {"a":1}`,
		`{'200': {content: {image/png: {schema: {type: string}}}}}`:                                 "GET /: the response 200 has no example: only JSON and texts are made from a schema, and this is image/png; give the response an example, at line 2 of the contract",
		`{'200': {content: {"a/b\r\nx: y": {example: a}}}}`:                                         `GET /: the media type "a/b\r\nx: y" is none; write one such as application/json, at line 2 of the contract`,
		`{'200': {content: {application/xml: {example: {a: 1}}}}}`:                                  "GET /: the response 200 has no example: its example is a map, and its media type is not JSON; give the response an example, at line 2 of the contract",
		`{'200': {content: {application/json: {schema: false}}}}`:                                   "GET /: the response 200 has no example: no value can be made from its schema; give the response an example, at line 2 of the contract",
	} {
		if got := compact(of(t, read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: "+answers+"}}}"))); got != compact(want) {
			t.Errorf("%s: %s, want %s", answers, got, want)
		}
	}
}

func TestABodyIsMadeOfASchema(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{type: object, required: [a], properties: {b: {type: string}, a: {type: integer}}}`:                                               `{"b":"string","a":0}`,
		`{properties: {id: {type: integer, readOnly: true}, key: {type: string, writeOnly: true}}}`:                                        `{"id":0}`,
		`{type: array, items: {type: string, format: date-time}}`:                                                                          `["2020-01-01T00:00:00Z"]`,
		`{type: array, minItems: 2, uniqueItems: true, items: {type: string, format: uuid}}`:                                               `["123e4567-e89b-12d3-a456-426614174000","123e4567-e89b-12d3-a456-426614174001"]`,
		`{type: array, items: {enum: [a, b]}, minItems: 2, uniqueItems: true}`:                                                             `["a","b"]`,
		`{prefixItems: [{type: string}, {type: integer}], items: false}`:                                                                   `["string",0]`,
		`{contains: {const: 5}, items: {type: integer}, minItems: 2}`:                                                                      `[0,5]`,
		`{allOf: [{properties: {a: {type: integer, minimum: 3}}}, {properties: {a: {multipleOf: 5}, b: {format: email}}, required: [b]}]}`: `{"a":5,"b":"user@example.com"}`,
		`{oneOf: [{type: 'null', not: {}}, {type: boolean}]}`:                                                                              `true`,
		`{anyOf: [{$ref: '#/x/none'}, {type: string}], type: string, pattern: '^[A-C]{2}-\d+$'}`:                                           `"AA-0"`,
		`{type: string, pattern: '^[\u0041]{2,2048}$'}`:                                                                                    `"AA"`,
		`{type: integer, exclusiveMinimum: 9, multipleOf: 4}`:                                                                              `12`,
		`{type: number, minimum: 0.5, maximum: 0.75}`:                                                                                      `0.5`,
		`{type: number, exclusiveMinimum: 0.5, exclusiveMaximum: 0.75}`:                                                                    `0.625`,
		`{type: string, maxLength: 3}`:                                                                                                     `"str"`,
		`{type: object, additionalProperties: {type: integer}}`:                                                                            `{"property1":0}`,
		`{type: object, minProperties: 2, propertyNames: {pattern: '^x-[a-z]$'}}`:                                                          `{"x-a":{},"x-b":{}}`,
		`{type: object, properties: {a: {default: 7}, b: {example: wrong, type: integer}}}`:                                                `{"a":7,"b":0}`,
		`{type: object, properties: {a: {type: string}, b: {type: string}}, maxProperties: 1}`:                                             `{"a":"string"}`,
		`{type: object, properties: {a: {type: string}, b: {type: string}}, not: {required: [a, b]}}`:                                      `{"a":"string"}`,
		`{$ref: '#/x/node'}`: `{"name":"string","all":[]}`,
		`{if: {required: [a]}, then: {required: [b]}, type: object}`: `{"a":{},"b":{}}`,
	} {
		d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: "+schema+"}}}}}}}\n"+
			"x: {node: {type: object, required: [name], properties: {name: {type: string}, next: {$ref: '#/x/node'}, all: {type: array, items: {$ref: '#/x/node'}}}}}")
		if got := compact(of(t, d)); got != "made 200 application/json "+want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}

func TestASwaggerDocumentHasExamplesToo(t *testing.T) {
	t.Parallel()
	for answers, want := range map[string]string{
		`{200: {schema: {type: object}, examples: {application/json: {a: 1}}}}`:                   "200 application/json {\"a\":1}",
		`{200: {schema: {type: array, items: {type: string, x-nullable: true}}}}`:                 `made 200 application/json ["string"]`,
		`{200: {schema: {properties: {a: {type: integer, minimum: 1, exclusiveMinimum: true}}}}}`: `made 200 application/json {"a":2}`,
		`{200: {description: none}}`: "200",
	} {
		if got := compact(of(t, read(t, "swagger: '2.0'\npaths: {/: {get: {responses: "+answers+"}}}"))); got != want {
			t.Errorf("%s: %s, want %s", answers, got, want)
		}
	}
}

func TestABodyIsIndented(t *testing.T) {
	t.Parallel()
	d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {example: {a: {b: 1}}}}}}}}}")
	a, err := example.Of(d, d.Items[0].Operations[0])
	if want := "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"; err != nil || string(a.Body) != want {
		t.Errorf("%q %v", a.Body, err)
	}
}

func TestALargeSchemaGivesASmallBody(t *testing.T) {
	t.Parallel()
	var wide strings.Builder
	for i := range 40 {
		fmt.Fprintf(&wide, "  s%d: {type: object, properties: {", i)
		for n := range 10 {
			fmt.Fprintf(&wide, "p%d: {$ref: '#/x/s%d'}, ", n, i+1)
		}
		wide.WriteString("}}\n")
	}
	for schema, good := range map[string]bool{
		`{$ref: '#/x/s0'}`:                                           true,
		`{type: string, minLength: 100000}`:                          false,
		`{type: array, minItems: 1000000000, items: {type: string}}`: true,
		`{oneOf: [{$ref: '#/x/either'}, {$ref: '#/x/either'}]}`:      true,
	} {
		d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: "+schema+"}}}}}}}\n"+
			"x:\n"+wide.String()+"  s40: {type: string}\n  either: {oneOf: [{$ref: '#/x/either'}, {$ref: '#/x/either'}]}\n")
		a, err := example.Of(d, d.Items[0].Operations[0])
		if (err == nil) != good || len(a.Body) > example.Largest {
			t.Errorf("%s: %d bytes, %v", schema, len(a.Body), err)
		}
	}
}

// documentOf returns a document with a schema, which refers to its $defs, for its only answer.
func documentOf(t rapid.TB, schema map[string]any) *openapi.Document {
	t.Helper()
	defs := schema["$defs"]
	delete(schema, "$defs")
	content := map[string]any{"application/json": map[string]any{"schema": schema}}
	text, err := json.Marshal(map[string]any{
		"openapi": "3.1.0", "$defs": defs,
		"paths": map[string]any{"/": map[string]any{"get": map[string]any{"responses": map[string]any{"200": map[string]any{"content": content}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(text))
}

// held returns what the contract says of its own example.
func held(d *openapi.Document, a example.Answer) []check.Finding {
	header := http.Header{"Content-Type": {a.ContentType}}
	return check.New(d).Answer(check.Request{Method: "GET", Path: "/"}, check.Answer{Status: a.Status, Header: header, Body: a.Body})
}

func TestAnExampleOfAPlainSchemaHoldsAgainstIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schema := judgetest.Plain(t)
		d := documentOf(t, schema)
		a, err := example.Of(d, d.Items[0].Operations[0])
		if err != nil {
			t.Fatalf("%s\n%v", d.Root.JSON(), err)
		}
		if findings := held(d, a); len(findings) > 0 {
			t.Fatalf("%s\n%s\n%v", d.Root.JSON(), a.Body, findings)
		}
		again, err := example.Of(d, d.Items[0].Operations[0])
		if err != nil || string(again.Body) != string(a.Body) {
			t.Fatalf("%s\nthen\n%s", a.Body, again.Body)
		}
	})
}

func TestAnExampleOfMostSchemasHoldsAgainstThem(t *testing.T) {
	t.Parallel()
	good, all := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		d := documentOf(rt, judgetest.Schema(rt))
		possible := false
		for range 20 {
			body, err := json.Marshal(judgetest.Value(rt))
			if err != nil {
				rt.Fatal(err)
			}
			a := example.Answer{Status: 200, ContentType: "application/json", Body: body}
			possible = possible || len(held(d, a)) == 0
		}
		if !possible {
			return
		}
		all++
		a, err := example.Of(d, d.Items[0].Operations[0])
		if err == nil && len(held(d, a)) == 0 {
			good++
		} else {
			t.Logf("%s\n%s %v", d.Root.JSON(), a.Body, err)
		}
	})
	t.Logf("%d of %d examples hold", good, all)
	if good*10 < all*9 {
		t.Errorf("only %d of %d examples hold", good, all)
	}
}
