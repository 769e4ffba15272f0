package expression

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
)

// comparisonOperators are the operators of legacy conditions with the number of their
// values, in the order of the service's message.
var comparisonOperators = []struct {
	name        string
	least, most int
}{
	{"IN", 1, 1 << 30},
	{"NULL", 0, 0},
	{"BETWEEN", 2, 2},
	{"LT", 1, 1},
	{"NOT_CONTAINS", 1, 1},
	{"EQ", 1, 1},
	{"GT", 1, 1},
	{"NOT_NULL", 0, 0},
	{"NE", 1, 1},
	{"LE", 1, 1},
	{"BEGINS_WITH", 1, 1},
	{"GE", 1, 1},
	{"CONTAINS", 1, 1},
}

// legacyCondition is one condition of KeyConditions, QueryFilter, ScanFilter or Expected.
type legacyCondition struct {
	Operator *string          `json:"ComparisonOperator"`
	Raw      []jsontext.Value `json:"AttributeValueList"`
	Value    jsontext.Value   `json:"Value"`
	Exists   *bool            `json:"Exists"`

	values []*attribute.Value
}

// legacyConditions reads conditions by attribute. It also returns the attributes sorted, for
// messages that do not vary.
func legacyConditions(raw jsontext.Value) (map[string]*legacyCondition, []string, error) {
	if !present(raw) {
		return nil, nil, nil
	}
	var conditions map[string]*legacyCondition
	if err := unmarshal(raw, &conditions); err != nil {
		return nil, nil, err
	}
	names := slices.Sorted(maps.Keys(conditions))
	for _, name := range names {
		c := conditions[name]
		if c == nil {
			return nil, nil, attribute.Invalid("The filter condition for an attribute cannot be null")
		}
		for _, raw := range c.Raw {
			v, err := attribute.ParseValue(raw)
			if err != nil {
				return nil, nil, err
			}
			c.values = append(c.values, v)
		}
	}
	return conditions, names, nil
}

// checkOperator refuses an unknown operator; parameter and name are its place in the message.
func (c *legacyCondition) checkOperator(parameter, name string) error {
	allowed := make([]string, len(comparisonOperators))
	for i, o := range comparisonOperators {
		allowed[i] = o.name
	}
	var broken constraint.Violations
	path := parameter + "." + name + ".member.comparisonOperator"
	broken.Require(c.Operator != nil, path)
	broken.Enum(c.Operator, path, allowed...)
	return attribute.Broken(&broken)
}

// checkOperandCount refuses a wrong number of values.
func checkOperandCount(operator string, count int) error {
	for _, o := range comparisonOperators {
		if o.name == operator && (count < o.least || count > o.most) {
			return attribute.InvalidParameter("Invalid number of argument(s) for the %s ComparisonOperator", operator)
		}
	}
	return nil
}

// checkSameKind refuses values of different types.
func checkSameKind(values []*attribute.Value) error {
	for _, v := range values {
		if v.Kind != values[0].Kind {
			return attribute.InvalidParameter("AttributeValues inside AttributeValueList must be of same type")
		}
	}
	return nil
}

// checkOrder refuses a lower bound above the upper bound.
func checkOrder(operator string, values []*attribute.Value) error {
	if operator == "BETWEEN" {
		if order, ok := attribute.Compare(values[0], values[1]); ok && order > 0 {
			return attribute.Invalid("The BETWEEN condition was provided a range where the lower bound is greater than " +
				"the upper bound")
		}
	}
	return nil
}

// checkOperands refuses values that the operator does not accept.
func checkOperands(operator string, values []*attribute.Value) error {
	if err := checkOperandCount(operator, len(values)); err != nil {
		return err
	}
	if err := checkSameKind(values); err != nil {
		return err
	}
	for _, v := range values {
		if !accepts(operator, v.Kind) {
			return attribute.InvalidParameter("ComparisonOperator %s is not valid for %s AttributeValue type", operator, v.Kind)
		}
	}
	return checkOrder(operator, values)
}

// accepts reports whether an operator accepts values of a type (API reference, Condition).
func accepts(operator string, kind attribute.Kind) bool {
	switch kind {
	case attribute.S, attribute.B:
		return true
	case attribute.N:
		return operator != "BEGINS_WITH"
	default:
		return operator == "EQ" || operator == "NE"
	}
}

// term returns the condition as an expression.
func (c *legacyCondition) term(name string) *term {
	path := &term{form: pathForm, path: Path{{name, -1}}}
	args := []*term{path}
	for _, v := range c.values {
		args = append(args, &term{form: valueForm, value: v})
	}
	call := func(word string) *term { return &term{form: callForm, word: word, args: args} }
	switch *c.Operator {
	case "NULL":
		return call("attribute_not_exists")
	case "NOT_NULL":
		return call("attribute_exists")
	case "CONTAINS":
		return call("contains")
	case "BEGINS_WITH":
		return call("begins_with")
	case "NOT_CONTAINS":
		exists := &term{form: callForm, word: "attribute_exists", args: args[:1]}
		return &term{form: andForm, args: []*term{exists, {form: notForm, args: []*term{call("contains")}}}}
	case "IN":
		return &term{form: inForm, args: args}
	case "BETWEEN":
		return &term{form: betweenForm, args: args}
	case "NE":
		return &term{form: compareForm, word: "<>", args: args}
	default:
		return &term{form: compareForm, word: rangeOperators[*c.Operator], args: args}
	}
}

// join combines conditions: with OR if operator is "OR", else with AND.
func join(terms []*term, operator string) *Condition {
	form := andForm
	if operator == "OR" {
		form = orForm
	}
	root := terms[0]
	for _, t := range terms[1:] {
		root = &term{form: form, args: []*term{root, t}}
	}
	return newCondition(root)
}

// checkConditional refuses a ConditionalOperator with fewer than two conditions.
func checkConditional(operator string, count int) error {
	switch {
	case operator == "":
		return nil
	case count == 0:
		return attribute.Invalid("ConditionalOperator cannot be used without Filter or Expected")
	case count == 1:
		return attribute.Invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	}
	return nil
}
