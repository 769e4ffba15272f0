package render

import (
	"encoding/json"
	"strconv"
	"strings"
)

// highestPower bounds the exponents that are reckoned with, so that no sum of
// them overflows.
const highestPower = 1 << 40

// decimal is the exact value of a JSON number: digits without zeros at either
// end, times a power of ten. It fails for an exponent beyond highestPower.
func decimal(n json.Number) (digits string, power int, ok bool) {
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(n.String()), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	units, fraction, _ := strings.Cut(mantissa, ".")
	long := strings.TrimLeft(units+fraction, "0")
	digits = strings.TrimRight(long, "0")
	if digits == "" {
		return "0", 0, true
	}
	if scaled {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil || power > highestPower || power < -highestPower {
			return "", 0, false
		}
	}
	power += len(long) - len(digits) - len(fraction)
	if negative {
		digits = "-" + digits
	}
	return digits, power, true
}

// wholeNumber reads a number that has no fraction, of up to nine digits; 8.0 and
// 80e-1 are such, as JSON Schema has it.
func wholeNumber(value any) (int, bool) {
	n, _ := value.(json.Number)
	digits, power, ok := decimal(n)
	if n == "" || !ok || power < 0 || power > 9 || len(digits) > 9 {
		return 0, false
	}
	whole, err := strconv.Atoi(digits + strings.Repeat("0", power))
	return whole, err == nil
}

// canonical is a copy of a value with each number in the one form that equal
// numbers share, so that values are equal as JSON when their copies are.
func canonical(value any) any {
	switch v := value.(type) {
	case map[string]any:
		next := make(map[string]any, len(v))
		for name, member := range v {
			next[name] = canonical(member)
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, item := range v {
			next[i] = canonical(item)
		}
		return next
	case json.Number:
		if digits, power, ok := decimal(v); ok {
			return json.Number(digits + "e" + strconv.Itoa(power))
		}
	}
	return value
}
