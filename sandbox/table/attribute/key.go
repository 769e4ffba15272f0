package attribute

import "bytes"

// The encoding of keys: bytes.Compare of two encodings is Compare of the values. An
// encoding marks its own end, so that a sort key can follow a partition key.
//
// S and B: the bytes, 0x00 as 0x00 0xFF, then 0x00 0x01. N: a byte for the sign, a byte for
// the exponent, each pair of digits plus one as a byte, then 0x00. In negative numbers all
// bytes except the first are inverted.
const (
	escape     = 0x00
	escapedNil = 0xFF
	textEnd    = 0x01

	belowZero = 0x40
	zero      = 0x80
	aboveZero = 0xC0
)

// AppendKey appends the order-preserving encoding of an S, an N or a B. Other types cannot
// be keys: it appends nothing.
func AppendKey(b []byte, v *Value) []byte {
	switch v.Kind {
	case S:
		return appendEscaped(b, v.Text)
	case B:
		return appendEscaped(b, v.Bytes)
	case N:
		d, _ := parseDecimal(v.Text)
		return d.appendKey(b)
	default:
		return b
	}
}

func appendEscaped[T string | []byte](b []byte, text T) []byte {
	start := len(b)
	b = append(b, text...)
	if bytes.IndexByte(b[start:], escape) >= 0 {
		b = b[:start]
		for i := range len(text) {
			b = append(b, text[i])
			if text[i] == escape {
				b = append(b, escapedNil)
			}
		}
	}
	return append(b, escape, textEnd)
}

func (d *decimal) appendKey(b []byte) []byte {
	if d.count == 0 {
		return append(b, zero)
	}
	sign, invert := byte(aboveZero), byte(0)
	if d.negative {
		sign, invert = belowZero, 0xFF
	}
	b = append(b, sign, byte(d.exponent-leastExponent)^invert)
	for i := 0; i < d.count; i += 2 {
		pair := d.digits[i] * 10
		if i+1 < d.count {
			pair += d.digits[i+1]
		}
		b = append(b, (pair+1)^invert)
	}
	return append(b, 0x00^invert)
}
