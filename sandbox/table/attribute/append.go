package attribute

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends the item in its wire form, names sorted.
func (i Item) AppendJSON(b []byte) []byte { return i.appendJSON(b, false) }

// appendJSON is AppendJSON, with the elements of sets in order if sorted is set.
func (i Item) appendJSON(b []byte, sorted bool) []byte {
	b = append(b, '{')
	for n, name := range sortedNames(i) {
		if n > 0 {
			b = append(b, ',')
		}
		b = appendText(b, name)
		b = append(b, ':')
		b = i[name].appendJSON(b, sorted)
	}
	return append(b, '}')
}

// AppendJSON appends the value in its wire form: an object with one member, named after the
// type.
func (v *Value) AppendJSON(b []byte) []byte { return v.appendJSON(b, false) }

func (v *Value) appendJSON(b []byte, sorted bool) []byte {
	b = append(b, `{"`...)
	b = append(b, v.Kind.String()...)
	b = append(b, `":`...)
	switch v.Kind {
	case S, N:
		b = appendText(b, v.Text)
	case B:
		b = appendBlob(b, v.Bytes)
	case BOOL:
		if v.Bool {
			b = append(b, "true"...)
		} else {
			b = append(b, "false"...)
		}
	case NULL:
		b = append(b, "true"...)
	case M:
		b = Item(v.Map).appendJSON(b, sorted)
	case L:
		b = appendList(b, v.List, func(b []byte, e *Value) []byte { return e.appendJSON(b, sorted) })
	case SS, NS:
		texts := v.Texts
		if sorted {
			texts = slices.SortedFunc(slices.Values(texts),
				map[Kind]func(a, b string) int{SS: strings.Compare, NS: compareNumbers}[v.Kind])
		}
		b = appendList(b, texts, appendText)
	case BS:
		blobs := v.Blobs
		if sorted {
			blobs = slices.SortedFunc(slices.Values(blobs), bytes.Compare)
		}
		b = appendList(b, blobs, appendBlob)
	}
	return append(b, '}')
}

func appendList[T any](b []byte, list []T, each func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, e)
	}
	return append(b, ']')
}

// appendText cannot fail: invalid UTF-8 was refused when the text was read.
func appendText(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

func appendBlob(b []byte, blob []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, blob)
	return append(b, '"')
}
