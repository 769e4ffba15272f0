package render

import (
	"encoding/json"
	"strconv"
	"strings"

	"gatewright/model"
)

// wholeNumber reads a number without a fraction, of up to nine digits. 8.0 and 80e-1 have none, as in JSON Schema.
func wholeNumber(value any) (int, bool) {
	const most = 9
	n, ok := value.(json.Number)
	digits, exponent, scaled := strings.Cut(model.Canonical(n), "e")
	if !ok || !scaled {
		return 0, ok && digits == "0"
	}
	power, err := strconv.Atoi(exponent)
	if err != nil || power < 0 || power > most || len(digits) > most {
		return 0, false
	}
	whole, err := strconv.Atoi(digits + strings.Repeat("0", power))
	return whole, err == nil
}
