package judge

import (
	"net/mail"
	"net/netip"
	"strings"
	"time"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
)

// textFormats are the formats of texts that are judged
// (https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3).
var textFormats = map[string]struct {
	shown string
	holds func(text string) bool
}{
	"date":      {"a date such as 2020-01-31", isDate},
	"date-time": {"a time such as 2020-01-31T12:00:00Z", isDateTime},
	"uuid":      {"a UUID", isUUID},
	"email":     {"an email address", isEmail},
	"ipv4": {
		"an IPv4 address",
		func(text string) bool { a, err := netip.ParseAddr(text); return err == nil && a.Is4() },
	},
	"ipv6": {"an IPv6 address", func(text string) bool {
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is6() && a.Zone() == ""
	}},
}

// numberFormats are the formats of numbers that are judged, with the largest number and the
// least.
var numberFormats = map[string][2]string{
	"int32": {"2147483647", "-2147483648"},
	"int64": {"9223372036854775807", "-9223372036854775808"},
}

// longestFormat is the length of the longest text that may have a format.
const longestFormat = 1000

func readFormat(k *reading) rule {
	at := k.value
	if format, known := textFormats[at.Text]; known {
		return func(r *Run, v *cfn.Node) {
			if v.Kind == cfn.String && r.spend(10) && (len(v.Text) > longestFormat || !format.holds(v.Text)) {
				r.fault(v, at, "is not %s", format.shown)
			}
		}
	}
	limits, known := numberFormats[at.Text]
	if !known {
		return nil
	}
	most, _ := ParseDecimal(limits[0])
	least, _ := ParseDecimal(limits[1])
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.Number || !r.spend(1+len(v.Text)/textStep) {
			return
		}
		if d, ok := ParseDecimal(v.Text); ok && (d.Compare(most) > 0 || d.Compare(least) < 0) {
			r.fault(v, at, "is too large for %s", at.Text)
		}
	}
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// shapeOfTime is stricter than package time, which takes hours of one digit.
var shapeOfTime = lazyregexp.New(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-][01]\d:[0-5]\d|[+-]2[0-3]:[0-5]\d)$`)

// isDateTime reports whether a text is a time of RFC 3339, section 5.6, which may have a leap
// second.
func isDateTime(text string) bool {
	text = strings.ToUpper(text)
	if !shapeOfTime().MatchString(text) {
		return false
	}
	leap := text[17:19] == "60"
	if leap {
		text = text[:17] + "59" + text[19:]
	}
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return false
	}
	moment = moment.UTC()
	return !leap || moment.Hour() == 23 && moment.Minute() == 59
}

var shapeOfUUID = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func isUUID(text string) bool { return shapeOfUUID().MatchString(text) }

// isEmail takes quotes around the name too, but nothing around the address.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Name == "" && (address.Address == text || strings.HasPrefix(text, `"`))
}
