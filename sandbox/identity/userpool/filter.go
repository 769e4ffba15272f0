package userpool

import (
	"strings"

	"gatewright/sandbox/identity/userpool/record"
)

var errFilter = invalid("Error while parsing filter.")

// parseFilter reads a filter of ListUsers: an attribute, = or ^= (prefix), and a value in quotation marks,
// with a backslash before quotation marks inside. An empty filter matches every user.
func parseFilter(text string) (s record.Search, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return s, nil
	}
	name, rest, found := strings.Cut(text, "=")
	name, s.Begins = strings.CutSuffix(strings.TrimSpace(name), "^")
	value, whole := quotedValue(strings.TrimSpace(rest))
	s.Attribute, s.Value = strings.Trim(strings.TrimSpace(name), `"`), value
	if !found || !whole || s.Attribute == "" {
		return s, errFilter
	}
	folds, known := record.Searchable[s.Attribute]
	if !known {
		return s, invalid("Invalid search attribute: %s", printable(s.Attribute))
	}
	if folds {
		s.Value = record.Fold(s.Value)
	}
	return s, nil
}

// quotedValue reads a text that is one value in quotation marks.
func quotedValue(text string) (value string, whole bool) {
	if len(text) < 2 || text[0] != '"' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), i == len(text)-1
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	return "", false
}
