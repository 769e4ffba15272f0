// Package constraint checks input against the constraints that the models of AWS's JSON services declare, and
// reports violations in the services' words: "1 validation error detected: Value null at 'key' failed to
// satisfy constraint: Member must not be null".
package constraint

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MinLength is the rule of a text's characters or a list's elements: n or more.
func MinLength(n int) string {
	return "Member must have length greater than or equal to " + strconv.Itoa(n)
}

// MaxLength is the rule of a text's characters or a list's elements: n or fewer.
func MaxLength(n int) string {
	return "Member must have length less than or equal to " + strconv.Itoa(n)
}

// MinValue is the rule of a number: n or more.
func MinValue(n int64) string {
	return "Member must have value greater than or equal to " + strconv.FormatInt(n, 10)
}

// Pattern is the rule of a text that matches a regular expression.
func Pattern(pattern string) string {
	return "Member must satisfy regular expression pattern: " + pattern
}

// MapKeys says that the keys of a map must satisfy rules.
func MapKeys(rules ...string) string {
	return "Map keys must satisfy constraint: [" + strings.Join(rules, ", ") + "]"
}

// MapValues says that the values of a map must satisfy rules.
func MapValues(rules ...string) string {
	return "Map value must satisfy constraint: [" + strings.Join(rules, ", ") + "]"
}

// Violations are the constraints that one request breaks. The zero value reports them as DynamoDB does. In
// all methods, path is the member as the service names it.
type Violations struct {
	// HideValues leaves the values out, as Cognito does.
	HideValues bool
	// All reports every violation; otherwise the first ten are reported.
	All bool

	reports []string
}

// Add reports that a value breaks a rule.
func (v *Violations) Add(value, path, rule string) { v.add(" '"+value+"'", path, rule) }

// AddWithoutValue is Add for the rules whose reports never show the value.
func (v *Violations) AddWithoutValue(path, rule string) { v.add("", path, rule) }

func (v *Violations) add(shown, path, rule string) {
	if v.HideValues {
		shown = ""
	}
	if v.All || len(v.reports) < 10 {
		v.reports = append(v.reports, "Value"+shown+" at '"+path+"' failed to satisfy constraint: "+rule)
	}
}

// Message is the one sentence that reports all violations, empty if there are none.
func (v *Violations) Message() string {
	switch len(v.reports) {
	case 0:
		return ""
	case 1:
		return "1 validation error detected: " + v.reports[0]
	}
	return strconv.Itoa(len(v.reports)) + " validation errors detected: " + strings.Join(v.reports, "; ")
}

// Require reports a member that is absent. It returns present.
func (v *Violations) Require(present bool, path string) bool {
	if !present {
		v.add(" null", path, "Member must not be null")
	}
	return present
}

// Enum reports a text that is not one of those allowed; nil is absent, and passes. The
// order of allowed is the service's.
func (v *Violations) Enum(text *string, path string, allowed ...string) {
	if text != nil && !slices.Contains(allowed, *text) {
		v.Add(*text, path, "Member must satisfy enum value set: ["+strings.Join(allowed, ", ")+"]")
	}
}

// AtLeast reports a number that is too small; nil is absent, and passes.
func (v *Violations) AtLeast(n *int64, path string, least int64) {
	if n != nil && *n < least {
		v.Add(strconv.FormatInt(*n, 10), path, MinValue(least))
	}
}

// AtMost reports a number that is too great; nil is absent, and passes.
func (v *Violations) AtMost(n *int64, path string, most int64) {
	if n != nil && *n > most {
		v.Add(strconv.FormatInt(*n, 10), path, "Member must have value less than or equal to "+strconv.FormatInt(most, 10))
	}
}

// Length reports a text with too few or too many characters. It returns whether the text
// passes.
func (v *Violations) Length(text, path string, least, most int) bool {
	return v.Count(utf8.RuneCountInString(text), text, path, least, most)
}

// Count reports a list with too few or too many elements, as shown. It returns whether the
// list passes.
func (v *Violations) Count(n int, shown, path string, least, most int) bool {
	if n < least {
		v.Add(shown, path, MinLength(least))
	}
	if n > most {
		v.Add(shown, path, MaxLength(most))
	}
	return n >= least && n <= most
}

// Match reports a text that does not match a pattern.
func (v *Violations) Match(matches bool, text, path, pattern string) {
	if !matches {
		v.Add(text, path, Pattern(pattern))
	}
}

// IsWord reports whether a text is not empty and consists of ASCII letters, digits and the
// bytes of more.
func IsWord(text, more string) bool {
	for i := range len(text) {
		b := text[i]
		letter := b|0x20 >= 'a' && b|0x20 <= 'z'
		if !letter && (b < '0' || b > '9') && strings.IndexByte(more, b) < 0 {
			return false
		}
	}
	return text != ""
}
