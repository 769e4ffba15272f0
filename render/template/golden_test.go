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
	kept := backend(api("shop", accesstest.Open("/a", "f")))
	kept.Tables = []*model.Table{{
		Name: "sessions", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, TimeToLive: "expires", Recovery: true,
		Indexes: []model.Index{{Name: "byUser", PartitionKey: model.Key{Name: "user", Type: model.StringKey}}},
		Billing: model.Provisioned, ReadCapacity: 5, WriteCapacity: 1, Protected: true,
	}, {Name: "drafts", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Deletion: model.Delete}}
	for name, tt := range map[string]struct {
		b   *model.Backend
		env string
	}{
		"shop": {shop(), "dev"}, "guarded": {shop(), "prod"}, "sign-in": {signIn(), "dev"}, "triggers": {triggered(), "dev"}, "large": {large, "dev"}, "tables": {kept, "dev"},
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
