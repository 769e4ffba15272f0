package gateway

import (
	"errors"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// Identities says whose the credentials of a request are; identitypool.Pools is
// one. An error that is a *wire.Error says that the credentials are not good, with
// what the client is told and, behind it, why.
type Identities interface {
	// Session is that of an access key and the session token that came with it.
	Session(environment, accessKeyID, sessionToken string) (identitypool.Session, error)
	// Bearer is that of an id token.
	Bearer(environment, idToken string) (identitypool.Session, error)
	// Anonymous is that of the guest who sends no credential.
	Anonymous(environment string) (identitypool.Session, error)
}

// signedService is what requests to an API are signed for.
const signedService = "execute-api"

// means is how a caller said who they are.
type credential uint8

const (
	unsigned credential = iota
	bySignature
	byToken
)

// caller is who sends a request to a path that is not open to everybody.
type caller struct {
	credential credential
	session    identitypool.Session
	// known says that there is a session: a guest who sends no credential may have
	// none.
	hasSession bool
	// token is the id token of a caller byToken.
	token string
}

// asked is the caller as the router wants to know them.
func (c *caller) routerCaller() model.Caller {
	return model.Caller{SignedIn: c.session.SignedIn, Groups: c.session.Groups}
}

// identify finds who calls. Credentials that are not good are refused here, with
// what the cloud says of them: the router refuses a stranger every path that this
// is asked for.
func (e *exchange) identify(body []byte) (*caller, *refusal) {
	head := &e.conn.head
	given := http1.Values(head.Fields, "Authorization")
	presigned := signature.IsPresigned(head.Target)
	if len(given) == 0 && !presigned {
		if e.gateway.options.RequireSignatures {
			return nil, unsignedRequest()
		}
		return &caller{credential: unsigned}, nil
	}
	if len(given) == 1 && !presigned {
		if token, ok := idToken(given[0]); ok {
			if !e.gateway.options.RequireSignatures {
				return e.callerByToken(token)
			}
			_, refused := e.callerBySignature(head, body)
			return nil, tokenInsteadOfSignature(refused)
		}
	}
	return e.callerBySignature(head, body)
}

// idToken is the token in an Authorization header: behind the word Bearer, or alone
// as the public client's documentation sends it.
func idToken(header string) (token string, ok bool) {
	scheme, rest, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest), true
	}
	other := func(c rune) bool {
		return c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	return header, strings.Count(header, ".") == 2 && !strings.ContainsFunc(header, other)
}

// holder is the caller who sends an id token. The cloud's default has no such
// thing: a token is for whoever calls with curl.
func (e *exchange) callerByToken(token string) (*caller, *refusal) {
	if e.gateway.options.Identities == nil {
		return nil, badToken(errNoPools)
	}
	session, err := e.gateway.options.Identities.Bearer(e.api.Environment, token)
	if err != nil {
		return nil, badToken(err)
	}
	return &caller{credential: byToken, session: session, hasSession: true, token: token}, nil
}

// signer is the caller who signs.
func (e *exchange) callerBySignature(head *http1.Head, body []byte) (*caller, *refusal) {
	r := signature.Request{Method: head.Method, Target: head.Target, Host: head.Host, Fields: head.Fields, Body: body, AsWritten: e.leadsElsewhere()}
	tokens := !e.gateway.options.RequireSignatures
	claim, err := signature.Parse(r)
	if err != nil {
		return nil, badSignature(err, tokens)
	}
	if e.gateway.options.Identities == nil {
		return nil, badSignature(errNoPools, tokens)
	}
	session, err := e.gateway.options.Identities.Session(e.api.Environment, claim.AccessKeyID, claim.SessionToken)
	if err != nil {
		return nil, badSignature(err, tokens)
	}
	if err := claim.Verify(r, session.Secret, e.api.Region, signedService, e.gateway.options.Now()); err != nil {
		return nil, badSignature(err, tokens)
	}
	return &caller{credential: bySignature, session: session, hasSession: true}, nil
}

// leadsElsewhere reports whether the path as it came is served in another way than
// the path that most clients sign: a signature for /items must not open
// /admin/../items, which is a path below /admin here.
func (e *exchange) leadsElsewhere() bool {
	raw, _ := http1.SplitTarget(e.conn.head.Target)
	if signature.IsRelative(raw) {
		return true
	}
	normal := signature.Normal(raw)
	if normal == raw {
		return false
	}
	came, _ := e.api.router.Match(e.method, e.target.path)
	signed, _ := e.api.router.Match(e.method, parseTarget(normal, "", e.conn.head.Host).path)
	return came.Resource != signed.Resource
}

// errNoPools is the error of credentials where there are no pools.
var errNoPools = wire.Refuse("UnrecognizedClientException", "The security token included in the request is invalid.").
	Because(errors.New("no user pool is served"))

// admit asks the router about the caller. Its answer is the only decision.
func (e *exchange) admit(c *caller) *refusal {
	decision := e.api.router.Decide(c.routerCaller(), e.method, e.target.path)
	if !decision.Allowed {
		return accessDenied(e.api, c, decision, e.method, e.target.path)
	}
	if identities := e.gateway.options.Identities; c.credential == unsigned && identities != nil {
		session, err := identities.Anonymous(e.api.Environment)
		if c.session, c.hasSession = session, err == nil; err != nil {
			e.noteOnce("anonymous", "a guest without credentials has no identity in the event: "+reasonOf(err))
		}
	}
	e.caller, e.route = c, decision.Route
	return nil
}
