package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/openapi"
)

func read(t *testing.T, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read("api.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return d
}

const books = `openapi: 3.1.0
info: {title: Book shop, version: "1"}
x-gatewright-api: shop
servers: [{url: https://example.com/v1}]
security: [{key: []}]
paths:
  /books:
    get: {operationId: list, security: [{}, {key: []}]}
    post: {summary: Add one}
  /books/{isbn}:
    $ref: '#/components/pathItems/book'
  /news:
    get: {security: []}
components:
  pathItems:
    book:
      delete: {security: [{key: [], token: [a, b]}]}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
`

func TestADocumentHasItsPathsOperationsAndSecurity(t *testing.T) {
	t.Parallel()
	d := read(t, books)
	if d.Version != "3.1.0" || d.Title != "Book shop" || d.Label != "shop" || strings.Join(d.Servers, " ") != "https://example.com/v1" {
		t.Errorf("%q %q %q %q", d.Version, d.Title, d.Label, d.Servers)
	}
	var got []string
	for _, item := range d.Items {
		for _, o := range item.Operations {
			got = append(got, fmt.Sprintf("%s %s %v %v %d:%d", o.Method, item.Name, o.Public, o.Security, o.Line, o.Column))
		}
	}
	want := []string{
		"GET /books true [{[key] [[]]}] 8:5",
		"POST /books false [{[key] [[]]}] 9:5",
		"DELETE /books/{isbn} false [{[key token] [[] [a b]]}] 17:7",
		"GET /news true [] 13:5",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := d.Schemes["key"]; s == nil || s.Describe() != "an API key" || s.In != "header" || s.Parameter != "X-Key" || s.Line != 19 {
		t.Errorf("the scheme is %+v", s)
	}
}

func TestWhatIsNoDocumentIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"openapi: 3.0.0\npaths: [a]":                            "api.yaml:2:8: paths is a list; write a map of paths",
		"openapi: 3.0.0\npaths: {/a: b}":                        "api.yaml:2:9: the path /a is a text",
		"openapi: 3.0.0\npaths: {/a: {get: b}}":                 "api.yaml:2:14: the operation get is a text",
		"openapi: 3.0.0\npaths: {/a: {get: {security: {}}}}":    "api.yaml:2:30: security is a map; write a list of maps",
		"openapi: 3.0.0\nsecurity: [a]\npaths: {/a: {get: {}}}": "api.yaml:2:12: an alternative of security is a text",
		"openapi: 3.0.0\npaths:\n  /a: {}\n  /a: {}":            `api.yaml:4:3: the name "/a" comes twice here`,
		"openapi: 4.0.0":   "api.yaml:1:10: the version 4.0.0 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2",
		"swagger: '1.2'":   "api.yaml:1:10: the version 1.2 is not read",
		"info: {}":         "api.yaml:1:1: has no key openapi or swagger",
		"[]":               "a document is a map with the key openapi or swagger, this is a list",
		"":                 "api.yaml:1:1: the document is empty",
		"{\"openapi\": ":   "the document ends in the middle of a value",
		"openapi: &a [*a]": "more than 500 nested lists and maps",
		"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]": "more than 3000000 values, with what its aliases repeat",
		strings.Repeat(" ", 16<<20) + "x": "has more than 16777216 bytes; give a smaller file",
	} {
		_, err := openapi.Read("api.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.200s\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestSecurityThatCannotBeReadClosesAnOperation(t *testing.T) {
	t.Parallel()
	for _, rest := range []string{
		"paths: {/a: {get: {security: [{unknown: []}]}}}",
		"security: [{unknown: []}]\npaths: {/a: {get: {security: }}}",
		"paths: {/a: {get: {x-amazon-apigateway-auth: {type: AWS_IAM}}}}",
		"x-amazon-apigateway-policy: {Version: 2012-10-17}\npaths: {/a: {get: {}}}",
		"x-amazon-apigateway-endpoint-configuration: {vpcEndpointIds: [a]}\npaths: {/a: {get: {security: []}}}",
		"paths: {/a: {parameters: [{name: authorization, in: header, required: true}], get: {}}}",
	} {
		for _, o := range read(t, "openapi: 3.0.0\n"+rest).Items[0].Operations {
			if o.Public {
				t.Errorf("%s is public in %s", o.Method, rest)
			}
		}
	}
}

func TestReferencesThatLeadNowhereAreSaid(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"other.yaml#/a":    "other.yaml#/a is in another document, which is not read",
		"#/paths/~1none":   "#/paths/~1none does not exist",
		"#/components/a":   "#/components/a leads in a circle",
		"http://a.b/c":     "http://a.b/c is in another document, which is not read",
		"#/components/%zz": "#/components/%zz does not exist",
	} {
		d := read(t, "openapi: 3.0.0\npaths: {/a: {$ref: '"+to+"'}}\ncomponents: {a: {$ref: '#/components/b'}, b: {$ref: '#/components/a'}}")
		if err := d.Items[0].Unread; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", to, err, want)
		}
	}
}

func TestParametersBodiesAndAnswersAreTheSameInBothFormats(t *testing.T) {
	t.Parallel()
	three := read(t, `openapi: 3.0.0
paths:
  /a/{id}:
    parameters: [{$ref: '#/components/parameters/id'}, {name: q, in: query}]
    put:
      parameters: [{name: q, in: query, required: true}]
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: good, content: {application/json: {schema: {type: string}, examples: {a: {value: x}}}}}}
components: {parameters: {id: {name: id, in: path, required: true, schema: {type: string}}}}
`)
	two := read(t, `swagger: 2.0
consumes: [application/json]
paths:
  /a/{id}:
    parameters: [{$ref: '#/parameters/id'}, {name: q, in: query}]
    put:
      parameters: [{name: q, in: query, required: true}, {name: b, in: body, required: true, schema: {type: object}}]
      responses: {'200': {description: good, schema: {type: string}, examples: {application/json: x}}}
parameters: {id: {name: id, in: path, required: true, type: string}}
`)
	want := "q:query:true id:path:true | true application/json object | 200 good application/json string x"
	for _, d := range []*openapi.Document{three, two} {
		o := d.Items[0].Operations[0]
		var parts []string
		for _, p := range d.Parameters(o) {
			parts = append(parts, fmt.Sprintf("%s:%s:%v", p.Name, p.In, p.Required))
		}
		body := d.Body(o)
		parts = append(parts, "|", fmt.Sprint(body.Required), body.Contents[0].MediaType, body.Contents[0].Schema.Get("type").Text, "|")
		for _, a := range d.Answers(o) {
			parts = append(parts, a.Status, a.Description, a.Contents[0].MediaType, a.Contents[0].Schema.Get("type").Text, a.Contents[0].Example.Text)
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", d.Version, got, want)
		}
	}
}

func TestParametersAndMediaTypesOfSwagger(t *testing.T) {
	t.Parallel()
	d := read(t, `swagger: 2.0
consumes: [text/csv]
produces: [application/xml, text/html]
paths:
  /a:
    parameters: [{name: q, in: query, description: of all}, {name: r, in: query, type: integer}, {name: b, in: body, schema: {type: string}}]
    get:
      produces: [text/plain]
      parameters: [{name: q, in: query, description: own}, {name: q, in: header}, {name: f, in: formData}, {in: query}, {$ref: '#/nowhere'}]
      responses: {200: {schema: {type: string}, examples: {text/plain: x, text/html: y}}, 201: {examples: {text/plain: z}}, 204: {description: none}}
    put:
      responses: {200: {schema: {type: string}, examples: {text/html: y}}}
`)
	var got []string
	for _, o := range d.Items[0].Operations {
		for _, p := range d.Parameters(o) {
			got = append(got, fmt.Sprintf("%s in %s %s %v", p.Name, p.In, p.Description, p.Schema.Get("type") != nil))
		}
		of := func(what string, contents []openapi.Content) {
			for _, c := range contents {
				text := "none"
				if c.Example != nil {
					text = c.Example.Text
				}
				what += " " + c.MediaType + "=" + text
			}
			got = append(got, what)
		}
		of("body", d.Body(o).Contents)
		for _, a := range d.Answers(o) {
			of(a.Status, a.Contents)
		}
	}
	want := []string{
		"q in query own false", "q in header  false", "r in query  true", "body text/csv=none", "200 text/plain=x", "201 text/plain=z", "204",
		"q in query of all false", "r in query  true", "body text/csv=none", "200 application/xml=none text/html=y",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFunctionsAreFoundInTheAddressesOfIntegrations(t *testing.T) {
	t.Parallel()
	const start = "arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/"
	for uri, want := range map[string]string{
		start + "arn:aws:lambda:eu-west-1:123456789012:function:books/invocations":      "books",
		start + "arn:aws:lambda:eu-west-1:123456789012:function:books:live/invocations": "books",
		start + "${Books.Arn}/invocations":                                              "Books",
		start + "${Books.Arn/invocations":                                               "",
		start + "a.b/invocations":                                                       "",
		start + "books/invocations":                                                     "books",
		start + "${stageVariables.fn}/invocations":                                      "",
		"https://example.com":                                                           "",
	} {
		d := read(t, "openapi: 3.0.1\npaths: {/a: {x-amazon-apigateway-any-method: {x-amazon-apigateway-integration: {type: AWS_PROXY, uri: '"+uri+"'}}}}")
		o := d.Items[0].Operations[0]
		if o.Method != openapi.AnyMethod || o.Integration.Type != "aws_proxy" || o.Integration.Function != want {
			t.Errorf("%s: %+v, want the function %q", uri, o.Integration, want)
		}
	}
}

func TestDocumentsAreRecognisedByTheirKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"openapi": "3.0.0"}`: true, "openapi: 3.0.0": true, "info:\n  a: b\nswagger : '2.0'": true, "\"swagger\": a": true, "# x\nopenapi: a": true, "\ufeffopenapi: a": true,
		`{"version": 1, "paths": {"/openapi": {}}}`: false, "notopenapi: a": false, "": false, "a: openapi\n": false,
	} {
		if openapi.Is([]byte(text)) != want {
			t.Errorf("Is(%q) is %v", text, !want)
		}
	}
}

func TestTheContractIsTheDocumentAsJSON(t *testing.T) {
	t.Parallel()
	d := read(t, books)
	again := read(t, string(d.Contract()))
	if string(again.Contract()) != string(d.Contract()) || !strings.Contains(string(d.Contract()), "\"operationId\": \"list\"") {
		t.Errorf("%s", d.Contract())
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(books))
	f.Add([]byte(`{"swagger": "2.0", "paths": {"/a": {"get": {"parameters": [{"$ref": "#/x"}]}}}, "x": {"$ref": "#/x"}}`))
	f.Add([]byte("openapi: 3.2.0\npaths: {/a: {additionalOperations: {COPY: {}}, query: {}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := openapi.Read("f", text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		for _, item := range d.Items {
			for _, o := range item.Operations {
				d.Parameters(o)
				d.Body(o)
				d.Answers(o)
			}
		}
		d.Contract()
	})
}
