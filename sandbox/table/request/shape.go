package request

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// Shape is the service's type of an object, which refusals name if the JSON is something
// else.
type Shape struct {
	kind shapeKind
	name string
}

type shapeKind uint8

const (
	requestShape shapeKind = iota
	structureShape
	elementShape
	mapShape
)

// Whole is the shape of what a request contains.
var Whole = Shape{}

// StructureOf is a structure of the service's model by its name.
func StructureOf(name string) Shape { return Shape{structureShape, name} }

// ElementOf is a structure in a list.
func ElementOf(name string) Shape { return Shape{elementShape, name} }

// MapOf is a map of structures.
func MapOf(name string) Shape { return Shape{mapShape, name} }

// Check refuses a text that is no object.
func (s Shape) Check(text []byte) error {
	kind := jsontext.Value(text).Kind()
	if kind == '{' {
		return nil
	}
	name := s.name
	if !strings.Contains(name, ".") {
		name = "com.amazonaws.dynamodb.v20120810." + name
	}
	switch {
	case s.kind == requestShape:
		return attribute.Unreadable("")
	case kind == '[' && s.kind == mapShape:
		return attribute.Unreadable("Unrecognized collection type java.util.Map<java.lang.String, %s>", name)
	case kind == '[':
		return attribute.Unreadable("Unrecognized collection type class %s", name)
	case s.kind == elementShape:
		return attribute.Unreadable("Unexpected value type in payload")
	}
	return attribute.Unreadable("Unexpected field type")
}
