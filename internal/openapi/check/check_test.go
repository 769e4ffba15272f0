package check_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/check"
)

func contractOf(t testing.TB, text string) *check.Contract {
	t.Helper()
	d, err := openapi.Read("api.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return check.New(d)
}

// requestOf reads a request: a method and an address, lines of headers, and after an empty
// line the body.
func requestOf(t testing.TB, text string) check.Request {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	path, query, _ := strings.Cut(target, "?")
	r := check.Request{Method: method, Path: path, Header: headerOf(lines[1:]), Body: []byte(body)}
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	r.Query = values
	return r
}

func headerOf(lines []string) http.Header {
	header := make(http.Header)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		header[name] = append(header[name], value)
	}
	return header
}

func said(findings []check.Finding) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.Where+" "+f.Text)
	}
	return strings.Join(lines, "\n")
}

const shop = `openapi: 3.1.0
info: {title: Shop, version: "1"}
security: [{key: []}]
paths:
  /books:
    parameters:
      - {name: limit, in: query, schema: {type: integer, minimum: 1}}
    get:
      parameters:
        - {name: tags, in: query, schema: {type: array, items: {type: integer}}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}, maxItems: 2}}
        - {name: words, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {enum: [a, b]}}}
        - {name: spaced, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: boolean}}}
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {year: {type: integer}}, required: [year]}}
        - {name: either, in: query, schema: {type: [integer, 'null']}}
        - {name: where, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: X-Trace, in: header, required: true, schema: {type: string, format: uuid}}
        - {name: X-Pair, in: header, schema: {type: object, properties: {a: {type: integer}}}}
        - {name: Authorization, in: header, required: true, schema: {type: string}}
        - {name: sid, in: cookie, schema: {type: integer}}
      responses:
        '200':
          headers:
            X-Total: {required: true, schema: {type: integer}}
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Book'}}}
            text/*: {}
        4XX: {content: {application/problem+json: {schema: {required: [title]}}}}
        '304': {}
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Book'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Book'}}
      responses: {default: {}}
  /books/mine:
    get: {}
  /books/{isbn}:
    parameters:
      - {name: isbn, in: path, required: true, schema: {type: string, pattern: '^\d+$'}}
    get: {}
    delete: {}
  /books/{isbn}.json:
    get: {parameters: [{name: isbn, in: path, required: true, schema: {type: integer}}]}
  /range/{from}-{to}:
    get: {parameters: [{name: from, in: path, required: true, schema: {type: integer}}, {name: to, in: path, required: true, schema: {type: integer}}]}
  /files/{path+}:
    x-amazon-apigateway-any-method: {}
  /elsewhere: {$ref: other.yaml}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: api_key}
  schemas:
    Book:
      type: object
      required: [id, title]
      additionalProperties: false
      properties:
        id: {type: integer, readOnly: true}
        title: {type: string}
        tags: {type: array, items: {type: string}}
        pages: {type: integer}
`

const trace = "\nx-trace: 2eb8aa08-aa98-11ea-b4aa-73b441d16380"

func TestARequestIsHeldAgainstItsContract(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	for _, tt := range []struct{ request, want string }{
		{"GET /books?limit=1&api_key=x" + trace, ""},
		{"GET /books/?tags=1&tags=2&ids=1,2&words=a|b&spaced=true%20false&filter[year]=2020&either=&where={}" + trace + "\nX-Pair: a,1\nCookie: sid=1; x=y", ""},
		{"GET /books", "header X-Trace is missing"},
		{"GET /books\nX-Trace: 1", "header X-Trace is not a UUID"},
		{"GET /books?limit=0" + trace, "query limit is less than 1"},
		{"GET /books?limit=1.5" + trace, "query limit is a number and not an integer"},
		{"GET /books?limit=x" + trace, "query limit is a string and not an integer"},
		{"GET /books?limit=0x1" + trace, "query limit is a string and not an integer"},
		{"GET /books?tags=1&tags=x" + trace, "query tags /1 is a string and not an integer"},
		{"GET /books?ids=1,2,x" + trace, "query ids /2 is a string and not an integer\nquery ids has 3 items and not at most 2"},
		{"GET /books?words=a|c" + trace, `query words /1 is none of "a", "b"`},
		{"GET /books?spaced=true+no" + trace, "query spaced /1 is a string and not a boolean"},
		{"GET /books?filter[year]=x" + trace, "query filter /year is a string and not an integer"},
		{"GET /books?filter[month]=1" + trace, "query filter /year is missing"},
		{"GET /books?either=x" + trace, "query either is a string and not null or an integer"},
		{"GET /books?where=[]" + trace, "query where is an array and not an object"},
		{"GET /books?where={" + trace, "query where cannot be read at line 1, column 2: the text ends in the middle of a value: add what is missing at the end"},
		{"GET /books" + trace + "\nX-Pair: a,x", "header X-Pair /a is a string and not an integer"},
		{"GET /books" + trace + "\nCookie: sid=x", "cookie sid is a string and not an integer"},
		{"GET /books?limits=1&offset=2" + trace, "query limits is not in the contract\nquery offset is not in the contract"},

		{"POST /books\nContent-Type: application/json; charset=utf-8\n\n" + `{"title": "a"}`, ""},
		{"POST /books\ncontent-type: application/json\n\n" + `{"title": 1, "color": 2}`, "body /color is a property that the contract does not have\nbody /title is an integer and not a string"},
		{"POST /books\nContent-Type: application/json\n\n{\n1", "body cannot be read at line 2, column 1: this is not JSON (object member name must be a string): correct the text here"},
		{"POST /books\nContent-Type: application/json\nContent-Encoding: gzip\n\n\x1f\x8b", "header Content-Encoding is gzip, and the body cannot be unpacked so"},
		{"POST /books\nContent-Type: text/plain\n\na", "header Content-Type is text/plain, and the contract has application/json and application/x-www-form-urlencoded"},
		{"POST /books\n\n{}", "header Content-Type is missing"},
		{"POST /books", "body is missing"},
		{"POST /books\nContent-Type: application/x-www-form-urlencoded\n\ntitle=a&tags=b&tags=c&pages=1", ""},
		{"POST /books\nContent-Type: application/x-www-form-urlencoded\n\npages=x", "body /title is missing\nbody /pages is a string and not an integer"},

		{"GET /books/12", ""},
		{"HEAD /books/12", ""},
		{"GET /books/1%32", ""},
		{"GET /books/mine", ""},
		{"GET /books/12?any=1", ""},
		{"GET /books/a%2Fb", `path isbn does not match the pattern ^\d+$`},
		{"GET /books/a.json", "path isbn is a string and not an integer"},
		{"GET /books/1.json", ""},
		{"GET /range/1-2", ""},
		{"GET /range/1-", "path is not in the contract, which has no path /range/1-"},
		{"GET /range/-1", "path is not in the contract, which has no path /range/-1"},
		{"GET /range/1-2-3", "path to is a string and not an integer"},
		{"GET /range/1-x", "path to is a string and not an integer"},
		{"PUT /files/a/b/c", ""},

		{"GET /nothing", "path is not in the contract, which has no path /nothing"},
		{"GET /files", "path is not in the contract, which has no path /files"},
		{"GET /range/1", "path is not in the contract, which has no path /range/1"},
		{"PUT /books", "path is not in the contract, which has no PUT of the path /books, only GET and POST"},
		{"DELETE /books/mine", "path is not in the contract, which has no DELETE of the path /books/mine, only GET"},
		{"OPTIONS /books", ""},
		{"GET /elsewhere", ""},
		{"GET /\x1b[31m", `path is not in the contract, which has no path "/\x1b[31m"`},
	} {
		if got := said(c.Request(requestOf(t, tt.request))); got != tt.want {
			t.Errorf("%q:\n%s\nwant\n%s", tt.request, got, tt.want)
		}
	}
}

func TestAnAnswerIsHeldAgainstItsContract(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	for _, tt := range []struct {
		request string
		status  int
		answer  string
		want    string
	}{
		{"GET /books", 200, "x-total: 1\nContent-Type: application/json\n\n" + `[{"id": 1, "title": "a"}]`, ""},
		{"GET /books", 200, "X-Total: x\n\n" + `[{"title": "a"}]`, "response header X-Total is a string and not an integer\nresponse body /0/id is missing"},
		{"GET /books", 200, "Content-Type: text/html\n\na", "response header X-Total is missing"},
		{"GET /books", 200, "X-Total: 1\nContent-Type: image/png\n\na", "response header Content-Type is image/png, and the contract has application/json and text/*"},
		{"GET /books", 200, "X-Total: 1", "response body is missing"},
		{"HEAD /books", 200, "X-Total: 1", ""},
		{"GET /books", 304, "", ""},
		{"GET /books", 404, "Content-Type: application/problem+json\n\n{}", "response body /title is missing"},
		{"GET /books", 500, "", "response has the status 500, and the contract has 200, 4XX and 304"},
		{"POST /books", 500, "", ""},
		{"PUT /books", 500, "", ""},
		{"GET /books/1", 500, "", ""},
	} {
		head, body, _ := strings.Cut(tt.answer, "\n\n")
		a := check.Answer{Status: tt.status, Header: headerOf(strings.Split(head, "\n")), Body: []byte(body)}
		if got := said(c.Answer(requestOf(t, tt.request), a)); got != tt.want {
			t.Errorf("%s %d %q:\n%s\nwant\n%s", tt.request, tt.status, tt.answer, got, tt.want)
		}
	}
}

func TestARequestIsHeldAgainstSwagger(t *testing.T) {
	t.Parallel()
	c := contractOf(t, `swagger: "2.0"
consumes: [application/json]
paths:
  /a:
    get:
      parameters:
        - {name: c, in: query, type: array, items: {type: integer}}
        - {name: m, in: query, type: array, collectionFormat: multi, items: {type: integer}}
        - {name: p, in: query, type: array, collectionFormat: pipes, items: {type: integer}, required: true}
    post:
      parameters: [{name: body, in: body, required: true, schema: {type: object}}]
      responses: {200: {schema: {type: object}, headers: {X-A: {type: integer}}}}
    put:
      parameters: [{name: n, in: formData, type: integer, required: true}, {name: f, in: formData, type: file}]
`)
	for request, want := range map[string]string{
		"GET /a?c=1,2&m=1&m=2&p=1|2": "",
		"GET /a?c=1,x&m=1&m=x&p=x|2": "query c /1 is a string and not an integer\nquery m /1 is a string and not an integer\nquery p /0 is a string and not an integer",
		"GET /a":                     "query p is missing",
		"POST /a":                    "body is missing",
		"POST /a\nContent-Type: application/json\n\n[]":                  "body is an array and not an object",
		"PUT /a\nContent-Type: application/x-www-form-urlencoded\n\nn=1": "",
		"PUT /a\nContent-Type: application/x-www-form-urlencoded\n\nn=x": "body /n is a string and not an integer",
		"PUT /a": "body /n is missing",
		"PUT /a\nContent-Type: multipart/form-data; boundary=b\n\n" + parts("n\n\n1", "f; filename=a\nContent-Type: image/png\n\n\x00"): "",
		"PUT /a\nContent-Type: multipart/form-data; boundary=b\n\n" + parts("f; filename=a\n\nx"):                                       "body /n is missing",
		"PUT /a\nContent-Type: multipart/form-data; boundary=b\n\n" + parts("n\n\nx"):                                                   "body /n is a string and not an integer",
		"PUT /a\nContent-Type: multipart/form-data":                                                                                     "body is not a form that can be read",
	} {
		if got := said(c.Request(requestOf(t, request))); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", request, got, want)
		}
	}
	answer := check.Answer{Status: 200, Header: http.Header{"X-A": {"x"}}, Body: []byte("[]")}
	want := "response header X-A is a string and not an integer\nresponse body is an array and not an object"
	if got := said(c.Answer(requestOf(t, "POST /a"), answer)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAPathThatNobodyWritesIsReadAsItIs(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/%FF{a}", "/{", "/}{", "/{}", "/{a}{b}", "//", "/" + strings.Repeat("{a}", 200_000)} {
		c := contractOf(t, `{"openapi": "3.1.0", "paths": {"`+path+`": {"get": {}}}}`)
		if _, ok := c.Operation("GET", "/nothing/here"); ok {
			t.Errorf("%.20s is reached", path)
		}
		c.Operation("GET", path[:min(len(path), 100)])
	}
}

func TestGoroutinesShareAContract(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	r := requestOf(t, "POST /books\nContent-Type: application/json\n\n"+`{"title": 1}`)
	want := said(c.Request(r))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if got := said(c.Request(r)); got != want {
					t.Error(got)
				}
			}
		})
	}
	all.Wait()
}
