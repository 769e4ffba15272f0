package review

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/project/amplifycli"
)

// clause is a statement of the policies of a function, read for comparing it with those of another state.
type clause struct {
	// effect is Allow or Deny, or "*" if only a deployment knows it.
	effect             string
	actions, resources patterns
	// guard is under what there is the statement, in a text for comparing; "" if it always applies.
	guard string
	// exact is the statement as a whole, in a text for comparing.
	exact string
}

// patterns are those of the element Action or Resource; not says that it is about all others.
type patterns struct {
	not bool
	all []pattern
}

// pattern is one with * and ?. What only a deployment knows stands as a symbol in the text, or is a *,
// and then why says what that is; "" if there is no such *. match is the text in the letters that count,
// exact a text for comparing, and at where it is written.
type pattern struct{ text, match, exact, why, at string }

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
		if one.why != "" {
			one.exact = t.Exact(item)
		}
		found.all = append(found.all, one)
	}
	return found
}

// patternOf reads a pattern, except for what is compared exactly.
func patternOf(v cfn.Value) pattern {
	one := pattern{text: v.Pattern(), match: v.Pattern(), exact: v.Pattern(), at: v.Pointer}
	for _, unknown := range v.Unknown {
		if one.why == "" && (unknown.Symbol == "" || v.Kind != cfn.String) {
			one.why = unknown.What
		}
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

// places says where the element is written.
func (p patterns) places() string {
	text := ""
	for _, one := range p.all {
		text += one.at + " "
	}
	return text
}

// listed shows the patterns one by one, but those of all others together.
func (p patterns) listed() []string {
	all := make([]string, len(p.all))
	for i, one := range p.all {
		all[i] = one.String()
	}
	if p.not {
		return []string{"anything but " + phrase.List(all)}
	}
	return all
}

// family is what patterns of a resource and of what is below it have in common.
func (p patterns) family() string {
	if p.not || len(p.all) != 1 {
		return p.exact()
	}
	text := strings.TrimSuffix(p.all[0].text, "*")
	for _, end := range []string{"/index/", "/stream/", "/", ":"} {
		if above, below := strings.CutSuffix(text, end); below && len(text) < len(p.all[0].text) {
			return above
		}
	}
	return p.all[0].text
}

// String quotes the pattern, of an ARN in the account itself its last part, and says what only a deployment
// knows of it.
func (p pattern) String() string {
	text := p.text
	parts := strings.SplitN(anywhere.Replace(text), ":", arnParts)
	if len(parts) == arnParts && parts[3]+parts[4] == "" && strings.Trim(parts[5], "*/") != "" {
		text = parts[5]
	}
	if p.why == "" {
		return phrase.Quote(text)
	}
	return phrase.Quote(text) + " (" + p.why + ")"
}

// arnParts are the parts of the ARN of a resource: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
const arnParts = 6

// anywhere takes out of an ARN what says that it is of the account itself.
var anywhere = strings.NewReplacer("${AWS::Region}", "", "${AWS::AccountId}", "", "${AWS::Partition}", "aws",
	":*:*:", ":::")
