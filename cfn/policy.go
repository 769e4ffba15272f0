package cfn

import "strings"

// Statement is a statement of a policy
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html).
type Statement struct {
	Effect string
	// Actions and Resources are patterns; a part that could not be worked out is an
	// asterisk in them, and Partly is set.
	Actions, Resources []string
	// NotAction and NotResource mean that the statement is about everything but its
	// Actions or Resources.
	NotAction, NotResource bool
	Partly                 bool
}

// Statements returns the statements of a policy document. One that could not be worked
// out has an empty Effect.
func Statements(document Value) []Statement {
	list, found := document.Get("Statement")
	if !found {
		return nil
	}
	items := list.List
	if list.Kind != List {
		items = []Value{list}
	}
	var statements []Statement
	for _, item := range items {
		s := Statement{Partly: !item.Known()}
		effect, _ := item.Get("Effect")
		s.Effect, _ = effect.String()
		if actions, ok := item.Get("Action"); ok {
			s.Actions = patterns(actions)
		} else if actions, ok := item.Get("NotAction"); ok {
			s.Actions, s.NotAction = patterns(actions), true
		}
		if resources, ok := item.Get("Resource"); ok {
			s.Resources = patterns(resources)
		} else if resources, ok := item.Get("NotResource"); ok {
			s.Resources, s.NotResource = patterns(resources), true
		}
		statements = append(statements, s)
	}
	return statements
}

// patterns returns one text, or those of a list, with lists inside of it.
func patterns(v Value) []string {
	if v.Kind != List {
		return []string{v.Pattern()}
	}
	var all []string
	for _, item := range v.List {
		all = append(all, patterns(item)...)
	}
	return all
}

// MatchAction reports whether a pattern with * and ? matches an action, such as
// dynamodb:GetItem. Case does not count.
func MatchAction(pattern, action string) bool {
	return match(strings.ToLower(pattern), strings.ToLower(action))
}

// MatchResource reports whether a pattern with * and ? matches an ARN.
func MatchResource(pattern, arn string) bool { return match(pattern, arn) }

// match goes back only to the last asterisk, so it takes no more than the product of the
// lengths.
func match(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
