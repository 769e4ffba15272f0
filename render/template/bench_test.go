package template_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/template"
)

// BenchmarkRender renders 40 paths, the largest environment that is allowed, and one that is
// refused.
func BenchmarkRender(b *testing.B) {
	var apis []*access.API
	for _, label := range []string{"a", "b", "c", "d", "e"} {
		apis = append(apis, manyPaths(label, 80))
	}
	for name, backend := range map[string]*model.Backend{
		"40 paths": backend(manyPaths("shop", 40)), "400 paths in 5 APIs": backend(apis...), "10000 paths": backend(manyPaths("shop", 10_000)),
	} {
		b.Run(name, func(b *testing.B) {
			resources := 0
			for b.Loop() {
				made, err := template.Render(backend, backend.Environment("dev"), template.Options{})
				if err == nil {
					resources = made.Resources
					for _, n := range made.Nested {
						resources += n.Resources
					}
				}
			}
			b.ReportMetric(float64(resources), "resources")
		})
	}
}
