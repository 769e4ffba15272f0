package cfn

import "strings"

// Kind says what a Node or a Value is.
type Kind uint8

// The kinds of nodes and values. A date of YAML is a String, because a template means the
// text, as in 2012-10-17.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map

	// absent is what AWS::NoValue gives: the member or item with it is left out. No value
	// that leaves this package has it.
	absent
)

// String returns what a message calls the kind.
func (k Kind) String() string {
	switch k {
	case Bool:
		return "true or false"
	case Number:
		return "a number"
	case String:
		return "a text"
	case List:
		return "a list"
	case Map:
		return "a map"
	default:
		return "null"
	}
}

// Node is a value as the template has it. Functions have their long form, in YAML too: the
// node of !Ref X is the map {"Ref": "X"}, and Fn::GetAtt has a list of two.
type Node struct {
	Kind Kind
	// Text is a scalar as it is written, numbers too; "" for Null. Bools are "true" and
	// "false" in each spelling of YAML.
	Text string
	// Items are those of a List.
	Items []*Node
	// Members are those of a Map, in their order; no name comes twice.
	Members []Member
	// Line and Column are the place in the file, from 1, in characters; 0 in a node that a
	// program made.
	Line, Column int
	// Pointer is the place in the template (RFC 6901), with functions in their long form.
	Pointer string
	// later makes the node whenever it is read, instead of it being kept; nil for one that is there.
	later func() *Node
}

// Member is a name in a map with its value.
type Member struct {
	Name  string
	Value *Node
	// Line and Column are the place of the name, as those of a Node.
	Line, Column int
}

// Get follows names through maps. It returns nil if there is nothing; n may be nil.
func (n *Node) Get(names ...string) *Node {
	for _, name := range names {
		n = n.member(name)
	}
	return n
}

func (n *Node) member(name string) *Node {
	for _, m := range n.members() {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

func (n *Node) members() []Member {
	if n == nil || n.Kind != Map {
		return nil
	}
	return n.there().Members
}

// there returns the node with what it has.
func (n *Node) there() *Node {
	if n.later != nil {
		return n.later()
	}
	return n
}

// text returns the text of a String, and "" for anything else.
func (n *Node) text() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// function returns the name of the function that a node is, with what it is called with.
func (n *Node) function() (name string, argument *Node, ok bool) {
	if n.Kind != Map || len(n.Members) != 1 {
		return "", nil, false
	}
	m := n.Members[0]
	return m.Name, m.Value, m.Name == "Ref" || strings.HasPrefix(m.Name, "Fn::")
}
