package project_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/render"
)

// manyPaths returns an API with n paths of every kind of access.
func manyPaths(n int) *access.API {
	api := &access.API{Label: "pub"}
	admins := access.Principal{Kind: access.Group, Group: "Admins"}
	for i := range n {
		p := &access.Path{Name: fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), Function: fmt.Sprintf("fn%d", i%50), Access: access.Access{Setting: access.Open}}
		switch i % 3 {
		case 1:
			p.Access = access.Access{Setting: access.Private}.With(access.Principal{}, access.ActionSet(access.Read)).With(admins, access.EveryAction)
		case 2:
			p.Access = access.Access{Setting: access.Protected}.With(access.Principal{}, access.EveryAction).With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read))
		}
		api.Paths = append(api.Paths, p)
	}
	return api
}

func benchProject(b *testing.B, n int) (*project.Project, []byte) {
	b.Helper()
	fsys := disk.Memory()
	text := render.API(manyPaths(n), render.AmplifyCLI)
	put(b, fsys, "amplify/backend/api/pub/cli-inputs.json", string(text))
	return load(b, fsys, project.Amplify), text
}

// BenchmarkLoad compares reading a project of many paths with json.Unmarshal of the
// same bytes, which knows neither positions nor rules.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		fsys := disk.Memory()
		text := render.API(manyPaths(n), render.AmplifyCLI)
		put(b, fsys, "amplify/backend/api/pub/cli-inputs.json", string(text))
		b.Run(fmt.Sprintf("load/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				load(b, fsys, project.Amplify)
			}
		})
		b.Run(fmt.Sprintf("unmarshal/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var value any
				must(b, json.Unmarshal(text, &value))
			}
		})
	}
}

// BenchmarkPlan compares plans for one changed path and for every path changed with
// json.MarshalIndent of the whole file.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		p, text := benchProject(b, n)
		change := func(b *model.Backend, i int) error {
			path := *b.API("pub").Paths[i]
			path.Access = access.Access{Setting: access.Private}.With(access.Principal{}, access.ActionSet(access.Delete))
			return edit.UpdatePath(b, "pub", path.Name, &path)
		}
		one, err := p.Backend.Edit(func(b *model.Backend) error {
			b.Layout = amplify.Layout
			return change(b, n/2)
		})
		must(b, err)
		all := *one
		api := *one.API("pub")
		api.Paths = nil
		for _, old := range one.API("pub").Paths {
			path := *old
			path.Access = access.Access{Setting: access.Private}.With(access.Principal{}, access.ActionSet(access.Delete))
			api.Paths = append(api.Paths, &path)
		}
		all.APIs = []*access.API{&api}
		var value any
		must(b, json.Unmarshal(text, &value))
		b.Run(fmt.Sprintf("one/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := plan.Of(p, one); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("all/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := plan.Of(p, &all); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("render/%d", n), func(b *testing.B) {
			for b.Loop() {
				render.API(&api, render.Whole)
			}
		})
		b.Run(fmt.Sprintf("marshalindent/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := json.MarshalIndent(value, "", "  "); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheck checks many paths by the rules.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		p, _ := benchProject(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				check.Backend(p.Backend)
			}
		})
	}
}
