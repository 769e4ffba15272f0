package table

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// checkExpressions refuses a request that combines expressions with legacy parameters, or
// has names or values without an expression that could use them. needValues are the
// expressions that may use values.
func checkExpressions(m members, expressions, legacy, needValues []string) error {
	present := func(names []string) []string {
		var out []string
		for _, name := range names {
			if m.has(name) {
				out = append(out, name)
			}
		}
		return out
	}
	used := present(expressions)
	if len(used) > 0 {
		old := present(legacy)
		// The service accepts KeyConditions together with a FilterExpression.
		if m.has("KeyConditions") && !m.has("KeyConditionExpression") {
			old = without(old, "KeyConditions")
		}
		if len(old) > 0 {
			return attribute.Invalid("Can not use both expression and non-expression parameters in the same request: "+
				"Non-expression parameters: {%s} Expression parameters: {%s}", strings.Join(old, ", "), strings.Join(used, ", "))
		}
	}
	if len(used) == 0 && m.has("ExpressionAttributeNames") {
		return attribute.Invalid("ExpressionAttributeNames can only be specified when using expressions")
	}
	if len(needValues) > 0 && len(present(needValues)) == 0 && m.has("ExpressionAttributeValues") {
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

// expressionNames reads ExpressionAttributeNames and ExpressionAttributeValues.
func expressionNames(m members) (*expression.Names, error) {
	n := new(expression.Names)
	names, err := m.object("ExpressionAttributeNames", mapOf("java.lang.String"))
	if err != nil {
		return nil, err
	}
	values, err := m.object("ExpressionAttributeValues", mapOf("AttributeValue"))
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
		if !isPlaceholder(e.name, '#') {
			return nil, attribute.Invalid("ExpressionAttributeNames contains invalid key: Syntax error; key: \"%s\"", e.name)
		}
		if n.Names[e.name], err = textOf(e.value); err != nil {
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
		if !isPlaceholder(e.name, ':') {
			return nil, attribute.Invalid("ExpressionAttributeValues contains invalid key: Syntax error; key: \"%s\"", e.name)
		}
		v, err := attribute.ParseValue(e.value)
		if err != nil {
			if refused, ok := err.(*attribute.Error); ok && refused.Code == "ValidationException" {
				err = attribute.Invalid("ExpressionAttributeValues contains invalid value: %s for key %s", refused.Message, e.name)
			}
			return nil, err
		}
		n.Values[e.name] = v
	}
	return n, nil
}

// isPlaceholder reports whether a text is # or : and letters, digits or underscores.
func isPlaceholder(text string, first byte) bool {
	return len(text) > 1 && text[0] == first && constraint.IsWord(text[1:], "_")
}

// parseItem reads a map of attribute values, nil if absent.
func parseItem(m members, name string) (attribute.Item, error) {
	v := m.raw(name)
	if v == nil {
		return nil, nil
	}
	if err := mapOf("AttributeValue").check(v); err != nil {
		return nil, err
	}
	return attribute.ParseItem(v)
}

// readCondition reads the condition in an expression or its legacy form, nil if both are
// absent.
func readCondition(m members, parameter, legacy string, n *expression.Names) (*expression.Condition, error) {
	text, err := m.text(parameter)
	if err != nil {
		return nil, err
	}
	if text != nil {
		return expression.ParseCondition(parameter, *text, n)
	}
	v := m.raw(legacy)
	if v == nil {
		return nil, nil
	}
	operator, err := m.text("ConditionalOperator")
	switch {
	case err != nil:
		return nil, err
	case legacy == "Expected":
		return expression.FromExpected(v, orEmpty(operator))
	}
	return expression.FromFilter(legacy, v, orEmpty(operator))
}

// projected reads ProjectionExpression or its legacy form, AttributesToGet; nil is all
// attributes.
func projected(m members, n *expression.Names) (expression.Projection, error) {
	text, err := m.text("ProjectionExpression")
	if err != nil {
		return nil, err
	}
	if text != nil {
		return expression.ParseProjection(*text, n)
	}
	names, err := m.texts("AttributesToGet")
	if err != nil || names == nil {
		return nil, err
	}
	return expression.FromAttributesToGet(names)
}

// attributesToGet checks the length of AttributesToGet.
func (c *checks) attributesToGet(m members, path string) {
	if names := c.texts(m, "AttributesToGet"); names != nil {
		c.Count(len(names), "["+strings.Join(names, ", ")+"]", path, 1, 255)
	}
}

// orEmpty is a text, "" if it is absent.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// shownList is a list as the service shows it in a refusal.
func shownList(list []jsontext.Value) string { return fmt.Sprintf("%s", list) }
