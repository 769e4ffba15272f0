package request

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/flow/request/requesttest"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
)

// A random form is saved, read again, and sends the same request: JSON in other white space,
// everything else byte for byte.
func TestASavedRequestIsReadAsItWasSaved(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	s, err := Read(dir)
	must(t, err)
	rapid.Check(t, func(r *rapid.T) {
		f := drawnForm(r)
		if len(f.Body) > 0 && f.Body[0] == 0 {
			return // no text
		}
		plan, err := s.PlanSaved("a.request-1", f, nil)
		if err != nil {
			r.Fatal(err)
		}
		if err := plan.Write(); err != nil {
			r.Fatal(err)
		}
		file, err := s.SavedRequest("a.request-1")
		if err != nil {
			r.Fatal(err)
		}
		read, err := s.FromSaved("dev", file.Request)
		if err != nil {
			r.Fatal(err)
		}
		sent, err := read.expanded(func(string) (string, bool) { return "", false })
		if err != nil {
			r.Fatal(err)
		}
		if isDocument(f.Body) {
			var a, b any
			if json.Unmarshal([]byte(f.Body), &a) != nil || json.Unmarshal([]byte(sent.Body), &b) != nil || !slices.Equal(marshal(a), marshal(b)) {
				r.Fatalf("the body %q is %q", f.Body, sent.Body)
			}
			sent.Body = f.Body
		}
		if !sent.Equal(f) {
			r.Fatalf("%+v\nis read as\n%+v", f, sent)
		}
	})
}

func marshal(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}

func TestSavingAgainKeepsWhatThePersonWrote(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	folder := filepath.Join(dir, "backend", "requests")
	must(t, os.MkdirAll(folder, 0o755))
	const mine = `{
    "version": 1,
    "description": "mine",
    "later": {"kept":   true},
    "api": "shop", "path": "/open", "method": "GET",
    "expect": {"status": 200, "ignore": ["$.at"], "part": true, "headers": ["X-Served-By: echo"]}
}
`
	file := filepath.Join(folder, "one.json")
	must(t, os.WriteFile(file, []byte(mine), 0o644))
	s, err := Read(dir)
	must(t, err)
	plan, err := s.PlanSaved("one", Form{Environment: "dev", API: "shop", Path: "/open", Method: "PUT", Query: "a=1"}, nil)
	must(t, err)
	if !plan.Replaces {
		t.Error("nobody would be asked")
	}
	must(t, plan.Write())
	f, err := s.SavedRequest("one")
	must(t, err)
	plan, err = s.PlanAnswer(f, call.Answer{Status: 201, Headers: http.Header{"X-Served-By": {"other"}, "Content-Type": {"application/json"}}, Body: []byte(`{"a": [1, 2], "at": 7}`)})
	must(t, err)
	must(t, plan.Write())
	text, err := os.ReadFile(file)
	must(t, err)
	for _, want := range []string{`"description": "mine"`, `"later": {"kept":   true}`, `"method": "PUT"`, `"query": "a=1"`, `"status": 201`, `"$.at"`, `"part": true`, `"X-Served-By: other"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "Content-Type") {
		t.Errorf("a header that was not chosen is kept:\n%s", text)
	}
}

func TestNamesOfSavedRequestsCannotLeadElsewhere(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	s, err := Read(dir)
	must(t, err)
	f := Form{Environment: "dev", API: "shop", Path: "/open", Method: "GET"}
	for _, name := range []string{"", "../one", "a/b", `a\b`, ".hidden", "-x", "a b", "é", "a\x1b[2J", strings.Repeat("a", 65), "CON:"} {
		if _, err := s.PlanSaved(name, f, nil); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := s.SavedRequest(name); err == nil {
			t.Errorf("%q is read", name)
		}
	}
}

func TestAnAnswerIsComparedWithTheKeptOne(t *testing.T) {
	t.Parallel()
	body := func(text string) *string { return &text }
	for _, tt := range []struct {
		name string
		kept saved.Answer
		got  string
		want []string
	}{
		{"long numbers", saved.Answer{JSON: []byte(`[9007199254740993, 20e-1, -0.0, 100, 1e999999999999999999999]`)}, `[9007199254740992, 2.00, 0, 1E+2, 1e999999999999999999999]`, []string{"body /0: expected 9007199254740993, got 9007199254740992"}},
		{"the same", saved.Answer{JSON: []byte(`{"a": [1, 2.0], "b": "é"}`)}, `{"b":"\u00e9","a":[1.0,2]}`, nil},
		{"a value", saved.Answer{JSON: []byte(`{"a": {"b": ["x", 1]}}`)}, `{"a": {"b": ["x", 2]}}`, []string{"body /a/b/1: expected 1, got 2"}},
		{"a kind", saved.Answer{JSON: []byte(`{"a": {}}`)}, `{"a": null}`, []string{"body /a: expected {}, got null"}},
		{"members", saved.Answer{JSON: []byte(`{"a": 1, "b": 2}`)}, `{"a": 1, "c/d": 3}`, []string{"body /b: expected 2, got nothing", "body /c~1d: expected nothing, got 3"}},
		{"elements", saved.Answer{JSON: []byte(`[1, 2]`)}, `[1]`, []string{"body /1: expected 2, got nothing"}},
		{"a part", saved.Answer{JSON: []byte(`{"a": [{"id": 1}]}`), Part: true}, `{"a": [{"id": 1, "x": 2}, 3], "y": 4}`, nil},
		{"a part that is not there", saved.Answer{JSON: []byte(`{"a": [{"id": 1}]}`), Part: true}, `{"a": []}`, []string{`body /a/0: expected {"id":1}, got nothing`}},
		{"ignored", saved.Answer{JSON: []byte(`{"at": 1, "items": [{"id": 1, "t": "x"}], "gone": 1}`), Ignore: []string{"$.at", "$..id", "$.gone", "$.more"}}, `{"at": 2, "items": [{"id": "9", "t": "y"}], "more": 1}`, []string{`body /items/0/t: expected "x", got "y"`}},
		{"no JSON", saved.Answer{JSON: []byte(`{}`)}, "<html>\x1b[2J", []string{"body: expected JSON, got <html>␛[2J"}},
		{"text", saved.Answer{Body: body("a\nb\n")}, "a\nc\n", []string{"body, line 2: expected b, got c"}},
		{"longer text", saved.Answer{Body: body("a\nb")}, "a", []string{"body, line 2: expected b, got the end"}},
		{"no text", saved.Answer{Body: body("a")}, "", []string{"body, line 1: expected a, got no text"}},
		{"long text", saved.Answer{Body: body(strings.Repeat("é", 60))}, strings.Repeat("é", 61), []string{"body, line 1: expected " + strings.Repeat("é", 60) + ", got " + strings.Repeat("é", 60) + "…"}},
		{"more elements", saved.Answer{JSON: []byte(`[1]`)}, `[1, {"a": 2}, 3]`, []string{`body /1: expected nothing, got {"a":2}`, "body /2: expected nothing, got 3"}},
		{"what is kept is no JSON", saved.Answer{JSON: []byte(`[`)}, `[]`, []string{"body: expected valid JSON, got line 1, column 2: the file ends in the middle of a value: complete the file"}},
		{"what is ignored is no path", saved.Answer{JSON: []byte(`{"a": 1}`), Ignore: []string{"a b"}}, `{"a": 2}`, []string{"ignore: expected a JSON path, got a b", "body /a: expected 1, got 2"}},
		{"signs and exponents", saved.Answer{JSON: []byte(`[-1, 10, 1e2, 0.10, 12, "1"]`)}, `[1, 1, 1e3, 0.1, 1.2e1, 1]`, []string{"body /0: expected -1, got 1", "body /1: expected 10, got 1", "body /2: expected 1e2, got 1e3", `body /5: expected "1", got 1`}},
		{"a pattern that cannot be read", saved.Answer{Pattern: "("}, "x", []string{"body: expected a match of a valid pattern, got error parsing regexp: missing closing ): `(`"}},
		{"shorter text", saved.Answer{Body: body("a")}, "a\nb", []string{"body, line 2: expected the end, got b"}},
		{"a pattern", saved.Answer{Pattern: `^id=\d+$`}, "id=7", nil},
		{"no match", saved.Answer{Pattern: `^id=\d+$`}, "id=x", []string{`body: expected a match of ^id=\d+$, got id=x`}},
		{"headers and status", saved.Answer{Status: 201, Headers: []string{"content-type: text/plain", "X-Gone: 1"}}, "", []string{"status: expected 201, got 200", "header content-type: expected text/plain, got application/json", "header X-Gone: expected 1, got no such header"}},
	} {
		if tt.kept.Status == 0 {
			tt.kept.Status = 200
		}
		var got []string
		for _, d := range Differences(tt.kept, call.Answer{Status: 200, Headers: http.Header{"Content-Type": {"application/json"}}, Body: []byte(tt.got)}) {
			got = append(got, d.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWhatIsKeptOfAnAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind, body string
		ignore     []string
		want       string
	}{
		{"text/plain", "text\n", nil, `{"status":201,"headers":["Content-Type: text/plain"],"body":"text\n"}`},
		{"", "", []string{"$.id"}, `{"status":201,"ignore":["$.id"]}`},
		{"image/png", "\x89PNG\xff", nil, `{"status":201,"headers":["Content-Type: image/png"]}`},
		{"text/plain", "password: x", nil, `{"status":201,"headers":["Content-Type: text/plain"]}`},
		{"application/json", " {\"a\": 1}\n", []string{"$.a"}, `{"status":201,"headers":["Content-Type: application/json"],"json":{"a":1},"ignore":["$.a"]}`},
		{"application/json", `{"token": "x", "password": "y"}`, []string{"$.token"}, `{"status":201,"headers":["Content-Type: application/json"],"json":{"token":"***","password":"***"},"ignore":["$.token","$.password"]}`},
		{"application/json", `{"a": 1, "a": 2}`, nil, `{"status":201,"headers":["Content-Type: application/json"],"body":"{\"a\": 1, \"a\": 2}"}`},
		{"application/json", `"alone"`, nil, `{"status":201,"headers":["Content-Type: application/json"],"body":"\"alone\""}`},
	} {
		a := call.Answer{Status: 201, Headers: http.Header{"X-Other": {"1"}}, Body: []byte(test.body)}
		if test.kind != "" {
			a.Headers["content-type"] = []string{test.kind, "second"}
		}
		ignore := append(make([]string, 0, 9), test.ignore...)
		kept := Keep(a, ignore)
		if got, err := json.Marshal(kept); err != nil || string(got) != test.want {
			t.Errorf("of %q is kept\n%s\nwant %s, %v", test.body, got, test.want, err)
		}
		if after := ignore[:cap(ignore)][len(ignore)]; after != "" {
			t.Errorf("the list of the caller goes on with %q", after)
		}
	}
}

// What is kept of an answer never differs from that answer.
func TestAnAnswerIsAsItWasKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SampledFrom([]string{`{"a": [1, {"b": null}], "token": "x", "t": "` + jwt + `"}`, `[]`, "", "text\nof lines", "\x00\xff", `{"a": 1, "a": 2}`, `"alone"`, "password: x"}).Draw(r, "body")
		a := call.Answer{Status: 200, Headers: http.Header{"content-type": {"x/y"}}, Body: []byte(text)}
		for _, d := range Differences(*Keep(a, nil), a) {
			r.Fatal(d)
		}
	})
}

// A value of a variable arrives as it is, wherever the request names it.
func TestAVariableOfTheProcessIsSentAsItIs(t *testing.T) {
	t.Parallel()
	values := map[string]string{"A": `50% of "a/b" + c?`, "B": `"`}
	f := Form{
		Path: "/books/{isbn}", Method: "PUT", Values: []string{"${A}"}, Below: "/${A}", Query: "q=${A}", Headers: []string{"X-A: ${A}"},
		Body: `{"a": "${A}", "b": "${B}", "c": "$${A}"}`, Variables: true,
	}
	sent, err := f.expanded(func(name string) (string, bool) { value, ok := values[name]; return value, ok })
	must(t, err)
	r, err := sent.Request()
	must(t, err)
	path, err := url.PathUnescape(r.Path)
	must(t, err)
	query, err := url.ParseQuery(r.Query)
	must(t, err)
	body := make(map[string]string)
	must(t, json.Unmarshal(r.Body, &body))
	want := values["A"]
	if path != "/books/"+want+"/"+want || strings.Count(r.Path, "/") != 3 || query.Get("q") != want || r.Headers["X-A"][0] != want ||
		body["a"] != want || body["b"] != values["B"] || body["c"] != "${A}" {
		t.Errorf("sent: %s?%s %v %s", r.Path, r.Query, r.Headers, r.Body)
	}
}
