package convert_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compact is a document without the space between its parts.
func compact(text string) string { return strings.Join(strings.Fields(text), "") }

// TestEachPartOfADocumentIsConvertedWhole compares whole documents, so that nothing is missing in
// one and nothing is too much.
func TestEachPartOfADocumentIsConvertedWhole(t *testing.T) {
	t.Parallel()
	const none = `"responses":{"default":{"description":""}}`
	for _, tt := range []struct{ name, swagger, want string }{
		{
			"extensions stay where they are", `
info: {title: t}
externalDocs: {url: u}
x-root: 1
paths:
  x-paths: 2
  /a:
    x-item: 3
    get: {x-operation: 4, responses: {x-responses: 5, 200: {description: d, x-response: 6, headers: {H: {type: string, x-header: 7}}}}}
    put: {parameters: [{name: q, in: query, type: string, x-parameter: 8}]}
    post: {parameters: [{name: b, in: body, x-body: 9}], x-nullable: true}
`, `"info":{"title":"t"},"externalDocs":{"url":"u"},"paths":{"x-paths":2,"/a":{` +
				`"get":{"responses":{"x-responses":5,"200":{"description":"d","headers":{"H":{"schema":{"type":"string"},"x-header":7}},"x-response":6}},"x-operation":4},` +
				`"put":{"parameters":[{"name":"q","in":"query","schema":{"type":"string"},"x-parameter":8}],` + none + `},` +
				`"post":{"requestBody":{"content":{"application/json":{}},"x-body":9},` + none + `},"x-item":3}},"x-root":1`,
		}, {
			"all methods, and what is said of an operation", `
paths:
  /a:
    get: {tags: [t], summary: s, description: d, externalDocs: {url: u}, operationId: o, deprecated: true, security: [{k: []}]}
    put: {}
    post: {}
    delete: {}
    options: {}
    head: {}
    patch: {}
    trace: {}
  /b: {$ref: '#/nowhere'}
`, `"paths":{"/a":{"get":{"tags":["t"],"summary":"s","description":"d","externalDocs":{"url":"u"},"operationId":"o",` + none +
				`,"deprecated":true,"security":[{"k":[]}]},"put":{` + none + `},"post":{` + none + `},"delete":{` + none + `},"options":{` + none +
				`},"head":{` + none + `},"patch":{` + none + `}},"/b":{}}`,
		}, {
			"parameters", `
paths:
  /a:
    parameters: [{$ref: '#/parameters/none'}, {name: f, in: formData, type: string}]
    get:
      parameters:
      - {name: p, in: path, type: array, collectionFormat: multi}
      - {name: q, in: query, description: d, required: true, allowEmptyValue: true, type: array, items: {type: string, format: f}, collectionFormat: ssv}
      - {name: h, in: header, required: false, allowEmptyValue: true, type: array, collectionFormat: pipes}
      - {name: r, in: query, type: array, collectionFormat: pipes, x-nullable: true}
      - {name: s, in: query, type: array, collectionFormat: tsv}
      - {name: t, in: query, type: array, collectionFormat: multi}
      - {name: n, in: query, type: number, format: f, default: 1, maximum: 2, exclusiveMaximum: true, minimum: 3, exclusiveMinimum: true, enum: [4], multipleOf: 5, items: {}}
      - {name: l, in: query, type: string, maxLength: 1, minLength: 2, pattern: p}
      - {name: m, in: query, type: array, maxItems: 1, minItems: 2, uniqueItems: true, schema: {$ref: '#/definitions/A'}}
      - {name: o, in: header, type: array, maxItems: 1, minItems: 2, uniqueItems: true}
      - {$ref: '#/parameters/a~1b%20c'}
      - {$ref: '#/parameters/a~1b%20c/x-more'}
definitions: {A: {type: array}}
parameters: {a/b c: {name: z, in: cookie, x-more: {name: y, in: header}}}
`, `"paths":{"/a":{"get":{"parameters":[` +
				`{"name":"p","in":"path","required":true,"schema":{"type":"array","items":{}}},` +
				`{"name":"q","in":"query","description":"d","required":true,"allowEmptyValue":true,"style":"spaceDelimited","explode":false,` +
				`"schema":{"type":"array","items":{"type":"string","format":"f"}}},` +
				`{"name":"h","in":"header","required":false,"schema":{"type":"array","items":{}}},` +
				`{"name":"r","in":"query","style":"pipeDelimited","explode":false,"schema":{"type":"array","items":{},"nullable":true}},` +
				`{"name":"s","in":"query","style":"form","explode":false,"schema":{"type":"array","items":{}}},` +
				`{"name":"t","in":"query","style":"form","explode":true,"schema":{"type":"array","items":{}}},` +
				`{"name":"n","in":"query","schema":{"type":"number","format":"f","default":1,"maximum":2,"exclusiveMaximum":true,"minimum":3,` +
				`"exclusiveMinimum":true,"enum":[4],"multipleOf":5,"items":{}}},` +
				`{"name":"l","in":"query","schema":{"type":"string","maxLength":1,"minLength":2,"pattern":"p"}},` +
				`{"name":"m","in":"query","style":"form","explode":false,"schema":{"$ref":"#/components/schemas/A"}},` +
				`{"name":"o","in":"header","schema":{"type":"array","maxItems":1,"minItems":2,"uniqueItems":true,"items":{}}},` +
				`{"$ref":"#/components/parameters/a_b_c"},{"name":"y","in":"header","schema":{}}],"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object",` +
				`"properties":{"f":{"type":"string"}}}}}},` + none + `}}},` +
				`"components":{"schemas":{"A":{"type":"array","items":{}}},"parameters":{"a_b_c":{"name":"z","in":"cookie","schema":{},"x-more":{"name":"y","in":"header"}}}}`,
		}, {
			"bodies", `
consumes: [application/x-www-form-urlencoded, multipart/form-data, text/csv]
paths:
  /a:
    parameters: [{name: f, in: formData, type: integer}, {name: g, in: formData, type: string, description: d}]
    get: {parameters: [{name: f, in: formData, type: string, required: true}]}
    put: {parameters: [{name: f, in: formData, type: file}]}
    post: {parameters: [{name: b, in: body, description: d, required: true, schema: {type: string}}]}
    patch: {consumes: [multipart/form-data, application/x-www-form-urlencoded], parameters: [{name: b, in: body}]}
    delete: {consumes: [text/csv], parameters: [{name: f, in: formData, type: file, required: true}]}
parameters: {b: {name: b, in: body}, f: {name: f, in: formData}}
`, `"paths":{"/a":{` +
				`"get":{"requestBody":{"content":{` +
				`"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"f":{"type":"string"},"g":{"type":"string","description":"d"}},"required":["f"]}},` +
				`"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string"},"g":{"type":"string","description":"d"}},"required":["f"]}}},"required":true},` + none + `},` +
				`"put":{"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string","format":"binary"},"g":{"type":"string","description":"d"}}}}}},` + none + `},` +
				`"post":{"requestBody":{"description":"d","content":{"text/csv":{"schema":{"type":"string"}}},"required":true},` + none + `},` +
				`"patch":{"requestBody":{"content":{"application/json":{}}},` + none + `},` +
				`"delete":{"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string","format":"binary"},` +
				`"g":{"type":"string","description":"d"}},"required":["f"]}}},"required":true},` + none + `}}}`,
		}, {
			"answers", `
produces: [text/csv, text/html]
paths:
  /a:
    get:
      responses:
        200: {description: d, schema: {type: string}, examples: {text/html: h, text/plain: p}}
        201: {examples: {text/html: h}}
        202: {schema: {type: file}}
        204: {}
        400: {$ref: '#/responses/A'}
        500: {$ref: '#/responses/None'}
        default: {$ref: '#/nowhere'}
    put: {produces: [application/xml], responses: {200: {schema: {}}}}
responses: {A: {schema: {}}}
`, `"paths":{"/a":{"get":{"responses":{` +
				`"200":{"description":"d","content":{"text/csv":{"schema":{"type":"string"}},"text/html":{"schema":{"type":"string"},"example":"h"},` +
				`"text/plain":{"schema":{"type":"string"},"example":"p"}}},` +
				`"201":{"description":"","content":{"text/html":{"example":"h"}}},` +
				`"202":{"description":"","content":{"text/csv":{"schema":{"type":"string","format":"binary"}},"text/html":{"schema":{"type":"string","format":"binary"}}}},` +
				`"204":{"description":""},"400":{"$ref":"#/components/responses/A"},"500":{},"default":{"description":""}}},` +
				`"put":{"responses":{"200":{"description":"","content":{"application/xml":{"schema":{}}}}}}}},` +
				`"components":{"responses":{"A":{"description":"","content":{"text/csv":{"schema":{}},"text/html":{"schema":{}}}}}}`,
		}, {
			"schemas", `
definitions:
  A: {type: array}
  B: {properties: [1], items: [2], additionalProperties: false, allOf: 3, discriminator: {}, x-nullable: false, title: t}
  C: {properties: {a: {$ref: '#/definitions/A/items/x'}, b: {$ref: '#/definitions/None'}, c: {$ref: '#/x-more/d'}}}
  D: {items: {type: file}, additionalProperties: {type: file}, allOf: [{type: file}, {$ref: '#/definitions/A'}], discriminator: k}
  E: {type: [string, integer, 'null']}
  F: {type: []}
  G: 1
  H: {$ref: '#/definitions/A~1b%3E/title'}
  A/b>: {title: {}}
  A_b_: {}
  A?b>: {}
  '': {}
x-more: {d: {type: file}}
`, `"paths":{},"components":{"schemas":{` +
				`"A":{"type":"array","items":{}},` +
				`"B":{"properties":[1],"items":[2],"additionalProperties":false,"allOf":3,"discriminator":{},"nullable":false,"title":"t"},` +
				`"C":{"properties":{"a":{},"b":{},"c":{"type":"string","format":"binary"}}},` +
				`"D":{"items":{"type":"string","format":"binary"},"additionalProperties":{"type":"string","format":"binary"},` +
				`"allOf":[{"type":"string","format":"binary"},{"$ref":"#/components/schemas/A"}],"discriminator":{"propertyName":"k"}},` +
				`"E":{"anyOf":[{"type":"string"},{"type":"integer"}],"nullable":true},"F":{},"G":1,` +
				`"H":{"$ref":"#/components/schemas/A_b__2/title"},"A_b__2":{"title":{}},"A_b_":{},"A_b__3":{},"_2":{}}},"x-more":{"d":{"type":"file"}}`,
		}, {
			"references that lead elsewhere: eight deep, and any number beside each other", `
definitions: {A: {$ref: '#/x-a'}, B: {allOf: [` + strings.TrimSuffix(strings.Repeat("{$ref: '#/x-b'},", 9), ",") + `]}}
x-a: {items: {$ref: '#/x-a'}}
x-b: {title: t}
`, `"paths":{},"components":{"schemas":{"A":` + strings.Repeat(`{"items":`, 8) + "{}" + strings.Repeat("}", 8) +
				`,"B":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"title":"t"},`, 9), ",") + `]}}},"x-a":{"items":{"$ref":"#/x-a"}},"x-b":{"title":"t"}`,
		}, {
			"names of components", `definitions: {"azAZ09.-_": {}, "a{": {}, "a@": {}, "a[": {}, "a/": {}, "a:": {}, "ä": {}}`,
			`"paths":{},"components":{"schemas":{"azAZ09.-_":{},"a_":{},"a__2":{},"a__3":{},"a__4":{},"a__5":{},"_":{}}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := compact(string(converted(t, "swagger: '2.0'\n"+tt.swagger).Root.JSON()))
			want := compact(`{"openapi":"3.0.3",` + tt.want + `}`)
			if got != want {
				split := func(text string) []string { return strings.SplitAfter(text, ",") }
				t.Errorf("(-want +got):\n%s", cmp.Diff(split(want), split(got)))
			}
		})
	}
}
