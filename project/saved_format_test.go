package project_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/saved"
)

const sentToken = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.c2ln"

func findings(all []saved.Finding) string {
	var lines []string
	for _, f := range all {
		line := f.Pointer + " " + f.Text
		if f.Level == model.Warning {
			line = "warning " + line
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestEachPlaceOfASavedRequestThatMayHoldASecretIsFound(t *testing.T) {
	t.Parallel()
	const header, query = "/headers/0 the header %s may hold a secret", "/query the parameter %s may hold a secret"
	named := func(text, name string) string { return strings.Replace(text, "%s", name, 1) }
	for _, c := range []struct {
		name    string
		request saved.Request
		want    string
	}{
		{"nothing", saved.Request{Headers: []string{"X-Trace: 1", "Accept: */*"}, Query: "page=2&nextToken=abc", Below: "/a", Parameters: map[string]string{"id": "1"}, Body: "a=b"}, ""},
		{"a header", saved.Request{Headers: []string{"Authorization: x"}}, named(header, "Authorization")},
		{"a header of AWS", saved.Request{Headers: []string{"X-Amz-Security-Extra: x"}}, named(header, "X-Amz-Security-Extra")},
		{"a header with a token", saved.Request{Headers: []string{"X-Other: " + sentToken}}, named(header, "X-Other")},
		{"a header with a variable", saved.Request{Headers: []string{"Authorization: ${TOKEN}"}}, ""},
		{"a header with what is no variable", saved.Request{Headers: []string{"Authorization: $${TOKEN}"}}, named(header, "Authorization")},
		{"an empty header", saved.Request{Headers: []string{"Authorization: "}}, ""},
		{"the second header", saved.Request{Headers: []string{"A: b", "Cookie: c"}}, "/headers/1 the header Cookie may hold a secret"},
		{"parameters", saved.Request{Query: "token=a&page=1&api_key=b&token=c"}, named(query, "api_key") + "\n" + named(query, "token")},
		{"a parameter with a variable", saved.Request{Query: "token=${TOKEN}"}, ""},
		{"a token in a parameter", saved.Request{Query: "page=" + sentToken}, "/query the query holds a token or key"},
		{"a secret in a filter", saved.Request{Query: "filter=%7B%22password%22%3A%22x%22%7D"}, "/query the query holds a token or key"},
		{"the path", saved.Request{Below: "/" + sentToken}, "/below the path holds a token or key"},
		{"a variable of the path", saved.Request{Parameters: map[string]string{"token": "x"}}, "/parameters/token the parameter token may hold a secret"},
		{"JSON", saved.Request{JSON: json.RawMessage(`{"a": [{"password": "x"}], "pin": 1}`)}, "/json the body has password, which may be a secret\n/json the body has pin, which may be a secret"},
		{"a form", saved.Request{Body: "user=ada&password=x"}, "/body the body has password, which may be a secret"},
		{"a text", saved.Request{Body: "Bearer abcdefgh"}, "/body the body has \"a password, a token or a key\", which may be a secret"},
	} {
		if got := findings(c.request.Check()); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTheAnswerThatASavedRequestExpectsIsChecked(t *testing.T) {
	t.Parallel()
	body := "b"
	r := saved.Request{JSON: json.RawMessage(`{}`), Body: body, Expect: &saved.Answer{Pattern: "(", Ignore: []string{"$.a", "b"}, JSON: json.RawMessage(`{"token": "x"}`)}}
	var pointers []string
	for _, f := range r.Check() {
		if f.Level == model.Warning {
			f.Pointer += " warns"
		}
		pointers = append(pointers, f.Pointer)
	}
	if diff := cmp.Diff([]string{"/body", "/expect/ignore/1", "/expect/pattern", "/expect/json warns"}, pointers); diff != "" {
		t.Error(diff)
	}
	r.Body, r.Expect = "", &saved.Answer{Pattern: "^ok", Ignore: []string{"$.a"}, JSON: json.RawMessage(`{"token": "***"}`)}
	if got := findings(r.Check()); got != "" {
		t.Errorf("a good request has %s", got)
	}
}

func TestASavedRequestNamesAPathOfTheBackend(t *testing.T) {
	t.Parallel()
	b := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{{Name: "/books"}}}, {Label: "unread"}}}
	for _, c := range []struct{ api, path, want string }{
		{"shop", "/books", ""},
		{"unread", "/any", ""},
		{"shop", "/gone", "warning /path names the path /gone, which the API shop does not have"},
		{"old", "/books", "warning /api names the API old, which does not exist"},
	} {
		if got := findings(saved.Request{API: c.api, Path: c.path}.CheckIn(b)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.api, c.path, got, c.want)
		}
	}
}

func TestSecretsAreHiddenAndNothingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": {"password": "x", "b": 1}, "list": [{"token": ["x"]}]}`:               `{"a": {"password": "***", "b": 1}, "list": [{"token": "***"}]}`,
		`{"password": null, "token": "", "secret": "${NAME}"}`:                       `{"password": null, "token": "", "secret": "${NAME}"}`,
		`{"a": "` + sentToken + `"}`:                                                 `{"a": "***"}`,
		`user=ada&password=x&page=2`:                                                 `user=ada&password=***&page=2`,
		`password=${NAME}`:                                                           `password=${NAME}`,
		`<user><name>ada</name><password>x</password></user>`:                        `<user><name>ada</name><password>***</password></user>`,
		"--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b--": "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n***\r\n--b--",
		"--b\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\nx\r\n--b--":     "--b\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\nx\r\n--b--",
		`plain text`: `plain text`,
	} {
		if got := saved.Hide(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
	for query, want := range map[string]string{
		"page=1;token=x":             "page=1;token=***",
		"filter=%7B%22pwd%22:1%7D&a": "filter=***&a",
		"filter=%7B%22a%22:1%7D":     "filter=%7B%22a%22:1%7D",
	} {
		if got := saved.HideQuery(query); got != want {
			t.Errorf("the query %q becomes %q, want %q", query, got, want)
		}
	}
	clean, paths := saved.HideValue(json.RawMessage(`{"a": [{"pass word": 1}, {"password": "x", "it's a token": "y", "b": "` + sentToken + `"}]}`))
	if diff := cmp.Diff([]string{"$.a[0]['pass word']", "$.a[1].password", `$.a[1]['it\'s a token']`, "$.a[1].b"}, paths); diff != "" {
		t.Errorf("the places: %s", diff)
	}
	if want := `{"a": [{"pass word": "***"}, {"password": "***", "it's a token": "***", "b": "***"}]}`; string(clean) != want {
		t.Errorf("the value is %s, want %s", clean, want)
	}
}

func TestVariablesOfASavedRequestAreExpandedOnce(t *testing.T) {
	t.Parallel()
	values := map[string]string{"A": "${B}", "B": "b", "EMPTY": ""}
	lookup := func(name string) (string, bool) { value, ok := values[name]; return value, ok }
	for text, want := range map[string]string{"${A}${B}": "${B}b", "$${A} ${EMPTY}.": "${A} .", "$A ${1}": "$A ${1}", "$$${B}": "$${B}"} {
		got, err := saved.Expand(text, lookup)
		if err != nil || got != want {
			t.Errorf("%q becomes %q, %v, want %q", text, got, err, want)
		}
		if back, err := saved.Expand(saved.Escape(text), lookup); err != nil || back != text {
			t.Errorf("%q escaped becomes %q, %v", text, back, err)
		}
	}
	if got, err := saved.Expand("${B} ${NONE} ${OTHER}", lookup); got != "" || err == nil || err.Error() != "the variable NONE is not set; set it with: export NONE=VALUE" {
		t.Errorf("a variable that is not set gives %q, %v", got, err)
	}
}

func TestAFileOfASavedRequestIsReadStrictlyAndChangedWhereItDiffers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"version": 2}`:               "version: is 2, but this program reads 1; write 1",
		`{"version": 1, "headers": 1}`: "headers: is not a list",
		`{"version": 1, "test": 1}`:    "test: is not true or false",
		`{"version": 1, "api": 1}`:     "api: is not a text",
		`{"version": "1"}`:             "version: is not a whole number",
		`[]`:                           "is not a saved request, which is an object",
	} {
		if _, _, err := saved.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	const file = `{"own": 1, "method": "GET", "version": 1,
  "path": "/a<b>", "api": "shop"}`
	before, doc, err := saved.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	after := before
	after.Method = "PUT"
	got, err := saved.Change(doc, before, after)
	if want := strings.Replace(file, "GET", "PUT", 1); err != nil || string(got) != want {
		t.Errorf("changed to %s, %v", got, err)
	}
	fresh, err := after.Bytes()
	if want := "{\n  \"version\": 1,\n  \"api\": \"shop\",\n  \"path\": \"/a<b>\",\n  \"method\": \"PUT\"\n}\n"; err != nil || string(fresh) != want {
		t.Errorf("a new file is %s, %v", fresh, err)
	}
}

func TestNamesOfSavedRequestsAreNamesOfFilesEverywhere(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"list": true, "a.b-c_D9": true, strings.Repeat("a", 64): true,
		"": false, ".a": false, "-a": false, "_a": false, "a b": false, "a/b": false, "ä": false, strings.Repeat("a", 65): false, "con": false,
	} {
		if err := saved.CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
