package gateway

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/signature"
)

// withPools is a gateway that serves restrictedAPI, with the real pools of dev and qa.
type withPools struct {
	*running
	users      *userpool.Pools
	identities *identitypool.Pools
	keys       *token.Keys
}

func startWithPools(t *testing.T) withPools {
	t.Helper()
	o := withPools{}
	now := func() time.Time { return o.running.now }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := pages.Open(filepath.Join(t.TempDir(), "users.db"), pages.Options{})
	check(err)
	t.Cleanup(func() { _ = db.Close() })
	// The pools use the clock of o.running, which start replaces below.
	o.running = &running{now: testTime}
	o.keys, err = token.OpenKeys(filepath.Join(t.TempDir(), "keys.json"), now)
	check(err)
	o.users, err = userpool.New(userpool.Options{DB: db, Keys: o.keys, Now: now, Issuer: func(id string) string { return "http://127.0.0.1:4280/" + id }})
	check(err)
	o.identities, err = identitypool.New(identitypool.Options{DB: db, Keys: o.keys, Users: o.users, Now: now})
	check(err)
	qa := testPool
	qa.Environment, qa.UserPoolID, qa.IdentityPoolID = "qa", "eu-west-1_JkLmNoPqR", "eu-west-1:66666666-7777-4888-9999-000000000000"
	both := []pool.Pool{testPool, qa}
	o.users.Apply(both)
	o.identities.Apply(both)
	o.running = start(t, restrictedAPI(), handler(echo), func(g *Gateway) { g.options.Identities = o.identities })
	return o
}

func (o withPools) admin(operation string, in map[string]any) {
	o.t.Helper()
	in["UserPoolId"] = testPool.UserPoolID
	text, err := json.Marshal(in)
	if err == nil {
		_, err = o.users.Do(context.Background(), operation, text)
	}
	if err != nil {
		o.t.Fatal(operation, err)
	}
}

// addUser makes a user who is a member of groups.
func (o withPools) addUser(name string, groups ...string) {
	o.t.Helper()
	o.admin("AdminCreateUser", map[string]any{"Username": name, "MessageAction": "SUPPRESS"})
	o.admin("AdminSetUserPassword", map[string]any{"Username": name, "Password": "Pass-word-1", "Permanent": true})
	for _, g := range groups {
		o.admin("AdminAddUserToGroup", map[string]any{"Username": name, "GroupName": g})
	}
}

// mint returns credentials.
func (o withPools) mint(environment string, who identitypool.Signer) signature.Credentials {
	o.t.Helper()
	c, err := o.identities.Mint(environment, who)
	if err != nil {
		o.t.Fatal(err)
	}
	return signature.Credentials{AccessKeyID: c.AccessKeyID, SecretKey: c.SecretKey, SessionToken: c.SessionToken}
}

// sign sends a request signed with credentials.
func (o withPools) sign(c signature.Credentials, method, path string) reply {
	o.t.Helper()
	s := signature.Request{Method: method, Target: "/" + testID + "/dev" + path, Host: "127.0.0.1"}
	signature.Sign(&s, c, "eu-west-1", "execute-api", o.now)
	return o.send(s)
}

func TestCredentialsDependOnTheirUser(t *testing.T) {
	t.Parallel()
	o := startWithPools(t)
	o.addUser("ada", "Editors")
	first := o.mint("dev", identitypool.Signer{User: "ada"})
	if answer := o.sign(first, "PUT", "/books/1"); answer.status != 200 {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	refused := func(when string, answer reply, status int, kind string, log ...string) {
		t.Helper()
		if answer.status != status || answer.get("x-amzn-ErrorType") != kind {
			t.Errorf("%s: %d %s %s", when, answer.status, answer.get("x-amzn-ErrorType"), answer.body)
		}
		o.logged(log...)
	}
	o.admin("AdminAddUserToGroup", map[string]any{"Username": "ada", "GroupName": "Admins"})
	refused("before a refresh", o.sign(first, "DELETE", "/books/1"), 403, "AccessDeniedException", "refresh the session: the user is now in ")
	second := o.mint("dev", identitypool.Signer{User: "ada"})
	if answer := o.sign(second, "DELETE", "/books/1"); answer.status != 200 {
		t.Errorf("after a refresh: %d %s", answer.status, answer.body)
	}
	mixed := second
	mixed.SessionToken = first.SessionToken
	refused("the session token of other credentials", o.sign(mixed, "GET", "/books"), 403, "UnrecognizedClientException")
	mixed = second
	mixed.SecretKey = first.SecretKey
	refused("the secret key of other credentials", o.sign(mixed, "GET", "/books"), 403, "InvalidSignatureException")
	qa := o.mint("qa", identitypool.Signer{Guest: true})
	refused("another environment's", o.sign(qa, "GET", "/stall"), 403, "UnrecognizedClientException", "another environment")
	member := o.mint("dev", identitypool.Signer{Group: "Admins"})
	if answer := o.sign(member, "DELETE", "/vault"); answer.status != 200 {
		t.Errorf("a member of a group without a user: %d %s", answer.status, answer.body)
	}
	o.admin("AdminDisableUser", map[string]any{"Username": "ada"})
	refused("disabled", o.sign(second, "GET", "/books"), 403, "UnrecognizedClientException", "the credentials are not valid: ")
	o.admin("AdminEnableUser", map[string]any{"Username": "ada"})
	o.admin("AdminDeleteUser", map[string]any{"Username": "ada"})
	refused("deleted", o.sign(second, "GET", "/books"), 403, "UnrecognizedClientException")
	o.running.now = o.running.now.Add(time.Hour + time.Second)
	refused("an hour later", o.sign(member, "GET", "/vault"), 403, "ExpiredTokenException", "have expired after an hour", "refresh the session")
}

func TestForgedTokensAndOtherKindsOfTokensAreRefused(t *testing.T) {
	t.Parallel()
	o := startWithPools(t)
	o.addUser("ada", "Admins")
	tokens, err := o.users.Issue(testPool.UserPoolID, "ada")
	if err != nil {
		t.Fatal(err)
	}
	bearer := func(token string) reply { return o.call("GET", "/vault", "", "Authorization: Bearer "+token) }
	answer := bearer(tokens.ID)
	identity, authorizer := identityOf(t, answer)
	claims, _ := authorizer.(map[string]any)["claims"].(map[string]any)
	if claims["cognito:username"] != "ada" || claims["cognito:groups"] != "Admins" || claims["token_use"] != "id" || claims["exp"] != "Sat Nov 21 11:11:12 UTC 2026" {
		t.Errorf("%v", claims)
	}
	if identity["cognitoAuthenticationType"] != "authenticated" || !strings.HasPrefix(identity["cognitoIdentityId"].(string), "eu-west-1:") {
		t.Errorf("%v", identity)
	}
	parts := strings.Split(tokens.ID, ".")
	header := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	jwks, err := o.keys.JWKS(testPool.UserPoolID)
	if err != nil {
		t.Fatal(err)
	}
	shared := header(`{"alg":"HS256"}`) + "." + parts[1]
	mac := hmac.New(sha256.New, jwks)
	mac.Write([]byte(shared))
	for name, forged := range map[string]string{
		"an access token": tokens.Access, "a refresh token": tokens.Refresh, "not a token": "x", "no signature": parts[0] + "." + parts[1] + ".",
		"alg none":         header(`{"alg":"none"}`) + "." + parts[1] + ".",
		"the public key":   shared + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
		"another payload":  parts[0] + "." + header(strings.Replace(string(payload), `"ada"`, `"eve"`, 1)) + "." + parts[2],
		"another key's id": header(`{"alg":"RS256","kid":"../../x"}`) + "." + parts[1] + "." + parts[2],
	} {
		if answer := bearer(forged); answer.status != 401 || answer.body != bodyUnauthorized {
			t.Errorf("%s: %d %s", name, answer.status, answer.body)
		}
	}
	if text := o.logText(logs.Gateway); strings.Contains(text, parts[1]) || strings.Contains(text, parts[2]) {
		t.Errorf("a token is in the log:\n%s", text)
	}
	o.running.now = o.running.now.Add(2 * time.Hour)
	if answer := bearer(tokens.ID); answer.status != 401 || answer.body != bodyExpired {
		t.Errorf("expired: %d %s", answer.status, answer.body)
	}
}

// No credentials without a valid signature or token open a restricted path, and none
// panic.
func FuzzCredentials(f *testing.F) {
	f.Add("Authorization", "AWS4-HMAC-SHA256 Credential=a/20261121/eu-west-1/execute-api/aws4_request, SignedHeaders=host, Signature=0", "X-Amz-Algorithm=AWS4-HMAC-SHA256")
	f.Add("authorization", "Bearer "+tokenOf("nobody", ""), "")
	f.Add("X-Amz-Security-Token", "ada", "X-Amz-Credential=a%2Fb")
	s := newServed(restrictedAPI())
	g := New(Options{Identities: testPeople(), Now: func() time.Time { return testTime }})
	f.Fuzz(func(t *testing.T, name, value, query string) {
		head := http1.Head{
			Method: "GET", Target: "/" + testID + "/dev/vault?" + query, Host: "127.0.0.1",
			Fields: []http1.Field{{Name: name, Value: value}, {Name: "X-Amz-Date", Value: "20261121T101112Z"}, {Name: "X-Amz-Security-Token", Value: "ada"}},
		}
		e := &exchange{gateway: g, conn: &conn{gateway: g, head: head}, api: s, method: "GET", target: target{path: "/vault"}, record: &record{gateway: g}}
		who, refused := e.identify(nil)
		if refused == nil {
			refused = e.admit(who)
		}
		if refused == nil && !(who.credential == byToken && who.session.User.Name == "ada") {
			t.Fatalf("%+v was let in", head)
		}
		if refused != nil && (!json.Valid([]byte(refused.body)) || refused.status < 400 || strings.ContainsAny(refused.why+refused.fix, "\n\r\x1b")) {
			t.Fatalf("%+v", refused)
		}
	})
}
