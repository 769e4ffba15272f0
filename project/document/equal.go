package document

import (
	"bytes"
	"fmt"
	"strconv"
)

// equal reports whether two values mean the same: order of keys, spacing,
// escapes and the spelling of numbers do not count.
func equal(x, y Node) bool {
	return x.Kind() == y.Kind() && (bytes.Equal(x.Raw(), y.Raw()) || sameMeaning(x, y))
}

// sameMeaning is equal without comparing the bytes of containers first, which would
// compare everything once for each level.
func sameMeaning(x, y Node) bool {
	if x.Kind() != y.Kind() || x.Len() != y.Len() {
		return false
	}
	switch x.Kind() {
	case Number:
		return bytes.Equal(x.Raw(), y.Raw()) || sameNumber(x.Raw(), y.Raw())
	case String:
		return bytes.Equal(decode(x.Raw()), decode(y.Raw()))
	case Array:
		return sameElements(x, y)
	case Object:
		for member := range x.children() {
			other, ok := y.get(member.key())
			if !ok || !sameMeaning(member, other) {
				return false
			}
		}
		return true
	default:
		return bytes.Equal(x.Raw(), y.Raw())
	}
}

func sameElements(x, y Node) bool {
	other := y.id + 1
	for element := range x.children() {
		if !sameMeaning(element, Node{doc: y.doc, id: other}) {
			return false
		}
		other = y.doc.nodes[other].next
	}
	return true
}

// sameNumber compares two JSON numbers exactly, as decimals: 9007199254740993
// is not 9007199254740992, though both are the same float64.
func sameNumber(x, y []byte) bool {
	a, okA := parseDecimal(x)
	b, okB := parseDecimal(y)
	if !okA || !okB {
		return bytes.Equal(x, y)
	}
	return a.negative == b.negative && a.exponent == b.exponent && bytes.Equal(a.digits, b.digits)
}

// decimal is digits times ten to the exponent, without zeros at either end, so
// that equal numbers are equal decimals. Zero has no digits.
type decimal struct {
	negative bool
	digits   []byte
	exponent int64
}

// parseDecimal is false for an exponent beyond 32 bits.
func parseDecimal(number []byte) (decimal, bool) {
	unsigned, negative := bytes.CutPrefix(number, []byte("-"))
	mantissa := unsigned
	var exponent int64
	if i := bytes.IndexAny(unsigned, "eE"); i >= 0 {
		mantissa = unsigned[:i]
		var err error
		if exponent, err = strconv.ParseInt(string(unsigned[i+1:]), 10, 32); err != nil {
			return decimal{}, false
		}
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := bytes.Join([][]byte{whole, fraction}, nil)
	short := bytes.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(short) - len(fraction))
	short = bytes.TrimLeft(short, "0")
	if len(short) == 0 {
		return decimal{}, true
	}
	return decimal{negative: negative, digits: short, exponent: exponent}, true
}

// identity returns a text that is the same for two scalars only if they are equal.
func identity(scalar Node) string {
	raw := scalar.Raw()
	switch scalar.Kind() {
	case String:
		return `"` + string(decode(raw))
	case Number:
		if d, ok := parseDecimal(raw); ok {
			return fmt.Sprintf("%t %s %d", d.negative, d.digits, d.exponent)
		}
	}
	return string(raw)
}
