package request

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"gatewright/deploy/outputs"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/live"
)

// mostPeople is how many users are listed. Others can be typed.
const mostPeople = 480

// People returns the options for who calls an API of the environment. The users come from the running sandbox; if
// that fails, the other options are returned with the error.
func (s *Snapshot) People(ctx context.Context, env *Environment) ([]prose.Option, error) {
	all := []prose.Option{{Key: nobody, Title: "nobody", Detail: "no credentials, like curl; counts as a guest"}}
	if env == nil {
		return all, nil
	}
	if env.Cloud != nil {
		return env.peopleInCloud(), nil
	}
	p, err := outputs.PoolOf(env.backend, env.definition)
	if err != nil || p == nil {
		return all, err
	}
	guest := prose.Option{
		Key: call.Signer(identitypool.Signer{Guest: true}), Title: "guest",
		Detail: "signed, with identity pool credentials",
	}
	if !p.GuestsEnabled() {
		guest.Disabled = "unauthenticated_identities_enabled is false"
	}
	signedIn := prose.Option{
		Key: call.Signer(identitypool.Signer{AnyUser: true}), Title: "signed-in user",
		Detail: "in no group; no particular user",
	}
	all = append(all, guest, signedIn)
	// RoleOrder also has groups that only APIs name.
	for _, group := range env.backend.RoleOrder() {
		all = append(all,
			prose.Option{
				Key: call.Signer(identitypool.Signer{Group: group}), Title: "group " + group,
				Detail: "a member of the group; no particular user",
			})
	}
	var users []prose.Option
	err = s.useUsers(ctx, p, func(held *sandbox.HeldUsers) (err error) {
		users, err = usersOf(ctx, held)
		return err
	})
	return append(all, users...), err
}

// peopleInCloud returns the options for who calls an API in AWS. Its users are not listed: that
// would take credentials of AWS.
func (e *Environment) peopleInCloud() []prose.Option {
	guest := prose.Option{
		Key: call.Signer(identitypool.Signer{Guest: true}), Title: "guest",
		Detail: "signed, with identity pool credentials",
	}
	switch {
	case !e.Cloud.HasPools():
		guest.Disabled = "the environment has no pools"
	case !e.backend.Auth.GuestsEnabled():
		guest.Disabled = "unauthenticated_identities_enabled is false"
	}
	return []prose.Option{
		{Key: nobody, Title: "nobody", Detail: "no credentials, like curl"},
		guest,
		{Key: call.Signer(identitypool.Signer{Own: true}), Title: "me", Detail: "signed, with your own AWS credentials"},
	}
}

// useUsers opens the users of a pool while use runs. It does nothing without a pool or a running sandbox.
func (s *Snapshot) useUsers(ctx context.Context, p *pool.Pool, use func(*sandbox.HeldUsers) error) error {
	if p == nil || s.Down != nil {
		return nil
	}
	return live.UseUsers(ctx, s.root, *p, s.Status.Address, use)
}

// usersOf returns an option for each user.
func usersOf(ctx context.Context, held *sandbox.HeldUsers) ([]prose.Option, error) {
	var users []prose.Option
	err := people.ListUsers(ctx, held, "", func(page []people.User) bool {
		for _, u := range page {
			users = append(users, userOption(u))
		}
		return len(users) < mostPeople
	})
	slices.SortFunc(users, func(a, b prose.Option) int { return strings.Compare(a.Title, b.Title) })
	return users, err
}

func userOption(u people.User) prose.Option {
	attributes := u.Values()
	name, note := people.ShownName(u.Username, attributes), "user"
	if address := cmp.Or(attributes["email"], attributes["phone_number"]); address != "" && name == u.Username {
		note += ", " + address
	}
	p := prose.Option{Key: call.Signer(identitypool.Signer{User: name}), Title: name, Detail: note}
	switch {
	case !u.Enabled:
		p.Disabled = "is disabled"
	case u.UserStatus != people.UserConfirmed:
		p.Disabled = "cannot sign in: the status is " + u.UserStatus
	}
	return p
}

// Membership returns the groups of a user in the running sandbox, none if the sandbox does
// not answer. missing says that the pool has no such user.
func (s *Snapshot) Membership(ctx context.Context, env *Environment, name string) (groups []string, missing bool) {
	if env.Cloud != nil {
		return nil, false
	}
	var user userpool.User
	var refused *wire.Error
	if p, err := outputs.PoolOf(env.backend, env.definition); err == nil {
		err := s.useUsers(ctx, p, func(held *sandbox.HeldUsers) (err error) {
			user, err = held.User(ctx, name)
			return err
		})
		missing = errors.As(err, &refused) && refused.Code == "UserNotFoundException"
	}
	return user.Groups, missing
}

// SignerAs returns who signs requests that a caller sends to an environment, as the first of their groups;
// user is the name of a user, or "". It is nobody if there is no such signer.
func (s *Snapshot) SignerAs(env *Environment, caller access.Caller, user string) (nobody identitypool.Signer) {
	if env == nil {
		return nobody
	}
	p, err := outputs.PoolOf(env.backend, env.definition)
	first := access.FirstGroup(env.backend.RoleOrder(), caller.Groups)
	switch {
	case user != "":
		return identitypool.Signer{User: user}
	case env.Cloud != nil && !caller.SignedIn && env.Cloud.HasPools() && env.backend.Auth.GuestsEnabled():
		return identitypool.Signer{Guest: true}
	case env.Cloud != nil || !caller.SignedIn || err != nil || p == nil:
		return nobody
	case first != "":
		return identitypool.Signer{Group: first}
	}
	return identitypool.Signer{AnyUser: true}
}

// addUser says that a user does not exist, and how to add them.
func addUser(f Form) string {
	return "the user pool of " + phrase.Quote(f.Environment) + " has no user " + phrase.Quote(f.As.User) +
		"; add one with: gatewright user add " +
		model.ShellWord(f.As.User) + " --env " + model.ShellWord(f.Environment)
}
