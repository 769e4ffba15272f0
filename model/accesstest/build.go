package accesstest

import (
	"fmt"

	"gatewright/model"
	"gatewright/model/access"
)

// Open makes a path that everybody may use, served by the function fn.
func Open(name, fn string) *access.Path {
	return &access.Path{Name: name, Function: fn, Access: access.Access{Setting: access.Open}}
}

// Restricted makes a path with grants; protected if one is to guests.
func Restricted(name, fn string, grants ...access.Grant) *access.Path {
	rules := access.Access{Setting: access.Private, Grants: grants}
	for _, g := range grants {
		if g.To.Kind == access.Guest {
			rules.Setting = access.Protected
		}
	}
	return &access.Path{Name: name, Function: fn, Access: rules}
}

// ToUsers grants actions to signed-in users.
func ToUsers(actions ...access.Action) access.Grant {
	return access.Grant{To: access.Principal{Kind: access.Authenticated}, Actions: access.ActionSet(actions...)}
}

// ToGuests grants actions to guests.
func ToGuests(actions ...access.Action) access.Grant {
	return access.Grant{To: access.Principal{Kind: access.Guest}, Actions: access.ActionSet(actions...)}
}

// ToGroup grants actions to the members of a group.
func ToGroup(group string, actions ...access.Action) access.Grant {
	return access.Grant{To: access.Principal{Kind: access.Group, Group: group}, Actions: access.ActionSet(actions...)}
}

// Shop makes an API called shop.
func Shop(paths ...*access.Path) *access.API { return &access.API{Label: "shop", Paths: paths} }

// ManyPaths makes a backend with one API of many paths.
func ManyPaths(n int) *model.Backend {
	api := Shop()
	for i := range n {
		name, fn := fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), fmt.Sprintf("fn%d", i%50)
		api.Paths = append(api.Paths, []*access.Path{
			Open(name, fn), Restricted(name, fn, ToUsers(access.Read), ToGroup("Admins", access.AllActions...)),
			Restricted(name, fn, ToUsers(access.AllActions...), ToGuests(access.Read)),
		}[i%3])
	}
	return &model.Backend{Groups: []string{"Admins"}, APIs: []*access.API{api}}
}
