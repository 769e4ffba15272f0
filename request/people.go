package request

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gatewright/deploy"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/identitypool"
)

// Person is somebody who may call.
type Person struct {
	Who identitypool.Who
	// Label is who that is, Note more of them.
	Label, Note string
	// Closed is why they cannot call; "" where they can.
	Closed string
	// Groups are those of a user; nil where they are not known.
	Groups []string
}

// ID is who that is, as the ID of an option.
func (p Person) ID() string { return idOf(p.Who) }

func idOf(who identitypool.Who) string {
	switch {
	case who.Guest:
		return "guest"
	case who.Group != "":
		return "group:" + who.Group
	case who.User != "":
		return "user:" + who.User
	}
	return "nobody"
}

// mostPeople is how many users are listed; others are named.
const mostPeople = 480

// People are those who may call an environment's APIs, nobody first. Users are
// asked of the sandbox that runs; where that fails the others are there all the
// same.
func (w *World) People(ctx context.Context, env *Environment) ([]Person, error) {
	all := []Person{{Label: "nobody", Note: "no credentials, as curl sends it: a guest"}}
	if env == nil {
		return all, nil
	}
	p, err := deploy.PoolOf(env.backend, env.here)
	if err != nil || p == nil {
		return all, err
	}
	guest := Person{Who: identitypool.Who{Guest: true}, Label: "guest", Note: "signed, with credentials of the identity pool"}
	if !p.GuestsEnabled() {
		guest.Closed = "unauthenticated_identities_enabled is false"
	}
	all = append(all, guest)
	// Those that only APIs name are there as well.
	for _, group := range env.backend.RoleOrder() {
		all = append(all, Person{Who: identitypool.Who{Group: group}, Label: "group " + group, Note: "a member of it, and no user", Groups: []string{group}})
	}
	if w.Down != nil {
		return all, nil
	}
	held, err := sandbox.OpenUsers(ctx, deploy.SandboxState(w.root), *p, w.Address, nil)
	if err != nil {
		return all, err
	}
	users, err := usersOf(ctx, held)
	if closed := held.Close(); err == nil {
		err = closed
	}
	return append(all, users...), err
}

// pooled is a user as the pool lists them.
type pooled struct {
	Username, UserStatus string
	Enabled              bool
	Attributes           []struct{ Name, Value string }
}

// usersOf lists users page by page.
func usersOf(ctx context.Context, held *sandbox.HeldUsers) ([]Person, error) {
	var people []Person
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
	slices.SortFunc(people, func(a, b Person) int { return strings.Compare(a.Label, b.Label) })
	return people, nil
}

func (u pooled) person() Person {
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
	p := Person{Who: identitypool.Who{User: name}, Label: name, Note: note}
	switch {
	case !u.Enabled:
		p.Closed = "is disabled"
	case u.UserStatus != "CONFIRMED":
		p.Closed = "cannot sign in: the status is " + u.UserStatus
	}
	return p
}

// GroupsOf are the groups of a user, as the sandbox has them.
func (w *World) GroupsOf(ctx context.Context, env *Environment, user string) ([]string, error) {
	p, err := deploy.PoolOf(env.backend, env.here)
	if err != nil || p == nil || w.Down != nil {
		return nil, err
	}
	held, err := sandbox.OpenUsers(ctx, deploy.SandboxState(w.root), *p, w.Address, nil)
	if err != nil {
		return nil, err
	}
	u, err := held.User(ctx, user)
	if closed := held.Close(); err == nil {
		err = closed
	}
	return u.Groups, err
}
