package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// invocations are what calls a function beside any API, or makes that possible.
var invocations = []string{
	"lambda:InvokeFunction", "lambda:InvokeAsync", "lambda:InvokeFunctionUrl", "lambda:UpdateFunctionCode",
	"lambda:AddPermission",
}

// roleDoors finds the roles that may call a function themselves: those of callers, and others that
// people can take.
func (r *reader) roleDoors(f *function) {
	callers := r.callersOf()
	for _, c := range callers {
		if action, direction := r.direct(c.role.Statements, f); action != "" {
			r.door(Door{
				Of: f.words(), function: f.id, Who: c.words, By: "the role " + strings.Trim(c.role.Name, "{}"),
				Direction: direction, Why: "its policies allow " + action,
			}, "")
		}
	}
	r.each(func(s *stack, of *cfn.Resource) {
		if of.Type != "AWS::IAM::Role" || !s.takenByPeople(of) {
			return
		}
		name, _ := s.reference(of)
		if slices.ContainsFunc(callers, func(c callerRole) bool { return c.role.Name == name }) {
			return
		}
		if action, direction := r.direct(r.role(name).Statements, f); action != "" {
			r.door(Door{
				Of: f.words(), function: f.id, Who: "whoever may take it", By: "the role " + s.name(of),
				Direction: direction, Why: "its policies allow " + action,
			}, s.sometimes(of))
		}
	})
}

// takenByPeople reports whether a role is for others than services of AWS.
func (s *stack) takenByPeople(of *cfn.Resource) bool {
	all, _ := s.resolver.Resolve(of.Properties.Get("AssumeRolePolicyDocument")).Get("Statement")
	return slices.ContainsFunc(cfn.StatementList(all), func(one cfn.Statement) bool {
		principal, _ := one.Value.Get("Principal")
		_, service := principal.Get("Service")
		return !service || len(principal.Members) > 1
	})
}

// direct says whether statements allow to call a function, by which action; "" is for no.
func (r *reader) direct(statements []cfn.Statement, f *function) (action string, direction Direction) {
	for _, one := range invocations {
		if one == "lambda:InvokeFunctionUrl" && !r.hasURL(f.id, func(string) bool { return true }) {
			continue
		}
		var allowed, denied bool
		var perhapsAllowed, perhapsDenied bool
		for _, s := range statements {
			about, sure := r.concerns(s, one, f)
			if deny := s.Effect == "Deny"; about {
				denied, allowed = denied || deny && sure, allowed || !deny && sure
				perhapsDenied, perhapsAllowed = perhapsDenied || deny, perhapsAllowed || !deny
			}
		}
		switch {
		case denied:
		case allowed && !perhapsDenied:
			return one, More
		case perhapsAllowed && action == "":
			action, direction = one, Unknown
		}
	}
	return action, direction
}

// concerns reports whether a statement is about an action on a function, and whether that is sure.
func (r *reader) concerns(s cfn.Statement, action string, f *function) (about, sure bool) {
	sure = !s.Conditional && !s.Partly && s.Effect != "*"
	if s.Effect == "*" && len(s.Actions) == 0 {
		return true, false
	}
	named := slices.ContainsFunc(s.Actions, func(a string) bool { return cfn.MatchAction(a, action) })
	if named == s.NotAction {
		return false, false
	}
	reaches, perhaps := false, false
	for _, pattern := range s.Resources {
		yes, maybe := r.reaches(pattern, f)
		reaches, perhaps = reaches || yes, perhaps || maybe
	}
	if s.NotResource {
		return !reaches, sure && !perhaps
	}
	return reaches || perhaps, sure && reaches
}

// reaches reports whether a pattern of a policy covers a function; perhaps says that this depends
// on the name that a deployment gives it.
func (r *reader) reaches(pattern string, f *function) (yes, perhaps bool) {
	fields, at := strings.SplitN(pattern, ":", 6), r.d.place
	switch {
	case f.named(pattern):
		return true, false
	case len(fields) < 6:
		return cfn.MatchResource(pattern, "arn:aws:lambda:r:a:function:f"), false
	case !cfn.MatchResource(fields[2], "lambda"):
		return false, false
	case at != nil && (!cfn.MatchResource(fields[3], at.Region) || !cfn.MatchResource(fields[4], at.Account)):
		return false, false
	}
	// No name that somebody writes has that character.
	name := f.name
	if name == "" {
		name, perhaps = "\x00", strings.Contains(fields[5], "*")
	}
	if cfn.MatchResource(fields[5], "function:"+name) || cfn.MatchResource(fields[5], "function:"+name+":v") {
		return true, false
	}
	return false, perhaps
}

// widened finds what the role of a function may do that no definition of a project gives it:
// everything, or everything of a service.
func (r *reader) widened(f *function) {
	name := f.role[strings.LastIndexByte(f.role, '/')+1:]
	statements, policies := f.statements, slices.Clone(f.policies)
	if role := r.roles[name]; role != nil && name != "" {
		statements, policies = append(slices.Clone(statements), role.Statements...), append(policies, r.outside[name]...)
	}
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
		case !one.Known() && one.Kind != cfn.Map:
			r.notice("what the role of " + f.words() + " may do is not in the template")
		}
	}
}
