package cfn

import "strings"

// ref is https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-ref.html
func (w *work) ref(n, argument *Node) Value {
	if argument.Kind != String {
		return unknown(n, "a Ref without a name")
	}
	return w.named(n, argument.Text)
}

// named returns what Ref of a name gives.
func (w *work) named(n *Node, name string) Value {
	if name == "AWS::NoValue" {
		return Value{Kind: absent}
	}
	if p := w.template.parameters[name]; p != nil {
		return placed(w.parameter(n, p), n)
	}
	if strings.HasPrefix(name, "AWS::") {
		if text, ok := w.given.Pseudo[name]; ok {
			return placed(Text(text), n)
		}
		return w.symbol(n, name, "the pseudo parameter %s has no value")
	}
	resource := w.template.byID[name]
	if resource == nil {
		if w.given.Generated != nil {
			if text, ok := w.given.Generated(name); ok {
				return placed(Text(text), n)
			}
		}
		return unknown(n, "Ref of %s, which is neither a parameter nor a resource here", quote(name))
	}
	if w.given.Reference != nil {
		if text, ok := w.given.Reference(resource); ok {
			return placed(Text(text), n)
		}
	}
	return w.symbol(n, name, "Ref of %s")
}

// parameter returns the value of a parameter. Scalars become texts, and only lists are
// lists. See https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html
func (w *work) parameter(n *Node, p *Parameter) Value {
	v, given := w.given.Parameters[p.Name]
	if !given || v.Kind == Null && v.Known() {
		if p.Default == nil || p.Default.Kind == Null {
			return w.symbol(n, p.Name, "the parameter %s has no value")
		}
		v = w.data(p.Default)
	}
	if strings.HasPrefix(p.Type, "AWS::SSM::Parameter::Value<") {
		return unknown(n, "the parameter %s is read from the Parameter Store", quote(p.Name))
	}
	if !v.scalar() {
		return v
	}
	list := p.Type == "CommaDelimitedList" || strings.HasPrefix(p.Type, "List<")
	if !list || !v.Known() {
		v.Kind = String
		return noteDynamic(v, n)
	}
	if w.visits -= strings.Count(v.Text, ","); w.visits < 0 {
		return tooLarge(n)
	}
	items := strings.Split(v.Text, ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return Texts(items...)
}

// data is the value of a node in which there are no functions. It is as deep as the
// template at most.
func (w *work) data(n *Node) Value {
	if w.visits--; w.visits < 0 {
		return tooLarge(n)
	}
	v := literal(n)
	for _, item := range n.Items {
		value := w.data(item)
		v.List, v.Unknown = append(v.List, value), add(v.Unknown, value.Unknown)
	}
	for _, m := range n.Members {
		value := w.data(m.Value)
		v.Members, v.Unknown = append(v.Members, NamedValue{m.Name, value}), add(v.Unknown, value.Unknown)
	}
	return v
}

// getAtt is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getatt.html
func (w *work) getAtt(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 2, 10)
	if !ok {
		return unknown(n, "a Fn::GetAtt without a resource and an attribute")
	}
	names := make([]string, len(items))
	for i, item := range items {
		name, because := w.text(item, depth)
		if because != nil {
			return unknownFrom(n, because)
		}
		names[i] = name
	}
	return w.attribute(n, names[0], strings.Join(names[1:], "."))
}

func (w *work) attribute(n *Node, id, attribute string) Value {
	resource := w.template.byID[id]
	if resource == nil {
		return unknown(n, "Fn::GetAtt of %s, which is not a resource here", quote(id+"."+attribute))
	}
	if w.given.Attribute != nil {
		if text, ok := w.given.Attribute(resource, attribute); ok {
			return placed(Text(text), n)
		}
	}
	return w.symbol(n, id+"."+attribute, "Fn::GetAtt of %s")
}

// importValue is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-importvalue.html
func (w *work) importValue(n, argument *Node, depth int) Value {
	name, because := w.text(argument, depth)
	if because != nil {
		v := unknown(n, "Fn::ImportValue %s", quote(name))
		v.Unknown = add(v.Unknown, because)
		return v
	}
	if w.given.Import != nil {
		if text, ok := w.given.Import(name); ok {
			return placed(Text(text), n)
		}
	}
	return unknown(n, "Fn::ImportValue %s", quote(name))
}

// findInMap is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-findinmap.html
func (w *work) findInMap(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 3, 4)
	if !ok {
		return unknown(n, "a Fn::FindInMap without a map and two keys")
	}
	found, names := w.template.Root.Get("Mappings"), make([]string, 3)
	for i := range names {
		name, because := w.text(items[i], depth)
		if because != nil {
			return unknownFrom(n, because)
		}
		// Names are looked for one after another, so a long map is paid for.
		w.visits -= len(found.members()) / 32
		found, names[i] = found.Get(name), name
	}
	if found != nil {
		return placed(w.data(found), n)
	}
	if len(items) == 4 {
		if value := items[3].Get("DefaultValue"); value != nil {
			return w.value(value, depth)
		}
	}
	return unknown(n, "Fn::FindInMap of %s, which the mappings do not have", quote(strings.Join(names, ", ")))
}
