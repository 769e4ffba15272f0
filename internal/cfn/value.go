package cfn

// Value is what a node comes to: plain data, which callers do not change, because equal
// parts may be shared.
type Value struct {
	Kind Kind
	// Text is that of a scalar, as in Node. A String that is unknown has a * for each
	// unknown part, or its symbol; a value that is unknown as a whole is the String "*".
	Text string
	// List are the items of a List.
	List []Value
	// Members are those of a Map, in their order.
	Members []NamedValue
	// Unknown says what could not be worked out in it, with everything below it.
	Unknown []Unknown

	// Line, Column and Pointer are the place of the node that gave the value, as in Node;
	// zero if a caller made it.
	Line, Column int
	Pointer      string

	// node is the one that gave the value; nil if a caller made it.
	node *Node
}

// NamedValue is a member of a map.
type NamedValue struct {
	Name  string
	Value Value
}

// Unknown is a part that could not be worked out.
type Unknown struct {
	// Pointer, Line and Column are the place of the function, as in Node.
	Pointer      string
	Line, Column int
	// What is a phrase for people: `the parameter "env" has no value`.
	What string
	// Symbol is what stands in a text for the part, such as ${env} (see Given.Symbols); "" for a *.
	Symbol string
}

// Text returns the value of a text.
func Text(text string) Value {
	return Value{Kind: String, Text: text}
}

// Texts returns the value of a list of texts.
func Texts(texts ...string) Value {
	list := make([]Value, len(texts))
	for i, text := range texts {
		list[i] = Text(text)
	}
	return Value{Kind: List, List: list}
}

// Known reports whether nothing in the value is unknown.
func (v Value) Known() bool {
	return len(v.Unknown) == 0
}

// String returns the text of a scalar that is known.
func (v Value) String() (text string, ok bool) {
	return v.Text, v.Known() && v.scalar()
}

// Pattern returns the text of a scalar with a * for each unknown part, and "*" for
// anything else.
func (v Value) Pattern() string {
	if !v.scalar() {
		return "*"
	}
	return v.Text
}

// Get returns a member of a map.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

func (v Value) scalar() bool {
	return v.Kind == String || v.Kind == Number || v.Kind == Bool
}

// maxUnknown is how many unknown parts a value names.
const maxUnknown = 32

// add appends the unknown parts of another value that are not there yet.
func add(to, from []Unknown) []Unknown {
next:
	for _, u := range from {
		if len(to) >= maxUnknown {
			return to
		}
		for _, had := range to {
			if had == u {
				continue next
			}
		}
		// A full slice, so that values that share the beginning do not write into each
		// other.
		to = append(to[:len(to):len(to)], u)
	}
	return to
}
