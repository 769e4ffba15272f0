package attribute

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
)

// The limits of a number: 38 significant digits, magnitudes from 1E-130 to 9.99...E+125.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
const (
	mostDigits       = 38
	greatestExponent = 125
	leastExponent    = -130
)

const (
	overflowMessage  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflowMessage = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	precisionMessage = "Attempting to store more than 38 significant digits in a Number"
)

// decimal is a parsed number: digits[0].digits[1]digits[2]... times ten to the exponent.
// The first and the last digit are not zero; the number zero has no digits and no sign.
type decimal struct {
	negative bool
	count    int
	exponent int
	digits   [mostDigits]byte
}

// CanonicalNumber is a number as DynamoDB returns it: plain digits without exponent or
// superfluous zeros, zero without sign. The error is a ValidationException: not a number,
// more than 38 digits, too large or too small.
func CanonicalNumber(text string) (string, error) {
	if plainInteger(text) {
		return text, nil
	}
	d, err := parseDecimal(text)
	if err != nil {
		return "", err
	}
	return string(d.appendPlain(nil)), nil
}

// plainInteger reports whether a text is a canonical integer: the common case, which needs
// no work.
func plainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "0" {
		return text == "0"
	}
	if len(digits) == 0 || len(digits) > mostDigits || digits[0] == '0' {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// parseDecimal reads a number with optional sign, point and exponent. Zeros at both ends do
// not count as digits.
func parseDecimal(text string) (decimal, error) {
	var d decimal
	if text == "" {
		return d, Invalid("The parameter cannot be converted to a numeric value")
	}
	rest := text
	if rest[0] == '-' || rest[0] == '+' {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	// length counts the digits from the first that is not zero, zeros the trailing zeros
	// read so far.
	var length, zeros, scale, i int
	seenDigit, seenPoint, tooLong := false, false, false
	for ; i < len(rest); i++ {
		c := rest[i]
		if c == '.' && !seenPoint {
			seenPoint = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		seenDigit = true
		if seenPoint {
			scale++
		}
		if length == 0 && c == '0' {
			continue
		}
		length++
		if c == '0' {
			zeros++
			continue
		}
		if d.count+zeros+1 > mostDigits {
			tooLong = true
			zeros = 0
			continue
		}
		d.count += zeros
		zeros = 0
		d.digits[d.count] = c - '0'
		d.count++
	}
	exponent, ok := parseExponent(rest[i:])
	if !seenDigit || !ok {
		return decimal{}, Invalid("The parameter cannot be converted to a numeric value: %s", text)
	}
	if length == 0 {
		return decimal{}, nil
	}
	d.exponent = length - 1 - scale + exponent
	switch {
	case d.exponent > greatestExponent:
		return decimal{}, Invalid(overflowMessage)
	case d.exponent < leastExponent:
		return decimal{}, Invalid(underflowMessage)
	case tooLong:
		return decimal{}, Invalid(precisionMessage)
	}
	return d, nil
}

// parseExponent reads what follows the digits: nothing, or e with a sign and digits. Huge
// exponents become 1<<40.
func parseExponent(text string) (int, bool) {
	if text == "" {
		return 0, true
	}
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	negative := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if text == "" {
		return 0, false
	}
	const infinite = 1 << 40
	value := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		value = min(value*10+int(text[i]-'0'), infinite)
	}
	if negative {
		value = -value
	}
	return value, true
}

// appendPlain writes the number without exponent.
func (d *decimal) appendPlain(b []byte) []byte {
	if d.count == 0 {
		return append(b, '0')
	}
	if d.negative {
		b = append(b, '-')
	}
	if d.exponent < 0 {
		b = append(b, "0."...)
		for range -d.exponent - 1 {
			b = append(b, '0')
		}
	}
	for i := range max(d.count, d.exponent+1) {
		if i == d.exponent+1 && d.exponent >= 0 {
			b = append(b, '.')
		}
		if i < d.count {
			b = append(b, '0'+d.digits[i])
		} else {
			b = append(b, '0')
		}
	}
	return b
}

func (d *decimal) compare(o *decimal) int {
	if c := d.sign() - o.sign(); c != 0 {
		return max(-1, min(1, c))
	}
	c := d.exponent - o.exponent
	if c == 0 {
		c = bytes.Compare(d.digits[:d.count], o.digits[:o.count])
	}
	if d.negative {
		c = -c
	}
	return max(-1, min(1, c))
}

func (d *decimal) sign() int {
	switch {
	case d.count == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// compareNumbers compares two canonical numbers.
func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	x, _ := parseDecimal(a)
	y, _ := parseDecimal(b)
	return x.compare(&y)
}

// Add is the exact sum of two canonical numbers. If it is out of range, or needs more than 38
// digits, the error is the ValidationException for overflow, as in DynamoDB.
func Add(a, b string) (string, error) { return sum(a, b, false) }

// Subtract is the exact difference a - b, with the errors of Add.
func Subtract(a, b string) (string, error) { return sum(a, b, true) }

func sum(a, b string, subtract bool) (string, error) {
	// 18 digits and a sum of two of them fit an int64.
	if x, ok := smallInteger(a); ok {
		if y, ok := smallInteger(b); ok {
			if subtract {
				y = -y
			}
			return strconv.FormatInt(x+y, 10), nil
		}
	}
	x, err := parseDecimal(a)
	if err != nil {
		return "", err
	}
	y, err := parseDecimal(b)
	if err != nil {
		return "", err
	}
	if subtract {
		y.negative = !y.negative && y.count > 0
	}
	low := min(x.lowest(), y.lowest())
	total := x.scaled(low)
	total.Add(total, y.scaled(low))
	d, err := parseDecimal(total.String() + "e" + strconv.Itoa(low))
	if err != nil {
		if err.Error() == precisionMessage {
			return "", Invalid(overflowMessage)
		}
		return "", err
	}
	return string(d.appendPlain(nil)), nil
}

func smallInteger(text string) (int64, bool) {
	if len(text) > 18 || !plainInteger(text) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// lowest is the exponent of the last digit.
func (d *decimal) lowest() int { return d.exponent - d.count + 1 }

// scaled is the number as a multiple of ten to the power of low.
func (d *decimal) scaled(low int) *big.Int {
	n := new(big.Int)
	if d.count == 0 {
		return n
	}
	text := make([]byte, d.count, d.count+d.lowest()-low)
	for i := range text {
		text[i] = '0' + d.digits[i]
	}
	text = append(text, strings.Repeat("0", d.lowest()-low)...)
	n.SetString(string(text), 10)
	if d.negative {
		n.Neg(n)
	}
	return n
}
