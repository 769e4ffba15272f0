package document

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Invalid is the kind of the zero Node.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind's name in JSON: "object", "array", "string", "number", "boolean", "null", or "invalid".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	default:
		return "invalid"
	}
}

// Node is one value of a document. The zero Node is of kind Invalid, has no children and no bytes.
type Node struct {
	doc *Document
	id  uint32
}

func (n Node) valid() bool { return n.doc != nil }

// record returns the node's entry in the document, which must not be modified.
func (n Node) record() *node {
	if n.doc == nil {
		return &node{}
	}
	return &n.doc.nodes[n.id]
}

// Kind returns the kind of the value.
func (n Node) Kind() Kind { return n.record().kind }

// Len returns the number of members of an object or elements of an array, and 0 for every other kind.
func (n Node) Len() int { return int(n.record().count) }

// Offset returns the offset of the value in the file, in bytes.
func (n Node) Offset() int { return int(n.record().start) }

// Raw returns the value's bytes in the file. They are not a copy and must not be modified.
func (n Node) Raw() []byte {
	if n.doc == nil {
		return nil
	}
	r := n.record()
	return n.doc.src[r.start:r.end:r.end]
}

// Text returns the decoded text of a string, and "" for every other kind.
func (n Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return string(decode(n.Raw()))
}

// Bool reports whether the value is true.
func (n Node) Bool() bool { return n.Kind() == Bool && n.Raw()[0] == 't' }

// Members iterates over keys and values of an object, in the order of the file. Every other kind has none.
func (n Node) Members() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		if n.Kind() != Object {
			return
		}
		for child := range n.children() {
			if !yield(string(child.key()), child) {
				return
			}
		}
	}
}

// Elements iterates over positions and values of an array. Every other kind has none.
func (n Node) Elements() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		if n.Kind() != Array {
			return
		}
		i := 0
		for child := range n.children() {
			if !yield(i, child) {
				return
			}
			i++
		}
	}
}

// children iterates over members or elements alike.
func (n Node) children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		parent := n.record()
		for id := n.id + 1; id < parent.next; id = n.doc.nodes[id].next {
			if !yield(Node{doc: n.doc, id: id}) {
				return
			}
		}
	}
}

// key returns the decoded key of an object member.
func (n Node) key() []byte { return decode(n.rawKey()) }

// rawKey returns the key's bytes in the file, quotes included; it is empty if the node is not an object member.
func (n Node) rawKey() []byte {
	r := n.record()
	if r.key == r.keyEnd {
		return nil
	}
	return n.doc.src[r.key:r.keyEnd:r.keyEnd]
}

// decode returns the text of a JSON string that Parse accepted. Without escapes it is a part of quoted, else a copy.
func decode(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}
