package identitypool

import (
	"errors"
	"strings"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

const (
	// openIDIssuer and openIDLife are the issuer and the lifetime of the cloud's tokens.
	openIDIssuer = "https://cognito-identity.amazonaws.com"
	openIDLife   = 10 * time.Minute
)

// getID gives a guest a new identity, and a user always the same one.
func (p *Pools) getID(in input) (any, error) {
	if err := checkID("identityPoolId", in.IdentityPoolID); err != nil {
		return nil, err
	}
	pools, err := p.ofID(in.IdentityPoolID)
	if err != nil {
		return nil, err
	}
	var id string
	if len(in.Logins) == 0 {
		if !pools[0].GuestsEnabled() {
			return nil, errNoGuests
		}
		id, err = p.newGuest(pools[0])
	} else {
		var cfg pool.Pool
		var session userpool.Session
		if cfg, session, err = p.login(pools, in.Logins); err == nil {
			id, err = p.identityOf(cfg, session.User.Sub, "")
		}
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"IdentityId": id}, nil
}

// getCredentials gives an identity credentials for an hour. With Logins they are for the
// user's identity, which may differ from the one in the input.
func (p *Pools) getCredentials(in input) (any, error) {
	cfg, g, err := p.authorize(in)
	if err != nil {
		return nil, err
	}
	if in.CustomRoleArn != "" {
		if g.Groups, err = groupOfRole(cfg, g.Groups, in.CustomRoleArn); err != nil {
			return nil, err
		}
	}
	credentials, err := p.credentials(cfg, g)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"IdentityId": g.Identity,
		"Credentials": map[string]any{
			"AccessKeyId": credentials.AccessKeyID, "SecretKey": credentials.SecretKey, "SessionToken": credentials.SessionToken,
			// Seconds since 1970, as the cloud writes them.
			"Expiration": credentials.Expiration.Unix(),
		},
	}, nil
}

// getOpenIDToken gives an identity a token that proves it.
func (p *Pools) getOpenIDToken(in input) (any, error) {
	cfg, g, err := p.authorize(in)
	if err != nil {
		return nil, err
	}
	means := []string{"unauthenticated"}
	if g.UserPoolID != "" {
		means = []string{"authenticated", provider(cfg), provider(cfg) + ":CognitoSignIn:" + g.Sub}
	}
	now := p.options.Now()
	signed, err := p.options.Keys.Sign(cfg.IdentityPoolID, map[string]any{
		"sub": g.Identity, "aud": cfg.IdentityPoolID, "iss": openIDIssuer, "amr": means, "iat": now.Unix(),
		"exp": now.Add(openIDLife).Unix(),
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{"IdentityId": g.Identity, "Token": signed}, nil
}

// authorize returns the grant for an identity. For a guest's identity, Logins may be
// absent; for a user's, they must be the user's. A guest's identity with a user's Logins
// becomes the user's, if the user has none yet.
func (p *Pools) authorize(in input) (pool.Pool, grant, error) {
	if err := checkID("identityId", in.IdentityID); err != nil {
		return pool.Pool{}, grant{}, err
	}
	pools, owner, owned, err := p.poolOf(in.IdentityID)
	if err != nil {
		return pool.Pool{}, grant{}, err
	}
	forbidden := wire.Refuse("NotAuthorizedException", "Access to Identity '%s' is forbidden.", in.IdentityID)
	if len(in.Logins) == 0 {
		switch cfg := pools[0]; {
		case owned:
			return cfg, grant{}, forbidden
		case !cfg.GuestsEnabled():
			return cfg, grant{}, errNoGuests
		default:
			return cfg, grant{Identity: in.IdentityID}, nil
		}
	}
	cfg, session, err := p.login(pools, in.Logins)
	if err != nil {
		return cfg, grant{}, err
	}
	if owned && !owner.is(cfg.UserPoolID, session.User.Sub) {
		return cfg, grant{}, forbidden
	}
	id, err := p.identityOf(cfg, session.User.Sub, in.IdentityID)
	return cfg, grant{
		Identity: id, UserPoolID: cfg.UserPoolID, Sub: session.User.Sub, Origin: session.Origin,
		Groups: session.RoleGroups,
	}, err
}

// login verifies Logins: one id token, of the user pool of one of these pools.
func (p *Pools) login(pools []pool.Pool, logins map[string]string) (pool.Pool, userpool.Session, error) {
	if len(logins) > 1 {
		return pool.Pool{}, userpool.Session{},
			wire.Refuse("InvalidParameterException", "The sandbox takes one entry of Logins, for the user pool")
	}
	for name, raw := range logins {
		for _, cfg := range pools {
			// Clients send the issuer of the token, whose host differs from the cloud's.
			if len(name) > longestProvider || !strings.HasSuffix(name, "/"+cfg.UserPoolID) {
				continue
			}
			session, err := p.options.Users.Check(cfg.UserPoolID, "id", raw)
			return cfg, session, invalidLogin(err)
		}
	}
	return pool.Pool{}, userpool.Session{},
		wire.Refuse("NotAuthorizedException", "Token is not from a supported provider of this identity pool.")
}

// invalidLogin translates the user pool's refusal of a token to the identity pool's.
func invalidLogin(err error) error {
	var refused *wire.Error
	switch {
	case errors.Is(err, token.ErrExpired):
		return wire.Refuse("NotAuthorizedException", "Invalid login token. Token expired.").Because(err)
	case errors.As(err, &refused):
		return wire.Refuse("NotAuthorizedException",
			"Invalid login token. Not a valid OpenId Connect identity token.").Because(err)
	}
	return err
}

// groupOfRole is the user's group that has a role.
func groupOfRole(cfg pool.Pool, groups []string, role string) ([]string, error) {
	if len(role) <= longestRole {
		for _, group := range firstGroups(cfg, groups) {
			if cfg.RoleARN(access.Principal{Kind: access.Group, Group: group}) == role {
				return []string{group}, nil
			}
		}
	}
	return nil, wire.Refuse("NotAuthorizedException", "The role belongs to none of the groups in the token.")
}
