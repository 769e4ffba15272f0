package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/cfn"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/cloud"
)

// amplifyFunction is a function's template of the Amplify CLI with the values of an
// environment.
type amplifyFunction struct {
	name     string
	template *cfn.Template
	resolver *cfn.Resolver
	resource *cfn.Resource
	// unknown are the variables without a value, and why.
	variables map[string]string
	unknown   []unknownVariable
	// statements are those of its policies.
	statements []cfn.Statement
}

type unknownVariable struct{ name, why string }

// amplifyFunction resolves the template of a function, once; nil if it has none.
func (x *specMaker) amplifyFunction(f *model.Function) *amplifyFunction {
	if !x.backend.AmplifyCLI {
		return nil
	}
	a, known := x.resolved[f.Name]
	if known {
		return a
	}
	if a = x.resolve(f); a != nil {
		a.statements = slices.Concat(x.templateStatements(a), x.customStatements(a))
	}
	if x.resolved == nil {
		x.resolved = make(map[string]*amplifyFunction)
	}
	x.resolved[f.Name] = a
	return a
}

func (x *specMaker) resolve(f *model.Function) *amplifyFunction {
	template := x.project.AmplifyTemplate("function", f.Name)
	if template == nil {
		return nil
	}
	if x.amplify == nil {
		x.amplify = x.amplifyValues()
	}
	a := &amplifyFunction{name: f.Name, template: template, resolver: template.With(x.amplify.given(f.Name)), variables: make(map[string]string)}
	for _, r := range template.Resources() {
		if isFunction(&r) && (a.resource == nil || r.ID == "LambdaFunction") {
			a.resource = &r
		}
	}
	if a.resource == nil {
		return nil
	}
	variables := a.resource.Properties.Get("Environment", "Variables")
	if variables == nil {
		return a
	}
	for _, member := range variables.Members {
		if model.CheckVariableName(member.Name) != nil {
			continue
		}
		value := a.resolver.Resolve(member.Value)
		if text, known := value.String(); known {
			a.variables[member.Name] = text
			continue
		}
		why := "its value is not a text"
		if len(value.Unknown) > 0 {
			why = value.Unknown[0].What
		}
		a.unknown = append(a.unknown, unknownVariable{member.Name, why})
	}
	return a
}

func isFunction(r *cfn.Resource) bool {
	return r.Type == "AWS::Lambda::Function" || r.Type == "" && r.ID == "LambdaFunction"
}

// missing returns the warnings about variables without a value, and about secrets
// without one: a variable has the name of such a secret's parameter.
func (a *amplifyFunction) missing(given map[string]string, s secrets) []string {
	return append(a.missingVariables(given, s), a.missingSecrets(s)...)
}

func (a *amplifyFunction) missingSecrets(s secrets) []string {
	var names []string
	for _, value := range a.variables {
		if name, is := cloud.AmplifySecret(a.name, value); is && s.values[name] == "" && s.values[value] == "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []string{fmt.Sprintf("reads the %s %s, without a value here; write it into %s as {\"%s\": \"value\"}",
		plural(len(names), "secret", "secrets"), model.QuoteList(names), s.file, names[0])}
}

func (a *amplifyFunction) missingVariables(given map[string]string, s secrets) []string {
	var names []string
	why := ""
	for _, u := range a.unknown {
		if _, known := given[u.name]; !known {
			names = append(names, u.name)
			if why == "" {
				why = u.why
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("runs without the %s %s (%s); write it into %s as {\"%s\": \"value\"}, or give --set %s=VALUE",
		plural(len(names), "variable", "variables"), model.QuoteList(names), why, s.file, names[0], names[0])}
}

// layers returns the folders of a function's layers: those of the project's own layers,
// and the ARNs of others.
func (x *specMaker) amplifyLayers(a *amplifyFunction) []string {
	node := a.resource.Properties.Get("Layers")
	if node == nil {
		return nil
	}
	own := x.project.AmplifyLayers()
	var layers []string
	for i := range node.Items {
		value := a.resolver.Resolve(node.Items[i])
		text := value.Pattern()
		name := x.layerName(text)
		if !slices.Contains(own, name) {
			layers = append(layers, text)
			continue
		}
		folder := filepath.Join(functionFolder(x.project), name)
		// Lambda merges both below /opt.
		for _, part := range []string{"lib", "opt"} {
			place := filepath.Join(folder, part)
			if info, err := os.Stat(place); err == nil && info.IsDir() && isInside(x.project.Root, place) {
				layers = append(layers, place)
			}
		}
	}
	return layers
}

// layerName returns the name of a project's layer in an ARN, which has the environment
// and a version in a deployment.
func (x *specMaker) layerName(arn string) string {
	_, name, found := strings.Cut(arn, ":layer:")
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimSuffix(name, "-"+x.environment.Name)
}

// amplifyGrants returns what a function may do with the project's tables, by the policies
// of its template and its custom policies. What they leave open, such as a policy that
// names no table, is allowed, and told when it is used.
func (x *specMaker) amplifyGrants(a *amplifyFunction) []sandbox.Grant {
	grants, said := a.statementGrants("dynamodb")
	if said {
		return grants
	}
	for _, t := range x.backend.Tables {
		grants = append(grants, sandbox.Grant{Table: t.DeployedName(x.environment.Name), Actions: model.EveryAction, Assumed: true})
	}
	return grants
}

// callGrants returns which functions a function may call, as amplifyGrants does for
// tables.
func (a *amplifyFunction) callGrants() []sandbox.Grant {
	grants, said := a.statementGrants("lambda")
	if said {
		return grants
	}
	return append(grants, sandbox.Grant{Operations: []string{sandbox.InvokeFunction}, Resources: []string{"*"}, Assumed: true})
}

// statementGrants returns the grants of the policies of a function for a service. said reports
// whether they allow anything of it.
func (a *amplifyFunction) statementGrants(service string) (grants []sandbox.Grant, said bool) {
	for _, s := range a.statements {
		denied := s.Effect == "Deny" && !s.Partly && !s.Conditional
		if s.Effect != "Allow" && !denied || s.NotAction || s.NotResource {
			continue
		}
		operations := slices.DeleteFunc(slices.Clone(s.Actions), func(action string) bool {
			of, _, _ := strings.Cut(action, ":")
			return !cfn.MatchAction(of, service)
		})
		if len(operations) == 0 {
			continue
		}
		said = said || !denied
		grants = append(grants, sandbox.Grant{Operations: operations, Resources: s.Resources, Denied: denied, Assumed: s.Partly && !denied})
	}
	return grants, said
}

// templateStatements returns the statements of the policies in a template.
func (x *specMaker) templateStatements(a *amplifyFunction) []cfn.Statement {
	var all []cfn.Statement
	for _, r := range a.template.Resources() {
		switch r.Type {
		case "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy":
			if exists, known := a.resolver.Exists(&r); known && !exists {
				continue
			}
			all = append(all, cfn.Statements(a.resolver.Resolve(r.Properties.Get("PolicyDocument")))...)
		case "AWS::IAM::Role":
			policies := r.Properties.Get("Policies")
			if policies == nil {
				continue
			}
			for _, item := range policies.Items {
				all = append(all, cfn.Statements(a.resolver.Resolve(item.Get("PolicyDocument")))...)
			}
		}
	}
	return all
}

// customStatements returns the statements of a function's custom-policies.json, which the
// Amplify CLI adds in a deployment. ${env} in it is the environment
// (https://docs.amplify.aws/gen1/javascript/tools/cli/reference/iam-policy/).
func (x *specMaker) customStatements(a *amplifyFunction) []cfn.Statement {
	var statements []cfn.Statement
	for _, s := range x.project.AmplifyCustomPolicies(a.name) {
		for i, resource := range s.Resources {
			s.Resources[i] = strings.ReplaceAll(resource, "${env}", x.environment.Name)
		}
		if s.Effect == "" {
			s.Effect = "Allow"
		}
		statements = append(statements, s)
	}
	return statements
}
