package identitypool

import (
	"errors"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

var (
	errInvalid = wire.Refuse("UnrecognizedClientException", "The security token included in the request is invalid.")
	errExpired = wire.Refuse("ExpiredTokenException", "The security token included in the request is expired")
	errSigner  = errors.New("credentials are for a guest, a user or a group: for one of them")
)

// Session is who has the credentials that a request to an environment names. The
// error is a *wire.Error for a client, UnrecognizedClientException or
// ExpiredTokenException, which unwraps to why it is so. A user who is deleted,
// disabled or signed out has no credentials from that moment on: this is stricter
// than the cloud, where credentials live on for their hour. So have no guest's
// credentials, once the guest's identity belongs to a user.
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
		return Session{}, errExpired.Because(errors.New("the credentials are older than an hour"))
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

// settle makes a session the one that a grant says, if whoever it was given to is
// still there. The error is a *wire.Error where they are not.
func (p *Pools) resolve(s *Session, g grant) error {
	switch {
	case g.MemberOnly:
		s.signIn(userpool.User{Sub: g.Sub, Groups: g.Groups, Enabled: true}, g.Groups)
		return nil
	case g.UserPoolID == "":
		_, owned, err := p.ownerOf(s.Pool, g.Identity)
		if err == nil && owned {
			err = wire.Refuse("NotAuthorizedException", "the guest's identity belongs to a user by now")
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

// Anonymous is the guest who sends no credential at all: always the same one. The
// error is a *wire.Error where guests get no identity.
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

// Bearer is who shows an id token instead of signing. The error is a *wire.Error
// where the user pool does not take the token.
func (p *Pools) Bearer(environment, idToken string) (Session, error) {
	cfg, err := p.ofEnvironment(environment)
	if err != nil {
		return Session{}, err
	}
	session, err := p.options.Users.Check(cfg.UserPoolID, "id", idToken)
	if err != nil {
		return Session{}, err
	}
	id, err := p.identityOf(cfg, session.User.Sub, "")
	if err != nil {
		return Session{}, err
	}
	s := guestSession(cfg, id)
	s.signIn(session.User, firstGroups(cfg, session.Groups))
	return s, nil
}

// Signer is somebody to sign a request as: exactly one of a guest, a user by name, and
// one who is a member of a group and no user.
type Signer struct {
	Guest       bool
	User, Group string
}

// Mint gives credentials without a sign-in, for the machine's own commands. The
// error is a *wire.Error where the environment has no such user or group, where
// the user could not sign in, and where guests get no identity.
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

// grantUser is what a user gets who would sign in now.
func (p *Pools) grantUser(cfg pool.Pool, name string) (grant, error) {
	user, err := p.options.Users.User(cfg.UserPoolID, name)
	if err != nil {
		return grant{}, err
	}
	switch {
	case !user.Enabled:
		return grant{}, wire.Refuse("NotAuthorizedException", "User is disabled.")
	case user.Status != "CONFIRMED":
		return grant{}, wire.Refuse("UserNotConfirmedException", "The user %s cannot sign in: the status is %s", model.Quote(name), user.Status)
	}
	id, err := p.identityOf(cfg, user.Sub, "")
	return grant{Identity: id, UserPoolID: cfg.UserPoolID, Sub: user.Sub, Groups: user.Groups}, err
}

// grantMember is what somebody gets who is a member of a group, and no user.
func (p *Pools) grantMember(cfg pool.Pool, group string) (grant, error) {
	if cfg.Principal([]string{group}).Group != group || group == "" {
		return grant{}, wire.Refuse("ResourceNotFoundException", "Group not found: %s", model.Quote(group))
	}
	id, err := p.stableID(cfg, "member of "+group)
	if err != nil {
		return grant{}, err
	}
	_, sub, _ := strings.Cut(id, ":")
	return grant{Identity: id, UserPoolID: cfg.UserPoolID, Sub: sub, MemberOnly: true, Groups: []string{group}}, nil
}
