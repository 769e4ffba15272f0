package template_test

import (
	"fmt"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render/template"
)

func open(name, fn string) *model.Path {
	return &model.Path{Name: name, Function: fn, Access: model.Access{Setting: model.Open}}
}

// restricted makes a path with grants; protected if one is to guests.
func restricted(name, fn string, grants ...model.Grant) *model.Path {
	access := model.Access{Setting: model.Private, Grants: grants}
	for _, g := range grants {
		if g.To.Kind == model.Guest {
			access.Setting = model.Protected
		}
	}
	return &model.Path{Name: name, Function: fn, Access: access}
}

func toUsers(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.ActionSet(actions...)}
}

func toGuests(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Guest}, Actions: model.ActionSet(actions...)}
}

func toGroup(group string, actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Group, Group: group}, Actions: model.ActionSet(actions...)}
}

// backend makes a backend with the environments dev and prod, which is guarded, the APIs, and
// a function for each that they name.
func backend(apis ...*model.API) *model.Backend {
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

func api(label string, paths ...*model.Path) *model.API {
	return &model.API{Label: label, Paths: paths}
}

// manyPaths makes an API with as many paths, on one function. Signed-in users read each fourth
// of them, the others are open.
func manyPaths(label string, n int) *model.API {
	a := api(label)
	for i := range n {
		p := open(fmt.Sprintf("/path%d", i), "all")
		if i%4 == 0 {
			p = restricted(p.Name, p.Function, toUsers(model.Read))
		}
		a.Paths = append(a.Paths, p)
	}
	return a
}

// shop is a backend with one thing of each kind.
func shop() *model.Backend {
	b := backend(api("shop",
		restricted("/items", "items", toUsers(model.AllActions...), toGuests(model.Read), toGroup("Admins", model.AllActions...)),
		restricted("/orders/{id}", "orders", toGroup("Admins", model.Read, model.Update)),
		open("/health", "orders"),
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
		{Resource: "table/orders", Actions: model.ActionSet(model.Read, model.Update)},
		{Resource: "function/items", Actions: model.ActionSet(model.Read)},
		{Resource: "api/shop", Actions: model.ActionSet(model.Read)},
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
