package cfn

// maxDeciding is how many conditions may need each other in a chain.
const maxDeciding = 100

// decision is what is known about a condition. It is there while the condition is being
// decided, which shows a condition that needs itself.
type decision struct {
	done    bool
	holds   bool
	because []Unknown
}

// Condition reports whether a condition holds, and whether that is known. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/conditions-section-structure.html
func (r *Resolver) Condition(name string) (holds, known bool) {
	holds, because := r.decide(nil, name)
	return holds, because == nil
}

// WhyUnknown says what a condition waits for; nil if it is known whether it holds.
func (r *Resolver) WhyUnknown(condition string) []Unknown {
	_, because := r.decide(nil, condition)
	return because
}

// Exists reports whether a resource is made, by its condition, and whether that is known.
func (r *Resolver) Exists(resource *Resource) (exists, known bool) {
	if resource.Condition == "" {
		return true, true
	}
	return r.Condition(resource.Condition)
}

// decide decides a condition once. at is the node that asks, nil if a caller does. What
// holds means nothing if because is not nil.
func (r *Resolver) decide(at *Node, name string) (holds bool, because []Unknown) {
	if at == nil {
		at = r.template.Root
	}
	if d := r.conditions[name]; d != nil {
		if !d.done {
			return false, []Unknown{unknownAt(at, "the condition %s needs itself", quote(name))}
		}
		return d.holds, d.because
	}
	n := r.template.Root.Get("Conditions").Get(name)
	switch {
	case n == nil:
		return false, []Unknown{unknownAt(at, "the template has no condition %s", quote(name))}
	case r.deciding >= maxDeciding:
		return false, []Unknown{unknownAt(at, "the condition %s needs too many others", quote(name))}
	}
	d := &decision{}
	r.conditions[name] = d
	r.deciding++
	d.holds, d.because = r.onConditions.holds(n, 0)
	r.deciding--
	d.done = true
	return d.holds, d.because
}

// holds works out a function of conditions. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-conditions.html
func (w *work) holds(n *Node, depth int) (holds bool, because []Unknown) {
	w.visits--
	if w.visits < 0 || depth > maxDepth+1 {
		return false, tooLarge(n).Unknown
	}
	if n.Kind == Bool {
		return n.Text == "true", nil
	}
	if n.Kind != Map || len(n.Members) != 1 {
		return false, []Unknown{unknownAt(n, "%s where a condition is needed", n.Kind)}
	}
	m := n.Members[0]
	items, list := arguments(m.Value, 1, maxNodes)
	switch {
	case m.Name == "Condition" && m.Value.Kind == String:
		return w.decide(n, m.Value.Text)
	case m.Name == "Fn::Equals" && len(items) == 2:
		return w.equal(w.value(items[0], depth+1), w.value(items[1], depth+1))
	case m.Name == "Fn::Not" && len(items) == 1:
		holds, because = w.holds(items[0], depth+1)
		return !holds, because
	case m.Name == "Fn::And" && list:
		return w.all(items, true, depth)
	case m.Name == "Fn::Or" && list:
		return w.all(items, false, depth)
	default:
		return false, []Unknown{unknownAt(n, "%s where a condition is needed", nameForMessage(m.Name))}
	}
}

// all is Fn::And if want is true, and Fn::Or if it is false: the answer is want if every
// item gives want. One item that does not decides, whatever is unknown in the others.
func (w *work) all(items []*Node, want bool, depth int) (holds bool, because []Unknown) {
	for _, item := range items {
		holds, unknowns := w.holds(item, depth+1)
		if unknowns == nil && holds != want {
			return holds, nil
		}
		because = add(because, unknowns)
	}
	return want, because
}

// equal compares as texts, so that true and 1 equal "true" and "1".
func (w *work) equal(a, b Value) (holds bool, because []Unknown) {
	if because = add(add(nil, a.Unknown), b.Unknown); because != nil {
		return false, because
	}
	if a.scalar() && b.scalar() {
		return a.Text == b.Text, nil
	}
	return string(appendJSON(nil, a, maxMade)) == string(appendJSON(nil, b, maxMade)), nil
}

// ifElse is Fn::If. Only the value that the condition chooses is worked out.
func (w *work) ifElse(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 3, 3)
	if !ok || items[0].Kind != String {
		return unknown(n, "a Fn::If without a condition and two values")
	}
	holds, because := w.decide(items[0], items[0].Text)
	switch {
	case because != nil:
		return unknownFrom(n, because)
	case holds:
		return w.value(items[1], depth)
	default:
		return w.value(items[2], depth)
	}
}
