package prove_test

import (
	"fmt"
	"testing"

	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/template"
)

// BenchmarkCompare compares a rendered template with its project; rendering it is the other
// figure.
func BenchmarkCompare(b *testing.B) {
	for _, paths := range []int{4, 40, 60} {
		backend := &model.Backend{
			Functions: []*model.Function{{Name: "books", Runtime: model.NodeJS, Handler: "index.handler"}},
			Groups:    []string{"Admins"}, APIs: []*access.API{{Label: "library"}},
		}
		for i := range paths {
			name := fmt.Sprintf("/things%d", i/2)
			rules := access.Access{Setting: access.Protected, Grants: []access.Grant{entry(access.Guest, "", access.Actions(access.Read)), entry(access.Authenticated, "", access.EveryAction)}}
			if i%2 == 1 {
				name += "/{id}/parts"
				rules.Grants[0].Actions = 0
			}
			backend.APIs[0].Paths = append(backend.APIs[0].Paths, &access.Path{Name: name, Function: "books", Access: rules})
		}
		made, err := template.Render(backend, &model.Environment{Name: "dev"}, template.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("render %d paths", paths), func(b *testing.B) {
			for b.Loop() {
				_, _ = template.Render(backend, &model.Environment{Name: "dev"}, template.Options{})
			}
		})
		b.Run(fmt.Sprintf("compare %d paths", paths), func(b *testing.B) {
			d, err := prove.Read(parse(b, made.Body), nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r := prove.Compare(d, backend, prove.Options{}); len(r.Undecided) > 0 {
					b.Fatal(r.Undecided)
				}
			}
		})
	}
}
