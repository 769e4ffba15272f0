package request

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatewright/flow/request/requesttest"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

// jwt is a token in the form of those that pools give.
const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJoaWRkZW4ifQ.aGlkZGVuLXNpZ25hdHVyZQ"

// secretForms are requests with secrets in every part; each secret contains "hidden" or is jwt.
func secretForms() []Form {
	base := Form{Environment: "dev", API: "shop", Path: "/open", Method: "POST"}
	forms := []Form{
		{Headers: []string{"Authorization: Bearer hidden-token", "Cookie: session=hidden", "X-Api-Key: hidden", "X-Amz-Security-Token: hidden", "X-Trace: 1"}},
		{Headers: []string{"X-Forwarded-Auth: " + jwt, "X-Other: Bearer hidden-12345"}},
		{Query: "a=1&access_token=hidden&X-Amz-Signature=hidden&pass%77ord=hidden"},
		{Query: "next=" + jwt},
		{Query: "a=1;access_token=hidden;pass%77ord=hidden;filter=%7B%22password%22%3A%22hidden%22%7D"},
		{Below: "/reset/" + jwt},
		{Body: `{"user": {"name": "emma", "password": "hidden", "newPassword": "hidden", "list": [{"clientSecret": {"deep": "hidden"}}]}, "pin": "hidden", "idToken": 7}`},
		{Body: `{"a": "` + jwt + `"}`},
		{Body: "grant_type=password&username=emma&password=hidden&client_secret=hidden"},
		{Body: `{"broken": 1, "password": "hidden",`},
		{Body: "-----BEGIN RSA PRIVATE KEY-----\nhidden\n-----END RSA PRIVATE KEY-----"},
		{Body: "key AKIAHIDDENHIDDEN1234 and Basic aGlkZGVuOmhpZGRlbg=="},
		{Headers: []string{"X-Auth: hidden", "X-CSRF: hidden", "Session-Id: hidden"}},
		{Body: "--b\r\nContent-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\nhidden\r\n--b--\r\n"},
		{Body: `<login><user>emma</user><wsse:Password Type="text">hidden</wsse:Password></login>`},
		{Body: "user=emma&pwd=hidden"},
		{Query: "filter=%7B%22password%22%3A%22hidden%22%7D"},
		{As: identitypool.Signer{User: "emma"}, Body: `{"password": "hidden"}`},
	}
	for i := range forms {
		f := base
		f.Headers, f.Query, f.Below, f.Body, f.As = forms[i].Headers, forms[i].Query, forms[i].Below, forms[i].Body, forms[i].As
		forms[i] = f
	}
	return forms
}

// noSecret fails if a file below a folder has one of the secrets.
func noSecret(t *testing.T, dir string) {
	t.Helper()
	must(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		low := strings.ToLower(string(text))
		for _, secret := range []string{"hidden", strings.ToLower(jwt[22:]), "aglkzgvu"} {
			if i := strings.Index(low, secret); i >= 0 {
				t.Errorf("%s has a secret: ...%s", name, text[max(0, i-60):min(len(text), i+40)])
			}
		}
		return err
	}))
}

func TestNoSecretIsWritten(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	s, err := Read(dir)
	must(t, err)
	answer := call.Answer{Status: 200, Body: []byte(`{"token": "hidden", "refresh": "` + jwt + `", "list": [{"password": "hidden"}]}`)}
	for _, f := range secretForms() {
		must(t, s.Record(Exchange{Form: f, At: time.Unix(1, 0), Answer: answer}))
		plan, err := s.PlanSaved("one", f, nil)
		if err == nil {
			t.Errorf("%+v may be saved:\n%s", f, plan.Diff)
		} else if !strings.Contains(err.Error(), "${NAME}") {
			t.Errorf("the error names no way: %v", err)
		}
	}
	// The answer is kept without its secrets.
	f := Form{Environment: "dev", API: "shop", Path: "/open", Method: "GET"}
	keep := Keep(answer, nil)
	plan, err := s.PlanSaved("two", f, keep)
	must(t, err)
	must(t, plan.Write())
	noSecret(t, dir)
	if other := Differences(*keep, answer); len(other) > 0 {
		t.Errorf("what was hidden counts as different: %v", other)
	}
	// Requests without secrets keep everything.
	f = Form{Environment: "dev", API: "shop", Path: "/books/{isbn}", Values: []string{"1"}, Method: "PUT", Query: "a=1&nextToken=n1", Headers: []string{"X-Trace: 1"}, Body: "{\"title\": \"Emma\"}\n"}
	must(t, s.Record(Exchange{Form: f, At: time.Unix(2, 0)}))
	if got := History(dir)[0].Form; !got.Equal(f) {
		t.Errorf("%+v is kept as %+v", f, got)
	}
	info, err := os.Stat(filepath.Join(dir, ".gatewright", "console.json"))
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the history: %v", info.Mode())
	}
}

// A variable stands for a secret in a saved request, and is in none of the files.
func TestVariablesStandForSecrets(t *testing.T) {
	t.Parallel()
	f := Form{
		Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "POST", Values: []string{"${ISBN}"}, Query: "token=${TOKEN}", Variables: true,
		Headers: []string{"X-Api-Key: ${KEY}", "X-Plain: $${KEY}"}, Body: `{"password": "${PASSWORD}"}`,
	}
	r, err := toSaved(f)
	must(t, err)
	s := &Snapshot{}
	again, err := s.FromSaved("dev", r)
	must(t, err)
	again.Environment = "dev"
	values := map[string]string{"ISBN": "97/8", "TOKEN": "a&b", "KEY": "k", "PASSWORD": `p"q\`}
	sent, err := again.expanded(func(name string) (string, bool) { v, ok := values[name]; return v, ok })
	must(t, err)
	want := Form{
		Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "POST", Values: []string{"97%2F8"}, Query: "token=a%26b",
		Headers: []string{"X-Api-Key: k", "X-Plain: ${KEY}"}, Body: "{\n  \"password\": \"p\\\"q\\\\\"\n}",
	}
	if !sent.Equal(want) {
		t.Errorf("%+v is sent, want %+v", sent, want)
	}
	if _, err := again.expanded(func(string) (string, bool) { return "", false }); err == nil || !strings.Contains(err.Error(), "ISBN is not set") {
		t.Errorf("%v", err)
	}
	// A form that was typed has no variables, and what looks like one stays as it is.
	f.Variables, f.Query, f.Headers, f.Body = false, "x=${TOKEN}", nil, "${A}"
	r, err = toSaved(f)
	must(t, err)
	if r.Query != "x=$${TOKEN}" || r.Body != "$${A}" || r.Parameters["isbn"] != "$${ISBN}" {
		t.Errorf("%+v", r)
	}
	if text, err := saved.Expand(r.Body, nil); err != nil || text != "${A}" {
		t.Errorf("%q %v", text, err)
	}
}

// API Gateway divides a query at semicolons too.
func TestSecretsAfterASemicolonAreFound(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"a=1;pin=1234":      "the parameter pin may hold a secret",
		"a=1;p%69n=1234&b=": "the parameter pin may hold a secret",
		"a=1;b=" + jwt:      "the query holds a token or key",
		"a=1;pin=${PIN}":    "",
		"a=1;b=2":           "",
	} {
		got := ""
		for _, f := range (saved.Request{Query: query}).Secrets() {
			got += f.Pointer + " " + f.Text
		}
		if want != "" {
			want = "/query " + want
		}
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	text, err := eventText(call.Request{Method: "GET", Path: "/open", Query: "a=1;b=2;a=3"})
	must(t, err)
	if !strings.Contains(string(text), `"queryStringParameters": {
    "a": "3",
    "b": "2"
  }`) {
		t.Errorf("the event is %s", text)
	}
}
