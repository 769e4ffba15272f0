package project

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/render"
)

// Fact is a named value of an environment. Shown is the value as it is printed, without secrets.
type Fact struct{ Name, Value, Shown string }

// NewFact returns a fact. Its value is hidden if the name is that of a secret.
func NewFact(name, value string) Fact {
	return Fact{name, value, render.Text("/"+model.PointerSegment(name), value)}
}

// EnvironmentFacts returns the facts of an environment's definition. Their order is the same
// for all environments; a fact without a value is left out.
func EnvironmentFacts(b *model.Backend, e *model.Environment) ([]Fact, error) {
	region, apis := b.Region(e), "all, later ones too"
	if !b.Defines(model.KindEnvironment) {
		region = e.Region
	}
	if e.APIs != nil {
		apis = "listed"
	}
	facts := []Fact{
		NewFact("provider", string(e.Provider)), NewFact("region", region), NewFact("account", e.Account),
		NewFact("branch", e.BranchName()), NewFact("guarded", prose.YesNo(e.Guarded)), NewFact("apis", apis),
	}
	facts = slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
	for _, api := range b.APIs {
		facts = append(facts, NewFact("API "+phrase.Quote(api.Label), prose.YesNo(e.Has(api.Label))))
	}
	facts = append(facts, variableFacts("parameter ", e.Parameters)...)
	byFunction := func(x, y model.FunctionVariables) int { return cmp.Compare(x.Function, y.Function) }
	for _, v := range slices.SortedFunc(slices.Values(e.Variables), byFunction) {
		facts = append(facts, variableFacts("variable "+phrase.Quote(v.Function)+".", v.Values)...)
	}
	for _, section := range []struct {
		name   string
		values any
		given  bool
	}{{"data", e.Data, e.Data != nil}, {"storage", e.Storage, e.Storage != nil}} {
		if !section.given {
			continue
		}
		values, err := model.OutputsOf(section.values)
		if err != nil {
			return nil, fmt.Errorf("reading the overrides of environment %s: %w", phrase.Quote(e.Name), err)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			facts = append(facts,
				Fact{section.name + " " + name, model.Canonical(values[name]), render.Text("/"+name, values[name])})
		}
	}
	return facts, nil
}

// DeploymentFacts returns the facts of the last push of an environment: its stack, where that
// is if the definition says otherwise by now, and its endpoints.
func DeploymentFacts(b *model.Backend, e *model.Environment, last Record) []Fact {
	if last.Stack == "" {
		return nil
	}
	facts := []Fact{NewFact("stack", last.Stack)}
	if last.Account != "" && (last.Account != e.Account || last.Region != b.Region(e) || last.Provider != e.Provider) {
		facts = append(facts, NewFact("pushed to", string(last.Provider)+", account "+last.Account+", "+last.Region))
	}
	return append(facts, EndpointFacts(last)...)
}

// EndpointFacts returns the endpoints of the last push of an environment.
func EndpointFacts(last Record) []Fact {
	var facts []Fact
	byLabel := func(x, y Endpoint) int { return cmp.Compare(x.API, y.API) }
	for _, endpoint := range slices.SortedFunc(slices.Values(last.APIs), byLabel) {
		facts = append(facts, NewFact("endpoint "+phrase.Quote(endpoint.API), endpoint.URL))
	}
	return facts
}

func variableFacts(prefix string, variables []model.Variable) []Fact {
	var facts []Fact
	byName := func(x, y model.Variable) int { return cmp.Compare(x.Name, y.Name) }
	for _, v := range slices.SortedFunc(slices.Values(variables), byName) {
		fact := NewFact(v.Name, v.Value)
		fact.Name = prefix + phrase.Quote(v.Name)
		facts = append(facts, fact)
	}
	return facts
}

// SharedFact is a fact of several environments. Each has a place in Values, nil if the fact is not among its own.
type SharedFact struct {
	Name   string
	Values []*Fact
}

// Differs reports whether the environments have different values.
func (f SharedFact) Differs() bool {
	first := f.Values[0]
	return slices.ContainsFunc(f.Values, func(other *Fact) bool {
		return (other == nil) != (first == nil) || other != nil && other.Value != first.Value
	})
}

// ShareFacts puts the facts of several environments side by side, each name once. A fact that
// no earlier list has goes before the next one that they share, so the order of two lists is
// kept; of more lists, as far as earlier ones have not decided it otherwise.
func ShareFacts(lists ...[]Fact) []SharedFact {
	var shared []SharedFact
	for i, list := range lists {
		next := len(shared)
		for k, fact := range slices.Backward(list) {
			at := slices.IndexFunc(shared, func(f SharedFact) bool { return f.Name == fact.Name })
			if at < 0 {
				at = next
				shared = slices.Insert(shared, at, SharedFact{fact.Name, make([]*Fact, len(lists))})
			}
			shared[at].Values[i] = &list[k]
			next = at
		}
	}
	return shared
}
