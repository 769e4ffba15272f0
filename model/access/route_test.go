package access_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestMatchPrefersStaticThenVariableThenProxy(t *testing.T) {
	t.Parallel()
	api := &access.API{Label: "shop", Paths: []*access.Path{
		accesstest.Open("/book", "list"), accesstest.Open("/book/{isbn}", "one"), accesstest.Open("/book/new", "make"), accesstest.Open("/a", "a"), accesstest.Open("/a/b/c", "c"),
		accesstest.Open("/u/{id}/x", "x"), accesstest.Open("/u", "u"), accesstest.Open("/events:batchGet", "batch"), accesstest.Open("/v1.0/{a.b}", "dot"),
		accesstest.Open("/late/{x}/b", "late"), accesstest.Open("/{y}/1/c", "later"),
	}}
	r := access.NewRouter(api, nil, access.Terms{})
	for _, tt := range []struct{ raw, resource, params string }{
		{"/book", "/book", ""},
		{"/book/", "/book", ""},
		{"//book", "/book", ""},
		{"/book/1", "/book/{isbn}", "isbn=1"},
		{"/book/a%2Fb", "/book/{isbn}", "isbn=a%2Fb"},
		{"/book/1/2/3", "/book/{isbn}/{proxy+}", "isbn=1 proxy=2/3"},
		{"/book/new", "/book/new", ""},
		{"/book/new/x", "/book/new/{proxy+}", "proxy=x"},
		{"/book//x", "/book/{proxy+}", "proxy=/x"},
		{"/a/b/d", "/a/{proxy+}", "proxy=b/d"},
		{"/a/b/c", "/a/b/c", ""},
		{"/a/b//c", "/a/{proxy+}", "proxy=b//c"},
		{"/u/1/y", "/u/{proxy+}", "proxy=1/y"},
		{"/u/1/x/", "/u/{id}/x", "id=1"},
		{"/events:batchGet", "/events:batchGet", ""},
		{"/v1.0/7", "/v1.0/{a.b}", "a.b=7"},
		{"/v1x0/7", "", ""},
		{"/late/1/b", "/late/{x}/b", "x=1"},
		{"/late/1/c", "/{y}/1/c", "y=late"},
		{"/late/2/c", "", ""},
		{"/Book", "", ""},
		{"/", "", ""},
		{"", "", ""},
		{"/boo", "", ""},
	} {
		route, ok := r.Match("GET", tt.raw)
		if ok != (tt.resource != "") || route.Resource != tt.resource || params(route) != tt.params {
			t.Errorf("Match(GET %s) = %q %q, want %q %q", tt.raw, route.Resource, params(route), tt.resource, tt.params)
		}
	}
}

func TestMatchServesTheSevenMethodsOnly(t *testing.T) {
	t.Parallel()
	r := access.NewRouter(&access.API{Paths: []*access.Path{accesstest.Open("/items", "f")}}, nil, access.Terms{})
	for _, method := range access.Methods {
		if _, ok := r.Match(method, "/items"); !ok {
			t.Errorf("%s /items is not served", method)
		}
	}
	for _, method := range []string{"TRACE", "CONNECT", "get", "", "PROPFIND"} {
		if _, ok := r.Match(method, "/items"); ok {
			t.Errorf("%q /items is served", method)
		}
	}
}

func TestRootPathServesEverythingAndReservedProxyPathAllButTheRoot(t *testing.T) {
	t.Parallel()
	root := access.NewRouter(&access.API{Paths: []*access.Path{accesstest.Open("/", "f")}}, nil, access.Terms{})
	if route, ok := root.Match("GET", "/"); !ok || route.Resource != "/" {
		t.Errorf("GET / = %q", route.Resource)
	}
	if route, ok := root.Match("GET", "/a/b"); !ok || route.Resource != "/{proxy+}" || params(route) != "proxy=a/b" {
		t.Errorf("GET /a/b = %q %q", route.Resource, params(route))
	}
	reserved := access.NewRouter(&access.API{Paths: []*access.Path{accesstest.Open(access.ProxyPath, "admin")}}, nil, access.Terms{})
	if _, ok := reserved.Match("GET", "/"); ok {
		t.Error("the reserved proxy path serves /")
	}
	if route, ok := reserved.Match("POST", "/addUser"); !ok || route.Resource != "/{proxy+}" || route.Path.Name != access.ProxyPath {
		t.Errorf("POST /addUser = %q", route.Resource)
	}
}

func params(route access.Route) string {
	var parts []string
	for _, p := range route.Params {
		parts = append(parts, p.Name+"="+p.Value)
	}
	return strings.Join(parts, " ")
}

// matchByList returns a second implementation of Match: of all resources that match the
// request, it takes the one that precedes the others segment by segment.
func matchByList(api *access.API, raw string) string {
	rest := strings.Trim(raw, "/")
	var request []string
	if rest != "" {
		request = strings.Split(rest, "/")
	}
	best, bestRank := "", ""
	for _, p := range api.Paths {
		for _, resource := range []string{p.Name, access.ProxyOf(p.Name)} {
			if rank, ok := rank(resource, request); ok && (best == "" || rank < bestRank) {
				best, bestRank = resource, rank
			}
		}
	}
	return best
}

// rank returns a string by which the resources for a request are sorted; ok is false for a
// resource that does not match.
func rank(resource string, request []string) (string, bool) {
	var word strings.Builder
	var parts []string
	if trimmed := strings.Trim(resource, "/"); trimmed != "" {
		parts = strings.Split(trimmed, "/")
	}
	for i, part := range parts {
		switch {
		case i >= len(request):
			return "", false
		case part == "{proxy+}":
			return word.String() + "3", true
		case strings.HasPrefix(part, "{"):
			if request[i] == "" {
				return "", false
			}
			word.WriteByte('2')
		case part == request[i]:
			word.WriteByte('1')
		default:
			return "", false
		}
	}
	return word.String(), len(parts) == len(request)
}

func TestMatchAgreesWithTheListOfResources(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		method, raw := accesstest.Request(t)
		route, _ := access.NewRouter(api, nil, access.Terms{}).Match(method, raw)
		if want := matchByList(api, raw); route.Resource != want {
			t.Fatalf("Match(%s) = %q, want %q", raw, route.Resource, want)
		}
		if route.Path == nil {
			return
		}
		// A variable has the segment at its place, whatever was tried before.
		rest := strings.Trim(raw, "/")
		request := strings.SplitN(rest, "/", strings.Count(route.Resource, "/"))
		var want []string
		for i, s := range access.ReadSegments(route.Resource) {
			if s.Variable {
				want = append(want, strings.TrimSuffix(s.Text, "+")+"="+request[i])
			}
		}
		if got := params(route); got != strings.Join(want, " ") {
			t.Fatalf("Match(%s) of %s has the variables %q, want %q", raw, route.Resource, got, want)
		}
	})
}

func TestTheFirstResourceThatMatchesServes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		method, raw := accesstest.Request(t)
		var resources []string
		for _, p := range api.Paths {
			resources = append(resources, p.Name, access.ProxyOf(p.Name))
		}
		slices.SortFunc(resources, access.CompareResources)
		var request []string
		if rest := strings.Trim(raw, "/"); rest != "" {
			request = strings.Split(rest, "/")
		}
		first := ""
		for _, resource := range resources {
			if _, fits := rank(resource, request); fits {
				first = resource
				break
			}
		}
		if route, _ := access.NewRouter(api, nil, access.Terms{}).Match(method, raw); route.Resource != first {
			t.Fatalf("%s goes to %q, and the first that fits of %v is %q", raw, route.Resource, resources, first)
		}
	})
}

func TestMatchDoesNotDependOnTheOrderOfPaths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		api := accesstest.API(t)
		shuffled := &access.API{Label: api.Label, Paths: rapid.Permutation(api.Paths).Draw(t, "order")}
		method, raw := accesstest.Request(t)
		one, _ := access.NewRouter(api, nil, access.Terms{}).Match(method, raw)
		two, _ := access.NewRouter(shuffled, nil, access.Terms{}).Match(method, raw)
		if one.Resource != two.Resource || params(one) != params(two) {
			t.Fatalf("%s goes to %q or %q", raw, one.Resource, two.Resource)
		}
	})
}
