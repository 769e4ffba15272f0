package review

import (
	"slices"
	"strings"

	"gatewright/cfn"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplifycli"
)

// policies says what a function of an Amplify CLI project may do by the policies in its template
// and by its custom-policies.json: a sentence for each pair of an action and a resource. What
// only a deployment knows is a * in it.
func policies(p *project.Project, function string) []string {
	values := amplifycli.ValuesOf(p, p.Backend.For(nil), amplifycli.Deployment{WithoutSecrets: true})
	f := values.Function(function)
	if f == nil {
		return nil
	}
	var all []string
	for _, s := range f.Statements {
		all = append(all, grants(s)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// grants are the sentences for a statement that allows something.
func grants(s cfn.Statement) []string {
	if s.Effect != "Allow" && s.Effect != "*" {
		return nil
	}
	except := func(not bool, patterns []string) []string {
		if !not {
			return patterns
		}
		return []string{"anything but " + model.QuoteList(patterns)}
	}
	under := ""
	if s.Conditional {
		under = ", under conditions"
	}
	var all []string
	for _, action := range except(s.NotAction, s.Actions) {
		for _, resource := range except(s.NotResource, s.Resources) {
			all = append(all, shown(action)+" on "+shown(resource)+under)
		}
	}
	return all
}

// shown quotes a pattern, but for the words of except.
func shown(text string) string {
	if strings.HasPrefix(text, "anything but ") {
		return text
	}
	return model.Quote(text)
}

// newPolicies says which policies a function of an Amplify CLI project has in head and not in
// base, which may be nil.
func newPolicies(base, head *project.Project, function string) []string {
	if head == nil || head.Layout != project.Amplify || head.Backend.Function(function) == nil {
		return nil
	}
	var had []string
	if base != nil && base.Layout == project.Amplify && base.Backend.Function(function) != nil {
		had = policies(base, function)
	}
	return slices.DeleteFunc(policies(head, function), func(text string) bool {
		always, _ := strings.CutSuffix(text, ", under conditions")
		return slices.Contains(had, text) || slices.Contains(had, always)
	})
}

// signsUpAlone reports whether the template of the user pool of an Amplify CLI project lets
// people sign up by themselves; known is false if there is no such template. See AllowAdminCreateUserOnly in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-cognito-userpool-admincreateuserconfig.html
func signsUpAlone(p *project.Project) (alone, known bool) {
	if p == nil {
		return false, false
	}
	for _, name := range p.AmplifyResources("auth") {
		template := p.AmplifyTemplate("auth", name)
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
