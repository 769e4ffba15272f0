package openapi_test

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	document "gatewright/render/openapi"
	"gatewright/render/rendertest"
)

const bookContract = `{
  "openapi": "3.0.3",
  "info": {"title": "Books", "version": "7", "description": "All books."},
  "security": [{"key": []}],
  "tags": [{"name": "catalogue", "description": "What there is"}],
  "paths": {
    "/books": {
      "get": {"operationId": "listBooks", "summary": "List the books", "tags": ["catalogue"], "security": [],
        "responses": {"200": {"description": "The books", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Books"}}}}}},
      "delete": {"operationId": "dropBooks", "responses": {"204": {"description": "Gone"}}},
      "options": {"responses": {"200": {"description": "CORS"}}}
    },
    "/books/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"operationId": "getHealth", "description": "One book.", "responses": {"200": {"description": "The book"}, "403": {"description": "Not yours"}}}
    },
    "/elsewhere": {"get": {"operationId": "elsewhere", "responses": {"200": {"description": "ok"}}}}
  },
  "components": {
    "schemas": {"Books": {"type": "array", "items": {"type": "string"}}, "Refusal": {"type": "string"}},
    "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
  }
}`

// TestTheContractSaysWhatAnOperationIsAndAccessWhoMayCallIt writes the bookshop with a contract
// that knows the path /books and not /health.
func TestTheContractSaysWhatAnOperationIsAndAccessWhoMayCallIt(t *testing.T) {
	b, shop := rendertest.Bookshop()
	shop.Paths = slices.Delete(shop.Paths, 1, 2)
	contract, err := openapi.Read("openapi.json", []byte(bookContract))
	if err != nil {
		t.Fatal(err)
	}
	d := documentOf(t, b, shop, document.Options{Flavour: document.Docs, Version: document.ContractVersion(contract), Command: "again", Contract: contract})
	checkDocument(t, d)
	var operations []string
	for _, item := range d.Items {
		for _, o := range item.Operations {
			operations = append(operations, o.Method+" "+item.Name+" "+o.ID)
		}
	}
	want := []string{
		"GET /books listBooks", "DELETE /books dropBooks", "GET /books/{id} getHealth",
		"GET /health getHealth_", "POST /health postHealth_", "PUT /health putHealth_", "PATCH /health patchHealth_", "DELETE /health deleteHealth_",
	}
	for i, o := range operations[:min(len(want), len(operations))] {
		if len(o) < len(want[i]) || o[:len(want[i])] != want[i] {
			t.Errorf("operation %d is %s, want %s", i, o, want[i])
		}
	}
	for _, one := range []struct {
		path string
		want string
	}{
		{"/paths/~1books/get/summary", "List the books"},
		{"/paths/~1books/get/description", "Who may call it: guests, signed-in users and members of Editors, but not members of \"Interns of 2026\"."},
		{"/paths/~1books/delete/description", "Who may call it: members of Editors."},
		{"/paths/~1books/get/responses/403/$ref", "#/components/responses/GatewayRefusal"},
		{"/paths/~1books~1{id}/get/description", "One book.\n\nWho may call it: guests, signed-in users and members of Editors, but not members of \"Interns of 2026\"."},
		{"/paths/~1books~1{id}/get/responses/403/description", "Not yours"},
		{"/components/schemas/Books/type", "array"},
		{"/components/schemas/Refusal/type", "string"},
		{"/components/schemas/GatewayRefusal/type", "object"},
		{"/info/title", "Books"},
		{"/info/version", "7"},
		{"/tags/0/description", "What there is"},
	} {
		if n := at(d, one.path); n != one.want {
			t.Errorf("%s is %q, want %q", one.path, n, one.want)
		}
	}
	for name := range d.Schemes {
		if name != "sigv4" {
			t.Errorf("the scheme %s of the contract is written", name)
		}
	}
	for _, item := range d.Items {
		for _, o := range item.Operations {
			if of := d.Extension(item, openapi.ExtensionPath).Text; o.Public != (of == "/health") {
				t.Errorf("%s %s: public is %v", o.Method, item.Name, o.Public)
			}
		}
	}
}

// TestAContractIsNotAskedWhereAnAPIIsNorWhoIsRefused has an operation that everybody may call,
// one that says that it is elsewhere, and two paths of one shape.
func TestAContractIsNotAskedWhereAnAPIIsNorWhoIsRefused(t *testing.T) {
	b, shop := rendertest.Bookshop()
	shop.Paths = slices.Delete(shop.Paths, 1, 2)
	const operation = `{"servers": [{"url": "https://elsewhere.example"}], "security": [{"key": []}], "x-amazon-apigateway-integration": {"type": "mock"}, "x-own": "kept", "responses": {"200": {"description": "ok"}}}`
	contract, err := openapi.Read("openapi.json", []byte(`{"openapi": "3.0.3", "info": {"title": "Books", "version": "7"}, "paths": {"/health": {"get": `+operation+`}, "/books": {"get": `+operation+`}, "/books/{id}": {"get": `+operation+`}, "/books/{isbn}": {"get": `+operation+`}}}`))
	if err != nil {
		t.Fatal(err)
	}
	d := documentOf(t, b, shop, document.Options{Flavour: document.Docs, Version: document.ContractVersion(contract), Command: "again", Contract: contract})
	for pointer, want := range map[string]bool{
		"/paths/~1health/get/responses/200":                  true,
		"/paths/~1health/get/responses/403":                  false,
		"/paths/~1books/get/responses/403":                   true,
		"/paths/~1books~1{id}/get/x-own":                     true,
		"/paths/~1books~1{isbn}":                             false,
		"/paths/~1books/get/servers":                         false,
		"/paths/~1books/get/x-amazon-apigateway-integration": false,
		"/paths/~1health/get/servers":                        false,
		"/paths/~1books/get/x-own":                           true,
	} {
		if got := at(d, pointer) != "nothing"; got != want {
			t.Errorf("%s is written: %v", pointer, got)
		}
	}
}

// at returns the text at a JSON pointer of a document.
func at(d *openapi.Document, pointer string) string {
	n := d.Root
	for token := range jsontext.Pointer(pointer).Tokens() {
		if n != nil && n.Kind == cfn.List {
			n = n.Items[0]
			continue
		}
		n = n.Get(token)
	}
	if n == nil {
		return "nothing"
	}
	return n.Text
}
