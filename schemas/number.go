package schemas

import (
	"math"
	"strconv"
	"strings"
)

// farthest bounds the numbers that the engine gets. Beyond 2^53 a float64 cannot tell whole numbers apart.
const farthest = 1 << 50

// float returns the number for the engine. A number with a fraction keeps one even if the
// nearest float64 is whole, and a number beyond farthest becomes farthest. All bounds in
// the schemas are smaller, so the verdict is right for the exact number.
func (n number) float() float64 {
	// The error only says that the result is infinite.
	value, _ := strconv.ParseFloat(string(n), 64)
	value = max(-farthest, min(value, farthest))
	if value == math.Trunc(value) && !n.whole() {
		return math.Nextafter(value, math.Inf(1))
	}
	return value
}

// whole reports whether the number has no fractional part: 8, 8.0 and 80e-1 are whole. It
// reads the text, so that 1e999999999 takes no time.
func (n number) whole() bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	units, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.TrimRight(units+fraction, "0")
	if digits == "" {
		return true
	}
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil {
			return !strings.HasPrefix(exponent, "-")
		}
	}
	return len(digits)-len(units) <= shift
}
