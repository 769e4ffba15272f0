package board

import (
	"fmt"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
)

// BenchmarkFingerprint measures the fingerprint of projects with many paths.
func BenchmarkFingerprint(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		dir := newProject(b)
		p, err := project.Open(dir)
		must(b, err)
		next, err := p.Backend.Edit(func(b *model.Backend) error {
			api := &access.API{Label: "shop"}
			for i := range n {
				api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/thing%d", i), Function: "f", Access: access.Access{Setting: access.Open}})
			}
			if err := edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}); err != nil {
				return err
			}
			return edit.AddAPI(b, api)
		})
		must(b, err)
		plan, err := plan.Of(p, next)
		must(b, err)
		must(b, plan.Commit())
		must(b, p.Close())
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_ = project.PrintOf(dir)
			}
		})
	}
}
