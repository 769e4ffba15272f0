package template

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// The routes of an API that is too large for one stack are divided among parts, which are stacks
// that are nested in the one with its deployment.
const (
	// partFilled is how many resources a part gets from subtrees that are new: the rest of a stack
	// is for what grows in them.
	partFilled = 400
	// partMean is how many it gets in the mean, largestWhole how many a subtree has at most that is
	// not divided.
	partMean, largestWhole = 200, 200
	// mostGiven is how many ids of resources a part is given. That of the API is another parameter.
	mostGiven = mostParameters - 1
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

// division divides the routes of an API among its parts. The place of a route follows from its own
// path, and what is deployed stays where it is, so that no other route moves when one comes or goes.
// A part is given ids of resources by the home and by parts with lower numbers alone, so that no two
// parts wait for each other.
type division struct {
	*apiPlan
	// was are the parts of what is deployed, by logical id; 0 is the home.
	was map[string]int
	// room is how many resources the home still takes, starts among how many parts those begin
	// that are new there.
	room, starts int
	// given are the ids of resources that each part is given.
	given map[int]map[string]bool
}

// divide divides the routes of an API whose home has room for some resources.
func (a *apiPlan) divide(was map[string]int, room int) {
	d := &division{apiPlan: a, was: was, room: room, starts: 1, given: make(map[int]map[string]bool)}
	a.at, a.parts = make(map[string]int), make(map[int]int)
	all := a.routesBelow(a.tree)
	for n := a.needs; d.starts*partMean < n; {
		d.starts *= 2
	}
	d.stay(all, rootParameter, 0)
	d.come(all, rootParameter, 0)
	for part := range a.parts {
		a.overfull = a.overfull || a.parts[part] > mostResources || len(d.given[part]) > mostGiven
	}
}

// stay puts what is deployed where it is.
func (d *division) stay(all []route, parent string, in int) {
	for _, r := range all {
		if part, there := d.was[r.id]; there {
			d.put(r, part, parent, in)
			d.stay(r.below, r.id, part)
		}
	}
}

// come puts the rest: with its parent if there is room, and into another part otherwise.
func (d *division) come(all []route, parent string, in int) {
	for _, r := range all {
		part, there := d.was[r.id]
		if !there {
			part = d.choose(r, parent, in)
			d.put(r, part, parent, in)
		}
		d.come(r.below, r.id, part)
	}
}

func (d *division) put(r route, part int, parent string, in int) {
	if d.at[r.id] = part; part == 0 {
		d.room -= r.own
		return
	}
	d.parts[part] += r.own
	if part != in {
		if d.given[part] == nil {
			d.given[part] = make(map[string]bool)
		}
		d.given[part][parent] = true
	}
}

// choose chooses the part of a route whose parent is in another one. Only what would fill a part
// alone goes into the home.
func (d *division) choose(r route, parent string, in int) int {
	switch {
	case in > 0 && d.parts[in]+r.all <= mostResources:
		return in
	case in == 0 && r.all > largestWhole && d.room >= r.own:
		return 0
	case in == 0:
		sum := sha256.Sum256([]byte(r.id))
		in = int(binary.BigEndian.Uint32(sum[:]) % uint32(d.starts))
	}
	need := r.all
	if need > partFilled {
		need = r.own
	}
	for part := in + 1; ; part++ {
		given := d.given[part]
		if d.parts[part]+need <= partFilled && (given[parent] || len(given) < mostGiven) {
			return part
		}
	}
}

// part returns the maker of a part of an API, and the home's own for 0.
func (m *apiMaker) part(number int) *apiMaker {
	if number == 0 {
		return m
	}
	if m.parts[number] == nil {
		to := newStack(fmt.Sprintf("Part %d of the API %s of the environment %s of %s, made by gatewright.", number,
			m.api.Label, m.env.Name, m.projectName()), m.env.Guarded)
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

// whereIs are the stacks of what is deployed, by logical id; "" is the root.
func (d Deployed) whereIs() map[string]string {
	at := make(map[string]string)
	for _, m := range members(d.Root.Get("Resources")) {
		at[m.Name] = ""
	}
	for id, n := range d.Nested {
		for _, m := range members(n.Get("Resources")) {
			at[m.Name] = id
		}
	}
	return at
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
