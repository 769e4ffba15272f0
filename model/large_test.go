package model_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestTheLossesOfOneGroupAreOneWarning(t *testing.T) {
	t.Parallel()
	var groups []string
	p := accesstest.Restricted("/a", "f")
	for i := range 300 {
		groups = append(groups, fmt.Sprintf("g%03d", i))
		actions := access.ActionSet(access.Read)
		if i%2 == 1 {
			actions = access.ActionSet(access.Update)
		}
		p.Access = p.Access.With(access.Principal{Kind: access.Group, Group: groups[i]}, actions)
	}
	lines := modeltest.Texts(check.Backend(modeltest.Backend(t, groups, p)), model.Warning)
	if len(lines) != 299 {
		t.Errorf("%d warnings", len(lines))
	}
	want := "path /a of the API shop: members of g000 who are also in one of g001, g003, g005 and 147 other groups act as g000 and lose update; order the groups, or grant it to g000 too"
	if lines[0] != want {
		t.Errorf("the first is\n%s\nwant\n%s", lines[0], want)
	}
}

// The time of each case once grew with the square of its input. Each runs with two sizes;
// half the input should take half the time.
func BenchmarkLargeBackends(b *testing.B) {
	for _, share := range []int{2, 1} {
		b.Run(fmt.Sprintf("1 in %d", share), func(b *testing.B) { benchmarkLarge(b, share) })
	}
}

func benchmarkLarge(t *testing.B, share int) {
	numbered := func(n int, format string) []string {
		all := make([]string, n/share)
		for i := range all {
			all[i] = fmt.Sprintf(format, i)
		}
		return all
	}
	for name, run := range map[string]func(t *testing.B){
		"thousands of groups": func(t *testing.B) {
			p := accesstest.Restricted("/a", "f")
			for i, g := range numbered(10000, "g%d") {
				p.Access.Grants = append(p.Access.Grants, accesstest.ToGroup(g, access.AllActions[i%4]))
			}
			b := modeltest.Backend(t, (&access.API{Paths: []*access.Path{p}}).Groups(), p, accesstest.Open("/a/b", "f"))
			check.Backend(b)
		},
		"a very long path": func(t *testing.B) {
			b := &model.Backend{Layout: modeltest.Kept, APIs: []*access.API{{Label: "shop", Paths: []*access.Path{accesstest.Open("/a", "f"), accesstest.Open("/"+strings.Repeat("a/", 500000/share)+"b", "g")}}}}
			check.Backend(b)
		},
		"functions that are missing": func(t *testing.B) {
			b := &model.Backend{}
			for _, f := range numbered(1000, "function%d") {
				b.Functions = append(b.Functions, modeltest.Function(f))
			}
			api := &access.API{Label: "shop"}
			for _, f := range numbered(20000, "functoin%d") {
				api.Paths = append(api.Paths, accesstest.Open("/"+f, f))
			}
			b.APIs = []*access.API{api}
			check.Backend(b)
		},
		"long arrays": func(t *testing.B) {
			b := &model.Backend{}
			for _, format := range []string{"a%d", "b%d"} {
				modeltest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"oauth": map[string]any{"scopes": numbered(30000, format)}}}))
			}
		},
		"many paths": func(t *testing.B) {
			b := modeltest.Backend(t, nil, accesstest.Open("/first", "f"))
			for _, p := range numbered(4000, "/p%d/{id}") {
				modeltest.Must(t, edit.AddPath(b, "shop", accesstest.Open(p, "f")))
			}
			check.Backend(b)
		},
		"many paths beside variables": func(t *testing.B) {
			api := &access.API{Label: "shop"}
			for _, p := range append(numbered(2000, "/u/s%d"), numbered(2000, "/u/{id}/s%d")...) {
				api.Paths = append(api.Paths, accesstest.Open(p, "f"))
			}
			b := &model.Backend{Layout: modeltest.Kept, APIs: []*access.API{api}}
			check.Backend(b)
		},
		"many outputs": func(t *testing.B) {
			b := &model.Backend{}
			for _, key := range numbered(500, "key%d") {
				modeltest.Must(t, edit.AddNamedOutput(b, key, model.Outputs{"custom": map[string]any{key: 1}}))
			}
			check.Backend(b)
		},
	} {
		t.Run(name, func(t *testing.B) {
			for t.Loop() {
				run(t)
			}
		})
	}
}
