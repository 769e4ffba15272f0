package model_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gatewright/model"
)

// matchedBy returns what a matcher says of a raw path, as a resource's path; "" for nothing.
func matchedBy(m *model.Matcher, api *model.API, raw string) string {
	at := m.Start()
	for segment := range strings.SplitSeq(strings.TrimPrefix(raw, "/"), "/") {
		at = m.Next(at, segment)
	}
	switch id := m.Resource(at); {
	case id == model.NoResource:
		return ""
	case id%2 == 0:
		return api.Paths[id/2].Name
	default:
		return model.ProxyOf(api.Paths[id/2].Name)
	}
}

func TestAMatcherMatchesAsARouterDoes(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "b", "c", "{v}"}
	asked := []string{"a", "b", "c", "other", ""}
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		api := &model.API{}
		for range 1 + random.IntN(8) {
			var segments []string
			for range random.IntN(4) {
				segments = append(segments, texts[random.IntN(len(texts))])
			}
			api.Paths = append(api.Paths, &model.Path{Name: "/" + strings.Join(segments, "/")})
		}
		if random.IntN(4) == 0 {
			api.Paths = append(api.Paths, &model.Path{Name: model.ProxyPath})
		}
		router, matcher := model.NewRouter(api, nil), model.MatcherOf(api)
		for range 300 {
			var segments []string
			for range 1 + random.IntN(6) {
				segments = append(segments, asked[random.IntN(len(asked))])
			}
			raw := "/" + strings.Join(segments, "/")
			want := ""
			if route, ok := router.Match("GET", raw); ok {
				want = route.Resource
			}
			if got := matchedBy(matcher, api, raw); got != want {
				t.Fatalf("%s: the matcher says %q, the router %q; paths %v", raw, got, want, names(api))
			}
		}
	}
}

func names(api *model.API) []string {
	var all []string
	for _, p := range api.Paths {
		all = append(all, p.Name)
	}
	return all
}
