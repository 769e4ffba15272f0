package gateway

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// people are Identities with errors that a test chooses. Session tokens and the payloads
// of id tokens hold the name.
type people map[string]person

// person is a session, or the error instead of one.
type person struct {
	session identitypool.Session
	err     error
}

func (p people) find(environment, name string) (identitypool.Session, error) {
	who, known := p[name]
	if !known || environment != "dev" {
		return identitypool.Session{}, invalid.Because(errors.New("nobody is called " + phrase.Quote(name)))
	}
	return who.session, who.err
}

func (p people) Session(environment, accessKeyID, sessionToken string) (identitypool.Session, error) {
	s, err := p.find(environment, sessionToken)
	s.AccessKeyID, s.Secret = accessKeyID, secretOf(sessionToken)
	return s, err
}

func (p people) Bearer(environment, idToken string) (identitypool.Session, error) {
	parts := strings.Split(idToken, ".")
	if len(parts) != 3 {
		return identitypool.Session{}, invalid.Because(errors.New("it is not a token"))
	}
	var claims struct {
		Name string `json:"cognito:username"`
	}
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
	_ = json.Unmarshal(payload, &claims)
	return p.find(environment, claims.Name)
}

// Access finds the user named in an access token.
func (p people) Access(environment, accessToken string) (identitypool.Session, error) {
	return p.Bearer(environment, accessToken)
}

func (p people) Anonymous(environment string) (identitypool.Session, error) {
	return p.find(environment, "")
}

var invalid = wire.Refuse("UnrecognizedClientException", "The security token included in the request is invalid.")

func secretOf(name string) string { return "the secret of " + name }

// testPool is the pool of testPeople.
var testPool = pool.Pool{
	Environment: "dev", Region: "eu-west-1", AccountID: testAccount, UserPoolID: "eu-west-1_AbCdEfGhI", ClientID: "client",
	IdentityPoolID: "eu-west-1:11111111-2222-3333-4444-555555555555", Groups: []string{"Admins", "Editors"},
}

// user is a user whose credentials were issued for groups, and who is a member of the
// groups in now.
func user(name string, now []string, groups ...string) person {
	return person{session: identitypool.Session{
		Pool: testPool, IdentityID: "eu-west-1:identity-of-" + name, SignedIn: true, Groups: groups, Principal: testPool.Principal(groups),
		User: userpool.User{Sub: "sub-of-" + name, Name: name, Groups: now, Enabled: true, Status: "CONFIRMED"},
	}}
}

// testPeople are the callers of most tests.
func testPeople() people {
	nobody := user("", []string{"Editors"}, "Editors")
	guest := person{session: identitypool.Session{Pool: testPool, IdentityID: "eu-west-1:a-guest", Principal: access.Principal{Kind: access.Guest}}}
	return people{
		"": guest, "guest": guest,
		"emma": user("emma", nil), "edgar": user("edgar", []string{"Editors"}, "Editors"),
		"ada":     user("ada", []string{"Editors", "Admins"}, "Editors", "Admins"),
		"raised":  user("raised", []string{"Admins"}, "Editors"),
		"moved":   user("moved", []string{"Editors", "Others"}, "Editors"),
		"editor":  nobody,
		"odd":     user("o\x1b[31m\nd", []string{"g\x07"}, "g\x07"),
		"expired": {err: wire.Refuse("ExpiredTokenException", "The security token included in the request is expired").Because(token.ErrExpired)},
		"banned":  {err: invalid.Because(errors.New("the user is disabled"))},
		"foreign": {err: invalid.Because(errors.New("the credentials were given for another environment"))},
		"broken":  {err: errors.New("reading users.db: it is damaged")},
	}
}

// restrictedAPI is an API with rules for every kind of caller.
func restrictedAPI() API {
	api := shop()
	everybody := func(kind access.PrincipalKind, group string) access.Principal {
		return access.Principal{Kind: kind, Group: group}
	}
	private, protected := access.Access{Setting: access.Private}, access.Access{Setting: access.Protected}
	auth, guests := everybody(access.Authenticated, ""), everybody(access.Guest, "")
	admins, editors := everybody(access.Group, "Admins"), everybody(access.Group, "Editors")
	read, write := access.ActionSet(access.Read), access.ActionSet(access.Create, access.Update)
	api.Groups = testPool.Groups
	api.Definition = &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/open", Function: "open", Access: access.Access{Setting: access.Open}},
		{Name: "/stall", Function: "stall", Access: protected.With(auth, read|write).With(guests, read).With(editors, access.EveryAction)},
		{Name: "/books", Function: "books", Access: private.With(auth, read).With(admins, access.EveryAction).With(editors, read|write)},
		{Name: "/vault", Function: "vault", Access: private.With(admins, access.EveryAction)},
	}}
	return api
}

// startRestricted serves restrictedAPI to testPeople.
func startRestricted(t *testing.T, adjust func(*Gateway)) *running {
	t.Helper()
	return start(t, restrictedAPI(), handler(echo), func(g *Gateway) {
		g.options.Identities = testPeople()
		if adjust != nil {
			adjust(g)
		}
	})
}

// signedAs is a request signed with the credentials of a name.
func (r *running) signedAs(name, method, path, body string, lines ...string) signature.Request {
	r.t.Helper()
	s := signature.Request{Method: method, Target: "/" + testID + "/dev" + path, Host: "127.0.0.1", Body: []byte(body)}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		s.Fields = append(s.Fields, http1.Field{Name: name, Value: value})
	}
	signature.Sign(&s, signature.Credentials{AccessKeyID: "ASIAAAAAAAAAAAAAAAAA", SecretKey: secretOf(name), SessionToken: name}, "eu-west-1", "execute-api", r.now)
	return s
}

// send sends a request unchanged.
func (r *running) send(s signature.Request) reply {
	r.t.Helper()
	var lines []string
	for _, f := range s.Fields {
		lines = append(lines, f.Name+": "+f.Value)
	}
	return r.raw(s.Method, request(s.Method, s.Target, string(s.Body), lines...))
}

// tokenOf is an id token with claims and an invalid signature.
func tokenOf(name string, claims string) string {
	return "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"cognito:username":%q%s}`, name, claims))) + ".c2lnbmF0dXJl"
}
