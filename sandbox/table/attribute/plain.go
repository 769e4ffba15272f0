package attribute

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// The plain form is ordinary JSON: strings, numbers, booleans, null, lists and objects
// stand for themselves. Other values are objects with one key, their type on the wire:
// {"B": "aGk="}, {"SS": ["a", "b"]}. Every such object is a typed value, so that the wire
// form of an item is a plain form too; a map that looks like one is written as an M. Sets are
// written in order, since DynamoDB keeps none: equal items have the same text.

// ParsePlainItem reads an item in plain form. The error continues the words "the item":
// what is wrong, and where as a JSON pointer.
func ParsePlainItem(text []byte) (Item, error) {
	v, err := parsePlain(jsontext.Value(text), "")
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return nil, errors.New("is not JSON")
	case err != nil:
		return nil, err
	case v.Kind != M:
		return nil, errors.New("is not an object of attributes")
	}
	return Item(v.Map), nil
}

func parsePlain(text jsontext.Value, pointer string) (*Value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	v, err := readPlain(d, pointer, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, errors.New("has more text after its end")
	}
	return v, nil
}

func readPlain(d *jsontext.Decoder, pointer string, depth int) (*Value, error) {
	if depth > MostLevels+1 {
		return nil, fmt.Errorf("is nested deeper than %d levels at %s", MostLevels, pointer)
	}
	switch kind := d.PeekKind(); kind {
	case '{':
		return readPlainObject(d, pointer, depth)
	case '[':
		if _, err := d.ReadToken(); err != nil {
			return nil, err
		}
		v := &Value{Kind: L, List: []*Value{}}
		for d.PeekKind() != ']' {
			item, err := readPlain(d, fmt.Sprintf("%s/%d", pointer, len(v.List)), depth+1)
			if err != nil {
				return nil, err
			}
			v.List = append(v.List, item)
		}
		_, err := d.ReadToken()
		return v, err
	default:
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		switch kind {
		case '"':
			return &Value{Kind: S, Text: t.String()}, nil
		case '0':
			number, err := CanonicalNumber(t.String())
			if err != nil {
				return nil, fmt.Errorf("is invalid at %s: %w", pointer, err)
			}
			return &Value{Kind: N, Text: number}, nil
		case 'n':
			return &Value{Kind: NULL}, nil
		}
		return &Value{Kind: BOOL, Bool: t.Bool()}, nil
	}
}

func readPlainObject(d *jsontext.Decoder, pointer string, depth int) (*Value, error) {
	whole, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	whole = whole.Clone()
	inner := jsontext.NewDecoder(bytes.NewReader(whole))
	if _, err := inner.ReadToken(); err != nil {
		return nil, err
	}
	v := &Value{Kind: M, Map: map[string]*Value{}}
	first := ""
	var values []jsontext.Value
	var names []string
	for inner.PeekKind() == '"' {
		t, err := inner.ReadToken()
		if err != nil {
			return nil, err
		}
		name := t.String()
		value, err := inner.ReadValue()
		if err != nil {
			return nil, err
		}
		if first == "" {
			first = name
		}
		names, values = append(names, name), append(values, value.Clone())
	}
	// The item itself is not a value: its only attribute may be called S, for example.
	if depth > 0 && len(names) == 1 && isTypeName(first) {
		typed, err := ParseValue(whole)
		if err != nil {
			return nil, fmt.Errorf("is invalid at %s: %w", pointer, err)
		}
		return typed, nil
	}
	for i, name := range names {
		below := string(jsontext.Pointer(pointer).AppendToken(name))
		item, err := readPlain(jsontext.NewDecoder(bytes.NewReader(values[i])), below, depth+1)
		if err != nil {
			return nil, err
		}
		v.Map[name] = item
	}
	return v, nil
}

func isTypeName(name string) bool { return name != "" && slices.Contains(kindNames[1:], name) }

// AppendPlain appends the item in plain form, names and sets sorted.
func (i Item) AppendPlain(to []byte) []byte { return appendPlainMap(to, i) }

func appendPlainMap(to []byte, m map[string]*Value) []byte {
	to = append(to, '{')
	for i, name := range sortedNames(m) {
		if i > 0 {
			to = append(to, ',')
		}
		to, _ = jsontext.AppendQuote(to, name)
		to = append(to, ':')
		to = m[name].AppendPlain(to)
	}
	return append(to, '}')
}

func sortedNames(m map[string]*Value) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// AppendPlain appends the value in plain form.
func (v *Value) AppendPlain(to []byte) []byte {
	switch v.Kind {
	case S:
		to, _ = jsontext.AppendQuote(to, v.Text)
		return to
	case N:
		return append(to, v.Text...)
	case BOOL:
		if v.Bool {
			return append(to, "true"...)
		}
		return append(to, "false"...)
	case NULL:
		return append(to, "null"...)
	case L:
		to = append(to, '[')
		for i, item := range v.List {
			if i > 0 {
				to = append(to, ',')
			}
			to = item.AppendPlain(to)
		}
		return append(to, ']')
	case M:
		if len(v.Map) == 1 {
			for name := range v.Map {
				if isTypeName(name) {
					return v.appendJSON(to, true)
				}
			}
		}
		return appendPlainMap(to, v.Map)
	default:
		return v.appendJSON(to, true)
	}
}
