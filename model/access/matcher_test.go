package access_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatewright/model/access"
)

// matchedBy returns what a matcher says of a raw path, as a resource's path; "" for nothing. What
// it says of the paths before must hold for what follows.
func matchedBy(t *testing.T, m *access.Matcher, api *access.API, raw string) string {
	t.Helper()
	at := m.Start()
	dead, settled := false, access.NoResource
	for segment := range strings.SplitSeq(strings.TrimPrefix(raw, "/"), "/") {
		if other := m.Next(at, "unknown"); segment != "" && !slices.Contains(m.Texts(at), segment) && m.Next(at, segment) != other {
			t.Errorf("%s: %s is not like any other text", raw, segment)
		}
		at = m.Next(at, segment)
		dead = dead || m.Dead(at)
		if of, ok := m.Settled(at); ok && settled == access.NoResource {
			settled = of
		}
	}
	if of := m.Resource(at); dead && of != access.NoResource || settled != access.NoResource && of != settled {
		t.Errorf("%s is served by %d, dead: %v, settled: %d", raw, of, dead, settled)
	}
	switch id := m.Resource(at); {
	case id == access.NoResource:
		return ""
	case id%2 == 0:
		return api.Paths[id/2].Name
	default:
		return access.ProxyOf(api.Paths[id/2].Name)
	}
}

func TestAMatcherMatchesAsARouterDoes(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "b", "c", "{v}"}
	asked := []string{"a", "b", "c", "other", ""}
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		api := &access.API{}
		for range 1 + random.IntN(8) {
			var segments []string
			for range random.IntN(4) {
				segments = append(segments, texts[random.IntN(len(texts))])
			}
			api.Paths = append(api.Paths, &access.Path{Name: "/" + strings.Join(segments, "/")})
		}
		if random.IntN(4) == 0 {
			api.Paths = append(api.Paths, &access.Path{Name: access.ProxyPath})
		}
		router, matcher := access.NewRouter(api, nil, access.Terms{}), access.MatcherOf(api)
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
			if got := matchedBy(t, matcher, api, raw); got != want {
				t.Fatalf("%s: the matcher says %q, the router %q; paths %v", raw, got, want, names(api))
			}
		}
	}
}

func names(api *access.API) []string {
	var all []string
	for _, p := range api.Paths {
		all = append(all, p.Name)
	}
	return all
}

func TestAPlaceSaysWhatMayFollow(t *testing.T) {
	t.Parallel()
	m := access.NewMatcher()
	for i, path := range []string{"/a", "/a/b/c", "/a/{x}/d", "/e/{proxy+}", "/a/{y+}", "/a/{z+}"} {
		m.Add(path, i)
	}
	at := func(segments ...string) int {
		place := m.Start()
		for _, s := range segments {
			place = m.Next(place, s)
		}
		return place
	}
	for _, tt := range []struct {
		segments []string
		texts    string
		dead     bool
		resource int
		settled  int
	}{
		{nil, "a e", false, access.NoResource, access.NoResource},
		{[]string{"z"}, "", true, access.NoResource, access.NoResource},
		{[]string{"a"}, "b", false, 0, access.NoResource},
		{[]string{"a", "b"}, "c d", false, 4, access.NoResource},
		{[]string{"a", "b", "c"}, "", false, 1, access.NoResource},
		{[]string{"a", "b", "d"}, "", false, 2, access.NoResource},
		{[]string{"a", "b", "e"}, "", false, 4, 4},
		{[]string{"e"}, "", false, access.NoResource, access.NoResource},
		{[]string{"e", "f"}, "", false, 3, 3},
	} {
		place := at(tt.segments...)
		settled, _ := m.Settled(place)
		if got := strings.Join(m.Texts(place), " "); got != tt.texts || m.Dead(place) != tt.dead || m.Resource(place) != tt.resource || settled != tt.settled {
			t.Errorf("after %q: texts %q, dead %v, resource %d, settled %d", tt.segments, got, m.Dead(place), m.Resource(place), settled)
		}
	}
}
