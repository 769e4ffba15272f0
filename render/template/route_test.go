package template_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

// deployedResource is a resource of an API in a template, with its method ANY.
type deployedResource struct{ path, function, authorization string }

// resourcesOf reads the resources that have methods from a template with one API.
func resourcesOf(t *rapid.T, n *cfn.Node) []deployedResource {
	parts := make(map[string]entry)
	for _, e := range ofType(n, "AWS::ApiGateway::Resource") {
		parts[e.id] = e
	}
	var path func(at *cfn.Node) string
	path = func(at *cfn.Node) string {
		if at.Get("Fn::GetAtt") != nil {
			return ""
		}
		p := parts[at.Get("Ref").Text].node.Get("Properties")
		return path(p.Get("ParentId")) + "/" + p.Get("PathPart").Text
	}
	siblings := make(map[string]string)
	for _, e := range parts {
		text := e.node.Get("Properties", "PathPart").Text
		if !strings.HasPrefix(text, "{") {
			continue
		}
		parent := path(e.node.Get("Properties", "ParentId"))
		if other, there := siblings[parent]; there {
			t.Errorf("%s stands beside %s below %q, which API Gateway refuses", text, other, parent)
		}
		siblings[parent] = text
	}
	functions := make(map[string]string)
	for _, e := range ofType(n, "AWS::Lambda::Function") {
		functions[e.id] = e.node.Get("Properties", "FunctionName").Text
	}
	preflights := make(map[string]bool)
	var all []deployedResource
	for _, e := range ofType(n, "AWS::ApiGateway::Method") {
		p := e.node.Get("Properties")
		at := path(p.Get("ResourceId"))
		if p.Get("HttpMethod").Text == "OPTIONS" {
			preflights[at] = p.Get("AuthorizationType").Text == "NONE" && p.Get("Integration", "Type").Text == "MOCK"
			continue
		}
		uri := p.Get("Integration", "Uri", "Fn::Sub").Text
		_, id, _ := strings.Cut(uri, "/functions/${")
		id, _, _ = strings.Cut(id, ".")
		all = append(all, deployedResource{at, functions[id], p.Get("AuthorizationType").Text})
	}
	for _, r := range all {
		if !preflights[r.path] {
			t.Errorf("%s answers no preflight", r.path)
		}
	}
	return all
}

// drawAPI draws an API of a few paths that share beginnings. Each has a function of its own.
func drawAPI(t *rapid.T) *access.API {
	a := api("shop")
	seen := make(map[string]bool)
	for i := range rapid.IntRange(1, 7).Draw(t, "paths") {
		var name strings.Builder
		for depth := range rapid.IntRange(0, 4).Draw(t, "depth") {
			name.WriteByte('/')
			name.WriteString(rapid.SampledFrom([]string{"a", "b", fmt.Sprintf("{v%d}", depth)}).Draw(t, "segment"))
		}
		path := accesstest.Open(name.String(), fmt.Sprintf("f%d", i))
		if path.Name == "" {
			path.Name = rapid.SampledFrom([]string{"/", access.ProxyPath}).Draw(t, "root")
		}
		if rapid.Bool().Draw(t, "restricted") {
			path.Access.Setting = access.Private
		}
		if !seen[path.Name] {
			seen[path.Name] = true
			a.Paths = append(a.Paths, path)
		}
	}
	return a
}

// TestTheResourcesServeWhatTheRouterSays compares routing by the resources of the template,
// as API Gateway does it, with the router of the project. Requests with an empty segment are
// left out: some are refused there, and none is let through.
func TestTheResourcesServeWhatTheRouterSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := backend(drawAPI(t))
		made, err := template.Render(b, b.Environment("dev"), template.Options{})
		if err != nil {
			t.Fatal(err)
		}
		resources := resourcesOf(t, made.Root)
		matcher := access.NewMatcher()
		for i, r := range resources {
			matcher.Add(r.path, i)
		}
		router := b.Router("shop")
		for range 60 {
			segments := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 6).Draw(t, "request")
			raw := "/" + strings.Join(segments, "/")
			at := matcher.Start()
			for _, s := range segments {
				at = matcher.Next(at, s)
			}
			got := deployedResource{}
			if i := matcher.Resource(at); i != access.NoResource {
				got = resources[i]
			}
			want := deployedResource{path: got.path}
			if route, ok := router.Match("GET", raw); ok {
				want.function, want.authorization = route.Path.Function+"-dev", "AWS_IAM"
				if route.Path.Access.Setting == access.Open {
					want.authorization = "NONE"
				}
			}
			if got != want {
				t.Fatalf("GET %s is served by %+v, want %+v", raw, got, want)
			}
		}
	})
}
