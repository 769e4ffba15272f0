// Package request reads the members of requests as DynamoDB does: in which order it looks at what,
// which types it takes for others, and in which words it refuses what it cannot read or what breaks
// the constraints of its model.
package request

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// Members is a JSON object of a request in its order, without null members. Values are
// slices of the request.
type Members []Member

type Member struct {
	Name  string
	Value jsontext.Value
}

// reader is a decoder that is reused for later requests.
type reader struct {
	input   bytes.Buffer
	decoder jsontext.Decoder
}

var readers = sync.Pool{New: func() any { return new(reader) }}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }

func (r *reader) open(text []byte) {
	r.input = *bytes.NewBuffer(text)
	r.decoder.Reset(&r.input)
}

func (r *reader) close() {
	r.input = bytes.Buffer{}
	r.decoder.Reset(emptyReader{})
	readers.Put(r)
}

// next is the next value as a slice of the text.
func (r *reader) next(text []byte) (jsontext.Value, error) {
	v, err := r.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(r.decoder.InputOffset())
	return text[end-len(v) : end : end], nil
}

// Parse reads an object; what gives the error for anything else. A repeated name is
// refused, because JSON readers differ about which of the members counts.
func Parse(text []byte, what Shape) (Members, error) {
	if err := what.Check(text); err != nil {
		return nil, err
	}
	r := readers.Get().(*reader)
	defer r.close()
	r.open(text)
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, attribute.Unreadable("")
	}
	out := make(Members, 0, 8)
	for r.decoder.PeekKind() != '}' {
		t, err := r.decoder.ReadToken()
		if err != nil {
			return nil, attribute.Unreadable("")
		}
		name := t.String()
		value, err := r.next(text)
		if err != nil {
			return nil, attribute.Unreadable("")
		}
		if value.Kind() != 'n' {
			out = append(out, Member{name, value})
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, attribute.Unreadable("")
	}
	if rest := text[r.decoder.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return nil, attribute.Unreadable("")
	}
	return out, nil
}

// ParseList reads the elements of an array.
func ParseList(text []byte) ([]jsontext.Value, error) {
	switch jsontext.Value(text).Kind() {
	case '[':
	case '{':
		return nil, attribute.Unreadable("Start of structure or map found where not expected")
	default:
		return nil, attribute.Unreadable("Unexpected field type")
	}
	r := readers.Get().(*reader)
	defer r.close()
	r.open(text)
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, attribute.Unreadable("")
	}
	var out []jsontext.Value
	for r.decoder.PeekKind() != ']' {
		value, err := r.next(text)
		if err != nil {
			return nil, attribute.Unreadable("")
		}
		out = append(out, value)
	}
	return out, nil
}

// Raw is the value of a member, or nil.
func (m Members) Raw(name string) jsontext.Value {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	return nil
}

// Has reports whether there is a member.
func (m Members) Has(name string) bool { return m.Raw(name) != nil }

// Text is a string, nil if absent.
func (m Members) Text(name string) (*string, error) {
	v := m.Raw(name)
	if v == nil {
		return nil, nil
	}
	text, err := textOf(v)
	return &text, err
}

// textOf is a string.
func textOf(v jsontext.Value) (string, error) {
	if v.Kind() == '"' {
		text, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return "", attribute.Unreadable("")
		}
		return string(text), nil
	}
	return "", attribute.Unconvertible(v.Kind(), string(v), "String")
}

// Whole is an integer, nil if absent; kind is its type in the service's words: Integer or
// Long.
func (m Members) Whole(name, kind string) (*int64, error) {
	v := m.Raw(name)
	switch v.Kind() {
	case 0:
		return nil, nil
	case '0':
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil {
			f, err := strconv.ParseFloat(string(v), 64)
			if err != nil || math.Abs(f) >= 1<<63 {
				return nil, attribute.Unreadable("NUMBER_VALUE cannot be converted to %s", kind)
			}
			n = int64(math.Floor(f))
		}
		return &n, nil
	}
	return nil, attribute.Unconvertible(v.Kind(), string(v), kind)
}

// Flag is true or false, nil if absent.
func (m Members) Flag(name string) (*bool, error) {
	v := m.Raw(name)
	if v == nil {
		return nil, nil
	}
	text := string(v)
	if v.Kind() == '"' {
		var err error
		if text, err = textOf(v); err != nil {
			return nil, err
		}
	}
	yes, err := attribute.Bool(v.Kind(), text)
	if err != nil {
		return nil, err
	}
	return &yes, nil
}

// Object is an object, nil if absent.
func (m Members) Object(name string, what Shape) (Members, error) {
	v := m.Raw(name)
	if v == nil {
		return nil, nil
	}
	return Parse(v, what)
}

// List is the elements of an array, nil if absent; an empty array is not nil.
func (m Members) List(name string) ([]jsontext.Value, error) {
	v := m.Raw(name)
	if v == nil {
		return nil, nil
	}
	out, err := ParseList(v)
	if out == nil {
		out = []jsontext.Value{}
	}
	return out, err
}

// Texts is an array of strings, nil if absent.
func (m Members) Texts(name string) ([]string, error) {
	list, err := m.List(name)
	if list == nil || err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i, v := range list {
		if out[i], err = textOf(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
