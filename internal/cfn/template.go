// Package cfn reads templates of AWS CloudFormation, works out the values in them, and writes those that a
// program makes. It does no I/O and knows no service: the caller says what a resource gives. What cannot be
// worked out is named, with its place, and everything around it still is worked out.
//
// The functions are those of
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
package cfn

// Template is a parsed template; Parse makes it.
type Template struct {
	// Name is what Parse was given, for messages.
	Name string
	Root *Node

	resources  []Resource
	byID       map[string]*Resource
	parameters map[string]*Parameter
}

// Resource is an entry of the section Resources. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resources-section-structure.html
type Resource struct {
	ID   string
	Type string
	// Condition is the name of the condition under which it is made; "" if it always is.
	Condition string
	// Properties is nil if there are none.
	Properties *Node
	DependsOn  []string
	// Node is the whole entry.
	Node *Node
}

// Output is an entry of the section Outputs. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/outputs-section-structure.html
type Output struct {
	Name  string
	Value *Node
	// Condition is the name of the condition under which there is this output, or "".
	Condition string
	// Export is the name under which other stacks import the value; nil if they cannot.
	Export *Node
}

// Parameter is an entry of the section Parameters. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html
type Parameter struct {
	Name string
	// Type is String, Number, CommaDelimitedList, List<...> or a type of a service.
	Type string
	// Default is nil if there is none.
	Default *Node
	// NoEcho says that the value is not shown, because it is a secret.
	NoEcho bool
}

// index finds the entries once, because every Ref and Fn::GetAtt asks for them.
func (t *Template) index() {
	t.byID, t.parameters = make(map[string]*Resource), make(map[string]*Parameter)
	for _, m := range t.Root.Get("Resources").members() {
		if m.Value.Kind == Map {
			t.resources = append(t.resources, resourceOf(m.Name, m.Value))
		}
	}
	for i := range t.resources {
		t.byID[t.resources[i].ID] = &t.resources[i]
	}
	for _, p := range t.Parameters() {
		t.parameters[p.Name] = &p
	}
}

func resourceOf(id string, n *Node) Resource {
	r := Resource{
		ID: id, Type: n.Get("Type").text(), Condition: n.Get("Condition").text(),
		Properties: n.Get("Properties"), Node: n,
	}
	switch on := n.Get("DependsOn"); {
	case on == nil:
	case on.Kind == String:
		r.DependsOn = []string{on.Text}
	default:
		for _, item := range on.Items {
			if item.Kind == String {
				r.DependsOn = append(r.DependsOn, item.Text)
			}
		}
	}
	return r
}

// Resources returns the resources in the order of the template. An entry that is no map
// is left out.
func (t *Template) Resources() []Resource {
	return append([]Resource(nil), t.resources...)
}

// Resource returns the resource with a logical ID, or nil.
func (t *Template) Resource(id string) *Resource {
	return t.byID[id]
}

// Outputs returns the outputs in the order of the template.
func (t *Template) Outputs() []Output {
	var outputs []Output
	for _, m := range t.Root.Get("Outputs").members() {
		if m.Value.Kind != Map {
			continue
		}
		outputs = append(outputs, Output{
			Name: m.Name, Value: m.Value.Get("Value"),
			Condition: m.Value.Get("Condition").text(), Export: m.Value.Get("Export", "Name"),
		})
	}
	return outputs
}

// isTrue reports whether a node is true, or the text of it.
func isTrue(n *Node) bool {
	return n != nil && (n.Kind == Bool || n.Kind == String) && n.Text == "true"
}

// Parameters returns the parameters in the order of the template.
func (t *Template) Parameters() []Parameter {
	var parameters []Parameter
	for _, m := range t.Root.Get("Parameters").members() {
		if m.Value.Kind != Map {
			continue
		}
		parameters = append(parameters, Parameter{
			Name: m.Name, Type: m.Value.Get("Type").text(), Default: m.Value.Get("Default"),
			NoEcho: isTrue(m.Value.Get("NoEcho")),
		})
	}
	return parameters
}
