package prove

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// target is what a right is about: a function, or what says who may call one. kind begins the last
// part of its ARN, key what refers to it; name is its own, "" if only a deployment knows it.
type target struct{ service, kind, key, name string }

// control is a target with the actions on it that lead to a function. verb is what they do with it.
type control struct {
	target
	actions               []string
	words, function, verb string
}

// invocations are what calls a function without an API, or makes that possible.
var invocations = strings.Fields("lambda:InvokeFunction lambda:InvokeAsync lambda:InvokeFunctionUrl " +
	"lambda:UpdateFunctionCode lambda:AddPermission lambda:UpdateFunctionConfiguration " +
	"lambda:CreateFunctionUrlConfig lambda:UpdateFunctionUrlConfig lambda:CreateEventSourceMapping")

// changes are the actions that change who may call an API or a function, by what they are about. See
// https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
var changes = map[string]struct{ service, kind, words, actions string }{
	"AWS::ApiGateway::RestApi": {"apigateway", "/restapis/", "the API ", "PATCH PUT POST UpdateRestApiPolicy"},
	"AWS::IAM::Role": {
		"iam", "role/", "the role ",
		"PutRolePolicy AttachRolePolicy UpdateAssumeRolePolicy DeleteRolePolicy DetachRolePolicy PassRole AddUserToGroup " +
			"CreatePolicyVersion CreateAccessKey CreateLoginProfile UpdateLoginProfile PutUserPolicy AttachUserPolicy",
	},
	"AWS::Cognito::UserPool": {
		"cognito-idp", "userpool/", "the user pool ",
		"AdminAddUserToGroup AdminCreateUser AdminSetUserPassword AdminConfirmSignUp AdminUpdateUserAttributes CreateGroup " +
			"AdminLinkProviderForUser AdminResetUserPassword UpdateGroup UpdateUserPool CreateUserPoolClient " +
			"UpdateUserPoolClient CreateIdentityProvider UpdateIdentityProvider",
	},
	"AWS::Cognito::IdentityPool": {
		"cognito-identity", "identitypool/", "the identity pool ",
		"SetIdentityPoolRoles UpdateIdentityPool GetOpenIdTokenForDeveloperIdentity",
	},
}

// controls lists all targets.
func (r *reader) controls() (all []control) {
	for _, f := range r.functions {
		actions := slices.DeleteFunc(slices.Clone(invocations), func(action string) bool {
			return action == "lambda:InvokeFunctionUrl" && !r.hasURL(f.id, func(string) bool { return true })
		})
		all = append(all, control{f.target(), actions, f.words(), f.id, ""})
	}
	r.each(func(s *stack, of *cfn.Resource) {
		what, is := changes[strings.Replace(of.Type, serverlessAPI, "AWS::ApiGateway::RestApi", 1)]
		name, _ := s.reference(of)
		if !is || of.Type == "AWS::IAM::Role" && !r.ofProject(name) {
			return
		}
		if strings.Contains(name, "{") {
			name = ""
		}
		key := "{" + s.name(of)
		c := control{target{what.service, what.kind, key, name}, nil, what.words + s.name(of), "", "change"}
		for action := range strings.FieldsSeq(what.actions) {
			c.actions = append(c.actions, what.service+":"+action)
		}
		all = append(all, c)
	})
	return append(all, control{
		target{"cloudformation", "stack/", "{aws stack id", "{aws stack}"}, strings.Fields(`cloudformation:UpdateStack
			cloudformation:CreateChangeSet cloudformation:ExecuteChangeSet`), "the stack", "", "change",
	})
}

// direct says whether statements allow one of some actions on a target, and which; "" is for no.
func (r *reader) direct(statements []cfn.Statement, actions []string, t target) (action string, direction Direction) {
	for _, one := range actions {
		var allowed, denied, perhapsAllowed, perhapsDenied bool
		for _, s := range statements {
			about, sure := r.concerns(s, one, t)
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

// concerns reports whether a statement is about an action on a target, and whether that is sure.
func (r *reader) concerns(s cfn.Statement, action string, t target) (about, sure bool) {
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
		yes, maybe := r.reaches(pattern, t)
		reaches, perhaps = reaches || yes, perhaps || maybe
	}
	if s.NotResource {
		return !reaches, sure && !perhaps
	}
	return reaches || perhaps, sure && reaches
}

// reaches reports whether a pattern of a policy covers a target; perhaps says that this depends on the
// name that a deployment gives it, or on a value that it has.
func (r *reader) reaches(pattern string, t target) (yes, perhaps bool) {
	fields, at := strings.SplitN(pattern, ":", 6), r.d.place
	// No name that somebody writes has that character.
	name := cmp.Or(t.name, "\x00")
	switch {
	case strings.Contains(pattern, t.key+"}") || strings.Contains(pattern, t.key+"."):
		return true, false
	case len(fields) < 6:
		return cfn.MatchResource(pattern, "arn:aws:"+t.service+":r:a:"+t.kind+name), r.open(pattern)
	case !cfn.MatchResource(fields[2], t.service):
		return false, false
	case at != nil && (fields[3] != "" && !cfn.MatchResource(fields[3], at.Region) ||
		fields[4] != "" && !cfn.MatchResource(fields[4], at.Account)):
		return false, false
	}
	for _, part := range []string{"", ":v", "/resources/r"} {
		if cfn.MatchResource(fields[5], t.kind+name+part) {
			return true, false
		}
	}
	if rest, own := strings.CutPrefix(fields[5], t.kind+name); own && (rest == "" || rest[0] == ':' || rest[0] == '/') {
		return true, false
	}
	// What a pattern begins with may be the name that is not known.
	begins, _, some := strings.Cut(strings.ReplaceAll(fields[5], "?", "*"), "*")
	rest, longer := strings.CutPrefix(begins, t.kind)
	may := longer && !strings.ContainsAny(rest, ":/") || strings.HasPrefix(t.kind, begins)
	return false, t.name == "" && some && may || r.open(fields[5])
}
