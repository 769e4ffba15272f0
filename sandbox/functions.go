package sandbox

import (
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model/rights"
	"gatewright/sandbox/function"
	"gatewright/sandbox/invoke"
)

// serveFunctions serves the part of Lambda's API that calls functions.
func (s *Sandbox) serveFunctions() {
	s.calls = invoke.New(invoke.Options{
		Runner: s.runner, Logs: s.logs, Traffic: s.traffic, May: s.mayCall,
		Notify: s.options.Notify,
		Used:   func(u function.Told) { s.keepUse(u, 0, nil) },
	})
	for _, prefix := range invoke.Prefixes {
		s.gateway.Handle(prefix, s.calls)
	}
}

// applyFunctions replaces the functions that can be called.
func (s *Sandbox) applyFunctions(c Config) {
	served := invoke.Served{Callers: make(map[string]invoke.Function)}
	for _, env := range c.Environments {
		for _, spec := range env.Functions {
			made := calledFunction(env, spec)
			served.Functions = append(served.Functions, made)
			served.Callers[AccessKey(env.Name, spec.Name)] = made
		}
	}
	s.calls.Apply(served)
}

// mayCall decides whether a function may call another one; it returns the refusal, or "".
func (s *Sandbox) mayCall(by, called invoke.Function, arn string) string {
	what := "the function may not call the function " + phrase.Quote(called.Deployed)
	if called.Name == "" {
		what += ", which is not in this project"
	}
	known, _ := s.caller(AccessKey(by.Environment, by.Name))
	return known.may(rights.InvokeFunction, arn, arn, what, s.tell)
}

// calledBy are the names of the functions of an environment that other ones may call.
func calledBy(env Environment) []string {
	var names []string
	for _, spec := range env.Functions {
		arn := calledFunction(env, spec).PolicyARN()
		for _, grants := range env.Grants {
			if p, certain := cfn.Judge(grants, rights.InvokeFunction, arn); p == cfn.Granted && certain {
				names = append(names, spec.Name)
				break
			}
		}
	}
	return names
}
