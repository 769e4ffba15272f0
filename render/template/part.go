package template

import (
	"fmt"
	"maps"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// The routes of an API that is too large for one stack are divided among parts, which are stacks
// that are nested in the one with its deployment.
const (
	// partFilled is how many resources a part gets from subtrees that are new, partGrown how many with
	// what comes below those: the rest of a stack is for routes that get more resources themselves.
	partFilled, partGrown = 400, 450
	// largestWhole is how many a subtree has at most that does not begin in the home.
	largestWhole = 200
)

// partID is the logical id of a part of an API.
func partID(label string, number int) string { return logicalID("Part", label, fmt.Sprint(number)) }

// route is a resource of an API with its methods: own counts them, all those below it too.
type route struct {
	id       string
	own, all int
	below    []route
}

// routesBelow are the routes right below a resource.
func (a *apiPlan) routesBelow(n *access.Resource) []route {
	const resourceAlone, withMethods = 1, 3
	var all []route
	if n.Below != nil {
		all = append(all, route{id: a.name("Resource", access.ProxyOf(n.Full)), own: withMethods, all: withMethods})
	}
	for _, c := range n.Children {
		r := route{id: a.name("Resource", c.Full), own: resourceAlone, below: a.routesBelow(c)}
		if c.Main != nil {
			r.own = withMethods
		}
		r.all = r.own
		for _, b := range r.below {
			r.all += b.all
		}
		all = append(all, r)
	}
	return all
}

// divide divides the routes of an API among its parts. What is deployed stays where it is, so that no
// route moves when others come or go; the rest goes where its parent is if there is room, and into a
// part with a higher number otherwise. So a part is given ids of resources by the home and by parts with
// lower numbers alone, and no two parts wait for each other.
//
// was are the parts of what is deployed, by logical id; 0 is the home, which has room for some resources.
func (a *apiPlan) divide(was map[string]int, room int) {
	a.at, a.parts = make(map[string]int), make(map[int]int)
	put := func(r route, part int) {
		if a.at[r.id] = part; part == 0 {
			room -= r.own
		} else {
			a.parts[part] += r.own
		}
	}
	var stay func(all []route)
	stay = func(all []route) {
		for _, r := range all {
			if part, there := was[r.id]; there {
				put(r, part)
				stay(r.below)
			}
		}
	}
	var come func(all []route, in int)
	come = func(all []route, in int) {
		for _, r := range all {
			if _, there := a.at[r.id]; !there {
				put(r, a.partFor(r, in, room))
			}
			come(r.below, a.at[r.id])
		}
	}
	all := a.routesBelow(a.tree)
	stay(all)
	come(all, 0)
	for _, resources := range a.parts {
		a.overfull = a.overfull || resources > mostResources
	}
}

// partFor chooses the part of a route whose parent is in another one, or in the home, which has room for
// some resources. Only what would fill a part alone begins in the home.
func (a *apiPlan) partFor(r route, in, room int) int {
	switch {
	case in > 0 && a.parts[in]+r.all <= partGrown:
		return in
	case in == 0 && r.all > largestWhole && room >= r.own:
		return 0
	}
	need := r.all
	if need > partFilled {
		need = r.own
	}
	part := in + 1
	for a.parts[part]+need > partFilled {
		part++
	}
	return part
}

// part returns the maker of a part of an API, and the home's own for 0.
func (m *apiMaker) part(number int) *apiMaker {
	if number == 0 {
		return m
	}
	if m.parts[number] == nil {
		to := newStack(fmt.Sprintf("Part %d of the API %s of the environment %s of %s, made by gatewright.", number,
			m.api.Label, m.env.Name, m.projectName()))
		to.parameter(apiParameter, "The id of the API", false)
		m.parts[number] = &apiMaker{
			renderer: m.renderer, apiPlan: m.apiPlan, to: to, ref: apiParameter, home: m, number: number,
			given: cfn.MapNode().With(apiParameter, cfn.Ref(m.ref)),
		}
	}
	return m.parts[number]
}

// idOf is the id of a resource, "" for the root, of another stack of the API or its own. Another
// one gives it as a parameter that has the logical id as its name.
func (m *apiMaker) idOf(id string, of *apiMaker) *cfn.Node {
	var value *cfn.Node
	switch {
	case id == "" && m == m.home:
		return m.top
	case id == "":
		id, value = rootParameter, m.home.top
	case m == of:
		return cfn.Ref(id)
	case of == m.home:
		value = cfn.Ref(id)
	default:
		value = cfn.GetAtt(partID(m.api.Label, of.number), "Outputs."+id)
		if of.to.outputs.Get(id) == nil {
			of.to.output(id, "The id of "+of.to.words[id], cfn.Ref(id))
		}
	}
	if m.given.Get(id) == nil {
		m.to.parameter(id, "The id of the resource above", false)
		m.given.With(id, value)
	}
	return cfn.Ref(id)
}

// addParts adds the parts to the home, whose deployment waits for them.
func (m *apiMaker) addParts() {
	for _, number := range slices.Sorted(maps.Keys(m.parts)) {
		part, id := m.parts[number], partID(m.api.Label, number)
		var functions []string
		if m.to == m.root {
			for _, name := range part.functions {
				functions = append(functions, m.functionID(name))
			}
		}
		part.nest(m.to, id, id+".json", m.words(fmt.Sprintf("the part %d", number)), part.given, functions)
		m.methods = append(m.methods, id)
	}
}

// partsIn translates stacks into parts of the API, for what belongs to it.
func (a *apiPlan) partsIn(at map[string]string) map[string]int {
	numbers := map[string]int{"": 0}
	if a.nested {
		numbers = map[string]int{logicalID("Stack", a.api.Label): 0}
	}
	for n := 1; n <= mostResources; n++ {
		numbers[partID(a.api.Label, n)] = n
	}
	parts := make(map[string]int)
	for id, stack := range at {
		if part, own := numbers[stack]; own {
			parts[id] = part
		}
	}
	return parts
}
