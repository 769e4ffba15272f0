package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model/access"
)

// checkReferences checks what the values of a function's own variables refer to.
func (c *checker) checkReferences(f *Function) []*Problem {
	var problems []*Problem
	for _, v := range f.Environment {
		lacking := func(name string) *Environment {
			for _, e := range c.Environments {
				if !e.replaces(f.Name, v.Name) && c.lacks(e, f, name) {
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

// checkReferencesIn checks what the values that an environment gives to functions refer to.
func (c *checker) checkReferencesIn(e *Environment) []*Problem {
	var problems []*Problem
	for _, set := range e.Variables {
		if !slices.ContainsFunc(set.Values, func(v Variable) bool { return mayRefer(v.Value) }) {
			continue
		}
		f := c.Function(set.Function)
		if f == nil {
			continue
		}
		for _, v := range set.Values {
			found := c.checkValue(f, v.Value, func(name string) *Environment {
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
func atVariable(p *Problem, f *Function, name string) *Problem {
	p.Of, p.Pointer = Ref{Kind: KindFunction, Name: f.Name}, "/environment/"+PointerSegment(name)
	p.Text = "the variable " + phrase.Quote(name) + " " + p.Text
	return p
}

// atVariableIn is a problem of a value at the variable that an environment gives a function.
func atVariableIn(p *Problem, e *Environment, function, name string) *Problem {
	p.Of, p.Pointer = Ref{Kind: KindEnvironment, Name: e.Name},
		"/variables/"+PointerSegment(function)+"/"+PointerSegment(name)
	p.Text = "the variable " + phrase.Quote(name) + " of the function " + phrase.Quote(function) + " " + p.Text
	return p
}

// mayRefer reports whether a value may have a reference, be it one of CloudFormation.
func mayRefer(value string) bool { return refers(value) || strings.Contains(value, "{{") }

// checkValue checks the references of a value of a function. lacking finds an environment that
// does not have what a name is about, although the backend has it; nil if there is none.
func (c *checker) checkValue(f *Function, value string, lacking func(name string) *Environment) []*Problem {
	if !c.Defines(KindFunction) || !mayRefer(value) {
		return nil
	}
	var problems []*Problem
	if p := c.checkDynamic(f, value); p != nil {
		problems = append(problems, p)
	}
	given := c.givenIn(nil, f)
	for _, name := range references(value) {
		about, known := given[name]
		if !known {
			problems = append(problems, &Problem{
				Level: Warning, Text: "refers to " + phrase.Quote(name) + ", which the function is not given",
				Fix: c.giving(f, name) + ", or write $" + refer(name) + " for the text itself",
			})
			continue
		}
		if about == string(KindAuth) && c.circle(f) {
			problems = append(problems, &Problem{
				Text: "refers to " + name + ", and the user pool calls the function: neither of the two could be made first",
				Fix: "take out the reference; the event of the call has userPoolId, and the id of the client in " +
					"callerContext.clientId",
			})
			continue
		}
		if lacks := lacking(name); lacks != nil {
			problems = append(problems, &Problem{
				Level: Warning, Text: fmt.Sprintf("refers to %s, and environment %s has no %s: %s stays there as it is written",
					name, phrase.Quote(lacks.Name), thing(about), refer(name)),
				Fix: fmt.Sprintf("give the function another value there, with: gatewright update env %s --variable %s.NAME=VALUE",
					ShellWord(lacks.Name), ShellWord(f.Name)),
			})
		}
	}
	return problems
}

// circle reports whether a push makes the user pool and the pool calls the function, so that
// the pool would need the function, and the function the pool.
func (c *checker) circle(f *Function) bool {
	return !c.Auth.PoolExists() && slices.ContainsFunc(c.Triggers, func(t Trigger) bool { return t.Function == f.Name })
}

// lacks reports whether an environment does not have what a name is about that a value of a
// function refers to.
func (c *checker) lacks(e *Environment, f *Function, name string) bool {
	_, given := c.givenIn(e, f)[name]
	return !given
}

// givenIn is Given in an environment; nil is the backend with all that any has.
func (c *checker) givenIn(e *Environment, f *Function) map[string]string {
	here := c.here[e]
	if here == nil {
		here = &surroundings{backend: c.Backend, given: make(map[*Function]map[string]string)}
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
func (c *checker) giving(f *Function, name string) string {
	const plain = "refer to ENV, REGION or a variable of a resource that it may use"
	if c.strange++; c.strange > suggestions {
		return plain
	}
	if resource := c.resourceOf(name); resource != "" {
		return "let it use " + resource + " with: gatewright update function " + ShellWord(f.Name) + accessFlags(f, resource)
	}
	own := func(v Variable) bool { return v.Name == name }
	switch {
	case slices.Contains(f.Secrets, name), slices.ContainsFunc(f.Environment, own):
		return "put the function's own variables and secrets together in its source"
	case slices.Contains(poolVariables, name) && !c.UsesUserPool():
		return "define a user pool"
	case slices.Contains(poolVariables, name):
		return "write the id of the pool that exists into the definition of the user pool"
	}
	if near := spelling.Nearest(name, slices.Sorted(maps.Keys(c.givenIn(nil, f)))); near != "" {
		return "write " + refer(near) + " if that is meant"
	}
	return plain
}

// resourceOf returns the resource of the backend that a name would be about if a function could
// use it; "" for none.
func (c *checker) resourceOf(name string) string {
	for _, kind := range []Kind{KindTable, KindAPI, KindFunction} {
		if !strings.HasPrefix(name, variableName(string(kind))+"_") {
			continue
		}
		for _, thing := range c.Names(kind) {
			resource := string(kind) + "/" + thing
			if what, of := strings.CutPrefix(name, ResourcePrefix(resource)); of &&
				slices.Contains(c.described(resource), what) {
				return resource
			}
		}
	}
	return ""
}

// accessFlags are the flags for the access that a function has, and for that to a resource:
// together they replace the list.
func accessFlags(f *Function, resource string) string {
	var flags strings.Builder
	for _, a := range append(slices.Clone(f.Access),
		ResourceAccess{Resource: resource, Actions: access.ActionSet(access.Read)}) {
		flags.WriteString(" --access " + ShellWord(a.Resource+"="+strings.ReplaceAll(a.Actions.String(), ", ", ",")))
	}
	return flags.String()
}

// thing names what a variable is about in a sentence.
func thing(about string) string {
	kind, name, named := strings.Cut(about, "/")
	switch {
	case about == string(KindAuth):
		return "user pool"
	case !named || Kind(kind) == KindStorage:
		return "bucket"
	}
	return Kind(kind).noun() + " " + phrase.Quote(name)
}

// replaces reports whether an environment has a value of its own for a variable of a function.
func (e *Environment) replaces(function, variable string) bool {
	return slices.ContainsFunc(e.Variables, func(set FunctionVariables) bool {
		return set.Function == function &&
			slices.ContainsFunc(set.Values, func(v Variable) bool { return v.Name == variable })
	})
}
