package dashboard

import (
	"fmt"
	"testing"

	"gatewright/model"
)

// BenchmarkAccess is a key and the View after it in the matrix of many paths and
// groups, and what it costs the reading.
func BenchmarkAccess(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		groups := []string{"Admins", "Editors"}
		for i := range 20 {
			groups = append(groups, fmt.Sprintf("Group%d", i))
		}
		backend := library(b, groups...)
		for a := range max(1, n/50) {
			var paths []*model.Path
			for i := range 50 {
				p := path(fmt.Sprintf("/area%d/thing%d/{id}", i%10, i), "f")
				p.Access = model.Access{Setting: model.Private, Grants: []model.Grant{grant(model.Authenticated, "", model.Read), grant(model.Group, groups[i%len(groups)], model.Create)}}
				paths = append(paths, p)
			}
			must(b, backend.AddAPI(api(fmt.Sprintf("api%d", a), paths...)))
		}
		p := opened(b, folderOf(b, backend), 200, 60)
		toTabOf(b, p, "access")
		b.Run(fmt.Sprintf("key+view/%d", n), func(b *testing.B) {
			keys := []string{"down", ">", "up", "<"}
			for i := 0; b.Loop(); i++ {
				_ = p.Keys()
				press(p, keys[i%len(keys)])
				_ = p.View()
			}
		})
		b.Run(fmt.Sprintf("filter+view/%d", n), func(b *testing.B) {
			press(p, "/", "thing")
			for i := 0; b.Loop(); i++ {
				press(p, "9")
				_ = p.View()
				p.list().clear()
			}
			press(p, "enter")
		})
		b.Run(fmt.Sprintf("sort/%d", n), func(b *testing.B) {
			for b.Loop() {
				press(p, "o")
				_ = p.View()
			}
		})
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = accessOf(backend, takeoversIn(backend))
			}
		})
	}
}
