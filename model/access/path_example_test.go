package access_test

import (
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestAnExamplePathHasAValueForEachVariable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		want  string
		paths []string
	}{
		{"", nil},
		{"/", []string{"/", "/items"}},
		{"/items", []string{"/items", "/book/{isbn}"}},
		{"/book/1/of/1", []string{"/book/{isbn}/of/{author}", "/items"}},
		{"/book/3", []string{"/book/{isbn}", "/book/1", "/2"}},
		{"/1", []string{access.ProxyPath}},
	} {
		if got := access.ExamplePath(tt.paths); got != tt.want {
			t.Errorf("of %q it is %q, want %q", tt.paths, got, tt.want)
		}
	}
}

func TestAPathServesItsExample(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "b", "1", "2", "{x}"})
		names := rapid.SliceOfNDistinct(rapid.Map(rapid.SliceOfN(segment, 0, 3), func(segments []string) string {
			path := ""
			for i, s := range segments {
				if s == "{x}" {
					s = "{x" + string(rune('0'+i)) + "}"
				}
				path += "/" + s
			}
			if path == "" {
				return "/"
			}
			return path
		}), 1, 5, rapid.ID[string]).Draw(t, "paths")
		b := &model.Backend{APIs: []*access.API{{Label: "shop"}}}
		for _, name := range names {
			b.APIs[0].Paths = append(b.APIs[0].Paths, accesstest.Open(name, "f"))
		}
		example := access.ExamplePath(names)
		if route, ok := b.Router("shop").Match("GET", example); !ok || route.Path.Name != names[0] {
			t.Fatalf("%s of %q is served by %+v", example, names, route)
		}
	})
}
