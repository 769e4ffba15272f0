package expression

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"gatewright/sandbox/table/attribute"
)

// Condition is true or false of an item: a ConditionExpression, a FilterExpression or their
// legacy forms.
type Condition struct {
	root  *term
	paths Paths
}

// newCondition is the condition of a resolved tree.
func newCondition(root *term) *Condition {
	c := &Condition{root: root}
	root.walk(func(t *term) {
		if t.form == pathForm {
			c.paths = append(c.paths, t.path)
		}
	})
	return c
}

// Holds reports whether the condition is true of an item; a nil item does not exist. A nil
// condition is true.
func (c *Condition) Holds(item attribute.Item) bool { return c == nil || c.root.holds(item) }

// Names is the attributes that the condition reads, sorted, each once.
func (c *Condition) Names() []string { return c.Paths().Names() }

// Paths is the document paths that the condition reads, in the order of the text.
func (c *Condition) Paths() Paths {
	if c == nil {
		return nil
	}
	return c.paths
}

// holds evaluates a term that is true or false.
func (t *term) holds(item attribute.Item) bool {
	switch t.form {
	case andForm:
		return t.args[0].holds(item) && t.args[1].holds(item)
	case orForm:
		return t.args[0].holds(item) || t.args[1].holds(item)
	case notForm:
		return !t.args[0].holds(item)
	case compareForm:
		return compared(t.word, t.args[0].valueIn(item), t.args[1].valueIn(item))
	case betweenForm:
		v := t.args[0].valueIn(item)
		return compared(">=", v, t.args[1].valueIn(item)) && compared("<=", v, t.args[2].valueIn(item))
	case inForm:
		v := t.args[0].valueIn(item)
		return slices.ContainsFunc(t.args[1:], func(arg *term) bool { return attribute.Equal(v, arg.valueIn(item)) })
	case callForm:
		return t.holdsCall(item)
	}
	return false
}

// holdsCall evaluates a function other than size.
func (t *term) holdsCall(item attribute.Item) bool {
	v := t.args[0].valueIn(item)
	switch t.word {
	case "attribute_exists":
		return v != nil
	case "attribute_not_exists":
		return v == nil
	}
	other := t.args[1].valueIn(item)
	if v == nil || other == nil {
		return false
	}
	switch t.word {
	case "attribute_type":
		return v.Kind.String() == other.Text
	case "begins_with":
		return beginsWith(v, other)
	case "contains":
		return contains(v, other)
	}
	return false
}

// valueIn is the value of an operand, nil if the item has none.
func (t *term) valueIn(item attribute.Item) *attribute.Value {
	switch t.form {
	case pathForm:
		return t.path.valueIn(item)
	case valueForm:
		return t.value
	case callForm:
		return length(t.args[0].valueIn(item))
	}
	return nil
}

// compared evaluates a comparison. Absent values and values of different types are unequal,
// and neither less nor greater.
func compared(operator string, a, b *attribute.Value) bool {
	switch operator {
	case "=":
		return attribute.Equal(a, b)
	case "<>":
		return !attribute.Equal(a, b)
	}
	order, ok := attribute.Compare(a, b)
	if !ok {
		return false
	}
	switch operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	default:
		return order >= 0
	}
}

func beginsWith(v, prefix *attribute.Value) bool {
	switch {
	case v.Kind != prefix.Kind:
		return false
	case v.Kind == attribute.S:
		return strings.HasPrefix(v.Text, prefix.Text)
	case v.Kind == attribute.B:
		return bytes.HasPrefix(v.Bytes, prefix.Bytes)
	}
	return false
}

// contains reports whether a text or bytes contain a part, a set a member, or a list an
// element.
func contains(v, part *attribute.Value) bool {
	switch {
	case v.Kind == attribute.S && part.Kind == attribute.S:
		return strings.Contains(v.Text, part.Text)
	case v.Kind == attribute.B && part.Kind == attribute.B:
		return bytes.Contains(v.Bytes, part.Bytes)
	case v.Kind == attribute.SS && part.Kind == attribute.S, v.Kind == attribute.NS && part.Kind == attribute.N:
		return slices.Contains(v.Texts, part.Text)
	case v.Kind == attribute.BS && part.Kind == attribute.B:
		return slices.ContainsFunc(v.Blobs, func(blob []byte) bool { return bytes.Equal(blob, part.Bytes) })
	case v.Kind == attribute.L:
		return slices.ContainsFunc(v.List, func(e *attribute.Value) bool { return attribute.Equal(e, part) })
	}
	return false
}

// length is the result of size: bytes, members or elements; nil for values without a size.
func length(v *attribute.Value) *attribute.Value {
	if v == nil {
		return nil
	}
	n := 0
	switch v.Kind {
	case attribute.S:
		n = len(v.Text)
	case attribute.B:
		n = len(v.Bytes)
	case attribute.M:
		n = len(v.Map)
	case attribute.L:
		n = len(v.List)
	case attribute.SS, attribute.NS:
		n = len(v.Texts)
	case attribute.BS:
		n = len(v.Blobs)
	default:
		return nil
	}
	return &attribute.Value{Kind: attribute.N, Text: strconv.Itoa(n)}
}
