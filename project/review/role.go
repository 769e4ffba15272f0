package review

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/project/amplifycli"
)

// rolePart is what the template of a function says next to the statements of its policies of who
// may call it, or of what it may do.
type rolePart struct {
	kind string
	// exact is a text for comparing, shown one for people.
	exact, shown string
}

// The kinds of parts. Anyone who may take the role of a function may do all that it may.
const (
	managedPart  = "managed policy"
	boundaryPart = "boundary"
	trustPart    = "trust"
	callerPart   = "caller"
	urlPart      = "url"
)

// roleParts lists them for a function; none for nil.
func roleParts(f *amplifycli.Function) (parts []rolePart) {
	if f == nil {
		return nil
	}
	for _, r := range f.Template.Resources() {
		exists, known := f.Resolver.Exists(&r)
		if known && !exists {
			continue
		}
		guard := ""
		if !known {
			guard = r.Condition + f.Template.Definitions(r.Condition)
		}
		add := func(kind string, v cfn.Value) {
			if v.Kind != cfn.Null || !v.Known() {
				parts = append(parts, rolePart{kind, f.Template.Exact(v) + guard, valueWords(v)})
			}
		}
		switch r.Type {
		case "AWS::IAM::Role":
			arns := f.Resolver.Resolve(r.Properties.Get("ManagedPolicyArns"))
			if arns.Kind != cfn.List {
				add(managedPart, arns)
			}
			for _, arn := range arns.List {
				add(managedPart, arn)
			}
			add(boundaryPart, f.Resolver.Resolve(r.Properties.Get("PermissionsBoundary")))
			add(trustPart, f.Resolver.Resolve(r.Properties.Get("AssumeRolePolicyDocument")))
		case "AWS::Lambda::Permission":
			if ofSchedule(f.Template, r.Properties) {
				continue
			}
			add(callerPart, f.Resolver.Resolve(r.Properties))
		case "AWS::Lambda::Url":
			add(urlPart, f.Resolver.Resolve(r.Properties))
		}
	}
	return parts
}

// ofSchedule reports whether a permission is for a schedule of the template alone.
func ofSchedule(t *cfn.Template, permission *cfn.Node) bool {
	principal, source := permission.Get("Principal"), permission.Get("SourceArn", "Fn::GetAtt")
	if principal == nil || principal.Text != "events.amazonaws.com" || source == nil || len(source.Items) == 0 {
		return false
	}
	rule := t.Resource(source.Items[0].Text)
	return rule != nil && rule.Type == "AWS::Events::Rule" && rule.Properties.Get("ScheduleExpression") != nil &&
		rule.Properties.Get("EventPattern") == nil
}

// valueWords shows a value in a sentence: a text, or what is in the member of a map that says the most of callers.
func valueWords(v cfn.Value) string {
	for _, name := range []string{"Principal", "AuthType"} {
		if member, ok := v.Get(name); ok {
			v = member
		}
	}
	return patternOf(v).String()
}

// openedRole says what opens by what roleParts lists.
func openedRole(was, is *amplifycli.Function) []string {
	had, has := roleParts(was), roleParts(is)
	missing := func(all []rolePart, one rolePart) bool {
		return !slices.ContainsFunc(all, func(o rolePart) bool { return o.kind == one.kind && o.exact == one.exact })
	}
	shown := make(map[string][]string)
	for _, one := range has {
		if missing(had, one) && !(one.kind == managedPart && slices.Contains(cfn.Running, one.shown)) {
			shown[one.kind] = append(shown[one.kind], one.shown)
		}
	}
	var all []string
	add := func(kind, text string) {
		if named := shown[kind]; len(named) > 0 {
			slices.Sort(named)
			all = append(all, text+phrase.Enumerated(slices.Compact(named)))
		}
	}
	add(managedPart, "has a new managed policy: ")
	add(callerPart, "may be called by new callers: ")
	add(urlPart, "has a new or changed URL of its own, with the sign-in ")
	if was != nil && len(shown[trustPart]) > 0 {
		all = append(all, "has a role that new callers may assume, or under different conditions")
	}
	for _, one := range had {
		switch {
		case is == nil || !missing(has, one):
		case one.kind == boundaryPart:
			all = append(all, "no longer has the permissions boundary "+one.shown)
		case one.kind == managedPart && !allowsOnly(one.shown):
			all = append(all, "no longer has the managed policy "+one.shown+", which may have denied something")
		}
	}
	return all
}

// allowsOnly reports whether a managed policy is one of AWS that denies nothing, by its name: those
// that deny say so (https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html).
func allowsOnly(arn string) bool {
	return strings.HasPrefix(arn, "arn:aws:iam::aws:policy/") && !strings.Contains(arn, "Deny") &&
		!strings.Contains(arn, "Quarantine")
}
