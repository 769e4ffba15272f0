package template

import (
	"maps"
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
		changed := differing(nested, other.Nested[id])
		if n += changed; changed > 0 && other.Nested[id] != nil {
			n++ // the stack itself, which gets another template
		}
	}
	for id, nested := range other.Nested {
		if d.Nested[id] == nil {
			n += differing(nil, nested)
		}
	}
	return n
}

// Shrinking are the updates after which so little is left of a stack that it can be removed at once.
func Shrinking(old Deployed) []Step {
	if old.differingFrom(Deployed{}) <= mostAtOnce {
		return nil
	}
	r, at := make(removal), old.whereIs()
	for id := range old.Nested {
		r.take(at[id], id)
	}
	var steps []Step
	for _, to := range r.inUpdates(old) {
		const why = "a part of the routes is removed, because one operation cannot remove them all"
		steps = append(steps, stepTo(why, old, &to, nil))
	}
	return steps
}

// inUpdates divides a removal. What is given an id goes before what gives it.
func (r removal) inUpdates(old Deployed) []Deployed {
	order, to := append([]string{""}, old.inOrder()...), r.from(old)
	slices.Reverse(order)
	return append(between(old, to, to, order), to)
}

// growth are the updates before the last one to what is new, if one cannot make all of it. The stages,
// their deployments and the definition come with the last one, and what they use goes with it: an API
// answers as before until then.
func growth(now, next Deployed) []Deployed {
	made := Deployed{Root: asBefore(now.Root, next.Root), Nested: make(map[string]*cfn.Node)}
	maps.Copy(made.Nested, now.Nested)
	for id, n := range next.Nested {
		made.Nested[id] = asBefore(now.Nested[id], n)
	}
	return between(now, made, next, append([]string{""}, made.inOrder()...))
}

// asBefore returns a template with what an older one has next to it, if a stack takes both, and with the
// stages, deployments and the definition of that. A first definition has no APIs.
func asBefore(was, is *cfn.Node) *cfn.Node {
	kept := func(m cfn.Member) bool {
		return m.Name == DefinitionID || typeOf(m.Value) == stageType || typeOf(m.Value) == deploymentType
	}
	resources := *is.Get("Resources")
	resources.Members = slices.DeleteFunc(slices.Clone(resources.Members), kept)
	beside := slices.DeleteFunc(slices.Clone(members(was.Get("Resources"))),
		func(m cfn.Member) bool { return resources.Get(m.Name) != nil })
	fits := len(resources.Members)+len(beside) <= mostResources
	for _, m := range beside {
		api := refAt(m.Value, "RestApiId")
		if fits || kept(m) && (api == "" || api == apiParameter || resources.Get(api) != nil) {
			resources.With(m.Name, m.Value)
		}
	}
	if was.Get("Resources", DefinitionID) == nil {
		resources.With(DefinitionID, withoutAPIs(is.Get("Resources", DefinitionID)))
	}
	return replaced(is, &resources, "Resources")
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

// between are the updates before the last one, which is to next, if that would be too much for one: each
// brings some more stacks, in their order, from what they were to what they will be.
func between(was, will, next Deployed, order []string) []Deployed {
	var all []Deployed
	done := make(map[string]bool)
	at, last := was, was
	for _, stack := range order {
		done[stack] = true
		to := mixed(was, will, done)
		if to.differingFrom(at) > mostAtOnce {
			all, at = append(all, last), last
		}
		last = to
	}
	if next.differingFrom(at) > mostAtOnce {
		all = append(all, last)
	}
	return all
}

// mixed are the stacks as they will be if they are done, and as they were if not.
func mixed(was, will Deployed, done map[string]bool) Deployed {
	d := Deployed{Nested: make(map[string]*cfn.Node)}
	of := func(stack string) Deployed {
		if done[stack] {
			return will
		}
		return was
	}
	var mix func(stack string) *cfn.Node
	mix = func(stack string) *cfn.Node {
		template := of(stack).in(stack)
		for _, m := range members(template.Get("Resources")) {
			if typeOf(m.Value) != stackType {
				continue
			}
			one := of(m.Name).in(stack).Get("Resources", m.Name)
			if one != m.Value {
				template = replaced(template, one, "Resources", m.Name)
			}
			if one != nil {
				d.Nested[m.Name] = mix(m.Name)
			}
		}
		return waitingRight(template)
	}
	d.Root = mix("")
	return d
}
