package sandbox

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/invoke"
)

// Grant allows a function actions on a table, or with patterns operations of DynamoDB and
// Lambda.
type Grant struct {
	// Table is the name of the deployed table.
	Table   string
	Actions access.Actions
	// Operations and Resources are the patterns of a policy instead, such as dynamodb:Get*
	// or lambda:InvokeFunction and the ARN of a table or function.
	Operations, Resources []string
	// Denied takes back what other grants allow.
	Denied bool
	// Assumed means that the project does not say what the function may do; the first use
	// is told.
	Assumed bool
}

// covers reports whether the patterns of a grant are about an operation on what has an ARN.
func (g Grant) covers(operation, arn string) bool {
	return cfn.Covers(g.Operations, g.Resources, operation, arn)
}

// judge is what the grants that cover a use say of it, and whether only assumed ones allow it.
func judge(grants []Grant, covers func(Grant) bool) (permission invoke.Permission, assumed bool) {
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

// AccessKey is the access key id in a function's credentials. It identifies the function
// and is not secret.
func AccessKey(environment, function string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, environment+"\x00"+function)
	return fmt.Sprintf("ASIA%016X", h.Sum64())
}

// caller is a function that uses tables and other functions.
type caller struct {
	invoke.Function
	grants []Grant
	// fromTemplates is that of its Environment.
	fromTemplates bool
}

// applyCallers replaces the functions that may use tables and other functions.
func (s *Sandbox) applyCallers(c Config) {
	callers := make(map[string]caller)
	for _, env := range c.Environments {
		for _, spec := range env.Functions {
			callers[AccessKey(env.Name, spec.Name)] = caller{calledFunction(env, spec), env.Grants[spec.Name], env.FromTemplates}
		}
	}
	s.callers.Store(&callers)
}

// caller returns a function by the access key id of its credentials.
func (s *Sandbox) caller(key string) (caller, bool) {
	callers := s.callers.Load()
	if callers == nil {
		return caller{}, false
	}
	found, known := (*callers)[key]
	return found, known
}

// calledFunction is a function as Lambda's API knows it.
func calledFunction(env Environment, spec function.Spec) invoke.Function {
	deployed := cmp.Or(spec.DeployedName, spec.Name)
	return invoke.Function{
		Environment: env.Name, Name: spec.Name, Deployed: deployed, Cloud: deployed + "-" + env.Name,
		Region: env.Region, Account: env.AccountID, Interpreter: string(spec.Runtime),
	}
}

// advice says what allows the function an action of a policy that it may not take. access is the
// value of the flag that does so, such as table/books=read.
func (c caller) advice(permission invoke.Permission, action, access string) string {
	if permission == invoke.Denied {
		return "one of its policies denies the action " + action + ": remove that statement"
	}
	if c.fromTemplates {
		return "allow the action " + action + " in custom-policies.json in its folder, or with: amplify update function"
	}
	return "allow it with: gatewright update function " + model.ShellWord(c.Name) + " --access " + access
}
