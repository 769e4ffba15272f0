package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// widened finds what the role of a function may do that no definition of a project gives it:
// everything, or everything of a service.
func (r *reader) widened(f *function) {
	statements, policies := r.roleOf(f)
	d := Door{Of: f.words(), function: f.id, Direction: More}
	for _, s := range statements {
		everywhere := slices.Contains(s.Resources, "*") || s.NotResource
		wide := func(a string) bool { return a == "*" || strings.HasSuffix(a, ":*") }
		if s.Effect != "Allow" || !everywhere {
			continue
		}
		if i := slices.IndexFunc(s.Actions, wide); s.NotAction {
			d.Why = "its role may do nearly everything (NotAction)"
			r.door(d, "")
		} else if i >= 0 {
			d.Why = "its role may do " + s.Actions[i] + " with every resource"
			r.door(d, "")
		}
	}
	for _, policy := range policies {
		if name := policyName(policy); strings.HasSuffix(name, "FullAccess") {
			d.Why = "its role has the policy " + name
			r.door(d, "")
		}
	}
}

// serverlessRole reads the policies that SAM puts into the role of a function. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-function.html
func (r *reader) serverlessRole(s *stack, of *cfn.Resource, f *function) {
	if of.Properties.Get("Role") != nil {
		return
	}
	f.role = s.name(of) + "Role"
	value := s.resolver.Resolve(of.Properties.Get("Policies"))
	if value.Kind != cfn.List {
		value.List = []cfn.Value{value}
	}
	for _, one := range value.List {
		text, isText := one.String()
		switch _, document := one.Get("Statement"); {
		case isText && text != "":
			f.statements = append(f.statements, r.managedBy(text, f.key)...)
			f.policies = append(f.policies, r.outside[f.key]...)
		case document:
			f.statements = append(f.statements, cfn.Statements(one)...)
		case one.Kind == cfn.Map && len(one.Members) > 0:
			// A template of SAM, such as DynamoDBCrudPolicy.
			f.policies = append(f.policies, one.Members[0].Name)
		case !one.Known() && one.Kind != cfn.Map:
			r.notice("what the role of " + f.words() + " may do is not in the template")
		}
	}
}
