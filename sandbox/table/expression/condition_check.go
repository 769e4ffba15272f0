package expression

import (
	"encoding/base64"
	"strings"

	"gatewright/sandbox/table/attribute"
)

// mostChoices is the maximum of operands of IN (the service's quota).
const mostChoices = 100

// checkCondition refuses well-formed conditions that are invalid, in the order of the
// service's checks, and resolves the placeholders.
func (s *source) checkCondition(root *term, n *Names) error {
	if s.redundant {
		return attribute.Invalid("The expression has redundant parentheses;")
	}
	if err := s.tooMany(); err != nil {
		return err
	}
	for _, check := range []func(*term) error{unknownFunction, checkUse} {
		if err := first(root, check); err != nil {
			return err
		}
	}
	if root.form == callForm && root.word == "size" {
		return misuse(root)
	}
	for _, check := range []func(*term) error{reservedName, tooDeep} {
		if err := first(root, check); err != nil {
			return err
		}
	}
	return checkEach(root, n)
}

// first is the first refusal of a check, in the order of the text.
func first(root *term, check func(*term) error) error {
	var found error
	root.walk(func(t *term) {
		if found == nil {
			found = check(t)
		}
	})
	return found
}

var operandCounts = map[string]int{
	"attribute_exists": 1, "attribute_not_exists": 1, "attribute_type": 2, "begins_with": 2, "contains": 2, "size": 1,
}

func unknownFunction(t *term) error {
	if t.form == callForm && operandCounts[t.word] == 0 {
		if setFunctions[t.word] {
			return attribute.Invalid("The function is not allowed in a condition expression; function: %s", t.word)
		}
		return attribute.Invalid("Invalid function name; function: %s", t.word)
	}
	return nil
}

// checkUse refuses functions other than size as operands, and size as a condition.
func checkUse(t *term) error {
	for _, arg := range t.args {
		logical := t.form == andForm || t.form == orForm || t.form == notForm
		if arg.form == callForm && (arg.word == "size") == logical {
			return misuse(arg)
		}
	}
	return nil
}

func misuse(t *term) error {
	return attribute.Invalid("The function is not allowed to be used this way in an expression; function: %s", t.word)
}

// checkEach runs all checks on one comparison or function before it goes on to the next.
func checkEach(t *term, n *Names) error {
	switch t.form {
	case andForm, orForm, notForm:
		for _, arg := range t.args {
			if err := checkEach(arg, n); err != nil {
				return err
			}
		}
		return nil
	}
	r := &resolution{names: n}
	t.walk(r.term)
	if r.first != nil {
		return r.first
	}
	for _, check := range []func(*term) error{checkCount, checkDistinct, checkKinds} {
		if err := innermost(t, check); err != nil {
			return err
		}
	}
	return nil
}

// innermost is the first refusal of a check that visits arguments before their function.
func innermost(t *term, check func(*term) error) error {
	for _, arg := range t.args {
		if err := innermost(arg, check); err != nil {
			return err
		}
	}
	return check(t)
}

func checkCount(t *term) error {
	switch {
	case t.form == callForm && len(t.args) != operandCounts[t.word]:
		return operandCount(t)
	case t.form == inForm && len(t.args)-1 > mostChoices:
		return attribute.Invalid("The IN operator is provided with too many operands; number of operands: %d", len(t.args)-1)
	}
	return nil
}

// checkDistinct refuses a path that is compared with itself.
func checkDistinct(t *term) error {
	if t.form == pathForm || t.form == valueForm || t.args[0].form != pathForm {
		return nil
	}
	path := t.args[0].path
	for _, arg := range t.args[1:] {
		if arg.form == pathForm && len(arg.path) == len(path) && path.relation(arg.path) == "overlap" {
			return attribute.Invalid("The first operand must be distinct from the remaining operands for this operator or "+
				"function; operator: %s, first operand: %s", t.word, path)
		}
	}
	return nil
}

// checkKinds refuses operands whose type is known and wrong.
func checkKinds(t *term) error {
	switch t.form {
	case compareForm:
		if t.word == "=" || t.word == "<>" {
			return nil
		}
		return checkOrdered(t)
	case betweenForm:
		if err := checkOrdered(t); err != nil {
			return err
		}
		return checkBounds(t.args[1], t.args[2])
	case callForm:
		return checkCall(t)
	}
	return nil
}

// checkOrdered refuses operands of types without an order.
func checkOrdered(t *term) error {
	for _, arg := range t.args {
		switch kind := arg.kindOf(); kind {
		case 0, attribute.S, attribute.N, attribute.B:
		default:
			return operandKind(t.word, kind.String())
		}
	}
	return nil
}

func checkBounds(low, high *term) error {
	if low.form != valueForm || high.form != valueForm {
		return nil
	}
	order, same := attribute.Compare(low.value, high.value)
	problem := "upper bound to be greater than or equal to lower bound"
	switch {
	case !same:
		problem = "same data type for lower and upper bounds"
	case order <= 0:
		return nil
	}
	return attribute.Invalid("The BETWEEN operator requires %s; lower bound operand: AttributeValue: {%s}, upper bound "+
		"operand: AttributeValue: {%s}",
		problem, boundText(low.value), boundText(high.value))
}

// boundText is a value as in the messages about BETWEEN.
func boundText(v *attribute.Value) string {
	if v.Kind == attribute.B {
		return "B:" + base64.StdEncoding.EncodeToString(v.Bytes)
	}
	return v.Kind.String() + ":" + v.Text
}

func checkCall(t *term) error {
	switch t.word {
	case "attribute_exists", "attribute_not_exists", "attribute_type":
		if t.args[0].form != pathForm {
			return needsPath(t.word)
		}
		if t.word == "attribute_type" {
			return checkType(t)
		}
	case "begins_with":
		for _, arg := range t.args {
			switch kind := arg.kindOf(); kind {
			case 0, attribute.S, attribute.B:
			default:
				return operandKind(t.word, kind.String())
			}
		}
	case "size":
		switch kind := t.args[0].kindOf(); kind {
		case attribute.N, attribute.BOOL, attribute.NULL:
			return operandKind(t.word, kind.String())
		}
	}
	return nil
}

// typeNames is in the order of the service's message.
const typeNames = "B,NULL,SS,BOOL,L,BS,N,NS,S,M"

func checkType(t *term) error {
	switch kind := t.args[1].kindOf(); kind {
	case attribute.S:
	case 0:
		return operandKind(t.word, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	default:
		return operandKind(t.word, kind.String())
	}
	if name := t.args[1].value.Text; name == "" || !strings.Contains(","+typeNames+",", ","+name+",") ||
		strings.Contains(name, ",") {
		return attribute.Invalid("Invalid attribute type name found; type: %s, valid types: {%s}", name, typeNames)
	}
	return nil
}
