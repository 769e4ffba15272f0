package userpool

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
)

var (
	errToken        = unauthorized("Invalid Access Token")
	errTokenExpired = unauthorized("Access Token has expired")
	errTokenRevoked = unauthorized("Access Token has been revoked")
	errUserGone     = unauthorized("User does not exist.")
)

// What Because says of tokens that are signed well and refused.
var (
	errIssuer = errors.New("the token's iss is not this pool")
	errUse    = errors.New("the token's token_use is another one")
	errClient = errors.New("the token is for a client that this pool does not have")
	errOrigin = errors.New("the token names no session of its user")
)

// Session is what a good token says.
type Session struct {
	// User is the user as of now.
	User User
	// Groups are those of the token: as of when it was signed.
	Groups []string
	// Origin is the origin_jti, which all tokens of one sign-in share.
	Origin string
	Claims map[string]any
}

// Check takes a token of a pool: use is "id" or "access". It is refused where its signature, key, life, issuer, client or use is not
// right, where the user is gone or disabled, and where its session was ended. The error is NotAuthorizedException, and errors.Is
// token.ErrExpired for one that is over; why else is in what the error wraps.
func (p *Pools) Check(userPoolID, use, raw string) (Session, error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return Session{}, errToken.Because(err)
	}
	claims, err := p.options.Keys.Verify(userPoolID, raw)
	switch {
	case errors.Is(err, token.ErrExpired):
		return Session{}, errTokenExpired.Because(err)
	case err != nil:
		return Session{}, errToken.Because(err)
	}
	text := func(name string) string { said, _ := claims[name].(string); return said }
	client := text("client_id")
	if use == "id" {
		client = text("aud")
	}
	// Host and port of the issuer are those that the sandbox had when it signed.
	switch {
	case !strings.HasSuffix(text("iss"), "/"+userPoolID):
		return Session{}, errToken.Because(errIssuer)
	case use != "id" && use != "access" || text("token_use") != use:
		return Session{}, errToken.Because(errUse)
	case !p.hasClient(userPoolID, client):
		return Session{}, errToken.Because(errClient)
	case text("origin_jti") == "":
		return Session{}, errToken.Because(errOrigin)
	}
	checked := Session{Origin: text("origin_jti"), Claims: claims}
	err = p.view(cfg, func(r records) error {
		u, err := r.activeUser(text("sub"), checked.Origin)
		if err == nil {
			checked.User = u.export(cfg)
		}
		return err
	})
	if err != nil {
		return Session{}, err
	}
	listed, _ := claims["cognito:groups"].([]any)
	for _, each := range listed {
		if group, ok := each.(string); ok {
			checked.Groups = append(checked.Groups, group)
		}
	}
	return checked, nil
}

// ActiveUser gives the user of an id, who has to be there and enabled; the session of an origin_jti ("" for none) has to be the user's and not
// ended. The error is NotAuthorizedException.
func (p *Pools) ActiveUser(userPoolID, sub, origin string) (found User, err error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return found, errUserGone.Because(err)
	}
	err = p.view(cfg, func(r records) error {
		u, err := r.activeUser(sub, origin)
		if err == nil {
			found = u.export(cfg)
		}
		return err
	})
	return found, err
}

// alive reads each record once: it is on the way of every signed request.
func (r records) activeUser(sub, origin string) (*user, error) {
	u, err := r.bySub(sub)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, errUserGone
	case u.Disabled:
		return nil, errDisabled
	case origin == "":
		return u, nil
	}
	s, err := r.session(origin)
	switch {
	case err != nil:
		return nil, err
	case s == nil || s.Revoked:
		return nil, errTokenRevoked
	case s.Sub != sub:
		return nil, errToken.Because(errOrigin)
	}
	return u, nil
}

// self is who asks with an access token.
type caller struct {
	pool   pool.Pool
	sub    string
	origin string
}

// bearer finds who asks, and in which pool: the token itself says the pool, and is believed once that pool's key has verified it.
func (p *Pools) callerOf(raw string) (caller, error) {
	userPoolID := unverifiedPool(raw)
	checked, err := p.Check(userPoolID, "access", raw)
	if err != nil {
		return caller{}, err
	}
	cfg, err := p.poolOf(userPoolID)
	return caller{cfg, checked.User.Sub, checked.Origin}, err
}

// unverifiedPool is the pool that a token claims to be of.
func unverifiedPool(raw string) string {
	if len(raw) > token.Longest {
		return ""
	}
	_, rest, _ := strings.Cut(raw, ".")
	payload, _, _ := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return ""
	}
	var claims struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(text, &claims) != nil {
		return ""
	}
	return claims.Issuer[strings.LastIndexByte(claims.Issuer, '/')+1:]
}

// as reads as the user who asks, whose session has to be good still.
func (s caller) user(r records) (*user, error) {
	return r.activeUser(s.sub, s.origin)
}
