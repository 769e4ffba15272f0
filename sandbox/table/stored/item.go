// Package stored has items as the file has them: encoded with a checksum, so that parts of them can be
// read, and written as JSON, without decoding the rest.
package stored

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// Item is an encoded item: its size as the service counts it, the number of attributes, and each attribute in
// the order of names: name, type, length of the payload, payload. Attributes can be skipped without decoding.
// A stored item may be a slice of the file and is then valid until the end of its transaction.
type Item []byte

// ErrDamaged is the error of an item that is not as it was stored.
var ErrDamaged = errors.New("an item of the table is damaged")

// Encode is an item as it is stored, without a checksum.
func Encode(item attribute.Item) Item {
	b := make([]byte, 0, 64+item.Size()*5/4)
	b = binary.AppendUvarint(b, uint64(item.Size()))
	b = binary.AppendUvarint(b, uint64(len(item)))
	var scratch []byte
	for _, name := range slices.Sorted(maps.Keys(item)) {
		b = appendText(b, name)
		scratch = appendPayload(scratch[:0], item[name])
		b = append(b, byte(item[name].Kind))
		b = binary.AppendUvarint(b, uint64(len(scratch)))
		b = append(b, scratch...)
	}
	return b
}

func appendText[T ~string | ~[]byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendPayload writes a value without its type.
func appendPayload(b []byte, v *attribute.Value) []byte {
	switch v.Kind {
	case attribute.S, attribute.N:
		return append(b, v.Text...)
	case attribute.B:
		return append(b, v.Bytes...)
	case attribute.BOOL:
		if v.Bool {
			return append(b, 1)
		}
		return append(b, 0)
	case attribute.SS, attribute.NS:
		for _, text := range v.Texts {
			b = appendText(b, text)
		}
	case attribute.BS:
		for _, blob := range v.Blobs {
			b = appendText(b, blob)
		}
	case attribute.L:
		for _, element := range v.List {
			b = appendNested(b, element)
		}
	case attribute.M:
		for _, name := range slices.Sorted(maps.Keys(v.Map)) {
			b = appendNested(appendText(b, name), v.Map[name])
		}
	}
	return b
}

func appendNested(b []byte, v *attribute.Value) []byte {
	b = append(b, byte(v.Kind))
	payload := appendPayload(nil, v)
	return append(binary.AppendUvarint(b, uint64(len(payload))), payload...)
}

// decoder reads an encoded item. ok becomes false at damaged bytes.
type decoder struct {
	b  []byte
	ok bool
}

func (c *decoder) number() uint64 {
	n, length := binary.Uvarint(c.b)
	if length <= 0 {
		c.b, c.ok = nil, false
		return 0
	}
	c.b = c.b[length:]
	return n
}

func (c *decoder) bytes() []byte {
	n := c.number()
	if n > uint64(len(c.b)) {
		c.b, c.ok = nil, false
		return nil
	}
	out := c.b[:n:n]
	c.b = c.b[n:]
	return out
}

func (c *decoder) kind() attribute.Kind {
	if len(c.b) == 0 {
		c.ok = false
		return 0
	}
	kind := attribute.Kind(c.b[0])
	c.b = c.b[1:]
	return kind
}

// Size is the item's size in bytes as the service counts it.
func (s Item) Size() int {
	n, _ := binary.Uvarint(s)
	return int(n)
}

// Each calls f with the attributes in the order of names, until f returns false.
func (s Item) Each(f func(name []byte, kind attribute.Kind, payload []byte) bool) error {
	c := decoder{s, true}
	c.number()
	for n := c.number(); n > 0 && c.ok; n-- {
		name, kind, payload := c.bytes(), c.kind(), c.bytes()
		if !c.ok {
			break
		}
		if !f(name, kind, payload) {
			return nil
		}
	}
	if !c.ok {
		return ErrDamaged
	}
	return nil
}

// Decode is the decoded item, which shares nothing with the file.
func (s Item) Decode() (attribute.Item, error) {
	item := make(attribute.Item)
	err := s.Each(func(name []byte, kind attribute.Kind, payload []byte) bool {
		item[string(name)] = value(kind, payload)
		return true
	})
	return item, err
}

// Pick decodes only the attributes with these names.
func (s Item) Pick(names []string) (attribute.Item, error) {
	item := make(attribute.Item, len(names))
	err := s.Each(func(name []byte, kind attribute.Kind, payload []byte) bool {
		for _, wanted := range names {
			if string(name) == wanted {
				item[wanted] = value(kind, payload)
				break
			}
		}
		return len(item) < len(names)
	})
	return item, err
}

// value decodes what appendPayload wrote.
func value(kind attribute.Kind, payload []byte) *attribute.Value {
	v := &attribute.Value{Kind: kind}
	c := decoder{payload, true}
	switch kind {
	case attribute.S, attribute.N:
		v.Text = string(payload)
	case attribute.B:
		v.Bytes = append([]byte{}, payload...)
	case attribute.BOOL:
		v.Bool = len(payload) == 1 && payload[0] == 1
	case attribute.SS, attribute.NS:
		for len(c.b) > 0 {
			v.Texts = append(v.Texts, string(c.bytes()))
		}
	case attribute.BS:
		for len(c.b) > 0 {
			v.Blobs = append(v.Blobs, append([]byte{}, c.bytes()...))
		}
	case attribute.L:
		v.List = []*attribute.Value{}
		for len(c.b) > 0 {
			v.List = append(v.List, value(c.kind(), c.bytes()))
		}
	case attribute.M:
		v.Map = make(map[string]*attribute.Value)
		for len(c.b) > 0 {
			v.Map[string(c.bytes())] = value(c.kind(), c.bytes())
		}
	}
	return v
}

// AppendJSON writes the item in its wire form without decoding it. names, which are sorted,
// limit the attributes; nil is all.
func (s Item) AppendJSON(b []byte, names []string) ([]byte, error) {
	b = append(b, '{')
	first := true
	err := s.Each(func(name []byte, kind attribute.Kind, payload []byte) bool {
		if names != nil {
			if _, wanted := slices.BinarySearchFunc(names, name, compareName); !wanted {
				return true
			}
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendValueJSON(append(quote(b, name), ':'), kind, payload)
		return true
	})
	return append(b, '}'), err
}

func compareName(a string, b []byte) int {
	switch {
	case a < string(b):
		return -1
	case a > string(b):
		return 1
	}
	return 0
}

// appendValueJSON writes an encoded value in its wire form.
func appendValueJSON(b []byte, kind attribute.Kind, payload []byte) []byte {
	b = append(append(append(b, '{', '"'), kind.String()...), '"', ':')
	c := decoder{payload, true}
	switch kind {
	case attribute.S, attribute.N:
		b = quote(b, payload)
	case attribute.B:
		b = appendBase64(b, payload)
	case attribute.BOOL:
		if len(payload) == 1 && payload[0] == 1 {
			b = append(b, "true"...)
		} else {
			b = append(b, "false"...)
		}
	case attribute.NULL:
		b = append(b, "true"...)
	case attribute.M:
		b = append(b, '{')
		for n := 0; len(c.b) > 0; n++ {
			b = append(quote(separate(b, n), c.bytes()), ':')
			b = appendValueJSON(b, c.kind(), c.bytes())
		}
		b = append(b, '}')
	default:
		b = append(b, '[')
		for n := 0; len(c.b) > 0; n++ {
			b = separate(b, n)
			switch kind {
			case attribute.BS:
				b = appendBase64(b, c.bytes())
			case attribute.L:
				b = appendValueJSON(b, c.kind(), c.bytes())
			default:
				b = quote(b, c.bytes())
			}
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendBase64(b, data []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), data), '"')
}

func quote(b, text []byte) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

func separate(b []byte, n int) []byte {
	if n > 0 {
		return append(b, ',')
	}
	return b
}
