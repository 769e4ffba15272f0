package sandbox

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/rights"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
	"gatewright/sandbox/invoke"
)

// AccessKey is the access key id in a function's credentials. It identifies the function
// and is not secret.
func AccessKey(environment, function string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, environment+"\x00"+function)
	return fmt.Sprintf("ASIA%016X", h.Sum64())
}

// caller is a function that uses what the sandbox serves.
type caller struct {
	invoke.Function
	// grants are the statements of its role.
	grants     []cfn.Statement
	definition *model.Function
	// fromTemplates is that of its Environment.
	fromTemplates bool
	// names are what access calls the tables and functions of its environment, by ARN.
	names map[string]string
}

// callersOf are the functions of environments by the access key ids of their credentials.
func callersOf(environments []Environment) map[string]caller {
	callers := make(map[string]caller)
	for _, env := range environments {
		names := make(map[string]string)
		for _, spec := range env.Functions {
			of := calledFunction(env, spec)
			names[of.ARN()] = "function/" + spec.Name
			c := caller{of, env.Grants[spec.Name], env.Definitions[spec.Name], env.FromTemplates, names}
			for _, t := range env.Tables {
				names[c.arn("dynamodb", "table/"+t.Name)] = "table/" + t.Definition.Name
			}
			if c.definition == nil {
				c.definition = &model.Function{Name: spec.Name}
			}
			callers[AccessKey(env.Name, spec.Name)] = c
		}
	}
	return callers
}

// applyCallers replaces the functions that may use what is served.
func (s *Sandbox) applyCallers(c Config) {
	callers := callersOf(c.Environments)
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

// arn is the ARN of what the function may use beside it.
func (c caller) arn(service, resource string) string {
	return "arn:aws:" + service + ":" + c.Region + ":" + c.Account + ":" + resource
}

// refusal says that a function may not do something, in the words of IAM
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html).
func (c caller) refusal(permission cfn.Permission, action, resource string) string {
	why := " because no identity-based policy allows the " + action + " action"
	if permission == cfn.Denied {
		why = " with an explicit deny in an identity-based policy"
	}
	return fmt.Sprintf("User: arn:aws:sts::%s:assumed-role/%s/%s is not authorized to perform: %s on resource: %s%s",
		c.Account, c.Deployed, c.Deployed, action, resource, why)
}

// assumed says that only what policies leave open lets a function do something of a service.
func assumed(service string) string {
	text := map[string]string{
		"dynamodb": "which tables it may use", "lambda": "which functions it may call", "ssm": "which parameters it may read",
		"secretsmanager": "which secrets it may read", "cognito-idp": "what it may do with the user pool",
	}[service]
	return "its policies do not say for certain " + text + ": here it may, as far as they leave it open, in the cloud " +
		"only what its role allows"
}

// advice says what allows the function an action that it may not take.
func (c caller) advice(permission cfn.Permission, action, arn string) string {
	switch {
	case permission == cfn.Denied:
		return "one of its policies denies the action " + action + ": remove that statement"
	case c.fromTemplates:
		return "allow the action " + action + " in custom-policies.json in its folder, or with: amplify update function"
	}
	flags := ""
	if kind, needed := rights.For(action); kind != "" {
		if resource := c.resource(kind, arn); resource != "" {
			flags = check.AccessFlags(c.definition, model.ResourceAccess{Resource: resource, Actions: access.Actions(needed)})
		}
	}
	if flags == "" {
		more := model.Statement{Effect: model.Allow, Action: model.Patterns{action}, Resource: model.Patterns{arn}}
		for _, s := range append(slices.Clip(c.definition.Policies), more) {
			flags += " --policy " + model.ShellWord(s.Line())
		}
	}
	return "allow it with: gatewright update function " + model.ShellWord(c.Name) + flags
}

// resource is what access to a kind of resource calls what has an ARN; "" for nothing.
func (c caller) resource(kind model.Kind, arn string) string {
	parts := strings.SplitN(arn, ":", 8)
	switch kind {
	case model.KindTable:
		table, _, _ := strings.Cut(arn, "/index/")
		return c.names[table]
	case model.KindFunction:
		return cmp.Or(c.names[strings.Join(parts[:min(7, len(parts))], ":")], "function/NAME")
	case model.KindParameter:
		return parts[5]
	case model.KindSecret:
		return "secret/" + parts[6][:max(0, strings.LastIndexByte(parts[6], '-'))]
	}
	return string(kind)
}

// may decides whether a function may take an action on what has an ARN, and tells about what it may
// not, and about what only policies that leave it open allow. what says what it may not; tell gets a
// line, and whether one is enough.
func (c caller) may(action, arn, what string, tell func(c caller, once bool, text string)) cfn.Permission {
	permission, certain := cfn.Judge(c.grants, action, arn)
	service, _, _ := strings.Cut(action, ":")
	switch {
	case permission != cfn.Granted:
		tell(c, eachTime, what+"; "+c.advice(permission, action, arn))
	case !certain:
		tell(c, onlyOnce, assumed(service))
	}
	return permission
}

// tell tells about what a function may use, in its log and once as an event.
func (s *Sandbox) tell(c caller, once bool, text string) {
	s.cloud.say(cloud.Caller{Environment: c.Environment, Function: c.Name}, once, text)
}
