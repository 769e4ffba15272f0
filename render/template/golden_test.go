package template_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/rendertest"
)

func TestTheTemplatesEqualTheirGoldens(t *testing.T) {
	t.Parallel()
	large := backend(manyPaths("catalog", 75), manyPaths("stock", 30), api("small",
		accesstest.Restricted("/", "small", accesstest.ToGuests(access.Read))))
	for name, tt := range map[string]struct {
		b   *model.Backend
		env string
	}{
		"shop": {shop(), "dev"}, "guarded": {shop(), "prod"}, "sign-in": {signIn(), "dev"}, "triggers": {triggered(), "dev"}, "large": {large, "dev"},
	} {
		made := rendered(t, tt.b, tt.env)
		rendertest.Golden(t, name+".golden.json", made.Root.JSON())
		for _, n := range made.Nested {
			if n.API == "small" {
				rendertest.Golden(t, name+"-"+n.Name, n.Node.JSON())
			}
		}
	}
}
