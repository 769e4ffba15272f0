package cfn

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// function is what an intrinsic function gives.
func (r *Resolver) function(n *Node, name string, argument *Node, depth int) Value {
	wrong := func() Value { return unknown(n, name+" is not written as it should be") }
	switch name {
	case "Fn::GetAtt":
		return r.getAtt(n, attributeOf(argument), depth)
	case "Fn::Sub":
		return r.sub(n, argument, depth)
	case "Fn::If":
		if argument.Kind != List || len(argument.Items) != 3 {
			return wrong()
		}
		condition := r.condition(textOf(argument.Items[0]), argument.Items[0], depth+1)
		switch {
		case len(condition.unknown) > 0:
			return Value{Kind: String, Unknown: condition.unknown}
		case condition.holds:
			return r.value(argument.Items[1], depth+1)
		}
		return r.value(argument.Items[2], depth+1)
	case "Fn::Equals", "Fn::And", "Fn::Or", "Fn::Not", "Condition":
		t := r.truth(n, depth+1)
		return Value{Kind: Bool, Text: strconv.FormatBool(t.holds), Unknown: t.unknown}
	case "Fn::FindInMap":
		return r.findInMap(n, argument, depth)
	case "Fn::ImportValue":
		export := r.value(argument, depth+1)
		text, known := export.String()
		if !known {
			return orUnknown(export, n, name)
		}
		if r.given.Import != nil {
			if value, known := r.given.Import(text); known {
				return TextValue(value)
			}
		}
		return unknown(n, "Fn::ImportValue "+strconv.Quote(text))
	}
	v := r.value(argument, depth+1)
	switch name {
	case "Fn::Join":
		return r.join(n, v)
	case "Fn::Select":
		return selected(n, v)
	case "Fn::Split":
		return split(n, v)
	case "Fn::Base64":
		text, known := v.String()
		if !known {
			return orUnknown(v, n, name)
		}
		return TextValue(base64.StdEncoding.EncodeToString([]byte(text)))
	case "Fn::Length":
		if v.Kind != List {
			return orUnknown(v, n, name)
		}
		return Value{Kind: Number, Text: strconv.Itoa(len(v.List))}
	case "Fn::ToJsonString":
		if !v.Known() {
			return orUnknown(v, n, name)
		}
		text, err := json.Marshal(plain(v))
		if err != nil {
			return wrong()
		}
		return TextValue(string(text))
	}
	return unknown(n, name)
}

// orUnknown is the value that a function gives for an argument that is not what it needs.
func orUnknown(argument Value, n *Node, function string) Value {
	if len(argument.Unknown) > 0 {
		return Value{Kind: String, Unknown: argument.Unknown}
	}
	return unknown(n, function+" is not written as it should be")
}

func (r *Resolver) getAtt(n, argument *Node, depth int) Value {
	if argument.Kind != List || len(argument.Items) < 2 {
		return unknown(n, "Fn::GetAtt is not written as it should be")
	}
	var parts []string
	for _, item := range argument.Items {
		text, known := r.value(item, depth+1).String()
		if !known {
			return unknown(n, "Fn::GetAtt of an unknown attribute")
		}
		parts = append(parts, text)
	}
	return r.attribute(n, parts[0], strings.Join(parts[1:], "."))
}

// sub replaces ${name} in a text: by its own map, a reference or an attribute. ${!name}
// is the text ${name}.
func (r *Resolver) sub(n, argument *Node, depth int) Value {
	text, own := argument, (*Node)(nil)
	if argument.Kind == List && len(argument.Items) == 2 {
		text, own = argument.Items[0], argument.Items[1]
	}
	if text.Kind != String {
		return unknown(n, "Fn::Sub is not written as it should be")
	}
	var parts []part
	var missing []Unknown
	rest := text.Text
	for {
		before, after, found := strings.Cut(rest, "${")
		name, end, closed := strings.Cut(after, "}")
		if !found || !closed {
			parts = append(parts, part{rest, true})
			break
		}
		parts = append(parts, part{before, true})
		rest = end
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			parts = append(parts, part{"${" + literal + "}", true})
			continue
		}
		name = strings.TrimSpace(name)
		var v Value
		if value := own.Get(name); value != nil {
			v = r.value(value, depth+1)
		} else if id, attribute, dotted := strings.Cut(name, "."); dotted {
			v = r.attribute(n, id, attribute)
		} else {
			v = r.reference(n, name)
		}
		if _, known := v.String(); !known && v.Known() {
			v = unknown(n, "Fn::Sub of "+strconv.Quote(name)+", which is not a text")
		}
		parts = append(parts, partsOf(v)...)
		missing = append(missing, v.Unknown...)
		if r.bytes -= len(v.Text) + len(before); r.bytes < 0 {
			return unknown(n, "the template is too large to work this out")
		}
	}
	return joined(parts, missing)
}

func (r *Resolver) join(n *Node, argument Value) Value {
	if argument.Kind != List || len(argument.List) != 2 || argument.List[1].Kind != List {
		return orUnknown(argument, n, "Fn::Join")
	}
	between, known := argument.List[0].String()
	if !known {
		return orUnknown(argument, n, "Fn::Join")
	}
	var parts []part
	for i, item := range argument.List[1].List {
		if _, known := item.String(); !known && item.Known() {
			return unknown(n, "Fn::Join of something that is not a text")
		}
		if i > 0 {
			parts = append(parts, part{between, true})
		}
		parts = append(parts, partsOf(item)...)
		r.bytes -= len(item.Text) + len(between)
	}
	if r.bytes < 0 {
		return unknown(n, "the template is too large to work this out")
	}
	return joined(parts, argument.List[1].Unknown)
}

func selected(n *Node, argument Value) Value {
	if argument.Kind != List || len(argument.List) != 2 {
		return orUnknown(argument, n, "Fn::Select")
	}
	text, known := argument.List[0].String()
	index, err := strconv.Atoi(text)
	list := argument.List[1]
	if !known || err != nil || list.Kind != List {
		return orUnknown(argument, n, "Fn::Select")
	}
	if index < 0 || index >= len(list.List) {
		return unknown(n, "Fn::Select of item "+text+" of "+strconv.Itoa(len(list.List)))
	}
	return list.List[index]
}

func split(n *Node, argument Value) Value {
	if argument.Kind != List || len(argument.List) != 2 {
		return orUnknown(argument, n, "Fn::Split")
	}
	by, known := argument.List[0].String()
	text, textKnown := argument.List[1].String()
	if !known || !textKnown || by == "" {
		return orUnknown(argument, n, "Fn::Split")
	}
	return ListValue(strings.Split(text, by)...)
}

func (r *Resolver) findInMap(n, argument *Node, depth int) Value {
	if argument.Kind != List || len(argument.Items) < 3 {
		return unknown(n, "Fn::FindInMap is not written as it should be")
	}
	var names []string
	for _, item := range argument.Items[:3] {
		v := r.value(item, depth+1)
		text, known := v.String()
		if !known {
			return orUnknown(v, n, "Fn::FindInMap")
		}
		names = append(names, text)
	}
	if found := r.template.Root.Get("Mappings").Get(names...); found != nil {
		return r.value(found, depth+1)
	}
	if len(argument.Items) > 3 {
		if fallback := argument.Items[3].Get("DefaultValue"); fallback != nil {
			return r.value(fallback, depth+1)
		}
	}
	return unknown(n, "Fn::FindInMap of "+strconv.Quote(strings.Join(names, ".")))
}

// plain returns a known value for encoding.
func plain(v Value) any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case List:
		list := []any{}
		for _, item := range v.List {
			list = append(list, plain(item))
		}
		return list
	case Map:
		members := make(map[string]any)
		for _, m := range v.Members {
			members[m.Name] = plain(m.Value)
		}
		return members
	}
	return nil
}
