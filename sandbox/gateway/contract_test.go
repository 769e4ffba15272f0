package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/internal/openapi"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// shopContract is a contract of the API that startRestricted serves.
const shopContract = `{
  "openapi": "3.0.3",
  "info": {"title": "shop", "version": "1"},
  "paths": {
    "/open": {
      "get": {
        "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
        "responses": {"200": {"description": "all", "content": {"application/json": {
          "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
          "example": [{"id": 1, "name": "book"}]}}}}
      },
      "post": {
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
        "responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
          "404": {"description": "none", "content": {"application/json": {"examples": {
            "none": {"value": {"message": "no such shop"}}, "closed today": {"value": {"message": "closed"}}, "elsewhere": {"externalValue": "https://example.com"}}}}}}
      },
      "delete": {"responses": {"204": {"description": "gone", "headers": {
        "X-Left": {"required": true, "schema": {"type": "integer"}}, "access-control-allow-origin": {"example": "https://example.com"}}}}}
    },
    "/books": {"get": {"responses": {"200": {"description": "books", "content": {"text/plain": {"example": "two books"}}}}}}
  },
  "components": {"schemas": {"Item": {"type": "object", "required": ["id"], "properties": {
    "id": {"type": "integer"}, "name": {"type": "string", "maxLength": 10}}}}}
}`

// contracted serves the restricted API with its contract; adjust changes the API first.
func contracted(t *testing.T, invoker Invoker, adjust func(*API)) (r *running, told func() []Breach) {
	t.Helper()
	d, err := openapi.Read("backend/api/shop/openapi.json", []byte(shopContract))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all []Breach
	r = startRestricted(t, func(g *Gateway) {
		recorded(g)
		g.options.Invoker = invoker
		g.options.Breach = func(b Breach) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, b)
		}
	})
	api := restrictedAPI()
	api.Contract = NewContract(d)
	adjust(&api)
	r.gateway.Apply([]API{api})
	return r, func() []Breach {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

func checked(a *API) { a.CheckContract = true }

func TestWhatBreaksTheContractIsToldAndTheAnswerStays(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":200,"headers":{"Content-Type":"application/json"},"body":"[{\"id\":\"1\"}]"}`), checked)
	for range 3 {
		if a := r.call("GET", "/open?limit=0", ""); a.status != 200 || a.body != `[{"id":"1"}]` || a.get(MockHeader) != "" {
			t.Fatalf("the answer is %d %s", a.status, a.body)
		}
	}
	all := r.details(3)
	for _, d := range all {
		if len(d.Breaches) != 2 || !strings.Contains(d.Breaches[0], "query limit") || !strings.Contains(d.Breaches[1], "/0/id") {
			t.Errorf("request %d has the breaches %q", d.Number, d.Breaches)
		}
		for _, text := range d.Breaches {
			if !strings.Contains(text, "(backend/api/shop/openapi.json:") {
				t.Errorf("%q does not say where the contract has it", text)
			}
		}
		if note := d.Note(); note != "breaks its contract" {
			t.Errorf("the note is %q", note)
		}
	}
	if n := strings.Count(r.logText(logs.Gateway), "breaks the contract: "); n != 6 {
		t.Errorf("the log has %d breaches, want 6:\n%s", n, r.logText(logs.Gateway))
	}
	if got := told(); len(got) != 2 || got[0].API != "shop" || !strings.HasPrefix(got[0].Text, "GET /open breaks the contract: query limit ") {
		t.Errorf("told was %+v, want each breach once", got)
	}
}

func TestWhatHoldsTheContractIsNotTold(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":201,"body":"{\"id\":1}"}`), checked)
	r.call("POST", "/open", `{"id": 7, "name": "book"}`, "Content-Type: application/json")
	if d := r.details(1)[0]; len(d.Breaches) != 0 || len(told()) != 0 {
		t.Errorf("the breaches are %q, told was %v", d.Breaches, told())
	}
}

func TestOnlyWhatReachesAFunctionIsHeldAgainstTheContract(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":200,"body":"two books"}`), checked)
	refused := r.call("GET", "/books", "", "Authorization: Bearer nonsense")
	preflight := r.call("OPTIONS", "/open", "")
	if refused.status == 200 || preflight.status != 200 {
		t.Fatalf("the answers are %d and %d", refused.status, preflight.status)
	}
	for _, d := range r.details(2) {
		if len(d.Breaches) != 0 {
			t.Errorf("%s %s has the breaches %q", d.Method, d.Target, d.Breaches)
		}
	}
	r.gateway.options.Invoker = returns("nonsense")
	if a := r.call("PUT", "/open", ""); a.status != 502 {
		t.Fatalf("a broken function is answered %d", a.status)
	}
	if d := r.details(3)[2]; len(d.Breaches) != 1 || !strings.Contains(d.Breaches[0], "PUT") {
		t.Errorf("a broken function has the breaches %q, want that the contract has no PUT", d.Breaches)
	}
	if len(told()) != 1 {
		t.Errorf("told was %v", told())
	}
}

func TestNothingIsCheckedUnlessThatIsAskedFor(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":200,"body":"x"}`), func(*API) {})
	r.call("PUT", "/open?limit=x", "")
	if d := r.details(1)[0]; len(d.Breaches) != 0 || len(told()) != 0 {
		t.Errorf("the breaches are %q", d.Breaches)
	}
}

func TestWhatIsNotCheckedIsToldOnceAndBreaksNothing(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":201,"body":"{\"id\":1}"}`), checked)
	for range 3 {
		r.call("POST", "/open", "\x0b\x02\x80", "Content-Type: application/json", "Content-Encoding: br")
	}
	for _, d := range r.details(3) {
		if len(d.Breaches) != 0 || d.Note() != "" {
			t.Errorf("the breaches are %q", d.Breaches)
		}
	}
	if got := told(); len(got) != 1 || !strings.HasPrefix(got[0].Text, "POST /open: body was not checked, because it is compressed as br, and only gzip and deflate are unpacked (backend/api/shop/openapi.json:") {
		t.Errorf("told was %+v", got)
	}
	if text := r.logText(logs.Gateway); strings.Contains(text, "checked") {
		t.Errorf("the log has\n%s", text)
	}
}

func TestTheConsolesTestIsHeldAgainstTheContract(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, returns(`{"statusCode":200,"body":"[]"}`), checked)
	test, err := r.gateway.Test(t.Context(), Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/open", Query: "limit=many"})
	if err != nil || test.Status != 200 {
		t.Fatalf("the test is answered %d: %v", test.Status, err)
	}
	if d := r.details(1)[0]; len(d.Breaches) != 1 || !strings.Contains(d.Breaches[0], "query limit") {
		t.Errorf("the breaches are %q", d.Breaches)
	}
}

func TestSecretsInABreachAreNotKept(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, returns(`{"statusCode":200,"body":"[]"}`), checked)
	const secret = "correct-horse-battery-staple"
	r.logs.Redact([]string{secret})
	r.call("POST", "/open", `{"id": "`+secret+`", "name": "`+secret+`", "`+secret+`": 1}`, "Content-Type: application/json")
	r.call("GET", "/open?limit="+secret, "")
	for _, d := range r.details(2) {
		if len(d.Breaches) == 0 {
			t.Errorf("%s has no breach", d.Method)
		}
		if text := strings.Join(d.Breaches, "\n"); strings.Contains(text, secret) {
			t.Errorf("a breach has the secret: %s", text)
		}
	}
	for _, b := range told() {
		if strings.Contains(b.Text, secret) {
			t.Errorf("told was the secret: %s", b.Text)
		}
	}
	if text := r.logText(logs.Gateway); strings.Contains(text, secret) {
		t.Errorf("the log has the secret:\n%s", text)
	}
}

// neverCalled is an Invoker that fails the test.
func neverCalled(t *testing.T) handler {
	return func(_ context.Context, c function.Call) (function.Answer, error) {
		t.Errorf("function %s was called", c.Function)
		return function.Answer{}, nil
	}
}

func TestExamplesOfTheContractAreTheAnswers(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, neverCalled(t), func(a *API) { a.Mock = []string{"/"} })
	for _, want := range []struct {
		method, path, body string
		lines              []string
		status             int
		answer, mediaType  string
	}{
		{"GET", "/open", "", nil, 200, `[{"id":1,"name":"book"}]`, "application/json"},
		{"HEAD", "/open", "", nil, 200, ``, "application/json"},
		{"POST", "/open", "{}", nil, 201, `{"id":0,"name":"string"}`, "application/json"},
		{"POST", "/open", "{}", []string{"Prefer: code=404"}, 404, `{"message":"no such shop"}`, "application/json"},
		{"POST", "/open", "{}", []string{"Prefer: code=404, example=none"}, 404, `{"message":"no such shop"}`, "application/json"},
		{"POST", "/open", "{}", []string{"Prefer: respond-async", `Prefer: Example = "closed today"; wait=10`}, 404, `{"message":"closed"}`, "application/json"},
		{"DELETE", "/open", "", nil, 204, ``, ""},
		{"PUT", "/open", "", nil, 501, "*", "application/json"},
		{"GET", "/open/1/2", "", nil, 501, "*", "application/json"},
		{"GET", "/open", "", []string{"Prefer: code=418"}, 501, "*", "application/json"},
	} {
		a := r.call(want.method, want.path, want.body, want.lines...)
		got := a.body
		var value any
		if json.Unmarshal([]byte(got), &value) == nil && want.status < 500 {
			text, _ := json.Marshal(value)
			got = string(text)
		}
		if a.status != want.status || want.answer != "*" && got != want.answer || a.get("Content-Type") != want.mediaType || a.get(MockHeader) != "true" {
			t.Errorf("%s %s %v: %d %s %q, header %q", want.method, want.path, want.lines, a.status, a.get("Content-Type"), a.body, a.get(MockHeader))
		}
		if a.get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s %s: a web page cannot read the answer", want.method, want.path)
		}
	}
	for _, d := range r.details(10) {
		if !d.Mocked || d.Function != "" || d.Refused() || d.Failed != (d.Status >= 500) {
			t.Errorf("%s %s is remembered as %+v", d.Method, d.Target, d.Call)
		}
	}
}

func TestAnExampleHasTheHeadersOfTheContractAndHoldsIt(t *testing.T) {
	t.Parallel()
	r, told := contracted(t, neverCalled(t), func(a *API) { a.Mock, a.CheckContract = []string{"/"}, true })
	a := r.call("DELETE", "/open", "")
	if a.status != 204 || a.get("X-Left") != "0" || a.get("Access-Control-Allow-Origin") != "*" || !strings.HasSuffix(a.get("Access-Control-Expose-Headers"), ",x-gatewright-mock,X-Left") {
		t.Errorf("the answer is %+v", a)
	}
	if len(told()) != 0 {
		t.Errorf("told was %v", told())
	}
}

func TestAPreferenceThatTheContractDoesNotHaveIsToldInOneLine(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, neverCalled(t), func(a *API) { a.Mock = []string{"/"} })
	for prefer, want := range map[string]string{
		"example=gone":            `POST /open: the contract has no example gone of it; ask for one that it has (none, \"closed today\", elsewhere), or add it`,
		"code=404 example=gone":   `POST /open: the contract has no example gone of its response 404; ask for one that it has (none, \"closed today\", elsewhere), or add it`,
		"code=201; example=none":  `POST /open: the contract has no example none of its response 201; add it`,
		"code=418":                `POST /open: the contract has no response 418 for it; ask for one that it has, or add it`,
		"code=4O4":                `the header Prefer asks for the status 4O4, which no response has; ask for one from 200 to 599, as in Prefer: code=404`,
		"code=99999999999999999":  `the header Prefer asks for the status 99999999999999999, which no response has; ask for one from 200 to 599, as in Prefer: code=404`,
		"example=elsewhere":       `POST /open: the example elsewhere has no value in the contract; write its value there, at line 16`,
		`example="none`:           ``,
		`example="no\ne", =, "\`:  ``,
		`dynamic=true,return=min`: ``,
	} {
		a := r.call("POST", "/open", "{}", "Prefer: "+prefer)
		if want == "" {
			if a.status >= 500 {
				t.Errorf("%s is answered %d %s", prefer, a.status, a.body)
			}
			continue
		}
		if a.status != 501 || a.body != `{"message":"`+want+`"}` || a.get(MockHeader) != "true" {
			t.Errorf("%s is answered %d %s", prefer, a.status, a.body)
		}
	}
}

func TestTheConsolesTestOfAMockedPathHasTheExample(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, neverCalled(t), func(a *API) { a.Mock, a.CheckContract = []string{"/open"}, true })
	test := func(method, prefer string) Test {
		t.Helper()
		answered, err := r.gateway.Test(t.Context(), Request{
			Environment: "dev", Label: "shop", Method: method, Path: "/open", Query: "limit=many", Headers: http.Header{"Prefer": {prefer}, "Authorization": {"Bearer abc"}},
		})
		if err != nil || answered.Event != nil || len(answered.Headers[MockHeader]) != 1 {
			t.Fatalf("the test is %+v, %v", answered, err)
		}
		return answered
	}
	fine := test("GET", "")
	if fine.Status != 200 || !strings.Contains(fine.Body, `"name": "book"`) || !strings.Contains(strings.Join(fine.Log, "\n"), "No function is called: sandbox --mock answers with the examples of backend/api/shop/openapi.json") {
		t.Errorf("the test is %+v", fine)
	}
	if gone := test("DELETE", ""); gone.Status != 204 || gone.Body != "" {
		t.Errorf("the test of what has no body is %+v", gone)
	}
	if missing := test("PUT", ""); missing.Status != 501 || !strings.Contains(missing.Body, "has no PUT of the path /open") || strings.Contains(strings.Join(missing.Log, "\n"), "Successfully") {
		t.Errorf("the test of what the contract has not is %+v", missing)
	}
	d := r.details(3)[0]
	if !d.Mocked || d.Function != "" || len(d.Breaches) != 1 || len(d.Headers) != 2 || strings.Contains(d.Headers[0].Value, "abc") {
		t.Errorf("it is remembered as %+v", d)
	}
}

func TestExamplesAreGivenToWhomAccessLetsIn(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, neverCalled(t), func(a *API) { a.Mock = []string{"/"} })
	want := access.NewRouter(restrictedAPI().Definition, testPool.Groups, access.Terms{})
	for _, who := range []string{"guest", "emma", "edgar", "ada"} {
		for _, method := range []string{"GET", "DELETE"} {
			for _, path := range []string{"/open", "/books", "/vault"} {
				groups := map[string][]string{"edgar": {"Editors"}, "ada": {"Admins", "Editors"}}[who]
				may := want.Decide(access.Caller{SignedIn: who != "guest", Groups: groups}, method, path).Allowed
				a := r.send(r.signedAs(who, method, path, ""))
				if mocked := a.get(MockHeader) == "true"; mocked != may || !may && a.status != http.StatusForbidden {
					t.Errorf("%s %s as %s: %d, an example: %t, want %t", method, path, who, a.status, mocked, may)
				}
			}
		}
	}
}

func TestOnlyPathsBelowTheGivenOnesHaveExamples(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, returns(`{"statusCode":200,"body":"from the function"}`), func(a *API) { a.Mock = []string{"/books"} })
	if a := r.call("GET", "/open", ""); a.body != "from the function" || a.get(MockHeader) != "" {
		t.Errorf("/open answers %s", a.body)
	}
	if a := r.send(r.signedAs("emma", "GET", "/books", "")); a.body != "two books" || a.get(MockHeader) != "true" {
		t.Errorf("/books answers %d %s", a.status, a.body)
	}
}

func TestAPathCoversItselfAndWhatIsBelow(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		above, path string
		covers      bool
	}{
		{"/", "/", true},
		{"/", "/books/1", true},
		{"/books", "/books", true},
		{"/books/", "/books", true},
		{"/books", "/books/1/pages", true},
		{"/books", "/booksellers", false},
		{"/books/{id}", "/books/1", true},
		{"/books/1", "/books/{id}", true},
		{"/books/{id}", "/books", false},
		{"/books", "/", false},
	} {
		if got := Covers(want.above, want.path); got != want.covers {
			t.Errorf("Covers(%s, %s) is %t", want.above, want.path, got)
		}
	}
}
