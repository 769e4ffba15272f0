package policy_test

import (
	"fmt"
	"testing"

	"gatewright/model"
	"gatewright/render/policy"
)

// shop makes an API of a shape that projects have: collections, items and what is below
// them, under rules that differ.
func shop(paths int) *model.API {
	api := &model.API{Label: "shop"}
	users := func(actions model.Actions) model.Access {
		return model.Access{Setting: model.Protected}.
			With(model.Principal{Kind: model.Authenticated}, actions).
			With(model.Principal{Kind: model.Guest}, model.Actions(model.Read)).
			With(model.Principal{Kind: model.Group, Group: "Admins"}, model.EveryAction)
	}
	for i := 0; len(api.Paths) < paths; i++ {
		name := fmt.Sprintf("/things%d", i)
		add := func(path string, access model.Access) {
			if len(api.Paths) < paths {
				api.Paths = append(api.Paths, &model.Path{Name: path, Access: access})
			}
		}
		add(name, users(model.EveryAction))
		add(name+"/{id}", users(model.Actions(model.Read)))
		add(name+"/{id}/parts", users(model.Actions(model.Read)|model.Actions(model.Create)))
		add("/admin/"+name[1:], model.Access{Setting: model.Private}.With(model.Principal{Kind: model.Group, Group: "Admins"}, model.EveryAction))
	}
	return api
}

func BenchmarkOf(b *testing.B) {
	for _, paths := range []int{4, 40, 150} {
		b.Run(fmt.Sprint(paths), func(b *testing.B) {
			api := shop(paths)
			for b.Loop() {
				policy.Of(api, []string{"Admins"}, true)
			}
		})
	}
}

// entangled makes an API with variables at the first segment, so that each pattern reaches all other paths.
func entangled(paths int) *model.API {
	api := &model.API{}
	for i := range paths {
		access := model.Access{Setting: model.Private}.With(model.Principal{}, model.Actions(1+i%15))
		api.Paths = append(api.Paths, &model.Path{Name: fmt.Sprintf("/{tenant}/x%d/{id}/y%d", i/2, i%2), Access: access})
	}
	return api
}

func BenchmarkEntangled(b *testing.B) {
	for _, paths := range []int{10, 40, 80} {
		b.Run(fmt.Sprint(paths), func(b *testing.B) {
			api := entangled(paths)
			for b.Loop() {
				policy.Of(api, nil, true)
			}
		})
	}
}
