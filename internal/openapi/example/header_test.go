package example_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gatewright/internal/openapi/check"
	"gatewright/internal/openapi/example"
)

func TestAnAnswerHasTheHeadersThatItMustHaveAndThoseWithExamples(t *testing.T) {
	t.Parallel()
	for headers, want := range map[string]string{
		`{X-N: {required: true, schema: {type: integer, minimum: 3}}}`:                                                               "X-N: 3",
		`{X-N: {schema: {type: integer}}}`:                                                                                           "",
		`{Location: {example: /books/1}}`:                                                                                            "Location: /books/1",
		`{Retry-After: {schema: {type: integer, default: 7}}}`:                                                                       "Retry-After: 7",
		`{X-List: {examples: {a: {value: [1, true, b]}}}}`:                                                                           "X-List: 1,true,b",
		`{X-Object: {example: {a: 1}}, X-Null: {example: null}}`:                                                                     "",
		`{X-A: {example: "a\r\nX-B: b"}, "X C": {example: a}, X-D: {example: "é"}, X-E: {example: " a"}}`:                            "",
		`{Content-Type: {example: a}, content-length: {example: 1}, Transfer-Encoding: {example: chunked}}`:                          "",
		`{Content-Encoding: {example: gzip}, Connection: {example: close}}`:                                                          "",
		`{X-Never: {required: true, schema: false}}`:                                                                                 "",
		`{X-Long: {example: ` + strings.Repeat("a", 2000) + `}}`:                                                                     "",
		`{X-Elsewhere: {$ref: 'other.yaml'}, X-Here: {$ref: '#/paths/~1/get/responses/200/headers/X-There'}, X-There: {example: a}}`: "X-Here: a\nX-There: a",
	} {
		d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {headers: "+headers+"}}}}}")
		a, err := example.Of(d, d.Items[0].Operations[0])
		var lines []string
		header := make(http.Header)
		for _, h := range a.Headers {
			lines = append(lines, h.Name+": "+h.Value)
			header.Add(h.Name, h.Value)
		}
		if got := strings.Join(lines, "\n"); got != want || err != nil {
			t.Errorf("%s: %q, want %q; %v", headers, got, want, err)
		}
		broken := check.New(d).Answer(check.Request{Method: "GET", Path: "/"}, check.Answer{Status: 200, Header: header})
		if len(broken) > 0 && !strings.Contains(headers, "X-Never") {
			t.Errorf("%s: the example breaks its contract: %v", headers, broken)
		}
	}
}

func TestAnExampleHasTheNameThatItsDiscriminatorAsksFor(t *testing.T) {
	t.Parallel()
	const schemas = `
components:
  schemas:
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}
    Dog: {type: object, required: [kind], properties: {kind: {enum: [dog]}}}
    Shown: {type: object, required: [kind], properties: {kind: {type: string}}, example: {kind: mine}}
    a/b: {type: object, required: [kind], properties: {kind: {type: string}}}
`
	for choice, want := range map[string]string{
		`oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}`:                  "Cat",
		`oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {meow: Cat}}`:                                "meow",
		`anyOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {x: Dog, purr: '#/components/schemas/Cat'}}`: "purr",
		`oneOf: [{$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}`:                                                      "dog",
		`oneOf: [{$ref: '#/components/schemas/Shown'}], discriminator: {propertyName: kind}`:                                                    "mine",
		`oneOf: [{$ref: '#/components/schemas/a~1b'}], discriminator: {propertyName: kind}`:                                                     "a/b",
		`oneOf: [{type: object, required: [kind], properties: {kind: {type: string}}}], discriminator: {propertyName: kind}`:                    "string",
		`oneOf: [{$ref: '#/components/schemas/Cat'}]`:                                                                                           "string",
	} {
		for _, version := range []string{"3.0.3", "3.1.0"} {
			d := read(t, "openapi: "+version+"\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: {"+choice+"}}}}}}}}"+schemas)
			if got, want := compact(of(t, d)), fmt.Sprintf(`made 200 application/json {"kind":%q}`, want); got != want {
				t.Errorf("%s: %s, want %s", choice, got, want)
			}
		}
	}
}
