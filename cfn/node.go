package cfn

import "fmt"

// Kind is the kind of a Node or a Value.
type Kind uint8

// The kinds. A scalar of YAML that is neither null nor true nor false, nor a number, is
// a String.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// Node is a value of a template as it is written. Short forms of functions (!Ref) are
// read as their long forms.
type Node struct {
	Kind Kind
	// Text is the text of a scalar; a number is as written.
	Text string
	// Items are the items of a List, Members the members of a Map in their order.
	Items   []*Node
	Members []Member
	// Line and Column begin at 1. Pointer is a JSON pointer.
	Line, Column int
	Pointer      string
}

// Member is one member of a Map.
type Member struct {
	Name  string
	Value *Node
}

// Get returns the node that names lead to; nil if there is none. It may be called on
// nil.
func (n *Node) Get(names ...string) *Node {
	for _, name := range names {
		if n == nil || n.Kind != Map {
			return nil
		}
		var next *Node
		for _, m := range n.Members {
			if m.Name == name {
				next = m.Value
				break
			}
		}
		n = next
	}
	return n
}

// SyntaxError is why a text is no template.
type SyntaxError struct {
	File         string
	Line, Column int
	Text         string
}

// Error returns file:line:column and the text.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// The limits of a template: a cloud's template has at most 1 MB
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html).
const (
	largest   = 4 << 20
	mostNodes = 400_000
	deepest   = 100
)
