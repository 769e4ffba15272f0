package request

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gatewright/deploy"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// mostPeople is how many users are listed; others are named.
const mostPeople = 480

// People are those who may call an environment's APIs, nobody first. Users are
// asked of the sandbox that runs; where that fails the others are there all the
// same.
func (w *World) People(ctx context.Context, env *Environment) ([]Option, error) {
	all := []Option{caller(identitypool.Who{}, "nobody", "no credentials, as curl sends it: a guest")}
	if env == nil {
		return all, nil
	}
	p, err := deploy.PoolOf(env.backend, env.here)
	if err != nil || p == nil {
		return all, err
	}
	guest := caller(identitypool.Who{Guest: true}, "guest", "signed, with credentials of the identity pool")
	if !p.GuestsEnabled() {
		guest.Disabled = "unauthenticated_identities_enabled is false"
	}
	all = append(all, guest)
	// Those that only APIs name are there as well.
	for _, group := range env.backend.RoleOrder() {
		all = append(all, caller(identitypool.Who{Group: group}, "group "+group, "a member of it, and no user"))
	}
	var users []Option
	err = w.withUsers(ctx, p, func(held *sandbox.HeldUsers) (err error) {
		users, err = usersOf(ctx, held)
		return err
	})
	return append(all, users...), err
}

func caller(who identitypool.Who, label, note string) Option {
	return Option{ID: idOf(who), Label: label, Note: note}
}

// withUsers opens the users of a pool for as long as use takes; there are none where
// there is no pool, and no sandbox that runs.
func (w *World) withUsers(ctx context.Context, p *pool.Pool, use func(*sandbox.HeldUsers) error) error {
	if p == nil || w.Down != nil {
		return nil
	}
	held, err := sandbox.OpenUsers(ctx, deploy.SandboxState(w.root), *p, w.Address, nil)
	if err != nil {
		return err
	}
	return cmp.Or(use(held), held.Close())
}

// pooled is a user as the pool lists them.
type pooled struct {
	Username, UserStatus string
	Enabled              bool
	Attributes           []struct{ Name, Value string }
}

// usersOf lists users page by page.
func usersOf(ctx context.Context, held *sandbox.HeldUsers) ([]Option, error) {
	var people []Option
	input := map[string]any{"Limit": 60}
	for len(people) < mostPeople {
		var page struct {
			Users           []pooled
			PaginationToken string
		}
		if err := sandbox.Ask(ctx, held, "ListUsers", input, &page); err != nil {
			return people, err
		}
		for _, u := range page.Users {
			people = append(people, u.person())
		}
		if page.PaginationToken == "" {
			break
		}
		input["PaginationToken"] = page.PaginationToken
	}
	slices.SortFunc(people, func(a, b Option) int { return strings.Compare(a.Label, b.Label) })
	return people, nil
}

func (u pooled) person() Option {
	attributes := make(map[string]string)
	for _, a := range u.Attributes {
		attributes[a.Name] = a.Value
	}
	// Where addresses are names the pool's own name of a user is an id.
	name, note := u.Username, "user"
	if address := cmp.Or(attributes["email"], attributes["phone_number"]); address != "" {
		if name == attributes["sub"] {
			name = address
		} else {
			note += ", " + address
		}
	}
	p := caller(identitypool.Who{User: name}, name, note)
	switch {
	case !u.Enabled:
		p.Disabled = "is disabled"
	case u.UserStatus != "CONFIRMED":
		p.Disabled = "cannot sign in: the status is " + u.UserStatus
	}
	return p
}

// GroupsOf are the groups of a user, as the sandbox has them.
func (w *World) GroupsOf(ctx context.Context, env *Environment, name string) ([]string, error) {
	p, err := deploy.PoolOf(env.backend, env.here)
	if err != nil {
		return nil, err
	}
	var user userpool.User
	err = w.withUsers(ctx, p, func(held *sandbox.HeldUsers) (err error) {
		user, err = held.User(ctx, name)
		return err
	})
	return user.Groups, err
}
