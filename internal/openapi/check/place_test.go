package check_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/openapi/check"
)

// located lists findings with their places in the contract.
func located(findings []check.Finding) (lines []string) {
	for _, f := range findings {
		line := fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Where, f.Text)
		if f.Unchecked {
			line += " (unchecked)"
		}
		lines = append(lines, line)
	}
	return lines
}

const placed = `openapi: 3.0.3
paths:
  /a/{x}:
    get:
      parameters:
        - {name: q, in: query, required: true, schema: {type: integer}}
        - {name: e, in: query, allowEmptyValue: true, schema: {type: integer}}
        - {name: o, in: query, required: true, style: deepObject, schema: {type: object}}
        - {name: c, in: cookie, required: true, schema: {type: integer}}
        - {name: j, in: query, content: {text/plain: {schema: {type: integer}}}}
        - {name: 'l[]', in: query, schema: {type: array, items: {type: string}}}
        - {name: accept, in: header, schema: {type: integer}}
        - {name: content-type, in: header, required: true, schema: {type: string}}
        - {name: x, in: path, required: true, schema: {type: integer}}
        - {name: y, in: path, required: true, schema: {type: integer}}
      responses:
        '200':
          headers: {Content-Type: {required: true, schema: {type: integer}}, X: {required: true, schema: {type: integer}}, Y: {$ref: '#/none'}}
          content: {application/json: {schema: {type: string}}, text/json: {schema: {type: string}}, a/b+json: {schema: {type: string}}, '*/*': {}}
        '205': {content: {application/json: {}}}
        '304': {content: {application/json: {schema: {}}}}
        '102': {content: {application/json: {schema: {}}}}
    put:
      requestBody: {content: {application/json: {schema: {type: array, items: {type: integer}}}}}
  /none: {}
  /b.{y}:
    get: {}
  /b.{y}#z:
    put: {}
`

func TestEachFindingHasThePlaceOfWhatItIsAbout(t *testing.T) {
	t.Parallel()
	c := contractOf(t, placed)
	for request, want := range map[string][]string{
		"GET /a/1?q=1&e=&o[p]=1&j=x&l=a&l[0]=b\nAccept: x\nCookie: a=1; c=2\nCOOKIE: d=1": {"15:11 path y is missing"},
		"GET /a/x?q=x&e=x&l[]=1&z=1&b=1\ncookie: c=x": {
			"4:5 query b is not in the contract", "4:5 query z is not in the contract", "6:63 query q is a string and not an integer", "7:70 query e is a string and not an integer",
			"8:11 query o is missing", "9:64 cookie c is a string and not an integer", "14:62 path x is a string and not an integer", "15:11 path y is missing",
		},
		"GET /a/1?o[p]=1\nC: 1":                {"6:11 query q is missing", "9:11 cookie c is missing", "15:11 path y is missing"},
		"PUT /a/1":                             {},
		"PUT /a/1\n\n[]":                       {"23:5 header Content-Type is missing"},
		"PUT /a/1\nContent-Type: \n\n[]":       {"23:5 header Content-Type is missing"},
		"PUT /a/1\nContent-Type: A/\x1b\n\n[]": {`23:5 header Content-Type is "a/\x1b", and the contract has application/json`},
		"PUT /a/1\nContent-Type: APPLICATION/json ;;\n\n[1, x": {
			"23:5 body cannot be read at line 1, column 5: this is not JSON (invalid character 'x' at start of value): correct the text here",
		},
		"PUT /a/1\nContent-Type: application/json\n\n[1, \"x\"]": {"24:86 body /1 is a string and not an integer"},
		"PUT /a/1\nContent-Type: application/json\nContent-Encoding: br\n\n[]": {
			"23:5 body was not checked, because it is compressed as br, and only gzip and deflate are unpacked (unchecked)",
		},
		"POST /a/1":      {"3:3 path is not in the contract, which has no POST of the path /a/{x}, only GET and PUT"},
		"\x1b /a/1":      {`3:3 path is not in the contract, which has no "\x1b" of the path /a/{x}, only GET and PUT`},
		"GET /none":      {"25:3 path is not in the contract, which has no GET of the path /none"},
		"GET /":          {"0:0 path is not in the contract, which has no path /"},
		"GET /b.":        {"0:0 path is not in the contract, which has no path /b."},
		"GET /b.1":       {},
		"PUT /b.1":       {},
		"POST /b.1":      {"26:3 path is not in the contract, which has no POST of the path /b.{y}, only GET and PUT"},
		"OPTIONS /none":  {},
		"OPTIONS /other": {},
	} {
		if diff := cmp.Diff(want, append([]string{}, located(c.Request(requestOf(t, request)))...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", request, diff)
		}
	}
	for _, tt := range []struct {
		method, answer string
		status         int
		want           []string
	}{
		{"GET", "X: 1\n\n5", 200, []string{"19:55 response body is an integer and not a string"}},
		{"GET", "X: 1\nContent-Type: text/json\n\n5", 200, []string{"19:92 response body is an integer and not a string"}},
		{"GET", "X: 1\nContent-Type: A/B+JSON\n\n5", 200, []string{"19:128 response body is an integer and not a string"}},
		{"GET", "X: 1\nContent-Type: image/png\n\n5", 200, nil},
		{"GET", "X: 1", 200, []string{"18:11 response body is missing"}},
		{"HEAD", "X: x", 200, []string{"18:113 response header X is a string and not an integer"}},
		{"GET", "", 205, []string{"20:16 response body is missing"}},
		{"GET", "\n\n{", 205, []string{"20:16 response body cannot be read at line 1, column 2: the text ends in the middle of a value: add what is missing at the end"}},
		{"GET", "\n\nx", 304, nil},
		{"GET", "\n\nx", 102, nil},
		{"GET", "", 404, []string{"4:5 response has the status 404, and the contract has 200, 205, 304 and 102"}},
		{"GET", "\n\nx", 204, []string{"4:5 response has the status 204, and the contract has 200, 205, 304 and 102"}},
	} {
		head, body, _ := strings.Cut(tt.answer, "\n\n")
		a := check.Answer{Status: tt.status, Header: headerOf(strings.Split(head, "\n")), Body: []byte(body)}
		if diff := cmp.Diff(tt.want, located(c.Answer(check.Request{Method: tt.method, Path: "/a/1"}, a))); diff != "" {
			t.Errorf("%s %d %q (-want +got):\n%s", tt.method, tt.status, tt.answer, diff)
		}
	}
	if op, ok := c.Operation("HEAD", "/a/1/"); !ok || op.Method != "GET" || op.Item.Name != "/a/{x}" {
		t.Errorf("HEAD reaches %v, %v", op, ok)
	}
}

// TestAListOfFindingsEnds has a request that breaks more than is listed, and schemas that take too
// long.
func TestAListOfFindingsEnds(t *testing.T) {
	t.Parallel()
	query := make(url.Values)
	for i := range 30 {
		query.Set(fmt.Sprintf("n%02d", i), "")
	}
	c := contractOf(t, placed)
	got := located(c.Request(check.Request{Method: "GET", Path: "/a/1", Query: query}))
	if len(got) != 20 || got[19] != "4:5 query n19 is not in the contract" {
		t.Errorf("%d findings: %q", len(got), got)
	}
	var doubled strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubled, "x%d: {allOf: [{$ref: '#/x%d'}, {minimum: 0}, {$ref: '#/x%d'}]}\n", i, i+1, i+1)
	}
	c = contractOf(t, "openapi: 3.1.0\npaths:\n  /a:\n    put: {parameters: [{name: q, in: query, schema: {}}], requestBody: {content: {application/json: {schema: {$ref: '#/x0'}}}}}\n"+doubled.String()+"x60: {type: integer}\n")
	got = located(c.Request(check.Request{Method: "PUT", Path: "/a", Query: query, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte("1")}))
	if len(got) != 20 || got[18] != "4:5 query n18 is not in the contract" || got[19] != "4:5 request was not checked whole, because it takes too long (unchecked)" {
		t.Errorf("%d findings: %q", len(got), got)
	}
}

func TestFieldsOfAFormOfSwaggerAreThoseOfTheOperationFirst(t *testing.T) {
	t.Parallel()
	c := contractOf(t, `swagger: "2.0"
paths:
  /a:
    parameters:
      - {name: n, in: formData, type: string}
      - {name: m, in: formData, type: integer}
      - {$ref: '#/none'}
    put:
      parameters: [{name: n, in: formData, type: integer}, {name: f, in: formData, type: file, maxLength: 1}, {name: q, in: query, type: string}, {in: formData}, {name: e, in: formData, type: integer, allowEmptyValue: true}]
`)
	const form, files = "PUT /a\nContent-Type: application/x-www-form-urlencoded\n\n", "PUT /a\nContent-Type: multipart/form-data; boundary=b\n\n"
	for request, want := range map[string][]string{
		form + "n=1&m=2&f=long&e=":                                 nil,
		form + "n=x&m=y":                                           {"9:50 body /n is a string and not an integer", "6:39 body /m is a string and not an integer"},
		form + "n=%zz":                                             {"8:5 body is not a form that can be read"},
		"PUT /a\nContent-Type: text/csv\n\nn=x":                    nil,
		"PUT /a\n\nn=x":                                            {"9:50 body /n is a string and not an integer"},
		files + parts("n; filename=n\n\nx"):                        nil,
		files + parts("n\n\nx", "n\n\n1"):                          {"9:50 body /n is a string and not an integer"},
		files + parts("f\n\nlong", "m\n\n2"):                       nil,
		files + parts("n\nContent-Type: image/png\n\nx", "m\n\ny"): {"6:39 body /m is a string and not an integer"},
		files + parts("n\n\n\xff"):                                 nil,
		files + parts("n\nContent-Type: application/json\n\nx"):    {"9:50 body /n is a string and not an integer"},
	} {
		if diff := cmp.Diff(want, located(c.Request(requestOf(t, request)))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", request, diff)
		}
	}
}
