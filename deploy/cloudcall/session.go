package cloudcall

import (
	"context"
	"sync"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/signin"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

// Session sends requests, and keeps the credentials of who has called, until it is forgotten. They
// are nowhere but in memory. It may be used by several goroutines.
type Session struct {
	// Ask asks a person for what a user knows; nil where nobody can be asked.
	Ask signin.Ask
	// MFA asks a person for codes of their own device for AWS; nil where nobody can be asked.
	MFA func(ctx context.Context, serial string) (string, error)

	mu   sync.Mutex
	kept map[place]caller
}

// place is what credentials are kept for.
type place struct {
	pools signin.Pools
	who   identitypool.Signer
}

// caller is who signs requests.
type caller struct {
	identitypool.Signer
	// groups are those of a user, and name is of a person with credentials of AWS.
	groups []string
	name   string
	keys   call.Keys
	// expires is by this machine's clock; zero if AWS does not say.
	expires time.Time
	// fresh says that the credentials were got for this request.
	fresh bool
}

// hasTime reports whether the credentials are valid for a request that begins now.
func (c *caller) hasTime() bool {
	const longestRequest = time.Minute
	return c.expires.IsZero() || time.Until(c.expires) > longestRequest
}

// Groups returns the groups of a user who has signed in. known is false before that.
func (s *Session) Groups(e *Environment, who identitypool.Signer) (groups []string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, has := s.kept[place{e.pools, who}]
	if !has || !c.hasTime() {
		return nil, false
	}
	return c.groups, true
}

// SignIn gets the credentials of who signs a request, unless there are some. It asks for what a
// user knows. The error is a *call.UnsentError.
func (s *Session) SignIn(ctx context.Context, e *Environment, who identitypool.Signer) error {
	public, err := account.Public(ctx, e.options)
	if err == nil {
		_, err = s.caller(ctx, e, public, who)
	}
	if err != nil {
		return &call.UnsentError{Cause: err}
	}
	return nil
}

// caller returns who signs a request, with credentials that are valid.
func (s *Session) caller(
	ctx context.Context, e *Environment, public *account.Account, who identitypool.Signer,
) (*caller, error) {
	at := place{e.pools, who}
	s.mu.Lock()
	kept, has := s.kept[at]
	s.mu.Unlock()
	if has && kept.hasTime() {
		kept.fresh = false
		return &kept, nil
	}
	c, err := s.signIn(ctx, e, public, who)
	if err != nil {
		return nil, err
	}
	s.keep(at, *c)
	return c, nil
}

func (s *Session) keep(at place, c caller) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = make(map[place]caller)
	}
	s.kept[at] = c
}

func (s *Session) forget(at place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, at)
}

// signIn gets credentials.
func (s *Session) signIn(
	ctx context.Context, e *Environment, public *account.Account, who identitypool.Signer,
) (*caller, error) {
	c := &caller{Signer: who, fresh: true}
	var user *signin.User
	var err error
	switch {
	case who.Own:
		return s.own(ctx, e, c)
	case who.Guest:
	case who.User != "":
		if user, err = signin.SignIn(ctx, public, e.pools, who.User, s.Ask); err != nil {
			return nil, err
		}
		c.groups = user.Groups
	default:
		return nil, e.CheckSigner(who)
	}
	given, err := signin.Get(ctx, public, e.pools, user)
	if err != nil {
		return nil, err
	}
	ahead := time.Until(public.Now())
	c.keys = call.Keys{Credentials: signature.Credentials{
		AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey,
		SessionToken: given.SessionToken,
	}, Skew: ahead}
	c.expires = given.Expires.Add(-ahead)
	return c, nil
}

// open opens the account of an environment.
func (s *Session) open(ctx context.Context, e *Environment) (*account.Account, error) {
	o := e.options
	o.MFA = s.MFA
	return account.Open(ctx, o)
}

// own gets a person's own credentials, of the account that the environment belongs to.
func (s *Session) own(ctx context.Context, e *Environment, c *caller) (*caller, error) {
	a, err := s.open(ctx, e)
	if err != nil {
		return nil, err
	}
	keys, err := a.Config.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, a.Explain(err)
	}
	c.name = a.Who()
	c.keys = call.Keys{Credentials: signature.Credentials{
		AccessKeyID: keys.AccessKeyID, SecretKey: keys.SecretAccessKey,
		SessionToken: keys.SessionToken,
	}}
	if keys.CanExpire {
		c.expires = keys.Expires
	}
	return c, nil
}

// CheckSigner refuses somebody without a name: AWS gives the credentials of a group, or of a
// signed-in user, only to a user.
func (e *Environment) CheckSigner(who identitypool.Signer) error {
	text := "is in AWS, where only a user who signs in gets credentials"
	switch {
	case who.Group != "":
		text = "is in AWS, where credentials of the group " + phrase.Quote(who.Group) +
			" need a member who signs in"
	case !who.AnyUser:
		return nil
	}
	return &model.Problem{
		Of: model.Ref{Kind: model.KindEnvironment, Name: e.Name}, Text: text,
		Fix: "name the user: --as USER",
	}
}
