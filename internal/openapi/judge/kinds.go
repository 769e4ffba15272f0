package judge

import (
	"strings"

	"gatewright/internal/cfn"
)

// Kinds is a set of the types of JSON Schema.
type Kinds uint8

// The types. A number without a fraction is an integer and a number.
const (
	Null Kinds = 1 << iota
	Boolean
	Integer
	Number
	String
	Array
	Object

	// All has all types.
	All = Null | Boolean | Integer | Number | String | Array | Object
)

var kindNames = []struct {
	kind        Kinds
	name, shown string
}{
	{Null, "null", "null"},
	{Boolean, "boolean", "a boolean"},
	{Integer, "integer", "an integer"},
	{Number, "number", "a number"},
	{String, "string", "a string"},
	{Array, "array", "an array"},
	{Object, "object", "an object"},
}

// KindNamed returns the type with a name of JSON Schema, such as integer; 0 for none.
func KindNamed(name string) Kinds {
	for _, k := range kindNames {
		if k.name == name {
			return k.kind
		}
	}
	return 0
}

// KindsOf returns the types of a value: Integer and Number for a number without a fraction.
func KindsOf(v *cfn.Node) Kinds {
	switch v.Kind {
	case cfn.Bool:
		return Boolean
	case cfn.Number:
		if d, ok := ParseDecimal(v.Text); ok && d.Whole() {
			return Integer | Number
		}
		return Number
	case cfn.String:
		return String
	case cfn.List:
		return Array
	case cfn.Map:
		return Object
	}
	return Null
}

// String names the types in a sentence: "an integer or null". Of Integer and Number it names
// the first.
func (k Kinds) String() string {
	var names []string
	for _, n := range kindNames {
		if k&n.kind != 0 && (n.kind != Number || k&Integer == 0) {
			names = append(names, n.shown)
		}
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
