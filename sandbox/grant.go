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
			names[of.PolicyARN()] = "function/" + spec.Name
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
	inCloud := deployed
	if !env.FromTemplates {
		// The name in a template of the Amplify CLI has the environment.
		inCloud += "-" + env.Name
	}
	return invoke.Function{
		Environment: env.Name, Name: spec.Name, Deployed: deployed, Cloud: inCloud,
		Region: env.Region, Account: env.AccountID, Interpreter: string(spec.Runtime),
	}
}

// arn is the ARN of what the function may use next to it.
func (c caller) arn(service, resource string) string {
	return model.ARN(service, c.Region, c.Account, resource)
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
	return "its policies do not say for certain " + text + ": the sandbox allows what they leave open, the cloud " +
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
		more := model.Statement{
			Effect: model.Allow, Action: model.Patterns{action}, Resource: model.Patterns{c.reference(arn)},
		}
		for _, s := range append(slices.Clip(c.definition.Policies), more) {
			flags += " --policy " + model.ShellWord(s.Line())
		}
	}
	return "allow it with: gatewright update function " + model.ShellWord(c.Name) + flags
}

// named is what access calls the table or the function that an ARN begins with, and the rest; "" for
// none of the project.
func (c caller) named(arn string) (name, rest string) {
	for at, name := range c.names {
		if rest, is := strings.CutPrefix(arn, at); is && (rest == "" || rest[0] == '/' || rest[0] == ':') {
			return name, rest
		}
	}
	return "", ""
}

// reference is what has an ARN as a statement of a definition names it, in each environment.
func (c caller) reference(arn string) string {
	name, rest := c.named(arn)
	service, resource, own := strings.Cut(strings.TrimPrefix(arn, "arn:aws:"), ":"+c.Region+":"+c.Account+":")
	switch {
	case name != "":
		return model.Refer(name) + rest
	case strings.HasSuffix(arn, "/*"):
		// It is about nothing in particular, such as ListTables.
		return "*"
	case own && service == "cognito-idp":
		return model.Refer(string(model.KindPool))
	case own:
		return "arn:${AWS::Partition}:" + service + ":${AWS::Region}:${AWS::AccountId}:" + resource
	}
	return arn
}

// resource is what access to a kind of resource calls what has an ARN; "" for nothing.
func (c caller) resource(kind model.Kind, arn string) string {
	_, resource, own := strings.Cut(arn, ":"+c.Region+":"+c.Account+":")
	switch name, _ := c.named(arn); {
	case !own:
		return ""
	case kind == model.KindTable:
		return name
	case kind == model.KindFunction:
		return cmp.Or(name, "function/NAME")
	case kind == model.KindParameter:
		return resource
	case kind == model.KindSecret:
		secret := strings.TrimPrefix(resource, "secret:")
		return "secret/" + secret[:max(0, strings.LastIndexByte(secret, '-'))]
	}
	return string(kind)
}

// may decides whether a function may take an action on what has an ARN, and tells about what it may
// not, and about what only policies that leave it open allow. It returns the refusal, in which the
// resource is shown, or "". what says what it may not; tell gets a line, and whether one is enough.
func (c caller) may(action, arn, shown, what string, tell func(c caller, once bool, text string)) string {
	permission, certain := cfn.Judge(c.grants, action, arn)
	service, _, _ := strings.Cut(action, ":")
	switch {
	case permission != cfn.Granted:
		tell(c, eachTime, what+"; "+c.advice(permission, action, arn))
		return c.refusal(permission, action, shown)
	case !certain:
		tell(c, onlyOnce, assumed(service))
	}
	return ""
}

// tell tells about what a function may use, in its log and once as an event.
func (s *Sandbox) tell(c caller, once bool, text string) {
	s.cloud.say(cloud.Caller{Environment: c.Environment, Function: c.Name}, once, text)
}
