package client_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/render/client"
	"gatewright/render/rendertest"
)

// contractOf reads a contract.
func contractOf(t testing.TB, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read("openapi.json", []byte(text))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return d
}

// clientOf writes the client of the bookshop's API, with a contract or without.
func clientOf(t testing.TB, contract *openapi.Document) client.Client {
	t.Helper()
	b, shop := rendertest.Bookshop()
	client, problem := client.TypeScript(b, shop, client.Options{Command: "gatewright generate client shop --lang ts", Contract: contract})
	if problem != nil {
		t.Fatalf("%v", problem)
	}
	return client
}

func TestClientsAreWrittenAsTheGoldensHaveThem(t *testing.T) {
	rendertest.Golden(t, "client-paths.golden.ts", clientOf(t, nil).Text)
	rendertest.Golden(t, "client-contract.golden.ts", clientOf(t, contractOf(t, clientContract)).Text)
	rendertest.Golden(t, "client-swagger.golden.ts", clientOf(t, contractOf(t, swaggerContract)).Text)
}

// TestAClientThatWouldGrowWithoutEndIsRefused repeats a large answer in many operations.
func TestAClientThatWouldGrowWithoutEndIsRefused(t *testing.T) {
	var contract strings.Builder
	contract.WriteString(`{"openapi": "3.0.3", "components": {"responses": {"large": {"content": {"application/json": {"schema": {"const": "`)
	contract.WriteString(strings.Repeat("x", 1<<20) + `"}}}}}}, "paths": {"/": {"get": {}}`)
	for i := range 20 {
		fmt.Fprintf(&contract, `, "/%d": {"get": {"responses": {"200": {"$ref": "#/components/responses/large"}}}}`, i)
	}
	contract.WriteString("}}")
	b, shop := rendertest.Bookshop()
	_, problem := client.TypeScript(b, shop, client.Options{Contract: contractOf(t, contract.String())})
	if problem == nil || problem.Text != "its client would have more than 16777216 bytes" {
		t.Errorf("the client is refused with %v", problem)
	}
}

func TestWhatStandsBesideAReferenceCountsFromTheThirdVersionsFirstRevision(t *testing.T) {
	for version, want := range map[string]string{"3.0.3": "Book;", "3.1.0": "Book & { shelf: string };", "3.2.0": "Book & { shelf: string };"} {
		client := clientOf(t, contractOf(t, `{"openapi": "`+version+`", "paths": {}, "components": {"schemas": {"Book": {"type": "object", "properties": {"id": {"type": "string"}}},
			"Placed": {"$ref": "#/components/schemas/Book", "type": "object", "required": ["shelf"], "properties": {"shelf": {"type": "string"}}}}}}`))
		_, placed, _ := strings.Cut(string(client.Text), "export type Placed = ")
		if got := strings.Join(strings.Fields(placed), " "); !strings.HasPrefix(got, want) {
			t.Errorf("in %s it is %.80s, want %s", version, got, want)
		}
	}
}

func TestAPathThatTheGatewayCannotHaveGivesNoClient(t *testing.T) {
	b, shop := rendertest.Bookshop()
	shop.Paths[0].Name = "/{a}/{a"
	if _, problem := client.TypeScript(b, shop, client.Options{}); problem == nil {
		t.Error("a client is written")
	}
}

// clientContract has what schemas and parameters can say.
const clientContract = `
openapi: 3.0.3
info: {title: Books, version: "1"}
paths:
  /books:
    get:
      operationId: listBooks
      summary: List the books
      parameters:
        - {name: limit, in: query, description: How many at most, schema: {type: integer}}
        - {name: tag, in: query, schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {author: {type: string}}}}
        - {name: where, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: page-token, in: query, deprecated: true, schema: {}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: Accept, in: header, schema: {type: string}}
        - {name: session, in: cookie, schema: {type: string}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Book"}}}}}
        default: {description: error, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    post:
      operationId: add-book
      description: |
        Adds a book. */ alert(1) /*

        @ts-ignore
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}
        "202": {description: later, content: {application/json: {schema: {type: object, required: [job], properties: {job: {type: string}}}}}}
  /books/{isbn}:
    parameters:
      - {name: isbn, in: path, required: true, schema: {type: string}}
    get:
      operationId: getBook
      responses:
        "200": {description: ok, content: {application/xml: {}, application/json: {schema: {$ref: "#/components/schemas/Book"}}}}
        "204": {description: none}
    head:
      responses: {"200": {description: ok}}
    put:
      operationId: getBook
      deprecated: true
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      requestBody: {content: {application/merge-patch+json: {schema: {$ref: "#/components/schemas/Book"}}}}
      responses: {"204": {description: done}}
    delete:
      operationId: delete
      responses: {}
    options:
      responses: {"200": {description: CORS}}
    trace:
      responses: {"200": {description: ok}}
  /books/{isbn}/cover:
    get:
      operationId: cover
      responses: {"200": {description: ok, content: {image/png: {}}}}
    put:
      operationId: putCover
      requestBody: {content: {image/png: {}}}
      responses: {"204": {description: done}}
    post:
      operationId: uploadCover
      requestBody: {content: {multipart/form-data: {}}}
      responses: {"200": {description: ok, content: {text/plain: {}}}}
  /files/{proxy+}:
    get:
      responses: {"2XX": {description: ok, content: {"*/*": {}}}}
  /far:
    $ref: other.yaml
components:
  schemas:
    Book:
      type: object
      description: A book
      required: [isbn, title, id, secret]
      properties:
        id: {type: integer, readOnly: true}
        isbn: {type: string}
        title: {type: string, description: "The title\nof it"}
        secret: {type: string, writeOnly: true}
        kind: {type: string, enum: [novel, "it's", null], nullable: true}
        author: {$ref: "#/components/schemas/Author"}
        "printed-at": {type: string, format: date-time, deprecated: true}
        sizes: {type: array, items: {oneOf: [{type: number}, {type: string}]}}
        names: {type: object, additionalProperties: {type: string}}
        any: {}
        open: {type: object, properties: {a: {type: boolean}}, additionalProperties: {type: number}}
    Author:
      allOf:
        - $ref: "#/components/schemas/Person"
        - required: [name, books]
        - type: object
          properties:
            books: {type: array, items: {$ref: "#/components/schemas/Book"}}
    Person:
      description: |
        Somebody who writes books, or who is the friend of somebody who does so, and who can be reached at the address
        @example of the publisher.
      type: object
      properties: {name: {type: string}, friend: {$ref: "#/components/schemas/Person"}}
    Error: {type: object, properties: {message: {type: string}, status: {type: integer, enum: [1, -2]}}}
    Circle: {oneOf: [{$ref: "#/components/schemas/Circle"}, {type: string}]}
    Odd: {allOf: [{$ref: "#/components/schemas/Even"}, {type: object, properties: {odd: {type: boolean}}}]}
    Even: {allOf: [{$ref: "#/components/schemas/Odd"}, {type: object, properties: {even: {type: boolean}}}]}
    Tree: {type: array, items: {$ref: "#/components/schemas/Tree"}}
    Promise: {type: string}
    Far: {$ref: "other.yaml#/Far"}
    book-list: {$ref: "#/components/schemas/Tree"}
`

const swaggerContract = `
swagger: "2.0"
info: {title: Books}
consumes: [application/json]
produces: [application/json]
paths:
  /books/{id}:
    post:
      operationId: update.book
      parameters:
        - {name: id, in: path, required: true, type: integer}
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: body, in: body, required: true, schema: {$ref: "#/definitions/Book"}}
      responses: {200: {description: ok, schema: {$ref: "#/definitions/Book"}}}
    x-amazon-apigateway-any-method:
      responses: {200: {description: ok}}
  /upload:
    post:
      consumes: [multipart/form-data]
      parameters: [{name: file, in: formData, type: file}]
      responses: {200: {description: ok, schema: {type: file}}}
    put:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: name, in: formData, type: string}]
      responses: {200: {description: ok}}
definitions:
  Book: {type: object, properties: {id: {type: integer, x-nullable: true}}}
`
