package cfn

import "strconv"

// condition works out a condition of the template by its name.
func (r *Resolver) condition(name string, at *Node, depth int) truth {
	if known, ok := r.conditions[name]; ok {
		return known
	}
	definition := r.template.Root.Get("Conditions", name)
	if definition == nil {
		return truth{unknown: unknown(at, "the condition "+strconv.Quote(name)+", which the template does not have").Unknown}
	}
	if r.working[name] {
		return truth{unknown: unknown(definition, "the condition "+strconv.Quote(name)+" needs itself").Unknown}
	}
	r.working[name] = true
	t := r.truth(definition, depth+1)
	delete(r.working, name)
	r.conditions[name] = t
	return t
}

// truth works out what a condition is made of
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-conditions.html).
func (r *Resolver) truth(n *Node, depth int) truth {
	if r.steps--; r.steps < 0 || depth > 2*deepest {
		return truth{unknown: unknown(n, "the template is too large to work this out").Unknown}
	}
	if n.Kind == Bool || n.Kind == String && (n.Text == "true" || n.Text == "false") {
		return truth{holds: n.Text == "true"}
	}
	if n.Kind != Map || len(n.Members) != 1 {
		return truth{unknown: unknown(n, "a condition that is not written as it should be").Unknown}
	}
	name, argument := n.Members[0].Name, n.Members[0].Value
	switch name {
	case "Condition":
		return r.condition(textOf(argument), n, depth+1)
	case "Fn::Equals":
		if argument.Kind == List && len(argument.Items) == 2 {
			return r.equal(r.value(argument.Items[0], depth+1), r.value(argument.Items[1], depth+1))
		}
	case "Fn::Not":
		if argument.Kind == List && len(argument.Items) == 1 {
			t := r.truth(argument.Items[0], depth+1)
			return truth{!t.holds && len(t.unknown) == 0, t.unknown}
		}
	case "Fn::And", "Fn::Or":
		if argument.Kind == List {
			return r.several(argument, name == "Fn::Or", depth)
		}
	}
	return truth{unknown: unknown(n, name+" as a condition").Unknown}
}

// several is Fn::Or, or else Fn::And: one known item may settle it.
func (r *Resolver) several(argument *Node, settles bool, depth int) truth {
	var missing []Unknown
	for _, item := range argument.Items {
		t := r.truth(item, depth+1)
		if len(t.unknown) == 0 && t.holds == settles {
			return t
		}
		missing = append(missing, t.unknown...)
	}
	return truth{!settles && len(missing) == 0, missing}
}

func (r *Resolver) equal(a, b Value) truth {
	if missing := append(append([]Unknown{}, a.Unknown...), b.Unknown...); len(missing) > 0 {
		return truth{unknown: missing}
	}
	return truth{holds: same(a, b)}
}

// same compares known values. A number and a text with the same digits are the same, as
// in the cloud, where parameters are texts.
func same(a, b Value) bool {
	scalar := func(v Value) bool { return v.Kind == Bool || v.Kind == Number || v.Kind == String }
	if scalar(a) && scalar(b) {
		return a.Text == b.Text
	}
	if a.Kind != b.Kind || len(a.List) != len(b.List) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.List {
		if !same(a.List[i], b.List[i]) {
			return false
		}
	}
	for _, m := range a.Members {
		other, found := b.Get(m.Name)
		if !found || !same(m.Value, other) {
			return false
		}
	}
	return true
}
