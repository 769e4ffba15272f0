package read

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"

	"gatewright/model"
	"gatewright/project/document"
)

// Reader takes values out of a JSON file. A value of the wrong kind is a problem at
// its place, and counts as missing. Unknown keys are ignored.
type Reader struct {
	File     *File
	Problems *[]*Problem
	// Outside says that the file is not part of the project, so that nothing keeps the members that are not used.
	Outside bool
}

// warn adds a warning at a place of the file.
func (r *Reader) warn(pointer, fix, text string, args ...any) {
	*r.Problems = append(*r.Problems, r.File.Problem(model.Warning, pointer, fix, text, args...))
}

// unused notes a member that this program does not use.
func (r *Reader) unused(pointer string) {
	text := "is kept but ignored"
	if r.Outside {
		text = "is ignored and not imported"
	}
	*r.Problems = append(*r.Problems, r.File.Problem(model.Note, pointer, "", "%s", text))
}

// Root is the value of the whole file.
func (r *Reader) Root() document.Node { return r.File.Doc.Root() }

// fail adds an error at a place of the file.
func (r *Reader) fail(pointer, fix, text string, args ...any) {
	*r.Problems = append(*r.Problems, r.File.Problem(model.Error, pointer, fix, text, args...))
}

// WrongKind adds the error of a value of another kind than is wanted.
func (r *Reader) WrongKind(pointer, want string, n document.Node) {
	r.fail(pointer, "write "+want, "expected %s, found %s", want, KindOf(n))
}

// KindOf names the kind of a value in a sentence: "an object", "null".
func KindOf(n document.Node) string {
	switch n.Kind() {
	case document.Null:
		return "null"
	case document.Array, document.Object:
		return "an " + n.Kind().String()
	}
	return "a " + n.Kind().String()
}

// object returns the object at a key; ok is false if there is none.
func (r *Reader) object(n document.Node, pointer, key string) (document.Node, bool) {
	v, ok := n.Get(key)
	if !ok {
		return v, false
	}
	if v.Kind() != document.Object {
		r.WrongKind(pointer+"/"+model.PointerSegment(key), "an object", v)
		return v, false
	}
	return v, true
}

// Text returns the text at a key; "" if there is none.
func (r *Reader) Text(n document.Node, pointer, key string) string {
	v, ok := n.Get(key)
	if !ok {
		return ""
	}
	if v.Kind() != document.String {
		r.WrongKind(pointer+"/"+model.PointerSegment(key), "a string", v)
		return ""
	}
	return v.Text()
}

// Number returns the whole number at a key; 0 if there is none.
func (r *Reader) Number(n document.Node, pointer, key string) int {
	v, ok := n.Get(key)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	if v.Kind() != document.Number || err != nil || f != float64(int32(f)) {
		r.WrongKind(pointer+"/"+model.PointerSegment(key), "a whole number", v)
		return 0
	}
	return int(f)
}

// Boolean returns the truth value at a key; false if there is none.
func (r *Reader) Boolean(n document.Node, pointer, key string) bool {
	v, ok := n.Get(key)
	if !ok {
		return false
	}
	if v.Kind() != document.Bool {
		r.WrongKind(pointer+"/"+model.PointerSegment(key), "true or false", v)
		return false
	}
	return v.Bool()
}

// Texts reads a list of strings at a key of the file's root: nil if there is none,
// empty if the file has an empty list.
func (r *Reader) Texts(n document.Node, key string) []string { return r.textsAt(n, "", key) }

func (r *Reader) textsAt(n document.Node, within, key string) []string {
	pointer := within + "/" + model.PointerSegment(key)
	v, ok := n.Get(key)
	if !ok {
		return nil
	}
	if v.Kind() != document.Array {
		r.WrongKind(pointer, "an array", v)
		return nil
	}
	list := make([]string, 0, v.Len())
	for i, item := range v.Elements() {
		if item.Kind() != document.String {
			r.WrongKind(fmt.Sprintf("%s/%d", pointer, i), "a string", item)
			continue
		}
		list = append(list, item.Text())
	}
	return list
}

// variables reads an object of strings at a key.
func (r *Reader) variables(n document.Node, pointer, key string) []model.Variable {
	v, ok := r.object(n, pointer, key)
	if !ok {
		return nil
	}
	pointer += "/" + model.PointerSegment(key)
	var list []model.Variable
	for name, value := range v.Members() {
		if value.Kind() != document.String {
			r.WrongKind(pointer+"/"+model.PointerSegment(name), "a string", value)
			continue
		}
		list = append(list, model.Variable{Name: name, Value: value.Text()})
	}
	return list
}

// Into decodes an object into a definition, by case-sensitive names. It ignores
// unknown keys, which the schema refuses.
func (r *Reader) Into(n document.Node, pointer string, definition any) {
	if n.Kind() != document.Object {
		r.WrongKind(pointer, "an object", n)
		return
	}
	err := json.Unmarshal(n.Raw(), definition)
	var wrong *json.SemanticError
	switch {
	case err == nil:
	case errors.As(err, &wrong):
		r.fail(pointer+string(wrong.JSONPointer), "write what the schema says", "found a value of the wrong type")
	default:
		r.fail(pointer, "write what the schema says", "%s", err)
	}
}

// shape is the kind of a cli-inputs.json.
type shape uint8

const (
	restAPI shape = iota
	LegacyShape
	OtherAPI
)

// ShapeOf tells the cli-inputs.json of a REST API from an older api-params.json and
// from the cli-inputs.json of other categories.
func ShapeOf(root document.Node) shape {
	paths, ok := root.Get("paths")
	if _, graphQL := root.Get("serviceConfiguration"); graphQL && !ok {
		return OtherAPI
	}
	if _, versioned := root.Get("version"); ok && !versioned && paths.Kind() == document.Array {
		return LegacyShape
	}
	return restAPI
}
