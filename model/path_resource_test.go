package model_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// resourcesOf returns the resources that a push makes for one path.
func resourcesOf(b *model.Backend, api *access.API, p *access.Path) []model.PathResource {
	return b.APIResources(api)[slices.Index(api.Paths, p)]
}

func TestAPathMakesResourcesAFunctionAndALogGroup(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/items", "items"), accesstest.Open("/book", "list"), accesstest.Open("/book/{isbn}", "one"))
	deployed := modeltest.Function("list")
	deployed.FunctionName = "shop-list"
	modeltest.Must(t, edit.UpdateFunction(b, deployed))
	api := b.API("shop")
	for path, want := range map[string][]model.PathResource{
		"/items": {
			{Kind: "path", Name: "/items"},
			{Kind: "API resource", Name: "/items: ANY, OPTIONS"},
			{Kind: "API resource", Name: "/items/{proxy+}: ANY, OPTIONS"},
			{Kind: "handler function", Name: "items"},
			{Kind: "log group", Name: "/functions/items"},
		},
		"/book": {
			{Kind: "path", Name: "/book"},
			{Kind: "API resource", Name: "/book: ANY, OPTIONS"},
			{Kind: "handler function", Name: "shop-list"},
			{Kind: "log group", Name: "/functions/shop-list"},
		},
		"/book/{isbn}": {
			{Kind: "path", Name: "/book/{isbn}"},
			{Kind: "API resource", Name: "/book/{isbn}: ANY, OPTIONS"},
			{Kind: "API resource", Name: "/book/{isbn}/{proxy+}: ANY, OPTIONS"},
			{Kind: "handler function", Name: "one"},
			{Kind: "log group", Name: "/functions/one"},
		},
	} {
		if got := resourcesOf(b, api, api.Path(path)); !slices.Equal(got, want) {
			t.Errorf("%s makes\n%q\nwant\n%q", path, got, want)
		}
	}
}

func TestTheReservedPathAndTheRootHaveOneProxyResource(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Layout: modeltest.Kept}
	for _, tt := range []struct {
		paths []*access.Path
		want  []string
	}{
		{[]*access.Path{accesstest.Open("/{proxy+}", "")}, []string{"/{proxy+}: ANY, OPTIONS"}},
		{[]*access.Path{accesstest.Open("/", "")}, []string{"/: ANY, OPTIONS", "/{proxy+}: ANY, OPTIONS"}},
		{[]*access.Path{accesstest.Open("/", ""), accesstest.Open("/{id}", "")}, []string{"/: ANY, OPTIONS"}},
		{[]*access.Path{accesstest.Open("/{proxy+}", ""), accesstest.Open("/{id}", "")}, nil},
		{[]*access.Path{accesstest.Open("/a\x1b", "")}, []string{`"/a\x1b": ANY, OPTIONS`, `"/a\x1b/{proxy+}": ANY, OPTIONS`}},
	} {
		var got []string
		for _, r := range b.APIResources(accesstest.Shop(tt.paths...))[0] {
			if r.Kind == "API resource" {
				got = append(got, r.Name)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s makes %q, want %q", tt.paths[0].Name, got, tt.want)
		}
	}
}

// TestAnUnreachableProxyResourceIsLeftOut compares APIResources with Takeovers.
func TestAnUnreachableProxyResourceIsLeftOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		if !slices.Contains(modeltest.PathNames(api), "/") && rapid.Bool().Draw(t, "reserved") {
			api.Paths = append(api.Paths, accesstest.Open(access.ProxyPath, "f"))
		}
		takeovers := api.Takeovers()
		for _, p := range api.Paths {
			never := slices.ContainsFunc(takeovers, func(t access.Takeover) bool { return t.All && t.Above == p })
			proxy := slices.ContainsFunc(resourcesOf(&model.Backend{}, api, p), func(r model.PathResource) bool {
				return r.Name == phrase.Quote(access.ProxyOf(p.Name))+": ANY, OPTIONS"
			})
			if proxy == never {
				t.Fatalf("%s of %v: proxy resource %v, never reached %v", p.Name, modeltest.PathNames(api), proxy, never)
			}
		}
	})
}
