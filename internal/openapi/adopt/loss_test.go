package adopt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/openapi/adopt"
)

// report is what an adoption makes, and all that it says of what it does not: each loss with its
// place and what to do.
func report(made *adopt.Adopted) []string {
	lines := strings.Split(paths(made), "\n")
	for _, l := range made.Losses {
		line := fmt.Sprintf("%d:%d %s: %s", l.Line, l.Column, l.Rule, l.Text)
		if l.Fix != "" {
			line += "; " + l.Fix
		}
		lines = append(lines, line)
	}
	return lines
}

// TestAllThatIsLostIsSaidOnceAndInOrder compares whole reports.
func TestAllThatIsLostIsSaidOnceAndInOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{
			"schemes, scopes and what only the document has", `openapi: 3.1.0
servers: [{url: https://a.example}, {url: https://b.example}]
security: [{token: [read], key: []}, {iam: []}]
paths:
  /a:
    get: {callbacks: {}}
    put: {callbacks: {}, security: [{none: []}, {key: []}]}
    patch: {}
    head: {security: []}
  /b: {post: {}}
webhooks: {}
components:
  schemas: {}
  securitySchemes:
    token: {type: oauth2}
    key: {type: apiKey}
    iam: {type: apiKey, x-amazon-apigateway-authtype: awsSigv4}
    other: {type: http}
`, []string{
				"/a a signed-in users: read, update",
				"/b b signed-in users: create",
				"9:5 closed: guests may not read all that HEAD /a stands for: it goes to /a in part, which must be as strict as GET /a; leave it, or change who has access with: gatewright update path",
				"4:1 scheme: the security scheme none is not in the document: what names it is for signed-in users, in 1 operation",
				"15:5 scheme: the scheme token (a token of OAuth 2) is not checked: signed-in users sign their requests instead, in 3 operations",
				"16:5 scheme: the scheme key (an API key) is not checked: signed-in users sign their requests instead, in 4 operations",
				"15:5 scopes: scopes of token are not checked, in 3 operations; give the paths to a group",
				"2:1 kept: the address https://a.example is not the API's: clients find that in the client configuration file",
				"6:5 kept: the callbacks of 2 operations are kept in the copy of the document only",
				"11:1 kept: webhooks are kept in the copy of the document only",
				"12:1 kept: parameters, schemas and examples are kept in the copy of the document, and no request is refused because of them",
			},
		}, {
			"a policy", `openapi: 3.1.0
x-amazon-apigateway-policy: {}
paths: {/a: {get: {}}}
`, []string{
				"/a a signed-in users: read",
				"2:1 restriction: x-amazon-apigateway-policy restricts the API, which no setting here does: its public operations are for signed-in users",
				"3:14 pair: anyone who may send GET /a may send HEAD too",
			},
		}, {
			"Swagger 2.0, open to everybody", `swagger: '2.0'
host: a.example
definitions: {A: {}}
paths: {/a: {get: {}, head: {}, post: {}, put: {}, patch: {}, delete: {}}}
`, []string{
				"/a a open to everybody",
				"4:1 no-security: the document lets everybody send everything, so all paths are open to everybody in the world; restrict paths with: gatewright update path",
				"2:1 kept: the address a.example is not the API's: clients find that in the client configuration file",
				"3:1 kept: parameters, schemas and examples are kept in the copy of the document, and no request is refused because of them",
			},
		}, {
			"integrations, and methods", `openapi: 3.0.0
paths:
  /a:
    get: ` + integration("one") + `
    put: ` + integration("two") + `
    options: {x-amazon-apigateway-integration: {type: mock}}
    delete: {x-amazon-apigateway-integration: {type: mock}}
    post: {x-amazon-apigateway-integration: {type: http, uri: 'https://a.example'}}
    trace: {}
  /b:
    options: {}
    x-amazon-apigateway-any-method: {security: [{none: []}]}
    get: {}
`, []string{
				"/a one open to everybody",
				"/b b guests: read; signed-in users: all",
				"2:1 scheme: the security scheme none is not in the document: what names it is for signed-in users, in 1 operation",
				"10:3 guests: /b has public operations next to others: guests may read there, and their requests must be signed as a guest's",
				"4:5 pair: anyone who may send GET /a may send HEAD too",
				"5:5 pair: anyone who may send PUT /a may send PATCH too",
				"9:5 method: TRACE /a is a method that no path serves",
				"11:5 preflight: OPTIONS /b is answered by the gateway itself, for the CORS preflight",
				"5:5 function: PUT /a has a different function from /a, and a path has one; let that function answer both, or give one another path",
				"7:5 function: DELETE /a is answered by the gateway itself, and a function answers here; let the function answer it",
				"8:5 function: POST /a is passed on by an integration of the type http, and a function answers here; let the function answer it",
			},
		}, {
			"paths that an API cannot have", `openapi: 3.0.0
paths:
  /a/{id}.json: {get: {}, head: {}}
  /b/: {get: {}, head: {}}
  /c/{all+}: {get: {}, head: {}}
  /d/{proxy+}/x: {get: {}, head: {}}
  /e/{one}/{two}: {get: {}, head: {}}
  /e/{1}/{other}/f: {get: {}, head: {}}
  /g?x=1: {get: {}, head: {}}
  /h/x-{y}/{z+}/i: {get: {}, head: {}}
  /j/{proxy}: {get: {}, head: {}}
`, []string{
				"/a a open to everybody",
				"/b b open to everybody",
				"/c c open to everybody",
				"/d d open to everybody",
				"/e/{one}/{two} e open to everybody",
				"/g g open to everybody",
				"/h h open to everybody",
				"/j/{proxy1} j open to everybody",
				"2:1 no-security: the document lets everybody send everything, so all paths are open to everybody in the world; restrict paths with: gatewright update path",
				"3:3 segment: /a/{id}.json goes to the path above it, because a path of an API cannot have /{id}.json",
				"4:3 segment: /b/ is the same path as without the / at its end",
				"6:3 segment: /d/{proxy+}/x goes to the path above it, because a path of an API cannot have /x",
				"9:3 segment: /g?x=1 goes to the path above it, because a path of an API cannot have ?x=1",
				"10:3 segment: /h/x-{y}/{z+}/i goes to the path above it, because a path of an API cannot have /x-{y}/{z+}/i",
				"5:3 variable: functions get the variable all of /c/{all+} as proxy",
				"8:3 variable: functions get the variable other of /e/{1}/{other}/f as two",
				"8:3 variable: functions get the variable 1 of /e/{1}/{other}/f as one",
				"11:3 variable: functions get the variable proxy of /j/{proxy} as proxy1",
			},
		}, {
			"stricter beside, and together", `openapi: 3.0.0
paths:
  /books: {get: {}, head: {}, post: {security: [{key: []}]}}
  /{shop}/orders: {get: {security: [{key: []}]}, head: {security: [{key: []}]}}
  /news: {get: {}, head: {security: [{key: []}]}}
  /x/a: {get: {}, head: {}}
  /x/b: {get: {}, head: {}, delete: {}}
  /y: {$ref: other.yaml}
  /z: {get: {$ref: other.yaml}, head: {}}
components: {securitySchemes: {key: {type: http, scheme: basic}}}
`, []string{
				"/books books signed-in users: create, read",
				"/{shop}/orders orders signed-in users: read",
				"/news news signed-in users: read",
				"/x x guests: delete; signed-in users: read, delete",
				"/y y signed-in users: all",
				"/z z signed-in users: read",
				"3:12 closed: guests may not read all that GET /books stands for: it goes to /books in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"3:21 closed: guests may not read all that HEAD /books stands for: it goes to /books in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"5:11 closed: guests may not read all that GET /news stands for: it goes to /news in part, which must be as strict as HEAD /news; leave it, or change who has access with: gatewright update path",
				"6:10 closed: guests may not read all that GET /x/a stands for: it goes to /x in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"6:19 closed: guests may not read all that HEAD /x/a stands for: it goes to /x in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"7:10 closed: guests may not read all that GET /x/b stands for: it goes to /x in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"7:19 closed: guests may not read all that HEAD /x/b stands for: it goes to /x in part, which must be as strict as GET /{shop}/orders; leave it, or change who has access with: gatewright update path",
				"9:33 closed: guests may not read all that HEAD /z stands for: it goes to /z in part, which must be as strict as GET /z; leave it, or change who has access with: gatewright update path",
				"8:3 unread: the operations of /y are not known: other.yaml is in another document, which is not read; signed-in users may do everything there; put all files into one, and read that",
				"9:8 unread: not all of GET /z is known: other.yaml is in another document, which is not read; it is for signed-in users; put all files into one, and read that",
				"10:32 scheme: the scheme key (a name and a password) is not checked: signed-in users sign their requests instead, in 4 operations",
				"3:3 guests: /books has public operations next to others: guests may read there, and their requests must be signed as a guest's",
				"6:3 below: /x stands for 2 paths of the document and everything below: anyone who may read or delete one of them may do so with all",
			},
		}, {
			"extensions that do not fit", `openapi: 3.0.0
paths:
  /a: {get: {}, head: {}, x-gatewright-path: 'a b', x-gatewright-access: {setting: open}}
  /b: {get: {}, head: {}, x-gatewright-path: /b, x-gatewright-function: 'no name', x-gatewright-access: {setting: open}}
  /c: {get: {}, head: {}, x-gatewright-path: /c, x-gatewright-access: {setting: shut}}
  /d: {get: {}, head: {}, x-gatewright-path: /c, x-gatewright-access: {setting: open, other: 1}}
  /e: {get: {}, head: {}, x-gatewright-path: /c, x-gatewright-access: {setting: private, auth: [fly]}}
  /f: {get: {}, head: {}, x-gatewright-path: /f, x-gatewright-access: 1}
  /g/{x}: {get: {}, head: {}, x-gatewright-path: '/g/{x}', x-gatewright-function: g, x-gatewright-access: {setting: protected, auth: [read], guest: [create], groups: {staff: [read, update]}}}
  /g/{y}: {get: {}, head: {}, x-gatewright-path: '/g/{y}', x-gatewright-access: {setting: open}}
  /h: {get: {}, head: {}, x-gatewright-path: /b, x-gatewright-access: {setting: open}}
  /b/{proxy}: {get: {}, head: {}, x-gatewright-path: /b, x-gatewright-access: {setting: open}}
`, []string{
				"/b b open to everybody",
				"/g/{x} g guests: create; signed-in users: read; members of staff: read, update",
				"/a a open to everybody",
				"/c c open to everybody",
				"/d d open to everybody",
				"/e e open to everybody",
				"/f f open to everybody",
				"/h h open to everybody",
				"2:1 no-security: the document lets everybody send everything, so all paths are open to everybody in the world; restrict paths with: gatewright update path",
				"9:12 closed: guests may not read all that GET /g/{x} stands for: it goes to /g/{x} in part, whose own operations are stricter; leave it, or change who has access with: gatewright update path",
				"9:21 closed: guests may not read all that HEAD /g/{x} stands for: it goes to /g/{x} in part, whose own operations are stricter; leave it, or change who has access with: gatewright update path",
				"10:12 closed: guests may not read all that GET /g/{y} stands for: it goes to /g/{x} in part, whose own operations are stricter; leave it, or change who has access with: gatewright update path",
				"10:21 closed: guests may not read all that HEAD /g/{y} stands for: it goes to /g/{x} in part, whose own operations are stricter; leave it, or change who has access with: gatewright update path",
				"10:3 variable: functions get the variable y of /g/{y} as x",
				`3:3 extension: x-gatewright-path is ignored: path: "a b" does not start with /; start it with /, such as /items`,
				`4:3 extension: x-gatewright-function is ignored: "no name" is not a name for a function`,
				"5:3 extension: x-gatewright-access of /c is ignored: it is not what permissions of a path are",
				"6:3 extension: x-gatewright-access of /d is ignored: it is not what permissions of a path are",
				"7:3 extension: x-gatewright-access of /e is ignored: it is not what permissions of a path are",
				"8:3 extension: x-gatewright-access of /f is ignored: it is not what permissions of a path are",
				"10:3 extension: x-gatewright-path is ignored: the API has /g/{x} there already",
				"11:3 extension: x-gatewright-path is ignored: /h is not below /b",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, report(adopted(t, tt.text, adopt.Options{}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestASegmentWithATextAndAVariableClosesWhatItMatches has a secured path that only some of its
// neighbours may stand for.
func TestASegmentWithATextAndAVariableClosesWhatItMatches(t *testing.T) {
	t.Parallel()
	const text = head + `paths:
  /a/v-{id}.json: {get: {security: [{key: []}]}}
  /a/v-1.json: {get: {}}
  /a/v-.json: {get: {}}
  /a/v-10.xml: {get: {}}
  /a/w-10.json: {get: {}}
`
	const want = "/a a signed-in users: read\n/a/v-1.json v-1-json signed-in users: read\n/a/v-.json v-json open to everybody\n" +
		"/a/v-10.xml v-10-xml open to everybody\n/a/w-10.json w-10-json open to everybody"
	if got := paths(adopted(t, text, adopt.Options{Grouping: adopt.None})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
