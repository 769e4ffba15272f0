package sandbox

import (
	"cmp"
	"slices"

	"gatewright/cfn"
	"gatewright/model"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
	"gatewright/sandbox/invoke"
	"gatewright/sandbox/logs"
)

// InvokeFunction is the action of policies that lets a function call another one.
const InvokeFunction = "lambda:InvokeFunction"

// serveFunctions serves the part of Lambda's API that calls functions.
func (f *Facility) serveFunctions() {
	f.calls = invoke.New(invoke.Options{
		Runner: f.runner, Logs: f.logs, Traffic: f.traffic, May: f.mayCall, Refused: f.logRefusedCall, Notify: f.options.Notify,
	})
	for _, prefix := range invoke.Prefixes {
		f.gateway.Handle(prefix, f.calls)
	}
}

// applyFunctions replaces the functions that can be called, and what they may call.
func (f *Facility) applyFunctions(c Config) {
	served := invoke.Served{Callers: make(map[string]invoke.Function)}
	grants := make(map[invoke.Function][]Grant)
	for _, env := range c.Environments {
		for _, spec := range env.Functions {
			made := calledFunction(env, spec)
			served.Functions = append(served.Functions, made)
			served.Callers[AccessKey(env.Name, spec.Name)] = made
			grants[made] = env.Grants[spec.Name]
		}
	}
	f.callGrants.Store(&grants)
	f.calls.Apply(served)
}

func calledFunction(env Environment, spec function.Spec) invoke.Function {
	deployed := cmp.Or(spec.DeployedName, spec.Name)
	return invoke.Function{
		Environment: env.Name, Name: spec.Name, Deployed: deployed, Cloud: deployed + "-" + env.Name,
		Region: env.Region, Account: env.AccountID, Interpreter: string(spec.Runtime),
	}
}

// mayCall decides whether a function may call what has an ARN.
func (f *Facility) mayCall(caller invoke.Function, arn string) invoke.Permission {
	allowed, assumed := mayInvoke((*f.callGrants.Load())[caller], arn)
	if assumed {
		f.cloud.say(cloud.Caller{Environment: caller.Environment, Function: caller.Name}, onlyOnce,
			"its policies do not say which functions it may call: here it may call all of the project, in the cloud only those that its role allows")
	}
	return allowed
}

// mayInvoke is what grants say of calling a function, and whether only an assumed one allows
// it.
func mayInvoke(grants []Grant, arn string) (permission invoke.Permission, assumed bool) {
	covers := func(g Grant) bool {
		return slices.ContainsFunc(g.Operations, func(pattern string) bool { return cfn.MatchAction(pattern, InvokeFunction) }) &&
			slices.ContainsFunc(g.Resources, func(pattern string) bool { return cfn.MatchResource(pattern, arn) })
	}
	for _, g := range grants {
		switch {
		case !covers(g):
		case g.Denied:
			return invoke.Denied, false
		case permission == invoke.Absent || assumed:
			permission, assumed = invoke.Granted, g.Assumed
		}
	}
	return permission, assumed
}

// logRefusedCall explains in a function's log why it may not call another one.
func (f *Facility) logRefusedCall(caller invoke.Function, called string) {
	name, fromTemplates := "", false
	f.mu.Lock()
	for _, env := range f.config.Environments {
		if env.Name != caller.Environment {
			continue
		}
		fromTemplates = env.FromTemplates
		for _, spec := range env.Functions {
			if made := calledFunction(env, spec); made.Deployed == called || made.Cloud == called {
				name = spec.Name
			}
		}
	}
	f.mu.Unlock()
	text := "the function may not call the function " + model.Quote(called)
	if name == "" {
		text += ", which is none of this project"
	}
	if fromTemplates {
		text += "; allow the action " + InvokeFunction + " in custom-policies.json in its folder, or with: amplify update function"
	} else {
		text += "; allow it with: gatewright update function " + model.ShellWord(caller.Name) + " --access function/" + model.ShellWord(cmp.Or(name, "NAME")) + "=read"
	}
	f.logs.Append(logs.Line{Environment: caller.Environment, Function: caller.Name, Level: logs.Warn, Text: text})
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
