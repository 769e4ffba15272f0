package review

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/amplifycli"
)

// clause is a statement of the policies of a function, read for comparing it with those of
// another state.
type clause struct {
	// effect is Allow or Deny, or "*" if only a deployment knows it.
	effect             string
	actions, resources patterns
	// guard is under what there is the statement, in a text for comparing; "" if it always
	// applies.
	guard string
	// exact is the statement as a whole, in a text for comparing.
	exact string
}

// patterns are those of the element Action or Resource; not says that it is about all others.
type patterns struct {
	not bool
	all []pattern
}

// pattern is one with * and ?. What only a deployment knows is a * in the text, and why says
// what that is; "" if all is known. match is the text in the letters that count, and exact a
// text for comparing.
type pattern struct{ text, match, exact, why string }

// policies reads the policies of a function: those of its template and its custom-policies.json.
// There are none for nil.
func policies(f *amplifycli.Function) []clause {
	if f == nil {
		return nil
	}
	all := make([]clause, 0, len(f.Statements))
	for _, s := range f.Statements {
		all = append(all, clauseOf(f.Template, s))
	}
	return all
}

// amplifyFunction works out the template of a function of an Amplify CLI project in an
// environment, "" for any; nil if there is none, or it is a project of another layout.
func amplifyFunction(p *project.Project, function, environment string) *amplifycli.Function {
	if p == nil || p.Amplify == nil || p.Backend.Function(function) == nil {
		return nil
	}
	d := amplifycli.Deployment{Environment: environment, Name: environment, WithoutSecrets: true}
	return amplifycli.ValuesOf(p, p.Backend.For(nil), d).Function(function)
}

func clauseOf(t *cfn.Template, s cfn.Statement) clause {
	c := clause{effect: s.Effect}
	c.actions, c.resources = patternsOf(t, s.Value, "Action", s.NotAction),
		patternsOf(t, s.Value, "Resource", s.NotResource)
	for i, a := range c.actions.all {
		// The case of their letters does not count.
		c.actions.all[i].match = strings.ToLower(a.match)
		if a.why == "" {
			c.actions.all[i].exact = strings.ToLower(a.exact)
		}
	}
	if condition, ok := s.Value.Get("Condition"); ok {
		c.guard = "if " + t.Exact(condition)
	}
	if s.Condition != "" {
		c.guard += "\nonly " + s.Condition + t.Definitions(s.Condition)
	}
	effect, _ := s.Value.Get("Effect")
	c.exact = strings.Join([]string{t.Exact(effect), c.actions.exact(), c.resources.exact(), c.guard}, "\n")
	if len(c.actions.all) == 0 {
		c.exact += "\n" + t.Exact(s.Value)
	}
	return c
}

// patternsOf reads an element of a statement, or the one with Not before its name.
func patternsOf(t *cfn.Template, statement cfn.Value, name string, not bool) patterns {
	if not {
		name = "Not" + name
	}
	element, ok := statement.Get(name)
	if !ok {
		return patterns{}
	}
	items := []cfn.Value{element}
	if element.Kind == cfn.List {
		items = element.List
	}
	found := patterns{not: not}
	for _, item := range items {
		one := patternOf(item)
		one.exact = t.Exact(item)
		found.all = append(found.all, one)
	}
	return found
}

// patternOf reads a pattern, but for what is compared exactly.
func patternOf(v cfn.Value) pattern {
	one := pattern{text: v.Pattern(), match: v.Pattern()}
	if !v.Known() {
		one.why = v.Unknown[0].What
	}
	return one
}

func (p patterns) exact() string {
	var all []string
	for _, one := range p.all {
		all = append(all, one.exact)
	}
	slices.Sort(all)
	text := strings.Join(slices.Compact(all), "\n")
	if p.not {
		return "not " + text
	}
	return text
}

// words says what an element is about.
func (p patterns) words() string {
	var all []string
	for _, one := range p.all {
		all = append(all, one.String())
	}
	if p.not {
		return "anything but " + phrase.List(all)
	}
	return phrase.List(all)
}

// String quotes the pattern, and says what only a deployment knows of it.
func (p pattern) String() string {
	if p.why == "" {
		return phrase.Quote(p.text)
	}
	return phrase.Quote(p.text) + " (" + p.why + ")"
}
