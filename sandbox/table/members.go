package table

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// members is one JSON object of a request in the order in which it came, without what is null. Values are pieces of the request.
type members []member

type member struct {
	name  string
	value jsontext.Value
}

// reader is a decoder that is kept for the next request.
type reader struct {
	input   bytes.Buffer
	decoder jsontext.Decoder
}

var readers = sync.Pool{New: func() any { return new(reader) }}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// open begins to read a text; close lets go of it.
func (r *reader) open(text []byte) {
	r.input = *bytes.NewBuffer(text)
	r.decoder.Reset(&r.input)
}

func (r *reader) close() {
	r.input = bytes.Buffer{}
	r.decoder.Reset(nothing{})
	readers.Put(r)
}

// next is the next value as a piece of the text.
func (r *reader) next(text []byte) (jsontext.Value, error) {
	v, err := r.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(r.decoder.InputOffset())
	return text[end-len(v) : end : end], nil
}

// parseMembers reads an object; what says how to refuse something else. A name that comes twice is refused, since readers differ
// about which of them counts.
func parseMembers(text []byte, what shape) (members, error) {
	if err := what.check(text); err != nil {
		return nil, err
	}
	r := readers.Get().(*reader)
	defer r.close()
	r.open(text)
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, unreadable("")
	}
	out := make(members, 0, 8)
	for r.decoder.PeekKind() != '}' {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, unreadable("")
		}
		name := token.String()
		value, err := r.next(text)
		if err != nil {
			return nil, unreadable("")
		}
		if value.Kind() != 'n' {
			out = append(out, member{name, value})
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, unreadable("")
	}
	if rest := text[r.decoder.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return nil, unreadable("")
	}
	return out, nil
}

// parseList reads the elements of an array.
func parseList(text []byte) ([]jsontext.Value, error) {
	switch jsontext.Value(text).Kind() {
	case '[':
	case '{':
		return nil, unreadable("Start of structure or map found where not expected")
	default:
		return nil, unreadable("Unexpected field type")
	}
	r := readers.Get().(*reader)
	defer r.close()
	r.open(text)
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, unreadable("")
	}
	var out []jsontext.Value
	for r.decoder.PeekKind() != ']' {
		value, err := r.next(text)
		if err != nil {
			return nil, unreadable("")
		}
		out = append(out, value)
	}
	return out, nil
}

// raw is the value of a member, or nil.
func (m members) raw(name string) jsontext.Value {
	for i := range m {
		if m[i].name == name {
			return m[i].value
		}
	}
	return nil
}

func (m members) has(name string) bool { return m.raw(name) != nil }

// text is a string, nil where it is absent.
func (m members) text(name string) (*string, error) {
	v := m.raw(name)
	if v == nil {
		return nil, nil
	}
	text, err := textOf(v)
	return &text, err
}

func textOf(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return "", unreadable("")
		}
		return string(text), nil
	case 't':
		return "", unreadable("TRUE_VALUE cannot be converted to String")
	case 'f':
		return "", unreadable("FALSE_VALUE cannot be converted to String")
	case '0':
		return "", unreadable("%s cannot be converted to String", numberKind(v))
	case '[':
		return "", unreadable("Unrecognized collection type class java.lang.String")
	}
	return "", unreadable("Start of structure or map found where not expected")
}

func numberKind(v jsontext.Value) string {
	if bytes.ContainsAny(v, ".eE") {
		return "DECIMAL_VALUE"
	}
	return "NUMBER_VALUE"
}

// whole is a whole number, nil where it is absent; kind is what the service calls it: Integer or Long.
func (m members) whole(name, kind string) (*int64, error) {
	v := m.raw(name)
	switch v.Kind() {
	case 0:
		return nil, nil
	case '0':
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil {
			f, err := strconv.ParseFloat(string(v), 64)
			if err != nil || math.Abs(f) >= 1<<63 {
				return nil, unreadable("NUMBER_VALUE cannot be converted to %s", kind)
			}
			n = int64(math.Floor(f))
		}
		return &n, nil
	case '"':
		return nil, unreadable("STRING_VALUE cannot be converted to %s", kind)
	case 't':
		return nil, unreadable("TRUE_VALUE cannot be converted to %s", kind)
	case 'f':
		return nil, unreadable("FALSE_VALUE cannot be converted to %s", kind)
	case '[':
		return nil, unreadable("Unrecognized collection type class java.lang.%s", kind)
	}
	return nil, unreadable("Start of structure or map found where not expected")
}

// flag is a truth value, nil where it is absent. The service takes some words for it.
func (m members) flag(name string) (*bool, error) {
	v := m.raw(name)
	yes, no := true, false
	switch v.Kind() {
	case 0:
		return nil, nil
	case 't':
		return &yes, nil
	case 'f':
		return &no, nil
	case '"':
		switch strings.ToUpper(strings.Trim(string(v), `"`)) {
		case "TRUE", "1", "YES":
			return &yes, nil
		case "FALSE", "0", "NO":
			return &no, nil
		}
		return nil, unreadable("Unexpected token received from parser")
	case '0':
		return nil, unreadable("%s cannot be converted to Boolean", numberKind(v))
	case '[':
		return nil, unreadable("Unrecognized collection type class java.lang.Boolean")
	}
	return nil, unreadable("Start of structure or map found where not expected")
}

// object is an object, nil where it is absent.
func (m members) object(name string, what shape) (members, error) {
	v := m.raw(name)
	if v == nil {
		return nil, nil
	}
	return parseMembers(v, what)
}

// list is the elements of an array, nil where it is absent and not nil where it is empty.
func (m members) list(name string) ([]jsontext.Value, error) {
	v := m.raw(name)
	if v == nil {
		return nil, nil
	}
	out, err := parseList(v)
	if out == nil {
		out = []jsontext.Value{}
	}
	return out, err
}

// texts is an array of strings, nil where it is absent.
func (m members) texts(name string) ([]string, error) {
	list, err := m.list(name)
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
