package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/signature"
)

// The router decides about every caller, whatever kind of credentials they send.
func TestTheRouterDecidesAboutEveryCallerAndCredential(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	router := access.NewRouter(restrictedAPI().Definition, testPool.Groups, access.Terms{})
	in := func(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	for name, caller := range map[string]access.Caller{
		"guest": {}, "emma": in(), "edgar": in("Editors"), "ada": in("Admins", "Editors"), "editor": in("Editors"), "raised": in("Editors"),
	} {
		for _, method := range access.Methods {
			for _, path := range []string{"/open", "/stall", "/stall/1", "/books/a%20b/%C3%A9?q=a+b", "/vault", "/nowhere"} {
				raw, _, _ := strings.Cut(path, "?")
				d := router.Decide(caller, method, raw)
				want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[d.Allowed]
				if got := r.send(r.signedAs(name, method, path, "{}")); got.status != want {
					t.Errorf("%s signs %s %s: %d %s, not %d: %s", name, method, path, got.status, got.body, want, d.Reason())
				}
				if name == "guest" {
					if got := r.call(method, path, ""); got.status != want {
						t.Errorf("unsigned %s %s: %d %s, not %d", method, path, got.status, got.body, want)
					}
					continue
				}
				for _, header := range []string{"Authorization: Bearer ", "authorization: BEARER  ", "Authorization: "} {
					// The caller editor is a member of a group without a user, and has no
					// token.
					if got := r.call(method, path, "", header+tokenOf(name, "")); got.status != want && name != "editor" {
						t.Errorf("%s%s's %s %s: %d %s, not %d", header, name, method, path, got.status, got.body, want)
					}
				}
			}
		}
	}
}

func TestOpenPathsDoNotCheckCredentials(t *testing.T) {
	t.Parallel()
	r := start(t, restrictedAPI(), handler(echo), func(g *Gateway) {
		g.options.Identities, g.options.RequireSignatures = unused{t}, true
	})
	for _, line := range []string{"X: y", "Authorization: Bearer x", "Authorization: AWS4-HMAC-SHA256 x", "Authorization: Basic x\r\nAuthorization: y", "X-Amz-Security-Token: x"} {
		answer := r.call("GET", "/open?X-Amz-Signature=x", "", line)
		var e deployedEvent
		strict(t, []byte(answer.body), &e)
		if i := e.RequestContext.Identity; answer.status != 200 || i.CognitoIdentityID != nil || i.UserArn != nil {
			t.Errorf("%s: %d, %+v", line, answer.status, i)
		}
	}
	for _, c := range [][2]string{{"OPTIONS", "/vault"}, {"GET", "/nowhere"}} {
		if answer := r.call(c[0], c[1], "", "Authorization: Bearer x"); answer.status != map[string]int{"OPTIONS": 200, "GET": 403}[c[0]] {
			t.Errorf("%s: %d", c, answer.status)
		}
	}
}

// unused is Identities that fail the test when they are called.
type unused struct{ t *testing.T }

func (s unused) fail() (identitypool.Session, error) {
	s.t.Error("the credentials were checked")
	return identitypool.Session{}, errors.New("called")
}

func (s unused) Session(_, _, _ string) (identitypool.Session, error) { return s.fail() }
func (s unused) Bearer(_, _ string) (identitypool.Session, error)     { return s.fail() }
func (s unused) Access(_, _ string) (identitypool.Session, error)     { return s.fail() }
func (s unused) Anonymous(_ string) (identitypool.Session, error)     { return s.fail() }

func TestInvalidCredentialsAreRefusedAsByAPIGateway(t *testing.T) {
	t.Parallel()
	const (
		noSuch   = `{"message":"The security token included in the request is invalid."}`
		noMatch  = `{"message":"The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.`
		unknown  = "UnrecognizedClientException"
		mismatch = "InvalidSignatureException"
	)
	change := func(what func(*signature.Request)) func(*running) reply {
		return func(r *running) reply {
			s := r.signedAs("ada", "POST", "/books/1?a=b", `{"a":1}`, "X-Own: 1")
			what(&s)
			return r.send(s)
		}
	}
	as := func(name string) func(*running) reply {
		return func(r *running) reply { return r.send(r.signedAs(name, "POST", "/books/1", "{}")) }
	}
	with := func(lines ...string) func(*running) reply {
		return func(r *running) reply { return r.call("POST", "/books/1", "{}", lines...) }
	}
	for _, c := range []struct {
		name   string
		send   func(*running) reply
		status int
		kind   string
		body   string
		log    []string
	}{
		{"an unknown access key", as("zoe"), 403, unknown, noSuch, []string{"the credentials are not valid: nobody is called zoe; sign in again"}},
		{"another environment's", as("foreign"), 403, unknown, noSuch, []string{"given for another environment"}},
		{"a disabled user's", as("banned"), 403, unknown, noSuch, []string{"the user is disabled"}},
		{"expired credentials", as("expired"), 403, "ExpiredTokenException", `{"message":"The security token included in the request is expired"}`, []string{"the token has expired", "refresh the session"}},
		{"another body", change(func(s *signature.Request) { s.Body = []byte(`{"a":2}`) }), 403, mismatch, noMatch, []string{"the signature is not valid: the client signed with another secret key, or signed another"}},
		{"another path", change(func(s *signature.Request) { s.Target = strings.Replace(s.Target, "/1", "/2", 1) }), 403, mismatch, noMatch, []string{"the signature is not valid"}},
		{"another method", change(func(s *signature.Request) { s.Method = "PUT" }), 403, mismatch, noMatch, []string{"PUT /dev/books/1 403"}},
		{"another query", change(func(s *signature.Request) { s.Target += "&<\\u003c>=%26" }), 403, mismatch, noMatch, nil},
		{"another header", change(func(s *signature.Request) { s.Fields[0].Value = `"\u003c"` }), 403, mismatch, noMatch, nil},
		{"another host", change(func(s *signature.Request) {
			s.Host = "other"
			signature.Sign(s, signature.Credentials{AccessKeyID: "ASIA", SecretKey: secretOf("ada"), SessionToken: "ada"}, "eu-west-1", "execute-api", testTime)
		}), 403, mismatch, noMatch, nil},
		{"another region", change(func(s *signature.Request) {
			signature.Sign(s, signature.Credentials{AccessKeyID: "ASIA", SecretKey: secretOf("ada"), SessionToken: "ada"}, "us-east-1", "execute-api", testTime)
		}), 403, mismatch, `{"message":"Credential should be scoped to a valid region."}`, []string{"for region eu-west-1 and service execute-api"}},
		{"another time", func(r *running) reply {
			s := r.signedAs("ada", "GET", "/books", "")
			r.now = r.now.Add(301e9)
			return r.send(s)
		}, 403, mismatch, `{"message":"Signature expired: 20261121T101112Z is now earlier than 20261121T101113Z (20261121T101613Z - 5 min.)"}`, []string{"more than 5 minutes ago"}},
		{"another's session token", change(func(s *signature.Request) {
			for i := range s.Fields {
				if s.Fields[i].Name == "X-Amz-Security-Token" {
					s.Fields[i].Value = "emma"
				}
			}
		}), 403, mismatch, noMatch, nil},
		{"a password", with("Authorization: Basic c2VjcmV0="), 403, "IncompleteSignatureException", `{"message":"Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. (Hashed`, []string{"or send an id token as Authorization: Bearer"}},
		{"an empty header", with("Authorization:"), 403, "IncompleteSignatureException", `{"message":"Invalid key=value pair`, nil},
		{"two headers", with("Authorization: Bearer "+tokenOf("ada", ""), "authorization: Bearer "+tokenOf("ada", "")), 403, "IncompleteSignatureException", `{"message":"The header 'Authorization' may be sent once only."}`, []string{"the header Authorization was sent more than once"}},
		{"a signature and a token", change(func(s *signature.Request) {
			s.Fields = append(s.Fields, http1.Field{Name: "authorization", Value: "Bearer " + tokenOf("ada", "")})
		}), 403, "IncompleteSignatureException", `{"message":"The header 'Authorization'`, nil},
		{"a token and a signed query", func(r *running) reply {
			return r.call("GET", "/books?X-Amz-Credential=x", "", "Authorization: Bearer "+tokenOf("ada", ""))
		}, 403, mismatch, `{"message":"Found both`, nil},
		{"a malformed token", with("Authorization: Bearer c2VjcmV0"), 401, "UnauthorizedException", `{"message":"Unauthorized"}`, []string{"the token is not valid: it is not a token; send the id token"}},
		{"no token", with("Authorization: Bearer"), 401, "UnauthorizedException", `{"message":"Unauthorized"}`, nil},
		{"an unknown user's token", with("Authorization: " + tokenOf("zoe", "")), 401, "UnauthorizedException", `{"message":"Unauthorized"}`, []string{"nobody is called zoe"}},
		{"an expired token", with("Authorization: Bearer " + tokenOf("expired", "")), 401, "UnauthorizedException", `{"message":"The incoming token has expired"}`, []string{"the token has expired; get a new one"}},
		{"credentials that cannot be checked", as("broken"), 500, "InternalServerErrorException", `{"message": "Internal server error"}`, []string{"reading users.db: it is damaged"}},
		{"a token that cannot be checked", with("Authorization: Bearer " + tokenOf("broken", "")), 500, "InternalServerErrorException", `{"message": "Internal server error"}`, []string{"reading users.db: it is damaged"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := startRestricted(t, func(g *Gateway) { g.options.Invoker = never(t) })
			answer := c.send(r)
			if answer.status != c.status || answer.get("x-amzn-ErrorType") != c.kind || !strings.HasPrefix(answer.body, strings.TrimSuffix(c.body, `"}`)) || !json.Valid([]byte(answer.body)) {
				t.Errorf("%d %s %s", answer.status, answer.get("x-amzn-ErrorType"), answer.body)
			}
			letsPagesRead(t, answer)
			r.logged(c.log...)
			for _, secret := range []string{"c2VjcmV0", secretOf("ada"), "eyJhbGci"} {
				if strings.Contains(r.logText(logs.Gateway)+answer.body, secret) {
					t.Errorf("%q is disclosed: %s %s", secret, r.logText(logs.Gateway), answer.body)
				}
			}
		})
	}
}

func TestARefusalNamesTheCallerAndTheRemedy(t *testing.T) {
	t.Parallel()
	const role = "User: arn:aws:sts::123456789012:assumed-role/eu-west-1_AbCdEfGhI-"
	for _, c := range []struct {
		who, method, path string
		user              string
		log               string
	}{
		{"guest", "POST", "/stall", role + "unauthRole/", "it was called by a guest: guests may not create under /stall; sign in, or let guests create under /stall"},
		{"guest", "GET", "/books", role + "unauthRole/", "guests may not read under /books; sign in, or make /books protected and let guests read there"},
		{"guest", "GET", "/vault", role + "unauthRole/", "guests may not read under /vault; sign in as a member of Admins, or make /vault protected"},
		{"emma", "DELETE", "/books", role + "authRole/", "it was called by user emma, in no group: signed-in users may not delete under /books; become a member of Admins, or let signed-in users delete under /books"},
		{"edgar", "DELETE", "/books", role + "EditorsGroupRole/", "it was called by user edgar, in Editors: members of Editors may not delete under /books; become a member of Admins, or let members of Editors delete under /books"},
		{"editor", "DELETE", "/books", role + "EditorsGroupRole/", "it was called by a signed-in caller in Editors: members of Editors may not delete"},
		{"raised", "DELETE", "/books", role + "EditorsGroupRole/", "may not delete under /books; refresh the session: the user is now in Admins"},
		{"moved", "DELETE", "/books", role + "EditorsGroupRole/", "become a member of Admins, or let members of Editors delete under /books; refresh the session: the user is now in Editors, Others"},
		{"odd", "DELETE", "/books", role + "authRole/", `it was called by user "o\x1b[31m\nd", in "g\a": signed-in users may not delete`},
	} {
		r := startRestricted(t, func(g *Gateway) { g.options.Invoker = never(t) })
		answer := r.send(r.signedAs(c.who, c.method, c.path, ""))
		var refusal struct{ Message string }
		err := json.Unmarshal([]byte(answer.body), &refusal)
		want := c.user + "CognitoIdentityCredentials is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********9012:" + testID + "/dev/" + c.method + c.path
		if answer.status != 403 || answer.get("x-amzn-ErrorType") != "AccessDeniedException" || err != nil || refusal.Message != want || !strings.Contains(answer.body, `{"Message":`) {
			t.Errorf("%s %s %s: %d %s\nnot %s", c.who, c.method, c.path, answer.status, answer.body, want)
		}
		r.logged(c.method+" /dev"+c.path+" 403: path "+c.path+" is pr", c.log)
	}
}

func TestWithoutGuestsAnUnsignedRequestLacksCredentials(t *testing.T) {
	t.Parallel()
	api := restrictedAPI()
	api.Terms.NoGuests = true
	r := start(t, api, never(t), func(g *Gateway) { g.options.Identities = testPeople() })
	answer := r.call("GET", "/stall", "")
	if answer.status != 403 || answer.body != bodyNoToken || answer.get("x-amzn-ErrorType") != "MissingAuthenticationTokenException" {
		t.Errorf("unsigned: %+v", answer)
	}
	r.logged("guests have no identity", "sign in, or give guests an identity")
	if answer := r.send(r.signedAs("guest", "GET", "/stall", "")); answer.status != 403 || answer.get("x-amzn-ErrorType") != "AccessDeniedException" {
		t.Errorf("with a guest's earlier credentials: %+v", answer)
	}
}

func TestAGuestWithoutAnIdentityIsServed(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, func(g *Gateway) {
		g.options.Identities = people{"": {err: errors.New("the environment has no pool\x07")}}
	})
	for range 2 {
		var e deployedEvent
		strict(t, []byte(r.call("GET", "/stall", "").body), &e)
		if i := e.RequestContext.Identity; i.CognitoIdentityID != nil || i.CognitoAuthenticationType != nil {
			t.Errorf("%+v", i)
		}
	}
	if text := r.logText(logs.Gateway); strings.Count(text, "has no identity in the event: the environment has no pool\\a") != 1 {
		t.Errorf("the log has %s", text)
	}
}

func TestTokensAreRecognizedInAuthorizationHeaders(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Bearer a.b.c": "a.b.c", "bearer  x ": "x", "BEARER": "", "a.b.c": "a.b.c", "eyJ-_.a.": "eyJ-_.a.",
		"Basic a.b.c": "-", "a.b": "-", "a.b.c.d": "-", "a.b.c=": "-", "": "-", "Bearerx a.b.c": "-", "AWS4-HMAC-SHA256 Credential=a": "-", "a.b .c": "-",
	} {
		token, ok := idToken(header)
		if !ok {
			token = "-"
		}
		if token != want {
			t.Errorf("%q: %q, not %q", header, token, want)
		}
	}
}
