package expression

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// FromFilter is the condition of QueryFilter or ScanFilter, nil if it is empty; kind is its
// name.
func FromFilter(kind string, raw jsontext.Value, conditionalOperator string) (*Condition, error) {
	return fromLegacy(raw, conditionalOperator, func(c *legacyCondition, name string) (*term, error) {
		if err := c.check(kind, name); err != nil {
			return nil, err
		}
		return c.term(name), nil
	})
}

// FromExpected is the condition of Expected, nil if it is empty.
func FromExpected(raw jsontext.Value, conditionalOperator string) (*Condition, error) {
	return fromLegacy(raw, conditionalOperator, (*legacyCondition).expected)
}

func fromLegacy(
	raw jsontext.Value, conditionalOperator string, toTerm func(c *legacyCondition, name string) (*term, error),
) (*Condition, error) {
	conditions, names, err := legacyConditions(raw)
	if err != nil {
		return nil, err
	}
	if err := checkConditional(conditionalOperator, len(names)); err != nil {
		return nil, err
	}
	var terms []*term
	for _, name := range names {
		t, err := toTerm(conditions[name], name)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	if terms == nil {
		return nil, nil
	}
	return join(terms, conditionalOperator), nil
}

// check refuses an invalid condition of a filter or a key.
func (c *legacyCondition) check(kind, name string) error {
	parameter := string(kind[0]|0x20) + kind[1:]
	if err := c.checkOperator(parameter, name); err != nil {
		return err
	}
	return checkOperands(*c.Operator, c.values)
}

// FromKeyConditions is the key condition of KeyConditions; sort is "" if there is no sort
// key.
func FromKeyConditions(raw jsontext.Value, partition, sort string) (KeyCondition, error) {
	conditions, names, err := legacyConditions(raw)
	if err != nil {
		return KeyCondition{}, err
	}
	found := &keyConditions{names: names, ranges: map[string]*Range{}}
	for _, name := range names {
		if err := conditions[name].check("KeyConditions", name); err != nil {
			return KeyCondition{}, err
		}
		found.ranges[name] = conditions[name].asRange()
	}
	// Conditions that are not ranges are refused only on key attributes.
	for _, key := range []string{partition, sort} {
		if slices.Contains(names, key) && found.ranges[key].Op == "" &&
			(key == partition || found.ranges[partition] != nil) && len(names) <= 2 {
			return KeyCondition{}, attribute.Invalid("Attempted conditional constraint is not an indexable operation")
		}
	}
	return found.forKey(partition, sort)
}

// asRange is the condition as a range of keys. Op is empty if it is not a range.
func (c *legacyCondition) asRange() *Range {
	r := &Range{Op: rangeOperators[*c.Operator]}
	if len(c.values) > 0 {
		r.Low = c.values[0]
	}
	if r.Op == "between" {
		r.High = c.values[1]
	}
	return r
}

// expected is a condition of Expected: an operator with values, or the even older Value and
// Exists.
func (c *legacyCondition) expected(name string) (*term, error) {
	hasValue := present(c.Value)
	if c.Raw != nil && hasValue {
		return nil, attribute.InvalidParameter("Value and AttributeValueList cannot be used together for Attribute: %s", name)
	}
	if hasValue {
		v, err := attribute.ParseValue(c.Value)
		if err != nil {
			return nil, err
		}
		c.values = []*attribute.Value{v}
	}
	if c.Operator != nil {
		return c.expectedComparison(name, hasValue)
	}
	if c.Raw != nil {
		return nil, attribute.InvalidParameter("AttributeValueList can only be used with a ComparisonOperator for "+
			"Attribute: %s", name)
	}
	operator := "EQ"
	switch exists := c.Exists == nil || *c.Exists; {
	case exists && !hasValue:
		given := "null"
		if c.Exists != nil {
			given = strconv.FormatBool(*c.Exists)
		}
		return nil, attribute.InvalidParameter("Value must be provided when Exists is %s for Attribute: %s", given, name)
	case !exists && hasValue:
		return nil, attribute.InvalidParameter("Value cannot be used when Exists is false for Attribute: %s", name)
	case !exists:
		operator = "NULL"
	}
	c.Operator = &operator
	return c.term(name), nil
}

func (c *legacyCondition) expectedComparison(name string, hasValue bool) (*term, error) {
	if err := c.checkOperator("expected", name); err != nil {
		return nil, err
	}
	operator := *c.Operator
	if c.Exists != nil {
		return nil, attribute.InvalidParameter("Exists and ComparisonOperator cannot be used together for Attribute: %s",
			name)
	}
	if operator != "NULL" && operator != "NOT_NULL" && c.Raw == nil && !hasValue {
		return nil, attribute.InvalidParameter("Value or AttributeValueList must be used with ComparisonOperator: %s for "+
			"Attribute: %s", operator, name)
	}
	if err := checkOperandCount(operator, len(c.values)); err != nil {
		return nil, err
	}
	if err := checkSameKind(c.values); err != nil {
		return nil, err
	}
	return c.term(name), checkOrder(operator, c.values)
}
