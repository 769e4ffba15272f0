package identity_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity"
)

func TestWhatIsNotPostedIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const (
		preflight = "200 Access-Control-Allow-Methods: POST, OPTIONS|Access-Control-Allow-Origin: *|Access-Control-Max-Age: 86400|Vary: Access-Control-Request-Headers|"
		refusal   = "405 Content-Type: text/plain; charset=utf-8|X-Content-Type-Options: nosniff|POST an operation here, with the header X-Amz-Target\n"
		missing   = `404 Access-Control-Allow-Origin: *|Content-Type: application/json|{"message":"Not Found"}`
		open      = "200 Access-Control-Allow-Origin: *|Content-Type: application/json|"
		issuer    = "http://127.0.0.1:4280/eu-west-1_AbCdEfGhI"
		keys      = "/eu-west-1_AbCdEfGhI/.well-known/"
		documents = `{"id_token_signing_alg_values_supported":["RS256"],"issuer":"` + issuer + `","jwks_uri":"` + issuer + `/.well-known/jwks.json",` +
			`"response_types_supported":["code","token"],"scopes_supported":["openid","email","phone","profile"],"subject_types_supported":["public"]}`
	)
	for _, row := range []struct {
		of            identity.Endpoint
		method, path  string
		asked, answer string
	}{
		{s.Paths(), "OPTIONS", "/_user-pool", "", preflight},
		{
			s.Paths(), "OPTIONS", "/_user-pool", "content-type, X-Amz-Target,authorization,bad name,,x-amz-user-agent",
			strings.Replace(preflight, "200 ", "200 Access-Control-Allow-Headers: content-type,X-Amz-Target,x-amz-user-agent|", 1),
		},
		{s.Root(), "OPTIONS", "/", "x-amz-target", refusal},
		{s.Paths(), "GET", "/_user-pool", "", refusal},
		{s.Paths(), "DELETE", keys + "jwks.json", "", refusal},
		{s.Paths(), "GET", keys + "openid-configuration", "", open + documents},
		{s.Paths(), "HEAD", keys + "openid-configuration", "", open + documents},
		{s.Paths(), "GET", keys + "other", "", missing},
		{s.Paths(), "GET", "/eu-west-1_Other/.well-known/jwks.json", "", missing},
		{s.Paths(), "GET", "/.well-known/jwks.json", "", missing},
	} {
		r := httptest.NewRequest(row.method, row.path, http.NoBody)
		if row.asked != "" {
			r.Header.Set("Access-Control-Request-Headers", row.asked)
		}
		w := httptest.NewRecorder()
		row.of.ServeHTTP(w, r)
		var lines []string
		for name, values := range w.Header() {
			lines = append(lines, name+": "+strings.Join(values, ", ")+"|")
		}
		slices.Sort(lines)
		got := fmt.Sprint(w.Code, " ", strings.Join(lines, ""), w.Body)
		if diff := cmp.Diff(row.answer, got); diff != "" {
			t.Errorf("%s %s: %s", row.method, row.path, diff)
		}
	}
}

func TestWhoMayAskForWhatIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const (
		users, identities = identity.UserPoolTarget, identity.IdentityPoolTarget
		signed            = "AWS4-HMAC-SHA256 Credential=x"
		list              = `{"UserPoolId":"eu-west-1_AbCdEfGhI"}`
	)
	type fields = map[string]string
	for name, row := range map[string]struct {
		of      identity.Endpoint
		headers fields
		body    string
		status  int
		answer  string // the type of an error, or the beginning of the answer
		message string
	}{
		"a public operation of a page": {
			s.Paths(), fields{"X-Amz-Target": users + "InitiateAuth", "Origin": "http://x"}, "{}", 400, "InvalidParameterException:", "",
		},
		"an administrator's of a page": {
			s.Paths(),
			fields{"X-Amz-Target": users + "ListUsers", "Authorization": signed},
			list, 400, "NotAuthorizedException:",
			"This operation is not for web pages: ask for it at http://127.0.0.1:4280/",
		},
		"an administrator's":               {s.Root(), fields{"X-Amz-Target": users + "ListUsers", "Authorization": signed}, list, 200, `{"Users":[]`, ""},
		"an administrator's of identities": {s.Root(), fields{"X-Amz-Target": identities + "ListIdentityPools", "Authorization": signed}, `{"MaxResults":1}`, 200, `{"IdentityPools":[{`, ""},
		"not signed":                       {s.Root(), fields{"X-Amz-Target": users + "ListUsers"}, list, 400, "MissingAuthenticationTokenException:", "Missing Authentication Token"},
		"signed in another way": {
			s.Root(), fields{"X-Amz-Target": users + "ListUsers", "Authorization": "Bearer x"}, list, 400, "MissingAuthenticationTokenException:", "Missing Authentication Token",
		},
		"of a page at the root": {
			s.Root(),
			fields{"X-Amz-Target": users + "ListUsers", "Authorization": signed, "Origin": "http://x"},
			list, 400, "NotAuthorizedException:",
			"This operation is not for web pages",
		},
		"no operation": {
			s.Root(),
			fields{"X-Amz-Target": "Other.ListUsers", "Authorization": signed},
			list, 400, "UnknownOperationException:",
			"The header X-Amz-Target names no operation of the pools",
		},
		"a public one of identities": {
			s.Paths(), fields{"X-Amz-Target": identities + "GetId"}, `{"IdentityPoolId":"eu-west-1:9f0a4b0e-0000-4000-8000-000000000001"}`, 200, `{"IdentityId":"eu-west-1:`, "",
		},
		"the longest input":     {s.Root(), fields{"X-Amz-Target": users + "ListUsers", "Authorization": signed}, list + strings.Repeat(" ", 256<<10-len(list)), 200, `{"Users":[]`, ""},
		"an input that is long": {s.Root(), fields{"X-Amz-Target": users + "ListUsers", "Authorization": signed}, list + strings.Repeat(" ", 256<<10-len(list)+1), 400, "InvalidParameterException:", "The input is larger than 256 KB"},
	} {
		head := &http1.Head{Host: "127.0.0.1:4280"}
		for name, value := range row.headers {
			head.Fields = append(head.Fields, http1.Field{Name: name, Value: value})
		}
		status, header, answer := row.of.Answer(t.Context(), head, []byte(row.body))
		kind, id := "", ""
		var names []string
		for _, f := range header {
			names = append(names, f.Name)
			switch f.Name {
			case "x-amzn-ErrorType":
				kind = f.Value
			case "x-amzn-RequestId":
				id = f.Value
			}
		}
		want := []string{"Content-Type", "x-amzn-RequestId", "Cache-Control"}
		if row.of == s.Paths() {
			want = append(want, "Access-Control-Allow-Origin", "Access-Control-Expose-Headers")
		}
		if row.status != 200 {
			want = append(want, "x-amzn-ErrorType")
		}
		if status != row.status || !slices.Equal(names, want) || len(id) != 36 {
			t.Errorf("%s: %d with %q", name, status, names)
		}
		switch {
		case row.status == 200:
			if !strings.HasPrefix(string(answer), row.answer) || kind != "" {
				t.Errorf("%s: %s, %s", name, answer, kind)
			}
		case kind != row.answer || row.message != "" && string(answer) != fmt.Sprintf(`{"__type":%q,"message":%q}`, strings.TrimSuffix(row.answer, ":"), row.message):
			t.Errorf("%s: %s, %s", name, answer, kind)
		}
	}
	s.locked(func() {
		if len(s.failed) > 0 {
			t.Errorf("the sandbox failed: %q", s.failed)
		}
	})
}
