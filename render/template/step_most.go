package template

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// mostAtOnce is how many resources an update of a stack with nested ones makes, changes and removes,
// see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const mostAtOnce = 2500

// differing counts the resources that differ in two templates.
func differing(a, b *cfn.Node) int {
	was := make(map[string]*cfn.Node)
	for _, m := range members(a.Get("Resources")) {
		was[m.Name] = m.Value
	}
	n := 0
	for _, m := range members(b.Get("Resources")) {
		if old := was[m.Name]; old == nil || old != m.Value && minified(old) != minified(m.Value) {
			n++
		}
		delete(was, m.Name)
	}
	return n + len(was)
}

// differingFrom counts the resources that differ in all stacks.
func (d Deployed) differingFrom(other Deployed) int {
	n := differing(d.Root, other.Root)
	for id, nested := range d.Nested {
		n += differing(nested, other.Nested[id])
	}
	for id, nested := range other.Nested {
		if d.Nested[id] == nil {
			n += differing(nil, nested)
		}
	}
	return n
}

// inOrder are the nested stacks, each after those that it is in or waits for.
func (d Deployed) inOrder() []string {
	level := make(map[string]int)
	var find func(id string) int
	find = func(id string) int {
		if n := level[id]; n > 0 || d.Nested[id] == nil {
			return n
		}
		in := d.around(id)
		n := 1 + find(in)
		for _, given := range members(d.in(in).Get("Resources", id, "Properties", "Parameters")) {
			if of := given.Value.Get("Fn::GetAtt"); of != nil && of.Items[0].Text != id {
				n = max(n, 1+find(of.Items[0].Text))
			}
		}
		level[id] = n
		return n
	}
	ids := sortedKeys(d.Nested)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(find(a), find(b)) })
	return ids
}

// Shrinking are the updates after which so little is left of a stack that it can be removed at once.
func Shrinking(old Deployed) []Step {
	if old.differingFrom(Deployed{}) <= mostAtOnce {
		return nil
	}
	r := newRemoval()
	for id := range old.Nested {
		r.take(old.around(id), id)
	}
	var steps []Step
	for _, to := range r.inChunks(old) {
		const why = "a part of the routes is taken away, because one operation cannot remove all"
		steps = append(steps, stepTo(why, old, &to, nil))
	}
	return steps
}

// inChunks divides a removal into some that an update can carry out each: what is given an id goes
// before what gives it.
func (r *removal) inChunks(old Deployed) []Deployed {
	var whole func(id string) bool
	whole = func(id string) bool {
		in := old.around(id)
		return in == "" && r.root[id] || in != "" && (r.inside[in][id] || whole(in))
	}
	var all []Deployed
	chunk, count, order := newRemoval(), 0, old.inOrder()
	slices.Reverse(order)
	for _, id := range order {
		gone := r.inside[id]
		if whole(id) {
			gone = make(map[string]bool)
			for _, m := range members(old.Nested[id].Get("Resources")) {
				gone[m.Name] = true
			}
		}
		if count += len(gone); count > mostAtOnce {
			all, count = append(all, chunk.from(old)), len(gone)
		}
		for one := range gone {
			chunk.gone[one] = r.gone[one]
			if !whole(id) {
				chunk.take(id, one)
			}
		}
		if whole(id) {
			chunk.take(old.around(id), id)
		}
	}
	return append(all, r.from(old))
}

// growth are the updates from one template to another that each change no more than one can, without
// the last one. The API goes on answering as it did, and its definition is that from before, until the
// last one.
func growth(now, next Deployed) []Deployed {
	if next.differingFrom(now) <= mostAtOnce {
		return nil
	}
	held := make(map[string]bool)
	for id := range next.Nested {
		held[id] = true
	}
	var all []Deployed
	last := mixed(now, next, held)
	at := now
	for _, id := range next.inOrder() {
		delete(held, id)
		to := mixed(now, next, held)
		// The definition comes with the last one.
		if to.differingFrom(at) >= mostAtOnce {
			all, at = append(all, last), last
		}
		last = to
	}
	return all
}

// mixed are the templates of the next stacks in which some nested stacks are as they were before, or
// not there yet. A deployment that waits for those is that from before, too.
func mixed(now, next Deployed, held map[string]bool) Deployed {
	d := Deployed{Nested: make(map[string]*cfn.Node)}
	var keep func(id string)
	keep = func(id string) {
		d.Nested[id] = now.Nested[id]
		for _, m := range members(now.Nested[id].Get("Resources")) {
			if typeOf(m.Value) == stackType {
				keep(m.Name)
			}
		}
	}
	var mix func(in string) *cfn.Node
	mix = func(in string) *cfn.Node {
		was, is, waiting := now.in(in), next.in(in), make(map[string]bool)
		for _, m := range members(is.Get("Resources")) {
			switch old := was.Get("Resources", m.Name); {
			case typeOf(m.Value) != stackType:
			case !held[m.Name]:
				d.Nested[m.Name] = mix(m.Name)
			case old != nil:
				is = replaced(is, waitingIn(is, old), "Resources", m.Name)
				waiting[m.Name] = true
				keep(m.Name)
			default:
				is = without(is, map[string]bool{m.Name: true})
				waiting[m.Name] = true
			}
		}
		return withDeploymentOf(was, is, next.in(in), waiting)
	}
	d.Root = mix("")
	definition := now.Root.Get("Resources", DefinitionID)
	if definition == nil {
		definition = withoutAPIs(next.Root.Get("Resources", DefinitionID))
	}
	d.Root = replaced(d.Root, definition, "Resources", DefinitionID)
	return d
}

// withDeploymentOf returns a template in which the stages whose deployments wait for some stacks have
// those of an older template, or are not there.
func withDeploymentOf(was, is, whole *cfn.Node, stacks map[string]bool) *cfn.Node {
	for _, m := range members(whole.Get("Resources")) {
		id := refAt(m.Value, "DeploymentId")
		on := whole.Get("Resources", id, "DependsOn")
		if typeOf(m.Value) != stageType || on == nil ||
			!slices.ContainsFunc(on.Items, func(n *cfn.Node) bool { return stacks[n.Text] }) {
			continue
		}
		is = without(is, map[string]bool{id: true})
		stage := was.Get("Resources", m.Name)
		is = replaced(is, stage, "Resources", m.Name)
		if stage == nil {
			continue
		}
		id = refAt(stage, "DeploymentId")
		is = replaced(is, waitingIn(is, was.Get("Resources", id)), "Resources", id)
	}
	return is
}

// waitingIn returns a resource that waits only for what is in a template.
func waitingIn(template, resource *cfn.Node) *cfn.Node {
	on := resource.Get("DependsOn")
	if on == nil || on.Kind != cfn.List {
		return resource
	}
	there := slices.DeleteFunc(slices.Clone(on.Items),
		func(n *cfn.Node) bool { return template.Get("Resources", n.Text) == nil })
	return replaced(resource, cfn.ListNode(there...), "DependsOn")
}

// withoutAPIs returns a definition as deployed without its APIs.
func withoutAPIs(definition *cfn.Node) *cfn.Node {
	for _, file := range members(definition.Get("Metadata", definitionKey, "files")) {
		if strings.HasPrefix(file.Name, "api/") {
			definition = replaced(definition, nil, "Metadata", definitionKey, "files", file.Name)
		}
	}
	return definition
}
