package project_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/render"
)

// TestAPlanNotesEachTestThatItBreaks compares with tests that are decided for the whole backends.
func TestAPlanNotesEachTestThatItBreaks(t *testing.T) {
	t.Parallel()
	tests := []string{
		"guests never DELETE", "guests never GET under /a", "signed-in users may GET /a", "A may only GET and POST",
		"signed-in users may POST /a/*", "nobody but A may DELETE", "members of both A and C never PUT", "C never POST /b/*",
		"A may no more than signed-in users", "at most 2 paths are open", "signed-in users may GET at /b of api shop", "everybody may GET /a/b",
	}
	rapid.Check(t, func(r *rapid.T) {
		fsys := disk.Memory()
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"/", "/a", "/a/b", "/a/{x}", "/b", "/b/c", "/{x}/c", "/{x}"}), 2, 6, rapid.ID).Draw(r, "paths")
		groups := rapid.SampledFrom([][]string{{"A", "B"}, {"A", "B", "C", "D"}}).Draw(r, "groups")
		p := native(t, fsys, &model.Backend{Groups: groups}, nil)
		edited(t, p, func(b *model.Backend) error {
			b.APIs = []*access.API{{Label: "shop"}}
			for _, name := range names[1:] {
				b.APIs[0].Paths = append(b.APIs[0].Paths, &access.Path{Name: name, Function: "f", Access: accesstest.Access(r)})
			}
			return edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"})
		})
		put(t, fsys, "access.test.json", string(render.AccessTests(tests, render.Whole)))
		p = load(t, fsys, p.Layout)
		next, err := p.Backend.Edit(func(b *model.Backend) error {
			to := &access.Path{Name: names[0], Function: "f", Access: accesstest.Access(r)}
			switch rapid.IntRange(0, 3).Draw(r, "edit") {
			case 0:
				return edit.AddPath(b, "shop", to)
			case 1:
				to.Name = names[1]
				return edit.UpdatePath(b, "shop", names[1], to)
			case 2:
				return edit.RemovePath(b, "shop", names[1])
			}
			return edit.OrderGroups(b, append([]string{"B", "A"}, groups[2:]...))
		})
		if err != nil {
			return
		}
		notesBroken(r, p, next, tests)
		// That some are broken is not left to chance.
		opened, err := p.Backend.Edit(func(b *model.Backend) error {
			return edit.AddPath(b, "shop", accesstest.Open("/opened", "f"))
		})
		must(t, err)
		held := assertion.CheckAll(p.Backend, tests[:1])[0].Holds()
		if broken := notesBroken(r, p, opened, tests); held && len(broken) == 0 {
			r.Fatalf("guests may DELETE /opened, and no test is broken")
		}
	})
}

// notesBroken holds the notes of a plan against the tests that held and do not any more, which it returns.
func notesBroken(t *rapid.T, p *project.Project, next *model.Backend, tests []string) (want []string) {
	made, err := plan.Of(p, next)
	if err != nil {
		t.Fatal(err)
	}
	was := assertion.CheckAll(p.Backend, tests)
	for i, o := range assertion.CheckAll(next, tests) {
		if was[i].Holds() && !o.Holds() {
			want = append(want, o.Sentence())
		}
	}
	if !slices.EqualFunc(made.BrokenTests, want, strings.HasSuffix) {
		t.Fatalf("it notes %q, want %q", made.BrokenTests, want)
	}
	return want
}
