// Package identity is who people are to the sandbox: the user pool and the
// identity pool of each local environment, with the protocols that the public
// client libraries speak. Its rooms are userpool (users, sign-in, tokens),
// identitypool (what requests are signed with), and what both are made of.
package identity

import (
	"context"
	"errors"
	"time"

	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
)

// Options say what a Service works with.
type Options struct {
	// Users is the file of the users. Keys is that of what tokens and credentials
	// are signed with; each is made where it is missing, for its owner alone.
	Users, Keys string
	// Address is where the sandbox answers, such as http://127.0.0.1:4280; tokens
	// name it as their issuer's.
	Address string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Deliver is told each code that the cloud would send to somebody; it may be
	// nil.
	Deliver func(userpool.Message)
	// Failed is told of an operation that could not be carried out, which is no
	// refusal; it may be nil.
	Failed func(operation string, err error)
}

// Service is the pools of all environments. It may be used by many goroutines at
// once.
type Service struct {
	options Options
	db      *file.File
	keys    *token.Keys
	users   *userpool.Pools
	// Identities are the identity pools.
	Identities *identitypool.Pools
}

// Open opens the users and the keys. The error is file.ErrOwned for users that
// another process has.
func Open(o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Deliver == nil {
		o.Deliver = func(userpool.Message) {}
	}
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	s := &Service{options: o}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) open() (err error) {
	if s.keys, err = token.OpenKeys(s.options.Keys, s.options.Now); err != nil {
		return err
	}
	if s.db, err = file.Open(s.options.Users); err != nil {
		return err
	}
	s.users, err = userpool.New(userpool.Options{
		DB: s.db, Keys: s.keys, Now: s.options.Now, Issuer: s.issuer, Deliver: s.options.Deliver,
	})
	if err != nil {
		return err
	}
	s.Identities, err = identitypool.New(identitypool.Options{DB: s.db, Keys: s.keys, Users: s.users, Now: s.options.Now})
	return err
}

// Apply says which pools there are from now on. Users of one that is gone are
// kept.
func (s *Service) Apply(pools []pool.Pool) {
	s.users.Apply(pools)
	s.Identities.Apply(pools)
}

// Close lets go of the files.
func (s *Service) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

func (s *Service) issuer(userPoolID string) string { return s.options.Address + "/" + userPoolID }

// Do carries out an operation of the user pools, such as "AdminCreateUser", for
// the machine's own commands: its input and output are JSON. The error is a
// *wire.Error where the pool refuses.
func (s *Service) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	return s.users.Do(ctx, operation, input)
}

// Tokens gives a user tokens without a password, for the machine's own commands.
func (s *Service) Tokens(userPoolID, name string) (userpool.Tokens, error) {
	return s.users.Issue(userPoolID, name)
}

// User finds a user by name, alias or sub.
func (s *Service) User(userPoolID, name string) (userpool.User, error) {
	return s.users.User(userPoolID, name)
}
