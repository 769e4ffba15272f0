package environments

import (
	"maps"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// fact is a fact of environments, with its value in each as it is shown; "" if an environment
// has none.
type fact struct {
	name   string
	values []string
	differ bool
	// compared are the values before secrets are redacted: redacted ones all look the same.
	compared []string
}

// factsOf lists the facts of the environments: from their files, then from their last pushes.
func factsOf(s *board.Snapshot) []*fact {
	g := gathered{count: len(s.Environments), at: make(map[string]*fact)}
	// Each is asked of all environments before the next: a fact stands where it is first
	// said.
	for _, gather := range []func(i int, e board.Environment){
		func(i int, e board.Environment) { g.say(i, "provider", string(e.Provider)) },
		func(i int, e board.Environment) { g.say(i, "region", regionOf(s.Backend, e)) },
		func(i int, e board.Environment) { g.say(i, "account", e.Account) },
		func(i int, e board.Environment) { g.say(i, "branch", e.BranchName()) },
		func(i int, e board.Environment) { g.say(i, "guarded", prose.YesNo(e.Guarded)) },
		func(i int, e board.Environment) { g.say(i, "last pushed", lastPushed(e)) },
		// It is of one at the most: that is no difference between them.
		func(i int, e board.Environment) {
			g.sayAs(i, "chosen on this machine", "", prose.YesNo(e.Name == s.Chosen))
		},
		func(i int, e board.Environment) {
			for _, api := range s.Backend.APIs {
				g.say(i, "API "+api.Label, prose.YesNo(e.Has(api.Label)))
			}
		},
		func(i int, e board.Environment) { g.sayAll(i, "parameter ", e.Parameters) },
		func(i int, e board.Environment) {
			for _, function := range e.Variables {
				g.sayAll(i, "variable "+function.Function+".", function.Values)
			}
		},
		func(i int, e board.Environment) {
			if e.Data != nil {
				g.override(i, "data", e.Data)
			}
			if e.Storage != nil {
				g.override(i, "storage", e.Storage)
			}
		},
		func(i int, e board.Environment) {
			for _, endpoint := range e.Last().APIs {
				g.say(i, "endpoint "+endpoint.API, endpoint.URL)
			}
		},
		func(i int, e board.Environment) { g.say(i, "stack", e.Last().Stack) },
	} {
		for i, e := range s.Environments {
			gather(i, e)
		}
	}
	for _, f := range g.facts {
		f.differ = slices.ContainsFunc(f.compared, func(value string) bool { return value != f.compared[0] })
		f.compared = nil
	}
	return g.facts
}

// lastPushed is when an environment was pushed last, as a value of its own.
func lastPushed(e board.Environment) string {
	const never = "never"
	if pushed := e.Pushed(); pushed != never+" pushed" {
		return strings.TrimPrefix(pushed, "pushed ")
	}
	return never
}

// regionOf is the region that an environment's things are in. One that another
// tool deploys has what its file says, and no default of the project's.
func regionOf(b *model.Backend, e board.Environment) string {
	if region := b.Region(e.Environment); region != "" && !b.AmplifyCLI {
		return region
	}
	return e.Region
}

// gathered are facts in the order in which they were first said.
type gathered struct {
	count int
	facts []*fact
	at    map[string]*fact
}

func (g *gathered) say(env int, name, value string) {
	if value != "" {
		g.sayAs(env, name, value, render.Text("/"+model.PointerSegment(name), value))
	}
}

func (g *gathered) sayAll(env int, before string, values []model.Variable) {
	for _, v := range values {
		g.say(env, before+v.Name, v.Value)
	}
}

// sayAs says a value and how it is shown.
func (g *gathered) sayAs(env int, name, value, shown string) {
	f := g.at[name]
	if f == nil {
		f = &fact{name: prose.PrintableStart(name), values: make([]string, g.count), compared: make([]string, g.count)}
		g.at[name], g.facts = f, append(g.facts, f)
	}
	f.values[env], f.compared[env] = prose.PrintableStart(shown), value
}

// override says what an environment has in place of a definition's values.
func (g *gathered) override(env int, section string, definition any) {
	values, err := model.OutputsOf(definition)
	if err != nil {
		g.say(env, section, err.Error())
		return
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		g.sayAs(env, section+" "+name, model.Canonical(values[name]), render.Text("/"+name, values[name]))
	}
}
