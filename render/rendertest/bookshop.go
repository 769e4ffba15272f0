// Package rendertest is for tests of what is written from a backend: a backend, the goldens and the
// compiler of TypeScript.
package rendertest

import "gatewright/model"

// Bookshop is a backend with what an API can have.
func Bookshop() (*model.Backend, *model.API) {
	all := model.EveryAction
	shop := &model.API{Label: "shop", BinaryMediaTypes: []string{"image/png"}, Paths: []*model.Path{
		{Name: "/books", Function: "books", Access: model.Access{Setting: model.Protected, Grants: []model.Grant{
			{To: model.Principal{Kind: model.Authenticated}, Actions: model.ActionSet(model.Read, model.Create)},
			{To: model.Principal{Kind: model.Guest}, Actions: model.ActionSet(model.Read)},
			{To: model.Principal{Kind: model.Group, Group: "Editors"}, Actions: all},
			{To: model.Principal{Kind: model.Group, Group: "Interns of 2026"}},
		}}},
		{Name: "/books/{isbn}/reviews", Function: "reviews", Access: model.Access{Setting: model.Private}},
		{Name: "/health", Function: "health", Access: model.Access{Setting: model.Open}},
	}}
	b := &model.Backend{
		Project: model.Project{Name: "bookshop"}, APIs: []*model.API{shop}, Groups: []string{"Editors", "Interns of 2026"},
		Functions: []*model.Function{{Name: "books", FunctionName: "shop-books"}, {Name: "health"}, {Name: "reviews"}},
	}
	return b, shop
}
