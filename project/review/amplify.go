package review

import (
	"maps"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/amplifycli"
)

// openedFunction says what a function of an Amplify CLI project may do in head, or might, and not
// in base, in an environment, "" for any. Both may be nil.
func openedFunction(base, head *project.Project, function, environment string) []string {
	all := openedIn(base, head, function, environment)
	if environment != "" || base == nil || head == nil || head.Amplify == nil ||
		base.Amplify == nil {
		return all
	}
	for _, e := range head.Backend.Environments {
		if base.Backend.Environment(e.Name) == nil ||
			maps.Equal(base.Amplify.Parameters("function", function, e.Name),
				head.Amplify.Parameters("function", function, e.Name)) {
			continue
		}
		for _, text := range openedIn(base, head, function, e.Name) {
			if !slices.Contains(all, text) {
				all = append(all, text+", in environment "+phrase.Quote(e.Name))
			}
		}
	}
	return all
}

func openedIn(base, head *project.Project, function, environment string) []string {
	was, is := amplifyFunction(base, function, environment), amplifyFunction(head, function, environment)
	all := slices.Concat(openedPolicies(was, is), openedRole(was, is))
	if head != nil && head.Amplify != nil && head.Backend.Function(function) != nil {
		if _, err := head.Amplify.CustomPolicies(function); err != nil {
			all = append(all, "has policies that are not known: "+err.Error())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// openedPolicies says it by the policies.
func openedPolicies(was, is *amplifycli.Function) []string {
	had, has := policies(was), policies(is)
	var all []string
	for _, c := range has {
		if c.effect != deny {
			c.uncovered(allow, had, func(part clause, guarded bool) { all = append(all, part.gained(guarded)) })
		}
	}
	for _, c := range had {
		if c.effect != allow {
			c.uncovered(deny, has, func(part clause, guarded bool) { all = append(all, part.lost(guarded)) })
		}
	}
	return all
}

// The effects of a statement.
const (
	allow = "Allow"
	deny  = "Deny"
)

// gained says that a statement allows what none did. guarded says that one did under other
// conditions.
func (c clause) gained(guarded bool) string {
	text := "has a policy that it had not: "
	switch {
	case c.actions.isNone():
		return text + "a statement that only a deployment knows"
	case c.guard == "":
		return text + c.words()
	case guarded:
		return text + c.words() + ", under other conditions than before"
	}
	return text + c.words() + ", under conditions"
}

// lost says that a statement that denied something is gone. guarded says that another one denies
// the same under other conditions.
func (c clause) lost(guarded bool) string {
	switch {
	case c.actions.isNone():
		return "has a statement no longer, or another one, that only a deployment knows and that may deny something"
	case c.effect != deny:
		return "may be no longer denied " + c.words() + ", by a statement whose effect only a deployment knows"
	case guarded && c.guard == "":
		return "is denied " + c.words() + " only under conditions now"
	case guarded:
		return "is denied " + c.words() + " under other conditions than before"
	case c.guard != "":
		return "is no longer denied " + c.words() + ", under conditions"
	}
	return "is no longer denied " + c.words()
}

// words says what a statement is about.
func (c clause) words() string { return c.actions.words() + " on " + c.resources.words() }

// signsUpAlone reports whether the template of the user pool of an Amplify CLI project lets
// people sign up by themselves; known is false if there is no such template. See AllowAdminCreateUserOnly in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-cognito-userpool-admincreateuserconfig.html
func signsUpAlone(p *project.Project) (alone, known bool) {
	if p == nil {
		return false, false
	}
	for _, name := range p.Amplify.Resources("auth") {
		template := p.Amplify.Template("auth", name)
		if template == nil {
			continue
		}
		resolver := template.With(cfn.Given{})
		for _, r := range template.Resources() {
			if r.Type != "AWS::Cognito::UserPool" {
				continue
			}
			only := resolver.Resolve(r.Properties.Get("AdminCreateUserConfig", "AllowAdminCreateUserOnly"))
			return !only.Known() || only.Text != "true", true
		}
	}
	return false, false
}
