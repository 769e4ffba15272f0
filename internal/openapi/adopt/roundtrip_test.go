package adopt_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/adopt"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
	document "gatewright/render/openapi"
)

// again writes the document of an API in each flavour, and makes an API of it again.
func again(t interface{ Fatalf(string, ...any) }, b *model.Backend, api *access.API, do func(document.Flavour, string, *adopt.Adopted)) {
	for _, flavour := range document.Flavours {
		root, problem := document.Write(b, api, document.Options{Flavour: flavour, Version: "3.0", Environment: "dev"})
		if problem != nil {
			return
		}
		text := root.JSON()
		d, err := openapi.Read("api.json", text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		adopted, err := adopt.Adopt(d, adopt.Options{Label: api.Label})
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		do(flavour, string(text), adopted)
	}
}

// possible returns an API with those of the paths that a project can have together.
func possible(api *access.API) *access.API {
	made := &access.API{Label: api.Label}
	for i, p := range api.Paths {
		p.Function = []string{"f", "g", "h"}[i%3]
		next := &access.API{Label: api.Label, Paths: append(slices.Clip(made.Paths), p)}
		if b := (model.Backend{Layout: modeltest.Kept}); edit.AddAPI(&b, next) == nil {
			made = next
		}
	}
	return made
}

func TestADocumentThatIsWrittenGivesTheSameAPIAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, _ := accesstest.Sides(t)
		for _, api := range b.APIs {
			api = possible(api)
			if len(api.Paths) == 0 {
				continue
			}
			again(t, b, api, func(flavour document.Flavour, text string, adopted *adopt.Adopted) {
				next := *b
				next.APIs = []*access.API{adopted.API}
				was := *b
				was.APIs = []*access.API{api}
				// A project has the groups that its APIs name.
				was.Groups = was.RoleOrder()
				next.Groups = was.Groups
				if found, _ := access.Compare(was.Gate(), next.Gate()); len(found) > 0 {
					t.Fatalf("for %s, %v\n%s\n%s", flavour, found, text, describe(adopted))
				}
				for _, p := range adopted.API.Paths {
					if have := api.Path(p.Name); have == nil || have.Function != p.Function {
						t.Fatalf("for %s, the path %s comes back with the function %s\n%s", flavour, p.Name, p.Function, text)
					}
				}
			})
		}
	})
}
