package expression

import (
	"gatewright/sandbox/table/attribute"
)

// KeyCondition selects one partition, and all of it or a range.
type KeyCondition struct {
	Partition *attribute.Value
	Sort      *Range // nil for every sort key
}

// Range is a condition on a sort key.
type Range struct {
	Op   string           // =, <, <=, >, >=, between, begins_with
	Low  *attribute.Value // the only value, except for between
	High *attribute.Value // of between
}

// Holds reports whether a sort key is in the range. A nil range has every key.
func (r *Range) Holds(key *attribute.Value) bool {
	switch {
	case r == nil:
		return true
	case key == nil:
		return false
	case r.Op == "between":
		return compared(">=", key, r.Low) && compared("<=", key, r.High)
	case r.Op == "begins_with":
		return beginsWith(key, r.Low)
	}
	return compared(r.Op, key, r.Low)
}

// ParseKeyCondition parses a KeyConditionExpression for the keys of a table or an index;
// sort is "" if there is no sort key. It does not check the types of the values.
func ParseKeyCondition(text string, n *Names, partition, sort string) (KeyCondition, error) {
	root, err := parseCondition(text, n)
	if err != nil {
		return KeyCondition{}, prefixed("KeyConditionExpression", err)
	}
	found := &keyConditions{ranges: map[string]*Range{}}
	if err := found.add(root); err != nil {
		return KeyCondition{}, err
	}
	for _, name := range found.names {
		if err := checkOperands(found.ranges[name].operator(), found.ranges[name].values()); err != nil {
			return KeyCondition{}, err
		}
	}
	return found.forKey(partition, sort)
}

// keyConditions are conditions on attributes, one each.
type keyConditions struct {
	names  []string // in the order of the request
	ranges map[string]*Range
}

// flipped is the operator of the same comparison with its operands swapped.
var flipped = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// add collects the conditions of a tree, and refuses those that an index cannot answer.
func (k *keyConditions) add(t *term) error {
	switch {
	case t.form == orForm, t.form == notForm, t.form == inForm, t.form == compareForm && t.word == "<>":
		return attribute.Invalid("Invalid operator used in KeyConditionExpression: %s", t.word)
	case t.form == callForm && t.word == "size":
		return attribute.Invalid("KeyConditionExpressions cannot contain nested operations")
	case t.form == callForm && t.word != "begins_with":
		return attribute.Invalid("Invalid operator used in KeyConditionExpression: %s", t.word)
	case (t.form == betweenForm || t.form == callForm) && t.args[0].form != pathForm:
		return attribute.Invalid("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as "+
			"its first operand", t.word)
	}
	name, at := "", 0
	for i, arg := range t.args {
		switch arg.form {
		case valueForm:
		case pathForm:
			if name != "" {
				return attribute.Invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in " +
					"one condition")
			}
			if len(arg.path) > 1 {
				return attribute.Invalid("KeyConditionExpressions cannot have conditions on nested attributes")
			}
			name, at = arg.path[0].Name, i
		default:
			if err := k.add(arg); err != nil {
				return err
			}
		}
	}
	if t.form == andForm {
		return nil
	}
	if name == "" {
		return attribute.Invalid("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	if k.ranges[name] != nil {
		return attribute.Invalid("KeyConditionExpressions must only contain one condition per key")
	}
	k.names = append(k.names, name)
	k.ranges[name] = rangeOf(t, at)
	return nil
}

// rangeOf is the range of a comparison; at is the index of the key among its operands.
func rangeOf(t *term, at int) *Range {
	switch t.form {
	case betweenForm:
		return &Range{Op: "between", Low: t.args[1].value, High: t.args[2].value}
	case callForm:
		return &Range{Op: "begins_with", Low: t.args[1].value}
	}
	if at == 1 {
		return &Range{Op: flipped[t.word], Low: t.args[0].value}
	}
	return &Range{Op: t.word, Low: t.args[1].value}
}

func (r *Range) values() []*attribute.Value {
	if r.High != nil {
		return []*attribute.Value{r.Low, r.High}
	}
	return []*attribute.Value{r.Low}
}

// operator is the legacy name of the range's operator, which messages use.
func (r *Range) operator() string {
	for name, op := range rangeOperators {
		if op == r.Op {
			return name
		}
	}
	return ""
}

// rangeOperators are the operators of ranges by their legacy names.
var rangeOperators = map[string]string{
	"EQ": "=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "BETWEEN": "between", "BEGINS_WITH": "begins_with",
}

// forKey returns the conditions as a condition on a key. It refuses conditions on other
// attributes, and anything but equality on the partition key.
func (k *keyConditions) forKey(partition, sort string) (KeyCondition, error) {
	switch {
	case len(k.names) != 1 && len(k.names) != 2:
		return KeyCondition{}, attribute.Invalid("Conditions can be of length 1 or 2 only")
	case sort == "" && len(k.names) > 1:
		return KeyCondition{}, attribute.Invalid("Query key condition not supported")
	case k.ranges[partition] == nil:
		return KeyCondition{}, attribute.Invalid("Query condition missed key schema element: %s", partition)
	case len(k.names) > 1 && k.ranges[sort] == nil:
		return KeyCondition{}, attribute.Invalid("Query condition missed key schema element: %s", sort)
	case k.ranges[partition].Op != "=":
		return KeyCondition{}, attribute.Invalid("Query key condition not supported")
	}
	out := KeyCondition{Partition: k.ranges[partition].Low}
	if len(k.names) > 1 {
		out.Sort = k.ranges[sort]
	}
	return out, nil
}
