package cfn

import (
	"encoding/base64"
	"strings"
)

// join is https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-join.html
func (w *work) join(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 2, 2)
	if !ok {
		return unknown(n, "a Fn::Join without a separator and a list")
	}
	separator, because := w.text(items[0], depth)
	if because != nil {
		return unknownFrom(n, because)
	}
	list := w.value(items[1], depth)
	if list.Kind != List {
		return noList(n, items[1], list)
	}
	texts, size := make([]string, len(list.List)), 0
	for i, item := range list.List {
		text, unknowns := textOf(item, items[1])
		texts[i], because = text, add(because, unknowns)
		size += len(text) + len(separator)
	}
	if size > w.made {
		return tooLarge(n)
	}
	return w.compose(n, strings.Join(texts, separator), because)
}

// noList is what a function gives if it needs a list and there is none.
func noList(n, at *Node, v Value) Value {
	if !v.Known() {
		return unknownFrom(n, v.Unknown)
	}
	return unknownFrom(n, []Unknown{unknownAt(at, "%s where a list is needed", v.Kind)})
}

// sub is https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-sub.html
func (w *work) sub(n, argument *Node, depth int) Value {
	source, variables := argument, (*Node)(nil)
	if items, ok := arguments(argument, 2, 2); ok && items[1].Kind == Map {
		source, variables = items[0], items[1]
	}
	if source.Kind != String {
		return unknown(n, "a Fn::Sub without a text")
	}
	var made strings.Builder
	var because []Unknown
	values := make(map[string]Value)
	for rest := source.Text; rest != ""; {
		before, name, after, ok := cutVariable(rest)
		made.WriteString(before)
		rest = after
		if !ok {
			break
		}
		value, known := values[name]
		if !known {
			value = w.variable(source, variables, name, depth)
			values[name] = value
		}
		text, unknowns := textOf(value, source)
		if made.Len()+len(text) > w.made {
			return tooLarge(n)
		}
		made.WriteString(text)
		because = add(because, unknowns)
	}
	return w.compose(n, made.String(), because)
}

// cutVariable cuts a text around its first variable: what is before ${Name}, the name, and
// what is after it. ${!Name} is the text ${Name}. Without a variable, all is before.
func cutVariable(text string) (before, name, after string, ok bool) {
	var literal strings.Builder
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			break
		}
		length := strings.IndexByte(text[start:], '}')
		if length < 0 {
			break
		}
		inner := text[start+2 : start+length]
		if rest, escaped := strings.CutPrefix(inner, "!"); escaped {
			literal.WriteString(text[:start] + "${" + rest + "}")
			text = text[start+length+1:]
			continue
		}
		literal.WriteString(text[:start])
		return literal.String(), strings.TrimSpace(inner), text[start+length+1:], true
	}
	return literal.String() + text, "", "", false
}

// variable is what stands for ${name}: an entry of the map of Fn::Sub, or what Ref or
// Fn::GetAtt of the name gives.
func (w *work) variable(at, variables *Node, name string, depth int) Value {
	if w.visits--; w.visits < 0 {
		return tooLarge(at)
	}
	if own := variables.Get(name); own != nil {
		return w.value(own, depth)
	}
	v := Value{}
	if id, attribute, ok := strings.Cut(name, "."); ok {
		v = w.attribute(at, id, attribute)
	} else {
		v = w.named(at, name)
	}
	if v.Kind == absent {
		return Text("")
	}
	return v
}

// split is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-split.html
func (w *work) split(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 2, 2)
	if !ok {
		return unknown(n, "a Fn::Split without a separator and a text")
	}
	separator, because := w.text(items[0], depth)
	text, unknowns := w.text(items[1], depth)
	if because = add(because, unknowns); because != nil {
		return unknownFrom(n, because)
	}
	if separator == "" {
		return unknown(n, "a Fn::Split with an empty separator")
	}
	if w.visits -= strings.Count(text, separator); w.visits < 0 {
		return tooLarge(n)
	}
	return placed(Texts(strings.Split(text, separator)...), n)
}

// base64 is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-base64.html
func (w *work) base64(n, argument *Node, depth int) Value {
	text, because := w.text(argument, depth)
	if because != nil {
		return unknownFrom(n, because)
	}
	if base64.StdEncoding.EncodedLen(len(text)) > w.made {
		return tooLarge(n)
	}
	return w.compose(n, base64.StdEncoding.EncodeToString([]byte(text)), nil)
}
