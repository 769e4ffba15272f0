package cfn

import (
	"fmt"
	"strconv"
	"strings"
)

// The limits of one call of Resolve, and of all conditions of a Resolver together.
const (
	// maxVisits is how many nodes are visited, and items made.
	maxVisits = 500_000
	// maxMade is how many bytes of text the functions make together: a Fn::Sub in a
	// Fn::Sub could double its text at each level.
	maxMade = 4 << 20
)

// Given are the values that a template is resolved against. What is nil or missing is
// unknown.
type Given struct {
	// Parameters come before the defaults of the template. A text for a parameter that is
	// a list has commas between the items.
	Parameters map[string]Value
	// Pseudo are the pseudo parameters, such as AWS::Region. See
	// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/pseudo-parameter-reference.html
	Pseudo map[string]string
	// Reference is what Ref of a resource gives.
	Reference func(r *Resource) (string, bool)
	// Generated is what Ref gives for a name that the template does not have, because a
	// transform makes that resource.
	Generated func(name string) (string, bool)
	// Attribute is what Fn::GetAtt gives; "Outputs.X" for an output of a nested stack.
	Attribute func(r *Resource, attribute string) (string, bool)
	// Import is what Fn::ImportValue of a name gives.
	Import func(name string) (string, bool)
	// Symbols says that what Ref or Fn::GetAtt of a name gives stands as ${name} in a text if it is
	// unknown. It is unknown still, such as for a condition.
	Symbols bool
}

// Resolver works out values of a template. It remembers the conditions that it has
// decided, and must not be used by two goroutines at once.
type Resolver struct {
	template   *Template
	given      Given
	conditions map[string]*decision
	// deciding is how many conditions are being decided within each other, onConditions
	// what is left for them all.
	deciding     int
	onConditions *work
}

// With returns a resolver for the given values.
func (t *Template) With(given Given) *Resolver {
	r := &Resolver{template: t, given: given, conditions: make(map[string]*decision)}
	r.onConditions = r.work()
	return r
}

// Resolve works out the value of a node of the template. The value of a missing node, and
// of AWS::NoValue, is Null.
func (r *Resolver) Resolve(n *Node) Value {
	if n == nil {
		return Value{}
	}
	v := r.work().value(n, 0)
	if v.Kind == absent {
		return Value{Line: n.Line, Column: n.Column, Pointer: n.Pointer}
	}
	return v
}

// work is one call of Resolve, or all conditions, with what is left of the limits.
type work struct {
	*Resolver
	visits, made int
}

func (r *Resolver) work() *work {
	return &work{Resolver: r, visits: maxVisits, made: maxMade}
}

// unknown is a value that is unknown as a whole.
func unknown(at *Node, format string, arguments ...any) Value {
	v := placed(Text("*"), at)
	v.Unknown = []Unknown{unknownAt(at, format, arguments...)}
	return v
}

// symbol is unknown for what has a name.
func (w *work) symbol(at *Node, name, format string) Value {
	v := unknown(at, format, quote(name))
	if w.given.Symbols {
		v.Text = "${" + name + "}"
		v.Unknown[0].Symbol = v.Text
	}
	return v
}

func tooLarge(at *Node) Value {
	return unknown(at, "this is too large or too deep to be worked out")
}

func unknownAt(at *Node, format string, arguments ...any) Unknown {
	return Unknown{Pointer: at.Pointer, Line: at.Line, Column: at.Column, What: fmt.Sprintf(format, arguments...)}
}

// unknownFrom is a value that is unknown as a whole because others are.
func unknownFrom(at *Node, because ...[]Unknown) Value {
	v := placed(Text("*"), at)
	for _, b := range because {
		v.Unknown = add(v.Unknown, b)
	}
	for i := range v.Unknown {
		v.Unknown[i].Symbol = ""
	}
	return v
}

func placed(v Value, at *Node) Value {
	v.Line, v.Column, v.Pointer, v.node = at.Line, at.Column, at.Pointer, at
	return v
}

// value works out a node. Its kind is absent for AWS::NoValue.
func (w *work) value(n *Node, depth int) Value {
	w.visits--
	if w.visits < 0 || depth > maxDepth+1 {
		return tooLarge(n)
	}
	if name, argument, ok := n.function(); ok {
		return w.call(name, n, argument, depth+1)
	}
	switch n.Kind {
	case List:
		return w.list(n, depth)
	case Map:
		return w.members(n, depth)
	default:
		return literal(n)
	}
}

// literal is the value of a scalar. A dynamic reference stays text, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
func literal(n *Node) Value {
	return noteDynamic(placed(Value{Kind: n.Kind, Text: n.Text}, n), n)
}

func noteDynamic(v Value, at *Node) Value {
	if v.Known() && strings.Contains(v.Text, "{{resolve:") {
		v.Unknown = []Unknown{unknownAt(at, "the dynamic reference in %s", quote(v.Text))}
	}
	return v
}

func (w *work) list(n *Node, depth int) Value {
	v := placed(Value{Kind: List}, n)
	for _, item := range n.Items {
		if value := w.value(item, depth+1); value.Kind != absent {
			v.List = append(v.List, value)
			v.Unknown = add(v.Unknown, value.Unknown)
		}
	}
	return v
}

func (w *work) members(n *Node, depth int) Value {
	v := placed(Value{Kind: Map}, n)
	for _, m := range n.Members {
		var value Value
		if strings.HasPrefix(m.Name, "Fn::") {
			// A function has a map of its own. What may stand next to other names is
			// Fn::Transform and Fn::ForEach, which the service expands before.
			value = unknown(m.Value, "%s", nameForMessage(m.Name))
		} else if value = w.value(m.Value, depth+1); value.Kind == absent {
			continue
		}
		v.Members = append(v.Members, NamedValue{m.Name, value})
		v.Unknown = add(v.Unknown, value.Unknown)
	}
	return v
}

// call works out the function with the argument that n is.
func (w *work) call(name string, n, argument *Node, depth int) Value {
	switch name {
	case "Ref":
		return w.ref(n, argument)
	case "Fn::GetAtt":
		return w.getAtt(n, argument, depth)
	case "Fn::If":
		return w.ifElse(n, argument, depth)
	case "Fn::Join":
		return w.join(n, argument, depth)
	case "Fn::Sub":
		return w.sub(n, argument, depth)
	case "Fn::Split":
		return w.split(n, argument, depth)
	case "Fn::Base64":
		return w.base64(n, argument, depth)
	case "Fn::Select":
		return w.choose(n, argument, depth)
	case "Fn::FindInMap":
		return w.findInMap(n, argument, depth)
	case "Fn::ImportValue":
		return w.importValue(n, argument, depth)
	case "Fn::Length":
		return w.length(n, argument, depth)
	case "Fn::ToJsonString":
		return w.toJSON(n, argument, depth)
	case "Fn::Equals", "Fn::And", "Fn::Or", "Fn::Not":
		holds, because := w.holds(n, depth)
		if because != nil {
			return unknownFrom(n, because)
		}
		return placed(Value{Kind: Bool, Text: strconv.FormatBool(holds)}, n)
	default:
		// Fn::GetAZs and Fn::Cidr among them: only the service knows the zones of an
		// account.
		return unknown(n, "%s", nameForMessage(name))
	}
}

// nameForMessage returns the name of a function; one that is not a plain word is quoted.
func nameForMessage(name string) string {
	if quoted := quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// arguments returns the items of the list that a function is called with, if there are as
// many as it takes.
func arguments(argument *Node, least, most int) ([]*Node, bool) {
	ok := argument.Kind == List && len(argument.Items) >= least && len(argument.Items) <= most
	return argument.Items, ok
}

// text works out a node that must come to a text. because is nil if the text is known.
func (w *work) text(n *Node, depth int) (text string, because []Unknown) {
	return textOf(w.value(n, depth), n)
}

// textOf returns the text that a value is in a longer text, with its unknown parts as *.
func textOf(v Value, at *Node) (text string, because []Unknown) {
	switch {
	case v.scalar() && v.Known():
		return v.Text, nil
	case v.scalar():
		return v.Text, v.Unknown
	case v.Kind == Null && !v.Known():
		return "*", v.Unknown
	default:
		return "*", []Unknown{unknownAt(at, "%s where a text is needed", v.Kind)}
	}
}

// compose returns a text that a function has made, if the limit allows it.
func (w *work) compose(n *Node, text string, because []Unknown) Value {
	if w.made -= len(text); w.made < 0 {
		return unknown(n, "a text that is too long to be worked out")
	}
	v := placed(Text(text), n)
	v.Unknown = because
	return noteDynamic(v, n)
}
