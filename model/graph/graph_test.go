package graph_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/graph"
	"gatewright/model/modeltest"
)

func TestWhatACallerReachesIsWhatDecideLetsThemSend(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := modeltest.Draw(t)
		g := graph.Of(b, nil)
		for _, api := range b.APIs {
			router := access.NewRouter(api, b.Groups, b.Terms())
			for i, p := range g.Callers {
				caller := access.Caller{SignedIn: p.Kind != access.Guest}
				if p.Kind == access.Group {
					caller.Groups = []string{p.Group}
				}
				lit := g.Reach(g.CallerNode(i))
				for _, path := range api.Paths {
					may := false
					for _, method := range access.Methods {
						raw := strings.NewReplacer("{", "", "}", "", "+", "").Replace(path.Name)
						d := router.Decide(caller, method, raw)
						may = may || d.Allowed && d.Route.Path == path && d.Rule != access.Preflight
					}
					node := graph.Node{Kind: graph.Path, API: api.Label, Name: path.Name}
					if lit[node] != may {
						t.Fatalf("%s reach %s of %s: %v on the map, %v by Decide", p, path.Name, api.Label, lit[node], may)
					}
				}
			}
		}
	})
}

// shop is a backend with each kind of edge.
func shop(t *testing.T) *model.Backend {
	t.Helper()
	b := modeltest.Backend(t, []string{"Admins"},
		accesstest.Restricted("/books", "books", accesstest.ToGuests(access.Read)),
		accesstest.Restricted("/orders", "orders", accesstest.ToGroup("Admins", access.Create)))
	for _, name := range []string{"books", "orders", "mail", "audit", "nightly"} {
		if b.Function(name) == nil {
			b.Functions = append(b.Functions, modeltest.Function(name))
		}
	}
	b.Tables = []*model.Table{{Name: "books"}, {Name: "orders", Triggers: []model.StreamTrigger{{Function: "audit"}}}}
	all := access.EveryAction
	b.Function("books").Access = []model.ResourceAccess{{Resource: "table/books", Actions: access.ActionSet(access.Read)}}
	b.Function("orders").Access = []model.ResourceAccess{{Resource: "table/orders", Actions: all}, {Resource: "function/mail", Actions: access.ActionSet(access.Read)}}
	b.Function("orders").Policies = []model.Statement{
		{Effect: model.Deny, Action: model.Patterns{"dynamodb:DeleteItem", "dynamodb:PartiQLDelete"}, Resource: model.Patterns{"${table/orders}"}},
		{Effect: model.Allow, Action: model.Patterns{"dynamodb:Get*"}, Resource: model.Patterns{"arn:aws:dynamodb:*:*:table/books*"}, Condition: `{"Bool": {"aws:SecureTransport": "true"}}`},
	}
	b.Function("mail").Access = []model.ResourceAccess{{Resource: "mail", Actions: access.ActionSet(access.Create)}}
	b.Function("nightly").Schedule = "rate(5 minutes)"
	return b
}

func TestEdgesAreThoseOfAccessAndPoliciesTogether(t *testing.T) {
	t.Parallel()
	g := graph.Of(shop(t), nil)
	var got []string
	for _, u := range g.Uses {
		text := u.Function + " " + u.Resource + " " + u.Actions.Letters()
		if !u.Certain {
			text += "?"
		}
		got = append(got, text)
	}
	want := []string{"books table/books -R--", "orders table/books -R--?", "orders table/orders CRU-", "orders function/mail -R--", "mail mail C---"}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("the edges are %q, want %q", got, want)
	}
	var called []string
	for _, c := range g.Called {
		called = append(called, c.Cause.Name+" "+c.Function)
	}
	if want := []string{"rate(5 minutes) nightly", "changes of orders audit"}; !slices.Equal(called, want) {
		t.Errorf("functions are called by %q, want %q", called, want)
	}
}

func TestLightGoesBothWaysFromEachEnd(t *testing.T) {
	t.Parallel()
	g := graph.Of(shop(t), nil)
	guests, admins := graph.Node{Kind: graph.Caller, Name: "guests"}, graph.Node{Kind: graph.Caller, Name: "group/Admins"}
	path := func(name string) graph.Node { return graph.Node{Kind: graph.Path, API: "shop", Name: name} }
	function := func(name string) graph.Node { return graph.Node{Kind: graph.Function, Name: name} }
	resource := func(name string) graph.Node { return graph.Node{Kind: graph.Resource, Name: name} }
	for _, of := range []struct {
		from    graph.Node
		lit, no []graph.Node
	}{
		{guests, []graph.Node{path("/books"), function("books"), resource("table/books")}, []graph.Node{path("/orders"), function("orders"), resource("table/orders")}},
		{resource("table/books"), []graph.Node{function("books"), function("orders"), path("/orders"), admins, guests}, []graph.Node{function("mail"), resource("table/orders")}},
		{resource("table/orders"), []graph.Node{function("orders"), function("audit"), admins}, []graph.Node{guests, path("/books")}},
		{function("mail"), []graph.Node{function("orders"), path("/orders"), admins, resource("mail")}, []graph.Node{guests, resource("table/orders")}},
		{path("/orders"), []graph.Node{admins, function("orders"), function("mail"), resource("mail"), resource("table/orders")}, []graph.Node{guests, function("books"), function("audit")}},
	} {
		lit := g.Reach(of.from)
		for _, n := range of.lit {
			if !lit[n] {
				t.Errorf("%v does not light %v", of.from, n)
			}
		}
		for _, n := range of.no {
			if lit[n] {
				t.Errorf("%v lights %v", of.from, n)
			}
		}
	}
}

func TestWhatIsNotKnownIsSaidToBeNotKnown(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.Layout = modeltest.Kept
	g := graph.Of(b, nil)
	if len(g.Uses) > 0 || !g.Elsewhere["books"] {
		t.Errorf("of functions that another tool keeps the map knows %v", g.Uses)
	}
	b = shop(t)
	b.Functions = b.Functions[1:]
	if g := graph.Of(b, nil); !g.Missing["books"] || g.Missing["orders"] {
		t.Errorf("missing are %v", g.Missing)
	}
}
