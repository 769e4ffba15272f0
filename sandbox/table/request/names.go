package request

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// CheckExpressions refuses a request that combines expressions with legacy parameters, or has names or values
// without an expression that could use them. needValues are the expressions that may use values.
func CheckExpressions(m Members, expressions, legacy, needValues []string) error {
	present := func(names []string) []string {
		var out []string
		for _, name := range names {
			if m.Has(name) {
				out = append(out, name)
			}
		}
		return out
	}
	used := present(expressions)
	if len(used) > 0 {
		old := present(legacy)
		// The service accepts KeyConditions together with a FilterExpression.
		if m.Has("KeyConditions") && !m.Has("KeyConditionExpression") {
			old = without(old, "KeyConditions")
		}
		if len(old) > 0 {
			return attribute.Invalid("Can not use both expression and non-expression parameters in the same request: "+
				"Non-expression parameters: {%s} Expression parameters: {%s}", strings.Join(old, ", "), strings.Join(used, ", "))
		}
	}
	if len(used) == 0 && m.Has("ExpressionAttributeNames") {
		return attribute.Invalid("ExpressionAttributeNames can only be specified when using expressions")
	}
	if len(needValues) > 0 && len(present(needValues)) == 0 && m.Has("ExpressionAttributeValues") {
		is := "is"
		if len(needValues) > 1 {
			is = "are"
		}
		return attribute.Invalid("ExpressionAttributeValues can only be specified when using expressions: %s %s null",
			strings.Join(needValues, " and "), is)
	}
	return nil
}

func without(list []string, name string) []string {
	var out []string
	for _, l := range list {
		if l != name {
			out = append(out, l)
		}
	}
	return out
}

// ExpressionNames reads ExpressionAttributeNames and ExpressionAttributeValues.
func ExpressionNames(m Members) (*expression.Names, error) {
	n := new(expression.Names)
	names, err := m.Object("ExpressionAttributeNames", MapOf("java.lang.String"))
	if err != nil {
		return nil, err
	}
	values, err := m.Object("ExpressionAttributeValues", MapOf("AttributeValue"))
	if err != nil {
		return nil, err
	}
	if names != nil {
		if len(names) == 0 {
			return nil, attribute.Invalid("ExpressionAttributeNames must not be empty")
		}
		n.Names = make(map[string]string, len(names))
	}
	for _, e := range names {
		if !isPlaceholder(e.Name, '#') {
			return nil, attribute.Invalid("ExpressionAttributeNames contains invalid key: Syntax error; key: \"%s\"", e.Name)
		}
		if n.Names[e.Name], err = textOf(e.Value); err != nil {
			return nil, err
		}
	}
	if values != nil {
		if len(values) == 0 {
			return nil, attribute.Invalid("ExpressionAttributeValues must not be empty")
		}
		n.Values = make(map[string]*attribute.Value, len(values))
	}
	for _, e := range values {
		if !isPlaceholder(e.Name, ':') {
			return nil, attribute.Invalid("ExpressionAttributeValues contains invalid key: Syntax error; key: \"%s\"", e.Name)
		}
		v, err := attribute.ParseValue(e.Value)
		if err != nil {
			if refused, ok := err.(*attribute.Error); ok && refused.Code == "ValidationException" {
				err = attribute.Invalid("ExpressionAttributeValues contains invalid value: %s for key %s", refused.Message, e.Name)
			}
			return nil, err
		}
		n.Values[e.Name] = v
	}
	return n, nil
}

// isPlaceholder reports whether a text is # or : and letters, digits or underscores.
func isPlaceholder(text string, first byte) bool {
	return len(text) > 1 && text[0] == first && constraint.IsWord(text[1:], "_")
}

// ParseItem reads a map of attribute values, nil if absent.
func ParseItem(m Members, name string) (attribute.Item, error) {
	v := m.Raw(name)
	if v == nil {
		return nil, nil
	}
	if err := MapOf("AttributeValue").Check(v); err != nil {
		return nil, err
	}
	return attribute.ParseItem(v)
}

// ReadCondition reads the condition in an expression or its legacy form, nil if both are
// absent.
func ReadCondition(m Members, parameter, legacy string, n *expression.Names) (*expression.Condition, error) {
	text, err := m.Text(parameter)
	if err != nil {
		return nil, err
	}
	if text != nil {
		return expression.ParseCondition(parameter, *text, n)
	}
	v := m.Raw(legacy)
	if v == nil {
		return nil, nil
	}
	operator, err := m.Text("ConditionalOperator")
	switch {
	case err != nil:
		return nil, err
	case legacy == "Expected":
		return expression.FromExpected(v, OrEmpty(operator))
	}
	return expression.FromFilter(legacy, v, OrEmpty(operator))
}

// Projected reads ProjectionExpression or its legacy form, AttributesToGet; nil is all
// attributes.
func Projected(m Members, n *expression.Names) (expression.Projection, error) {
	text, err := m.Text("ProjectionExpression")
	if err != nil {
		return nil, err
	}
	if text != nil {
		return expression.ParseProjection(*text, n)
	}
	names, err := m.Texts("AttributesToGet")
	if err != nil || names == nil {
		return nil, err
	}
	return expression.FromAttributesToGet(names)
}

// AttributesToGet checks the length of AttributesToGet.
func (c *Checks) AttributesToGet(m Members, path string) {
	if names := c.Texts(m, "AttributesToGet"); names != nil {
		c.Count(len(names), "["+strings.Join(names, ", ")+"]", path, 1, 255)
	}
}

// OrEmpty is a text, "" if it is absent.
func OrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// ShownList is a list as the service shows it in a refusal.
func ShownList(list []jsontext.Value) string { return fmt.Sprintf("%s", list) }
