// Package identity serves the user pool and the identity pool of each local environment,
// with the protocols of the public client libraries. Its parts are userpool (users,
// sign-in, tokens), identitypool (credentials), and the packages that both use.
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

// Options configure a Service.
type Options struct {
	// Users is the file of users, Keys the file of the keys for tokens and credentials. A
	// missing file is made, readable by its owner only.
	Users, Keys string
	// Address is the sandbox's, such as http://127.0.0.1:4280. It is part of the issuer in
	// tokens.
	Address string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Deliver receives each message that the cloud would send to a user; it may be nil.
	Deliver func(userpool.Message)
	// Call calls the functions of triggers; without it none is called.
	Call func(userpool.TriggerCall) ([]byte, error)
	// Damaged is called once, when damage of the file of users is first met; it may be nil.
	Damaged func(error)
	// Failed receives errors of operations that are not refusals; it may be nil.
	Failed func(operation string, err error)
}

// Service is the user pools and identity pools of all environments. It may be used by many
// goroutines at once.
type Service struct {
	options    Options
	db         *file.File
	keys       *token.Keys
	users      *userpool.Pools
	Identities *identitypool.Pools
}

// Open opens the files. The error is file.ErrOwned if another process has them open.
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
	if s.db, err = file.Open(s.options.Users, s.options.Damaged); err != nil {
		return err
	}
	if s.db.Pages().Taken() {
		if err := checkUsers(s.db); err != nil {
			return err
		}
	}
	s.users, err = userpool.New(userpool.Options{
		DB: s.db, Keys: s.keys, Now: s.options.Now, Issuer: s.issuer, Deliver: s.options.Deliver, Call: s.options.Call,
	})
	if err != nil {
		return err
	}
	s.Identities, err = identitypool.New(identitypool.Options{DB: s.db, Keys: s.keys, Users: s.users, Now: s.options.Now})
	return err
}

// Apply sets which pools there are. Users of removed pools stay in the file.
func (s *Service) Apply(pools []pool.Pool) {
	s.users.Apply(pools)
	s.Identities.Apply(pools)
}

// Warning says in one line what Open could not check of the file of users, or is "".
func (s *Service) Warning() string { return s.db.Pages().Warning() }

// Close closes the files.
func (s *Service) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

func (s *Service) issuer(userPoolID string) string { return s.options.Address + "/" + userPoolID }

// Do runs an operation of the user pools, such as "AdminCreateUser", for the commands on this
// machine. Input and output are JSON. The error is a *wire.Error if the pool refuses.
func (s *Service) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	return s.users.Do(ctx, operation, input)
}

// Tokens gives a user tokens without a password, for the commands on this machine.
func (s *Service) Tokens(userPoolID, name string) (userpool.Tokens, error) {
	return s.users.Issue(userPoolID, name)
}

// User finds a user by name, alias or sub.
func (s *Service) User(userPoolID, name string) (userpool.User, error) {
	return s.users.User(userPoolID, name)
}

// Roster reads all users of a pool.
func (s *Service) Roster(userPoolID string) (userpool.Roster, error) {
	return s.users.Roster(userPoolID)
}
