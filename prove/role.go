package prove

import (
	"slices"
	"strings"

	"gatewright/cfn"
)

// knownPolicies are policies of AWS that let a role call APIs. See
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
var knownPolicies = []string{"AdministratorAccess", "PowerUserAccess", "AmazonAPIGatewayInvokeFullAccess"}

// managedPolicy reads the policies that roles refer to.
func (r *reader) managedPolicy(s *stack, of *cfn.Resource) {
	if of.Type == "AWS::IAM::ManagedPolicy" {
		arn, _ := s.reference(of)
		r.managed[arn] = s.statements(of.Properties.Get("PolicyDocument"))
	}
}

func (s *stack) statements(document *cfn.Node) []cfn.Statement {
	return cfn.Statements(s.resolver.Resolve(document))
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
	switch of.Type {
	case "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy":
		for _, name := range s.resolver.Resolve(of.Properties.Get("Roles")).List {
			r.grant(name.Pattern(), s.statements(of.Properties.Get("PolicyDocument")))
		}
	case "AWS::IAM::RolePolicy":
		if name, ok := s.text(of.Properties.Get("RoleName")); ok {
			r.grant(name, s.statements(of.Properties.Get("PolicyDocument")))
		}
	case "AWS::IAM::Role":
		name, _ := s.reference(of)
		for _, policy := range s.resolver.Resolve(of.Properties.Get("Policies")).List {
			if document, ok := policy.Get("PolicyDocument"); ok {
				r.grant(name, cfn.Statements(document))
			}
		}
		for _, arn := range s.resolver.Resolve(of.Properties.Get("ManagedPolicyArns")).List {
			r.attach(name, arn.Pattern())
		}
	}
}

func (r *reader) grant(role string, statements []cfn.Statement) {
	to := r.role(role)
	to.Statements = append(to.Statements, statements...)
}

func (r *reader) attach(role, arn string) {
	if statements, ok := r.managed[arn]; ok {
		r.grant(role, statements)
		return
	}
	name := arn[strings.LastIndexByte(arn, '/')+1:]
	if slices.Contains(knownPolicies, name) {
		r.grant(role, []cfn.Statement{{Effect: "Allow", Actions: []string{"*"}, Resources: []string{"*"}}})
		return
	}
	r.unknown[role] = append(r.unknown[role], name)
}

// noticeUnknown tells which policies of the callers' roles are not in the template.
func (r *reader) noticeUnknown() {
	roles := []string{r.d.SignedIn.Name, r.d.Guest.Name}
	for _, g := range r.d.Groups {
		if g.Role != nil {
			roles = append(roles, g.Role.Name)
		}
	}
	for _, role := range roles {
		for _, name := range r.unknown[role] {
			r.notice("the policy " + name + " of the role " + strings.Trim(role, "{}") + " is not in the template, and is taken as one that lets nobody call APIs")
		}
	}
}

// who finds whose roles those are.
func (r *reader) who() {
	var signedIn, guest string
	mapped, attached := false, false
	r.each(func(s *stack, of *cfn.Resource) {
		if of.Type != "AWS::Cognito::IdentityPoolRoleAttachment" {
			return
		}
		attached = true
		roles := s.resolver.Resolve(of.Properties.Get("Roles"))
		if v, ok := roles.Get("authenticated"); ok {
			signedIn = v.Pattern()
		}
		if v, ok := roles.Get("unauthenticated"); ok {
			guest = v.Pattern()
		}
		mapped = mapped || of.Properties.Get("RoleMappings") != nil
	})
	r.groups(mapped || !attached)
	if !attached {
		// The templates of the Amplify CLI's first generation leave the roles to the root
		// stack and name them in parameters.
		signedIn, guest = r.named("authrole"), r.named("unauthrole")
	}
	if r.guestsOff() {
		guest = ""
	}
	if signedIn != "" {
		r.d.SignedIn = *r.role(signedIn)
	}
	if guest != "" {
		r.d.Guest = *r.role(guest)
	}
	r.noticeUnknown()
}

// guestsOff reports whether an identity pool of the template refuses guests.
func (r *reader) guestsOff() bool {
	off := false
	r.each(func(s *stack, of *cfn.Resource) {
		if of.Type == "AWS::Cognito::IdentityPool" {
			v, ok := s.text(of.Properties.Get("AllowUnauthenticatedIdentities"))
			off = off || ok && v == "false"
		}
	})
	return off
}

// named finds a role whose name says what it is for: authRoleName or amplify-app-authRole.
func (r *reader) named(word string) string {
	for name := range r.roles {
		plain := plainly(name)
		if strings.Contains(plain, word) && (word != "authrole" || !strings.Contains(plain, "unauthrole")) && !strings.Contains(plain, "group") {
			return name
		}
	}
	return ""
}

// groups finds the groups of the pool and their roles. mapped says that the identity pool
// gives members the roles of their groups.
func (r *reader) groups(mapped bool) {
	type ranked struct {
		Group
		rank string
	}
	var all []ranked
	own := false
	r.each(func(s *stack, of *cfn.Resource) {
		if of.Type != "AWS::Cognito::UserPoolGroup" {
			return
		}
		g := ranked{Group: Group{Name: s.textOr(of.Properties.Get("GroupName"), of.ID)}, rank: s.textOr(of.Properties.Get("Precedence"), "")}
		if arn, ok := s.text(of.Properties.Get("RoleArn")); ok && (mapped || strings.HasSuffix(arn, g.Name+groupRole)) {
			g.Role, own = r.role(arn), true
		}
		// With zeros in front, texts sort as numbers; a group without one comes last.
		if g.rank == "" {
			g.rank = "~"
		} else {
			g.rank = strings.Repeat("0", max(0, 10-len(g.rank))) + g.rank
		}
		all = append(all, g)
	})
	slices.SortStableFunc(all, func(x, y ranked) int { return strings.Compare(x.rank, y.rank) })
	for _, g := range all {
		r.d.Groups = append(r.d.Groups, g.Group)
	}
	if len(all) > 0 && !own {
		r.notice("the identity pool has no role mappings, so that members of groups act as signed-in users")
	}
	for _, name := range sortedRoles(r.roles) {
		_, of, symbolic := strings.Cut(name, "}-")
		if !symbolic {
			of = name[strings.LastIndexByte(name, '-')+1:]
		}
		group, ok := strings.CutSuffix(of, groupRole)
		known := slices.ContainsFunc(r.d.Groups, func(g Group) bool { return g.Name == group })
		if ok && group != "" && !known && !strings.ContainsAny(group, "{}") {
			r.d.Groups = append(r.d.Groups, Group{Name: group, Role: r.roles[name]})
		}
	}
}

// groupRole ends the name that the Amplify CLI gives the role of a group: <user
// pool>-<group>GroupRole. Members get it by a function of that tool, not by role mappings.
const groupRole = "GroupRole"

func sortedRoles(roles map[string]*Role) []string {
	var names []string
	for name := range roles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
