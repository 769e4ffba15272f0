package accesstest

import (
	"fmt"

	"gatewright/model"
)

// Open makes a path that everybody may use, served by the function fn.
func Open(name, fn string) *model.Path {
	return &model.Path{Name: name, Function: fn, Access: model.Access{Setting: model.Open}}
}

// Restricted makes a path with grants; protected if one is to guests.
func Restricted(name, fn string, grants ...model.Grant) *model.Path {
	access := model.Access{Setting: model.Private, Grants: grants}
	for _, g := range grants {
		if g.To.Kind == model.Guest {
			access.Setting = model.Protected
		}
	}
	return &model.Path{Name: name, Function: fn, Access: access}
}

// ToUsers grants actions to signed-in users.
func ToUsers(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.ActionSet(actions...)}
}

// ToGuests grants actions to guests.
func ToGuests(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Guest}, Actions: model.ActionSet(actions...)}
}

// ToGroup grants actions to the members of a group.
func ToGroup(group string, actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Group, Group: group}, Actions: model.ActionSet(actions...)}
}

// Shop makes an API called shop.
func Shop(paths ...*model.Path) *model.API { return &model.API{Label: "shop", Paths: paths} }

// ManyPaths makes a backend with one API of many paths.
func ManyPaths(n int) *model.Backend {
	api := Shop()
	for i := range n {
		name, fn := fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), fmt.Sprintf("fn%d", i%50)
		api.Paths = append(api.Paths, []*model.Path{
			Open(name, fn), Restricted(name, fn, ToUsers(model.Read), ToGroup("Admins", model.AllActions...)), Restricted(name, fn, ToUsers(model.AllActions...), ToGuests(model.Read)),
		}[i%3])
	}
	return &model.Backend{Groups: []string{"Admins"}, APIs: []*model.API{api}}
}
