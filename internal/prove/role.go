package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// knownPolicies are policies of AWS that let a role call APIs or functions, with what they allow. See
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
var knownPolicies = map[string]string{
	"AdministratorAccess": "*", "PowerUserAccess": "*", "AmazonAPIGatewayInvokeFullAccess": "execute-api:*",
	"AWSLambda_FullAccess": "lambda:*", "AWSLambdaRole": "lambda:InvokeFunction",
}

// ofAWS begins the ARNs of policies that AWS has for everybody.
const ofAWS = ":iam::aws:policy/"

// managedPolicy reads the policies that roles refer to, by reference or by name.
func (r *reader) managedPolicy(s *stack, of *cfn.Resource) {
	statements := s.statements(of, of.Properties.Get("PolicyDocument"))
	arn, _ := s.reference(of)
	r.managed[arn] = statements
	if name, ok := s.text(of.Properties.Get("ManagedPolicyName")); ok {
		r.managed[policyARN+name] = statements
	}
}

// role finds or makes a role by its name or ARN.
func (r *reader) role(name string) *Role {
	name = strings.TrimPrefix(name, rolePrefix)
	if r.roles[name] == nil {
		r.roles[name] = &Role{Name: name}
	}
	return r.roles[name]
}

// policy adds the statements of a policy to its roles, and those of a role to itself.
func (r *reader) policy(s *stack, of *cfn.Resource) {
	document := of.Properties.Get("PolicyDocument")
	for _, kind := range owners {
		switch of.Type {
		case "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy":
			names := of.Properties.Get(kind.of + "s")
			r.attachTo(s, of, kind, s.resolver.Resolve(names), s.chooses(names) == "", s.statements(of, document))
		case "AWS::IAM::" + kind.of + "Policy":
			name := s.resolver.Resolve(of.Properties.Get(kind.of + "Name"))
			name.List = []cfn.Value{name}
			r.attachTo(s, of, kind, name, true, s.statements(of, document))
		case "AWS::IAM::" + kind.of:
			name, _ := s.reference(of)
			r.inline(s, of, kind.key+name)
			r.attached(s, of, kind.key+name)
		}
	}
}

// owner is what policies belong to. key begins what it is called among the roles.
type owner struct{ of, key, words string }

var owners = []owner{
	{"User", "user/", "the policies of the IAM user "},
	{"Group", "group/", "the policies of the IAM group "},
	{"Role", "", "the role "},
}

// heldBy names what gives the rights of a role, a user or a group.
func (r *reader) heldBy(name string) string {
	i := slices.IndexFunc(owners, func(kind owner) bool { return strings.HasPrefix(name, kind.key) })
	plain := strings.Trim(strings.TrimPrefix(name, owners[i].key), "{}")
	if id := r.ids[plain]; id != "" && r.d.place == nil {
		plain = id
	}
	return owners[i].words + plain
}

// attachTo adds statements to the roles of a policy. If the template does not tell which
// these are, nobody's access is certain.
func (r *reader) attachTo(
	s *stack, of *cfn.Resource, kind owner, roles cfn.Value, certain bool, statements []cfn.Statement,
) {
	if certain = certain && roles.Known(); !certain && slices.ContainsFunc(statements, callsAPIs) {
		r.unread("which " + strings.ToLower(kind.of) + "s have the policy " + s.name(of) + " is not known")
	}
	for _, name := range roles.List {
		if text, ok := name.String(); ok {
			r.grant(kind.key+text, statements)
		}
	}
}

func callsAPIs(s cfn.Statement) bool {
	about, _ := invokes(s)
	return about
}

// inline adds the policies that a role has itself.
func (r *reader) inline(s *stack, of *cfn.Resource, role string) {
	policies := of.Properties.Get("Policies")
	value := s.resolver.Resolve(policies)
	var statements []cfn.Statement
	for _, policy := range value.List {
		document, ok := policy.Get("PolicyDocument")
		if !ok && !policy.Known() {
			document = policy
		}
		statements = append(statements, cfn.Statements(document)...)
	}
	if value.Kind != cfn.List && !value.Known() {
		statements = unknown()
	}
	r.grant(role, s.doubt(of, policies, statements))
}

// attached adds the managed policies of a role.
func (r *reader) attached(s *stack, of *cfn.Resource, role string) {
	policies := of.Properties.Get("ManagedPolicyArns")
	value, chosen := s.resolver.Resolve(policies), s.chooses(policies) != ""
	for _, arn := range value.List {
		statements := unknown()
		if text, ok := arn.String(); ok {
			statements = r.managedBy(text, role)
		}
		if chosen || s.sometimes(of) != "" {
			statements = partly(statements)
		}
		r.grant(role, statements)
	}
	if chosen || value.Kind != cfn.List && !value.Known() {
		r.grant(role, unknown())
	}
}

// unknown is a statement of which nothing is known.
func unknown() []cfn.Statement { return []cfn.Statement{{Effect: "*", Partly: true}} }

// partly returns statements that may hold or not.
func partly(statements []cfn.Statement) []cfn.Statement {
	statements = slices.Clone(statements)
	for i := range statements {
		statements[i].Partly = true
	}
	return statements
}

func (r *reader) grant(role string, statements []cfn.Statement) {
	to := r.role(role)
	to.Statements = append(to.Statements, statements...)
}

// managedBy returns the statements of a managed policy.
func (r *reader) managedBy(arn, role string) []cfn.Statement {
	if statements, ok := r.managed[arn]; ok {
		return statements
	}
	if action := knownPolicies[policyName(arn)]; action != "" {
		return []cfn.Statement{{Effect: "Allow", Actions: []string{action}, Resources: []string{"*"}}}
	}
	r.outside[role] = append(r.outside[role], arn)
	return nil
}

// noticeOutside says which policies of the callers' roles are not in the template. Of those of AWS
// the names say that they let nobody call APIs; what others allow is not known.
func (r *reader) noticeOutside() {
	for _, c := range r.callersOf() {
		for _, arn := range r.outside[c.role.Name] {
			text := "the policy " + policyName(arn) + " of the role " + strings.Trim(c.role.Name, "{}") +
				" is not in the template"
			if strings.Contains(arn, ofAWS) {
				r.notice(text + ", and is taken as one that lets nobody call APIs")
				continue
			}
			r.unread(text + ": what it allows is not known")
		}
	}
}

func policyName(arn string) string {
	return strings.Trim(arn[strings.LastIndexByte(arn, '/')+1:], "{}")
}
