// Package people reads and changes the users of an environment's pool: in the running sandbox, in its state folder,
// or in AWS. Commands and screens share it: both say the same of a user, and change a user in the same steps.
package people

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gatewright/deploy/outputs"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/live"
)

// Users are the users of one pool. They are read and changed between Open and Close.
type Users struct {
	Pool *pool.Pool
	// Groups are the groups of the pool, in order of precedence. Once a running sandbox or a
	// pool in AWS is opened, they are those that it has.
	Groups []string
	// Flags are added to the commands that errors propose; each begins with a space.
	Flags string
	// Words may be given instead of a user, such as guest; errors propose them too.
	Words []string
	// AddGroup is the command that adds a group to the project.
	AddGroup string

	held source
}

// source is where the users of a pool are: in a sandbox, or in AWS.
type source interface {
	UserPool
	// User finds a user by name, address or sub.
	User(ctx context.Context, name string) (userpool.User, error)
	Roster(ctx context.Context) (userpool.Roster, error)
	Tokens(ctx context.Context, name string) (userpool.Tokens, error)
	// Running reports whether somebody can be signed in now.
	Running() bool
	Close() error
}

// Of finds the pool of an environment.
func Of(b *model.Backend, env *model.Environment) (*Users, error) {
	p, err := outputs.PoolOf(b, env)
	if err != nil {
		return nil, err
	}
	if p == nil {
		// In a project of the Amplify CLI the category auth makes the pool, and no path does.
		fix := "add one with: "
		if b.Defines(model.KindGroup) {
			fix = "restrict a path with: gatewright update path API PATH --auth all, or add a group with: "
		}
		return nil, errors.New("the backend has no user pool; " + fix + b.Adding(model.KindGroup))
	}
	return &Users{Pool: p, Groups: p.Groups, AddGroup: b.Adding(model.KindGroup)}, nil
}

// Held gives access to users that are open already. Close closes them.
func (u *Users) Held(held *sandbox.HeldUsers) *Users {
	u.held = held
	return u
}

// Open opens the users of the project in root. If no sandbox runs, it owns the sandbox's state
// until Close; port is that of the issuer in tokens then.
func (u *Users) Open(ctx context.Context, root string, port int) error {
	state, err := live.MakeState(root)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	held, err := sandbox.OpenUsers(ctx, state, *u.Pool, address, nil)
	if err != nil {
		return err
	}
	u.held = held
	if err := u.asServed(ctx); err != nil {
		return errors.Join(err, u.Close())
	}
	return nil
}

// asServed replaces the groups by those that a running sandbox serves: it may serve the
// environment as it was pushed, not as it is in the working tree.
func (u *Users) asServed(ctx context.Context) error {
	if !u.held.Running() {
		return nil
	}
	groups, err := groupsOf(ctx, u.held)
	if err != nil {
		return err
	}
	served := *u.Pool
	served.Groups = groups
	u.Pool, u.Groups = &served, groups
	return nil
}

// Close closes the users.
func (u *Users) Close() error {
	if u.held == nil {
		return nil
	}
	return u.held.Close()
}

// Running reports whether somebody can be signed in: a sandbox runs, or the pool is in AWS.
func (u *Users) Running() bool { return u.held.Running() }

// Ask calls an operation of the pool; into may be nil. The error is a *wire.Error if the pool refuses.
func (u *Users) Ask(ctx context.Context, operation string, input map[string]any, into any) error {
	return sandbox.Ask(ctx, u.held, operation, input, into)
}

// AskAbout calls an operation of the pool on the user that name finds. Errors of the pool are explained, see Explain.
func (u *Users) AskAbout(ctx context.Context, name, operation string, input map[string]any, into any) error {
	user, err := u.Find(ctx, name)
	if err != nil {
		return err
	}
	return u.AskOn(ctx, user.Name, name, operation, input, into)
}

// AskOn is AskAbout for the username of a user that was found by name.
func (u *Users) AskOn(ctx context.Context, user, name, operation string, input map[string]any, into any) error {
	input["Username"] = user
	return u.Explain(ctx, name, u.Ask(ctx, operation, input, into))
}

// Find returns the user with a name, address or sub. The error proposes the nearest name.
func (u *Users) Find(ctx context.Context, name string) (userpool.User, error) {
	user, err := u.held.User(ctx, name)
	return user, u.Explain(ctx, name, err)
}

// List calls use for each page of users until use returns false: of all users, or of the members of a group.
func (u *Users) List(ctx context.Context, group string, use func([]User) (more bool)) error {
	return ListUsers(ctx, u.held, group, use)
}

// Memberships returns the groups of each user by username, in the pool's order.
func (u *Users) Memberships(ctx context.Context) (map[string][]string, error) {
	return membersOf(ctx, u.held, u.Groups)
}

// Roster reads all users at once, sorted by nothing.
func (u *Users) Roster(ctx context.Context) ([]userpool.User, error) {
	all, err := u.held.Roster(ctx)
	return all.Users, err
}

// Tokens gives tokens of a user, as if the user had signed in.
func (u *Users) Tokens(ctx context.Context, name string) (userpool.Tokens, error) {
	tokens, err := u.held.Tokens(ctx, name)
	return tokens, u.Explain(ctx, name, err)
}

// CheckServed returns an error if the pool, as the sandbox serves it or as it is in AWS, lacks one of the groups.
func (u *Users) CheckServed(groups []string) error {
	for _, group := range groups {
		if !slices.Contains(u.Groups, group) {
			env, as := u.Pool.Environment, "as the sandbox serves it"
			if u.InAWS() {
				as = "as it is in AWS"
			}
			return &model.Problem{
				Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "is not in environment " + phrase.Quote(env) + " " + as,
				Fix: "push the environment with: gatewright push --env " + model.ShellWord(env),
			}
		}
	}
	return nil
}
