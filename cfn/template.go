package cfn

// Template is a template that was read.
type Template struct {
	// Name is the name that Parse was given.
	Name string
	Root *Node
}

// Resource is one resource of a template.
type Resource struct {
	ID, Type string
	// Condition is the name of the condition on which it is made; "" is always.
	Condition  string
	Properties *Node
	DependsOn  []string
	Node       *Node
}

// Resources returns the resources in their order.
func (t *Template) Resources() []*Resource {
	all := t.Root.Get("Resources")
	if all == nil {
		return nil
	}
	var resources []*Resource
	for _, m := range all.Members {
		r := &Resource{ID: m.Name, Type: textOf(m.Value.Get("Type")), Condition: textOf(m.Value.Get("Condition")), Properties: m.Value.Get("Properties"), Node: m.Value}
		if on := m.Value.Get("DependsOn"); on != nil {
			for _, item := range append([]*Node{on}, on.Items...) {
				if item.Kind == String {
					r.DependsOn = append(r.DependsOn, item.Text)
				}
			}
		}
		resources = append(resources, r)
	}
	return resources
}

// Resource returns the resource of an id; nil if there is none.
func (t *Template) Resource(id string) *Resource {
	for _, r := range t.Resources() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Output is one output of a template.
type Output struct {
	Name string
	// Value is what it gives; Export is the name under which other stacks import it, nil
	// for none.
	Value, Export *Node
	Condition     string
}

// Outputs returns the outputs in their order.
func (t *Template) Outputs() []Output {
	all := t.Root.Get("Outputs")
	if all == nil {
		return nil
	}
	var outputs []Output
	for _, m := range all.Members {
		outputs = append(outputs, Output{Name: m.Name, Value: m.Value.Get("Value"), Export: m.Value.Get("Export", "Name"), Condition: textOf(m.Value.Get("Condition"))})
	}
	return outputs
}

func textOf(n *Node) string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}
