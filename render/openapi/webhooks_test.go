package openapi_test

import (
	"bytes"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	document "gatewright/render/openapi"
	"gatewright/render/rendertest"
)

const webhookContract = `{
  "openapi": "VERSION",
  "info": {"title": "Books", "version": "7"},
  "externalDocs": {"url": "https://example.com/books", "description": "All of it"},
  "paths": {"/books": {"get": {"operationId": "listBooks", "responses": {"200": {"description": "The books"}}}}},
  "webhooks": {
    "arrived": {
      "summary": "A book arrived", "description": "At any time", "x-of": "us", "servers": [{"url": "https://example.com"}],
      "parameters": [{"name": "X-Id", "in": "header", "schema": {"type": "string"}}],
      "query": {"responses": {}},
      "post": {"operationId": "getHealth", "tags": ["news"], "security": [{"key": []}], "x-amazon-apigateway-integration": {},
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}}, "responses": {"204": {"description": "Thanks"}}}
    },
    "again": {"post": {"operationId": "listBooks", "responses": {"204": {"description": "Thanks"}}}},
    "elsewhere": {"post": {"responses": {"200": {"$ref": "#/paths/~1gone/get/responses/200"}}}}
  },
  "components": {"schemas": {"Book": {"type": "string"}}, "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
}`

func TestWebhooksAndLinksOfAContractComeAlong(t *testing.T) {
	b, shop := rendertest.Bookshop()
	write := func(version string) (*cfn.Node, *openapi.Document) {
		contract, err := openapi.Read("openapi.json", []byte(strings.Replace(webhookContract, "VERSION", version, 1)))
		if err != nil {
			t.Fatal(err)
		}
		options := document.Options{Flavour: document.Docs, Version: document.ContractVersion(contract), Command: "again", Contract: contract}
		node, problem := document.Write(b, shop, options)
		if problem != nil {
			t.Fatal(problem)
		}
		d := documentOf(t, b, shop, options)
		checkDocument(t, d)
		return node, d
	}
	node, d := write("3.1.0")
	for pointer, want := range map[string]string{
		"/externalDocs/url":                              "https://example.com/books",
		"/webhooks/arrived/summary":                      "A book arrived",
		"/webhooks/arrived/description":                  "At any time",
		"/webhooks/arrived/x-of":                         "us",
		"/webhooks/arrived/servers/0/url":                "https://example.com",
		"/webhooks/arrived/parameters/0/name":            "X-Id",
		"/webhooks/arrived/post/operationId":             "getHealth",
		"/webhooks/arrived/post/tags/0":                  "news",
		"/webhooks/arrived/post/security":                "nothing",
		"/webhooks/arrived/query":                        "nothing",
		"/webhooks/again/post/operationId":               "nothing",
		"/webhooks/again/post/responses/204/description": "Thanks",
		"/webhooks/elsewhere":                            "nothing",
		"/paths/~1books/get/operationId":                 "listBooks",
	} {
		if got := at(d, pointer); got != want {
			t.Errorf("%s is %q, want %q", pointer, got, want)
		}
	}
	if at(d, "/webhooks/arrived/post/x-amazon-apigateway-integration") != "nothing" {
		t.Error("an integration of the gateway comes along")
	}
	if at(d, "/paths/~1health/get/operationId") == "getHealth" {
		t.Error("two operations have the name getHealth")
	}
	if again, _ := write("3.1.0"); !bytes.Equal(node.JSON(), again.JSON()) {
		t.Error("writing it again gives other bytes")
	}
	if _, old := write("3.0.3"); old.Root.Get("webhooks") != nil || at(old, "/externalDocs/url") != "https://example.com/books" {
		t.Error("version 3.0 has webhooks, or no link")
	}
	if _, next := write("3.2.0"); next.Root.Get("webhooks", "arrived", "post") == nil {
		t.Error("the webhooks of a contract of version 3.2 are gone")
	}
}
