package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// A value of a document is nil, bool, string, number, []any or object.
type (
	// number is the text of a JSON number, which keeps all its digits.
	number string
	// object keeps the order of the document.
	object []member
	member struct {
		name  string
		value any
	}
)

// parseDocument reads one JSON value. Duplicate keys, invalid UTF-8 and nesting
// deeper than 10,000 are errors, as in project/document.
func parseDocument(doc []byte) (any, error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(doc))
	value, err := readValue(decoder)
	if err == nil {
		if _, err = decoder.ReadToken(); err == io.EOF {
			return value, nil
		}
		if err == nil {
			err = errors.New("there is more text after the end of the value")
		}
	} else if err == io.EOF {
		err = errors.New("the document is empty")
	}
	offset := decoder.InputOffset()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, err = syntactic.ByteOffset, syntactic.Err
		if place := string(syntactic.JSONPointer); place != "" {
			err = fmt.Errorf("%w at %s", err, shorten(place))
		}
	}
	before := doc[:min(offset, int64(len(doc)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return nil, fmt.Errorf("line %d, column %d: not JSON: %w", line, column, err)
}

func readValue(decoder *jsontext.Decoder) (any, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String()), nil
	case '[':
		return readArray(decoder)
	default:
		return readObject(decoder)
	}
}

func readArray(decoder *jsontext.Decoder) (any, error) {
	array := []any{}
	for decoder.PeekKind() != ']' {
		value, err := readValue(decoder)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := decoder.ReadToken()
	return array, err
}

func readObject(decoder *jsontext.Decoder) (any, error) {
	members := object{}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		text := name.String()
		value, err := readValue(decoder)
		if err != nil {
			return nil, err
		}
		members = append(members, member{text, value})
	}
	_, err := decoder.ReadToken()
	return members, err
}

// view returns a value as the engine takes it, with only the parts that the rule is about:
// an array has its length without its entries, an object its known fields.
func view(r *rule, value any) any {
	switch value := value.(type) {
	case number:
		return value.float()
	case []any:
		return make([]any, len(value))
	case object:
		return viewFields(r, value)
	default:
		return value
	}
}

// viewFields leaves out all unknown fields of a closed object except the first: one is enough
// for the engine to refuse it, and checking names is slow.
func viewFields(r *rule, object object) map[string]any {
	fields := make(map[string]any)
	seenUnknown := false
	for _, field := range object {
		if child := r.Properties[field.name]; child != nil {
			fields[field.name] = view(child, field.value)
		} else if r.PropertyNames != nil && !(seenUnknown && r.closed()) {
			fields[field.name] = nil
			seenUnknown = true
		}
	}
	return fields
}
