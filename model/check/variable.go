package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// CheckReferences checks what the values of a function's own variables refer to.
func (c *Checker) CheckReferences(f *model.Function) []*model.Problem {
	var problems []*model.Problem
	for _, v := range f.Environment {
		lacking := func(name string) *model.Environment {
			for _, e := range c.Environments {
				if !replaces(e, f.Name, v.Name) && c.lacks(e, f, name) {
					return e
				}
			}
			return nil
		}
		for _, p := range c.checkValue(f, v.Value, lacking) {
			problems = append(problems, atVariable(p, f, v.Name))
		}
	}
	return problems
}

// CheckReferencesIn checks what the values that an environment gives to functions refer to.
func (c *Checker) CheckReferencesIn(e *model.Environment) []*model.Problem {
	var problems []*model.Problem
	for _, set := range e.Variables {
		if !slices.ContainsFunc(set.Values, func(v model.Variable) bool { return mayRefer(v.Value) }) {
			continue
		}
		f := c.Function(set.Function)
		if f == nil {
			continue
		}
		for _, v := range set.Values {
			found := c.checkValue(f, v.Value, func(name string) *model.Environment {
				if c.lacks(e, f, name) {
					return e
				}
				return nil
			})
			for _, p := range found {
				problems = append(problems, atVariableIn(p, e, f.Name, v.Name))
			}
		}
	}
	return problems
}

// atVariable is a problem of a value at the variable of the function.
func atVariable(p *model.Problem, f *model.Function, name string) *model.Problem {
	p.Of, p.Pointer = model.Ref{Kind: model.KindFunction, Name: f.Name}, "/environment/"+model.PointerSegment(name)
	p.Text = "the variable " + phrase.Quote(name) + " " + p.Text
	return p
}

// atVariableIn is a problem of a value at the variable that an environment gives a function.
func atVariableIn(p *model.Problem, e *model.Environment, function, name string) *model.Problem {
	p.Of, p.Pointer = model.Ref{Kind: model.KindEnvironment, Name: e.Name},
		"/variables/"+model.PointerSegment(function)+"/"+model.PointerSegment(name)
	p.Text = "the variable " + phrase.Quote(name) + " of the function " + phrase.Quote(function) + " " + p.Text
	return p
}

// mayRefer reports whether a value may have a reference, be it one of CloudFormation.
func mayRefer(value string) bool { return model.Refers(value) || strings.Contains(value, "{{") }

// checkValue checks the references of a value of a function. lacking finds an environment that
// does not have what a name is about, although the backend has it; nil if there is none.
func (c *Checker) checkValue(f *model.Function, value string,
	lacking func(name string) *model.Environment,
) []*model.Problem {
	if !c.Defines(model.KindFunction) || !mayRefer(value) {
		return nil
	}
	var problems []*model.Problem
	if p := c.checkDynamic(f, value); p != nil {
		problems = append(problems, p)
	}
	given := c.givenIn(nil, f)
	for _, name := range model.References(value) {
		about, known := given[name]
		if !known {
			problems = append(problems, &model.Problem{
				Level: model.Warning, Text: "refers to " + phrase.Quote(name) + ", which the function does not get",
				Fix: c.giving(f, name) + ", or write $" + model.Refer(name) + " for the text itself",
			})
			continue
		}
		if about == string(model.KindAuth) && c.circle(f) {
			problems = append(problems, &model.Problem{
				Text: "refers to " + name + ", and the user pool calls the function: neither could be created first",
				Fix:  "remove the reference; the event has userPoolId, and the client id in callerContext.clientId",
			})
			continue
		}
		if lacks := lacking(name); lacks != nil {
			problems = append(problems, &model.Problem{
				Level: model.Warning,
				Text: fmt.Sprintf("refers to %s, but environment %s has no %s: %s is not replaced there",
					name, phrase.Quote(lacks.Name), thing(about), model.Refer(name)),
				Fix: fmt.Sprintf("give the function another value there, with: gatewright update env %s --variable %s.NAME=VALUE",
					model.ShellWord(lacks.Name), model.ShellWord(f.Name)),
			})
		}
	}
	return problems
}

// circle reports whether a push makes the user pool and the pool calls the function, so that
// the pool would need the function, and the function the pool.
func (c *Checker) circle(f *model.Function) bool {
	return !c.Auth.PoolExists() &&
		slices.ContainsFunc(c.Triggers, func(t model.Trigger) bool { return t.Function == f.Name })
}

// lacks reports whether an environment does not have what a name is about that a value of a function refers to.
func (c *Checker) lacks(e *model.Environment, f *model.Function, name string) bool {
	_, given := c.givenIn(e, f)[name]
	return !given
}

// givenIn is Given in an environment; nil is the backend with all that any has.
func (c *Checker) givenIn(e *model.Environment, f *model.Function) map[string]string {
	here := c.here[e]
	if here == nil {
		here = &surroundings{backend: c.Backend, given: make(map[*model.Function]map[string]string)}
		if e != nil {
			here.backend = c.For(e)
		}
		c.here[e] = here
	}
	given, made := here.given[f]
	if !made {
		given = here.backend.Given(f)
		here.given[f] = given
	}
	return given
}

// giving says how a value could refer to a name that the function is not given.
func (c *Checker) giving(f *model.Function, name string) string {
	const plain = "refer to ENV, REGION or a variable of a resource that it may use"
	if c.strange++; c.strange > suggestions {
		return plain
	}
	if resource := c.resourceOf(name); resource != "" {
		return "let it use " + resource + " with: gatewright update function " + model.ShellWord(f.Name) +
			AccessFlags(f, model.ResourceAccess{Resource: resource, Actions: access.ActionSet(access.Read)})
	}
	own := func(v model.Variable) bool { return v.Name == name }
	switch {
	case slices.Contains(f.Secrets, name), slices.ContainsFunc(f.Environment, own):
		return "put the function's own variables and secrets together in its source"
	case slices.Contains(model.PoolVariables, name) && !c.UsesUserPool():
		return "define a user pool"
	case slices.Contains(model.PoolVariables, name):
		return "write the id of the existing pool into the definition of the user pool"
	}
	if near := spelling.Nearest(name, slices.Sorted(maps.Keys(c.givenIn(nil, f)))); near != "" {
		return "write " + model.Refer(near) + " if that is meant"
	}
	return plain
}

// resourceOf returns the resource of the backend that a name would be about if a function could use it; "" for none.
func (c *Checker) resourceOf(name string) string {
	for _, kind := range []model.Kind{model.KindTable, model.KindAPI, model.KindFunction} {
		if !strings.HasPrefix(name, model.VariableName(string(kind))+"_") {
			continue
		}
		for _, thing := range c.Names(kind) {
			resource := string(kind) + "/" + thing
			if what, of := strings.CutPrefix(name, model.ResourcePrefix(resource)); of &&
				slices.Contains(c.Described(resource), what) {
				return resource
			}
		}
	}
	return ""
}

// thing names what a variable is about in a sentence.
func thing(about string) string {
	kind, name, named := strings.Cut(about, "/")
	switch {
	case about == string(model.KindAuth):
		return "user pool"
	case !named || model.Kind(kind) == model.KindStorage:
		return "bucket"
	}
	return model.Kind(kind).Noun() + " " + phrase.Quote(name)
}

// replaces reports whether an environment has a value of its own for a variable of a function.
func replaces(e *model.Environment, function, variable string) bool {
	return slices.ContainsFunc(e.Variables, func(set model.FunctionVariables) bool {
		return set.Function == function &&
			slices.ContainsFunc(set.Values, func(v model.Variable) bool { return v.Name == variable })
	})
}
