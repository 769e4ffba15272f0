package cfn

import (
	"strconv"
	"strings"
)

// Given are the values that a template is resolved against. Functions may be nil; false
// means that they do not know.
type Given struct {
	// Parameters replace the defaults of the template.
	Parameters map[string]Value
	// Pseudo are pseudo parameters, such as AWS::Region.
	Pseudo map[string]string
	// Reference is what Ref gives for a resource, Attribute what Fn::GetAtt gives; the
	// outputs of a nested stack are the attributes Outputs.NAME.
	Reference func(r *Resource) (string, bool)
	Attribute func(r *Resource, attribute string) (string, bool)
	// Import is what Fn::ImportValue gives for a name.
	Import func(name string) (string, bool)
}

// Resolver works out values of a template.
type Resolver struct {
	template  *Template
	given     Given
	resources map[string]*Resource
	// conditions are the known results; a condition that is being worked out is in
	// working, since one that needs itself has none.
	conditions map[string]truth
	working    map[string]bool
	// steps and bytes are what a call of Resolve may still do and make.
	steps, bytes int
}

type truth struct {
	holds   bool
	unknown []Unknown
}

// The limits of one Resolve.
const (
	mostSteps = 200_000
	mostBytes = 16 << 20
)

// With returns a Resolver of the template. It is not for several goroutines at once.
func (t *Template) With(g Given) *Resolver {
	r := &Resolver{template: t, given: g, resources: make(map[string]*Resource), conditions: make(map[string]truth), working: make(map[string]bool)}
	for _, resource := range t.Resources() {
		r.resources[resource.ID] = resource
	}
	return r
}

// Resolve works out a node; nil is worth Null.
func (r *Resolver) Resolve(n *Node) Value {
	r.steps, r.bytes = mostSteps, mostBytes
	return r.value(n, 0)
}

// Condition works out a condition of the template.
func (r *Resolver) Condition(name string) (holds, known bool) {
	r.steps, r.bytes = mostSteps, mostBytes
	t := r.condition(name, r.template.Root, 0)
	return t.holds, len(t.unknown) == 0
}

// Exists reports whether a resource is made, by its condition.
func (r *Resolver) Exists(resource *Resource) (exists, known bool) {
	if resource.Condition == "" {
		return true, true
	}
	return r.Condition(resource.Condition)
}

func unknown(n *Node, what string) Value {
	return Value{Kind: String, Unknown: []Unknown{{Pointer: n.Pointer, Line: n.Line, Column: n.Column, What: what}}}
}

func (r *Resolver) value(n *Node, depth int) Value {
	if n == nil {
		return Value{}
	}
	if r.steps--; r.steps < 0 || r.bytes < 0 || depth > 2*deepest {
		return unknown(n, "the template is too large to work this out")
	}
	switch n.Kind {
	case List:
		return r.list(n, depth)
	case Map:
		if len(n.Members) == 1 {
			name, argument := n.Members[0].Name, n.Members[0].Value
			if name == "Ref" {
				return r.reference(n, textOf(argument))
			}
			if strings.HasPrefix(name, "Fn::") {
				return r.function(n, name, argument, depth)
			}
		}
		return r.members(n, depth)
	case String:
		if strings.Contains(n.Text, "{{resolve:") {
			return unknown(n, "a dynamic reference ("+n.Text+"), which only the cloud resolves")
		}
	}
	return Value{Kind: n.Kind, Text: n.Text}
}

func (r *Resolver) list(n *Node, depth int) Value {
	v := Value{Kind: List}
	for _, item := range n.Items {
		one := r.value(item, depth+1)
		if one.removed {
			continue
		}
		v.List = append(v.List, one)
		v.Unknown = append(v.Unknown, one.Unknown...)
	}
	return v
}

func (r *Resolver) members(n *Node, depth int) Value {
	v := Value{Kind: Map}
	for _, m := range n.Members {
		one := r.value(m.Value, depth+1)
		if one.removed {
			continue
		}
		v.Members = append(v.Members, NamedValue{m.Name, one})
		v.Unknown = append(v.Unknown, one.Unknown...)
	}
	return v
}

// reference is what Ref gives
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-ref.html).
func (r *Resolver) reference(n *Node, name string) Value {
	if name == "AWS::NoValue" {
		return Value{removed: true}
	}
	if strings.HasPrefix(name, "AWS::") {
		if value, known := r.given.Pseudo[name]; known {
			return TextValue(value)
		}
		return unknown(n, "the value of "+name)
	}
	if parameter := r.template.Root.Get("Parameters", name); parameter != nil {
		return r.parameter(n, name, parameter)
	}
	resource := r.resources[name]
	if resource == nil {
		// Some tools give parameters that the template does not declare.
		if value, known := r.given.Parameters[name]; known {
			return value
		}
		return unknown(n, "Ref of "+strconv.Quote(name)+", which the template does not have")
	}
	if r.given.Reference != nil {
		if value, known := r.given.Reference(resource); known {
			return TextValue(value)
		}
	}
	return unknown(n, "Ref of the resource "+strconv.Quote(name))
}

func (r *Resolver) parameter(n *Node, name string, declared *Node) Value {
	value, known := r.given.Parameters[name]
	if !known {
		fallback := declared.Get("Default")
		if fallback == nil {
			return unknown(n, "the parameter "+strconv.Quote(name)+" has no value")
		}
		value = r.value(fallback, 0)
		if value.Kind == Number || value.Kind == Bool {
			value = TextValue(value.Text)
		}
	}
	kind := textOf(declared.Get("Type"))
	if (kind == "CommaDelimitedList" || strings.HasPrefix(kind, "List<")) && value.Kind == String && value.Known() {
		list := Value{Kind: List}
		for item := range strings.SplitSeq(value.Text, ",") {
			list.List = append(list.List, TextValue(strings.TrimSpace(item)))
		}
		return list
	}
	return value
}

// attribute is what Fn::GetAtt gives.
func (r *Resolver) attribute(n *Node, id, attribute string) Value {
	what := "Fn::GetAtt of " + strconv.Quote(id+"."+attribute)
	resource := r.resources[id]
	if resource == nil {
		return unknown(n, what+", which the template does not have")
	}
	if r.given.Attribute != nil {
		if value, known := r.given.Attribute(resource, attribute); known {
			return TextValue(value)
		}
	}
	return unknown(n, what)
}
