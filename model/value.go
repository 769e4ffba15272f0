package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SameValue reports whether two values of Outputs are equal as JSON. 1, 1.0 and 10e-1 are equal.
func SameValue(a, b any) bool {
	s, ok := a.(string)
	t, both := b.(string)
	if ok || both {
		return ok && both && s == t
	}
	return Canonical(a) == Canonical(b)
}

// Canonical returns a value of Outputs in the form that all equal values share. It is not meant for people.
func Canonical(value any) string {
	var b strings.Builder
	writeCanonical(&b, value)
	return b.String()
}

func writeCanonical(b *strings.Builder, value any) {
	switch v := value.(type) {
	case json.Number:
		b.WriteString(canonicalNumber(v.String()))
	case []any:
		b.WriteByte('[')
		for _, item := range v {
			writeCanonical(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(name))
			b.WriteByte(':')
			writeCanonical(b, v[name])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case string:
		b.WriteString(strconv.Quote(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	default:
		b.WriteString("null")
	}
}

// canonicalNumber returns the exact value of a JSON number: digits without zeros at either end, and an exponent.
func canonicalNumber(number string) string {
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(number), "e")
	power := 0
	if scaled {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return number
		}
	}
	digits, negative := strings.CutPrefix(mantissa, "-")
	units, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(units+fraction, "0")
	power -= len(fraction)
	short := strings.TrimRight(digits, "0")
	power += len(digits) - len(short)
	switch {
	case short == "":
		return "0"
	case negative:
		short = "-" + short
	}
	return short + "e" + strconv.Itoa(power)
}
