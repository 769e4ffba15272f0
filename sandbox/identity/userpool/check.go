package userpool

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool/record"
)

var (
	errToken        = unauthorized("Invalid Access Token")
	errTokenExpired = unauthorized("Access Token has expired")
	errTokenRevoked = unauthorized("Access Token has been revoked")
	errUserGone     = unauthorized("User does not exist.")
)

// Reasons for refusing tokens whose signature is valid.
var (
	errIssuer = errors.New("the token's iss is not this pool")
	errUse    = errors.New("the token's token_use is wrong")
	errClient = errors.New("the token's client is not an app client of this pool")
	errOrigin = errors.New("the token's origin_jti is not a session of its user")
)

// Session is what a valid token says.
type Session struct {
	// User is the user's current state.
	User User
	// Groups are the token's: the user's groups when it was signed.
	Groups []string
	// RoleGroups are the groups whose roles the token gives: mostly Groups, but a trigger may
	// give others.
	RoleGroups []string
	// Origin is the origin_jti, which all tokens of one sign-in share.
	Origin string
	Claims map[string]any
}

// Check verifies a token of a pool; use is "id" or "access". It refuses a token with a wrong signature, key,
// time, issuer, client or use, one of a deleted or disabled user, and one of a session that has ended. The
// error is NotAuthorizedException. It wraps the reason, token.ErrExpired for an expired token.
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
	text := func(name string) string { value, _ := claims[name].(string); return value }
	client := text("client_id")
	if use == "id" {
		client = text("aud")
	}
	// The issuer's host and port may have changed since the sandbox signed the token.
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
	err = p.view(cfg, func(r record.Records) error {
		u, err := activeUser(r, text("sub"), checked.Origin)
		if err == nil {
			checked.User = exportUser(u, cfg)
		}
		return err
	})
	if err != nil {
		return Session{}, err
	}
	groups, _ := claims["cognito:groups"].([]any)
	for _, each := range groups {
		if group, ok := each.(string); ok {
			checked.Groups = append(checked.Groups, group)
		}
	}
	checked.RoleGroups = checked.Groups
	if use == "id" {
		checked.RoleGroups = roleGroups(cfg, claims)
	}
	return checked, nil
}

// ActiveUser is the user with an id, who has to exist and be enabled. origin is the origin_jti of the user's
// session, which must not have ended; "" is not checked. The error is NotAuthorizedException.
func (p *Pools) ActiveUser(userPoolID, sub, origin string) (found User, err error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return found, errUserGone.Because(err)
	}
	err = p.view(cfg, func(r record.Records) error {
		u, err := activeUser(r, sub, origin)
		if err == nil {
			found = exportUser(u, cfg)
		}
		return err
	})
	return found, err
}

// activeUser reads each record once, because every signed request calls it.
func activeUser(r record.Records, sub, origin string) (*record.User, error) {
	u, err := r.BySub(sub)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, errUserGone
	case u.Disabled:
		return nil, record.ErrDisabled
	case origin == "":
		return u, nil
	}
	s, err := r.Session(origin)
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

// caller is the user whose access token came with a request.
type caller struct {
	pool   pool.Pool
	sub    string
	origin string
	client string
}

// callerOf verifies an access token. The token itself names the pool, which is trusted once
// that pool's key has verified the token.
func (p *Pools) callerOf(raw string) (caller, error) {
	userPoolID := unverifiedPool(raw)
	checked, err := p.Check(userPoolID, "access", raw)
	if err != nil {
		return caller{}, err
	}
	cfg, err := p.poolOf(userPoolID)
	client, _ := checked.Claims["client_id"].(string)
	return caller{cfg, checked.User.Sub, checked.Origin, client}, err
}

// unverifiedPool is the id of the pool that a token claims to come from.
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

// user reads the caller's user, whose session must not have ended.
func (s caller) user(r record.Records) (*record.User, error) {
	return activeUser(r, s.sub, s.origin)
}
