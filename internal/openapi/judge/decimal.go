package judge

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// Decimal is a number as it is written, exactly: 0.digits times ten to the power of exponent.
// It takes no more memory than its text, whatever the exponent.
type Decimal struct {
	negative bool
	// digits begin and end with another digit than 0; "" is zero.
	digits   string
	exponent int64
}

// farthest is the largest exponent. One beyond it counts as this one.
const farthest = 1 << 40

// ParseDecimal reads a number of JSON, or one of those that YAML has besides: +1, .5 and 0x1F.
// It is not ok for any other text, such as .inf.
func ParseDecimal(text string) (d Decimal, ok bool) {
	rest := strings.TrimPrefix(text, "+")
	if after, found := strings.CutPrefix(rest, "-"); found {
		d.negative, rest = true, after
	}
	if len(rest) > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'o') {
		n, good := new(big.Int).SetString(rest, 0)
		if !good || len(rest) > 100 {
			return Decimal{}, false
		}
		rest = n.String()
	}
	mantissa, power := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, power = rest[:i], rest[i+1:]
		if d.exponent, ok = readPower(power); !ok {
			return Decimal{}, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.digits = whole
	if fraction != "" {
		d.digits = whole + fraction
	}
	if d.digits == "" || !allDigits(d.digits) {
		return Decimal{}, false
	}
	significant := strings.TrimLeft(d.digits, "0")
	d.exponent += int64(len(whole) - (len(d.digits) - len(significant)))
	d.digits = strings.TrimRight(significant, "0")
	if d.digits == "" {
		return Decimal{}, true
	}
	return d, true
}

func readPower(text string) (int64, bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	if digits == "" || !allDigits(digits) || len(text)-len(digits) > 1 {
		return 0, false
	}
	power, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || power > farthest {
		power = farthest
	}
	if text[0] == '-' {
		power = -power
	}
	return power, true
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// Whole reports whether the number has no fraction.
func (d Decimal) Whole() bool { return d.digits == "" || d.exponent >= int64(len(d.digits)) }

// Compare returns -1, 0 or 1 for less, the same and more.
func (d Decimal) Compare(e Decimal) int {
	if d.sign() != e.sign() || d.sign() == 0 {
		return cmp.Compare(d.sign(), e.sign())
	}
	return d.sign() * cmp.Or(cmp.Compare(d.exponent, e.exponent), cmp.Compare(d.digits, e.digits))
}

func (d Decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// String writes the number in one form: equal numbers have equal texts.
func (d Decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	text := d.digits + "e" + strconv.FormatInt(d.exponent-int64(len(d.digits)), 10)
	if d.negative {
		return "-" + text
	}
	return text
}

// mostPlaces is how many places a number may have to be divided.
const mostPlaces = 1000

// Rat returns the number to calculate with. It is not ok for a number with so many places
// that it would take much memory.
func (d Decimal) Rat() (r *big.Rat, ok bool) {
	if d.digits == "" {
		return new(big.Rat), true
	}
	if len(d.digits) > mostPlaces || d.exponent > mostPlaces || d.exponent < -mostPlaces {
		return nil, false
	}
	return new(big.Rat).SetString(d.String())
}

// count returns a number as that of items or characters: one that is too large is the largest.
func (d Decimal) count() int {
	const most = 1 << 30
	switch r, ok := d.Rat(); {
	case d.sign() <= 0:
		return 0
	case !ok && d.exponent < 0:
		return 0
	case !ok || d.exponent > 9:
		return most
	default:
		whole := new(big.Int).Quo(r.Num(), r.Denom())
		return int(whole.Int64())
	}
}
