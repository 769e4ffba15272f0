package adopt_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/adopt"
)

func adopted(t *testing.T, text string, o adopt.Options) *adopt.Adopted {
	t.Helper()
	d, err := openapi.Read("api.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	o.Label = "api"
	made, err := adopt.Adopt(d, o)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return made
}

// paths lists the paths of an API with functions and access.
func paths(made *adopt.Adopted) string {
	var lines []string
	for _, p := range made.API.Paths {
		lines = append(lines, p.Name+" "+p.Function+" "+p.Access.String())
	}
	return strings.Join(lines, "\n")
}

const head = "openapi: 3.0.0\ncomponents: {securitySchemes: {key: {type: apiKey}, signed: {type: apiKey, x-amazon-apigateway-authtype: awsSigv4}}}\n"

// integration is an operation that a function answers.
func integration(function string) string {
	return "{x-amazon-apigateway-integration: {type: aws_proxy, uri: 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:" + function + "/invocations'}}"
}

func TestPathsOfADocumentBecomePathsOfAnAPI(t *testing.T) {
	t.Parallel()
	const secured = "{security: [{key: []}]}"
	for _, tt := range []struct{ name, text, want string }{
		{
			"the same first segment and security is one path", "paths: {/books: {get: {}}, '/books/{id}': {get: {}}, '/books/{id}/pages': {get: {}}}",
			"/books books open to everybody",
		}, {
			"what all begin with does not count", "paths: {/v1/books: {get: {}}, '/v1/books/{id}': {get: {}}, /v1/orders: {get: {}}}",
			"/v1/books books open to everybody\n/v1/orders orders open to everybody",
		}, {
			"other security makes a path of its own, with the same function", "paths: {/books: {get: {}}, '/books/{id}': {delete: " + secured + "}}",
			"/books books open to everybody\n/books/{id} books signed-in users: delete",
		}, {
			"public beside others is for guests", "paths: {/books: {get: {}, post: " + secured + "}}",
			"/books books guests: read; signed-in users: create, read",
		}, {
			"HEAD closes GET", "paths: {/books: {get: {}, head: " + secured + "}}",
			"/books books signed-in users: read",
		}, {
			"an unknown scheme closes", "security: [{unknown: []}]\npaths: {/books: {get: {}}}",
			"/books books signed-in users: read",
		}, {
			"P and P/{proxy+} are one path", "paths: {/books: {x-amazon-apigateway-any-method: {}}, '/books/{proxy+}': {x-amazon-apigateway-any-method: {}}}",
			"/books books open to everybody",
		}, {
			"a gateway's path is not joined with others", "paths: {/a: {get: {}}, '/a/b/{proxy+}': {get: {}}}",
			"/a a open to everybody\n/a/b a open to everybody",
		}, {
			"a gateway without a root has the reserved path", "paths: {'/{proxy+}': {get: {}}}",
			"/{proxy+} api open to everybody",
		}, {
			"functions of integrations keep their names", "paths: {/a: {get: " + integration("one") + "}, /a/b: {get: " + integration("two") + "}, /a/c: {get: " + integration("one") + "}}",
			"/a one open to everybody\n/a/b two open to everybody\n/a/c one open to everybody",
		}, {
			"a preflight of the gateway is no operation", "paths: {/a: {get: " + secured + ", options: {x-amazon-apigateway-integration: {type: mock}}}}",
			"/a a signed-in users: read",
		}, {
			"names are not taken twice", "paths: {/v1/a: {get: {}}, /v2/a: {get: {}}, /v3/b: {get: {}}}",
			"/v1/a a open to everybody\n/v2/a v2-a open to everybody\n/v3/b b open to everybody",
		}, {
			"a stricter path beside closes", "paths: {/books: {get: {}}, '/{shop}/orders': {get: " + secured + "}}",
			"/books books signed-in users: read\n/{shop}/orders orders signed-in users: read",
		}, {
			"what is beside a reference closes, and what it names", "x-op: {security: [{key: []}]}\nx-open: {}\nx-item: {get: {}, x-amazon-apigateway-auth: {type: AWS_IAM}}\n" +
				"paths: {/a: {get: {$ref: '#/x-op'}}, /b: {get: {$ref: '#/x-open', security: [{key: []}]}}, /c: {$ref: '#/x-item'}, /d: {get: {$ref: '#/x-open'}}}",
			"/a a signed-in users: read\n/b b signed-in users: read\n/c c signed-in users: read\n/d d open to everybody",
		}, {
			"what cannot be read closes", "paths: {/a: {get: {$ref: get.yaml}}, /b: {get: {parameters: [{$ref: 'common.yaml#/token'}]}}, /c: {parameters: [{$ref: '#/none'}], get: {}}}",
			"/a a signed-in users: read\n/b b signed-in users: read\n/c c signed-in users: read",
		}, {
			"what is closed beside something public has no actions but those of the document", "paths: {'/{shop}/orders': {get: " + secured + "}, /books: {get: {}, post: {}}}",
			"/{shop}/orders orders signed-in users: read\n/books books guests: create; signed-in users: create, read",
		}, {
			"a policy closes what is public", "x-amazon-apigateway-policy: {}\npaths: {/a: {get: {}}}",
			"/a a signed-in users: read",
		}, {
			"names of variables", "paths: {'/a/{id}': {get: {}}, '/a/{key}/{key}': {get: {}}, '/a/{x}/{proxy}': {put: " + secured + "}, '/b/{user id}': {get: {}}}",
			"/a/{id} a open to everybody\n/a/{id}/{key2} a guests: read; signed-in users: read, update\n/b/{user-id} b open to everybody",
		}, {
			"a segment and a variable of the same name", "paths: {/a/id: {get: {}}, '/a/{id}': {delete: " + secured + "}}",
			"/a/id id open to everybody\n/a/{id} a signed-in users: delete",
		}, {
			"Swagger 2.0", "",
			"/a a signed-in users: read",
		},
	} {
		text := head + tt.text
		if tt.text == "" {
			text = "swagger: '2.0'\nsecurityDefinitions: {key: {type: basic}}\npaths: {/a: {get: " + secured + "}}"
		}
		if got := paths(adopted(t, text, adopt.Options{})); got != tt.want {
			t.Errorf("%s:\n%s\ngot\n%s\nwant\n%s", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestEachPathAloneIfNoneAreGrouped(t *testing.T) {
	t.Parallel()
	made := adopted(t, head+"paths: {/books: {get: {}}, '/books/{id}': {get: {}}}", adopt.Options{Grouping: adopt.None, Taken: func(name string) bool { return name == "books" }})
	const want = "/books books-2 open to everybody\n/books/{id} books-id open to everybody"
	if got := paths(made); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAVariableHasAnotherNameThanThoseBeforeIt(t *testing.T) {
	t.Parallel()
	made := adopted(t, head+"paths: {'/{x}/{x}': {get: {}}, '/{y}/{y}/{x}': {get: {}}}", adopt.Options{Grouping: adopt.None})
	const want = "/{x}/{x2} root open to everybody\n/{x}/{x2}/{x22} x-x2-x22 open to everybody"
	if got := paths(made); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestANamedPathWithoutAFunctionGetsOneOfItsOwn(t *testing.T) {
	t.Parallel()
	const access = "x-gatewright-access: {setting: open}"
	const news = "/news: {get: {}, x-gatewright-path: /news, " + access + "}"
	for text, want := range map[string]string{
		news: "/news news open to everybody",
		news + ", /books: {get: {}, x-gatewright-path: /books, x-gatewright-function: catalogue, " + access + "}": "/news news open to everybody\n/books catalogue open to everybody",
	} {
		if got := paths(adopted(t, head+"paths: {"+text+"}", adopt.Options{})); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestThePathsOfAProjectKeepTheirFunctions(t *testing.T) {
	t.Parallel()
	have := func(path string) string { return map[string]string{"/books": "catalogue"}[path] }
	made := adopted(t, head+"paths: {/books: {get: {}}, '/books/{id}': {delete: {security: [{key: []}]}}, /news: {get: {}}}", adopt.Options{Have: have})
	const want = "/books catalogue open to everybody\n/books/{id} catalogue signed-in users: delete\n/news news open to everybody"
	if got := paths(made); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEachPathSaysWhatOfTheDocumentItServesAndWhetherItsFunctionIsProposed(t *testing.T) {
	t.Parallel()
	have := func(path string) string { return map[string]string{"/books": "catalogue"}[path] }
	made := adopted(t, head+"paths: {/books: {get: {}, put: {}}, '/books/{id}': {get: {}}, /news: {get: {}, post: {}}, /news/old: {get: {}}, /b: {get: "+integration("one")+"}}", adopt.Options{Have: have})
	var lines []string
	for i, p := range made.Paths {
		if p.Path != made.API.Paths[i] {
			t.Errorf("path %d is %s and %s", i, p.Path.Name, made.API.Paths[i].Name)
		}
		lines = append(lines, fmt.Sprintf("%s %s: %d paths, %d operations, proposed %t", p.Path.Name, p.Path.Function, p.Items, p.Operations, p.Proposed))
	}
	const want = "/books catalogue: 2 paths, 3 operations, proposed false\n/news news: 2 paths, 3 operations, proposed true\n/b one: 1 paths, 1 operations, proposed false"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWhatIsLostIsSaidAtItsPlace(t *testing.T) {
	t.Parallel()
	made := adopted(t, `openapi: 3.1.0
security: [{token: [read]}]
paths:
  /a/{id}.json:
    get: {callbacks: {}}
  /b:
    $ref: other.yaml
  /c/:
    options: {}
    trace: {}
    get: {security: [], x-amazon-apigateway-integration: {type: http}}
  /c/{x}:
    put: {}
  /c/{y}/z:
    head: {}
webhooks: {}
components:
  schemas: {}
  securitySchemes:
    token: {type: oauth2}
`, adopt.Options{})
	var got []string
	for _, l := range made.Losses {
		line := string(l.Rule) + " " + l.Text
		if l.Line == 0 || l.Column == 0 {
			t.Errorf("%s has no place", line)
		}
		got = append(got, line)
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{
		"unread the operations of /b are not known: other.yaml is in another document, which is not read; signed-in users may do everything there",
		"scheme the scheme token (a token of OAuth 2) is not checked: signed-in users sign their requests instead, in 3 operations",
		"scopes scopes of token are not checked, in 3 operations",
		"pair anyone who may send PUT /c/{x} may send PATCH too",
		"pair anyone who may send HEAD /c/{y}/z may send GET too",
		"method TRACE /c/ is a method that no path serves",
		"preflight OPTIONS /c/ is answered by the gateway itself, for the CORS preflight",
		"segment /a/{id}.json goes to the path above it, because a path of an API cannot have /{id}.json",
		"segment /c/ is the same path as without the / at its end",
		"variable functions get the variable y of /c/{y}/z as x",
		"function GET /c/ is passed on by an integration of the type http, and a function answers here",
		"kept webhooks are kept in the copy of the document only",
		"kept the callbacks of 1 operation are kept in the copy of the document only",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("it is not said: %s\n%s", want, all)
		}
	}
}

func TestOtherCredentialsThanASignatureCloseForGuests(t *testing.T) {
	t.Parallel()
	const item = "paths: {/books: {x-gatewright-path: /books, x-gatewright-function: books, x-gatewright-access: {setting: protected, auth: [read], guest: [read]}, get: {security: [{%s: []}]}}}"
	for scheme, want := range map[string]string{
		"signed": "/books books guests: read; signed-in users: read",
		"key":    "/books books signed-in users: read",
		"none":   "/books books signed-in users: read",
	} {
		if got := paths(adopted(t, head+strings.Replace(item, "%s", scheme, 1), adopt.Options{})); got != want {
			t.Errorf("%s: got %s, want %s", scheme, got, want)
		}
	}
}

func TestSecurityWinsOverAnExtensionThatOpens(t *testing.T) {
	t.Parallel()
	const item = "{x-gatewright-path: /a, x-gatewright-function: f, x-gatewright-access: {setting: open}, get: {security: [{key: []}]}, post: {}}"
	const want = "/a f guests: create; signed-in users: create, read"
	if got := paths(adopted(t, head+"paths: {/a: "+item+"}", adopt.Options{})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestADocumentWithoutPathsMakesNoAPI(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"paths: {}", "paths: {/a: {trace: {}}}", "webhooks: {}"} {
		d, err := openapi.Read("api.yaml", []byte(head+text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := adopt.Adopt(d, adopt.Options{}); err == nil || !strings.HasPrefix(err.Error(), "has no path with an operation") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
