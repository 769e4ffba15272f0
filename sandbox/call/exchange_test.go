package call_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

func TestARequestIsSentAsItIsAndItsAnswerIsTakenAsItCame(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("X-Amzn-Requestid", "the-id")
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, "not gzip")
	}))
	t.Cleanup(server.Close)
	request := call.Request{Method: "PUT", Path: "/a%2Fb/../c", Query: "x=1&y", Headers: http.Header{"X-One": {"1"}, "X-Two": {"a", "b"}}, Body: []byte("body")}
	to := call.Address{Endpoint: server.URL + "/dev", Region: "eu-west-1", Host: "abc.example"}
	a, sent, err := call.Exchange(t.Context(), to, request, nil)
	if err != nil || !sent || a.Status != http.StatusFound || a.Line != "HTTP/1.1 302 Found" || string(a.Body) != "not gzip" || a.RequestID != "the-id" ||
		a.Latency <= 0 || a.Headers.Get("Location") != "/elsewhere" {
		t.Errorf("%+v, sent %t, %v", a, sent, err)
	}
	if got.Method != "PUT" || got.RequestURI != "/dev/a%2Fb/../c?x=1&y" || got.Host != "abc.example" || string(body) != "body" || got.Header.Get("Authorization") != "" || got.Header.Get("Accept-Encoding") != "" {
		t.Errorf("%s %s of %s: %q %v", got.Method, got.RequestURI, got.Host, body, got.Header)
	}
	if diff := cmp.Diff([]string{"a", "b"}, got.Header["X-Two"]); diff != "" {
		t.Error(diff)
	}
	// The request's own host counts, and a header that is there twice is not signed.
	request.Headers.Set("Host", "other.example")
	keys := &call.Keys{Credentials: signature.Credentials{AccessKeyID: "KEY", SecretKey: "secret", SessionToken: "token"}, Skew: 48 * time.Hour}
	if _, _, err := call.Exchange(t.Context(), to, request, keys); err != nil {
		t.Fatal(err)
	}
	signed := got.Header.Get("Authorization")
	day := time.Now().Add(48 * time.Hour).UTC()
	scopes := []string{day.Format("20060102"), day.Add(-time.Minute).Format("20060102")} // at midnight
	if got.Host != "other.example" || got.Header.Get("X-Amz-Security-Token") != "token" ||
		!strings.Contains(signed, "Credential=KEY/"+scopes[0]+"/eu-west-1/execute-api/aws4_request") && !strings.Contains(signed, "Credential=KEY/"+scopes[1]+"/eu-west-1/execute-api/aws4_request") ||
		!strings.Contains(signed, "host;") || !strings.Contains(signed, "x-one") || strings.Contains(signed, "x-two") {
		t.Errorf("host %s, signature %s", got.Host, signed)
	}
	if diff := cmp.Diff([]string{"a", "b"}, got.Header["X-Two"]); diff != "" {
		t.Error(diff)
	}
	request.Method = "not a method"
	if _, sent, err := call.Exchange(t.Context(), to, request, nil); err == nil || sent {
		t.Errorf("sent %t, %v", sent, err)
	}
}

func TestOnlyARequestThatWasOnItsWayCountsAsSent(t *testing.T) {
	t.Parallel()
	cause := errors.New("broken")
	for _, row := range []struct {
		err  error
		sent bool
	}{
		{nil, false},
		{cause, true},
		{fmt.Errorf("wrapped: %w", &call.SentError{Cause: cause}), true},
		{fmt.Errorf("wrapped: %w", &call.UnsentError{Cause: cause}), false},
		{&call.CredentialsError{Cause: cause}, false},
		{&model.Problem{Text: "no"}, false},
	} {
		if call.WasSent(row.err) != row.sent || row.err != nil && !errors.As(row.err, new(*model.Problem)) && !errors.Is(row.err, cause) {
			t.Errorf("%v counts as sent: %t", row.err, !row.sent)
		}
	}
}

// opened is a running sandbox with an API, of which no function can be called.
func opened(t *testing.T) (*sandbox.Client, sandbox.ServedAPI) {
	t.Helper()
	state := t.TempDir()
	f, err := sandbox.Start(sandbox.Options{State: state})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	guests := access.Access{Setting: access.Protected}.With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read))
	err = f.Apply(sandbox.Config{Environments: []sandbox.Environment{{
		Name: "dev", Region: "eu-west-1", AccountID: "000000000000",
		Pool: &pool.Pool{Environment: "dev", Region: "eu-west-1", UserPoolID: "eu-west-1_dev", ClientID: "client", IdentityPoolID: "eu-west-1:00000000-0000-4000-8000-000000000000"},
		APIs: []gateway.API{{
			ID: "abcdefghij", Environment: "dev", Label: "shop", Region: "eu-west-1", AccountID: "000000000000",
			Definition: &access.API{Label: "shop", Paths: []*access.Path{{Name: "/items", Function: "items", Access: guests}}},
		}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	client, err := sandbox.Connect(state)
	if err != nil {
		t.Fatal(err)
	}
	status, err := client.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return client, status.APIs[0]
}

func TestWhyTheGatewayAnswersItselfComesWithTheAnswer(t *testing.T) {
	t.Parallel()
	client, api := opened(t)
	guest := &identitypool.Signer{Guest: true}
	for _, row := range []struct {
		name    string
		request call.Request
		status  int
		refusal string
		log     bool
	}{
		{"no path", call.Request{Method: "GET", Path: "/nowhere"}, 403, "GET /dev/nowhere 403: no path of the API shop serves /nowhere; add one, or correct the address", false},
		{"a preflight", call.Request{Method: "OPTIONS", Path: "/items", Function: "items"}, 200, "", false},
		{
			"no access, of the function's log",
			call.Request{Method: "DELETE", Path: "/items/1", As: guest, Function: "items"},
			403,
			"DELETE /dev/items/1 403: guests may not delete under /items (called by a guest)", false,
		},
		{"an answer without an id", call.Request{Method: "GET", Path: "/items", Query: "a=|"}, 400, "GET /dev/items 400: the query has the character |, which API Gateway does not accept there; send it as %7C", false},
		{"a guest", call.Request{Method: "GET", Path: "/items", As: guest}, 502, "GET /dev/items 502: ", false},
		{"a test of a preflight", call.Request{Method: "OPTIONS", Path: "/items", Test: true}, 200, "", true},
		{"a test of a function that is not there", call.Request{Method: "GET", Path: "/items", Test: true, Function: "items"}, 502, "test of GET /items 502: ", true},
		{"a test without its log", call.Request{Method: "GET", Path: "/items", Test: true}, 502, "", true},
	} {
		a, err := call.Send(t.Context(), client, api, row.request)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		refusal := strings.Join(a.Refusal, "\n")
		if a.Status != row.status || !strings.HasPrefix(refusal, row.refusal) || (refusal == "") != (row.refusal == "") || (len(a.Log) > 0) != row.log || len(a.Written) > 0 {
			t.Errorf("%s: %d, refusal %q, %d lines of a test, written %v; want %d %q", row.name, a.Status, refusal, len(a.Log), a.Written, row.status, row.refusal)
		}
		if row.request.Test != (a.Line == "") {
			t.Errorf("%s: the first line is %q", row.name, a.Line)
		}
	}
	var refused *wire.Error
	var credentials *call.CredentialsError
	if _, err := call.Send(t.Context(), client, api, call.Request{Method: "GET", Path: "/items", As: &identitypool.Signer{User: "nobody"}}); !errors.As(err, &credentials) || !errors.As(err, &refused) || call.WasSent(err) {
		t.Errorf("a user who does not exist: %v", err)
	}
	if _, err := call.Send(t.Context(), client, api, call.Request{Method: "GET", Path: "/nowhere", Test: true}); err == nil || !strings.Contains(err.Error(), "no path serves /nowhere") {
		t.Errorf("a test of no path: %v", err)
	}
}

func TestSignersAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for text, who := range map[string]identitypool.Signer{
		"": {}, "guest": {Guest: true}, "me": {Own: true}, "authenticated": {AnyUser: true}, "group:Ed:itors": {Group: "Ed:itors"}, "user:guest": {User: "guest"},
	} {
		if got := call.Signer(who); got != text || call.ReadSigner(text) != who {
			t.Errorf("%+v is %q, and that is %+v", who, got, call.ReadSigner(text))
		}
	}
	if who := call.ReadSigner("somebody"); who != (identitypool.Signer{}) {
		t.Errorf("another word is %+v", who)
	}
	for text, want := range map[string]string{"authorization": "Authorization", " X-AMZ-DATE ": "X-Amz-Date", "x-amz-security-token": "X-Amz-Security-Token", "X-Amz": ""} {
		if got, is := call.SignatureHeader(text); got != want || is != (want != "") {
			t.Errorf("%q is the header %q of a signature: %t", text, got, is)
		}
	}
	lines := call.HeaderLines(http.Header{"b": {"2", "1"}, "A": {""}})
	if diff := cmp.Diff([]string{"A: ", "b: 2", "b: 1"}, lines); diff != "" {
		t.Error(diff)
	}
	if !call.HasHeader(http.Header{"content-TYPE": nil}, "Content-Type") || call.HasHeader(http.Header{"Content": nil}, "Content-Type") {
		t.Error("the names of headers have no case")
	}
}

func TestEveryCommandHasItsNote(t *testing.T) {
	t.Parallel()
	api := sandbox.ServedAPI{Environment: "d v", Label: "sh p", Endpoint: "http://127.0.0.1:4280/abc/dev"}
	for _, row := range []struct {
		name          string
		request       call.Request
		command, note string
		cloud         string // the note in AWS, where it is another command; "" where it is the same
	}{
		{"nobody", call.Request{Method: "GET", Path: "/b"}, "curl http://127.0.0.1:4280/abc/dev/b", "", ""},
		{"a guest", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{Guest: true}}, "curl http://127.0.0.1:4280/abc/dev/b", "curl signs nothing, which the sandbox accepts from a guest; gatewright call --as guest signs", "guest"},
		{"a member", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{Group: "G"}}, "gatewright call GET /b --env 'd v' --api 'sh p' --as group:G", "curl has no credentials without a user; gatewright call has them", "group:G"},
		{"a user", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{User: "ada"}}, `curl http://127.0.0.1:4280/abc/dev/b -H "Authorization: Bearer $(gatewright token --env 'd v' -- ada)"`, "curl sends the user's token, which the sandbox accepts instead of a signature", "user:ada"},
		{"a test of a user", call.Request{Method: "GET", Path: "/b", Test: true, As: &identitypool.Signer{User: "ada"}}, "gatewright call GET /b --env 'd v' --api 'sh p' --test", "curl cannot send a test of the API Gateway console", ""},
		{"HEAD with a body", call.Request{Method: "HEAD", Path: "/b", Body: []byte("x")}, "gatewright call HEAD /b --env 'd v' --api 'sh p' --data=x", "curl sends no body with HEAD", ""},
		{"GET with a body", call.Request{Method: "GET", Path: "/b", Body: []byte("x"), Headers: http.Header{"content-type": {"a"}}}, "curl -X GET http://127.0.0.1:4280/abc/dev/b -H 'content-type: a' --data-raw x", "", ""},
		{
			"headers",
			call.Request{Method: "GET", Path: "/b", Headers: http.Header{"X-B": {"2", "1"}, "X-A": {""}}},
			"curl http://127.0.0.1:4280/abc/dev/b -H 'X-A;' -H 'X-B: 2' -H 'X-B: 1'", "", "",
		},
		{
			"headers of a test",
			call.Request{Method: "GET", Path: "/b", Test: true, Headers: http.Header{"X-B": {"2"}, "X-A": {""}}, Body: []byte("-")},
			"printf '\\055' | gatewright call GET /b --env 'd v' --api 'sh p' --test -H X-A: -H 'X-B: 2' --data -", "curl cannot send a test of the API Gateway console", "",
		},
	} {
		command, note := call.Curl(api, row.request)
		if command != row.command || note != row.note {
			t.Errorf("%s:\n%s\nwant\n%s\n%q, want %q", row.name, command, row.command, note, row.note)
		}
		if row.cloud != "" {
			row.command, row.note = "gatewright call GET /b --env 'd v' --api 'sh p' --as "+row.cloud, "curl has no credentials of guests and users; gatewright call gets them"
		}
		if command, note := call.CurlToCloud(api, row.request); command != row.command || note != row.note {
			t.Errorf("%s in AWS:\n%s\nwant\n%s\n%q, want %q", row.name, command, row.command, note, row.note)
		}
	}
}
