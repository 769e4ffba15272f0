package check

import (
	"strings"

	"gatewright/model"
)

// HasDynamicReference reports whether a text has what AWS CloudFormation takes for a dynamic reference and replaces:
// {{resolve:SERVICE:KEY}}. It does so after the functions of a template, and has no way to write such a text itself.
// See https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
func HasDynamicReference(text string) bool {
	_, rest, begins := strings.Cut(text, "{{resolve:")
	return begins && strings.Contains(rest, "}}")
}

// HasDynamicReferenceText says what is wrong with a text that has a dynamic reference.
const HasDynamicReferenceText = "has a dynamic reference ({{resolve:...}}), which AWS CloudFormation would replace"

// DynamicReferences finds the values of variables in an environment that AWS
// CloudFormation would replace (HasDynamicReference).
func DynamicReferences(b *model.Backend, env *model.Environment) []*model.Problem {
	c := New(b)
	var problems []*model.Problem
	for _, f := range b.Functions {
		for _, v := range f.Environment {
			if p := c.checkDynamic(f, v.Value); p != nil && !replaces(env, f.Name, v.Name) {
				problems = append(problems, atVariable(p, f, v.Name))
			}
		}
	}
	for _, set := range env.Variables {
		f := b.Function(set.Function)
		for _, v := range set.Values {
			if f == nil {
				continue
			}
			if p := c.checkDynamic(f, v.Value); p != nil {
				problems = append(problems, atVariableIn(p, env, f.Name, v.Name))
			}
		}
	}
	return problems
}

// checkDynamic checks that a value of a function has no dynamic reference; nil if it has none.
// What it refers to may stand in one, but cannot begin or end it.
func (c *Checker) checkDynamic(f *model.Function, value string) *model.Problem {
	if !c.Defines(model.KindFunction) || !strings.Contains(value, "{{") {
		return nil
	}
	var text strings.Builder
	given := c.givenIn(nil, f)
	for _, part := range model.ValueParts(value, func(name string) bool { return given[name] != "" }) {
		text.WriteString(part.Text + part.Name)
	}
	if !HasDynamicReference(text.String()) {
		return nil
	}
	return &model.Problem{
		Text: HasDynamicReferenceText + ", while the sandbox passes it unchanged",
		Fix:  "make the variable a secret of the function, or let the function read the value with the AWS SDK",
	}
}
