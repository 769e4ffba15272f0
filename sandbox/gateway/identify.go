package gateway

import (
	"errors"
	"strings"

	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// Identities finds the owner of credentials, as identitypool.Pools does. The error for invalid credentials is
// a *wire.Error with the message for the client; it may wrap the reason, which is not for the client.
type Identities interface {
	// Session finds the session of an access key and its session token.
	Session(environment, accessKeyID, sessionToken string) (identitypool.Session, error)
	// Bearer finds the session of an id token, Access that of an access token.
	Bearer(environment, idToken string) (identitypool.Session, error)
	Access(environment, accessToken string) (identitypool.Session, error)
	// Anonymous gives the session of a guest who sends no credentials.
	Anonymous(environment string) (identitypool.Session, error)
}

// SignedService is the service in the signatures of requests to an API.
const SignedService = "execute-api"

// credential is the kind of credentials that a request has.
type credential uint8

const (
	unsigned credential = iota
	bySignature
	byToken
)

// caller is the sender of a request to a restricted path.
type caller struct {
	credential credential
	session    identitypool.Session
	// hasSession is false for a guest without credentials where guests get no identity.
	hasSession bool
	// token is the id token, for byToken.
	token string
}

// routerCaller is the caller for the router.
func (c *caller) routerCaller() access.Caller {
	return access.Caller{SignedIn: c.session.SignedIn, Groups: c.session.Groups}
}

// identify finds out who calls a restricted path. It refuses invalid credentials, with
// the answer of API Gateway.
func (e *exchange) identify(body []byte) (*caller, *refusal) {
	head := &e.conn.head
	given := http1.Values(head.Fields, "Authorization")
	presigned := signature.IsPresigned(head.Target)
	if len(given) == 0 && !presigned && e.api.Administration {
		return nil, badToken(errNoToken)
	}
	if len(given) == 0 && !presigned {
		if e.gateway.options.RequireSignatures {
			return nil, unsignedRequest()
		}
		return &caller{credential: unsigned}, nil
	}
	if len(given) == 1 && !presigned {
		if token, ok := idToken(given[0]); ok {
			if !e.gateway.options.RequireSignatures || e.api.Administration {
				return e.callerByToken(token)
			}
			_, refused := e.callerBySignature(head, body)
			return nil, tokenInsteadOfSignature(refused)
		}
	}
	return e.callerBySignature(head, body)
}

// idToken is the id token in an Authorization header: after the word Bearer, or alone, as
// the documentation of Amplify's client sends it.
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

// callerByToken is the caller who sends an id token. API Gateway does not accept one at
// paths whose callers sign; the sandbox does, for callers with curl.
func (e *exchange) callerByToken(token string) (*caller, *refusal) {
	if e.gateway.options.Identities == nil {
		return nil, badToken(errNoPools)
	}
	session, err := e.gateway.options.Identities.Bearer(e.api.Environment, token)
	if err != nil && e.api.Administration {
		session, err = e.gateway.options.Identities.Access(e.api.Environment, token)
	}
	if err != nil {
		return nil, badToken(err)
	}
	return &caller{credential: byToken, session: session, hasSession: true, token: token}, nil
}

// callerBySignature is the caller who signs the request.
func (e *exchange) callerBySignature(head *http1.Head, body []byte) (*caller, *refusal) {
	r := signature.Request{
		Method: head.Method, Target: head.Target, Host: head.Host, Fields: head.Fields, Body: body,
		AsWritten: e.hasOtherRoute(),
	}
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
	if err := claim.Verify(r, session.Secret, e.api.Region, SignedService, e.gateway.options.Now()); err != nil {
		return nil, badSignature(err, tokens)
	}
	return &caller{credential: bySignature, session: session, hasSession: true}, nil
}

// errNoToken is the error for a request without credentials to an API whose authorizer
// wants a token.
var errNoToken = wire.Refuse("NotAuthorizedException", "Unauthorized").Because(errors.New("the request has none"))

// hasOtherRoute reports whether the raw path has another route than the normalized path,
// which most clients sign: a signature for /items must not be valid for /admin/../items,
// which the router takes for a path below /admin.
func (e *exchange) hasOtherRoute() bool {
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

// errNoPools is the error for credentials when no pools are served.
var errNoPools = wire.Refuse("UnrecognizedClientException", "The security token included in the request is invalid.").
	Because(errors.New("no user pool is served"))

// admit lets the router decide about the caller.
func (e *exchange) admit(c *caller) *refusal {
	decision := e.api.router.Decide(c.routerCaller(), e.method, e.target.path)
	e.record.keepCaller(c, decision)
	if !decision.Allowed {
		return accessDenied(e.api, c, decision, e.method, e.target.path)
	}
	if identities := e.gateway.options.Identities; c.credential == unsigned && identities != nil {
		session, err := identities.Anonymous(e.api.Environment)
		if c.session, c.hasSession = session, err == nil; err != nil {
			e.noteOnce("anonymous", "a guest without credentials has no identity in the event: "+reasonOf(err))
		}
	}
	e.caller = c
	return nil
}
