package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// A condition is open if it compares a value that only a deployment knows with another one.
// What stands for such a value equals nothing else, so that the condition would seem to be
// decided. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-conditions.html

// waits returns what a condition waits for, as people call it; "" if it is decided.
func (s *stack) waits(condition string) string {
	if waits, known := s.conditions[condition]; known {
		return waits
	}
	// A condition that needs itself waits for itself.
	s.conditions[condition] = "the condition " + condition
	waits := s.waitsIn(s.template.Root.Get("Conditions", condition))
	if _, known := s.resolver.Condition(condition); !known && waits == "" {
		waits = "the condition " + condition
	}
	s.conditions[condition] = waits
	return waits
}

func (s *stack) waitsIn(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	if compared := n.Get("Fn::Equals"); compared != nil && len(compared.Items) == 2 {
		first, second := s.resolver.Resolve(compared.Items[0]), s.resolver.Resolve(compared.Items[1])
		if first.Known() && first.Text == second.Text {
			return ""
		}
		for _, text := range []string{first.Text, second.Text} {
			if _, after, open := strings.Cut(text, "{"); open {
				name, _, _ := strings.Cut(after, "}")
				return "the value of " + name
			}
		}
		return ""
	}
	if name := n.Get("Condition"); name != nil && name.Kind == cfn.String {
		return s.waits(name.Text)
	}
	for _, m := range n.Members {
		for _, item := range m.Value.Items {
			if waits := s.waitsIn(item); waits != "" {
				return waits
			}
		}
	}
	return ""
}

// sometimes returns what it waits for whether a resource is made; "" if it is certain.
func (s *stack) sometimes(of *cfn.Resource) string {
	if of.Condition == "" {
		return ""
	}
	return s.waits(of.Condition)
}

// chooses returns what the conditions in a node wait for; "" if they are decided.
func (s *stack) chooses(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	if choice := n.Get("Fn::If"); choice != nil && len(choice.Items) == 3 && choice.Items[0].Kind == cfn.String {
		if waits := s.waits(choice.Items[0].Text); waits != "" {
			return waits
		}
	}
	for _, item := range n.Items {
		if waits := s.chooses(item); waits != "" {
			return waits
		}
	}
	for _, m := range n.Members {
		if waits := s.chooses(m.Value); waits != "" {
			return waits
		}
	}
	return ""
}

// made reports whether a resource is made, or may be.
func (s *stack) made(of *cfn.Resource) bool {
	exists, known := s.resolver.Exists(of)
	return exists || !known || s.sometimes(of) != ""
}

// settled notes what the resource, or one of its properties, waits for.
func (r *reader) settled(s *stack, of *cfn.Resource, properties ...string) {
	waits := s.sometimes(of)
	for _, name := range properties {
		if waits == "" {
			waits = s.chooses(of.Properties.Get(name))
		}
	}
	if waits != "" {
		r.unread("what is made of " + s.name(of) + " depends on " + waits)
	}
}

// statements reads the policy document of a resource. Those that may not be there, or may
// be others, are doubtful.
func (s *stack) statements(of *cfn.Resource, document *cfn.Node) []cfn.Statement {
	return s.doubt(of, document, cfn.Statements(s.resolver.Resolve(document)))
}

// doubt marks statements that depend on what only a deployment knows.
func (s *stack) doubt(of *cfn.Resource, document *cfn.Node, statements []cfn.Statement) []cfn.Statement {
	if s.chooses(document) != "" {
		statements = append(slices.Clone(statements), unknown()...)
	}
	if s.sometimes(of) != "" {
		statements = partly(statements)
	}
	return statements
}
