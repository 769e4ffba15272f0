package template_test

import (
	"fmt"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

// backend makes a backend with the environments dev and prod, which is guarded, the APIs, and
// a function for each that they name.
func backend(apis ...*access.API) *model.Backend {
	b := &model.Backend{
		Project: model.Project{Name: "books", ApplicationID: "app1", Region: "eu-central-1", Dialect: model.Neutral},
		Environments: []*model.Environment{
			{Name: "dev", Provider: model.AWS}, {Name: "prod", Provider: model.AWS, Guarded: true},
		},
		APIs: apis,
	}
	seen := make(map[string]bool)
	for _, api := range apis {
		for _, name := range api.Functions() {
			if !seen[name] {
				seen[name] = true
				b.Functions = append(b.Functions, function(name))
			}
		}
	}
	return b
}

func function(name string) *model.Function {
	return &model.Function{Name: name, Runtime: model.NodeJS, Handler: "index.handler"}
}

func api(label string, paths ...*access.Path) *access.API {
	return &access.API{Label: label, Paths: paths}
}

// manyPaths makes an API with as many paths, on one function. Signed-in users read each fourth
// of them, the others are open.
func manyPaths(label string, n int) *access.API {
	a := api(label)
	for i := range n {
		p := accesstest.Open(fmt.Sprintf("/path%d", i), "all")
		if i%4 == 0 {
			p = accesstest.Restricted(p.Name, p.Function, accesstest.ToUsers(access.Read))
		}
		a.Paths = append(a.Paths, p)
	}
	return a
}

// shop is a backend with one thing of each kind.
func shop() *model.Backend {
	b := backend(api("shop",
		accesstest.Restricted("/items", "items", accesstest.ToUsers(access.AllActions...), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...)),
		accesstest.Restricted("/orders/{id}", "orders", accesstest.ToGroup("Admins", access.Read, access.Update)),
		accesstest.Open("/health", "orders"),
	))
	b.Groups = []string{"Admins", "Editors"}
	b.Tables = []*model.Table{
		{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}},
		{
			Name: "orders", PartitionKey: model.Key{Name: "customer", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey},
			Indexes: []model.Index{{Name: "byState", PartitionKey: model.Key{Name: "state", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey}}},
		},
	}
	items, orders := b.Functions[0], b.Functions[1]
	items.Template, items.Table = model.CRUD, "items"
	orders.Runtime, orders.FunctionName = model.Python, "order-desk"
	orders.Environment = []model.Variable{{Name: "CURRENCY", Value: "EUR"}}
	orders.Secrets = []string{"PAYMENT_KEY"}
	orders.Schedule = "rate(1 day)"
	orders.Layers = []string{"arn:aws:lambda:eu-central-1:123456789012:layer:tools:3", "layers/shared"}
	orders.Timeout, orders.Memory = 10, 512
	orders.Access = []model.ResourceAccess{
		{Resource: "table/orders", Actions: access.ActionSet(access.Read, access.Update)},
		{Resource: "function/items", Actions: access.ActionSet(access.Read)},
		{Resource: "api/shop", Actions: access.ActionSet(access.Read)},
	}
	return b
}

// rendered renders an environment.
func rendered(t testing.TB, b *model.Backend, env string) *template.Template {
	t.Helper()
	made, err := template.Render(b, b.Environment(env), template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// entry is a resource of a template.
type entry struct {
	id   string
	node *cfn.Node
}

// ofType returns the resources of a type in the order of the template.
func ofType(n *cfn.Node, kind string) []entry {
	var found []entry
	for _, m := range n.Get("Resources").Members {
		if m.Value.Get("Type").Text == kind {
			found = append(found, entry{m.Name, m.Value})
		}
	}
	return found
}
