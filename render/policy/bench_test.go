package policy_test

import (
	"fmt"
	"testing"

	"gatewright/model/access"
	"gatewright/render/policy"
)

// shop makes an API of a shape that projects have: collections, items and what is below
// them, under rules that differ.
func shop(paths int) *access.API {
	api := &access.API{Label: "shop"}
	users := func(actions access.Actions) access.Access {
		return access.Access{Setting: access.Protected}.
			With(access.Principal{Kind: access.Authenticated}, actions).
			With(access.Principal{Kind: access.Guest}, access.Actions(access.Read)).
			With(access.Principal{Kind: access.Group, Group: "Admins"}, access.EveryAction)
	}
	for i := 0; len(api.Paths) < paths; i++ {
		name := fmt.Sprintf("/things%d", i)
		add := func(path string, rules access.Access) {
			if len(api.Paths) < paths {
				api.Paths = append(api.Paths, &access.Path{Name: path, Access: rules})
			}
		}
		add(name, users(access.EveryAction))
		add(name+"/{id}", users(access.Actions(access.Read)))
		add(name+"/{id}/parts", users(access.Actions(access.Read)|access.Actions(access.Create)))
		add("/admin/"+name[1:], access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Group, Group: "Admins"}, access.EveryAction))
	}
	return api
}

func BenchmarkOf(b *testing.B) {
	for _, paths := range []int{4, 40, 150} {
		b.Run(fmt.Sprint(paths), func(b *testing.B) {
			api := shop(paths)
			for b.Loop() {
				policy.Of(api, []string{"Admins"}, access.Terms{})
			}
		})
	}
}

// entangled makes an API with variables at the first segment, so that each pattern reaches all other paths.
func entangled(paths int) *access.API {
	api := &access.API{}
	for i := range paths {
		rules := access.Access{Setting: access.Private}.With(access.Principal{}, access.Actions(1+i%15))
		api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/{tenant}/x%d/{id}/y%d", i/2, i%2), Access: rules})
	}
	return api
}

func BenchmarkEntangled(b *testing.B) {
	for _, paths := range []int{10, 40, 80} {
		b.Run(fmt.Sprint(paths), func(b *testing.B) {
			api := entangled(paths)
			for b.Loop() {
				policy.Of(api, nil, access.Terms{})
			}
		})
	}
}
