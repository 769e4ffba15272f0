package amplifycli

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Function is the template of a function with the values of a deployment.
type Function struct {
	Name string
	// DeployedName is what it is called in the deployment.
	DeployedName string
	Template     *cfn.Template
	Resolver     *cfn.Resolver
	// Resource is the function itself in its template.
	Resource *cfn.Resource
	// Variables are its environment variables with a value, Unknown those without one. Names are
	// those of both in the order of the template, and Misnamed what no variable may be called.
	Variables       map[string]string
	Unknown         []Unknown
	Names, Misnamed []string
	// Statements are those of its policies.
	Statements []cfn.Statement
	// Beyond says why its role may do more than they allow; "" if nothing says so.
	Beyond string
}

// Settings are what a template says of a function itself; what it does not say is zero.
type Settings struct {
	// RuntimeName is the name of the runtime in AWS Lambda.
	RuntimeName, Handler string
	// Timeout is in seconds, Memory in megabytes.
	Timeout, Memory int
}

// Settings works out the settings of the function.
func (f *Function) Settings() Settings {
	text := func(name string) string {
		value, _ := f.Resolver.Resolve(f.Resource.Properties.Get(name)).String()
		return value
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(f.Resolver.Resolve(f.Resource.Properties.Get(name)).Text)
		return n
	}
	return Settings{
		RuntimeName: text("Runtime"), Handler: text("Handler"), Timeout: number("Timeout"),
		Memory: number("MemorySize"),
	}
}

// Unknown is a variable without a value, and why.
type Unknown struct{ Name, Why string }

// Function works out the template of a function, once; nil if it has none.
func (v *Values) Function(name string) *Function {
	f, known := v.functions[name]
	if known {
		return f
	}
	if f = v.resolve(name); f != nil {
		f.Statements = slices.Concat(f.templateStatements(), v.customStatements(f))
		v.replaceAccount(f.Statements)
	}
	v.functions[name] = f
	return f
}

var arnInAccount = lazyregexp.New(`^(arn:[^:]*:[^:]*:[^:]*:)([0-9]{12}):`)

// replaceAccount makes statements about the account that the environment is deployed to ones about that of
// the deployment here.
func (v *Values) replaceAccount(statements []cfn.Statement) {
	account, here := v.project.Amplify.Account(v.deployment.Environment), v.deployment.Account
	for _, s := range statements {
		for j, resource := range s.Resources {
			found := arnInAccount().FindStringSubmatch(resource)
			if found != nil && found[2] == account {
				s.Resources[j] = found[1] + here + ":" + resource[len(found[0]):]
			}
		}
	}
}

func (v *Values) resolve(name string) *Function {
	template := v.project.Amplify.Template("function", name)
	if template == nil {
		return nil
	}
	f := &Function{
		Name: name, DeployedName: v.ByName["function"+name+"Name"],
		Template: template, Resolver: template.With(v.given(name)),
		Variables: make(map[string]string),
	}
	for _, r := range template.Resources() {
		if isFunction(&r) && (f.Resource == nil || r.ID == "LambdaFunction") {
			f.Resource = &r
		}
	}
	if f.Resource == nil {
		return nil
	}
	variables := f.Resource.Properties.Get("Environment", "Variables")
	if variables == nil {
		return f
	}
	for _, member := range variables.Members {
		if model.CheckVariableName(member.Name) != nil {
			f.Misnamed = append(f.Misnamed, member.Name)
			continue
		}
		f.Names = append(f.Names, member.Name)
		value := f.Resolver.Resolve(member.Value)
		if text, known := value.String(); known {
			f.Variables[member.Name] = text
			continue
		}
		why := "its value is not a text"
		if len(value.Unknown) > 0 {
			why = value.Unknown[0].What
		}
		f.Unknown = append(f.Unknown, Unknown{member.Name, why})
	}
	return f
}

func isFunction(r *cfn.Resource) bool {
	return r.Type == "AWS::Lambda::Function" || r.Type == "" && r.ID == "LambdaFunction"
}

// Managed lists the policies that a role of its template refers to, but those of cfn.Running.
func (f *Function) Managed(role *cfn.Resource) (all []string) {
	arns := f.Resolver.Resolve(role.Properties.Get("ManagedPolicyArns"))
	if arns.Kind != cfn.List && !arns.Known() {
		arns.List = []cfn.Value{arns}
	}
	for _, arn := range arns.List {
		if !slices.Contains(cfn.Running, arn.Pattern()) {
			all = append(all, arn.Pattern())
		}
	}
	return all
}

// isOther reports whether a resource of the template is about roles that are not the function's.
func (f *Function) isOther(r *cfn.Resource) bool {
	role := f.Resource.Properties.Get("Role", "Fn::GetAtt")
	if role == nil || len(role.Items) == 0 {
		return false
	}
	own := role.Items[0].Text
	if r.Type == "AWS::IAM::Role" {
		return r.ID != own
	}
	roles := r.Properties.Get("Roles")
	return roles != nil && len(roles.Items) > 0 && !slices.ContainsFunc(roles.Items, func(n *cfn.Node) bool {
		other := n.Get("Ref")
		return other == nil || other.Text == own || f.Template.Resource(other.Text) == nil
	})
}

// templateStatements returns the statements of the policies in a template.
func (f *Function) templateStatements() []cfn.Statement {
	var all []cfn.Statement
	if role := f.Resource.Properties.Get("Role"); role != nil && role.Get("Fn::GetAtt") == nil {
		f.Beyond = "its role is not in its template"
	}
	for _, r := range f.Template.Resources() {
		exists, known := f.Resolver.Exists(&r)
		var found []cfn.Statement
		if known && !exists || f.isOther(&r) {
			continue
		}
		switch r.Type {
		case "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy":
			found = cfn.Statements(f.Resolver.Resolve(r.Properties.Get("PolicyDocument")))
		case "AWS::IAM::Role":
			if managed := f.Managed(&r); len(managed) > 0 {
				f.Beyond = "its role has " + phrase.QuoteList(managed)
			}
			policies := f.Resolver.Resolve(r.Properties.Get("Policies"))
			if policies.Kind != cfn.List {
				found = cfn.Statements(policies)
			}
			for _, policy := range policies.List {
				document, ok := policy.Get("PolicyDocument")
				if !ok {
					document = policy
				}
				found = append(found, cfn.Statements(document)...)
			}
		}
		if !known {
			for i := range found {
				found[i].Condition = r.Condition
			}
		}
		all = append(all, found...)
	}
	return all
}

// customStatements returns the statements of a function's custom-policies.json, which the
// Amplify CLI adds in a deployment. ${env} in it is the environment
// (https://docs.amplify.aws/gen1/javascript/tools/cli/reference/iam-policy/).
func (v *Values) customStatements(f *Function) []cfn.Statement {
	list, err := v.project.Amplify.CustomPolicies(f.Name)
	if err != nil || list == nil || list.Kind != cfn.List {
		if err != nil {
			f.Beyond = "its custom-policies.json cannot be read"
		}
		return nil
	}
	var statements []cfn.Statement
	for _, s := range cfn.StatementList(f.Resolver.Resolve(list)) {
		for i, resource := range s.Resources {
			s.Resources[i] = strings.ReplaceAll(resource, "${env}", v.deployment.Name)
		}
		if s.Effect == "" {
			s.Effect = "Allow"
		}
		if len(s.Actions) > 0 || s.Partly {
			statements = append(statements, s)
		}
	}
	return statements
}

// Layer returns the name of the project's own layer that an ARN names; "" if it is of another
// one. In a deployment the ARN has the environment and a version.
func (v *Values) Layer(arn string) string {
	_, name, found := strings.Cut(arn, ":layer:")
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimSuffix(name, "-"+v.deployment.Name)
	if !slices.Contains(v.project.Amplify.Layers(), name) {
		return ""
	}
	return name
}
