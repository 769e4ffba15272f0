package attribute

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
)

// content reads what follows the name of the type.
func (r *reader) content(v *Value, level int) (err *Error) {
	switch v.Kind {
	case S:
		v.Text, err = r.text()
	case N:
		v.Text, err = r.number()
	case B:
		v.Bytes, err = r.blob()
	case BOOL:
		v.Bool, err = r.boolean()
	case NULL:
		var is bool
		if is, err = r.boolean(); err == nil && !is {
			r.refuse(InvalidParameter("Null attribute value types must have the value of true"))
		}
	case M:
		v.Map, err = r.attributes(level + 1)
	case L:
		v.List, err = elements(r, func() (*Value, *Error) { return r.value(level + 1) })
	case SS:
		v.Texts, err = elements(r, func() (string, *Error) {
			return member(r, "An string set  may not have a null string as a member", r.text)
		})
		r.stringSet(v.Texts)
	case NS:
		v.Texts, err = elements(r, func() (string, *Error) {
			return member(r, "An number set  may not have a null string as a member", r.number)
		})
		r.numberSet(v.Texts)
	case BS:
		v.Blobs, err = elements(r,
			func() ([]byte, *Error) { return member(r, "Binary sets may not contain null values", r.blob) })
		r.binarySet(v.Blobs)
	}
	return err
}

func (r *reader) stringSet(texts []string) {
	switch {
	case len(texts) == 0:
		r.refuse(InvalidParameter("An string set  may not be empty"))
	case repeated(texts):
		r.refuse(InvalidParameter("Input collection [%s] contains duplicates.", strings.Join(texts, ", ")))
	}
}

func (r *reader) numberSet(texts []string) {
	switch {
	case len(texts) == 0:
		r.refuse(InvalidParameter("An number set  may not be empty"))
	case repeated(texts):
		r.refuse(Invalid("Input collection contains duplicates"))
	}
}

func (r *reader) binarySet(blobs [][]byte) {
	texts := make([]string, len(blobs))
	for i, blob := range blobs {
		texts[i] = base64.StdEncoding.EncodeToString(blob)
	}
	switch {
	case len(texts) == 0:
		r.refuse(InvalidParameter("Binary sets should not be empty"))
	case repeated(texts):
		r.refuse(InvalidParameter("Input collection [%s]of type BS contains duplicates.", strings.Join(texts, ", ")))
	}
}

func repeated(texts []string) bool {
	sorted := slices.Sorted(slices.Values(texts))
	return len(slices.Compact(sorted)) < len(texts)
}

// member reads an element of a set and refuses null.
func member[T any](r *reader, message string, read func() (T, *Error)) (T, *Error) {
	if r.dec.PeekKind() == 'n' {
		var none T
		r.refuse(InvalidParameter("%s", message))
		return none, r.skip()
	}
	return read()
}

func elements[T any](r *reader, read func() (T, *Error)) ([]T, *Error) {
	if err := r.enter('[', '{', structureMessage); err != nil {
		return nil, err
	}
	list := []T{}
	for r.dec.PeekKind() != ']' {
		e, err := read()
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	_, err := r.next()
	return list, err
}

func (r *reader) text() (string, *Error) {
	t, err := r.next()
	if err != nil {
		return "", err
	}
	if t.Kind() != '"' {
		return "", Unconvertible(t.Kind(), t.String(), "String")
	}
	return t.String(), nil
}

func (r *reader) number() (string, *Error) {
	text, err := r.text()
	if err != nil {
		return "", err
	}
	number, refusal := CanonicalNumber(text)
	if refusal != nil {
		r.refuse(Invalid("%s", refusal.Error()))
	}
	return number, nil
}

func (r *reader) boolean() (bool, *Error) {
	t, err := r.next()
	if err != nil {
		return false, err
	}
	return Bool(t.Kind(), t.String())
}

func (r *reader) blob() ([]byte, *Error) {
	t, err := r.next()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case '"':
	case '[':
		return nil, Unreadable("Unrecognized collection type class java.nio.ByteBuffer")
	case '{':
		return nil, Unreadable(structureMessage)
	default:
		return nil, Unreadable("only base-64-encoded strings are convertible to bytes")
	}
	text := []byte(t.String())
	if len(text)%4 != 0 {
		return nil, Unreadable("Base64 encoded length is expected a multiple of 4 bytes but found: %d", len(text))
	}
	// The decoder would ignore line ends.
	if bytes.ContainsAny(text, "\r\n") {
		return nil, Unreadable("Invalid last non-pad Base64 character dectected")
	}
	n, refusal := base64.StdEncoding.Decode(text, text)
	if refusal != nil {
		return nil, Unreadable("Invalid last non-pad Base64 character dectected")
	}
	return text[:n:n], nil
}
