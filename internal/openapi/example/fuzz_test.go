package example_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/example"
)

// FuzzOf makes the examples of any document. Nothing may panic or take long, a body that is
// made is small, and one of JSON is JSON.
func FuzzOf(f *testing.F) {
	for _, schema := range []string{
		`{type: object, required: [a], properties: {a: {$ref: '#/paths'}, b: {oneOf: [{type: string}, {if: {}, then: false}]}}}`,
		`{type: array, minItems: 3, uniqueItems: true, contains: {const: 1}, prefixItems: [{}]}`,
		`{type: string, pattern: '^(a|[^b]){3,1e9}$', minLength: 1e9}`,
		`{type: number, multipleOf: 1e-300, minimum: 1e300, exclusiveMaximum: true}`,
		`&a {allOf: [{$ref: '#/paths/~1/get/responses/200/content/application~1json/schema'}], minProperties: 5, propertyNames: {maxLength: 2}}`,
	} {
		f.Add([]byte("openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: " + schema + "}}}}}}}"))
	}
	f.Add([]byte(`{"swagger": "2.0", "produces": ["text/plain"], "paths": {"/": {"get": {"responses": {"default": {"schema": {"type": "file"}, "examples": {"a": 0x1F}}}}}}}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		d, err := openapi.Read("f", document)
		if err != nil {
			return
		}
		for _, item := range d.Items {
			for _, o := range item.Operations {
				a, err := example.Of(d, o)
				if err != nil {
					if strings.ContainsAny(err.Error(), "\n\x1b") {
						t.Errorf("%q", err)
					}
					continue
				}
				if a.Status < 100 || a.Status > 599 || a.Generated && len(a.Body) > example.Largest {
					t.Errorf("%d with %d bytes", a.Status, len(a.Body))
				}
				if a.ContentType == "application/json" && !json.Valid(a.Body) {
					t.Errorf("%q is no JSON", a.Body)
				}
			}
		}
	})
}
