package identitypool

import (
	"errors"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

var (
	errInvalid = wire.Refuse("UnrecognizedClientException", "The security token included in the request is invalid.")
	errExpired = wire.Refuse("ExpiredTokenException", "The security token included in the request is expired")
	errSigner  = errors.New("credentials are for exactly one of a guest, a user and a group")
)

// Session is the session of the credentials in a signed request to an environment. The error for a client is
// a *wire.Error, UnrecognizedClientException or ExpiredTokenException, which wraps the reason. Credentials
// end with the user's session, and when the user is deleted or disabled. This is stricter than the cloud,
// where they stay valid for their hour. A guest's credentials end when the identity becomes a user's.
func (p *Pools) Session(environment, accessKeyID, sessionToken string) (Session, error) {
	cfg, err := p.ofEnvironment(environment)
	if err != nil {
		return Session{}, errInvalid.Because(err)
	}
	g, err := p.unsealGrant(accessKeyID, sessionToken)
	switch {
	case errors.Is(err, errSeal):
		return Session{}, errInvalid.Because(err)
	case err != nil:
		return Session{}, err
	case g.PoolID != cfg.IdentityPoolID || g.UserPoolID != "" && g.UserPoolID != cfg.UserPoolID:
		return Session{}, errInvalid.Because(errors.New("the credentials were given for another environment"))
	case p.options.Now().Unix() >= g.Expires:
		return Session{}, errExpired.Because(errors.New("the credentials have expired after an hour"))
	}
	secret, err := p.secretKey(accessKeyID, cfg.IdentityPoolID)
	if err != nil {
		return Session{}, err
	}
	s := guestSession(cfg, g.Identity)
	s.AccessKeyID, s.Secret = accessKeyID, secret
	if err := p.resolve(&s, g); err != nil {
		var refused *wire.Error
		if errors.As(err, &refused) {
			return Session{}, errInvalid.Because(err)
		}
		return Session{}, err
	}
	return s, nil
}

// resolve sets the session's user from a grant. The error is a *wire.Error if the credentials
// have ended.
func (p *Pools) resolve(s *Session, g grant) error {
	switch {
	case g.Userless:
		s.signIn(userpool.User{Sub: g.Sub, Groups: g.Groups, Enabled: true}, g.Groups)
		return nil
	case g.UserPoolID == "":
		_, owned, err := p.ownerOf(s.Pool, g.Identity)
		if err == nil && owned {
			err = wire.Refuse("NotAuthorizedException", "the guest's identity has become a user's")
		}
		return err
	}
	user, err := p.options.Users.ActiveUser(g.UserPoolID, g.Sub, g.Origin)
	if err != nil {
		return err
	}
	s.signIn(user, g.Groups)
	return nil
}

// Anonymous is the session of a guest without credentials, always with the same identity. The
// error is a *wire.Error if guests are not allowed.
func (p *Pools) Anonymous(environment string) (Session, error) {
	cfg, err := p.ofEnvironment(environment)
	if err != nil {
		return Session{}, err
	}
	if !cfg.GuestsEnabled() {
		return Session{}, errNoGuests
	}
	id, err := p.stableID(cfg, "anonymous")
	return guestSession(cfg, id), err
}

// Bearer is the session of a request that has an id token instead of a signature. The error is a *wire.Error
// if the user pool refuses the token.
func (p *Pools) Bearer(environment, idToken string) (Session, error) {
	return p.byToken(environment, "id", idToken)
}

// Access is Bearer for an access token.
func (p *Pools) Access(environment, accessToken string) (Session, error) {
	return p.byToken(environment, "access", accessToken)
}

func (p *Pools) byToken(environment, use, token string) (Session, error) {
	cfg, err := p.ofEnvironment(environment)
	if err != nil {
		return Session{}, err
	}
	session, err := p.options.Users.Check(cfg.UserPoolID, use, token)
	if err != nil {
		return Session{}, err
	}
	id, err := p.identityOf(cfg, session.User.Sub, "")
	if err != nil {
		return Session{}, err
	}
	s := guestSession(cfg, id)
	s.signIn(session.User, firstGroups(cfg, session.RoleGroups))
	return s, nil
}

// Signer says who signs a request: exactly one of a guest, a user by name, and, without a
// user, a member of a group and somebody who is signed in and in no group. Own is the person at
// the machine with credentials of AWS, which sign requests to AWS and none to a sandbox.
type Signer struct {
	Guest       bool
	AnyUser     bool
	Own         bool
	User, Group string
}

// Mint gives a signer credentials without a sign-in, for the commands on this machine. The error is a
// *wire.Error if the user or group does not exist, the user could not sign in, or guests are not allowed.
func (p *Pools) Mint(environment string, signer Signer) (Credentials, error) {
	cfg, err := p.ofEnvironment(environment)
	if err != nil {
		return Credentials{}, err
	}
	var g grant
	switch signer {
	case Signer{}:
		err = errSigner
	case Signer{Guest: true}:
		var s Session
		s, err = p.Anonymous(environment)
		g.Identity = s.IdentityID
	case Signer{AnyUser: true}:
		g, err = p.grantWithoutUser(cfg, "signed-in user", nil)
	case Signer{User: signer.User}:
		g, err = p.grantUser(cfg, signer.User)
	case Signer{Group: signer.Group}:
		g, err = p.grantMember(cfg, signer.Group)
	default:
		err = errSigner
	}
	if err != nil {
		return Credentials{}, err
	}
	return p.credentials(cfg, g)
}

// grantUser is the grant of a user who signs in now.
func (p *Pools) grantUser(cfg pool.Pool, name string) (grant, error) {
	user, err := p.options.Users.User(cfg.UserPoolID, name)
	if err != nil {
		return grant{}, err
	}
	switch {
	case !user.Enabled:
		return grant{}, wire.Refuse("NotAuthorizedException", "User is disabled.")
	case user.Status != "CONFIRMED":
		return grant{},
			wire.Refuse("UserNotConfirmedException", "The user %s cannot sign in: the status is %s",
				phrase.Quote(name), user.Status)
	}
	id, err := p.identityOf(cfg, user.Sub, "")
	return grant{Identity: id, UserPoolID: cfg.UserPoolID, Sub: user.Sub, Groups: user.Groups}, err
}

// grantMember is the grant of a member of a group without a user.
func (p *Pools) grantMember(cfg pool.Pool, group string) (grant, error) {
	if cfg.Principal([]string{group}).Group != group || group == "" {
		return grant{}, wire.Refuse("ResourceNotFoundException", "Group not found: %s", phrase.Quote(group))
	}
	return p.grantWithoutUser(cfg, "member of "+group, []string{group})
}

// grantWithoutUser is the grant of somebody who is signed in, and in these groups, without a
// user. The same name has the same identity.
func (p *Pools) grantWithoutUser(cfg pool.Pool, name string, groups []string) (grant, error) {
	id, err := p.stableID(cfg, name)
	if err != nil {
		return grant{}, err
	}
	_, sub, _ := strings.Cut(id, ":")
	return grant{Identity: id, UserPoolID: cfg.UserPoolID, Sub: sub, Userless: true, Groups: groups}, nil
}
