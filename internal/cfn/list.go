package cfn

import (
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// choose is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-select.html
func (w *work) choose(n, argument *Node, depth int) Value {
	items, ok := arguments(argument, 2, 2)
	if !ok {
		return unknown(n, "a Fn::Select without a number and a list")
	}
	number, because := w.text(items[0], depth)
	if because != nil {
		return unknownFrom(n, because)
	}
	list := w.value(items[1], depth)
	if list.Kind != List {
		return noList(n, items[1], list)
	}
	at, err := strconv.Atoi(number)
	if err != nil || at < 0 || at >= len(list.List) {
		return unknown(n, "Fn::Select of %s in a list of %d", quote(number), len(list.List))
	}
	item := list.List[at]
	if item.Line == 0 {
		return placed(item, n)
	}
	return item
}

// length is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-length.html
func (w *work) length(n, argument *Node, depth int) Value {
	list := w.value(argument, depth)
	if list.Kind != List {
		return noList(n, argument, list)
	}
	return placed(Value{Kind: Number, Text: strconv.Itoa(len(list.List))}, n)
}

// toJSON is
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-ToJsonString.html
func (w *work) toJSON(n, argument *Node, depth int) Value {
	v := w.value(argument, depth)
	if v.Kind != List && v.Kind != Map {
		if !v.Known() {
			return unknownFrom(n, v.Unknown)
		}
		return unknown(n, "a Fn::ToJsonString without a map or a list")
	}
	return w.compose(n, string(appendJSON(nil, v, w.made)), v.Unknown)
}

// JSON is the value as JSON in one line. What is not known is null.
func (v Value) JSON() []byte { return appendJSON(nil, v, math.MaxInt) }

// appendJSON appends a value as JSON in one line. It stops soon after a number of bytes,
// with more than that.
func appendJSON(to []byte, v Value, most int) []byte {
	if len(to) > most {
		return to
	}
	switch v.Kind {
	case List:
		to = append(to, '[')
		for i, item := range v.List {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendJSON(to, item, most)
		}
		return append(to, ']')
	case Map:
		to = append(to, '{')
		for i, m := range v.Members {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendQuoted(to, m.Name), ':')
			to = appendJSON(to, m.Value, most)
		}
		return append(to, '}')
	case String:
		return appendQuoted(to, v.Text)
	case Number:
		// YAML has numbers that JSON has not, such as 0x1F.
		if !isJSONNumber(v.Text) {
			return appendQuoted(to, v.Text)
		}
		return append(to, v.Text...)
	case Bool:
		return append(to, v.Text...)
	default:
		return append(to, "null"...)
	}
}

// appendQuoted writes bytes that are not UTF-8 as the replacement character.
func appendQuoted(to []byte, text string) []byte {
	quoted, _ := jsontext.AppendQuote(to, text)
	return quoted
}

func isJSONNumber(text string) bool {
	return jsontext.Value(text).Kind() == '0' && jsontext.Value(text).IsValid()
}
