package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

// identityOf is the identity and the authorizer of an echoed event.
func identityOf(t *testing.T, answer reply) (identity map[string]any, authorizer any) {
	t.Helper()
	var e struct {
		RequestContext struct {
			Identity   map[string]any
			Authorizer any
		}
	}
	if err := json.Unmarshal([]byte(answer.body), &e); err != nil || answer.status != 200 {
		t.Fatalf("%d %s, %v", answer.status, answer.body, err)
	}
	return e.RequestContext.Identity, e.RequestContext.Authorizer
}

func TestTheEventIdentifiesTheCaller(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	const provider = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"
	role := func(name string) string {
		return "arn:aws:sts::" + testAccount + ":assumed-role/eu-west-1_AbCdEfGhI-" + name + "/CognitoIdentityCredentials"
	}
	for _, c := range []struct {
		name string
		send func() reply
		want map[string]any
		// signed is set if the fields of a signature are expected.
		signed bool
	}{
		{"an unsigned guest", func() reply { return r.call("GET", "/stall", "") }, map[string]any{
			"cognitoIdentityId": "eu-west-1:a-guest", "cognitoAuthenticationType": "unauthenticated",
		}, false},
		{"a guest", func() reply { return r.send(r.signedAs("guest", "GET", "/stall", "")) }, map[string]any{
			"cognitoIdentityId": "eu-west-1:a-guest", "cognitoAuthenticationType": "unauthenticated", "userArn": role("unauthRole"),
		}, true},
		{"a user", func() reply { return r.send(r.signedAs("emma", "GET", "/stall", "")) }, map[string]any{
			"cognitoIdentityId": "eu-west-1:identity-of-emma", "cognitoAuthenticationType": "authenticated", "userArn": role("authRole"),
			"cognitoAuthenticationProvider": provider + "," + provider + ":CognitoSignIn:sub-of-emma",
		}, true},
		{"a member", func() reply { return r.send(r.signedAs("ada", "GET", "/vault", "")) }, map[string]any{
			"cognitoIdentityId": "eu-west-1:identity-of-ada", "cognitoAuthenticationType": "authenticated", "userArn": role("AdminsGroupRole"),
			"cognitoAuthenticationProvider": provider + "," + provider + ":CognitoSignIn:sub-of-ada",
		}, true},
		{"a token", func() reply { return r.call("GET", "/vault", "", "Authorization: Bearer "+tokenOf("ada", "")) }, map[string]any{
			"cognitoIdentityId": "eu-west-1:identity-of-ada", "cognitoAuthenticationType": "authenticated",
			"cognitoAuthenticationProvider": provider + "," + provider + ":CognitoSignIn:sub-of-ada",
		}, false},
	} {
		want := map[string]any{
			"cognitoIdentityPoolId": testPool.IdentityPoolID, "sourceIp": "127.0.0.1", "userAgent": nil, "principalOrgId": nil,
			"cognitoAuthenticationProvider": nil, "userArn": nil, "accountId": nil, "caller": nil, "user": nil, "accessKey": nil,
		}
		for name, value := range c.want {
			want[name] = value
		}
		got, authorizer := identityOf(t, c.send())
		if c.signed {
			want["accountId"], want["accessKey"] = testAccount, "ASIAAAAAAAAAAAAAAAAA"
			user, _ := got["user"].(string)
			if want["user"], want["caller"] = got["user"], got["user"]; !strings.HasPrefix(user, "AROA") || !strings.HasSuffix(user, ":CognitoIdentityCredentials") {
				t.Errorf("%s: user %q", c.name, user)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\nnot %v", c.name, got, want)
		}
		if (authorizer != nil) != (c.name == "a token") {
			t.Errorf("%s: authorizer %v", c.name, authorizer)
		}
	}
}

// The forms are those in events of API Gateway's Cognito authorizer.
func TestClaimsReachTheFunctionAsStrings(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	claims := `,"exp":1562947993,"iat":1560184659,"auth_time":1562705770,"email_verified":true,"cognito:groups":["anotherGroup","admin"],` +
		`"identities":[{"userId":"1","issuer":null}],"custom:none":null,"custom:float":1.5,"name":"\"é\"\u0007"`
	_, got := identityOf(t, r.call("GET", "/vault", "", "Authorization: "+tokenOf("ada", claims)))
	want := map[string]any{"claims": map[string]any{
		"cognito:username": "ada", "exp": "Fri Jul 12 16:13:13 UTC 2019", "iat": "Mon Jun 10 16:37:39 UTC 2019", "auth_time": "1562705770", "email_verified": "true",
		"cognito:groups": "anotherGroup,admin", "identities": `{"userId":"1","issuer":null}`, "custom:none": "null", "custom:float": "1.5", "name": "\"é\"\a",
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nnot %v", got, want)
	}
}

func TestAuthorizationIsTheOnlySignatureHeaderLeftOut(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	headers := func(answer reply) map[string]string {
		var e struct{ Headers map[string]string }
		if err := json.Unmarshal([]byte(answer.body), &e); err != nil {
			t.Fatal(answer, err)
		}
		return e.Headers
	}
	got := headers(r.send(r.signedAs("emma", "GET", "/stall", "")))
	if _, found := got["Authorization"]; found || got["X-Amz-Date"] != "20261121T101112Z" || got["X-Amz-Security-Token"] != "emma" {
		t.Errorf("signed: %v", got)
	}
	got = headers(r.call("GET", "/stall", "", "authorization: Bearer "+tokenOf("emma", "")))
	if got["Authorization"] != "Bearer "+tokenOf("emma", "") {
		t.Errorf("with a token: %v", got)
	}
}

// A presigned request has its signature in the query.
func TestPresignedRequestsAreServed(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	target := "/" + testID + "/dev/vault/1?b=2&a=1"
	query := url.Values{
		"X-Amz-Algorithm": {"AWS4-HMAC-SHA256"}, "X-Amz-Credential": {"ASIAAAAAAAAAAAAAAAAA/20261121/eu-west-1/execute-api/aws4_request"},
		"X-Amz-Date": {"20261121T101112Z"}, "X-Amz-SignedHeaders": {"host"}, "X-Amz-Expires": {"600"}, "X-Amz-Security-Token": {"ada"},
	}
	unsigned := signature.Request{Method: "GET", Target: target + "&" + query.Encode(), Host: "127.0.0.1"}
	// The answer to a wrong signature has the string to sign.
	wrong := unsigned
	wrong.Target += "&X-Amz-Signature=" + strings.Repeat("0", 64)
	answer := r.send(wrong)
	if answer.status != http.StatusForbidden {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	right := unsigned
	right.Target += "&X-Amz-Signature=" + signatureOf(t, answer.body, secretOf("ada"))
	r.now = r.now.Add(599e9)
	got, _ := identityOf(t, r.send(right))
	if got["cognitoIdentityId"] != "eu-west-1:identity-of-ada" {
		t.Errorf("%v", got)
	}
	r.now = r.now.Add(2e9)
	if answer := r.send(right); answer.status != http.StatusForbidden || !strings.Contains(answer.body, "Signature expired") {
		t.Errorf("too late: %+v", answer)
	}
}

// signatureOf signs the string to sign that the answer to a wrong signature has.
func signatureOf(t *testing.T, body, secret string) string {
	t.Helper()
	var refusal struct{ Message string }
	if err := json.Unmarshal([]byte(body), &refusal); err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(refusal.Message, "The String-to-Sign should have been\n'")
	text, closed := strings.CutSuffix(text, "'\n")
	lines := strings.Split(text, "\n")
	if !found || !closed || len(lines) != 4 {
		t.Fatalf("no string to sign in %q", refusal.Message)
	}
	key := []byte("AWS4" + secret)
	for _, part := range append(strings.Split(lines[2], "/"), text) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	return hex.EncodeToString(key)
}

// TestTheAPIForAdministrationKnowsItsCaller checks the API of the Amplify CLI whose handler
// reads the groups among the claims: for signed requests and for tokens.
func TestTheAPIForAdministrationKnowsItsCaller(t *testing.T) {
	t.Parallel()
	api := restrictedAPI()
	api.Administration = true
	r := start(t, api, handler(echo), func(g *Gateway) {
		g.options.Identities = testPeople()
		g.options.RequireSignatures = true
	})
	claims := func(answer reply) map[string]any {
		t.Helper()
		_, authorizer := identityOf(t, answer)
		all, _ := authorizer.(map[string]any)
		found, _ := all["claims"].(map[string]any)
		return found
	}
	signed := claims(r.send(r.signedAs("ada", "GET", "/vault", "")))
	want := map[string]any{
		"username": "ada", "cognito:username": "ada", "cognito:groups": "Editors,Admins", "sub": "sub-of-ada", "token_use": "access", "client_id": "client",
	}
	if !reflect.DeepEqual(signed, want) {
		t.Errorf("a signed request has the claims %v, want %v", signed, want)
	}
	if got := claims(r.call("GET", "/vault", "", "Authorization: "+tokenOf("ada", `,"cognito:groups":["Admins"]`))); got["cognito:groups"] != "Admins" {
		t.Errorf("a token has the claims %v", got)
	}
	// Its authorizer takes access tokens too, and wants one or the other.
	r = start(t, api, handler(echo), func(g *Gateway) { g.options.Identities = onlyAccess{testPeople()} })
	if got := claims(r.call("GET", "/vault", "", "Authorization: Bearer "+tokenOf("ada", `,"cognito:groups":["Admins"]`))); got["cognito:groups"] != "Admins" {
		t.Errorf("an access token has the claims %v", got)
	}
	for _, line := range []string{"X: y", "Authorization: " + tokenOf("nobody", "")} {
		if answer := r.call("GET", "/vault", "", line); answer.status != 401 || answer.body != `{"message":"Unauthorized"}` || answer.get("x-amzn-ErrorType") != "UnauthorizedException" {
			t.Errorf("%s: %+v", line, answer)
		}
	}
	r.logged("GET /dev/vault 401: the token is not valid: the request has none; send the id token of a user of this environment")
}

// onlyAccess are people whose tokens are access tokens.
type onlyAccess struct{ people }

func (onlyAccess) Bearer(string, string) (identitypool.Session, error) {
	return identitypool.Session{}, invalid
}
