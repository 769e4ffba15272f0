// Package rendertest is for tests of what is written from a backend: a backend, the goldens and the
// compiler of TypeScript.
package rendertest

import (
	"gatewright/model"
	"gatewright/model/access"
)

// Bookshop is a backend with what an API can have.
func Bookshop() (*model.Backend, *access.API) {
	all := access.EveryAction
	shop := &access.API{Label: "shop", BinaryMediaTypes: []string{"image/png"}, Paths: []*access.Path{
		{Name: "/books", Function: "books", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
			{To: access.Principal{Kind: access.Authenticated}, Actions: access.ActionSet(access.Read, access.Create)},
			{To: access.Principal{Kind: access.Guest}, Actions: access.ActionSet(access.Read)},
			{To: access.Principal{Kind: access.Group, Group: "Editors"}, Actions: all},
			{To: access.Principal{Kind: access.Group, Group: "Interns of 2026"}},
		}}},
		{Name: "/books/{isbn}/reviews", Function: "reviews", Access: access.Access{Setting: access.Private}},
		{Name: "/health", Function: "health", Access: access.Access{Setting: access.Open}},
	}}
	b := &model.Backend{
		Project: model.Project{Name: "bookshop"}, APIs: []*access.API{shop}, Groups: []string{"Editors", "Interns of 2026"},
		Functions: []*model.Function{{Name: "books", FunctionName: "shop-books"}, {Name: "health"}, {Name: "reviews"}},
	}
	return b, shop
}
