package openapi_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// outline lists what a document has, one line for each thing.
func outline(d *openapi.Document) []string {
	lines := []string{fmt.Sprintf("%s %q %q servers %q binary %q", d.Version, d.Title, d.Label, d.Servers, d.BinaryMediaTypes)}
	if d.Restriction != nil {
		lines = append(lines, "restricted by "+d.Restriction.Name)
	}
	for _, item := range d.Items {
		line := fmt.Sprintf("%s %d:%d %s", item.Name, item.Line, item.Column, item.Pointer)
		if item.Unread != nil {
			line += " unread: " + item.Unread.Error()
		}
		lines = append(lines, line)
		for _, o := range item.Operations {
			line := fmt.Sprintf("  %s %d:%d %q %q %q", o.Method, o.Line, o.Column, o.ID, o.Summary, o.Description)
			if o.Public {
				line += " public"
			}
			for _, r := range o.Security {
				line += fmt.Sprintf(" %s%s", r.Schemes, r.Scopes)
			}
			if o.Integration != nil {
				line += fmt.Sprintf(" %+v", *o.Integration)
			}
			if o.Unread != nil {
				line += " unread: " + o.Unread.Error()
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func TestADocumentIsReadWhole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`openapi: 3.2.0
info: {title: [a]}
x-gatewright-api: 1
servers: [{url: ''}, {url: https://a.example}, {}, {url: /v1}]
x-amazon-apigateway-binary-media-types: [image/png, 1, '*/*']
x-amazon-apigateway-endpoint-configuration: {types: [REGIONAL]}
security: [{key: [], token: [a, b]}, {key: []}]
paths:
  x-paths: 1
  /a:
    summary: s
    get: {operationId: i, summary: s, description: d}
    additionalOperations: {COPY: {security: []}, link: {}}
    query: {security: }
    trace: {security: [{}, {other: [c]}]}
  /b: {$ref: '#/x-items/0', post: {}, x-amazon-apigateway-any-method: {}}
  /c: {$ref: '#/x-items/1'}
  /d: {$ref: '#/x-items/-1'}
  /e: {get: {$ref: '#/x-open', security: []}, put: {$ref: '#/x-open', security: [{key: []}]}, post: {$ref: '#/none', security: []}, head: {$ref: '#/x-open', x-amazon-apigateway-auth: {}}}
x-items: [{get: {security: []}, get2: {}}]
x-open: {security: [], operationId: open}
`, []string{
			`3.2.0 "" "" servers ["https://a.example" "/v1"] binary ["image/png" "*/*"]`,
			`/a 10:3 /paths/~1a`,
			`  GET 12:5 "i" "s" "d" [key token][[] [a b]] [key][[]]`,
			`  COPY 13:28 "" "" "" public`,
			`  link 13:50 "" "" "" [key token][[] [a b]] [key][[]]`,
			`  QUERY 14:5 "" "" "" [key token][[] [a b]] [key][[]]`,
			`  TRACE 15:5 "" "" "" public [other][[c]]`,
			`/b 16:3 /paths/~1b`,
			`  POST 16:29 "" "" "" [key token][[] [a b]] [key][[]]`,
			`  ANY 16:39 "" "" "" [key token][[] [a b]] [key][[]]`,
			`  GET 20:12 "" "" "" public`,
			`/c 17:3 /paths/~1c unread: #/x-items/1 does not exist`,
			`/d 18:3 /paths/~1d unread: #/x-items/-1 does not exist`,
			`/e 19:3 /paths/~1e`,
			`  GET 19:8 "open" "" "" public`,
			`  PUT 19:47 "open" "" ""`,
			`  POST 19:95 "" "" "" unread: #/none does not exist`,
			`  HEAD 19:133 "open" "" ""`,
		}},
		{`swagger: 2
host: a.example
basePath: /v1
paths:
  /a:
    get: {x-amazon-apigateway-integration: {type: AWS_PROXY, uri: {Fn::Sub: 'arn:${AWS::Region}:path/functions/${Books.Arn}/invocations'}}}
    put: {x-amazon-apigateway-integration: {type: mock}}
    post: {x-amazon-apigateway-integration: 1}
    head: {x-amazon-apigateway-auth: {type: none}}
    patch: {x-amazon-apigateway-auth: {type: AWS_IAM}}
`, []string{
			`2 "" "" servers ["a.example/v1"] binary []`,
			`/a 5:3 /paths/~1a`,
			`  GET 6:5 "" "" "" public {Type:aws_proxy URI:{"Fn::Sub":"arn:${AWS::Region}:path/functions/${Books.Arn}/invocations"} Function:Books}`,
			`  PUT 7:5 "" "" "" public {Type:mock URI: Function:}`,
			`  POST 8:5 "" "" "" public`,
			`  HEAD 9:5 "" "" "" public`,
			`  PATCH 10:5 "" "" ""`,
		}},
		{`openapi: 3.0.1
x-amazon-apigateway-endpoint-configuration: {vpcEndpointIds: [a]}
x-amazon-apigateway-policy: {}
paths:
  /a: {get: {}}
`, []string{
			`3.0.1 "" "" servers [] binary []`,
			`restricted by x-amazon-apigateway-endpoint-configuration`,
			`/a 5:3 /paths/~1a`,
			`  GET 5:8 "" "" ""`,
		}},
		{`openapi: 3.0.1
x-amazon-apigateway-auth: {type: NONE}
paths:
  /a: {get: {parameters: [{name: AUTHORIZATION, in: header, required: true}]}, put: {parameters: [{name: Authorization, in: header}]}, post: {parameters: [{name: Authorization, in: query, required: true}]}}
  /b: {parameters: [{$ref: '#/none'}], get: {}, x-amazon-apigateway-auth: {}}
  /c: {$ref: '#/x-item', put: {}}
x-item: {x-amazon-apigateway-auth: {type: AWS_IAM}, get: {}}
`, []string{
			`3.0.1 "" "" servers [] binary []`,
			`/a 4:3 /paths/~1a`,
			`  GET 4:8 "" "" ""`,
			`  PUT 4:80 "" "" "" public`,
			`  POST 4:136 "" "" "" public`,
			`/b 5:3 /paths/~1b`,
			`  GET 5:40 "" "" ""`,
			`/c 6:3 /paths/~1c`,
			`  PUT 6:26 "" "" ""`,
			`  GET 7:53 "" "" ""`,
		}},
		{`openapi: 3.0.1
x-amazon-apigateway-auth: {type: AWS_IAM}
paths:
  /a: {get: {}}
`, []string{`3.0.1 "" "" servers [] binary []`, `/a 4:3 /paths/~1a`, `  GET 4:8 "" "" ""`}},
		{`openapi: 3.0.1
paths:
  /a: {get: {parameters: [{name: X-Key, in: header, required: true}]}, options: {parameters: [{$ref: "a\e.yaml"}]}}
`, []string{
			`3.0.1 "" "" servers [] binary []`, `/a 3:3 /paths/~1a`, `  GET 3:8 "" "" "" public`,
			`  OPTIONS 3:72 "" "" "" unread: "a\x1b.yaml" is in another document, which is not read`,
		}},
		{"openapi: 3.0.0\npaths:\n", []string{`3.0.0 "" "" servers [] binary []`}},
	} {
		if diff := cmp.Diff(tt.want, outline(read(t, tt.text))); diff != "" {
			t.Errorf("%s(-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestEachMethodAndVersionOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"openapi: 3.0.0\npaths: {/a: {$ref: '#/x', get: {}}}\nx: {get: {}}":       `api.yaml:3:5: the path /a has the method GET already; remove one of the two`,
		"openapi: 3.2.0\npaths: {/a: {get: {}, additionalOperations: {GET: {}}}}": `api.yaml:2:46: the path /a has the method GET already; remove one of the two`,
		"openapi: 3.0.0\npaths: {/a: {get: {$ref: '#/x'}}}\nx: [1]":               `api.yaml:3:4: an operation is a list; write a map`,
		"openapi: \"3.3\\e\"":                  `api.yaml:1:10: the version "3.3\x1b" is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"openapi: 3.0.0\npaths: {\"/\\e\": 1}": `api.yaml:2:9: the path "/\x1b" is a number; write a map of its operations`,
		"openapi: 3.2.0\npaths: {\"/\\e\": {additionalOperations: {\"\\ea\": {}, \"\\eb\": 1}}}": `api.yaml:2:51: the operation "\x1bb" is a number; write a map`,
		"openapi: 3.2.0\npaths: {\"/\\e\": {get: {}, additionalOperations: {GET: {}}}}":          `api.yaml:2:49: the path "/\x1b" has the method GET already; remove one of the two`,
		"openapi: 3.3.0": `api.yaml:1:10: the version 3.3.0 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"openapi: 2.0":   `api.yaml:1:10: the version 2.0 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"swagger: 2.1":   `api.yaml:1:10: the version 2.1 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"swagger: 3.0":   `api.yaml:1:10: the version 3.0 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"openapi: 3":     `api.yaml:1:10: the version 3 is not read; gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
		"openapi: 3.0.0\nsecurity: 1\npaths: {/a: {get: {security: []}, put: {}}}": `api.yaml:2:11: security is a number; write a list of maps`,
	} {
		_, err := openapi.Read("api.yaml", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestEachKindOfSchemeHasItsWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{type: apiKey, in: header, name: A, x-amazon-apigateway-authtype: AwsSigV4}": `requests signed with credentials of AWS; header "A", signed`,
		"{type: apiKey, in: query, name: k}":                                          `an API key; query "k"`,
		"{type: apiKey, x-amazon-apigateway-authtype: custom}":                        `an authorizer of the gateway;  ""`,
		"{type: oauth2, x-amazon-apigateway-authorizer: {}}":                          `an authorizer of the gateway;  "", authorizer`,
		"{type: basic}":                `a name and a password;  ""`,
		"{type: http, scheme: Basic}":  `a name and a password;  ""`,
		"{type: http, scheme: BEARER}": `a bearer token;  ""`,
		"{type: oauth2}":               `a token of OAuth 2;  ""`,
		"{type: openIdConnect}":        `a token of OpenID Connect;  ""`,
		"{type: mutualTLS}":            `a certificate of the client;  ""`,
		"{}":                           `a scheme without a type;  ""`,
		"{$ref: '#/none'}":             `a scheme without a type;  ""`,
		"{$ref: '#/x'}":                `a scheme of the type "http digest";  ""`,
		"{type: odd}":                  `a scheme of the type odd;  ""`,
	} {
		s := read(t, "openapi: 3.1.0\ncomponents:\n  securitySchemes:\n    s: "+text+"\nx: {type: http, scheme: Digest}").Schemes["s"]
		got := fmt.Sprintf("%s; %s %q", s.Describe(), s.In, s.Parameter)
		if s.Signed() {
			got += ", signed"
		}
		if s.Authorizer {
			got += ", authorizer"
		}
		if got != want || s.Name != "s" || s.Line != 4 || s.Column != 5 || s.Pointer != "/components/securitySchemes/s" {
			t.Errorf("%s: %s, want %s; %+v", text, got, want, s)
		}
	}
}

// shown writes a node in one line; none for nil.
func shown(n *cfn.Node) string {
	if n == nil {
		return "none"
	}
	return string(n.Minified())
}

func TestParametersBodiesAndAnswersAreReadWhole(t *testing.T) {
	t.Parallel()
	d := read(t, `openapi: 3.2.0
paths:
  /a:
    $ref: '#/x-item'
    get:
      parameters: [{name: a, in: query, description: d, schema: {type: string}}, {name: b, in: cookie, required: false}, {in: query}, {$ref: '#/none'}]
      responses:
        x-more: {}
        default: {$ref: '#/none'}
        4XX:
          description: d
          content:
            text/plain: {example: e, examples: {one: {value: 1}}, encoding: {x: 1}}
            text/html: {examples: {none: {$ref: '#/none'}, away: {externalValue: u}, two: {dataValue: 2, serializedValue: s}, three: {value: 3, dataValue: 4}}}
            text/csv: {$ref: '#/none'}
            text/xml: {schema: {type: object}}
    put: {requestBody: {content: {text/plain: {schema: {}}}}}
    post: {requestBody: {$ref: '#/x-body'}}
    patch: {requestBody: {$ref: '#/none'}}
x-item: {parameters: [{name: a, in: query, required: true}, {name: a, in: header, required: 'true'}]}
x-body: {required: true, content: {}}
`)
	contents := func(list []openapi.Content) (text string) {
		for _, c := range list {
			text += fmt.Sprintf(" | %s %s %s %s", c.MediaType, shown(c.Schema), shown(c.Example), shown(c.Encoding))
			for _, e := range c.Examples {
				text += fmt.Sprintf(" %s=%s at %d:%d", e.Name, shown(e.Value), e.Line, e.Column)
			}
		}
		return text
	}
	var got []string
	for _, o := range d.Items[0].Operations {
		got = append(got, o.Method)
		for _, p := range d.Parameters(o) {
			got = append(got, fmt.Sprintf("%s in %s %v %q %s", p.Name, p.In, p.Required, p.Description, shown(p.Schema)))
		}
		if body := d.Body(o); body != nil {
			got = append(got, fmt.Sprintf("body %v", body.Required)+contents(body.Contents))
		}
		for _, a := range d.Answers(o) {
			got = append(got, fmt.Sprintf("%s %q", a.Status, a.Description)+contents(a.Contents))
		}
	}
	shared := []string{`a in query true "" none`, `a in header false "" none`}
	want := []string{
		"GET", `a in query false "d" {"type":"string"}`, `b in cookie false "" none`, shared[1],
		`4XX "d" | text/plain none "e" {"x":1} one=1 at 13:49 | text/html none 2 none away=none at 14:60 two=2 at 14:86 three=3 at 14:127 | text/xml {"type":"object"} none none`,
		"PUT", shared[0], shared[1], "body false | text/plain {} none none",
		"POST", shared[0], shared[1], "body true",
		"PATCH", shared[0], shared[1],
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d = read(t, "swagger: '2.0'\npaths: {/a: {get: {responses: {200: {schema: {}}}}}}")
	if got := contents(d.Answers(d.Items[0].Operations[0])[0].Contents); got != " | application/json {} none none" {
		t.Errorf("an answer of Swagger without media types has%s", got)
	}
}
