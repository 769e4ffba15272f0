package sandbox

import (
	"cmp"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/invoke"
	"gatewright/sandbox/logs"
)

// InvokeFunction is the action of policies that lets a function call another one.
const InvokeFunction = "lambda:InvokeFunction"

// serveFunctions serves the part of Lambda's API that calls functions.
func (s *Sandbox) serveFunctions() {
	s.calls = invoke.New(invoke.Options{
		Runner: s.runner, Logs: s.logs, Traffic: s.traffic, May: s.mayCall, Refused: s.logRefusedCall,
		Notify: s.options.Notify,
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

// mayCall decides whether a function may call what has an ARN.
func (s *Sandbox) mayCall(caller invoke.Function, arn string) invoke.Permission {
	known, _ := s.caller(AccessKey(caller.Environment, caller.Name))
	allowed, assumed := mayInvoke(known.grants, arn)
	if assumed {
		s.cloud.say(cloud.Caller{Environment: caller.Environment, Function: caller.Name}, onlyOnce,
			"its policies do not say which functions it may call: here it may call all of the project, in the cloud only "+
				"those that its role allows")
	}
	return allowed
}

// mayInvoke is what grants say of calling a function, and whether only an assumed one allows
// it.
func mayInvoke(grants []Grant, arn string) (permission invoke.Permission, assumed bool) {
	return judge(grants, func(g Grant) bool { return g.covers(InvokeFunction, arn) })
}

// logRefusedCall explains in a function's log why it may not call another one, which has no
// Name if it does not exist.
func (s *Sandbox) logRefusedCall(caller, called invoke.Function) {
	text := "the function may not call the function " + phrase.Quote(called.Deployed)
	if called.Name == "" {
		text += ", which is none of this project"
	}
	known, _ := s.caller(AccessKey(caller.Environment, caller.Name))
	permission, _ := mayInvoke(known.grants, called.ARN())
	text += "; " +
		known.advice(permission, InvokeFunction, "function/"+model.ShellWord(cmp.Or(called.Name, "NAME"))+"=read")
	s.logs.Append(logs.Line{Environment: caller.Environment, Function: caller.Name, Level: logs.Warn, Text: text})
}

// calledBy are the names of the functions of an environment that other ones may call.
func calledBy(env Environment) []string {
	var names []string
	for _, spec := range env.Functions {
		arn := calledFunction(env, spec).ARN()
		for _, grants := range env.Grants {
			if permission, assumed := mayInvoke(grants, arn); permission == invoke.Granted && !assumed {
				names = append(names, spec.Name)
				break
			}
		}
	}
	return names
}
