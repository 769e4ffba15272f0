package convert_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/check"
	"gatewright/internal/openapi/convert"
)

// swagger is a document with what Swagger 2.0 has otherwise than OpenAPI 3.0.
const swagger = `
swagger: '2.0'
info: {title: shop, version: '1'}
basePath: /v1
consumes: [application/json]
produces: [application/json]
tags: [{name: books, description: All about books}]
paths:
  /books:
    parameters: [{$ref: '#/parameters/trace'}, {$ref: '#/parameters/limit'}]
    get:
      summary: All books
      tags: [books]
      operationId: listBooks
      parameters:
        - {name: tag, in: query, type: array, items: {type: string, maxLength: 3}, collectionFormat: multi}
        - {name: id, in: query, type: array, items: {type: integer}}
        - {name: sort, in: query, type: string, enum: [asc, desc], default: asc}
      responses:
        '200':
          description: the books
          headers: {X-Total: {type: integer, description: how many}}
          schema: {type: array, items: {$ref: '#/definitions/Book<Full>'}}
          examples: {application/json: [{title: Emma}]}
        default: {$ref: '#/responses/Problem'}
    post:
      parameters: [{$ref: '#/parameters/book'}]
      responses: {'201': {description: made, schema: {$ref: '#/definitions/Book<Full>'}}}
    put:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: title, in: formData, type: string, required: true}, {name: pages, in: formData, type: integer}]
      responses: {'204': {description: done}}
  /books/{isbn}/cover:
    parameters: [{name: isbn, in: path, required: true, type: string, pattern: '^[0-9]+$'}]
    put:
      parameters: [{name: picture, in: formData, type: file, required: true}, {name: note, in: formData, type: string}]
      responses: {'204': {description: done}}
    get:
      produces: [text/plain]
      responses: {'200': {description: a text, schema: {type: string}}}
  /copies:
    get:
      responses: {'200': {description: as books, schema: {$ref: '#/paths/~1books/get/responses/200/schema'}}}
parameters:
  trace: {name: X-Trace, in: header, type: string, required: true}
  limit: {name: limit, in: query, type: integer, minimum: 1, maximum: 10, exclusiveMaximum: true}
  book: {name: book, in: body, required: true, schema: {$ref: '#/definitions/Book<Full>'}}
responses:
  Problem: {description: it failed, schema: {$ref: '#/definitions/Problem'}}
definitions:
  Problem: {type: object, required: [message], properties: {message: {type: string}}}
  Book<Full>:
    type: object
    discriminator: kind
    required: [title]
    properties:
      title: {type: string, minLength: 1}
      kind: {type: string}
      price: {type: number, x-nullable: true}
      cover: {type: [string, 'null']}
      gone: {type: 'null'}
      mixed: {type: [string, integer]}
      sequel: {$ref: '#/definitions/Book<Full>'}
      kinds: {type: object, additionalProperties: {$ref: '#/definitions/Problem'}}
    allOf: [{type: object, properties: {pages: {type: integer}}}]
`

func read(t *testing.T, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read("spec.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func converted(t *testing.T, text string) *openapi.Document {
	t.Helper()
	d, err := convert.FromSwagger(read(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADocumentOfSwaggerSaysTheSameInOpenAPI3(t *testing.T) {
	t.Parallel()
	got := strings.Join(strings.Fields(string(converted(t, swagger).Root.JSON())), " ")
	for _, want := range []string{
		`"openapi": "3.0.3"`, `"tags": [ {"name": "books", "description": "All about books"} ]`,
		`"$ref": "#/components/parameters/trace"`,
		`"summary": "All books"`,
		`"style": "form", "explode": true`,
		`"$ref": "#/components/schemas/Book_Full_"`,
		`"$ref": "#/components/responses/Problem"`,
		`"X-Total": { "description": "how many", "schema": {"type": "integer"} }`,
		`"example": [ {"title": "Emma"} ]`,
		`"multipart/form-data": {`, `"application/x-www-form-urlencoded": {`, `"format": "binary"`, `"text/plain": {`,
		`"discriminator": {"propertyName": "kind"}`,
		`"price": { "type": "number", "nullable": true }`, `"cover": { "type": "string", "nullable": true }`,
		`"gone": { "enum": [null], "nullable": true }`, `"mixed": { "anyOf": [ {"type": "string"}, {"type": "integer"} ] }`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	for _, unwanted := range []string{"#/definitions", "#/paths", `"formData"`, `"in": "body"`, "collectionFormat", "x-nullable", "consumes", "basePath", `"type": "file"`} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%s is in\n%s", unwanted, got)
		}
	}
}

func TestRequestsAndAnswersBreakBothInTheSameWay(t *testing.T) {
	t.Parallel()
	before, after := check.New(read(t, swagger)), check.New(converted(t, swagger))
	header := http.Header{"X-Trace": {"1"}, "Content-Type": {"application/json"}}
	formed := http.Header{"X-Trace": {"1"}, "Content-Type": {"application/x-www-form-urlencoded"}}
	type sent struct {
		method, path, query string
		header              http.Header
		body                string
		status              int
		answer, mediaType   string
		breaks              bool
	}
	for _, s := range []sent{
		{"GET", "/books", "tag=a&tag=b&id=1,2&sort=asc&limit=9", header, "", 200, `[{"title": "Emma", "price": null}]`, "application/json", false},
		{"GET", "/books", "tag=long", header, "", 200, `[]`, "application/json", true},
		{"GET", "/books", "id=1,x", header, "", 200, `[]`, "application/json", true},
		{"GET", "/books", "sort=up&limit=10", header, "", 200, `[]`, "application/json", true},
		{"GET", "/books", "", http.Header{}, "", 200, `[]`, "application/json", true},
		{"GET", "/books", "", header, "", 200, `[{"title": ""}, {"title": "x", "price": "5", "pages": 1.5}]`, "application/json", true},
		{"GET", "/books", "", header, "", 200, `[{"title": "x", "sequel": {"kinds": {"a": {}}}}]`, "application/json", true},
		{"GET", "/books", "", header, "", 200, `[{"title": "x", "cover": null, "gone": null, "mixed": 1}]`, "application/json", false},
		{"GET", "/books", "", header, "", 500, `{"message": "x"}`, "application/json", false},
		{"GET", "/books", "", header, "", 500, `{}`, "application/json", true},
		{"POST", "/books", "", header, `{"title": "Emma"}`, 201, `{"title": "Emma"}`, "application/json", false},
		{"POST", "/books", "", header, `{}`, 201, `{"title": "Emma"}`, "application/json", true},
		{"POST", "/books", "", header, ``, 404, `{}`, "application/json", true},
		{"PUT", "/books", "", formed, `title=x&pages=1`, 204, ``, "", false},
		{"PUT", "/books", "", formed, `pages=one`, 204, ``, "", true},
		{"GET", "/books/12/cover", "", http.Header{}, "", 200, "text", "text/plain", false},
		{"GET", "/books/x/cover", "", http.Header{}, "", 200, "{}", "application/json", true},
		{"GET", "/copies", "", http.Header{}, "", 200, `[{}]`, "application/json", true},
	} {
		query, err := url.ParseQuery(s.query)
		if err != nil {
			t.Fatal(err)
		}
		r := check.Request{Method: s.method, Path: s.path, Query: query, Header: s.header, Body: []byte(s.body)}
		a := check.Answer{Status: s.status, Header: http.Header{"X-Total": {"1"}}, Body: []byte(s.answer)}
		if s.mediaType != "" {
			a.Header.Set("Content-Type", s.mediaType)
		}
		of := func(c *check.Contract) (texts []string) {
			for _, f := range append(c.Request(r), c.Answer(r, a)...) {
				texts = append(texts, f.Where+" "+f.Text)
			}
			slices.Sort(texts)
			return texts
		}
		was, now := of(before), of(after)
		if !slices.Equal(was, now) || (len(now) > 0) != s.breaks {
			t.Errorf("%s %s?%s %s -> %d %s: breaks\n%q in Swagger,\n%q in OpenAPI 3", s.method, s.path, s.query, s.body, s.status, s.answer, was, now)
		}
	}
}

func TestADocumentThatRefersInCirclesEnds(t *testing.T) {
	t.Parallel()
	d := converted(t, `
swagger: '2.0'
info: {title: shop, version: '1'}
paths:
  /a: {get: {responses: {'200': {description: a, schema: {type: object, properties: {x: {$ref: '#/paths/~1a/get/responses/200/schema'}, y: {$ref: '#/paths/~1a/get/responses/200/schema'}}}}}}}
  /b: {$ref: '#/paths/~1b'}
definitions: {A: {$ref: '#/definitions/B'}, B: {$ref: '#/definitions/A'}, C: {$ref: 'https://example.com/c'}}
`)
	if len(d.Root.JSON()) > 1<<20 {
		t.Errorf("the document has %d bytes", len(d.Root.JSON()))
	}
}
