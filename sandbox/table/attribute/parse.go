package attribute

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// MostLevels is how deep values may nest: a scalar is one level, each list or map around it
// one more.
const MostLevels = 32

// NestingMessage is the message about a value that nests deeper than MostLevels.
const NestingMessage = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels " +
	"beyond supported limit"

const emptyMessage = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"

// ParseValue reads a value from its wire form. A wrong JSON type is a
// SerializationException; what DynamoDB does not store (an empty set, 39 digits) is a
// ValidationException. If both apply, the first is returned, as by the service.
func ParseValue(raw jsontext.Value) (*Value, error) {
	var v *Value
	err := decode(raw, func(r *reader) *Error {
		var err *Error
		v, err = r.value(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// ParseItem reads an item, or a key, from its wire form. JSON null is a nil item.
func ParseItem(raw jsontext.Value) (Item, error) {
	var item Item
	err := decode(raw, func(r *reader) *Error {
		if r.dec.PeekKind() == 'n' {
			return r.skip()
		}
		var err *Error
		item, err = r.attributes(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return item, nil
}

// reader reads values from a decoder. It remembers the first ValidationException and reads
// on, since a later SerializationException takes precedence.
type reader struct {
	dec     *jsontext.Decoder
	invalid *Error
}

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

func decode(raw jsontext.Value, read func(*reader) *Error) error {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(raw))
	r := &reader{dec: dec}
	if err := read(r); err != nil {
		return err
	}
	if r.invalid != nil {
		return r.invalid
	}
	return nil
}

// refuse remembers the first ValidationException.
func (r *reader) refuse(e *Error) {
	if r.invalid == nil {
		r.invalid = e
	}
}

// broken is the refusal of invalid JSON, which parsing the request refuses before.
func broken(err error) *Error { return Unreadable("%s", err) }

func (r *reader) skip() *Error {
	if err := r.dec.SkipValue(); err != nil {
		return broken(err)
	}
	return nil
}

func (r *reader) next() (jsontext.Token, *Error) {
	t, err := r.dec.ReadToken()
	if err != nil {
		return t, broken(err)
	}
	return t, nil
}

// enter reads the beginning of an object or an array; refusal is the message if the value
// is of the kind other.
func (r *reader) enter(begin, other jsontext.Kind, refusal string) *Error {
	switch r.dec.PeekKind() {
	case begin, jsontext.KindInvalid:
		_, err := r.next()
		return err
	case other:
		return Unreadable("%s", refusal)
	}
	return Unreadable("Unexpected field type")
}

// attributes reads an object whose members are values. Names of attributes must not be
// empty; names in nested maps may be.
func (r *reader) attributes(level int) (Item, *Error) {
	const refusal = "Unrecognized collection type java.util.Map<java.lang.String, " +
		"com.amazonaws.dynamodb.v20120810.AttributeValue>"
	if err := r.enter('{', '[', refusal); err != nil {
		return nil, err
	}
	item := Item{}
	for r.dec.PeekKind() != '}' {
		t, err := r.next()
		if err != nil {
			return nil, err
		}
		name := t.String()
		if name == "" && level == 1 {
			r.refuse(InvalidParameter("Empty attribute name"))
		}
		v, err := r.value(level)
		if err != nil {
			return nil, err
		}
		item[name] = v
	}
	_, err := r.next()
	return item, err
}

// value reads an object with one member, named after the type. The value is complete only if
// nothing is refused.
func (r *reader) value(level int) (*Value, *Error) {
	switch r.dec.PeekKind() {
	case '{':
	case 'n':
		r.refuse(Invalid(emptyMessage))
		return &Value{}, r.skip()
	case '[':
		return nil, Unreadable("Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue")
	case jsontext.KindInvalid:
		_, err := r.next()
		return nil, err
	default:
		return nil, Unreadable("Unexpected value type in payload")
	}
	if level > MostLevels {
		r.refuse(Invalid(NestingMessage))
		return &Value{}, r.skip()
	}
	if _, err := r.next(); err != nil {
		return nil, err
	}
	v := &Value{}
	kinds := 0
	for r.dec.PeekKind() != '}' {
		t, err := r.next()
		if err != nil {
			return nil, err
		}
		kind := KindOf(t.String())
		if kind == 0 || r.dec.PeekKind() == 'n' {
			if err := r.skip(); err != nil {
				return nil, err
			}
			continue
		}
		kinds++
		v.Kind = kind
		if err := r.content(v, level); err != nil {
			return nil, err
		}
	}
	switch {
	case kinds == 0:
		r.refuse(Invalid(emptyMessage))
	case kinds > 1:
		r.refuse(Invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the " +
			"supported datatypes"))
	}
	_, err := r.next()
	return v, err
}

// KindOf is the type with a name on the wire, 0 if there is none.
func KindOf(name string) Kind {
	for kind := S; kind <= BS; kind++ {
		if kindNames[kind] == name {
			return kind
		}
	}
	return 0
}
