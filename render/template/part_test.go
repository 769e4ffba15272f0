package template_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
	"gatewright/test/depth"
)

// withPaths is a backend with one API, whose account lets it have many resources.
func withPaths(paths ...*access.Path) *model.Backend {
	a := api("shop")
	a.Paths = paths
	b := backend(a)
	for _, env := range b.Environments {
		env.APIResources = 100_000
	}
	return b
}

// somePaths are random paths: below few segments or many, with variables and what is above them,
// all of them below a common path or none.
func somePaths(random *rand.Rand, n int) []*access.Path {
	common := []string{"", "/api/v1", "/{tenant}/api"}[random.IntN(3)]
	wide := []int{3, 12, 200}[random.IntN(3)]
	seen := make(map[string]bool)
	var paths []*access.Path
	for len(paths) < n {
		name := common
		for depth := range 1 + random.IntN(6) {
			segment := fmt.Sprintf("/s%d", random.IntN(wide))
			if random.IntN(5) == 0 {
				segment = fmt.Sprintf("/{v%d}", depth)
			}
			name += segment
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		p := accesstest.Open(name, fmt.Sprintf("f%d", random.IntN(5)))
		if random.IntN(2) == 0 {
			p = accesstest.Restricted(name, p.Function, accesstest.ToUsers(access.Read))
		}
		paths = append(paths, p)
	}
	return paths
}

// stacksOf are the stacks of the routes of a template, by logical id.
func stacksOf(t failer, d template.Deployed) map[string]string {
	at := make(map[string]string)
	for _, x := range livingIn(d) {
		if x.kind != "AWS::ApiGateway::Resource" && x.kind != "AWS::ApiGateway::Method" {
			continue
		}
		if at[x.id] != "" {
			t.Errorf("%s is in %q and %q", x.id, at[x.id], x.stack)
		}
		at[x.id] = "in " + x.stack
	}
	return at
}

// wellDivided checks the templates of a divided API: limits, references, what the deployment waits
// for, and that they have the resources of the API, each once and below its own parent.
func wellDivided(t failer, b *model.Backend, made *template.Template, d template.Deployed) {
	nestedHoldTogether(t, d.Root, d, d)
	holdsTogether(t, d.Root)
	for _, n := range made.Nested {
		outputs := 0
		if all := n.Node.Get("Outputs"); all != nil {
			outputs = len(all.Members)
		}
		if n.Resources > 500 || outputs > 200 || len(n.Node.Get("Parameters").Members) > 200 || len(n.Body) > 1_000_000 {
			t.Errorf("%s has %d resources, %d outputs, %d bytes", n.ID, n.Resources, outputs, len(n.Body))
		}
	}
	if made.Resources > 500 {
		t.Errorf("the root has %d resources", made.Resources)
	}
	tree, problem := b.APIs[0].Resources()
	if problem != nil {
		t.Errorf("%v", problem)
	}
	var want []string
	var walk func(n *access.Resource)
	walk = func(n *access.Resource) {
		if n.Main != nil {
			want = append(want, "ANY "+strings.TrimSuffix(n.Full, "/"), "OPTIONS "+strings.TrimSuffix(n.Full, "/"))
		}
		if n.Below != nil {
			want = append(want, "ANY "+access.ProxyOf(n.Full), "OPTIONS "+access.ProxyOf(n.Full))
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(tree)
	slices.Sort(want)
	for api, served := range newCloud(t, d).served() {
		if served != strings.Join(want, "\n") {
			t.Errorf("%s serves\n%s\nwant\n%s", api, served, strings.Join(want, "\n"))
		}
	}
	stacksOf(t, d)
	for id, n := range d.Nested {
		for _, e := range ofType(n, "AWS::ApiGateway::Deployment") {
			waits := references(t, e.node)
			for _, kind := range []string{"AWS::ApiGateway::Method", "AWS::CloudFormation::Stack"} {
				for _, x := range ofType(n, kind) {
					if !slices.Contains(waits, x.id) {
						t.Errorf("the deployment in %s does not wait for %s", id, x.id)
					}
				}
			}
		}
	}
}

func TestALargeAPIIsDividedIntoStacksThatHoldTogether(t *testing.T) {
	t.Parallel()
	for seed := range uint64(depth.Rounds(6, 24, 96)) {
		random := rand.New(rand.NewPCG(seed, 1))
		b := withPaths(somePaths(random, 100+random.IntN(300))...)
		made := rendered(t, b, "dev")
		if wellDivided(t, b, made, deployedAs(t, made)); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// pushedOneAfterTheOther pushes an API with other paths each time. No route moves, and the API answers
// all the time. It returns the last template.
func pushedOneAfterTheOther(t failer, pushes ...[]*access.Path) *template.Template {
	var last *template.Template
	var was template.Deployed
	for _, paths := range pushes {
		b := withPaths(paths...)
		made, err := template.Render(b, b.Environment("dev"), template.Options{Deployed: was})
		if err != nil {
			t.Errorf("%v", err)
			return last
		}
		is := deployedAs(t, made)
		wellDivided(t, b, made, is)
		if last != nil {
			before := stacksOf(t, was)
			for id, at := range stacksOf(t, is) {
				if before[id] != "" && before[id] != at {
					t.Errorf("%s moves from %q to %q", id, before[id], at)
				}
			}
			for _, s := range pushedOver(t, was, made, is) {
				if len(s.Interrupts) > 0 {
					t.Errorf("%v is interrupted", s.Interrupts)
				}
			}
		}
		last, was = made, is
		again, err := template.Render(b, b.Environment("dev"), template.Options{Deployed: is})
		if err != nil || !bytes.Equal(again.Body, made.Body) {
			t.Errorf("the same definition makes another template beside itself: %v", err)
		}
	}
	return last
}

func TestNoRouteMovesWhenOthersComeAndGo(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	for seed := range uint64(depth.Rounds(1, 4, 16)) {
		random := rand.New(rand.NewPCG(seed, 0))
		all := somePaths(random, 300)
		from, to := 0, []int{40, 160}[seed%2]
		var pushes [][]*access.Path
		for range 6 {
			pushes = append(pushes, all[from:to])
			to = min(300, to+random.IntN(90))
			from = min(to-1, from+random.IntN(60))
		}
		pushedOneAfterTheOther(t, pushes...)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestASubtreeThatOutgrowsItsStackGoesOnInAnother has a subtree that is small at first, so that it is
// in one stack as a whole.
func TestASubtreeThatOutgrowsItsStackGoesOnInAnother(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	many := manyNamed
	rest := many(100, "/rest%d")
	last := pushedOneAfterTheOther(t,
		slices.Concat(rest, many(20, "/hot/a%d")),
		slices.Concat(rest, many(120, "/hot/a%d")),
		slices.Concat(rest, many(120, "/hot/a%d"), many(120, "/hot/a%d/below")),
		slices.Concat(rest, many(60, "/hot/a%d"), many(120, "/hot/a%d/below"), many(30, "/hot/{id}/c%d")),
		slices.Concat(rest, many(5, "/hot/a%d/below/{id}")))
	if !slices.ContainsFunc(last.Nested, func(n template.Nested) bool { return n.Node.Get("Outputs") != nil }) {
		t.Errorf("no stack gives another one the id of a resource")
	}
	pushedOneAfterTheOther(t, slices.Concat(rest, many(120, "/hot/a%d"), many(120, "/hot/a%d/below")), rest, many(2, "/hot/a%d"))
}

// TestRoutesMoveIfTheRootOutgrowsItsStack needs the room of routes for functions.
func TestRoutesMoveIfTheRootOutgrowsItsStack(t *testing.T) {
	t.Parallel()
	few, many := withPaths(manyNamed(70, "/a%d")...), withPaths(manyNamed(70, "/a%d")...)
	for _, name := range numbered(60, "g%d") {
		many.Functions = append(many.Functions, function(name))
	}
	was := rendered(t, few, "dev")
	is, err := template.Render(many, many.Environment("dev"), template.Options{Deployed: deployedAs(t, was)})
	if err != nil {
		t.Fatal(err)
	}
	wellDivided(t, many, is, deployedAs(t, is))
	steps := pushed(t, was, is)
	if len(steps) != 1 || steps[0].Why != "removes routes that are deleted, renamed or moved to another stack" ||
		len(steps[0].Interrupts) > 0 {
		t.Errorf("the steps are %+v", steps)
	}
}

// TestAnAPIThatIsDeployedInOneStackStaysThere outgrows the root stack and the stack of an API.
func TestAnAPIThatIsDeployedInOneStackStaysThere(t *testing.T) {
	t.Parallel()
	for _, first := range []int{75, 81} {
		last := pushedOneAfterTheOther(t, manyNamed(first, "/a%d"), manyNamed(250, "/a%d"), manyNamed(30, "/a%d"))
		if len(last.Nested) != first-75 && len(last.Nested) != 1 {
			t.Errorf("with %d paths at first there are %d nested stacks in the end", first, len(last.Nested))
		}
	}
}

func manyNamed(n int, format string) []*access.Path {
	var paths []*access.Path
	for _, name := range numbered(n, format) {
		paths = append(paths, accesstest.Restricted(name, "f", accesstest.ToUsers(access.Read)))
	}
	return paths
}
